"""Weak and strong learning: edges against margins, boosting by majority and by filtering, boosting the confidence."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
