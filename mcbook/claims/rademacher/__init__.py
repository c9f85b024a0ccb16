"""The claims of the chapter on Rademacher complexity."""

from mcbook.claims.rademacher import generalisation, kernels, maxima, tools

__all__ = ["generalisation", "kernels", "maxima", "tools"]
