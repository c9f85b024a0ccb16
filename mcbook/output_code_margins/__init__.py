"""AdaBoost.MO, the margin of loss-based decoding, and what it says of training and of new examples."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
