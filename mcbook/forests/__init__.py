"""Forests: bagging, out-of-bag estimates, random forests, strength and correlation of the votes."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
