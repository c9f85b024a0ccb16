"""What the nodes of a tree cost as leaves."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.types import Array, ArrayLike
from mcbook.impurities.theory.impurity import find_impurity


def costs_of_nodes(counts: ArrayLike, impurity: str = "misclassification") -> Array:
    """|n| F(n) for each row of class weights ``(n_nodes, n_classes)``; exact for ints and fractions of dtype object.

    >>> costs_of_nodes([[10, 4], [7, 1]]).tolist(), costs_of_nodes([[10, 4]], "gini").tolist()
    ([4, 1], [Fraction(40, 7)])
    """
    given = np.asarray(counts)
    given = given if given.dtype.kind in "fO" else given.astype(object)
    totals = given.sum(axis=1)
    if impurity == "misclassification":
        # Whole for whole numbers of examples, which 1 less the largest share is not in floats.
        return np.asarray(totals - given.max(axis=1))
    return np.asarray(totals * find_impurity(impurity)(given))
