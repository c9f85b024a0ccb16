"""A pass of the multi-class Perceptron beside one of scikit-learn's, which trains one for each class."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender
from mcbook import MulticlassPerceptron


def cases() -> list[Case]:
    """The time of a pass, as the slope between fits of 1 and 11, and of the whole fit of 11."""
    samples = {
        "digits": (digits, 6),
        "letter-like 12800x16x26": (letter_like, 5),
        "mkcl 15000x50x10": (mkcl, 5),
        "mkcl 20000x50x10": (partial(mkcl, 20_000), 5),
    }
    contenders = (Contender("mcbook", _ours), Contender("scikit-learn", _scikit_learn))
    return [
        Case(f"perceptron: {name}", data, tiny, contenders, missing_passes, 0, target, passes=(1, 11))
        for name, (data, target) in samples.items()
    ]


def missing_passes(work: tuple[Sample, int], model: Any) -> float:
    """How many passes less than asked for the fit made."""
    return float(work[1] - model.n_iter_)


def _ours(data: Sample, passes: int) -> MulticlassPerceptron:
    return MulticlassPerceptron(max_iter=passes, random_state=0).fit(data.X, data.y)


def _scikit_learn(data: Sample, passes: int) -> Perceptron:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Perceptron(max_iter=passes, tol=None, random_state=0).fit(data.X, data.y)
