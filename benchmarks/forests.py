"""Random forests of 100 trees beside scikit-learn: the whole fit, two trees at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender
from mcbook import RandomForest

TREES, JOBS, HELD_OUT = 100, 2, 5


def cases() -> list[Case]:
    """Both grow trees until leaves are pure, with a root of the features drawn at every split."""
    contenders = (Contender("mcbook", _ours), Contender("scikit-learn", _peer))
    samples = {"digits": digits, "letter-like 12800x16x26": letter_like, "mkcl 15000x50x10": mkcl}
    return [
        Case(f"forests: {TREES} trees, {name}", data, tiny, contenders, standard_errors_above_ours, 3, 5)
        for name, data in samples.items()
    ]


def standard_errors_above_ours(data: Sample, model: Any) -> float:
    """By how many standard errors the error on held-out examples is above that of ours: forests are random."""
    test = _held_out(data)
    ours, theirs = (float(np.mean(m.predict(data.X[test]) != data.y[test])) for m in (_ours(data, None), model))
    n = int(test.sum())
    return (theirs - ours) / float(np.sqrt(2 * max(ours * (1 - ours), 1 / n) / n))


def _held_out(data: Sample) -> np.ndarray:
    return np.arange(len(data.y)) % HELD_OUT == 0


def _ours(data: Sample, setting: None) -> RandomForest:
    train = ~_held_out(data)
    return RandomForest(TREES, random_state=0, n_jobs=JOBS).fit(data.X[train], data.y[train])


def _peer(data: Sample, setting: None) -> RandomForestClassifier:
    train = ~_held_out(data)
    return RandomForestClassifier(TREES, random_state=0, n_jobs=JOBS).fit(data.X[train], data.y[train])
