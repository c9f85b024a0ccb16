"""Coordinate descent on the mean margin: boosting with one weight for each example, which cannot see single labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakLearner
from mcbook.boosting.algorithm.rounds import Ending
from mcbook.boosting_many_labels.theory import divided, mean_margin_step
from mcbook.foundation.checks import require_signs, require_whole
from mcbook.foundation.types import Array, Floats, Scalar, Signs
from mcbook.losses.theory.catalogue import exponential


@dataclass(frozen=True)
class MeanMarginRun:
    """What happened in T rounds: ``hypotheses``, ``steps (T,)``, ``edges (T,)``, mean margins of h under D_t.

    ``normalisers (T,)``, whose product is G / m; ``D (n_samples,)``, the weights after the last round; ``votes``,
    sum_t alpha_t h_t on the sample.

    >>> from mcbook.boosting import FinitePool
    >>> from mcbook.boosting_many_labels import one_label_wrong
    >>> sample = one_label_wrong(2, 3)
    >>> run = run_mean_margin(FinitePool(sample.H), sample.Y, 3)
    >>> run.ending, run.n_rounds, run.edges.round(6).tolist()
    ('rounds', 3, [0.333333, 0.333333, 0.333333])
    """

    hypotheses: tuple[Any, ...]
    steps: Array
    edges: Array
    normalisers: Array
    D: Array
    votes: Floats
    ending: Ending

    @property
    def n_rounds(self) -> int:
        return len(self.hypotheses)


def run_mean_margin(learner: WeakLearner, Y: Signs, n_rounds: int, *, weights: Array | None = None) -> MeanMarginRun:
    """Boost the mean over the labels of y_i[l] f(x_i, l); ``weights (n_samples,)`` may be floats, or balls.

    With u_i the mean margin of h on example i, the edge is r = sum_i D(i) u_i, the step ln((1 + r) / (1 - r)) / 2, and
    D(i) is multiplied by e^(-alpha u_i).  It stops where r is not positive, and where r = 1.

    The one hypothesis of this pool is wrong on label 0 of every example.  Its edge is 1 - 2/3, so it gets all votes:

    >>> from mcbook.boosting import FinitePool
    >>> from mcbook.boosting_many_labels import one_label_wrong
    >>> sample = one_label_wrong(2, 3)
    >>> run_mean_margin(FinitePool(sample.H), sample.Y, 4).votes.round(4).tolist()
    [[-1.3863, 1.3863, 1.3863], [-1.3863, 1.3863, 1.3863]]
    """
    signs = require_signs(Y, "Y")
    given = np.ones(len(signs)) if weights is None else np.asarray(weights)
    D = divided(given, given.sum())
    made: list[tuple[object, Scalar, Scalar, Scalar]] = []
    votes = np.zeros(signs.shape)
    ending: Ending = "rounds"
    for _ in range(require_whole(n_rounds, "n_rounds", at_least=1)):
        weak_fit = learner.learn(divided(D[:, None] * signs.astype(D.dtype), signs.shape[1]))
        outputs = np.asarray(weak_fit.outputs).reshape(signs.shape)
        agreement = (signs * outputs).sum(axis=1).astype(D.dtype)
        edge = divided((D * agreement).sum(), signs.shape[1])
        if not edge > 0:
            ending = "useless"
            break
        if np.all(agreement == signs.shape[1]):
            ending = "perfect"
            break
        step = mean_margin_step(edge)
        grown = D * _decay(agreement * (step / signs.shape[1]))
        made.append((weak_fit.hypothesis, step, edge, grown.sum()))
        D = divided(grown, grown.sum())
        votes += float(step) * outputs
    hypotheses = tuple(each[0] for each in made)
    steps, edges, normalisers = (np.array([each[place] for each in made]) for place in (1, 2, 3))
    return MeanMarginRun(hypotheses, steps, edges, normalisers, D, votes, ending)


def _decay(z: Array) -> Array:
    return np.asarray(np.frompyfunc(exponential, 1, 1)(z) if z.dtype == object else np.exp(-z))
