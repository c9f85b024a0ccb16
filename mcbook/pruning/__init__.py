"""Pruning: the weakest-link sequence, its penalty by cross-validation, few best prunings, a bound for pruned trees."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
