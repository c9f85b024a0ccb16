"""Constraint classification: Kesler's construction, preferences over labels, and one learner for all of them."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
