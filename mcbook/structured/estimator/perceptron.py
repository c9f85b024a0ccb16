"""The structured Perceptron as an estimator."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from mcbook.foundation.estimators import (
    NotDefined,
    warn_unfinished,
)
from mcbook.foundation.types import Floats, Labels
from mcbook.structured.algorithm.features import Structures
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.estimator.sequences import SequenceEstimator


class StructuredPerceptron(SequenceEstimator):
    """The Perceptron on joint features: on a mistake add those of the truth and take away those of the prediction.

    On separable sequences it makes at most R^2 / gamma^2 updates, as the multi-class Perceptron does.  The scores are
    no probabilities, so there are no marginals.  ``sample_weight`` multiplies the updates of a sequence, as it does for
    the multi-class Perceptron.  An update does not ask what a mistake costs, so weights of classes have no meaning.

    The other attributes are those of `SequenceEstimator`.

    Parameters
    ----------
    max_iter : int, default=10
        The largest number of passes over the data; training stops after a pass without a mistake.
    average : bool, default=True
        Use the mean of the weights over all visits; if False, the last weights.
    shuffle : bool, default=True
        Visit the sequences in a new random order in every pass.
    random_state : int, RandomState or None, default=None
        Seed of the orders.

    Attributes
    ----------
    n_iter_ : int
        The number of passes.
    n_updates_ : int
        The number of updates.
    converged_ : bool
        Whether the last pass was without a mistake.

    Examples
    --------
    >>> model = StructuredPerceptron(random_state=0).fit([[[1.0], [-1.0]], [[-1.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[-3.0], [2.0]]])], model.converged_
    ([['b', 'a']], True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "average": ["boolean"],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
    }

    class_weight = NotDefined("its updates do not ask what a mistake costs; give sample_weight to fit")

    def __init__(
        self, *, max_iter: int = 10, average: bool = True, shuffle: bool = True, random_state: Any = None
    ) -> None:
        self.max_iter = max_iter
        self.average = average
        self.shuffle = shuffle
        self.random_state = random_state

    def _weights(self, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        rng, n = check_random_state(self.random_state), data.forest.n_sequences
        order = (lambda epoch: rng.permutation(n)) if self.shuffle else None
        run = run_structured_perceptron(
            data, y, len(self.classes_), order=order, max_epochs=self.max_iter, weight=weight
        )
        self.n_iter_, self.n_updates_, self.converged_ = len(run.mistakes), run.n_updates, run.converged
        if not (self.average or self.converged_):
            warn_unfinished(
                f"{self.max_iter} passes ended with mistakes left, so the last weights are arbitrary: raise max_iter, "
                "or use average=True if the data are not separable",
            )
        return np.asarray(run.w_average if self.average else run.w)
