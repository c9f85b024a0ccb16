"""Decision stumps as weak learners: one question about an example, and a vote in every column on each side of it.

A stump asks whether a feature is at most a threshold, or is a certain category; examples whose value is missing are a
side of their own.  On each side every column has a vote for itself: the sign of the weights there, or, real-valued,
half the logarithm of what speaks for + over what speaks for -.  For one column these are the usual stumps of either
direction and the two constants; for k columns they are those of AdaBoost.MH, one question and k answers.  The sample is
sorted once; a round then costs O(n_features * n_samples * n_columns).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.boosting.algorithm.adaboost import Learnt
from mcbook.foundation.threads import in_pieces
from mcbook.foundation.types import Array, Floats
from mcbook.trees.algorithm.columns import Columns, sort_columns
from mcbook.trees.kernels.signed import best_cuts

# A thread pays for about so many numbers.
_WORTH_A_THREAD = 30_000


@dataclass(frozen=True)
class Stump:
    """A question on one feature, and the votes ``(n_columns,)`` of its three sides.

    An example is on the left if its value is at most ``threshold``, or, where that is NaN, if it is the ``category``.
    """

    feature: int
    threshold: float
    category: int
    left: Floats
    right: Floats
    missing: Floats

    def outputs(self, X: Array) -> Floats:
        """The votes on new examples ``(n_samples, n_columns)``; a category never seen is on the right."""
        values = np.asarray(X[:, self.feature], dtype=float)
        on_left = values == self.category if np.isnan(self.threshold) else values <= self.threshold
        votes = np.where(on_left[:, None], self.left, self.right)
        absent = np.isnan(values)
        if absent.any():
            votes[absent] = self.missing
        return votes


class StumpLearner:
    """The stump with the largest edge, or real-valued the one with the smallest normaliser; of equals the first.

    ``X (n_samples, n_features)`` is the sample, NaN being a missing value, or its `Columns`.  ``categorical`` says by a
    mask which features are categories, coded 0, 1, ....  ``max_bins`` merges the values of a feature into as many bins,
    for speed; without it every threshold is tried.  ``smoothing``, a share of the whole weight, is added to what speaks
    for either sign, so that no real-valued vote is infinite.

    >>> learner = StumpLearner(np.array([[1.0], [2.0], [4.0]]))
    >>> stump, outputs = learner.learn(np.array([[0.3], [0.3], [-0.4]]))
    >>> stump.threshold, outputs.ravel().tolist()
    (3.0, [1.0, 1.0, -1.0])
    """

    def __init__(
        self,
        X: Any,
        *,
        categorical: Any = None,
        real_valued: bool = False,
        max_bins: int | None = None,
        smoothing: float = 1e-3,
    ) -> None:
        self.columns = X if isinstance(X, Columns) else sort_columns(X, categorical=categorical, max_bins=max_bins)
        self.real_valued = real_valued
        self.smoothing = smoothing

    def learn(self, S: Array) -> Learnt:
        """The best stump for signed weights ``(n_samples, n_columns)``."""
        A = np.ascontiguousarray(S, dtype=float)
        if A.ndim != 2 or len(A) != self.columns.n_samples:
            raise ValueError(f"expected signed weights for {self.columns.n_samples} examples, got shape {A.shape}")
        feature, cut = self._best_cut(A)
        ranks, n_values = self.columns.ranks[feature], int(self.columns.n_values[feature])
        side = np.where(ranks == n_values, 2, (ranks != cut if self._asks_category(feature) else ranks > cut) + 0)
        votes = self._votes(A, side)
        return Learnt(self._stump(feature, cut, votes), votes[side])

    def _best_cut(self, A: Floats) -> tuple[int, int]:
        """The feature and the rank of the best question."""
        n_features = self.columns.n_features
        worths, cuts = np.empty(n_features), np.empty(n_features, np.int64)
        ranks, n_values, categorical = self.columns.ranks, self.columns.n_values, self.columns.categorical

        def search(begin: int, end: int) -> None:
            best_cuts(ranks, n_values, categorical, A, self.real_valued, begin, end, worths, cuts)

        in_pieces(search, n_features, 1 + _WORTH_A_THREAD // A.size)
        feature = int(np.argmax(worths))
        return feature, int(cuts[feature])

    def _votes(self, A: Floats, side: Array) -> Floats:
        """What each column says on the left, on the right, and where the value is missing."""
        parts = [A[side == s] for s in range(3)]
        # Where nothing was seen the sample as a whole decides.
        parts = [part if len(part) else A for part in parts]
        if not self.real_valued:
            return np.where(np.array([part.sum(axis=0) for part in parts]) >= 0, 1.0, -1.0)
        up = np.array([np.maximum(part, 0).sum(axis=0) for part in parts])
        down = np.array([np.maximum(-part, 0).sum(axis=0) for part in parts])
        return np.asarray(np.log((up + self.smoothing) / (down + self.smoothing)) / 2)

    def _asks_category(self, feature: int) -> bool:
        return bool(self.columns.categorical[feature])

    def _stump(self, feature: int, cut: int, votes: Floats) -> Stump:
        left, right, missing = votes
        if self._asks_category(feature):
            return Stump(feature, np.nan, cut, left, right, missing)
        return Stump(feature, self._threshold(feature, cut), -1, left, right, missing)

    def _threshold(self, feature: int, cut: int) -> float:
        """In the middle between the values on both sides; without a question all are on the right."""
        if cut < 0:
            return -np.inf
        below, above = float(self.columns.high[feature, cut]), float(self.columns.low[feature, cut + 1])
        middle = below / 2 + above / 2
        return middle if below <= middle < above else below
