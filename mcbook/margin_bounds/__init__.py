"""Margin bounds for many classes: the bounds as formulas, and what they can be compared with exactly.

A classifier with k scores has been chosen by its sample, and the sample has margins.  The chapter bounds the risk by
the share of small margins and a term for the complexity of the scores; the bound holds for every distribution, and for
all classifiers of a class at once.  It is proved how the bound grows with the number of classes, for which classes of
scores it has to grow, and what changes for kernels and for other norms of the weights.  Begin with `margin_bound`;
`bound_coverage` counts exactly how often a bound fails.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
