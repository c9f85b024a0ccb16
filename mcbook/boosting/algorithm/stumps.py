"""Decision stumps as weak learners: one question about an example, and a vote in every column on each side of it.

A stump asks whether a feature is at most a threshold, or is a certain category; examples whose value is missing are a
side of their own.  On each side every column has a vote for itself: the sign of the weights there, or, real-valued,
half the logarithm of what speaks for + over what speaks for -.  For one column these are the usual stumps of either
direction and the two constants; for k columns they are those of AdaBoost.MH, one question and k answers.  The sample is
sorted once; a round then costs O(n_features * n_samples * n_columns).  The search is that of the chapter on trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.foundation.types import Array, ArrayLike, Booleans, Floats, Integers
from mcbook.trees.algorithm.columns import Columns, sort_columns
from mcbook.trees.algorithm.stumps import Stump, best_stump, sides_of, sides_of_values


@dataclass(frozen=True)
class VotingStump:
    """A question, and the ``votes (3, n_columns)`` on its left, on its right, and where the value is missing.

    >>> stump, _ = StumpLearner(np.array([[1.0], [2.0]])).learn(np.array([[0.5, -0.1], [-0.3, -0.1]]))
    >>> stump.question.threshold, stump.outputs(np.array([[0.0], [7.0]])).tolist()
    (1.5, [[1.0, -1.0], [-1.0, -1.0]])
    """

    question: Stump
    votes: Floats

    def outputs(self, X: Array) -> Floats:
        """The votes on new examples ``(n_samples, n_columns)``; a category never seen is on the right."""
        return np.asarray(self.votes[sides_of_values(self.question, X)])


class StumpLearner:
    """The stump with the largest edge, or real-valued the one with the smallest normaliser; of equals the first.

    ``X (n_samples, n_features)`` is the sample, NaN being a missing value, or its `Columns`.  ``categorical`` says by a
    mask which features are categories, coded 0, 1, ....  ``max_bins`` merges the values of a feature into as many bins,
    for speed; without it every threshold is tried.  ``smoothing``, a share of the whole weight, is added to what speaks
    for either sign, so that no real-valued vote is infinite.

    >>> learner = StumpLearner(np.array([[1.0], [2.0], [4.0]]))
    >>> stump, outputs = learner.learn(np.array([[0.3], [0.3], [-0.4]]))
    >>> stump.question.threshold, outputs.ravel().tolist()
    (3.0, [1.0, 1.0, -1.0])
    """

    def __init__(
        self,
        X: ArrayLike | Columns,
        *,
        categorical: Booleans | None = None,
        real_valued: bool = False,
        max_bins: int | None = None,
        smoothing: float = 1e-3,
    ) -> None:
        self.columns = X if isinstance(X, Columns) else sort_columns(X, categorical=categorical, max_bins=max_bins)
        self.real_valued = real_valued
        self.smoothing = smoothing

    def learn(self, S: Array) -> WeakFit:
        """The best stump for signed weights ``(n_samples, n_columns)``."""
        question = best_stump(self.columns, S, real_votes=self.real_valued)
        side = sides_of(question, self.columns)
        stump = VotingStump(question, self._votes(np.asarray(S, dtype=float), side))
        return WeakFit(stump, stump.votes[side])

    def _votes(self, S: Floats, side: Integers) -> Floats:
        """What each column says on the left, on the right, and where the value is missing."""
        # Where nothing was seen the sample as a whole decides.
        parts = [part if len(part) else S for part in (S[side == s] for s in range(3))]
        if not self.real_valued:
            return np.where(np.array([part.sum(axis=0) for part in parts]) >= 0, 1.0, -1.0)
        up = np.array([np.maximum(part, 0).sum(axis=0) for part in parts])
        down = np.array([np.maximum(-part, 0).sum(axis=0) for part in parts])
        return np.asarray(np.log((up + self.smoothing) / (down + self.smoothing)) / 2)
