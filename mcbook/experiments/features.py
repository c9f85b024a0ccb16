"""Tables as vectors, for learners that compute with numbers: what nominal and missing values become, and the scale.

Everything is learnt from the rows that train, and only from their attributes:

- a nominal attribute becomes a coordinate for each of its categories, 1 for the one it has and 0 for the others; all
  are 0 where the value is missing;
- a number is brought to [-1, 1] by the least and the greatest of the training rows; what lies beyond them on other rows
  is moved to the edge, and an attribute that does not vary becomes 0;
- a missing number becomes the mean of the training rows;
- all is divided by the root of the mean squared length of the training rows, so that the 1 in a kernel
  (<x, x'> + 1)^d weighs the same whatever the number of attributes;
- and rounded to a multiple of 2^-20, so that inner products of such vectors are exact in floats, and no order of a sum
  or processor can change them.

To see how much hangs on it numbers can be scaled otherwise: by mean and standard deviation, or not at all.
"""

from __future__ import annotations

import numpy as np

from mcbook.experiments.tables import Table
from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Booleans, Floats

SCALINGS = ("range", "deviation", "none")
_GRID = 2.0**20


def as_vectors(table: Table, training: Booleans, scaling: str = "range") -> Floats:
    """The rows of the table ``(n_samples, n_coordinates)``, with the scales of those in the mask ``training``.

    Without scaling the vectors have no common unit either: they are not divided by their length.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> training = np.arange(len(table.X)) < 40
    >>> X = as_vectors(table, training)
    >>> X.shape, round(float(np.square(X[training]).sum(axis=1).mean()), 3)
    ((84, 3), 1.0)
    """
    require_one_of(scaling, SCALINGS, "scaling")
    parts = [
        _categories(column, len(values)) if nominal else _scaled(column, training, scaling)[:, None]
        for column, nominal, values in zip(table.X.T, table.nominal, table.categories, strict=True)
    ]
    X = np.hstack(parts)
    length = np.sqrt(np.square(X[training]).sum(axis=1).mean()) if scaling != "none" else 1.0
    return np.ascontiguousarray(np.rint(X * (_GRID / (length or 1.0))) / _GRID)


def _categories(column: Floats, n: int) -> Floats:
    return (column[:, None] == np.arange(n)).astype(float)


def _scaled(column: Floats, training: Booleans, scaling: str) -> Floats:
    seen = column[training]
    seen = seen[~np.isnan(seen)]
    if not len(seen) or seen.min() == seen.max():
        return np.zeros(len(column))
    filled = np.where(np.isnan(column), seen.mean(), column)
    if scaling == "none":
        return filled
    if scaling == "deviation":
        return np.asarray((filled - seen.mean()) / seen.std())
    middle, half = (seen.min() + seen.max()) / 2, (seen.max() - seen.min()) / 2
    return np.clip((filled - middle) / half, -1.0, 1.0)
