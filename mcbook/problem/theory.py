"""The problem of multi-class classification: scores, margins, ties, risks, priors, costs, and tasks with many answers.

Labels are 0 .. n_classes - 1.  A table of scores has shape (n_samples, n_classes), a table of costs (n_classes,
n_classes) with the true label as its row and the predicted one as its column.  Exact numbers (fractions, arrays of
dtype object) give exact results.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from mcbook.foundation.checks import (
    require_classes,
    require_labels,
    require_one_of,
    require_probabilities,
    require_same_length,
    require_whole,
)
from mcbook.foundation.distributions import uniform_distribution
from mcbook.foundation.types import Array, Booleans, Integers, Labels, Scalar, Values
from mcbook.foundation.vocabulary import PredictionTies

Task: TypeAlias = Literal["subset", "ranking", "sequence"]


# Scores, margins and ties.


def best_labels(scores: Array) -> Booleans:
    """Which labels have the largest score of their row, for scores of shape (n_samples, n_classes).

    >>> best_labels(np.array([[1, 3, 3]])).tolist()
    [[False, True, True]]
    """
    table = _table(scores)
    return np.asarray(table == table.max(axis=1, keepdims=True), dtype=bool)


def predict_from_scores(scores: Array, ties: PredictionTies = "first") -> Labels:
    """argmax_l h(x, l), the label with the largest score; among equal scores the first or the last.

    Source: Mohri et al. (2018), section 9.2.

    >>> predict_from_scores([[1, 3, 3]]).tolist(), predict_from_scores([[1, 3, 3]], "last").tolist()
    ([1], [2])
    """
    best = best_labels(scores)
    if require_one_of(ties, PredictionTies, "ties") == "first":
        return np.asarray(best.argmax(axis=1))
    return np.asarray(best.shape[1] - 1 - best[:, ::-1].argmax(axis=1))


def score_margins(scores: Array, y: Labels | Sequence[int]) -> Array:
    """rho_h(x, y) = h(x, y) - max over y' != y of h(x, y') for each example (Mohri et al., section 9.2).

    ``scores (n_samples, n_classes)`` and ``y (n_samples,)``; positive where the label wins alone.

    >>> score_margins([[5, 2, 1], [3, 3, 1], [4, 2, 1]], [0, 1, 2]).tolist()
    [3, 0, -3]
    """
    table = _table(scores)
    labels = require_labels(y, table.shape[1])
    require_same_length(scores=table, y=labels)
    own = labels[:, None] == np.arange(table.shape[1])[None, :]
    rivals = table[~own].reshape(len(table), -1)
    return np.asarray(table[own] - rivals.max(axis=1))


def margin_error_bounds(margins: Array, probabilities: Array | None = None) -> tuple[Scalar, Scalar]:
    """Pr[rho < 0] and Pr[rho <= 0]: every rule for ties errs at least with the first, at most with the second.

    Without ``probabilities`` these are shares of a sample, as fractions.

    Source: Mohri et al. (2018), section 9.2.

    >>> margin_error_bounds(np.array([-1, 0, 1, 2]))
    (Fraction(1, 4), Fraction(1, 2))
    """
    margins = np.asarray(margins)
    distribution = _distribution(probabilities, len(margins))
    return _mean(margins < 0, distribution), _mean(margins <= 0, distribution)


# Risks.


def hamming_distances(predicted: Array, truth: Array) -> Integers:
    """How many symbols differ in each example: a label is one symbol, a row of answers has one for each label.

    Source: Mohri et al. (2018), (9.1) to (9.4).

    >>> hamming_distances(np.array([[1, 0, 1]]), np.array([[1, 1, 0]])).tolist()
    [2]
    """
    predicted, truth = np.asarray(predicted), np.asarray(truth)
    if predicted.shape != truth.shape or predicted.ndim not in (1, 2) or 0 in predicted.shape:
        raise ValueError(
            "expected predictions and truths of the same shape, (n_samples,) for single "
            f"labels or (n_samples, n_classes) for several, got {predicted.shape} and {truth.shape}"
        )
    differ = predicted != truth
    return np.asarray(differ.astype(int) if differ.ndim == 1 else differ.sum(axis=1))


def risk(predicted: Array, truth: Array, probabilities: Array | None = None) -> Scalar:
    """E d_H(h(x), y), the expected Hamming distance on a finite distribution, or on a sample (Mohri et al., 9.1 to 9.4).

    For single labels (n_samples,) this is the probability of an error, between 0 and 1; for several answers
    (n_samples, n_classes) the expected number of wrong ones, between 0 and n_classes.

    >>> risk([0, 1, 2], [0, 2, 2])
    Fraction(1, 3)
    """
    distances = hamming_distances(predicted, truth)
    return _mean(distances, _distribution(probabilities, len(distances)))


def one_hot(y: Labels, n_classes: int) -> Integers:
    """A label as a row with one 1, (n_samples, n_classes): two of these differ in two places or in none.

    Source: Mohri et al. (2018), (9.1) to (9.4).

    >>> one_hot(np.array([2, 0]), 3).tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    return np.asarray(np.eye(n_classes, dtype=np.int64)[require_labels(y, n_classes)])


