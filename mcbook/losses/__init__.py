"""Margin losses: the catalogue, the condition that decoding needs, the margin loss of the bounds, best leaf values."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
