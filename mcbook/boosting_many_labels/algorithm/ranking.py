"""AdaBoost.MR, which lifts the label above its rivals, and RankBoost, which lifts any items above others.

Both hold a weight for each pair that is to be ranked.  A round chooses a hypothesis by the pairs that it puts right
less those that it puts wrong, and multiplies their weights by e^(-2 alpha) and e^(2 alpha); pairs that it does not tell
apart keep theirs.  With weights of dtype object the numbers stay what they are: fractions as long as the roots are
rational, or balls of python-flint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakLearner
from mcbook.boosting.algorithm.rounds import NO_EDGE, Ending, Rounds
from mcbook.boosting_many_labels.theory import divided, ranking_normaliser
from mcbook.foundation.checks import require_classes, require_labels
from mcbook.foundation.numbers import logarithm, square_root
from mcbook.foundation.types import Array, Floats, Integers, Labels, Scalar
from mcbook.problem import one_hot


@dataclass(frozen=True)
class RankingRun:
    """What happened in T rounds.

    ``hypotheses``, ``steps (T,)``, ``right (T,)`` and ``wrong (T,)``, the weights e+ and e- of the pairs that were put
    right and wrong, ``normalisers (T,)``; ``D``, the weights after the last round, and ``history``, those before each
    round, if they were to be kept.  ``votes`` is sum_t alpha_t h_t on the sample.  ``ending`` as in AdaBoost: "rounds",
    "perfect" (all pairs were put right, which would give an infinite vote), "useless" (no edge is left).

    >>> run = run_rankboost(np.array([[1, 0, 0], [1, 1, 0]]), np.array([[0, 1], [0, 2], [1, 2]]), 1)
    >>> run.right.round(6).tolist(), run.wrong.tolist(), run.ending, run.votes.round(4).tolist()
    ([0.666667], [0.0], 'rounds', [0.6931, 0.0, 0.0])
    """

    hypotheses: tuple[Any, ...]
    steps: Array
    right: Array
    wrong: Array
    normalisers: Array
    D: Array
    votes: Floats
    ending: Ending
    history: tuple[Array, ...] = ()

    @property
    def n_rounds(self) -> int:
        return len(self.hypotheses)

    @property
    def errors(self) -> Array:
        """The weight of what each hypothesis put wrong."""
        return self.wrong

    @property
    def message(self) -> str:
        """Why it stopped, in words."""
        t = self.n_rounds
        if self.ending == "perfect":
            return f"hypothesis {t} puts all pairs right, so it has the last word and there is nothing to boost"
        if self.ending == "useless":
            return (
                f"after {t} rounds the weak learner found nothing that ranks more pairs right than wrong: "
                "give it more features, or a richer class of hypotheses"
            )
        return f"all {t} rounds were made"


def run_adaboost_mr(
    learner: WeakLearner,
    y: Labels,
    n_classes: int,
    n_rounds: int,
    *,
    weights: Array | None = None,
    keep_history: bool = False,
    on_round: Callable[[int, Scalar], None] | None = None,
) -> RankingRun:
    """AdaBoost.MR over a weak learner of signs; ``weights`` are those of the examples, 1 each if None.

    The learner gets S[i, l] = -D(i, l) / 2 for a rival l and, for the label, minus the sum of these, so that
    sum S h is e+ - e-: it is the learner of AdaBoost.MH, with other weights.  ``on_round(t, e-)`` is called after each
    round.

    >>> from mcbook.boosting import StumpLearner
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> run = run_adaboost_mr(StumpLearner(X), np.array([0, 1, 2]), 3, 4)
    >>> run.votes.argmax(axis=1).tolist(), run.ending
    ([0, 1, 2], 'rounds')
    """
    own = one_hot(require_labels(y, n_classes), require_classes(n_classes)) == 1
    pairs = _RankedPairs(_pair_weights(own, weights), keep_history)
    outputs = np.zeros(own.shape)

    def boost() -> _Round | None:
        half = divided(pairs.D, 2)
        weak_fit = learner.learn(np.where(own, half.sum(axis=1)[:, None], -half))
        outputs[:] = np.reshape(weak_fit.outputs, own.shape)
        order = np.where(own, 0, (outputs[own][:, None] - outputs) // 2)
        return pairs.boosted(order, weak_fit.hypothesis)

    rounds = Rounds(boost, n_rounds)
    votes = np.zeros(own.shape)
    for t, now in enumerate(rounds):
        votes += float(now.step) * outputs
        if on_round is not None:
            on_round(t, now.wrong)
    return pairs.run(rounds, votes)


def run_rankboost(
    pool: Integers, pairs: Integers, n_rounds: int, *, weights: Array | None = None, keep_history: bool = False
) -> RankingRun:
    """RankBoost over a finite pool of ranking functions ``(n_functions, n_items)`` with the values 0 and 1.

    ``pairs (n_pairs, 2)`` name an item that is to stand above another.  Of equally good functions the first is taken.
    Steps are ln(e+ / e-) / 2, as g = (h + 1) / 2 has half the range of h.

    Two functions that together put item 0 first, 1 next and 2 last:

    >>> run = run_rankboost(np.array([[1, 0, 0], [1, 1, 0]]), np.array([[0, 1], [0, 2], [1, 2]]), 2)
    >>> run.hypotheses, np.argsort(-run.votes).tolist()
    ((0, 1), [0, 1, 2])
    """
    above, below = np.asarray(pairs).T
    orders = np.asarray(pool)[:, above] - np.asarray(pool)[:, below]
    given = np.ones(len(above)) if weights is None else np.asarray(weights)
    pairs_of_items = _RankedPairs(given, keep_history, stretch=2)

    def boost() -> _Round | None:
        worth = orders.astype(pairs_of_items.D.dtype) @ pairs_of_items.D
        best = max(range(len(orders)), key=lambda j: worth[j])
        return pairs_of_items.boosted(orders[best], best)

    rounds = Rounds(boost, n_rounds)
    votes = np.zeros(np.shape(pool)[1])
    for now in rounds:
        votes += float(now.step) * np.asarray(pool)[now.hypothesis]
    return pairs_of_items.run(rounds, votes)


def preference_pairs(y: Labels, n_classes: int) -> Integers:
    """The items i n_classes + l of AdaBoost.MR in pairs: that of the label above that of each rival, row by row.

    >>> preference_pairs([1], 3).tolist()
    [[1, 0], [1, 2]]
    """
    labels = require_labels(y, n_classes)
    rivals = np.flatnonzero((one_hot(labels, n_classes) == 0).ravel())
    examples = rivals // n_classes
    return np.column_stack([examples * n_classes + labels[examples], rivals])


class _Round(NamedTuple):
    """One round; the step is None where it would be infinite."""

    hypothesis: Any
    step: Any
    right: Scalar
    wrong: Scalar
    Z: Scalar


class _RankedPairs:
    """The pairs that are to be ranked, with weights of any shape, and what both algorithms do with them in a round."""

    def __init__(self, weights: Array, keep_history: bool, stretch: int = 1) -> None:
        self.total = weights.sum()
        self.D, self.stretch = divided(weights, self.total), stretch
        self.history: list[Array] | None = [] if keep_history else None

    def boosted(self, order: Integers, hypothesis: object) -> _Round | None:
        """Weigh anew after a hypothesis with order +1 where it is right, -1 where wrong, 0 where it says nothing."""
        right, wrong = self.D[order > 0].sum(), self.D[order < 0].sum()
        if not right - wrong > (0 if self.D.dtype == object else NO_EDGE):
            return None
        if self.history is not None:
            self.history.append(self.D)
        if np.all((order > 0) | (self.D == 0)):
            return _Round(hypothesis, None, right, wrong, 0)
        # Where nothing is put wrong no step is the longest: the odds are then those of all pairs and one against one.
        odds = divided(wrong, right) if wrong != 0 else divided(divided(right, right), 1 + self.total)
        factor = square_root(odds)
        grown = np.where(order > 0, self.D * factor, np.where(order < 0, divided(self.D, factor), self.D))
        Z = ranking_normaliser(right, wrong) if wrong != 0 else 1 - right + right * factor
        self.D = divided(grown, Z)
        return _Round(hypothesis, -self.stretch * logarithm(factor) / 2, right, wrong, Z)

    def run(self, rounds: Rounds[_Round], votes: Floats) -> RankingRun:
        steps, right, wrong, Z = rounds.columns("step", "right", "wrong", "Z")
        history = () if self.history is None else (*self.history, self.D)
        return RankingRun(rounds.hypotheses, steps, right, wrong, Z, self.D, votes, rounds.ending, history)


def _pair_weights(own: Array, weights: Array | None) -> Array:
    """The weight of every example for each of its rivals, and 0 for its label."""
    given = np.ones(len(own)) if weights is None else np.asarray(weights)
    if given.shape != own.shape[:1]:
        raise ValueError(f"expected weights for {len(own)} examples, got shape {given.shape}")
    return np.where(own, 0, given[:, None])
