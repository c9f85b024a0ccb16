"""The problem of multi-class classification: scores, margins, ties, risks, priors, costs, and tasks with many answers.

Labels are 0 .. n_classes - 1.  A table of scores has shape (n_samples, n_classes), a table of costs (n_classes,
n_classes) with the true label as its row and the predicted one as its column.  Exact numbers (fractions, arrays of
dtype object) give exact results.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
TieRule = Literal["first", "last"]
Task = Literal["subset", "ranking", "sequence"]


# Scores, margins and ties.


def best_labels(scores: Any) -> NDArray[np.bool_]:
    """Which labels have the largest score of their row."""
    table = _table(scores)
    return np.asarray(table == table.max(axis=1, keepdims=True), dtype=bool)


def predict_from_scores(scores: Any, ties: TieRule = "first") -> NDArray[np.int64]:
    """The label with the largest score; among equal scores the first or the last."""
    best = best_labels(scores)
    if ties == "first":
        return np.asarray(best.argmax(axis=1))
    if ties == "last":
        return np.asarray(best.shape[1] - 1 - best[:, ::-1].argmax(axis=1))
    raise ValueError(f"expected ties 'first' or 'last', got {ties!r}")


def score_margins(scores: Any, y: Any) -> Array:
    """rho_h(x, y) = h(x, y) - max over y' != y of h(x, y'), for each example."""
    table, labels = _table(scores), _labels(y)
    if labels.shape != table.shape[:1] or labels.max() >= table.shape[1]:
        raise ValueError(
            f"expected one label in 0 .. {table.shape[1] - 1} for each of {len(table)} rows of scores, "
            f"got labels of shape {labels.shape} up to {labels.max()}"
        )
    own = labels[:, None] == np.arange(table.shape[1])[None, :]
    rivals = table[~own].reshape(len(table), -1)
    return np.asarray(table[own] - rivals.max(axis=1))


def margin_error_bounds(margins: Any, weights: Any = None) -> tuple[Any, Any]:
    """Pr[rho < 0] and Pr[rho <= 0]: every rule for ties errs at least with the first, at most with the second."""
    margins = np.asarray(margins)
    weights = _weights(weights, len(margins))
    return _total(margins < 0, weights), _total(margins <= 0, weights)


# Risks.


def hamming_distances(predicted: Any, truth: Any) -> Array:
    """How many symbols differ in each example: a label is one symbol, a row of answers has one for each label."""
    predicted, truth = np.asarray(predicted), np.asarray(truth)
    if predicted.shape != truth.shape or predicted.ndim not in (1, 2) or 0 in predicted.shape:
        raise ValueError(
            "expected predictions and truths of the same shape, (n_samples,) for single "
            f"labels or (n_samples, n_classes) for several, got {predicted.shape} and {truth.shape}"
        )
    differ = predicted != truth
    return np.asarray(differ.astype(int) if differ.ndim == 1 else differ.sum(axis=1))


def risk(predicted: Any, truth: Any, weights: Any = None) -> Any:
    """E d_H(h(x), y): the expected Hamming distance on a finite law with these weights, or on a sample without them.

    For single labels this is the probability of an error, between 0 and 1; for several, the expected number of wrong
    answers, between 0 and n_classes.
    """
    distances = hamming_distances(predicted, truth)
    return _total(distances, _weights(weights, len(distances)))


def one_hot(y: Any, n_classes: int) -> NDArray[np.int64]:
    """A label as a row with one 1: two of these differ in two places or in none."""
    labels = _labels(y)
    if labels.size and labels.max() >= n_classes:
        raise ValueError(f"expected labels 0 .. {n_classes - 1}, got {labels.max()}: encode them first")
    return np.asarray(np.eye(n_classes, dtype=np.int64)[labels])


# Unbalanced classes.


def class_errors(predicted: Any, truth: Any, n_classes: int, weights: Any = None) -> list[Any]:
    """Pr[h(x) != y | y = l] for each class l."""
    predicted, truth = np.asarray(predicted), _labels(truth)
    weights = _weights(weights, len(truth))
    errors = []
    for label in range(n_classes):
        mine = truth == label
        prior = _total(mine, weights)
        if not prior > 0:
            raise ValueError(f"expected every class to occur, but class {label} has prior 0: leave it out")
        errors.append(_total(mine & (predicted != truth), weights) / prior)
    return errors


def balanced_risk(errors: Sequence[Any]) -> Any:
    """The mean of the errors of the classes: the risk if all classes were equally frequent."""
    return sum(errors) / len(errors)


def majority_risk(priors: Any) -> Any:
    """1 - max_l pi_l: the risk of always predicting the most frequent class."""
    return 1 - max(_law(priors))


def constant_balanced_risk(n_classes: int) -> Fraction:
    """1 - 1/k: the balanced risk of any constant prediction."""
    if n_classes < 1:
        raise ValueError(f"expected at least one class, got {n_classes}")
    return 1 - Fraction(1, n_classes)


# Costs and hierarchies.


def expected_costs(probabilities: Any, costs: Any) -> Array:
    """E c(y, j) for every label j that one might predict, when y has these probabilities."""
    law, costs = _law(probabilities), np.asarray(costs)
    if costs.shape != (len(law), len(law)):
        raise ValueError(
            f"expected costs of shape ({len(law)}, {len(law)}), true by predicted label, got {costs.shape}"
        )
    return np.asarray(law @ costs)


def best_prediction(probabilities: Any, costs: Any = None) -> int:
    """The label of least expected cost, the first among equals; without costs the most probable label."""
    law = _law(probabilities)
    return int(np.argmin(expected_costs(law, zero_one_costs(len(law)) if costs is None else costs)))


def zero_one_costs(n_classes: int) -> NDArray[np.int64]:
    """Cost 1 for every error and 0 for none."""
    return 1 - np.eye(n_classes, dtype=np.int64)


def tree_distances(paths: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Number of edges between the leaves of a tree, each leaf given by its path from the root.

    >>> tree_distances([("animal", "cat"), ("animal", "dog"), ("vehicle", "car")]).tolist()
    [[0, 2, 4], [2, 0, 4], [4, 4, 0]]
    """
    routes = [tuple(path) for path in paths]
    if len(set(routes)) != len(routes):
        raise ValueError(f"expected a path of its own for every label, got {routes}")
    return np.array([[len(a) + len(b) - 2 * _shared(a, b) for b in routes] for a in routes], dtype=np.int64)


