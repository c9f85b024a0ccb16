"""A pass of the multi-class Winnow beside one of our Perceptron and of scikit-learn's, one for each class."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender
from benchmarks.perceptron import missing_passes
from mcbook import MulticlassPerceptron, MulticlassWinnow


def cases() -> list[Case]:
    """The time of a pass, as the slope between fits of 1 and 11, and of the whole fit of 11."""
    samples = {
        "digits": digits,
        "letter-like 12800x16x26": letter_like,
        "mkcl 20000x50x10": partial(mkcl, 20_000),
    }
    contenders = (Contender("mcbook", _ours), Contender("Perceptron", _perceptron), Contender("scikit-learn", _peer))
    # There is no other Winnow to race against: a pass should cost no more than scikit-learn's additive one.
    return [
        Case(f"winnow: {name}", data, tiny, contenders, missing_passes, 0, 1, passes=(1, 11))
        for name, data in samples.items()
    ]


def _ours(data: Sample, passes: int) -> MulticlassWinnow:
    return MulticlassWinnow(max_iter=passes, random_state=0).fit(data.X, data.y)


def _perceptron(data: Sample, passes: int) -> MulticlassPerceptron:
    return MulticlassPerceptron(max_iter=passes, random_state=0).fit(data.X, data.y)


def _peer(data: Sample, passes: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Perceptron(max_iter=passes, tol=None, random_state=0).fit(data.X, data.y)
