"""One-vs-rest and all pairs: their errors, their calibration, their tournaments and what they cost."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
