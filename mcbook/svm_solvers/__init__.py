"""Solvers of the support vector machines, from stochastic steps to Newton's method, and their estimators."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
