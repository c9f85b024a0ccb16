"""The claims of the chapter on the multi-class Perceptron."""

from mcbook.claims.perceptron import linear, margin, mistakes

__all__ = ["linear", "margin", "mistakes"]
