"""The multi-class Winnow as a scikit-learn classifier."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval

from mcbook.foundation.estimators import split_intercept
from mcbook.foundation.types import ClassWeight, Floats, Integers, Labels, Matrix, RandomState
from mcbook.foundation.vocabulary import UpdateTies
from mcbook.perceptron.estimator import OnlineClassifier
from mcbook.winnow.algorithm.run import LARGEST_STEP, WinnowRun, run_winnow


class MulticlassWinnow(OnlineClassifier):
    """Multi-class Winnow: on a mistake, multiply the weights of the class by e^(eta x), and divide the best rival's.

    Where a mixture of the weights separates the classes with the margin gamma, features being scaled to [-1, 1], and
    eta = artanh(gamma), at most 2 ln(n_classes * n_features) / gamma^2 updates are made (the book's
    `thm-multiclass-winnow-bound`): irrelevant features cost their logarithm.  The weights of the run are positive; what
    speaks against a class is weight of its rivals.  They are kept as exponents, so none overflows or is lost.  A weight
    multiplies the step made on the example.  The scores are no probabilities, nor do they estimate any, so there
    is no ``predict_proba``.  ``X`` may be sparse; a visit costs n_classes times the entries of the example.

    Parameters
    ----------
    eta : float, default=0.1
        The step for a feature that is as large as any in ``X``.
    max_iter : int, default=20
        The largest number of passes over the data; training stops after a pass without a mistake.
    average : bool, default=True
        Use the geometric mean of the weights over all steps; if False, the last weights, of which the bound speaks.
    ties : {"mistake", "first"}, default="mistake"
        "mistake" counts a tie with a rival as a mistake; "first" predicts the first of tied classes.
    shuffle : bool, default=True
        Put the examples in a random order first, and visit blocks of them in a new random order in every pass.
    fit_intercept : bool, default=True
        Learn an intercept for each class, as the weight of a constant feature 1 beside the scaled ones.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the order.

    Attributes
    ----------
    coef_ : ndarray of shape (n_classes, n_features)
        The weights that predict, for ``X`` as it is given.
    intercept_ : ndarray of shape (n_classes,)
        The intercepts.
    scale_ : float
        The largest absolute entry of the ``X`` that training began with, by which ``X`` is divided.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes.
    n_updates_ : int
        The number of mistakes made, which is the left side of the mistake bound.
    converged_ : bool
        Whether the last pass was without a mistake.

    Examples
    --------
    >>> model = MulticlassWinnow(random_state=0).fit([[2.0, 1.0], [1.0, 3.0], [-3.0, -1.0]], ["a", "b", "c"])
    >>> model.predict([[5.0, 1.0]]).tolist(), model.converged_
    (['a'], True)
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **OnlineClassifier._parameter_constraints,
        "eta": [Interval(Real, 0, None, closed="neither")],
    }

    accepts_sparse = True

    def __init__(
        self,
        *,
        eta: float = 0.1,
        max_iter: int = 20,
        average: bool = True,
        ties: UpdateTies = "mistake",
        shuffle: bool = True,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.eta = eta
        self.max_iter = max_iter
        self.average = average
        self.ties = ties
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state

    def _scaled(self, X: Matrix) -> Matrix:
        if self._run is None:
            largest = float(abs(X).max()) if X.shape[0] else 0.0
            self.scale_ = largest if largest > 0 else 1.0
        return X / self.scale_

    def _continue_run(
        self, examples: Matrix, labels: Labels, n_passes: int, order: Callable[[int], Integers] | None
    ) -> WinnowRun:
        largest = float(abs(examples).max()) if examples.shape[0] else 0.0
        if self.eta * largest > LARGEST_STEP:
            # The features are scaled to [-1, 1], so what is large here is a weight or the step.
            raise ValueError(
                f"expected eta times the weight of an example to be at most {LARGEST_STEP:g}, got eta={self.eta:g} and "
                f"weights that reach {largest:g}: divide sample_weight or class_weight by its largest entry, or take "
                "a smaller eta"
            )
        factor = math.exp(self.eta)
        return run_winnow(
            examples,
            labels,
            len(self.classes_),
            factor=factor,
            ties=self.ties,
            order=order,
            start=self._run,
            max_epochs=n_passes,
        )

    def _publish_weights(self, W: Floats) -> None:
        coef, self.intercept_ = split_intercept(W, self.n_features_in_)
        self.coef_ = np.asarray(coef / self.scale_)
