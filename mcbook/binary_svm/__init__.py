"""The binary support vector machine: its problems, its dual, and its solution for every cost of slack."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
