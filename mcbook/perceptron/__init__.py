"""The multi-class Perceptron: its margin, its mistake bound, its run and its estimator."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