# Unbalanced classes.


def class_errors(predicted: Labels, truth: Labels, n_classes: int, probabilities: Array | None = None) -> list[Scalar]:
    """Pr[h(x) != y | y = l] for each class l, which must all occur.

    Source: Mohri et al. (2018), section 9.1.

    >>> class_errors(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
    [Fraction(0, 1), Fraction(1, 2)]
    """
    predicted, truth = np.asarray(predicted), require_labels(truth, n_classes)
    distribution = _distribution(probabilities, len(truth))
    errors = []
    for label in range(n_classes):
        mine = truth == label
        prior = _mean(mine, distribution)
        if not prior > 0:
            raise ValueError(f"expected every class to occur, but class {label} has prior 0: leave it out")
        errors.append(_mean(mine & (predicted != truth), distribution) / prior)
    return errors


def balanced_risk(errors: Sequence[Scalar]) -> Scalar:
    """The mean of the errors of the classes: the risk if all classes were equally frequent.

    Source: Mohri et al. (2018), section 9.1.

    >>> balanced_risk([Fraction(0), Fraction(1, 2)])
    Fraction(1, 4)
    """
    return sum(errors) / len(errors)


def majority_risk(priors: Array) -> Scalar:
    """1 - max_l pi_l: the risk of always predicting the most frequent class.

    Source: Mohri et al. (2018), section 9.1.

    >>> majority_risk(np.array([Fraction(9, 10), Fraction(1, 10)]))
    Fraction(1, 10)
    """
    return 1 - max(require_probabilities(priors))


def constant_balanced_risk(n_classes: int) -> Fraction:
    """1 - 1/k: the balanced risk of any constant prediction.

    Source: Mohri et al. (2018), section 9.1.

    >>> constant_balanced_risk(4)
    Fraction(3, 4)
    """
    return 1 - Fraction(1, require_classes(n_classes, at_least=1))


# Costs and hierarchies.


def expected_costs(probabilities: Array, costs: Array) -> Array:
    """E c(y, j) = sum_y p_y c(y, j) for every label j that one might predict, when y has these probabilities.

    ``probabilities (n_classes,)``, ``costs (n_classes, n_classes)`` true by predicted label.

    Source: Mohri et al. (2018), section 9.1.

    >>> expected_costs(np.array([0.75, 0.25]), np.array([[0, 1], [8, 0]])).tolist()
    [2.0, 0.75]
    """
    distribution, costs = require_probabilities(probabilities), np.asarray(costs)
    if costs.shape != (len(distribution), len(distribution)):
        raise ValueError(
            f"expected costs of shape ({len(distribution)}, {len(distribution)}), true by predicted label, got {costs.shape}"
        )
    return np.asarray(distribution @ costs)


def best_prediction(probabilities: Array, costs: Array | None = None) -> int:
    """The label of least expected cost, the first among equals; without costs the most probable label.

    Source: Mohri et al. (2018), section 9.1.

    >>> healthy_or_ill = [Fraction(9, 10), Fraction(1, 10)]
    >>> best_prediction(healthy_or_ill), best_prediction(healthy_or_ill, [[0, 1], [20, 0]])
    (0, 1)
    """
    distribution = require_probabilities(probabilities)
    return int(np.argmin(expected_costs(distribution, zero_one_costs(len(distribution)) if costs is None else costs)))


