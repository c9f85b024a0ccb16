"""AdaBoost.MO as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.boosting import staged_votes
from mcbook.boosting.algorithm.adaboost import votes_on
from mcbook.boosting.estimator import BoostingClassifier
from mcbook.foundation.checks import require_labels, require_signs
from mcbook.foundation.estimators import as_decision, effective_weights, encode_classes, largest_score
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Function, Matrix, RandomState
from mcbook.output_code_errors import equal_nonzeros, negative_margin, opposite_columns
from mcbook.output_code_margins.algorithm.boosting import column_runs
from mcbook.output_code_margins.algorithm.votes import decoding_margins
from mcbook.output_code_margins.theory.margin import training_margin_bound_with_zeros
from mcbook.output_codes.algorithm.decoding import decoding_scores, find_decoder
from mcbook.output_codes.estimator.output_code import CODES, RANDOM_CODES, find_code


class AdaBoostMO(BoostingClassifier):
    """AdaBoost.MO: boost all columns of an output code together, and decode their votes.

    A round asks the weak learner for one hypothesis on all columns, whose weight they share: AdaBoost on the pairs of
    an example and a column, the label of a pair being the entry of the code.  Pairs with a zero entry have no weight.
    With the code "one-vs-rest" this is AdaBoost.MH.  The share of training margins <= theta is at most
    `training_margin_bound(theta)`, the book's `thm-code-margin-training-bound`.  There is no ``predict_proba``: votes
    of columns are not probabilities of classes.

    Parameters
    ----------
    estimator : "stump", "real stump" or estimator, default="stump"
        "stump" learns one question and a sign for every column on each side of it, "real stump" the same with real
        votes; or any classifier whose ``fit`` takes ``sample_weight``, of which a copy is trained for each column in
        each round.
    n_estimators : int, default=100
        The largest number of rounds.
    code : str or array-like of shape (n_classes, n_columns), default="one-vs-rest"
        "one-vs-rest", "all-pairs", "complete", "hadamard", "dense" or "sparse" (the best of 10 000 random codes); or a
        matrix of -1, 0 and +1 with one row for each class in sorted order, as for `OutputCode`.
    decoder : str or callable, default="exponential"
        "exponential", of which the theorems speak; "hamming"; "linear", the loss -z; the name of another loss of
        `mcbook.losses`; or a function of the margins.
    ties : {"margin", "first"}, default="margin"
        "margin" takes, among classes at the same Hamming distance, the one with the largest sum of code entry times
        vote; "first" takes the first.
    single_call : bool, default=True
        Boost all columns together; if False, each column is boosted by itself on the examples that it uses.
    categorical_features : array-like or None, default=None
        For stumps: a mask or the indices of the features that are categories, coded 0, 1, ...; a stump asks whether the
        feature is one of them.
    max_bins : int or None, default=None
        For stumps: merge the values of every feature into at most this many bins; None tries every threshold.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of random codes and of what is random in ``estimator``.
    verbose : int, default=0
        1 shows a progress bar with the error of the last hypothesis; 0 shows nothing.

    Attributes
    ----------
    code_ : ndarray of shape (n_classes, n_columns)
        The code in use.
    estimators_ : list
        The hypotheses, whose ``outputs(X)`` gives their votes in all columns; if columns are boosted by themselves, a
        list of hypotheses for each column.
    estimator_weights_, estimator_errors_ : ndarray or list of ndarray
        The steps alpha_t and the errors epsilon_t, by column if columns are boosted by themselves.
    ending_ : str or list of str
        Why the run ended: "rounds", "perfect" or "useless".
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of rounds.

    References
    ----------
    Allwein, Schapire and Singer (2000), Reducing multiclass to binary, section 5; Schapire and Singer (1999).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = AdaBoostMO(n_estimators=20).fit(X, ["a", "a", "b", "b", "c", "c"])
    >>> model.predict([[0.4], [2.4], [9.0]]).tolist()
    ['a', 'b', 'c']
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **BoostingClassifier._parameter_constraints,
        "code": [StrOptions({*CODES, *RANDOM_CODES}), "array-like"],
        "decoder": [str, callable],
        "ties": [StrOptions({"margin", "first"})],
        "single_call": ["boolean"],
    }

    def __init__(
        self,
        estimator: BaseEstimator | str = "stump",
        n_estimators: int = 100,
        code: str | ArrayLike = "one-vs-rest",
        decoder: str | Function = "exponential",
        *,
        ties: str = "margin",
        single_call: bool = True,
        categorical_features: ArrayLike | None = None,
        max_bins: int | None = None,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators,
            categorical_features=categorical_features,
            max_bins=max_bins,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
        )
        self.code = code
        self.decoder = decoder
        self.ties = ties
        self.single_call = single_call

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the columns of the code; examples of weight 0 are left out."""
        self._loss()
        if self.single_call:
            return super().fit(X, y, sample_weight)
        self._validate_params()
        X, y = validate_data(self, X, y, **self._conversion())
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight)
        kept = np.flatnonzero(weight > 0)
        self._set_code()
        X, labels, weight = X[kept], labels[kept], weight[kept]
        with self._progress(n_runs=self.code_.shape[1]) as on_round:
            self._runs = column_runs(
                lambda rows: self._learner(X[rows], weight[rows]),
                self.code_,
                labels,
                self.n_estimators,
                sample_weight=weight,
                on_round=on_round,
            )
        self._publish_columns()
        return self

    def _publish_columns(self) -> None:
        runs = self._runs
        self.estimators_ = [list(run.hypotheses) for run in runs]
        by_column: dict[str, object] = {
            "estimator_weights_": [np.asarray(run.steps, dtype=float) for run in runs],
            "estimator_errors_": [np.asarray(run.errors, dtype=float) for run in runs],
            "ending_": [run.ending for run in runs],
        }
        for name, values in by_column.items():
            setattr(self, name, values)
        self.n_iter_ = max(run.n_rounds for run in runs)

    def _set_code(self) -> None:
        code = find_code(self.code, len(self.classes_), self.random_state)
        self.code_ = require_signs(code, "entries of the code", zero=True)

    def _loss(self) -> Function:
        return find_decoder(negative_margin if self.decoder == "linear" else self.decoder)

    def _signs(self, labels: Array) -> Array:
        self._set_code()
        return np.asarray(self.code_[labels])

    def votes(self, X: Matrix) -> Floats:
        """sum_t alpha_t h_t(x, s), shape (n_samples, n_columns)."""
        X = self._checked(X)
        if self.single_call:
            return votes_on(self._run, X)
        return np.hstack([votes_on(run, X) for run in self._runs])

    def staged_votes(self, X: Matrix) -> Iterator[Floats]:
        """The votes after each round; a column whose run has ended keeps its last ones."""
        X = self._checked(X)
        if self.single_call:
            yield from staged_votes(self._run, X)
            return
        last = np.zeros((len(X), self.code_.shape[1]))
        for columns in zip_longest(*(staged_votes(run, X) for run in self._runs)):
            for s, column in enumerate(columns):
                if column is not None:
                    last[:, s] = column[:, 0]
            yield last.copy()

    def decision_function(self, X: Matrix) -> Array:
        """Minus the decoding distances; for two classes, as scikit-learn has it, second minus first."""
        return self._scores(self.votes(X))

    def staged_decision_function(self, X: Matrix) -> Iterator[Array]:
        """The scores after each round."""
        for votes in self.staged_votes(X):
            yield self._scores(votes)

    def staged_margins(self, X: Matrix, y: ArrayLike) -> Iterator[Floats]:
        """The margins of loss-based decoding, from -1 to 1, after each round: `decoding_margins` of the mean vote."""
        labels, etas = self._for_margins(y), np.cumsum(self.estimator_weights_)
        for votes, eta in zip(self.staged_votes(X), etas, strict=True):
            yield self._margins(votes, labels, eta)

    def margins(self, X: Matrix, y: ArrayLike) -> Floats:
        """The margins of loss-based decoding, from -1 to 1: positive where the label alone has the smallest loss."""
        return self._margins(self.votes(X), self._for_margins(y), self.estimator_weights_.sum())

    def training_margin_bound(self, theta: float = 0.0) -> float:
        """At least the share of training examples with a margin <= theta, from the errors of the rounds.

        For codes whose rows have equally many entries that are not 0; the factor is l / rho where there are no zeros.
        """
        check_is_fitted(self)
        self._require_shared_weights()
        if self.ending_ == "perfect":
            return 0.0 if theta < 1 else 1.0
        n_nonzero, n_opposite = equal_nonzeros(self.code_), opposite_columns(self.code_)
        return float(training_margin_bound_with_zeros(self.estimator_errors_, n_nonzero, n_opposite, float(theta)))

    def _for_margins(self, y: ArrayLike) -> Array:
        check_is_fitted(self)
        self._require_shared_weights()
        y = np.asarray(y)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(
                f"expected labels that fit has seen, got {unknown[:5].tolist()}: they have no row in the code"
            )
        return require_labels(np.searchsorted(self.classes_, y), len(self.classes_))

    def _margins(self, votes: Floats, labels: Array, eta: float) -> Floats:
        # The sum of the weights and that of the votes may part in the last digit.
        return np.asarray(decoding_margins(np.clip(votes / eta, -1, 1), self.code_, labels, eta, skip_zeros=True))

    def _require_shared_weights(self) -> None:
        if not self.single_call or self.estimator == "real stump":
            raise ValueError(
                "expected single_call=True and hypotheses of signs, got others: the margin of the theorems is that of "
                "votes which all columns weigh alike"
            )

    def _scores(self, votes: Floats) -> Array:
        return as_decision(decoding_scores(votes, self.code_, self._loss(), self.ties))  # type: ignore[arg-type]  # a word that fit has checked

    def _named(self, scores: Array) -> Array:
        return np.asarray(self.classes_[largest_score(scores)])
