"""Random forests as a scikit-learn classifier."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from mcbook.forests.algorithm.growth import GrownForest, grow_forest
from mcbook.forests.estimator.voting import VOTING, Voters, positive
from mcbook.foundation.estimators import encode_classes, seed_of
from mcbook.foundation.progress import progress
from mcbook.foundation.types import ArrayLike, Booleans, ClassWeight, Floats, Labels, Matrix, RandomState
from mcbook.trees import leaves_of
from mcbook.trees.estimator.rules import TreeRules, importances


class RandomForest(Voters, TreeRules):
    """Trees on bootstrap samples, with features drawn at every split; a new point gets the plurality of all votes.

    The algorithm is the book's `alg-random-forest`; bootstraps are counts, which the trees' compiled core takes as
    weights, and the columns are sorted once.  Missing values and categories of a data frame are understood, as by
    `DecisionTree`.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        The features drawn: a number, a share of all, or None for all.
    draw : {"split", "tree"}, default="split"
        Draw features for every split, or once for every tree.
    bootstrap : bool, default=True
        False gives every tree the whole sample.
    voting : {"plurality", "mean"}, default="plurality"
        "plurality" counts the labels of the trees, "mean" averages the shares in their leaves.
    oob_score : bool, default=False
        Whether to estimate the accuracy by the votes out of the bag.
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
    class_weight : dict, "balanced" or None, default=None
        Examples are drawn in proportion to ``sample_weight`` times this, as many as there are examples with a weight.
        So only the proportions of the weights count, and an example of weight 2 is not quite the same as two examples,
        with which one more would be drawn.
    n_jobs : int or None, default=None
        Trees grown at the same time; None is 1, and -1 is all cores.
    random_state : int, RandomState or None, default=None
        Seed of the draws.
    verbose : int, default=0
        1 shows a progress bar; 0 shows nothing.

    Attributes
    ----------
    forest_ : GrownForest
        The trees, and the counts of the examples that had weight.
    oob_score_ : float
        The accuracy of the votes out of the bag, among the examples that have one.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        The shares of these votes for the examples that had weight, NaN where there are none.
    feature_importances_ : ndarray of shape (n_features,)
        The means of the trees' importances.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> model = RandomForest(n_estimators=20, random_state=0).fit([[1.0], [2.0], [7.0], [8.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.0], [9.0]]).tolist()
    ['a', 'b']
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **TreeRules._parameter_constraints,
        **VOTING,
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
        X, labels, weight = positive(weight > 0, X, labels, weight)
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
