"""What the nodes of a tree cost as leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array

# TEMPORARY until the chapter on impurities is there.


def costs_of_nodes(counts: Array, impurity: str) -> Array:
    given = np.asarray(counts)
    total = given.sum(axis=1)
    if impurity == "misclassification":
        return total - given.max(axis=1)
    if given.dtype.kind == "f":
        return total - (given**2).sum(axis=1) / total
    q = np.frompyfunc(quotient, 2, 1)
    return total - q((given**2).sum(axis=1).astype(object), total.astype(object))
