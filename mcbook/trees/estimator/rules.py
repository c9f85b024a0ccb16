"""What the estimators of trees and forests share."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from mcbook.foundation.types import Array, ArrayLike, Booleans, Floats, Matrix, RandomState
from mcbook.trees.algorithm.growth import LeafOrder, Tree

_NUMBERS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


class TreeRules(BaseEstimator):
    """Rules of growth, missing values, categories of a data frame as codes."""

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "min_weight_fraction_leaf": [Interval(Real, 0, 0.5, closed="both")],
        "min_impurity_decrease": [Interval(Real, 0, None, closed="left")],
        "max_features": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    n_features_in_: int
    categories_: dict[int, Array]

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: Any = None,
        random_state: RandomState = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _read(self, X: Matrix, y: ArrayLike) -> tuple[Floats, Array, Booleans]:
        """Numbers, with the categories of a data frame as codes, the targets, and which columns hold categories."""
        self._validate_params()
        self.categories_ = {
            j: np.asarray(X.dtypes.iloc[j].categories)
            for j in range(X.shape[1] if hasattr(X, "dtypes") and hasattr(X, "iloc") else 0)
            if hasattr(X.dtypes.iloc[j], "categories")
        }
        X, y = validate_data(self, self._coded(X), y, **_NUMBERS)
        return X, y, np.isin(np.arange(X.shape[1]), list(self.categories_))  # type: ignore[return-value]  # y is an array now

    def _numbers(self, X: Matrix) -> Floats:
        return np.asarray(validate_data(self, self._coded(X), **_NUMBERS, reset=False))

    def _coded(self, X: Matrix) -> Matrix:
        """Categories as their numbers in the training data; those that it did not have are missing values."""
        if not self.categories_ or not hasattr(X, "iloc"):
            return X
        coded = X.copy()
        for j, categories in self.categories_.items():
            number = {category: float(code) for code, category in enumerate(categories.tolist())}
            values = [number.get(value, np.nan) for value in X.iloc[:, j].astype(object).tolist()]
            coded[coded.columns[j]] = values
        return coded

    def _stopping(self) -> dict[str, Any]:
        """The rules of growth but for the drawing of features."""
        names = (
            "max_depth",
            "min_samples_split",
            "min_samples_leaf",
            "max_leaf_nodes",
            "min_weight_fraction_leaf",
            "min_impurity_decrease",
        )
        rules = {name: getattr(self, name) for name in names}
        growth: LeafOrder = "depth-first" if rules["max_leaf_nodes"] is None else "largest-decrease"
        return {**rules, "growth": growth}


def question_in_words(
    tree: Tree, node: int, name: str, categories: Iterable[object] | None = None, *, sign: str = "<=", digits: int = 6
) -> str:
    """What an inner node asks about the feature of this ``name``: a yes goes left.

    ``categories`` are the names of the feature's categories, if it has some; without names its codes are shown.

    >>> from mcbook.trees import grow_tree
    >>> question_in_words(grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1]), 0, "size")
    'size <= 3'
    """
    threshold = tree.threshold[node]
    if np.isinf(threshold):
        return f"{name} is known"
    if not np.isnan(threshold):
        return f"{name} {sign} {threshold:.{digits}g}"
    bits = int(tree.categories[node])
    known = range(bits.bit_length()) if categories is None else categories
    return f"{name} in {{{', '.join(str(each) for code, each in enumerate(known) if bits >> code & 1)}}}"


def importances(tree: Tree, n_features: int) -> Floats:
    """By how much the splits on each feature lower the total impurity, as shares; zeros where none lowers it."""
    found, total = np.zeros(n_features), tree.weight * tree.impurity
    inner = np.flatnonzero(~tree.is_leaf)
    np.add.at(found, tree.feature[inner], total[inner] - total[tree.children[inner]].sum(axis=1))
    return found / found.sum() if found.sum() > 0 else found
