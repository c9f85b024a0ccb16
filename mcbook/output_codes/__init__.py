"""Output codes: one reduction of many classes to binary problems for all code matrices."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
