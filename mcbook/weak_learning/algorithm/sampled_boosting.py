"""A learner as a booster meets it: called on examples drawn by the weights, again and again until it has the edge.

The vote of such a booster is made from few examples of the sample, those of the calls that succeeded.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.foundation.checks import require_same_length, require_share, require_whole
from mcbook.foundation.types import Array, Signs

# What a learner finds, from inputs to signs, and the learner itself, from inputs and labels to what it finds.
Answer: TypeAlias = Callable[[Array], Signs]
Learner: TypeAlias = Callable[[Array, Signs], Answer]


class CalledLearner:
    """A weak learner over a sample: draws ``n_called`` examples by the weights, until the answer has the ``edge``.

    ``X (n_samples,)`` or ``(n_samples, n_features)`` is the sample.  A hypothesis is known by the places of the
    examples from which it was learnt, in the order of the draws and with repetitions; ``calls`` counts the calls of
    each round.  The draws are in floats; whether the answer has the edge is decided in the numbers of the weights.

    >>> from mcbook.weak_learning import threshold_of_examples
    >>> called = CalledLearner(threshold_of_examples, np.arange(4.0), 2, Fraction(1, 5), np.random.default_rng(0))
    >>> places, outputs = called.learn(np.array([-Fraction(1, 4), -Fraction(1, 4), Fraction(1, 4), Fraction(1, 4)]))
    >>> len(places), outputs.tolist(), called.calls
    (2, [-1, -1, 1, 1], [1])
    """

    real_valued = False

    def __init__(
        self,
        learner: Learner,
        X: Array,
        n_called: int,
        edge: Fraction,
        rng: np.random.Generator,
        *,
        most_calls: int = 1000,
    ) -> None:
        require_share(2 * edge, "2 edge", "an edge lies between 0 and 1/2", zero=False, one=False)
        self.learner, self.X, self.edge, self.rng = learner, np.asarray(X), edge, rng
        self.n_called = require_whole(n_called, "n_called", at_least=1)
        self.most_calls = require_whole(most_calls, "most_calls", at_least=1)
        self.calls: list[int] = []

    def learn(self, S: Array) -> WeakFit:
        """The first answer whose edge under the sizes of the signed weights S is large enough."""
        signed = np.ravel(S)
        require_same_length(X=self.X, S=signed)
        D, y = np.abs(signed), np.where(signed > 0, 1, -1)
        chances = D.astype(float) / float(D.sum())
        for call in range(1, self.most_calls + 1):
            places = self.rng.choice(len(D), self.n_called, p=chances)
            outputs = self.learner(self.X[places], y[places])(self.X)
            if (signed * outputs).sum() >= 2 * self.edge * D.sum():
                self.calls.append(call)
                return WeakFit(tuple(places.tolist()), np.reshape(outputs, S.shape))
        raise ValueError(
            f"expected an answer with the edge {self.edge} within {self.most_calls} calls, got none: the learner does "
            "not keep its promise under these weights; promise a smaller edge, or give it more examples in a call"
        )