def _shared(a: Sequence[str], b: Sequence[str]) -> int:
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


# Tasks with more than one symbol in the answer.


def count_answers(task: Task, n_labels: int, length: int = 1) -> int:
    """2^K subsets, K! rankings, K^L sequences of length L."""
    _check_task(task, n_labels, length)
    if task == "subset":
        return 2**n_labels
    return math.factorial(n_labels) if task == "ranking" else n_labels**length


def answers(task: Task, n_labels: int, length: int = 1) -> Iterator[tuple[int, ...]]:
    """The answers themselves: 0/1 for each label, the labels in an order, or one label for each place."""
    _check_task(task, n_labels, length)
    if task == "subset":
        return itertools.product((0, 1), repeat=n_labels)
    if task == "ranking":
        return itertools.permutations(range(n_labels))
    return itertools.product(range(n_labels), repeat=length)


def _check_task(task: str, n_labels: int, length: int) -> None:
    if task not in ("subset", "ranking", "sequence"):
        raise ValueError(f"expected the task 'subset', 'ranking' or 'sequence', got {task!r}")
    if n_labels < 1 or length < 1:
        raise ValueError(f"expected at least one label and length 1, got {n_labels} labels and length {length}")


# What all of them check.


def _table(scores: Any) -> Array:
    table = np.asarray(scores)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError(f"expected scores (n_samples, n_classes) of at least two classes, got shape {table.shape}")
    if table.dtype.kind == "f" and np.isnan(table).any():
        raise ValueError("expected scores that can be compared, got NaN: look for the classifier that made it")
    return table


def _labels(y: Any) -> NDArray[np.int64]:
    given = np.asarray(y)
    labels = given.astype(np.int64)
    if labels.ndim != 1 or (labels != given).any() or (labels < 0).any():
        raise ValueError(f"expected labels (n_samples,) counted from 0, got {given.tolist()}: encode them first")
    return labels


def _weights(weights: Any, count: int) -> Array:
    """The weights of a law on so many atoms; without them, those of a sample, as fractions."""
    if weights is None:
        return np.full(count, Fraction(1, count), dtype=object)
    law = _law(weights)
    if len(law) != count:
        raise ValueError(f"expected a weight for each of {count} examples, got {len(law)}")
    return law


def _law(probabilities: Any) -> Array:
    law = np.asarray(probabilities)
    if law.ndim != 1 or not law.size or (law < 0).any() or abs(law.sum() - 1) > 1e-9:
        raise ValueError(
            f"expected probabilities >= 0 that sum to 1, got {law.tolist()}: divide non-negative weights by their sum"
        )
    return law


def _total(values: Array, weights: Array) -> Any:
    # Python's ints beside fractions keep the sum exact.
    return np.asarray(values).astype(weights.dtype) @ weights


def as_law(counts: Iterable[int]) -> Array:
    """Fractions in proportion to whole numbers.

    >>> as_law([1, 3]).tolist()
    [Fraction(1, 4), Fraction(3, 4)]
    """
    whole = [int(count) for count in counts]
    return np.array([Fraction(count, sum(whole)) for count in whole], dtype=object)
