"""Impurities of a node of a decision tree: the best label, three measures of mixture, and what a split gains."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
