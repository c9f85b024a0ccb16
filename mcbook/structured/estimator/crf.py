"""The conditional random field on a chain, as an estimator."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from mcbook.foundation.estimators import (
    warn_not_converged,
)
from mcbook.foundation.types import Floats, Labels
from mcbook.foundation.vocabulary import LOOSE_TOL
from mcbook.structured.algorithm.features import Structures, score_of
from mcbook.structured.algorithm.inference import sum_over_labellings
from mcbook.structured.algorithm.training import fit_likelihood
from mcbook.structured.estimator.sequences import SequenceEstimator


class ChainCRF(SequenceEstimator):
    """Conditional random field on chains or trees: the labels of a sequence have probability e^score / Z.

    Minimises 1/2 |w|^2 + C times the sum over the sequences of -ln p(y | x), or with ``loss="softmax-margin"`` of
    ln sum_z e^(H(y, z) - w . (Psi(x, y) - Psi(x, z))), H being the number of wrong labels (Gimpel and Smith 2010).  The
    first is the conditional random field of Lafferty et al. (2001); the second is what some texts call so, and only
    the second bounds the Hamming loss (the book's `prp-softmax-margin-and-crf`).

    The likelihood is that of a whole labelling, which has labels of many classes, so weights of classes have no meaning
    for it; for the softmax-margin they say what errors cost.

    The other attributes are those of `SequenceEstimator`.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the losses.
    loss : {"log", "softmax-margin"}, default="log"
        The loss of a sequence, as above.
    class_weight : dict, "balanced" or None, default=None
        With the loss "softmax-margin", what a wrong label counts in H where the class is the right one; "balanced"
        makes it inversely proportional to the positions of each class, and None is 1.
    tol : float, default=0.0001
        The gap at which training stops, as a share of the objective; it bounds how far below the optimum can lie.
    max_iter : int, default=1000
        The largest number of steps of L-BFGS.
    n_jobs : int, default=1
        Blocks of sequences worked on at the same time.

    Attributes
    ----------
    objective_ : float
        The value reached.
    gap_ : float
        The bound on how far below the optimum can lie.
    n_iter_ : int
        The number of steps.

    Examples
    --------
    >>> model = ChainCRF().fit([[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[0.0], [1.0], [0.0]]])]
    [['b', 'a', 'b']]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "loss": [StrOptions({"log", "softmax-margin"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        loss: Literal["log", "softmax-margin"] = "log",
        class_weight: dict[Any, float] | str | None = None,
        tol: float = LOOSE_TOL,
        max_iter: int = 1000,
        n_jobs: int = 1,
    ) -> None:
        self.C = C
        self.loss = loss
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, *, parents: Any = None, sample_weight: Any = None) -> Self:
        """Learn from sequences and their labels.

        ``X`` is a list with one array (n_positions, n_features) for each sequence, dense or sparse, or one list of
        dictionaries of features; ``y`` is a list with one label for each position of each sequence.
        """
        super().fit(X, y, parents=parents, sample_weight=sample_weight)
        if self.gap_ > self.tol:
            warn_not_converged(f"max_iter={self.max_iter}", self.gap_, self.tol)
        return self

    def predict_marginals(self, X: Any, *, parents: Any = None) -> list[Floats]:
        """The probability of every class at every position, one array (n_positions, n_classes) for each sequence."""
        data, scores = self._scored(X, parents)
        return data.forest.split(sum_over_labellings(scores, data.forest).P)

    def log_probability(self, X: Any, y: Any, *, parents: Any = None) -> Floats:
        """ln p(y | x) of every sequence."""
        data, scores = self._scored(X, parents)
        own = score_of(scores, data.forest, self._known(self._labels(y, data)))
        return np.asarray(own - sum_over_labellings(scores, data.forest).log_partition)

    def _weights(self, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        if self.loss == "log" and self.class_weight is not None:
            raise ValueError(
                f'expected class_weight=None for loss="log", got {self.class_weight!r}: a labelling has labels of many '
                'classes and one probability; give sample_weight, or use loss="softmax-margin", where errors have costs'
            )
        cost = self._costs(None, data, y, weight) if self.loss == "softmax-margin" else None
        options: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter, "n_jobs": self.n_jobs}
        found = fit_likelihood(data, y, len(self.classes_), self.C, cost=cost, weight=weight, **options)
        self.gap_, self.objective_, self.n_iter_ = found.gap, found.objective, found.n_iter
        return found.w
