"""All pairs decided by a knock-out tournament, as a scikit-learn classifier."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.one_vs_rest_and_pairs.algorithm.duels import Array, Labels, pair_numbers, play
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code, binary_scores, one_learner_per_column


class KnockOut(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Train one classifier for each pair of classes; predict the winner of a knock-out tournament between the classes.

    A prediction asks k - 1 of the k (k - 1) / 2 classifiers.  Where some class wins all its duels it is the one that
    majority voting, `mcbook.OutputCode(learner, "all-pairs")`, predicts; elsewhere the outcome may depend on the order
    of the classes, which here is the sorted one.

    Parameters
    ----------
    learner : any binary classifier of scikit-learn's kind; an output of 0 is a win of the later class.
    n_jobs : pairs trained at the same time, as in joblib.

    Attributes
    ----------
    classes_, n_features_in_ : as usual.
    learners_ : the trained learners of the pairs, in lexicographic order.
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "learner": [HasMethods(["fit", "predict"])],
        "n_jobs": [Interval(Integral, None, None, closed="neither"), None],
    }

    def __init__(self, learner: Any, *, n_jobs: int | None = None) -> None:
        self.learner = learner
        self.n_jobs = n_jobs

    def fit(self, X: Array, y: Array) -> Self:
        """Train the classifiers of all pairs."""
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=None)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"expected at least 2 classes, got 1 class only: {self.classes_.tolist()}")
        signs = all_pairs_code(len(self.classes_))[labels]
        self.learners_ = one_learner_per_column(self.learner, X, signs, self.n_jobs)
        return self

    def predict(self, X: Array) -> Array:
        """The class that is left after k - 1 duels."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=None, reset=False)
        number = pair_numbers(len(self.classes_))

        def winners(first: Labels, second: Labels) -> Labels:
            chosen = second.copy()
            pairs = number[first, second]
            for pair in np.unique(pairs):
                rows = np.flatnonzero(pairs == pair)
                # Seeded in sorted order, the first of two contenders always has the smaller label, the side +1.
                won = binary_scores(self.learners_[pair], X[rows]) > 0
                chosen[rows[won]] = first[rows[won]]
            return chosen

        labels, _ = play(range(len(self.classes_)), X.shape[0], winners)
        return np.asarray(self.classes_[labels])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.learner).input_tags.sparse
        return tags
