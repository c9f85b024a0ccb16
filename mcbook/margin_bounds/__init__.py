"""Margin bounds for many classes: the bounds as formulas, and what they can be compared with exactly."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
