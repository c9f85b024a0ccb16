"""What bagging and random forests share: the vote of their members and the weights of the bootstraps."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from mcbook.foundation.estimators import effective_weights
from mcbook.foundation.types import Array, ArrayLike, Booleans, ClassWeight, Floats, Labels, Matrix

VOTING = {
    "n_estimators": [Interval(Integral, 1, None, closed="left")],
    "voting": [StrOptions({"plurality", "mean"})],
    "oob_score": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "n_jobs": [Interval(Integral, None, None, closed="neither"), None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}


class Voters(ClassifierMixin):
    """What both share: the vote of all members, and of those out of whose bag an example is."""

    classes_: Array
    class_weight: ClassWeight
    oob_score: bool

    def predict_proba(self, X: Matrix) -> Floats:
        """The shares of the votes, or the mean of the members' probabilities."""
        check_is_fitted(self)
        X = self._numbers(X)
        votes = sum(self._votes_of(member, X) for member in range(self.n_estimators))
        return np.asarray(votes / np.sum(votes, axis=1, keepdims=True))

    def predict(self, X: Matrix) -> Array:
        """The class with the most votes; of equal ones the first."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def _votes_of(self, member: int, X: Matrix) -> Floats:
        raise NotImplementedError("expected a subclass that says how a member votes")

    def _count_out_of_bag(self, X: Matrix, labels: Labels, counts: Array) -> None:
        votes = np.zeros((len(labels), len(self.classes_)))
        for member, count in enumerate(counts):
            outside = np.flatnonzero(count == 0)
            if len(outside):
                votes[outside] += self._votes_of(member, X[outside])
        total = votes.sum(axis=1)
        voted = total > 0
        if not voted.any():
            raise ValueError("expected an example out of some bag, got none: take more n_estimators, or bootstrap=True")
        self.oob_score_ = float((votes[voted].argmax(axis=1) == labels[voted]).mean())
        shares = np.full(votes.shape, np.nan)
        shares[voted] = votes[voted] / total[voted, None]
        self.oob_decision_function_ = shares

    def _weights(self, X: Matrix, y: Array, sample_weight: ArrayLike | None) -> Floats:
        """In proportion to which examples are drawn; the largest is 1, so that only the proportions count."""
        if self.class_weight == "balanced":
            weight = effective_weights(X, y, sample_weight)
            # Balanced for the weighted sample: every class has the same weight.
            for c in np.unique(y[weight > 0]):
                weight[y == c] /= weight[y == c].sum()
        else:
            weight = effective_weights(X, y, sample_weight, self.class_weight)
        return weight / weight.max()


def positive(mask: Booleans, *arrays: Array) -> tuple[Array, ...]:
    return arrays if mask.all() else tuple(array[mask] for array in arrays)
