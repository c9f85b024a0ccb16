"""Impurities of a node of a decision tree: the best label, three measures of mixture, and what a split gains.

A node of a decision tree holds examples with labels, and only the share of each class counts.  An impurity says how
mixed they are: the misclassification rate, the Gini index or the entropy.  The chapter proves how the three bound one
another, how small they can be, and what a split can gain.  Begin with `misclassification`, `gini`, `entropy` and
`split_gain`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
