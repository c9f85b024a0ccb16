"""Winnow and the Perceptron on the same examples, one after the other.

Each block of a stream is a pair ``X (n_samples, n_features)``, ``y (n_samples,)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mcbook.foundation.types import Array, Labels, Scalar
from mcbook.perceptron import run_perceptron
from mcbook.perceptron.algorithm.run import PerceptronRun
from mcbook.winnow.algorithm.run import WinnowRun, run_winnow


class Mistakes(NamedTuple):
    """The mistakes of both on one stream, seen once.

    >>> import numpy as np
    >>> made = mistakes_online([(np.array([[1, 1], [1, 0]]), np.array([0, 1]))], n_classes=2, factor=2)
    >>> made.winnow, made.perceptron
    (2, 2)
    """

    winnow: int
    perceptron: int


def mistakes_online(stream: Iterable[tuple[Array, Labels]], n_classes: int, factor: Scalar) -> Mistakes:
    """Run both through blocks of examples, each seen once; ties are mistakes.

    >>> import numpy as np
    >>> mistakes_online([(np.eye(2), np.array([0, 1])), (np.eye(2), np.array([0, 1]))], n_classes=2, factor=2)
    Mistakes(winnow=2, perceptron=2)
    """
    winnow: WinnowRun | None = None
    perceptron: PerceptronRun | None = None
    made = Mistakes(0, 0)
    for X, y in stream:
        winnow = run_winnow(X, y, n_classes, factor=factor, start=winnow, max_epochs=1)
        perceptron = run_perceptron(X, y, n_classes, start=perceptron, max_epochs=1)
        made = Mistakes(made.winnow + winnow.n_updates, made.perceptron + perceptron.n_updates)
    return made
