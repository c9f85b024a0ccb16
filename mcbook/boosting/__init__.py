"""AdaBoost: reweighting, its training error and margins, weak learners, and the worst that can happen."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
