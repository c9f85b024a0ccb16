"""AdaBoost over any weak learner, on examples or on pairs of an example and a column, in floats or exact numbers.

**The task.**  ``Y (n_samples, n_columns)`` holds the signs that are wanted, -1 or +1, and 0 where nothing is asked.
AdaBoost for two classes has one column.  AdaBoost.MH on k labels is AdaBoost on the n k pairs of an example and a
label, so it is the run with a column for each label; AdaBoost.MO is the run with ``Y = M[labels]`` for a code matrix
M, whose zeros have weight 0.  All sums run over the entries in their order, row by row, and the learner alone knows
about columns: so the run on (n, k) is that on the n k pairs as a single column, to the last bit (`on_pairs`).

**The weak learner** is an object with the method

    learn(S) -> WeakFit(hypothesis, outputs)

``S (n_samples, n_columns)`` are signed weights D * Y: the sign of an entry is the output that is wanted there, its size
the weight of the pair, and the sizes sum to 1.  ``outputs (n_samples, n_columns)`` are those of the hypothesis on
the sample.  A learner whose attribute ``real_valued`` is False returns outputs -1 and +1, and should make the edge
sum S * outputs / 2 large: 1/2 - error.  One whose ``real_valued`` is True returns any numbers, votes with their size
in them, and should make sum |S| exp(-sign(S) outputs) small; they are added as they are.  The hypothesis is kept; to
be of use on new examples it needs ``outputs(X) -> (n_new, n_columns)``.  The book's learners are in
`mcbook.boosting.algorithm.learners`.

**Exact numbers.**  With weights of dtype object (fractions) and a learner that computes with them, such as
`FinitePool`, every weight and every error is a fraction: the update divides the weights of what was wrong by twice the
error, and those of what was right by twice the rest, which needs no exponential.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from mcbook.boosting.algorithm.rounds import NO_EDGE, Ending, Rounds
from mcbook.boosting.theory import normaliser, step_size, vote_odds
from mcbook.foundation.checks import require_signs
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, ArrayLike, Floats, Matrix, Scalar, Signs


class Hypothesis(Protocol):
    """What a weak learner found, as far as new examples are concerned."""

    def outputs(self, X: Matrix) -> Array:
        """The outputs on new examples, ``(n_samples, n_columns)``."""
        ...


class WeakFit(NamedTuple):
    """What a weak learner returns: the hypothesis, and its outputs on the sample."""

    hypothesis: Any
    outputs: Array


class WeakLearner(Protocol):
    """What AdaBoost asks of its learner; the module says what the arguments are.

    >>> class AlwaysPlus:
    ...     real_valued = False
    ...
    ...     def learn(self, S):
    ...         return WeakFit("+", np.ones(S.shape))
    >>> run_adaboost(AlwaysPlus(), np.array([1, 1, -1]), 5).ending
    'useless'
    """

    @property
    def real_valued(self) -> bool:
        """Whether outputs are votes with their size in them."""
        ...

    def learn(self, S: Array) -> WeakFit:
        """The hypothesis for these signed weights."""
        ...


@dataclass(frozen=True)
class BoostingRun:
    """What happened: T rounds.

    ``hypotheses``, ``steps (T,)`` (the votes alpha_t; 1 for real-valued hypotheses), ``errors (T,)`` under the weights
    of their rounds, ``normalisers (T,)`` (the Z_t); ``D (n_samples, n_columns)``, the weights after the last round, and
    ``votes``, sum_t alpha_t h_t on the sample.  ``odds`` are e^(2 alpha_t) where hypotheses have signs: fractions in an
    exact run.  ``history (T, n_samples, n_columns)`` are the outputs, if they were to be kept.

    ``ending`` says why it stopped: "rounds", all were made; "perfect", a hypothesis made no error, which would have an
    infinite vote and gets one larger than all before it; "useless", the learner found none with an edge, and that round
    is not counted.

    >>> from mcbook.boosting.algorithm.learners import GivenSequence
    >>> run = run_adaboost(GivenSequence(np.array([[1, 1, 1, -1], [1, 1, 1, 1]])), np.ones(4, dtype=int), 2)
    >>> run.n_rounds, run.ending, run.message
    (2, 'perfect', 'hypothesis 2 makes no error on the sample, so it has the last word and there is nothing to boost')
    """

    hypotheses: tuple[Any, ...]
    steps: Array
    odds: Array
    errors: Array
    normalisers: Array
    D: Array
    votes: Floats
    ending: Ending
    history: Array | None = None

    @property
    def n_rounds(self) -> int:
        return len(self.hypotheses)

    @property
    def message(self) -> str:
        """Why it stopped, in words."""
        t = self.n_rounds
        if self.ending == "perfect":
            return f"hypothesis {t} makes no error on the sample, so it has the last word and there is nothing to boost"
        if self.ending == "useless":
            return (
                f"after {t} rounds the weak learner found nothing better than a guess on the weights (error 1/2): "
                "give it more features, or a richer class of hypotheses"
            )
        return f"all {t} rounds were made"


def run_adaboost(
    learner: WeakLearner,
    Y: Signs,
    n_rounds: int,
    *,
    weights: Array | None = None,
    keep_history: bool = False,
    on_round: Callable[[int, Scalar], None] | None = None,
) -> BoostingRun:
    """Boost for at most ``n_rounds`` rounds; the module says what the learner has to do.

    ``weights`` are those of the examples, ``(n_samples,)``, or of all pairs, ``(n_samples, n_columns)``; those of equal
    size if None.  ``on_round(t, error)`` is called after each round.

    >>> from fractions import Fraction
    >>> from mcbook.boosting.algorithm.learners import FinitePool
    >>> pool = FinitePool(np.array([[1, 1, 1, -1], [1, -1, 1, 1], [-1, 1, 1, 1]]))
    >>> run = run_adaboost(pool, np.array([1, 1, 1, 1]), 3, weights=np.array([Fraction(1)] * 4))
    >>> [str(error) for error in run.errors], run.hypotheses
    (['1/4', '1/6', '1/10'], (0, 1, 2))
    """
    pairs = _Pairs(learner, *_pairs_and_weights(Y, weights), keep_history)
    rounds = Rounds(pairs.boost, n_rounds)
    votes = np.zeros(pairs.Y.shape)
    for t, now in enumerate(rounds):
        votes += float(now.step) * np.asarray(pairs.outputs, dtype=float)
        if on_round is not None:
            on_round(t, now.error)
    steps, odds, errors, normalisers = rounds.columns("step", "odds", "error", "Z")
    history = rounds.columns("outputs")[0] if keep_history else None
    return BoostingRun(rounds.hypotheses, steps, odds, errors, normalisers, pairs.D, votes, rounds.ending, history)


class _Round(NamedTuple):
    """One round; the step is None where it would be infinite."""

    error: Scalar
    odds: Scalar
    step: Any
    Z: Scalar
    hypothesis: object = None
    outputs: Array | None = None


class _Pairs:
    """The pairs with their signs and weights, and the outputs of the last hypothesis on them."""

    outputs: Array

    def __init__(self, learner: WeakLearner, Y: Signs, D: Array, keep_history: bool) -> None:
        self.learner, self.Y, self.D, self.keep_history = learner, Y, D, keep_history

    def boost(self) -> _Round | None:
        """Learn on the weights, and change them; None where nothing has an edge."""
        weak_fit = self.learner.learn(self.D * self.Y)
        self.outputs = np.asarray(weak_fit.outputs).reshape(self.Y.shape)
        weigh = _weighed_by_votes if self.learner.real_valued else _weighed_by_signs
        now, self.D = weigh(self.D, self.Y, self.outputs)
        return now and now._replace(hypothesis=weak_fit.hypothesis, outputs=self.outputs if self.keep_history else None)


def _weighed_by_signs(D: Array, Y: Signs, outputs: Array) -> tuple[_Round | None, Array]:
    """Weights after a hypothesis of signs: half of the weight on what it got right, half on what it missed."""
    right = outputs == Y
    of_right, of_wrong = D[right].sum(), D[~right].sum()
    error = quotient(of_wrong, of_right + of_wrong)
    exact = D.dtype == object
    if error == 0:
        return _Round(error, np.inf, None, error), D
    if 1 - 2 * error <= (0 if exact else NO_EDGE):
        return None, D
    # Dividing by the sums themselves, not by the error, keeps the weights from drifting off a sum of 1.
    D = np.where(right, D * quotient(1, 2 * of_right), D * quotient(1, 2 * of_wrong))
    return _Round(error, vote_odds(error), step_size(error), normaliser(error)), D


def _weighed_by_votes(D: Array, Y: Signs, outputs: Array) -> tuple[_Round | None, Array]:
    """Weights after a hypothesis whose outputs are votes."""
    error = float(D[Y * outputs <= 0].sum())
    after = D * np.exp(-Y * outputs)
    Z = float(after.sum())
    return (None, D) if Z >= 1 - NO_EDGE else (_Round(error, np.nan, 1.0, Z), after / Z)


def _pairs_and_weights(Y: ArrayLike, weights: Array | None) -> tuple[Signs, Array]:
    """Signs with columns, and weights that sum to 1 and are 0 where nothing is asked."""
    signs = require_signs(Y, "Y", zero=True)
    if signs.ndim not in (1, 2) or not signs.any():
        raise ValueError(
            f"expected Y (n_samples,) or (n_samples, n_columns) with some entry not 0, got shape {signs.shape}"
        )
    signs = np.ascontiguousarray(signs[:, None] if signs.ndim == 1 else signs)
    given = np.ones(signs.shape) if weights is None else np.asarray(weights)
    if given.shape[:1] != signs.shape[:1] or given.shape not in (signs.shape, signs.shape[:1]):
        raise ValueError(f"expected weights for {signs.shape[0]} examples or for all pairs, got shape {given.shape}")
    if not all(weight >= 0 for weight in given.ravel().tolist()) or not np.any(given):
        raise ValueError("expected weights >= 0 that are not all 0: what weighs nothing teaches nothing")
    spread = given[:, None] if given.ndim == 1 else given
    asked = spread * np.abs(signs)
    return signs, asked * quotient(1, asked.sum())


def staged_votes(run: BoostingRun, X: Matrix) -> Iterator[Floats]:
    """sum_(s <= t) alpha_s h_s(x) on new examples after each round t, ``(n_samples, n_columns)``.

    >>> from mcbook.boosting import StumpLearner
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> run = run_adaboost(StumpLearner(X), np.array([1, -1, -1, 1]), 3)
    >>> for votes in staged_votes(run, X):
    ...     print(np.sign(votes).ravel())
    [ 1. -1. -1. -1.]
    [-1. -1. -1.  1.]
    [ 1. -1. -1.  1.]
    """
    votes: Floats | float = 0.0
    for step, hypothesis in zip(run.steps, run.hypotheses, strict=True):
        votes = votes + float(step) * np.asarray(hypothesis.outputs(X), dtype=float)
        yield np.asarray(votes)


def votes_on(run: BoostingRun, X: Matrix) -> Floats:
    """sum_t alpha_t h_t(x) on new examples, ``(n_samples, n_columns)``; zeros after no round.

    >>> from mcbook.boosting import StumpLearner
    >>> run = run_adaboost(StumpLearner(np.array([[0.0], [1.0], [2.0]])), np.array([1, -1, 1]), 3)
    >>> np.sign(votes_on(run, np.array([[-5.0], [1.1], [9.0]]))).ravel().tolist()
    [1.0, -1.0, 1.0]
    """
    total = np.zeros((len(X), run.D.shape[1]))
    for votes in staged_votes(run, X):
        total = votes
    return total
