"""AdaBoost.MO beside scikit-learn's output codes over AdaBoost, on the same code and with as many votes."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.multiclass import OutputCodeClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import Sample, digits, letter_like, tiny
from benchmarks.harness import Case, Contender
from mcbook import AdaBoostMO
from mcbook.output_codes.algorithm.codes import check_code

_ROUNDS = 20


def cases() -> list[Case]:
    """The time of 20 rounds of all columns, with every threshold tried.

    The peer boosts each column by itself, and so does "mcbook, columns apart"; "mcbook" asks one question for all
    columns, as the book's AdaBoost.MO does.  The quality is the number of rounds that are missing in some column.
    """
    contenders = (
        Contender("mcbook", _together),
        Contender("mcbook, columns apart", _apart),
        Contender("scikit-learn", _peer),
    )
    samples = {"digits 1347x64x10": digits, "letter-like 12800x16x26": letter_like}
    return [Case(f"boosted codes: {name}", make, tiny, contenders, missing_rounds, 0) for name, make in samples.items()]


def missing_rounds(data: Sample, made: list[int]) -> float:
    """How many of the rounds asked for were not made, in the column that had fewest."""
    return float(_ROUNDS - min(made))


@cache
def code_of(n_classes: int) -> tuple[NDArray[Any], int]:
    """The first of the codes that the peer draws which can serve, one column for each class, and the seed of it."""
    stump, y = DecisionTreeClassifier(max_depth=1), np.arange(n_classes)
    for seed in count():
        drawn = OutputCodeClassifier(stump, code_size=1, random_state=seed).fit(np.eye(n_classes), y)
        code = np.where(drawn.code_book_ > 0, 1, -1)
        with suppress(ValueError):
            return check_code(code), seed
    raise AssertionError("expected a code among all seeds")


def _together(data: Sample, setting: None) -> list[int]:
    model = AdaBoostMO(n_estimators=_ROUNDS, code=code_of(data.n_classes)[0]).fit(data.X, data.y)
    return [len(model.estimators_)]


def _apart(data: Sample, setting: None) -> list[int]:
    model = AdaBoostMO(n_estimators=_ROUNDS, code=code_of(data.n_classes)[0], single_call=False).fit(data.X, data.y)
    return [len(column) for column in model.estimators_]


def _peer(data: Sample, setting: None) -> list[int]:
    boosted = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=_ROUNDS, random_state=0)
    model = OutputCodeClassifier(boosted, code_size=1, random_state=code_of(data.n_classes)[1]).fit(data.X, data.y)
    return [len(column.estimators_) for column in model.estimators_ if isinstance(column, AdaBoostClassifier)]
