"""Finite distributions of labelled examples with finite classes of scores: exact risks, margin losses and failures.

An atom is an example with its label.  Scores have shape (n_hypotheses, n_atoms, n_classes); where two atoms are the
same input with different labels, their scores agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from mcbook.foundation.checks import require_classes, require_labels, require_same_length, require_signs
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof import Known, known
from mcbook.foundation.types import Array, Exact, Integers, Scalar
from mcbook.losses import margin_loss
from mcbook.margin_bounds.theory import margin_bound, truncated_margins, uniform_margin_bound
from mcbook.problem import score_margins
from mcbook.rademacher import average_complexity, deviation_distribution, failure_probability, projected_class
from mcbook.rademacher.algorithm.distributions import bound_failure_probability


@dataclass(frozen=True, eq=False)
class _Scored(FiniteDistribution):
    """A finite class of scores on a finite distribution; its subclasses define the losses of a score."""

    scores: Exact
    y: Integers

    def __post_init__(self) -> None:
        super().__post_init__()
        scores = rational(self.scores)
        if scores.ndim != 3 or 0 in scores.shape:
            raise ValueError(f"expected scores (n_hypotheses, n_atoms, n_classes), got shape {scores.shape}")
        self._keep(y=self._checked_y(scores.shape[2]))
        require_same_length(atoms=self.probabilities, **{"atoms of scores": scores[0]})
        object.__setattr__(self, "scores", scores)

    def _checked_y(self, n_classes: int) -> Integers:
        raise NotImplementedError

    @property
    def n_classes(self) -> int:
        return int(self.scores.shape[2])

    @property
    def risks(self) -> Array:
        raise NotImplementedError

    def margin_losses(self, rho: Scalar) -> Array:
        raise NotImplementedError

    def mean_complexity(self, values: Array, n_samples: int) -> Fraction:
        """R_m of functions given by their values on the atoms."""
        return average_complexity(values, self.probabilities, n_samples)

    def complexity(self, n_samples: int) -> Fraction:
        """R_m(Pi_1(H))."""
        return self.mean_complexity(projected_class(self.scores), n_samples)

    def deviations(self, rho: Scalar, n_samples: int) -> list[tuple[Fraction, Fraction]]:
        """sup_h (R(h) - margin loss on the sample) and its probability, for every sample by counts."""
        return deviation_distribution(self.margin_losses(rho), self.probabilities, n_samples, self.risks)

    def failure(self, rho: Scalar, n_samples: int, threshold: Scalar) -> Fraction | Known:
        """The probability that some h has R(h) > its margin loss on the sample + threshold."""
        return failure_probability(self.margin_losses(rho), self.probabilities, n_samples, threshold, self.risks)

    def bound_failure(self, rho: Scalar, n_samples: int, bound: Callable[[Fraction], Scalar]) -> Fraction | Known:
        """The probability that some h has R(h) > bound(its margin loss on the sample)."""
        return bound_failure_probability(self.margin_losses(rho), self.probabilities, n_samples, bound, self.risks)


@dataclass(frozen=True, eq=False)
class ScoredDistribution(_Scored):
    """A finite class of scores on a finite distribution: ``scores (n_hypotheses, n_atoms, n_classes)``, ``y``.

    >>> distribution = ScoredDistribution([Fraction(1, 3), Fraction(2, 3)], [[[2, 0], [1, 1]]], [0, 0])
    >>> distribution.margins.tolist(), distribution.risks.tolist()  # the second atom is a tie, an error
    ([[2, 0]], [Fraction(2, 3)])
    """

    def _checked_y(self, n_classes: int) -> Integers:
        return require_labels(self.y, require_classes(n_classes))

    @property
    def margins(self) -> Array:
        """rho_h at every atom, shape (n_hypotheses, n_atoms)."""
        return np.array([score_margins(table, self.y) for table in self.scores], dtype=object)

    @property
    def risks(self) -> Array:
        """R(h) = Pr[rho_h <= 0]: a tie with a rival counts as an error."""
        return rational(self.probability(self.margins <= 0))

    def margin_losses(self, rho: Scalar) -> Array:
        """Phi_rho(rho_h) at every atom."""
        return np.asarray(margin_loss(self.margins, rho))

    def truncated(self, theta: Scalar) -> Array:
        """rho_theta,h at every atom."""
        return np.array([truncated_margins(table, self.y, theta) for table in self.scores], dtype=object)

    @property
    def own_scores(self) -> Array:
        """h(x, y) at every atom."""
        return np.asarray(self.scores[:, np.arange(len(self.y)), self.y])

    def highest_scores(self, theta: Scalar) -> Array:
        """max over y' of h(x, y') - theta [y' = y] at every atom."""
        own = np.eye(self.n_classes, dtype=int)[self.y].astype(object)
        return np.asarray((self.scores - theta * own).max(axis=2))


@dataclass(frozen=True, eq=False)
class MultiLabelDistribution(_Scored):
    """Signs ``y (n_atoms, n_classes)`` in place of a label: every answer sgn h(x, l) is right or wrong by itself.

    >>> distribution = MultiLabelDistribution([1], [[[3, -1, 2]]], [[1, 1, -1]])
    >>> distribution.risks.tolist()  # of the three answers the last two are wrong
    [2]
    """

    def _checked_y(self, n_classes: int) -> Integers:
        signs = require_signs(self.y)
        if signs.ndim != 2 or signs.shape[1] != n_classes:
            raise ValueError(f"expected a sign for each atom and each of {n_classes} labels, got shape {signs.shape}")
        return signs

    @property
    def margins(self) -> Array:
        """y_l h(x, l), shape (n_hypotheses, n_atoms, n_classes)."""
        return np.asarray(self.scores * self.y)

    @property
    def risks(self) -> Array:
        """R(h) = E sum_l [y_l h(x, l) <= 0]: a score of 0 counts as an error."""
        return rational(self.expectation((self.margins <= 0).sum(axis=2)))

    def margin_losses(self, rho: Scalar) -> Array:
        """sum_l Phi_rho(y_l h(x, l)) at every atom."""
        return np.asarray(margin_loss(self.margins, rho).sum(axis=2))


def fixed_margin_failure(
    distribution: ScoredDistribution, rho: Fraction, n_samples: int, delta: Fraction
) -> Fraction | Known:
    """The exact probability with which the margin bound fails on this distribution for some h of the class.

    >>> # One h, wrong at one of two atoms.
    >>> distribution = ScoredDistribution([Fraction(1, 2)] * 2, [[[1, 0], [1, 0]]], [0, 1])
    >>> fixed_margin_failure(distribution, Fraction(1), 2, Fraction(1, 2))
    Fraction(0, 1)
    """
    complexity = ball(distribution.complexity(n_samples))

    def bound(loss: Fraction) -> Scalar:
        return margin_bound(ball(loss), complexity, ball(rho), distribution.n_classes, ball(delta), n_samples)

    return distribution.bound_failure(rho, n_samples, bound)


def uniform_failure_limit(
    distribution: ScoredDistribution, n_samples: int, delta: Fraction, grid: list[Fraction]
) -> Fraction:
    """An upper limit of the probability that the uniform bound fails for some h and some rho in (0, grid[-1]].

    Between two margins a < b of the grid the margin loss is at least that at a and the rest of the bound at least that
    at b, because the one grows with rho and the other falls; below grid[0] the margin loss is at least the share of
    margins that are not positive.

    >>> distribution = ScoredDistribution([Fraction(1, 2)] * 2, [[[1, 0], [1, 0]]], [0, 1])
    >>> uniform_failure_limit(distribution, 2, Fraction(1, 2), [Fraction(1, 2), Fraction(1)])
    Fraction(0, 1)
    """
    complexity, largest = ball(distribution.complexity(n_samples)), ball(grid[-1])
    errors, risks = (distribution.margins <= 0).astype(int).astype(object), distribution.risks.tolist()
    losses = [errors, *(distribution.margin_losses(a) for a in grid[:-1])]

    @cache
    def limit(loss: Fraction, b: Fraction) -> Scalar:
        return known(
            uniform_margin_bound(
                ball(loss), complexity, ball(b), distribution.n_classes, ball(delta), n_samples, largest
            )
        ).lower

    def fails(share: Array) -> bool:
        return any(
            risk > limit(Fraction(loss), b)
            for table, b in zip(losses, grid, strict=True)
            for risk, loss in zip(risks, table @ share, strict=True)
        )

    failures = Fraction(0)
    for counts, probability in distribution.samples(n_samples):
        if fails(rational(counts) * Fraction(1, n_samples)):
            failures += probability
    return failures


def random_scored_distribution(
    rng: np.random.Generator, n_hypotheses: int, n_atoms: int, n_classes: int, largest: int = 4
) -> ScoredDistribution:
    """Random integer scores and labels on atoms whose probabilities are random fractions.

    >>> distribution = random_scored_distribution(np.random.default_rng(0), n_hypotheses=2, n_atoms=3, n_classes=4)
    >>> distribution.scores.shape, distribution.y.shape, sum(distribution.probabilities)
    ((2, 3, 4), (3,), Fraction(1, 1))
    """
    scores = rng.integers(-largest, largest + 1, (n_hypotheses, n_atoms, n_classes))
    labels = rng.integers(0, n_classes, n_atoms)
    return ScoredDistribution(random_probabilities(rng, n_atoms), rational(scores), labels)


def random_multi_label_distribution(
    rng: np.random.Generator, n_hypotheses: int, n_atoms: int, n_classes: int, largest: int = 4
) -> MultiLabelDistribution:
    """Random integer scores and signs on atoms whose probabilities are random fractions.

    >>> distribution = random_multi_label_distribution(np.random.default_rng(0), n_hypotheses=2, n_atoms=3, n_classes=4)
    >>> distribution.scores.shape, distribution.y.shape, np.abs(distribution.y).min()
    ((2, 3, 4), (3, 4), np.int64(1))
    """
    scores = rng.integers(-largest, largest + 1, (n_hypotheses, n_atoms, n_classes))
    signs = rng.choice([-1, 1], (n_atoms, n_classes))
    return MultiLabelDistribution(random_probabilities(rng, n_atoms), rational(scores), signs)
