"""Decision trees that are grown and, at a penalty for each leaf, pruned, as scikit-learn estimators."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Bunch
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from mcbook.foundation.estimators import effective_weights, encode_classes, seed_of
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Integers, Matrix, RandomState
from mcbook.trees.algorithm.columns import sort_columns
from mcbook.trees.algorithm.growth import Tree, grow_regression_tree, grow_tree, leaves_of
from mcbook.trees.algorithm.weakest_links import CostedTree, PruningPath, cost_complexity_path, prune_tree
from mcbook.trees.estimator.rules import TreeRules, importances

# Penalties below this share of the root's impurity are rounding.
_NEGLIGIBLE = 2.0**-46


class _TreeEstimator(TreeRules):
    """What both trees share: pruning at a penalty, leaves, depth, importances."""

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **TreeRules._parameter_constraints,
        "ccp_alpha": [Interval(Real, 0, None, closed="left")],
    }

    tree_: Tree
    ccp_alpha: float

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree and prune it; examples of weight 0 are left out."""
        grown = self._grown(X, y, sample_weight)
        if self.ccp_alpha > 0:
            path = _path_of(grown)
            grown = prune_tree(grown, path.leaves_of(path.place_of(self.ccp_alpha)))
        self.tree_ = grown
        return self

    def cost_complexity_path(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Bunch:
        """The penalties at which the best pruning changes, and what is left of the impurity from each of them on.

        The tree that is grown from these examples has one sequence of best prunings, the weakest-link sequence
        (`mcbook.pruning.cost_complexity_path`, the book's `thm-weakest-link-pruning`).  ``ccp_alphas (n_trees,)``
        increase from 0; ``impurities (n_trees,)`` are sums over the leaves of their share of the weight times their
        impurity.  With ``ccp_alpha=ccp_alphas[i]``, if i > 0, `fit` gives the i-th tree.

        >>> path = DecisionTree().cost_complexity_path([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0])
        >>> path.ccp_alphas.round(4).tolist(), path.impurities.round(4).tolist()
        ([0.0, 0.1875], [0.0, 0.375])
        """
        path = _path_of(self._grown(X, y, sample_weight))
        # Links that gain nothing, but for rounding, are gone at the penalty 0.
        first = path.place_of(_NEGLIGIBLE * float(path.costs[-1]))
        return Bunch(ccp_alphas=np.r_[0.0, path.thresholds[first:]], impurities=path.costs[first:])

    def _grown(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Tree:
        raise NotImplementedError("expected a subclass that says how a tree is grown")

    def _rules(self) -> dict[str, Any]:
        features = None if self.max_features is None else min(self.max_features, self.n_features_in_)
        drawing = features is not None and features < self.n_features_in_
        return {**self._stopping(), "max_features": features, "seed": seed_of(self.random_state) if drawing else 0}

    def apply(self, X: Matrix) -> Integers:
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
        return importances(self.tree_, self.n_features_in_)


class DecisionTree(ClassifierMixin, _TreeEstimator):
    """A classification tree, grown greedily and pruned; missing values and categories of a data frame are understood.

    Every split has the question that lowers the impurity most (the book's `alg-greedy-tree`): x_j <= t with t in the
    middle of two neighbouring values, or whether a category is in a set, exact for two classes and for up to ten
    categories in a node.  Missing values go the way that lowers the impurity more.  Trees are those of scikit-learn
    where the rules coincide, but for ties, of which the first feature and the smallest threshold win here.  With a
    penalty ``ccp_alpha`` for each leaf the tree is cut back to the smallest of its best prunings.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification"}, default="gini"
        The impurity that the questions lower.
    max_depth : int or None, default=None
        The largest number of questions on a path to a leaf; None sets no limit.
    min_samples_split : int, default=2
        A node with fewer examples is not split.
    min_samples_leaf : int, default=1
        Every leaf has at least this many examples.
    max_leaf_nodes : int or None, default=None
        Grow best-first up to this many leaves, always splitting the leaf with the largest decrease of |n| F(n).
    min_weight_fraction_leaf : float, default=0.0
        Every leaf has at least this share of the weight.
    min_impurity_decrease : float, default=0.0
        A split must lower the impurity, times the share of the weight in its node, by at least this much.
    max_features : int or None, default=None
        Draw this many features for every node; None looks at all of them.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the draws.
    ccp_alpha : float, default=0.0
        Prune the tree at this penalty per leaf, as a share of the weight; 0 leaves it as it is.

    Attributes
    ----------
    tree_ : Tree
        The tree, in arrays.
    categories_ : dict
        The categories of each column of a data frame that has some.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

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
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        ccp_alpha: float = 0.0,
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
        self.criterion = criterion
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha

    def _grown(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Tree:
        X, y, categorical = self._read(X, y)
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight)
        return grow_tree(
            sort_columns(X, categorical=categorical),
            labels,
            len(self.classes_),
            criterion=self.criterion,
            weight=weight,
            **self._rules(),
        )

    def predict_proba(self, X: Matrix) -> Floats:
        """The shares of the classes in the leaf that each example reaches."""
        check_is_fitted(self)
        value = self.tree_.value[self.apply(X)]
        return np.asarray(value / value.sum(axis=1, keepdims=True))

    def predict(self, X: Matrix) -> Array:
        """The most frequent class of the leaf; of equally frequent ones the first."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


class DecisionTreeRegressor(RegressorMixin, _TreeEstimator):
    """A regression tree: splits lower the variance most, and a leaf predicts the mean; else as `DecisionTree`.

    Parameters
    ----------
    max_depth : int or None, default=None
        The largest number of questions on a path to a leaf; None sets no limit.
    min_samples_split : int, default=2
        A node with fewer examples is not split.
    min_samples_leaf : int, default=1
        Every leaf has at least this many examples.
    max_leaf_nodes : int or None, default=None
        Grow best-first up to this many leaves, always splitting the leaf with the largest decrease of |n| F(n).
    min_weight_fraction_leaf : float, default=0.0
        Every leaf has at least this share of the weight.
    min_impurity_decrease : float, default=0.0
        A split must lower the impurity, times the share of the weight in its node, by at least this much.
    max_features : int or None, default=None
        Draw this many features for every node; None looks at all of them.
    random_state : int, RandomState or None, default=None
        Seed of the draws.
    ccp_alpha : float, default=0.0
        Prune the tree at this cost of a leaf, as a share of the weight; 0 leaves it as it is.

    Attributes
    ----------
    tree_ : Tree
        The tree, in arrays.
    categories_ : dict
        The categories of each column of a data frame that has some.
    n_features_in_ : int
        The number of features.

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
        random_state: RandomState = None,
        ccp_alpha: float = 0.0,
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
        self.ccp_alpha = ccp_alpha

    def _grown(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Tree:
        X, y, categorical = self._read(X, y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        columns = sort_columns(X, categorical=categorical)
        return grow_regression_tree(columns, np.asarray(y, dtype=float), weight=weight, **self._rules())

    def predict(self, X: Matrix) -> Floats:
        """The mean of the targets in the leaf that each example reaches."""
        check_is_fitted(self)
        return np.asarray(self.tree_.value[self.apply(X), 0])


def _path_of(tree: Tree) -> PruningPath:
    """The weakest-link sequence, a node costing its share of the weight times its impurity."""
    return cost_complexity_path(CostedTree(tree.children, tree.weight / tree.weight[0] * tree.impurity))
