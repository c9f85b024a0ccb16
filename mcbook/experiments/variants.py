"""The learners with what their source leaves open settled otherwise, to see how much hangs on it.

"adaboost-100" makes so many rounds, "svm-10" has this cost everywhere instead of choosing it; the others have names:

- "adaboost-numbers" and "svm-numbers" take the codes of nominal attributes for numbers;
- "svm-deviation" scales attributes by mean and standard deviation, "svm-unscaled" not at all, with fewer steps;
- "svm-unscaled-1" does not scale them and has the cost 1, "svm-unscaled-hard" a cost of a million and very few steps.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.experiments.features import as_vectors
from mcbook.experiments.learners import LEARNERS, BoostedStumps, ColumnOutputs, KernelSVM, Learner
from mcbook.experiments.tables import Table
from mcbook.foundation.types import Array, Booleans, Floats


@dataclass(frozen=True)
class NumberedStumps(BoostedStumps):
    """`BoostedStumps` that ask whether the code of a nominal attribute is below a threshold."""

    nominal: str = "numbers"

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        return super()._fit(as_numbers(table), training, M)


@dataclass(frozen=True)
class NumberedSVM(KernelSVM):
    """`KernelSVM` with a coordinate for each attribute, nominal ones too."""

    nominal: str = "numbers"

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        return super()._fit(as_numbers(table), training, M)


@dataclass(frozen=True)
class ScaledSVM(KernelSVM):
    """`KernelSVM` with another scaling of the numeric attributes."""

    scaling: str = "range"

    def _vectors(self, table: Table, training: Booleans) -> Floats:
        return as_vectors(table, training, self.scaling)


_NAMED: dict[str, Learner] = {
    "adaboost-numbers": NumberedStumps(),
    "svm-numbers": NumberedSVM(),
    "svm-deviation": ScaledSVM(scaling="deviation"),
    "svm-unscaled": ScaledSVM(scaling="none", max_steps=100_000),
    "svm-unscaled-1": ScaledSVM(scaling="none", costs=(1.0,), max_steps=100_000),
    "svm-unscaled-hard": ScaledSVM(scaling="none", costs=(1e6,), max_steps=20_000),
}


def find_learner(name: str) -> Learner:
    """The learner of this name, as it is or varied.

    >>> find_learner("svm-10").settings["costs"], find_learner("svm-unscaled").settings["scaling"]
    ((10.0,), 'none')
    """
    if name in _NAMED:
        return _NAMED[name]
    base, _, choice = name.partition("-")
    if not choice:
        return LEARNERS[base]
    varied: dict[str, Any] = {"rounds": int(choice)} if base == "adaboost" else {"costs": (float(choice),)}
    learner: Any = LEARNERS[base]
    return dataclasses.replace(learner, **varied)


def as_numbers(table: Table) -> Table:
    """The table without nominal attributes: their codes are numbers like others."""
    none = np.zeros(len(table.nominal), dtype=bool)
    return dataclasses.replace(table, nominal=none, categories=((),) * len(none))
