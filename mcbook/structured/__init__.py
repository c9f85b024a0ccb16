"""Structured prediction: joint features on chains and trees, exact inference, conditional random fields, Perceptron."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
