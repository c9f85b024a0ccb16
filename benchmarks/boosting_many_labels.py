"""A round of AdaBoost.MH and of AdaBoost.MR beside a round of scikit-learn's SAMME, and how rounds grow."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender, Growth
from mcbook import AdaBoostMH, AdaBoostMR
from mcbook.boosting_many_labels import LabelStumps, boost_pairs, label_signs, stump_cost
from mcbook.boosting_many_labels.algorithm.stump_rounds import StumpRun

# Examples, labels, features and rounds, each of which is changed while the others stay.
_SIZES = (4000, 16, 16, 24)
# Rounds of the short and of the long run, of which the difference is what is timed.
_ROUNDS = (2, 22)
_TARGETS = {"digits 1347x64x10": 12.0, "letter-like 12800x16x26": 12.0, "mkcl 15000x50x10": 40.0}


def cases() -> list[Case]:
    """The time of a round, as the slope between runs of 2 and of 22; with 256 bins, exact where values are fewer.

    The quality is the number of rounds that are missing: all programs make the same number of them.  AdaBoost.MR is
    listed beside them; nothing is asked of it.
    """
    samples = dict(zip(_TARGETS, (digits, letter_like, mkcl), strict=True))
    contenders = (Contender("mcbook", _mh), Contender("mcbook, MR", _mr), Contender("scikit-learn SAMME", _samme))
    return [
        Case(f"many labels: {name}", make, tiny, contenders, missing_rounds, 0, _TARGETS[name], passes=_ROUNDS)
        for name, make in samples.items()
    ]


def growths() -> list[Growth]:
    """Exact stumps against the numbers of examples, labels, features and rounds, beside the formula of the chapter."""
    contender = (Contender("mcbook", _all_rounds),)
    m, k, d, rounds = _SIZES
    return [
        Growth(
            f"many labels: growth in {name}",
            partial(_task, name),
            sizes,
            contender,
            _unmade,
            0,
            partial(_formula, name),
        )
        for name, sizes in {
            "examples": (m // 4, m // 2, m, 2 * m, 4 * m),
            "labels": (k // 4, k // 2, k, 2 * k, 4 * k),
            "features": (d // 4, d // 2, d, 2 * d, 4 * d),
            "rounds": (rounds // 4, rounds // 2, rounds, 2 * rounds, 4 * rounds),
        }.items()
    ]


def _sizes(name: str, size: int) -> list[int]:
    """The numbers of examples, labels, features and rounds, one of which is changed."""
    sizes = list(_SIZES)
    sizes[("examples", "labels", "features", "rounds").index(name)] = size
    return sizes


class Task(NamedTuple):
    """A sample, and for how many rounds it is boosted."""

    X: NDArray[Any]
    y: NDArray[Any]
    n_classes: int
    n_rounds: int


def _task(name: str, size: int) -> Task:
    """Noise, on which no run ends early: all that counts here is how much there is to do."""
    m, k, d, rounds = _sizes(name, size)
    return Task(np.random.default_rng(0).normal(size=(m, d)), np.arange(m) % k, k, rounds)


def _formula(name: str, size: int) -> float:
    return float(stump_cost(*_sizes(name, size)))


def _all_rounds(data: Task | Sample, setting: None) -> StumpRun:
    return boost_pairs(LabelStumps(data.X), label_signs(data.y, data.n_classes), _asked_rounds(data))


def _unmade(data: Task | Sample, run: StumpRun) -> float:
    return float(_asked_rounds(data) - run.n_rounds)


def _asked_rounds(data: Task | Sample) -> int:
    return data.n_rounds if isinstance(data, Task) else _ROUNDS[0]


def missing_rounds(data: Sample, model: Any) -> float:
    """How many of the rounds asked for were not made."""
    return float(model.n_estimators - len(model.estimators_))


def _mh(data: Sample, rounds: int) -> AdaBoostMH:
    return AdaBoostMH(n_estimators=rounds, max_bins=256).fit(data.X, data.y)


def _mr(data: Sample, rounds: int) -> AdaBoostMR:
    return AdaBoostMR(n_estimators=rounds, max_bins=256).fit(data.X, data.y)


def _samme(data: Sample, rounds: int) -> Any:
    stump = DecisionTreeClassifier(max_depth=1)
    return AdaBoostClassifier(stump, n_estimators=rounds, random_state=0).fit(data.X, data.y)
