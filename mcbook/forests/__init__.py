"""Forests: bagging, out-of-bag estimates, random forests, strength and correlation of the votes.

A forest lets many trees vote, each of which was grown on its own bootstrap sample and with its own draws of features.
The examples outside a bootstrap sample estimate the error without a test set.  The chapter proves what a bootstrap
sample holds, what the out-of-bag error estimates, and how large the error of a forest of given strength and correlation
can be.  Begin with `grow_forest`; `RandomForest` and `Bagging` are the classifiers for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
