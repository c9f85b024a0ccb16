"""Decision trees: questions, greedy growth and its limits, regression, missing values, how rich trees are.

A decision tree asks one question about an example after another, and its leaves predict a label or a number.  The data
may have missing values and categories.  Trees are grown greedily, by the question that lowers the impurity most, and
the chapter proves what growing can and cannot achieve: how fast the error falls if every node has a good question, when
looking ahead does not help, and how large the VC-dimension of trees is.  Begin with `grow_tree`; `DecisionTree` is
the classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
