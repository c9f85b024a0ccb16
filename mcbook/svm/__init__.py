"""The multi-class support vector machine: primal, dual and optimality, Kesler's space, and kernels."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
