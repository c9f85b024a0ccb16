"""Boosting many labels: AdaBoost on pairs of an example and a label, AdaBoost.MR, and an objective that misleads."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
