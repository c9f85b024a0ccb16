"""Pruning: the weakest-link sequence, its penalty by cross-validation, few best prunings, a bound for pruned trees.

A tree that was grown until its leaves are pure is cut back at a cost for each leaf.  For every cost there is a smallest
best pruning, and these form one sequence, the weakest-link sequence, which is found in one pass; cross-validation
chooses the cost.  It is also proved how many best prunings there can be, and what the size of a pruned tree says about
its risk.  Begin with `cost_complexity_path`; `PrunedTree` is the classifier for your own data, and
`mcbook.trees.DecisionTree` is pruned at a given penalty.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
