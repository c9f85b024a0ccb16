"""The synthetic experiment: classes are rings around zero on a line, and weak hypotheses see one disc at a time.

A point is a normal number x, its class the ring between two thresholds in which |x| lies, 100 points of the training
sample in each.  A hypothesis says +1 where |x| < t, for any t from 0 to infinity, and -1 elsewhere.  Ten rounds of
AdaBoost learn each column of a code by itself.  Allwein, Schapire and Singer (2000), section 6 and Figure 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.foundation.types import Array, Floats, Integers, Labels
from mcbook.foundation.vocabulary import MARKED
from mcbook.output_codes import decode
from mcbook.output_codes.algorithm.codes import check_code
from mcbook.output_codes.algorithm.measures import code_margins

PER_CLASS, N_ROUNDS = 100, 10
# Edges below this are rounding, as for `run_adaboost`.
_NO_EDGE = 1e-12


class Rings(NamedTuple):
    """Distances |x| from zero and classes of a training and of a test sample of the same size.

    >>> rings = draw_rings(np.random.default_rng(0), 3, per_class=4)
    >>> rings.train.shape, np.bincount(rings.train_labels).tolist(), rings.test.shape
    ((12,), [4, 4, 4], (12,))
    """

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

    def learn(self, S: Array) -> WeakFit:
        """The best disc for the signed weights ``(n_samples, 1)``; of equals the smallest."""
        inside = np.r_[0.0, np.cumsum(S[self.order, 0])]
        edges = 2 * inside - inside[-1]
        best = int(_first_best(np.abs(edges) if self.both_signs else edges))
        disc = Disc(float(self.radii[best]), -1.0 if edges[best] < 0 and self.both_signs else 1.0)
        return WeakFit(disc, disc.outputs(self.distances))


def _first_best(edges: Floats) -> Integers:
    """The first place in each column whose edge is the largest, rounding aside."""
    return np.argmax(edges >= edges.max(axis=0) - _NO_EDGE, axis=0)


class SyntheticErrors(NamedTuple):
    """Test errors of a code: of the binary problems on average, and of two ways to decode.

    >>> from mcbook.output_codes import complete_code
    >>> errors = synthetic_errors(3, complete_code(3), 0)
    >>> 0 <= errors.binary <= 1, errors.hamming <= errors.hamming_or_tied
    (True, True)
    """

    binary: float
    hamming: float
    hamming_or_tied: float
    loss_based: float


def draw_rings(rng: np.random.Generator, n_classes: int, per_class: int = PER_CLASS) -> Rings:
    """A training sample with as many points in each ring, and a test sample by the same thresholds.

    >>> rings = draw_rings(np.random.default_rng(0), 2, per_class=3)
    >>> bool(rings.train[rings.train_labels == 0].max() < rings.train[rings.train_labels == 1].min())
    True
    """
    n = n_classes * per_class
    train, test = (np.abs(rng.standard_normal(n)) for _ in range(2))
    inner = np.sort(train)[per_class::per_class]
    return Rings(train, np.searchsorted(inner, train, side="right"), test, np.searchsorted(inner, test, side="right"))


class BoostedDiscs(NamedTuple):
    """AdaBoost in every column by itself: ``steps``, ``radii`` and ``signs`` of the discs, each (n_rounds, n_columns).

    A column that ended early has steps of 0 from there on.

    >>> discs = BoostedDiscs(np.array([[2.0]]), np.array([[1.0]]), np.array([[1.0]]))
    >>> discs.votes(np.array([0.5, 3.0])).tolist()
    [[2.0], [-2.0]]
    """

    steps: Floats
    radii: Floats
    signs: Floats

    def votes(self, distances: Array) -> Floats:
        """The votes on points at these distances from zero, shape (n_points, n_columns)."""
        total = np.zeros((len(distances), self.steps.shape[1]))
        for step, radius, sign in zip(self.steps, self.radii, self.signs, strict=True):
            total += step * np.where(np.asarray(distances)[:, None] < radius, sign, -sign)
        return total


def boost_discs(distances: Array, Y: Array, n_rounds: int = N_ROUNDS, *, both_signs: bool = False) -> BoostedDiscs:
    """`run_adaboost` with a `DiscLearner` for every column of ``Y (n_points, n_columns)``, all columns at once.

    >>> discs = boost_discs(np.array([0.5, 1.0, 2.0]), np.array([[1], [-1], [-1]]), 2)
    >>> discs.radii[0].tolist(), np.sign(discs.votes(np.array([0.6, 0.8]))).ravel().tolist()
    ([0.75], [1.0, -1.0])
    """
    learner = DiscLearner(distances, both_signs=both_signs)
    signs = np.asarray(Y, dtype=float)[learner.order]
    columns, places = np.arange(signs.shape[1]), np.arange(len(signs))[:, None]
    D = np.full(signs.shape, 1 / len(signs))
    found = np.zeros((3, n_rounds, signs.shape[1]))
    running = np.ones(signs.shape[1], dtype=bool)
    for t in range(n_rounds):
        inside = np.vstack([np.zeros_like(columns, dtype=float), np.cumsum(D * signs, axis=0)])
        edges = 2 * inside - inside[-1]
        best = _first_best(np.abs(edges) if both_signs else edges)
        sign = np.where(edges[best, columns] < 0, -1.0, 1.0) if both_signs else np.ones(len(columns))
        right = np.where(places < best, sign, -sign) == signs
        of_right, of_wrong = (np.where(part, D, 0).sum(axis=0) for part in (right, ~right))
        error = of_wrong / (of_right + of_wrong)
        running = running & (1 - 2 * error > _NO_EDGE)
        perfect = running & (error == 0)
        safe = np.where(perfect | ~running, 0.5, error)
        step = np.where(perfect, 1 + found[0].sum(axis=0), np.log((1 - safe) / safe) / 2)
        found[:, t] = np.where(running, (step, learner.radii[best], sign), ((0.0,), (1.0,), (1.0,)))
        running = running & ~perfect
        halves = np.where(right, 2 * of_right, 2 * of_wrong)
        D = np.where(running, D / np.where(running, halves, 1), D)
    return BoostedDiscs(*found)


def synthetic_errors(
    n_classes: int, M: Array, random_state: int, *, n_rounds: int = N_ROUNDS, both_signs: bool = False
) -> SyntheticErrors:
    """One run of the experiment for a code of signs.

    >>> from mcbook.output_codes import one_vs_rest_code
    >>> errors = synthetic_errors(3, one_vs_rest_code(3), 0)
    >>> errors.hamming_or_tied >= errors.hamming > errors.binary
    True
    """
    rings = draw_rings(np.random.default_rng(random_state), n_classes)
    M, y = check_code(M), rings.test_labels
    F = boost_discs(rings.train, M[rings.train_labels], n_rounds, both_signs=both_signs).votes(rings.test)
    marked = decode(F, M, "hamming", ties="mark")
    return SyntheticErrors(
        float((code_margins(F, M, y) <= 0).mean()),
        float((decode(F, M, "hamming") != y).mean()),
        float(((marked == MARKED) | (marked != y)).mean()),
        float((decode(F, M, "exponential") != y).mean()),
    )
