"""The synthetic experiment: classes are rings around zero on a line, and weak hypotheses see one disc at a time.

A point is a normal number x, its class the ring between two thresholds in which |x| lies, 100 points of the training
sample in each.  A hypothesis says +1 where |x| < t, for any t from 0 to infinity, and -1 elsewhere.  Ten rounds of
AdaBoost learn each column of a code by itself.  Allwein, Schapire and Singer (2000), section 6 and Figure 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mcbook.boosting import run_adaboost
from mcbook.boosting.algorithm.adaboost import Learnt
from mcbook.foundation.types import Array, Floats, Labels
from mcbook.foundation.vocabulary import MARKED
from mcbook.output_codes import check_code, code_margins, decode

PER_CLASS, N_ROUNDS = 100, 10


class Rings(NamedTuple):
    """Distances |x| from zero and classes of a training and of a test sample of the same size."""

    train: Floats
    train_labels: Labels
    test: Floats
    test_labels: Labels


@dataclass(frozen=True)
class Disc:
    """+1 where |x| < radius, and -1 elsewhere; ``sign`` -1 turns it around."""

    radius: float
    sign: float = 1.0

    def outputs(self, distances: Array) -> Floats:
        return np.where(np.asarray(distances) < self.radius, self.sign, -self.sign)[:, None]


class DiscLearner:
    """The disc with the largest edge; with ``both_signs`` its complement may be taken as well.

    >>> learner = DiscLearner(np.array([0.5, 1.0, 2.0]))
    >>> learner.learn(np.array([[0.4], [-0.3], [-0.3]])).hypothesis.radius
    0.75
    """

    real_valued = False

    def __init__(self, distances: Array, *, both_signs: bool = False) -> None:
        self.order = np.argsort(distances, kind="stable")
        sorted_ones = np.asarray(distances)[self.order]
        self.radii = np.r_[0.0, (sorted_ones[1:] + sorted_ones[:-1]) / 2, np.inf]
        self.distances, self.both_signs = distances, both_signs

    def learn(self, S: Array) -> Learnt:
        """The best disc for the signed weights ``(n_samples, 1)``; of equals the smallest."""
        inside = np.r_[0.0, np.cumsum(S[self.order, 0])]
        edges = 2 * inside - inside[-1]
        best = int(np.argmax(np.abs(edges) if self.both_signs else edges))
        disc = Disc(float(self.radii[best]), -1.0 if edges[best] < 0 and self.both_signs else 1.0)
        return Learnt(disc, disc.outputs(self.distances))


class SyntheticErrors(NamedTuple):
    """Test errors of a code: of the binary problems on average, and of two ways to decode."""

    binary: float
    hamming: float
    hamming_or_tied: float
    loss_based: float


def draw_rings(rng: np.random.Generator, n_classes: int, per_class: int = PER_CLASS) -> Rings:
    """A training sample with as many points in each ring, and a test sample by the same thresholds."""
    n = n_classes * per_class
    train, test = (np.abs(rng.standard_normal(n)) for _ in range(2))
    inner = np.sort(train)[per_class::per_class]
    return Rings(train, np.searchsorted(inner, train, side="right"), test, np.searchsorted(inner, test, side="right"))


def synthetic_outputs(
    rings: Rings, M: Array, *, n_rounds: int = N_ROUNDS, both_signs: bool = False
) -> tuple[Floats, Floats]:
    """The votes of ten rounds of AdaBoost in every column, on the training and on the test sample."""
    M = check_code(M)
    learner = DiscLearner(rings.train, both_signs=both_signs)
    on_train, on_test = [], []
    for column in M[rings.train_labels].T:
        run = run_adaboost(learner, column[:, None], n_rounds)
        on_train.append(run.votes[:, 0])
        steps = zip(run.steps, run.hypotheses, strict=True)
        on_test.append(sum((step * disc.outputs(rings.test)[:, 0] for step, disc in steps), np.zeros(len(rings.test))))
    return np.stack(on_train, axis=1), np.stack(on_test, axis=1)


def synthetic_errors(
    n_classes: int, M: Array, random_state: int, *, n_rounds: int = N_ROUNDS, both_signs: bool = False
) -> SyntheticErrors:
    """One run of the experiment for a code of signs."""
    rings = draw_rings(np.random.default_rng(random_state), n_classes)
    _, F = synthetic_outputs(rings, M, n_rounds=n_rounds, both_signs=both_signs)
    y = rings.test_labels
    marked = decode(F, M, "hamming", ties="mark")
    return SyntheticErrors(
        float((code_margins(F, M, y) <= 0).mean()),
        float((decode(F, M, "hamming") != y).mean()),
        float(((marked == MARKED) | (marked != y)).mean()),
        float((decode(F, M, "exponential") != y).mean()),
    )