def zero_one_costs(n_classes: int) -> Integers:
    """Cost 1 for every error and 0 for none.

    >>> zero_one_costs(3).tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    return 1 - np.eye(n_classes, dtype=np.int64)


def tree_distances(paths: Sequence[Sequence[str]]) -> Integers:
    """Number of edges between the leaves of a tree, each leaf given by its path from the root.

    Source: Mohri et al. (2018), section 9.1.

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
    """2^k subsets, k! rankings, k^n sequences of length n.

    Source: Roth (2018), slides on multi-categorical output.

    >>> count_answers("sequence", 3, 4)
    81
    """
    _check_task(task, n_labels, length)
    if task == "subset":
        return 2**n_labels
    return math.factorial(n_labels) if task == "ranking" else n_labels**length


def answers(task: Task, n_labels: int, length: int = 1) -> Iterator[tuple[int, ...]]:
    """The answers themselves: 0/1 for each label, the labels in an order, or one label for each place.

    Source: Roth (2018), slides on multi-categorical output.

    >>> list(answers("ranking", 2))
    [(0, 1), (1, 0)]
    """
    _check_task(task, n_labels, length)
    if task == "subset":
        return itertools.product((0, 1), repeat=n_labels)
    if task == "ranking":
        return itertools.permutations(range(n_labels))
    return itertools.product(range(n_labels), repeat=length)


def coherent_subsets(parents: Sequence[int | None]) -> Iterator[tuple[int, ...]]:
    """The answers of the hierarchical task, 0/1 for each label: subsets that contain with each label its parent.

    ``parents[l]`` is the label above l, or None at the top.

    Source: Roth (2018), slides on multi-categorical output.

    >>> list(coherent_subsets([None, 0, 0]))  # soccer and tennis are sports
    [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    """
    above = _checked_parents(parents)
    for subset in itertools.product((0, 1), repeat=len(above)):
        if all(parent is None or subset[parent] >= chosen for chosen, parent in zip(subset, above, strict=True)):
            yield subset


def count_coherent_subsets(parents: Sequence[int | None]) -> int:
    """The product of N_l over the labels at the top, where N_l = 1 + the product of N_j over the labels j below l.

    N_l counts the choices within the branch of l: nothing of it, or l with one choice for each branch below it.

    Source: Roth (2018), slides on multi-categorical output.

    >>> count_coherent_subsets([None, 0, 0])
    5
    """
    above = _checked_parents(parents)

    def below(label: int | None) -> int:
        return math.prod(1 + below(child) for child, parent in enumerate(above) if parent == label)

    return below(None)


def _checked_parents(parents: Sequence[int | None]) -> list[int | None]:
    above = list(parents)
    for parent in above:
        if parent is not None and not 0 <= parent < len(above):
            raise ValueError(f"expected parents among the labels 0 .. {len(above) - 1} or None, got {parent}")
    for label in range(len(above)):
        ancestor: int | None = label
        for _ in above:
            ancestor = None if ancestor is None else above[ancestor]
        if ancestor is not None:
            raise ValueError(f"expected a hierarchy, but label {label} lies below itself: {above}")
    if not above:
        raise ValueError("expected the parents of at least one label, got none")
    return above


def _check_task(task: str, n_labels: int, length: int) -> None:
    require_one_of(task, Task, "task")
    require_whole(n_labels, "n_labels", at_least=1)
    require_whole(length, "length", at_least=1)


# What several of them need.


def _table(scores: Array) -> Array:
    table = np.asarray(scores)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError(f"expected scores (n_samples, n_classes) of at least two classes, got shape {table.shape}")
    # Infinite scores compare well enough.
    if table.dtype.kind == "f" and np.isnan(table).any():
        raise ValueError("expected scores that can be compared, got NaN: look for the classifier that made it")
    return table


def _distribution(probabilities: Array | None, n_atoms: int) -> Array:
    """The probabilities of a distribution on so many atoms; without them, those of a sample, as fractions."""
    distribution = uniform_distribution(n_atoms).probabilities if probabilities is None else probabilities
    return require_probabilities(distribution, n_atoms)


def _mean(values: Array, distribution: Array) -> Values:
    # Python's ints beside fractions keep the sum exact.
    return np.asarray(values).astype(distribution.dtype) @ distribution
