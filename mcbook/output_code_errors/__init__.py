"""Errors of output codes: what good binary learners promise for many classes, and what they do not."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
