"""Rounds with stumps, of AdaBoost.MH and of AdaBoost.MR, without a matrix of outputs.

A stump gives the same answers to all examples on a side, so a round needs the side of each example and three rows of
votes.  What is found is what `run_adaboost` and `run_adaboost_mr` find with a `StumpLearner`, up to rounding; the pass
over all pairs after each round is compiled, and goes over pieces of the sample at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mcbook.boosting import StumpLearner, normaliser, step_size
from mcbook.boosting.algorithm.rounds import NO_EDGE, Ending, Rounds
from mcbook.boosting.algorithm.stumps import VotingStump
from mcbook.boosting_many_labels.algorithm.ranking import RankingRun
from mcbook.boosting_many_labels.kernels import reweigh_pairs, reweigh_rivals, weigh_answers, weigh_rivals
from mcbook.foundation.threads import in_pieces
from mcbook.foundation.types import Array, Floats, Labels, Signs
from mcbook.trees.algorithm.columns import to_write
from mcbook.trees.algorithm.stumps import best_stump, sides_of
from mcbook.trees.kernels.signed import sum_by_rank

# The number of pairs from which a thread is worth its cost.
_WORTH_A_THREAD = 100_000


@dataclass(frozen=True)
class StumpRun:
    """What happened in T rounds: ``hypotheses`` (stumps), ``steps``, ``errors`` and ``normalisers (T,)``, ``ending``.

    ``D (n_samples, n_classes)`` are the weights after the last round.

    >>> learner = LabelStumps(np.array([[0.0], [1.0], [2.0]]))
    >>> run = boost_pairs(learner, np.array([[1, -1], [1, -1], [-1, 1]]), 5)
    >>> run.n_rounds, run.ending, run.message
    (1, 'perfect', 'stump 1 answers all pairs rightly, so it has the last word and there is nothing to boost')
    """

    hypotheses: tuple[VotingStump, ...]
    steps: Floats
    errors: Floats
    normalisers: Floats
    D: Floats
    ending: Ending

    @property
    def n_rounds(self) -> int:
        return len(self.hypotheses)

    @property
    def message(self) -> str:
        """Why it stopped, in words."""
        t = self.n_rounds
        if self.ending == "perfect":
            return f"stump {t} answers all pairs rightly, so it has the last word and there is nothing to boost"
        if self.ending == "useless":
            return (
                f"after {t} rounds no stump is better than a guess on the weights of the pairs (error 1/2): give it "
                "more features, or a richer estimator"
            )
        return f"all {t} rounds were made"


class LabelStumps(StumpLearner):
    """The stumps of the chapter on boosting, with the side of every example and the votes in place of all outputs.

    >>> learner = LabelStumps(np.array([[0.0], [1.0], [2.0]]))
    >>> stump, side, votes = learner.ask(np.array([[0.2, -0.2], [0.2, -0.1], [-0.1, 0.2]]))
    >>> stump.question.threshold, side.tolist(), votes[:2].tolist()
    (1.5, [0, 0, 1], [[1.0, -1.0], [-1.0, 1.0]])
    """

    def ask(self, A: Floats) -> tuple[VotingStump, Array, Floats]:
        """The best stump for signed weights, the side of each example, and ``votes (3, n_classes)``."""
        question = best_stump(self.columns, A)
        side = sides_of(question, self.columns).astype(np.int32)
        # The last row is for examples of no side, of which there are none.
        sums = np.zeros((4, A.shape[1]))
        sum_by_rank(side, A, sums)
        # Where nothing was seen the sample as a whole decides.
        sums[:3][np.bincount(side, minlength=3) == 0] = sums[:3].sum(axis=0)
        stump = VotingStump(question, np.where(sums[:3] >= 0, 1.0, -1.0))
        return stump, side, stump.votes


def boost_pairs(
    learner: LabelStumps,
    Y: Signs,
    n_rounds: int,
    *,
    weights: Array | None = None,
    on_round: Callable[[int, float], None] | None = None,
) -> StumpRun:
    """AdaBoost.MH with stumps; ``weights`` are those of the examples or of all pairs, equal ones if None.

    One stump with an answer for each label; the pairs that it answers wrongly then carry half of the weight.

    >>> learner = LabelStumps(np.array([[0.0], [1.0], [2.0]]))
    >>> run = boost_pairs(learner, np.array([[1, -1], [-1, -1], [-1, 1]]), 1)
    >>> run.errors.round(6).tolist(), float(run.D.max().round(6))
    ([0.166667], 0.5)
    """
    Y = np.asarray(Y)
    given = np.ones(Y.shape) if weights is None else np.asarray(weights, dtype=float)
    A = np.ascontiguousarray((given[:, None] if given.ndim == 1 else given) * Y, dtype=float)
    A /= np.abs(A).sum()

    def boost() -> _Round | None:
        stump, side, votes = learner.ask(A)
        right, wrong = _in_all(weigh_answers, A, A, side, votes)
        error = wrong / (right + wrong)
        if 1 - 2 * error <= NO_EDGE:
            return None
        if wrong == 0:
            return _Round(stump, None, 1.0, 0.0, 0.0)
        _in_all(reweigh_pairs, A, A, side, votes, 0.5 / right, 0.5 / wrong)
        return _Round(stump, float(step_size(error)), 1 - error, error, float(normaliser(error)))

    rounds = _made(boost, n_rounds, on_round)
    steps, errors, normalisers = rounds.columns("step", "wrong", "Z")
    return StumpRun(rounds.hypotheses, steps, errors, normalisers, np.abs(A), rounds.ending)


def boost_rankings(
    learner: LabelStumps,
    y: Labels,
    n_classes: int,
    n_rounds: int,
    *,
    weights: Array | None = None,
    on_round: Callable[[int, float], None] | None = None,
) -> RankingRun:
    """AdaBoost.MR with stumps; ``weights`` are those of the examples, equal ones if None.

    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> run = boost_rankings(LabelStumps(X), np.array([0, 1, 1]), 2, 5)
    >>> run.n_rounds, run.ending, run.hypotheses[0].outputs(X).tolist()
    (1, 'perfect', [[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0]])
    """
    y = to_write(y, np.int64)
    rows, given = np.arange(len(y)), np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    half = given / (2 * given.sum() * (n_classes - 1))
    A = np.repeat(-half[:, None], n_classes, axis=1)
    A[rows, y] = half * (n_classes - 1)
    n_pairs = float(given.sum()) * (n_classes - 1)

    def boost() -> _Round | None:
        stump, side, votes = learner.ask(A)
        total = 2 * A[rows, y].sum()
        right, wrong = (weight / total for weight in _in_all(weigh_rivals, A, A, y, side, votes))
        if right - wrong <= NO_EDGE:
            return None
        if 1 - right <= NO_EDGE:
            return _Round(stump, None, right, 0.0, 0.0)
        # As in run_adaboost_mr, a finite step where nothing is put wrong.
        factor = np.sqrt(wrong / right) if wrong > 0 else 1 / np.sqrt(1 + n_pairs)
        Z = 1 - right - wrong + right * factor + wrong / factor
        _in_all(reweigh_rivals, A, A, y, side, votes, factor, 1 / (Z * total))
        return _Round(stump, -np.log(factor) / 2, right, wrong, Z)

    rounds = _made(boost, n_rounds, on_round)
    steps, right, wrong, normalisers = rounds.columns("step", "right", "wrong", "Z")
    D, no_votes = np.maximum(-2 * A, 0), np.zeros(A.shape)
    return RankingRun(rounds.hypotheses, steps, right, wrong, normalisers, D, no_votes, rounds.ending)


class _Round(NamedTuple):
    """A stump, its step, None where it would be infinite, the weight that it puts right and wrong, the normaliser."""

    hypothesis: VotingStump
    step: float | None
    right: float
    wrong: float
    Z: float


def _made(
    boost: Callable[[], _Round | None], n_rounds: int, on_round: Callable[[int, float], None] | None
) -> Rounds[_Round]:
    rounds = Rounds(boost, n_rounds)
    for t, now in enumerate(rounds):
        if on_round is not None:
            on_round(t, now.wrong)
    return rounds


def _in_all(kernel: Callable[..., tuple[float, ...] | None], A: Floats, *arguments: Array | float) -> tuple[float, ...]:
    """The kernel on pieces of the sample at the same time, and the sums of what it returns for each."""
    found = in_pieces(lambda begin, end: kernel(*arguments, begin, end), len(A), 1 + _WORTH_A_THREAD // A.shape[1])
    return tuple(map(sum, zip(*found, strict=True))) if found[0] is not None else ()
