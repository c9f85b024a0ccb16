"""200 boosted stumps beside scikit-learn's AdaBoost, the same stumps chosen by both."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender, Growth
from mcbook.boosting import StumpLearner, run_adaboost
from mcbook.boosting.algorithm.samme import run_samme

N_STUMPS = 200
# Targets of the same work on the three samples: peer's time over ours.
_TARGETS = {"digits 1347x64x10": 25.0, "letter-like 12800x16x26": 25.0, "mkcl 15000x50x10": 60.0}


def cases() -> list[Case]:
    """SAMME over exact stumps of depth 1, all thresholds tried; the quality is the share of stumps that differ."""
    samples = dict(zip(_TARGETS, (digits, letter_like, mkcl), strict=True))
    contenders = (Contender("mcbook", _ours), Contender("scikit-learn", _peer))
    return [
        Case(f"boosting: {name}", lambda make=make: as_float32(make()), _smoke, contenders, different_stumps, 0, target)
        for (name, make), target in zip(samples.items(), _TARGETS.values(), strict=True)
    ]


def growths() -> list[Growth]:
    """A round of AdaBoost over stumps against the number of examples, which enters the formula linearly."""
    return [
        Growth(
            "boosting: time of 20 rounds against m",
            lambda size: as_float32(mkcl(size)),
            (4000, 8000, 16000, 32000),
            (Contender("mcbook", _rounds),),
            lambda data, result: float(result.n_rounds != 20),
            0,
        )
    ]


def as_float32(data: Sample) -> Sample:
    """The sample in single precision, in which scikit-learn's trees compare; for ours it stays in doubles."""
    return data._replace(X=np.ascontiguousarray(data.X.astype(np.float32), dtype=float))


def _smoke() -> Sample:
    return as_float32(tiny())


def _ours(data: Sample, setting: Any) -> list[tuple[int, float]]:
    run = run_samme(data.X, data.y, data.n_classes, N_STUMPS)
    return list(zip(run.features.tolist(), run.thresholds.tolist(), strict=True))


def _peer(data: Sample, setting: Any) -> list[tuple[int, float]]:
    stump = DecisionTreeClassifier(max_depth=1)
    model = AdaBoostClassifier(stump, n_estimators=N_STUMPS, random_state=0).fit(data.X, data.y)
    return [(int(each.tree_.feature[0]), float(each.tree_.threshold[0])) for each in model.estimators_]


def _rounds(data: Sample, setting: Any) -> Any:
    signs = np.where(data.y % 2, 1, -1)
    return run_adaboost(StumpLearner(data.X), signs, 20)


def different_stumps(data: Sample, stumps: list[tuple[int, float]]) -> float:
    """The share of rounds whose stump divides the sample otherwise than ours."""
    ours = _ours(data, None)
    if len(ours) != len(stumps):
        return 1.0
    pairs = zip(stumps, ours, strict=True)
    return float(np.mean([(_left(data, *one) != _left(data, *other)).any() for one, other in pairs]))


def _left(data: Sample, feature: int, threshold: float) -> Any:
    return data.X[:, feature] <= threshold
