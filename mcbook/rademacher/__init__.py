"""Rademacher complexity: exact by enumeration, estimated by drawing signs, and bounded."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
