"""The structured problem on chains and trees: its labels are not listed but searched, by dynamic programming."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from mcbook.foundation.checks import require_one_of, require_positive, require_weights
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Integers, Labels, Scalar
from mcbook.structured import Scores, add_losses, best_labelling, hamming_cost, score_of
from mcbook.structured.algorithm.features import JointFeatures, Structures, require_labelling
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import all_labellings, loss_of
from mcbook.structured_margins.algorithm.enumerated import EnumeratedProblem, problem_of_labels
from mcbook.structured_margins.theory import Rescaling


@dataclass(frozen=True)
class ViolatedLabellings:
    """The most violated labelling ``labels (n_positions,)`` of every sequence, with its loss and its value.

    >>> from mcbook.structured import chains
    >>> scores, y = Scores(np.array([[0.0, 0.5], [0.0, 0.0]]), np.zeros((2, 2))), np.array([0, 0])
    >>> found = most_violated_margin(scores, chains([2]), y, hamming_cost(2))
    >>> found.labels.tolist(), found.losses.tolist(), found.values.tolist()
    ([1, 1], [2.0], [2.5])
    """

    labels: Labels
    losses: Array
    values: Array


@dataclass(frozen=True)
class ChainProblem:
    """Labelled sequences, the cost of each error, the cost C, and what the loss rescales.

    ``weight (n_blocks,)``, if given, multiplies the slack of each sequence, and so all its planes.

    An oracle for `cut_planes`: with a slack for each sequence as it stands, with a single one as ``Summed(problem)``.

    >>> from mcbook.structured import chains, structures
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=1.0)
    >>> problem.n_blocks, problem.n_features, float(problem.primal(np.zeros(problem.n_features)))
    (1, 10, 2.0)
    """

    data: Structures
    joint: JointFeatures
    y: Labels
    cost: Array
    C: Scalar
    rescaling: Rescaling = "margin"
    weight: Array | None = None

    @property
    def n_blocks(self) -> int:
        return self.data.forest.n_sequences

    @cached_property
    def each(self) -> Array:
        """The weights, 1 where there are none."""
        return np.ones(self.n_blocks, dtype=self.cost.dtype) if self.weight is None else self.weight

    @property
    def n_features(self) -> int:
        return self.joint.size

    def most_violated(self, w: Array) -> ViolatedLabellings:
        """For margin rescaling by Viterbi with the loss added, for slack rescaling by Viterbi with counted costs."""
        scores = self.joint.scores(w, self.data)
        if self.rescaling == "slack":
            return most_violated_slack(scores, self.data.forest, self.y, self.cost)
        return most_violated_margin(scores, self.data.forest, self.y, self.cost)

    def planes(self, w: Array) -> tuple[Array, Array]:
        """The most violated plane of every sequence, times its weight."""
        found = self.most_violated(w)
        gradients = [
            self.joint.vector(one, y) - self.joint.vector(one, z)
            for one, y, z in zip(self._each, self._split(self.y), self._split(found.labels), strict=True)
        ]
        G, b = np.array(gradients), found.losses * self.each
        return b, (b if self.rescaling == "slack" else self.each)[:, None] * G

    def total_plane(self, w: Array) -> tuple[Scalar, Array]:
        """The sum of these planes, without the planes themselves."""
        found = self.most_violated(w)
        b = found.losses * self.each
        factors = b if self.rescaling == "slack" else self.each
        right, found_best = (self.joint.vector(self.data, z, factors) for z in (self.y, found.labels))
        return b.sum(), right - found_best

    def primal(self, w: Array) -> Any:
        """1/2 |w|^2 + C times the weighted sum of the largest values."""
        return quotient(w @ w, 2) + self.C * (self.each * self.most_violated(w).values).sum()

    def listed(self) -> EnumeratedProblem:
        """The same problem with every labelling of every sequence listed: for short ones."""
        joints, places, losses = [], [], []
        for one, y in zip(self._each, self._split(self.y), strict=True):
            Y = all_labellings(self.joint.n_labels, one.forest.n_positions)
            joints.append(np.array([self.joint.vector(one, z) for z in Y]))
            places.append(int(np.flatnonzero((y == Y).all(axis=1))[0]))
            losses.append(np.array([loss_of(y, z, self.cost, one.forest)[0] for z in Y], dtype=joints[-1].dtype))
        plain = problem_of_labels(joints, np.array(places), losses, self.C, self.rescaling)
        if self.weight is None:
            return plain
        weighted = plain.with_offsets([v * b for v, b in zip(self.weight, plain.offsets, strict=True)])
        return weighted.with_gradients([v * G for v, G in zip(self.weight, plain.gradients, strict=True)])

    @cached_property
    def _each(self) -> list[Structures]:
        return [self.data.only([i]) for i in range(self.n_blocks)]

    def _split(self, labels: Labels) -> list[Labels]:
        return self.data.forest.split(labels)


def chain_problem(
    data: Structures,
    y: Labels,
    n_labels: int,
    C: Scalar,
    *,
    rescaling: Rescaling = "margin",
    cost: Array | None = None,
    weight: Array | None = None,
) -> ChainProblem:
    """The problem of these sequences; ``cost`` is 1 for each error unless a table is given, and so are weights.

    Slack rescaling takes costs that are whole multiples of some unit, see `cost_levels`.

    >>> from mcbook.structured import chains, structures
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=1.0)
    >>> problem.most_violated(np.zeros(problem.n_features)).labels.tolist(), len(problem.listed().offsets[0])
    ([1, 0], 4)
    """
    require_one_of(rescaling, Rescaling, "rescaling")
    exact = data.X.dtype == object
    table = hamming_cost(n_labels) if cost is None else np.asarray(cost)
    if exact:
        table = np.array([[int(v) if v == int(v) else v for v in row] for row in table], dtype=object)
    if rescaling == "slack":
        cost_levels(table)
    joint = JointFeatures(data.n_features, n_labels)
    slack_cost = require_positive(C, "C", "it is the cost of a slack")
    each = weight if weight is None or exact else require_weights(weight, data.forest.n_sequences, "weight")
    # The kernels count labels in 64 bits, whatever holds them here.
    labels = require_labelling(y, data.forest, n_labels)
    return ChainProblem(data, joint, labels, table, slack_cost, rescaling, each)


# The most levels that the loss of one position may have: time grows with them.
_MOST_LEVELS = 1000


def cost_levels(cost: Array) -> tuple[Integers, Fraction]:
    """The costs as whole multiples of the largest unit that they all have, and this unit.

    >>> steps, unit = cost_levels(np.array([[0.0, 0.5], [0.75, 0.0]]))
    >>> steps.tolist(), unit
    ([[0, 2], [3, 0]], Fraction(1, 4))
    """
    given = [v if isinstance(v, int | Fraction) else float(v) for v in np.asarray(cost).ravel().tolist()]
    near = [Fraction(v).limit_denominator(_MOST_LEVELS) for v in given]
    common = math.lcm(*(v.denominator for v in near))
    unit = Fraction(math.gcd(*(int(v * common) for v in near)) or 1, common)
    steps = np.array([int(v / unit) for v in near], dtype=np.int64).reshape(np.shape(cost))
    apart = max(abs(float(v) - float(w)) for v, w in zip(given, near, strict=True))
    if apart > 1e-9 * float(max(given)) or steps.max() > _MOST_LEVELS:
        raise ValueError(
            f"expected costs that are at most {_MOST_LEVELS} times a unit they all have, got {given[:9]}: round them, "
            "or use margin rescaling"
        )
    return steps, unit


def most_violated_margin(scores: Scores, forest: Forest, y: Labels, cost: Array) -> ViolatedLabellings:
    """The labelling z with the largest L(y, z) - score(y) + score(z) of every sequence: one Viterbi run.

    >>> from mcbook.structured import chains
    >>> scores, y = Scores(np.array([[1.0, 0.5]]), np.zeros((2, 2))), np.array([0])
    >>> found = most_violated_margin(scores, chains([1]), y, hamming_cost(2))
    >>> found.labels.tolist(), found.values.tolist()
    ([1], [0.5])
    """
    labels, values = best_labelling(add_losses(scores, y, cost), forest)
    return ViolatedLabellings(labels, loss_of(y, labels, cost, forest), values - score_of(scores, forest, y))


def most_violated_slack(scores: Scores, forest: Forest, y: Labels, cost: Array) -> ViolatedLabellings:
    """The labelling z with the largest L(y, z) (1 - score(y) + score(z)) of every chain or tree.

    >>> from mcbook.structured import chains
    >>> found = most_violated_slack(Scores([[1.0, 0.5]], np.zeros((2, 2))), chains([1]), np.array([0]), hamming_cost(2))
    >>> found.labels.tolist(), found.values.tolist()
    ([1], [0.5])
    """
    from mcbook.foundation.compiled import python_original
    from mcbook.structured_margins.kernels.slack import slack_viterbi

    E, turned = np.ascontiguousarray(scores.E), np.ascontiguousarray(np.asarray(scores.T).T)
    exact, (steps, unit) = E.dtype == object, cost_levels(cost)
    values = np.empty(forest.n_sequences, dtype=E.dtype)
    labels = np.empty(forest.n_positions, dtype=np.int64)
    y = np.asarray(y, dtype=np.int64)
    run = python_original(slack_viterbi) if exact else slack_viterbi
    run(E, turned, y, steps, unit if exact else float(unit), forest.parents, forest.offsets, labels, values)
    return ViolatedLabellings(labels, loss_of(y, labels, cost, forest), values)
