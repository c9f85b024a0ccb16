"""What classifiers over binary ones share, and all pairs decided by a knock-out tournament."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.validation import _check_method_params, check_is_fitted, has_fit_parameter, validate_data

from mcbook.foundation.estimators import NotDefined, effective_weights, encode_classes
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Labels, Matrix
from mcbook.one_vs_rest_and_pairs.algorithm.duels import pair_numbers, play
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code, binary_scores, one_estimator_per_column


class Reduction(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """The parts of ``fit`` that are the same for all classifiers that train binary ones.

    Subclasses have the parameters ``estimator``, ``class_weight`` and ``n_jobs``.

    >>> from sklearn.linear_model import RidgeClassifier
    >>> issubclass(KnockOut, Reduction), sorted(KnockOut(RidgeClassifier()).get_params(deep=False))
    (True, ['class_weight', 'estimator', 'n_jobs'])
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "estimator": [HasMethods(["fit", "predict"])],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Interval(Integral, None, None, closed="neither"), None],
    }

    estimator: BaseEstimator
    class_weight: ClassWeight

    def get_metadata_routing(self) -> MetadataRouter:
        """Where what is passed to ``fit`` goes: to the ``fit`` of the binary classifiers."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)

    def _examples(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None, fit_params: dict[str, Any]
    ) -> tuple[Matrix, Labels, dict[str, Any]]:
        """The examples with positive weight, their labels, and what goes with them to ``fit``; sets ``classes_``."""
        _raise_for_params(fit_params, self, "fit")
        self._validate_params()
        X, given = validate_data(self, X, y, **self._accepted())
        passed = fit_params if sample_weight is None else {**fit_params, "sample_weight": sample_weight}
        params = dict(process_routing(self, "fit", **passed).estimator.fit) if _routing_enabled() else passed
        if sample_weight is None and self.class_weight is None:
            self.classes_, labels = encode_classes(given)
            return X, labels, params
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"expected an estimator whose fit takes sample_weight, got {type(self.estimator).__name__}: "
                "leave out sample_weight and class_weight, or choose another one"
            )
        weight = effective_weights(X, given, sample_weight, self.class_weight)
        kept = np.flatnonzero(weight > 0)
        self.classes_, labels = encode_classes(given[kept])
        return X[kept], labels, _check_method_params(X, params | {"sample_weight": weight}, kept)

    def _checked(self, X: Matrix) -> Matrix:
        """Examples to predict."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._accepted())

    def _accepted(self) -> dict[str, Any]:
        """What the estimator is able to take, except that a sparse matrix is left for it to refuse."""
        allows_nan = get_tags(self.estimator).input_tags.allow_nan
        return {"accept_sparse": "csr", "dtype": None, "ensure_all_finite": "allow-nan" if allows_nan else True}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        accepted = get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = accepted.sparse, accepted.allow_nan
        return tags


class KnockOut(Reduction):
    """Train one classifier for each pair of classes; predict the winner of a knock-out tournament between the classes.

    A prediction asks k - 1 of the k (k - 1) / 2 classifiers.  Where some class wins all its duels it is the one that
    majority voting, `mcbook.OutputCode(estimator, "all-pairs")`, predicts; elsewhere the outcome may depend on the
    order of the classes, which here is the sorted one.  A tournament has one winner and no scores, so there are neither
    probabilities nor a ``decision_function``.

    Parameters
    ----------
    estimator : estimator
        Any binary classifier of scikit-learn's kind; an output of 0 is a win of the later class.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    n_jobs : int or None, default=None
        Pairs trained at the same time; None is 1, and -1 is all cores.

    Attributes
    ----------
    estimators_ : list
        The trained classifiers of the pairs, in lexicographic order.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, if ``X`` has some.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> KnockOut(RidgeClassifier()).fit([[0.0], [1.0], [2.0]], ["a", "b", "c"]).predict([[0.2], [1.9]])
    array(['a', 'c'], dtype='<U1')
    """

    predict_proba = NotDefined("a tournament has one winner and no scores; OutputCode has a decision_function")

    def __init__(
        self, estimator: BaseEstimator, *, class_weight: ClassWeight = None, n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.class_weight = class_weight
        self.n_jobs = n_jobs

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Train the classifiers of all pairs; ``fit_params`` go to their ``fit`` where metadata routing is enabled."""
        X, labels, params = self._examples(X, y, sample_weight, fit_params)
        signs = all_pairs_code(len(self.classes_))[labels]
        self.estimators_ = one_estimator_per_column(self.estimator, X, signs, self.n_jobs, params)
        return self

    def predict(self, X: Matrix) -> Array:
        """The class that is left after k - 1 duels."""
        X = self._checked(X)
        number = pair_numbers(len(self.classes_))

        def winners(first: Labels, second: Labels) -> Labels:
            chosen = second.copy()
            pairs = number[first, second]
            for pair in np.unique(pairs):
                rows = np.flatnonzero(pairs == pair)
                # Seeded in sorted order, the first of two contenders always has the smaller label, the side +1.
                won = binary_scores(self.estimators_[pair], X[rows]) > 0
                chosen[rows[won]] = first[rows[won]]
            return chosen

        labels, _ = play(range(len(self.classes_)), X.shape[0], winners)
        return np.asarray(self.classes_[labels])
