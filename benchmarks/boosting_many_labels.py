"""A round of AdaBoost.MH and of AdaBoost.MR beside a round of scikit-learn's SAMME, and how rounds grow."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender, Growth
from mcbook import AdaBoostMH, AdaBoostMR

# Rounds of the short and of the long run, of which the difference is what is timed.
_ROUNDS = (2, 22)
_TARGETS = {"digits 1347x64x10": 12.0, "letter-like 12800x16x26": 12.0, "mkcl 15000x50x10": 40.0}


def cases() -> list[Case]:
    """The time of a round, as the slope between runs of 2 and of 22; with 256 bins, exact where values are fewer.

    The quality is the number of rounds that are missing: all programs make the same number of them.
    """
    samples = dict(zip(_TARGETS, (digits, letter_like, mkcl), strict=True))
    contenders = (Contender("mcbook", _mh), Contender("mcbook, MR", _mr), Contender("scikit-learn SAMME", _samme))
    return [
        Case(f"many labels: {name}", make, tiny, contenders, missing_rounds, 0, _TARGETS[name], passes=_ROUNDS)
        for name, make in samples.items()
    ]


def growths() -> list[Growth]:
    """Twenty rounds against the numbers of examples and of labels, in both of which the formula is linear."""
    contender = (Contender("mcbook", lambda data, setting: _mh(data, 20)),)

    def missing(data: Sample, model: Any) -> float:
        return float(model.n_iter_ != 20)

    return [
        Growth("many labels: 20 rounds against m", mkcl, (4000, 8000, 16000, 32000), contender, missing, 0),
        Growth("many labels: 20 rounds against k", partial(mkcl, 8000), (4, 8, 16, 32), contender, missing, 0),
    ]


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
