"""Winnow: multiplicative updates on disjunctions, balanced and multi-class, with their mistake bounds."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
