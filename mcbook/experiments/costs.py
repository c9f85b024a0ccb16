"""How long parts take: what was measured, and where nothing was, what parts of the same learner let one expect."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

from mcbook.experiments.grid import N_FOLDS, SIZES, Cell
from mcbook.output_codes import standard_columns

# Where no part of a learner was measured, its work is taken to be done at this many units a second.
_GUESS = 1e7


def work(cell: Cell) -> float:
    """A measure of the work of a part: the pairs of an example and a non-zero entry, times the attributes."""
    size = SIZES[cell.data]
    n_train = size.train if size.test else size.train * (1 - 1 / N_FOLDS)
    return n_train * size.attributes * _nonzero_columns(cell.code, size.classes)


def expected_seconds(cell: Cell, measured: Mapping[Cell, list[float]]) -> float:
    """The mean of the measured parts of this cell, or else its work at the median pace of the same learner.

    Paces of the same data set count before those of others.
    """
    if measured.get(cell):
        return statistics.mean(measured[cell])
    of_learner = [other for other, times in measured.items() if other.learner == cell.learner and times]
    near = [other for other in of_learner if other.data == cell.data] or of_learner
    if not near:
        return work(cell) / _GUESS
    return work(cell) * statistics.median(statistics.mean(measured[other]) / work(other) for other in near)


def _nonzero_columns(code: str, k: int) -> float:
    """How many columns ask about an example, on average."""
    if code == "all-pairs":
        return k - 1
    if code == "sparse":
        return math.ceil(15 * math.log2(k)) / 2
    return math.ceil(10 * math.log2(k)) if code == "dense" else standard_columns(code, k)


def as_time(seconds: float) -> str:
    """For people: '40 s', '12 min', '3.5 h'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
