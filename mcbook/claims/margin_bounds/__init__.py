"""The claims of the chapter on margin bounds."""

from mcbook.claims.margin_bounds import bounds, classes, exercises, kernels, uniform

__all__ = ["bounds", "classes", "exercises", "kernels", "uniform"]
