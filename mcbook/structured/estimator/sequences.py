"""Estimators for sequences: conditional random fields and the structured Perceptron in scikit-learn's manner.

``X`` is a list with one entry for each sequence: an array (n_positions, n_features), dense or sparse, or a list of
dictionaries of features, one for each position.  ``y`` is a list of as many lists of labels, strings or numbers.
Trees are given by ``parents``, one list for each: -1 for the root, then for every node an earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.feature_extraction import DictVectorizer
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from mcbook.foundation.estimators import (
    NotDefined,
    effective_weights,
    encode_classes,
    require_class_weights,
)
from mcbook.foundation.types import Array, Floats, Labels
from mcbook.structured.algorithm.decode import decode_labels
from mcbook.structured.algorithm.features import JointFeatures, Scores, Structures, score_of, structures
from mcbook.structured.algorithm.forest import chains, rooted_trees
from mcbook.structured.algorithm.inference import hamming_cost, require_cost


class SequenceEstimator(BaseEstimator):
    """What estimators of weights for joint features share: reading sequences, predictions, scores.

    A class says in ``_weights(data, y, weight)`` how it finds the weights, from `Structures`, labels counted from 0 and
    a weight > 0 for each sequence, or None where none are given.
    ``sample_weight`` has one number for each sequence: a sequence of weight 2 counts as if it were there twice, one of
    weight 0 as if it were left out.
    A label that was not in training is refused where a labelling is to be scored; in ``score`` it counts as an error,
    as it does in scikit-learn's.

    Attributes
    ----------
    classes_ (n_classes,) : the labels, in sorted order.
    coef_ (n_classes, n_features), transitions_ (n_classes, n_classes), start_, end_ (n_classes,) : the weights.
    n_features_in_ : as usual.
    vectorizer_ : the DictVectorizer that was fitted, if X had dictionaries.

    Examples
    --------
    >>> from mcbook.structured import ChainCRF
    >>> X, y = [[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]]
    >>> twice, copied = ChainCRF().fit(X, y, sample_weight=[1, 2]), ChainCRF().fit([*X, X[1]], [*y, y[1]])
    >>> isinstance(twice, SequenceEstimator), np.abs(twice.coef_ - copied.coef_).max() < 0.01
    (True, np.True_)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}
    predict_proba = NotDefined(
        "a sequence has a distribution of whole labellings; a ChainCRF gives it by predict_marginals"
    )

    def fit(self, X: Any, y: Any, *, parents: Any = None, sample_weight: Any = None) -> Self:
        """Learn from sequences and their labels.

        ``X`` is a list with one array (n_positions, n_features) for each sequence, dense or sparse, or one list of
        dictionaries of features; ``y`` is a list with one label for each position of each sequence.
        """
        self._validate_params()
        self.vectorizer_ = DictVectorizer() if _has_dictionaries(X) else None
        data = self._read(X, parents, fitting=True)
        self.n_features_in_ = data.n_features
        lengths, weight = data.forest.lengths, _weight_of_sequences(sample_weight, data)
        self.classes_, labels = encode_classes(
            self._labels(y, data), None if weight is None else np.repeat(weight, lengths)
        )
        if weight is not None and not weight.all():
            kept = weight > 0
            data, labels, weight = data.only(kept), labels[np.repeat(kept, lengths)], weight[kept]
        self._publish(self._weights(data, labels, weight))
        return self

    def predict(self, X: Any, *, parents: Any = None) -> list[Array]:
        """The best labelling of every sequence; of equally good ones the first in the order of the classes."""
        data, w = self._weighed(X, parents)
        return data.forest.split(self.classes_[self._decode_labels(w, data)])

    def joint_score(self, X: Any, y: Any, *, parents: Any = None) -> Floats:
        """w . Psi(x, y) of every sequence with the labels given, larger the better they go together."""
        data, scores = self._scored(X, parents)
        return np.asarray(score_of(scores, data.forest, self._known(self._labels(y, data))))

    def score(self, X: Any, y: Any, *, parents: Any = None, sample_weight: Any = None) -> float:
        """The share of positions that get the right label, each weighed as its sequence is."""
        data, w = self._weighed(X, parents)
        right = self.classes_[self._decode_labels(w, data)] == self._labels(y, data)
        weight = _weight_of_sequences(sample_weight, data)
        return float(np.average(right, weights=None if weight is None else np.repeat(weight, data.forest.lengths)))

    def _weights(self, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        raise NotImplementedError

    def _costs(self, cost: Any, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        """What errors cost, 1 unless a table is given, times the ``class_weight`` of the right label."""
        k = len(self.classes_)
        table = hamming_cost(k) if cost is None else require_cost(cost, k)
        given = getattr(self, "class_weight", None)
        if given is None:
            return table
        if given == "balanced":
            each = None if weight is None else np.repeat(weight, data.forest.lengths)
            counts = np.bincount(y, weights=each, minlength=k)
            factors = np.divide(counts.sum() / np.count_nonzero(counts), counts, out=np.ones(k), where=counts > 0)
        else:
            require_class_weights(given)
            factors = compute_class_weight(given, classes=self.classes_, y=self.classes_[y])
        return factors[:, None] * table

    def _publish(self, w: Floats) -> None:
        parts = self._features.parts(w)
        self.coef_ = np.ascontiguousarray(parts.W.T)
        self.transitions_, self.start_, self.end_ = (part.copy() for part in parts[1:])

    def _weighed(self, X: Any, parents: Any) -> tuple[Structures, Floats]:
        """The sequences as flat arrays, and the weights as one vector."""
        check_is_fitted(self, "coef_")
        data = self._read(X, parents, fitting=False)
        return data, np.vstack([self.coef_.T, self.transitions_, self.start_, self.end_]).ravel()

    def _scored(self, X: Any, parents: Any) -> tuple[Structures, Scores]:
        data, w = self._weighed(X, parents)
        return data, self._features.scores(w, data)

    def _decode_labels(self, w: Floats, data: Structures) -> Labels:
        return decode_labels(self._features, w, data, n_jobs=getattr(self, "n_jobs", 1))

    @property
    def _features(self) -> JointFeatures:
        return JointFeatures(self.n_features_in_, len(self.classes_))

    def _read(self, X: Any, parents: Any, *, fitting: bool) -> Structures:
        """The sequences as flat arrays."""
        sequences = _listed(X, "X")
        for number, sequence in enumerate(sequences):
            if (sequence.shape[0] if hasattr(sequence, "shape") else len(sequence)) == 0:
                raise ValueError(
                    f"expected at least one position in every sequence, sequence {number} is empty: leave it out"
                )
        if _has_dictionaries(X):
            table = self._from_dictionaries(sequences, fitting)
            lengths = [len(sequence) for sequence in sequences]
        else:
            arrays = [_as_table(sequence, number) for number, sequence in enumerate(sequences)]
            widths = {array.shape[1] for array in arrays} | (set() if fitting else {self.n_features_in_})
            if len(widths) > 1:
                raise ValueError(
                    f"expected the same number of features in every sequence"
                    f"{'' if fitting else ' as in training'}, got {', '.join(map(str, sorted(widths)))}"
                )
            lengths = [array.shape[0] for array in arrays]
            table = sp.vstack(arrays, format="csr") if any(map(sp.issparse, arrays)) else np.vstack(arrays)
        forest = chains(lengths) if parents is None else rooted_trees(_listed(parents, "parents"))
        if forest.lengths.tolist() != lengths:
            raise ValueError(
                f"expected as many parents as positions in every sequence, got {forest.lengths.tolist()[:9]} "
                f"for {lengths[:9]}"
            )
        return structures(table, forest)

    def _from_dictionaries(self, sequences: list[Any], fitting: bool) -> Any:
        if self.vectorizer_ is None:
            raise ValueError("expected arrays, as in training, got dictionaries of features: fit on dictionaries too")
        for number, sequence in enumerate(sequences):
            if not all(isinstance(position, Mapping) for position in sequence):
                raise ValueError(f"expected dictionaries of features throughout, sequence {number} has something else")
        flat = [position for sequence in sequences for position in sequence]
        return self.vectorizer_.fit_transform(flat) if fitting else self.vectorizer_.transform(flat)

    def _labels(self, y: Any, data: Structures) -> Array:
        """All labels one after the other."""
        given = [np.asarray(labels) for labels in _listed(y, "y")]
        if len(given) != data.forest.n_sequences:
            raise ValueError(f"expected labels for each of {data.forest.n_sequences} sequences, got {len(given)}")
        for number, (labels, length) in enumerate(zip(given, data.forest.lengths.tolist(), strict=True)):
            if labels.shape != (length,):
                raise ValueError(
                    f"expected one label for each of the {length} positions of sequence {number}, "
                    f"got labels of shape {labels.shape}"
                )
        return np.concatenate(given)

    def _known(self, labels: Array) -> Labels:
        unknown = np.setdiff1d(labels, self.classes_)
        if len(unknown):
            raise ValueError(
                f"expected labels among {self.classes_.tolist()}, got also {unknown.tolist()}: "
                "they were not in training"
            )
        return np.searchsorted(self.classes_, labels).astype(np.int64)


def _weight_of_sequences(sample_weight: Any, data: Structures) -> Floats | None:
    return None if sample_weight is None else effective_weights(data.forest.roots, None, sample_weight)


def _listed(sequences: Any, name: str) -> list[Any]:
    if isinstance(sequences, str | Mapping) or sp.issparse(sequences) or not hasattr(sequences, "__iter__"):
        raise ValueError(
            f"expected {name} to be a list with an entry for each sequence, got {type(sequences).__name__}: "
            "put a single sequence into a list"
        )
    listed = list(sequences)
    if not listed:
        raise ValueError(f"expected at least one sequence in {name}, got none")
    return listed


def _has_dictionaries(X: Any) -> bool:
    first = next((sequence for sequence in _listed(X, "X") if isinstance(sequence, list | tuple) and sequence), None)
    return first is not None and isinstance(first[0], Mapping)


def _as_table(sequence: Any, number: int) -> Any:
    if sp.issparse(sequence):
        return sp.csr_array(sequence, dtype=float)
    try:
        table = np.asarray(sequence, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"expected numbers (n_positions, n_features) in sequence {number}, or dictionaries throughout: {error}"
        ) from error
    if table.ndim != 2:
        raise ValueError(
            f"expected an array (n_positions, n_features) for sequence {number}, got shape {table.shape}: "
            "X is a list with one table for each sequence"
        )
    return table
