"""The binary support vector machine: its programmes, its dual, and its solution for every price of slack."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
