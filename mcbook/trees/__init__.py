"""Decision trees: questions, greedy growth and its limits, regression, missing values, how rich trees are."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
