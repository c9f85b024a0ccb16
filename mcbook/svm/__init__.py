"""Support vector machines: their programmes and duals, their solvers and their estimators."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
