"""Bagging of any classifier and random forests, as scikit-learn estimators."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from mcbook.forests.algorithm.bootstrap import bootstrap_counts
from mcbook.forests.algorithm.growth import GrownForest, grow_forest
from mcbook.foundation.estimators import effective_weights, encode_classes, seed_of
from mcbook.foundation.progress import progress
from mcbook.foundation.types import Array, ArrayLike, Booleans, ClassWeight, Floats, Labels, Matrix, RandomState
from mcbook.pruning import DecisionTree
from mcbook.trees import leaves_of
from mcbook.trees.estimator import TreeRules, importances

_VOTING = {
    "n_estimators": [Interval(Integral, 1, None, closed="left")],
    "voting": [StrOptions({"plurality", "mean"})],
    "oob_score": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "n_jobs": [Interval(Integral, None, None, closed="neither"), None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}


class _Voters(ClassifierMixin):
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


class RandomForest(_Voters, TreeRules):
    """Trees on bootstrap samples, with features drawn at every split; a new point gets the plurality of all votes.

    The algorithm is the book's `alg-random-forest`; bootstraps are counts, which the trees' compiled core takes as
    weights, and the columns are sorted once.  Missing values and categories of a data frame are understood, as by
    `DecisionTree`.

    Parameters
    ----------
    n_estimators : trees.
    max_features : features drawn: a number, a share of all, "sqrt", "log2", or None for all.
    draw : for every "split", or once for every "tree".
    bootstrap : False gives every tree the whole sample.
    voting : "plurality" counts the trees' labels, "mean" averages the shares in their leaves.
    oob_score : whether to estimate the accuracy by the votes out of the bag.
    criterion, max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes, min_weight_fraction_leaf,
        min_impurity_decrease : as in `DecisionTree`.
    class_weight : examples are drawn in proportion to ``sample_weight`` times this, as many as there are examples with
        a weight.  So only the proportions of the weights count, and an example of weight 2 is not quite the same as
        two examples, with which one more would be drawn.
    n_jobs : trees grown at the same time; None is 1, -1 all cores.
    random_state : seed of the draws.
    verbose : 1 shows a progress bar; 0 nothing.

    Attributes
    ----------
    forest_ : the `GrownForest`: trees, and counts of the examples that had weight.
    oob_score_, oob_decision_function_ : accuracy of the votes out of the bag among the examples that have one, and
        the shares of these votes, NaN where there are none; for the examples that had weight.
    feature_importances_ : means of the trees'.
    classes_, n_features_in_ : as usual.

    Examples
    --------
    >>> model = RandomForest(n_estimators=20, random_state=0).fit([[1.0], [2.0], [7.0], [8.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.0], [9.0]]).tolist()
    ['a', 'b']
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **TreeRules._parameter_constraints,
        **_VOTING,
        "criterion": [StrOptions({"gini", "entropy", "misclassification"})],
        "max_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="neither"),
            StrOptions({"sqrt", "log2"}),
            None,
        ],
        "draw": [StrOptions({"split", "tree"})],
        "bootstrap": ["boolean"],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_features: int | float | str | None = "sqrt",
        draw: str = "split",
        bootstrap: bool = True,
        voting: str = "plurality",
        oob_score: bool = False,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            max_leaf_nodes=max_leaf_nodes,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_features=max_features,
            random_state=random_state,
        )
        self.n_estimators = n_estimators
        self.draw = draw
        self.bootstrap = bootstrap
        self.voting = voting
        self.oob_score = oob_score
        self.criterion = criterion
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees; examples of weight 0 are left out."""
        X, y, categorical = self._read(X, y)
        if self.oob_score and not self.bootstrap:
            raise ValueError("expected bootstrap=True with oob_score=True: else no example is out of a bag")
        weight = self._weights(X, y, sample_weight)
        self.classes_, labels = encode_classes(y, weight)
        X, labels, weight = _kept(weight > 0, X, labels, weight)
        self.forest_ = self._grow(X, labels, weight, categorical)
        if self.oob_score:
            self._count_out_of_bag(X, labels, self.forest_.counts)
        return self

    @property
    def feature_importances_(self) -> Floats:
        """By how much the splits on each feature lower the impurity, as shares, averaged over the trees."""
        check_is_fitted(self)
        total = np.sum([importances(tree, self.n_features_in_) for tree in self.forest_.trees], axis=0)
        return np.asarray(total / total.sum() if total.sum() > 0 else total)

    def _grow(self, X: Floats, labels: Labels, weight: Floats, categorical: Booleans) -> GrownForest:
        with progress(self.n_estimators, "tree", verbose=self.verbose) as step:
            return grow_forest(
                X,
                labels,
                len(self.classes_),
                n_trees=self.n_estimators,
                max_features=self._n_drawn(),
                draw=self.draw,  # type: ignore[arg-type]  # checked to be one of the words
                bootstrap=self.bootstrap,
                weight=weight,
                categorical=categorical,
                seed=seed_of(self.random_state),
                n_jobs=effective_n_jobs(self.n_jobs),
                on_tree=step,
                criterion=self.criterion,
                **self._stopping(),
            )

    def _n_drawn(self) -> int:
        d, asked = self.n_features_in_, self.max_features
        if asked is None:
            return d
        if isinstance(asked, str):
            return max(1, int(math.sqrt(d) if asked == "sqrt" else math.log2(d)))
        return min(d, int(asked)) if isinstance(asked, Integral) else max(1, int(asked * d))

    def _votes_of(self, member: int, X: Matrix) -> Floats:
        tree = self.forest_.trees[member]
        shares = tree.value / tree.weight[:, None]
        if self.voting == "plurality":
            shares = np.eye(shares.shape[1])[shares.argmax(axis=1)]
        return np.asarray(shares[leaves_of(tree, X)])


class Bagging(_Voters, MetaEstimatorMixin, BaseEstimator):
    """Copies of a classifier, each trained on its own bootstrap sample; a new point gets the plurality of their votes.

    A classifier whose ``fit`` takes ``sample_weight`` gets a bootstrap as counts, another one as repeated examples.

    Parameters
    ----------
    estimator : any classifier of scikit-learn's kind; a `DecisionTree` if None.
    n_estimators : copies.
    voting : "plurality" counts their labels, "mean" averages their ``predict_proba``.
    oob_score, class_weight, n_jobs, random_state, verbose : as in `RandomForest`.

    Attributes
    ----------
    estimators_ : the trained copies.
    counts_ : how often each copy had each example that had weight.
    oob_score_, oob_decision_function_, classes_, n_features_in_ : as in `RandomForest`.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> model = Bagging(KNeighborsClassifier(1), random_state=0).fit([[1.0], [2.0], [7.0], [8.0]], [0, 0, 1, 1])
    >>> model.predict([[0.0], [9.0]]).tolist()
    [0, 1]
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_VOTING,
        "estimator": [HasMethods(["fit", "predict"]), None],
    }

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        n_estimators: int = 50,
        *,
        voting: str = "plurality",
        oob_score: bool = False,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.voting = voting
        self.oob_score = oob_score
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self._base()).input_tags.allow_nan
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the copies; examples of weight 0 are left out."""
        self._validate_params()
        X, y = validate_data(self, X, y, **self._accepted())
        base = self._base()
        if self.voting == "mean" and not hasattr(base, "predict_proba"):
            raise ValueError(
                f"expected an estimator with predict_proba for voting='mean', got {type(base).__name__}: "
                "take voting='plurality'"
            )
        weight = self._weights(X, y, sample_weight)  # type: ignore[arg-type]  # y is an array now
        weighted = has_fit_parameter(base, "sample_weight")
        self.classes_, labels = encode_classes(y, weight)
        X, labels, weight = _kept(weight > 0, X, labels, weight)
        rng = np.random.default_rng(seed_of(self.random_state))
        self.counts_ = bootstrap_counts(X, labels, weight, rng, self.n_estimators)
        seeds = rng.integers(0, 2**31, self.n_estimators).tolist()
        tasks = [
            delayed(_fit_copy)(_seeded(base, seed), X, labels, count, weighted)
            for count, seed in zip(self.counts_, seeds, strict=True)
        ]
        with progress(self.n_estimators, "copy", verbose=self.verbose) as step:
            self.estimators_ = []
            # As a list comes all at once, a bar needs them one by one, which not every backend of joblib does.
            for copy in Parallel(n_jobs=self.n_jobs, return_as="generator" if self.verbose else "list")(tasks):
                self.estimators_.append(copy)
                step()
        if self.oob_score:
            self._count_out_of_bag(X, labels, self.counts_)
        return self

    def _base(self) -> BaseEstimator:
        return DecisionTree() if self.estimator is None else self.estimator

    def _accepted(self) -> dict[str, Any]:
        allows_nan = get_tags(self._base()).input_tags.allow_nan
        return {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan" if allows_nan else True}

    def _numbers(self, X: Matrix) -> Floats:
        return np.asarray(validate_data(self, X, reset=False, **self._accepted()))

    def _votes_of(self, member: int, X: Matrix) -> Floats:
        model, votes = self.estimators_[member], np.zeros((len(X), len(self.classes_)))
        if isinstance(model, _Constant):
            votes[:, model.label] = 1
        elif self.voting == "mean":
            # A bootstrap may lack a class.
            votes[:, model.classes_] = model.predict_proba(X)
        else:
            votes[np.arange(len(X)), model.predict(X)] = 1
        return votes


class _Constant:
    """Stands for the classifier of a bootstrap with one class only, which many classifiers refuse."""

    def __init__(self, label: int) -> None:
        self.label = label


def _fit_copy(
    model: BaseEstimator, X: Floats, labels: Labels, count: Array, weighted: bool
) -> BaseEstimator | _Constant:
    times = count.astype(np.int64)
    drawn = np.flatnonzero(times) if weighted else np.repeat(np.arange(len(times)), times)
    if (labels[drawn] == labels[drawn[0]]).all():
        return _Constant(int(labels[drawn[0]]))
    if weighted:
        return model.fit(X[drawn], labels[drawn], sample_weight=count[drawn])
    return model.fit(X[drawn], labels[drawn])


def _seeded(base: BaseEstimator, seed: int) -> BaseEstimator:
    model = clone(base)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=seed)
    return model


def _kept(mask: Booleans, *arrays: Array) -> tuple[Array, ...]:
    return arrays if mask.all() else tuple(array[mask] for array in arrays)
