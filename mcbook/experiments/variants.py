"""The learners with what their source leaves open settled otherwise, to see how much hangs on it.

"adaboost-100" makes so many rounds, "svm-10" has this cost everywhere instead of choosing it; the others have names:

- "adaboost-numbers" and "svm-numbers" take the codes of nominal attributes for numbers;
- "svm-deviation" scales attributes by mean and standard deviation, "svm-unscaled" not at all, with fewer steps;
- "svm-unscaled-1" does not scale them and has the cost 1, "svm-unscaled-hard" a cost of a million and very few steps;
- "svm-numbers-unscaled" takes codes for numbers and scales nothing; "svm-numbers-hard" does so at a cost of a million,
  and "svm-numbers-next" gives a missing nominal value, besides, the code after the last one, instead of the mean.
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


@dataclass(frozen=True)
class PlainSVM(ScaledSVM):
    """`KernelSVM` on what stands in the file: codes of nominal attributes are numbers, and nothing is scaled.

    ``missing`` says what a nominal value becomes that nobody wrote down: "mean" is that of the training rows, "next"
    the code after the last.
    """

    scaling: str = "none"
    nominal: str = "numbers"
    missing: str = "mean"

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        return super()._fit(as_numbers(table, next_for_missing=self.missing == "next"), training, M)


_NAMED: dict[str, Learner] = {
    "adaboost-numbers": NumberedStumps(),
    "svm-numbers": NumberedSVM(),
    "svm-deviation": ScaledSVM(scaling="deviation"),
    "svm-unscaled": ScaledSVM(scaling="none", max_steps=100_000),
    "svm-unscaled-1": ScaledSVM(scaling="none", costs=(1.0,), max_steps=100_000),
    "svm-unscaled-hard": ScaledSVM(scaling="none", costs=(1e6,), max_steps=20_000),
    "svm-numbers-unscaled": PlainSVM(max_steps=100_000),
    "svm-numbers-hard": PlainSVM(costs=(1e6,), max_steps=100_000),
    "svm-numbers-next": PlainSVM(costs=(1e6,), max_steps=100_000, missing="next"),
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


def as_numbers(table: Table, *, next_for_missing: bool = False) -> Table:
    """The table without nominal attributes: their codes are numbers like others.

    A missing one stays missing, or becomes the code after the last.
    """
    X = table.X
    if next_for_missing:
        n_values = np.array([len(values) for values in table.categories], dtype=float)
        X = np.where(np.isnan(X) & table.nominal, n_values, X)
    none = np.zeros(len(table.nominal), dtype=bool)
    return dataclasses.replace(table, X=X, nominal=none, categories=((),) * len(none))
