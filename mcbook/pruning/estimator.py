"""A tree that is grown, cross-validated and pruned, as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import check_cv
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.foundation.estimators import FLOAT64, effective_weights, encode_classes, seed_of
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Integers, Labels, Matrix, RandomState
from mcbook.impurities import IMPURITIES
from mcbook.pruning.algorithm.grown import validated_path
from mcbook.pruning.algorithm.validation import SelectionRule
from mcbook.trees import leaves_of
from mcbook.trees.algorithm.growth import Tree


class PrunedTree(ClassifierMixin, BaseEstimator):
    """A decision tree that is grown until its leaves are pure and pruned at a penalty chosen by cross-validation.

    All prunings that are best at some penalty form one sequence (the book's `thm-weakest-link-pruning`), and the errors
    of every fold are found for all penalties in one pass, so there is no grid of penalties: the one with the least
    held-out errors is the best there is.  Missing values are NaN; they go to the side that is better for the training
    examples.

    Parameters
    ----------
    cv : int, splitter or iterable, default=10
        The number of folds, in which classes are represented alike and equal examples stay together; or a splitter of
        scikit-learn, or pairs of indices.
    rule : {"least", "one standard error"}, default="least"
        "least" takes the cost of a leaf with the least held-out errors, of equal ones the largest; "one standard error"
        takes the largest cost whose errors are at most one standard error above these, which gives smaller trees.
    prune_by : {"misclassification", "gini", "entropy"}, default="misclassification"
        The impurity that a leaf counts with in pruning; "misclassification" counts errors.
    criterion : {"gini", "entropy", "misclassification"}, default="gini"
        The impurity that the questions lower.
    max_depth : int or None, default=None
        The largest number of questions on a path to a leaf; None sets no limit.
    min_samples_split : int, default=2
        A node with fewer examples is not split.
    min_samples_leaf : int, default=1
        Every leaf has at least this many examples.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the folds.

    Attributes
    ----------
    tree_ : Tree
        The pruned tree.
    full_tree_ : Tree
        The tree before pruning.
    path_ : PruningPath
        The weakest-link sequence of the full tree.
    validation_ : CrossValidation
        The held-out errors at every cost of a leaf.
    ccp_alpha_ : float
        The cost of a leaf that was chosen, per example; infinity where the root alone is best.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]
    >>> model = PrunedTree(cv=4, random_state=0).fit(X, ["a", "a", "a", "a", "b", "b", "b", "b"])
    >>> model.tree_.n_leaves, model.predict([[2.5], [9.0]]).tolist()
    (2, ['a', 'b'])
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "cv": ["cv_object"],
        "rule": [StrOptions({"least", "one standard error"})],
        "prune_by": [StrOptions(set(IMPURITIES))],
        "criterion": [StrOptions(set(IMPURITIES))],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        cv: Any = 10,
        rule: SelectionRule = "least",
        prune_by: str = "misclassification",
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.cv = cv
        self.rule = rule
        self.prune_by = prune_by
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> PrunedTree:
        """Grow the tree and those of the folds, choose the penalty, prune."""
        self._validate_params()
        X, y = validate_data(self, X, y, ensure_all_finite="allow-nan", **FLOAT64)
        X = np.require(X, requirements="W")
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight)
        found = validated_path(
            X,
            labels,
            len(self.classes_),
            self._folds(X, labels, weight),
            weight=weight,
            impurity=self.prune_by,
            criterion=self.criterion,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
        )
        self.full_tree_, self.path_, self.validation_ = found
        self.ccp_alpha_ = self.validation_.choice(self.rule)
        self.tree_: Tree = found.pruned_at(self.ccp_alpha_)
        return self

    def predict_proba(self, X: Matrix) -> Floats:
        """The shares of the classes in the leaf of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, ensure_all_finite="allow-nan", reset=False, **FLOAT64)
        # What was read from a file may not be written to, and the compiled loops know only arrays that may.
        tree = Tree._make(np.require(array, requirements="W") for array in self.tree_)
        value = tree.value[leaves_of(tree, np.require(X, requirements="W"))]
        return np.asarray(value / value.sum(axis=1, keepdims=True))

    def predict(self, X: Matrix) -> Array:
        """The most frequent class of the leaf; of equally frequent ones the first."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])

    def _folds(self, X: Floats, y: Labels, weight: Floats) -> Iterator[tuple[Integers, Integers]]:
        if not isinstance(self.cv, Integral):
            yield from check_cv(self.cv, y, classifier=True).split(X, y)
            return
        # An example without weight is in no fold, and none of its classes' examples is dealt out differently for it.
        there = np.flatnonzero(weight > 0)
        numbers = fold_numbers(X[there], y[there], int(self.cv), seed_of(self.random_state))
        for fold in range(int(numbers.max()) + 1):
            yield there[numbers != fold], there[numbers == fold]


def fold_numbers(X: Floats, y: Labels, n_folds: int, seed: int) -> Integers:
    """The fold of each example, from 0; there are fewer folds where there are fewer different examples.

    Equal examples are in the same fold, as a copy of what is held out would give it away.  The different ones are dealt
    out class by class in an order that depends on the seed and on them, and not on how often or where they stand.

    >>> numbers = fold_numbers(np.array([[1.0], [2.0], [1.0], [3.0]]), np.array([0, 0, 0, 1]), 2, 0)
    >>> bool(numbers[0] == numbers[2])
    True
    """
    # Adding 0 turns -0 into 0, which is equal and has other bytes.
    rows = np.ascontiguousarray(np.c_[y, X + 0.0])
    as_bytes = rows.view(f"V{rows.itemsize * rows.shape[1]}")
    _, first, example = np.unique(as_bytes, return_index=True, return_inverse=True)
    shuffled = np.random.RandomState(seed).permutation(len(first))
    dealt = shuffled[np.argsort(y[first][shuffled], kind="stable")]
    numbers = np.empty(len(first), dtype=np.int64)
    numbers[dealt] = np.arange(len(first)) % n_folds
    return np.asarray(numbers[example.ravel()])
