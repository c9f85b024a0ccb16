"""Decision trees as scikit-learn estimators, and a tree as text."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mcbook.foundation.estimators import effective_weights, encode_classes, seed_of
from mcbook.foundation.types import Array, Booleans, Floats, Integers
from mcbook.trees.algorithm.columns import sort_columns
from mcbook.trees.algorithm.growth import LeafOrder, Tree, grow_regression_tree, grow_tree, leaves_of

_NUMBERS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


class TreeRules(BaseEstimator):
    """What trees and forests share: rules of growth, missing values, categories of a data frame as codes."""

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
    max_features: Any
    random_state: Any
    categories_: dict[int, Array]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _read(self, X: Any, y: Any) -> tuple[Floats, Array, Booleans]:
        """Numbers, with the categories of a data frame as codes, the targets, and which columns hold categories."""
        self._validate_params()
        self.categories_ = {
            j: np.asarray(X.dtypes.iloc[j].categories)
            for j in range(X.shape[1] if hasattr(X, "dtypes") and hasattr(X, "iloc") else 0)
            if hasattr(X.dtypes.iloc[j], "categories")
        }
        X, y = validate_data(self, self._coded(X), y, **_NUMBERS)
        return X, y, np.isin(np.arange(X.shape[1]), list(self.categories_))

    def _numbers(self, X: Any) -> Floats:
        return np.asarray(validate_data(self, self._coded(X), **_NUMBERS, reset=False))

    def _coded(self, X: Any) -> Any:
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


class _TreeEstimator(TreeRules):
    """What both trees share: leaves, depth, importances."""

    tree_: Tree

    def _rules(self) -> dict[str, Any]:
        features = None if self.max_features is None else min(self.max_features, self.n_features_in_)
        drawing = features is not None and features < self.n_features_in_
        return {**self._stopping(), "max_features": features, "seed": seed_of(self.random_state) if drawing else 0}

    def apply(self, X: Any) -> Integers:
        """The leaf that each example reaches."""
        check_is_fitted(self)
        return leaves_of(self.tree_, self._numbers(X))

    def get_depth(self) -> int:
        """The most questions on a way from the root to a leaf."""
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Floats:
        """By how much the splits on each feature lower the total impurity, as shares."""
        check_is_fitted(self)
        tree, found = self.tree_, np.zeros(self.n_features_in_)
        total = tree.weight * tree.impurity
        inner = np.flatnonzero(~tree.is_leaf)
        np.add.at(found, tree.feature[inner], total[inner] - total[tree.children[inner]].sum(axis=1))
        return found / found.sum() if found.sum() > 0 else found


class DecisionTree(ClassifierMixin, _TreeEstimator):
    """A classification tree, grown greedily; missing values and categories of a data frame are understood.

    Every split has the question that lowers the impurity most (the book's `alg-greedy-tree`): x_j <= t with t in the
    middle of two neighbouring values, or whether a category is in a set, exact for two classes and for up to ten
    categories in a node.  Missing values go the way that lowers the impurity more.  Trees are those of scikit-learn
    where the rules coincide, but for ties, of which the first feature and the smallest threshold win here.

    Parameters
    ----------
    criterion : "gini", "entropy" or "misclassification".
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease : when to stop; by
        default leaves are pure.
    max_leaf_nodes : grow best-first, splitting the leaf with the largest decrease of |n| F(n), to so many leaves.
    max_features : draw so many features for every node.
    class_weight : weights of the classes as a dict, "balanced", or None; multiplied with ``sample_weight``.
    random_state : seed of the draws.

    Attributes
    ----------
    tree_ : the `Tree`, in arrays.
    categories_ : the categories of each column of a data frame that has some.
    classes_, n_features_in_ : as usual.

    Examples
    --------
    >>> model = DecisionTree().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"])
    >>> model.predict([[3.5], [0.0]]).tolist(), model.get_n_leaves()
    (['b', 'a'], 2)
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_TreeEstimator._parameter_constraints,
        "criterion": [StrOptions({"gini", "entropy", "misclassification"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | None = None,
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree; examples of weight 0 are left out."""
        X, y, categorical = self._read(X, y)
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight)
        columns = sort_columns(X, categorical=categorical)
        self.tree_ = grow_tree(
            columns,
            labels,
            len(self.classes_),
            criterion=self.criterion,  # type: ignore[arg-type]  # checked to be one of the words
            weight=weight,
            **self._rules(),
        )
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The shares of the classes in the leaf that each example reaches."""
        check_is_fitted(self)
        value = self.tree_.value[self.apply(X)]
        return np.asarray(value / value.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> Array:
        """The most frequent class of the leaf; of equally frequent ones the first."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


class DecisionTreeRegressor(RegressorMixin, _TreeEstimator):
    """A regression tree: splits lower the variance most, and a leaf predicts the mean; else as `DecisionTree`.

    Examples
    --------
    >>> DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [0.0, 1.0, 6.0]).predict([[5.0]]).tolist()
    [6.0]
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree; examples of weight 0 are left out."""
        X, y, categorical = self._read(X, y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        columns = sort_columns(X, categorical=categorical)
        self.tree_ = grow_regression_tree(columns, np.asarray(y, dtype=float), weight=weight, **self._rules())
        return self

    def predict(self, X: Any) -> Floats:
        """The mean of the targets in the leaf that each example reaches."""
        check_is_fitted(self)
        return np.asarray(self.tree_.value[self.apply(X), 0])


def export_text(model: DecisionTree | DecisionTreeRegressor, feature_names: Any = None, max_depth: int = 10) -> str:
    """The questions of a fitted tree, indented, and what each leaf predicts.

    >>> print(export_text(DecisionTree().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"]), ["size"]))
    size <= 3
      yes: a  (2 of 2)
      no: b  (1 of 1)
    """
    check_is_fitted(model)
    names = [f"x{j + 1}" for j in range(model.n_features_in_)] if feature_names is None else list(feature_names)
    if len(names) != model.n_features_in_:
        raise ValueError(f"expected {model.n_features_in_} feature_names, one for each column, got {len(names)}")
    lines: list[str] = []
    _tell(model, names, max_depth, 0, "", lines)
    return "\n".join(lines)


def _tell(model: Any, names: list[str], max_depth: int, node: int, answer: str, lines: list[str]) -> None:
    tree = model.tree_
    depth = int(tree.depth[node])
    start = "  " * depth + answer
    if tree.feature[node] < 0 or depth >= max_depth:
        lines.append(start + _prediction(model, node))
        return
    j = int(tree.feature[node])
    if np.isnan(tree.threshold[node]):
        chosen = [str(c) for code, c in enumerate(model.categories_[j]) if int(tree.categories[node]) >> code & 1]
        lines.append(f"{start}{names[j]} in {{{', '.join(chosen)}}}")
    elif np.isinf(tree.threshold[node]):
        lines.append(f"{start}{names[j]} is known")
    else:
        lines.append(f"{start}{names[j]} <= {tree.threshold[node]:.6g}")
    for child, word in zip(tree.children[node], ("yes: ", "no: "), strict=True):
        _tell(model, names, max_depth, int(child), word, lines)


def _prediction(model: Any, node: int) -> str:
    value, weight = model.tree_.value[node], model.tree_.weight[node]
    if hasattr(model, "classes_"):
        return f"{model.classes_[value.argmax()]}  ({value.max():g} of {weight:g})"
    return f"{value[0]:.6g}  ({weight:g})"
