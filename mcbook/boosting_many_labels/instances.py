"""Samples and pools on which boosting with many labels is put on trial and shown."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from mcbook.boosting_many_labels.theory import label_signs
from mcbook.foundation.checks import require_classes, require_whole
from mcbook.foundation.types import Array, Floats, Labels, Signs


class PairSample(NamedTuple):
    """Answers ``Y (n_samples, n_classes)``, and the outputs ``H (n_hypotheses, n_samples, n_classes)`` of a pool.

    >>> sample = one_label_wrong(1, 3)
    >>> (sample.Y * sample.H[0]).mean(axis=1).round(6).tolist()
    [0.333333]
    """

    Y: Signs
    H: Signs


def half_start_sample(n_classes: int) -> PairSample:
    """One example of label 0 whose score ties with that of label 1 under every combination of the pool.

    The pool answers yes to labels 0 and 1 alone, or no to all; with each hypothesis there is its negative.

    >>> half_start_sample(3).H[:2, 0].tolist()
    [[1, 1, -1], [-1, -1, -1]]
    """
    k = require_classes(n_classes)
    two, none = np.where(np.arange(k) < 2, 1, -1), np.full(k, -1)
    return PairSample(label_signs(np.array([0]), k), np.array([two, none, -two, -none])[:, None, :])


def label_blind_pool(n_samples: int, n_classes: int) -> Signs:
    """Every hypothesis that gives one answer to all labels of an example: 2^m of them.

    >>> label_blind_pool(1, 3).tolist()
    [[[1, 1, 1]], [[-1, -1, -1]]]
    """
    answers = np.array(list(itertools.product((1, -1), repeat=require_whole(n_samples, "n_samples", at_least=1))))
    return np.repeat(answers[:, :, None], n_classes, axis=2)


def one_label_wrong(n_samples: int, n_classes: int) -> PairSample:
    """A pool of one hypothesis, wrong on label 0 of every example and right on all others: its mean margin is 1 - 2/k.

    >>> one_label_wrong(1, 3).H[0].tolist()
    [[-1, 1, 1]]
    """
    Y = np.ones((n_samples, require_classes(n_classes)), dtype=np.int64)
    H = Y.copy()
    H[:, 0] = -1
    return PairSample(Y, H[None])


def tied_rival(n_classes: int) -> tuple[Labels, Signs]:
    """One example of label 0, and the one hypothesis that says yes to labels 0 and 1: AdaBoost.MR never parts them.

    >>> tied_rival(4)[1].tolist()
    [[[1, 1, -1, -1]]]
    """
    return np.array([0]), half_start_sample(n_classes).H[:1]


def three_by_three() -> PairSample:
    """Three examples, each with a label of its own, and six hypotheses: the worked case of the chapter.

    Hypothesis l answers yes to label l alone, for every example; the others say of one example what its label is, and
    no to all pairs besides.

    >>> sample = three_by_three()
    >>> sample.Y.shape, sample.H[0].tolist(), sample.H[3].tolist()
    ((3, 3), [[1, -1, -1], [1, -1, -1], [1, -1, -1]], [[1, -1, -1], [-1, -1, -1], [-1, -1, -1]])
    """
    Y = label_signs(np.arange(3), 3)
    column = np.where(np.eye(3, dtype=bool)[:, None, :], 1, -1).repeat(3, axis=1)
    single = np.array([np.where((np.arange(3)[:, None] == i) & (Y == 1), 1, -1) for i in range(3)])
    return PairSample(Y, np.concatenate([column, single]))


def square_labels(rng: np.random.Generator, n_samples: int) -> tuple[Floats, Signs]:
    """Points of the unit square and three answers for each: is it right of the middle, above it, above the diagonal?

    An example may have none, one, two or all three of the labels.

    >>> X, Y = square_labels(np.random.default_rng(0), 100)
    >>> X.shape, bool(((X[:, 0] > 0.5) == (Y[:, 0] > 0)).all())
    ((100, 2), True)
    """
    X = rng.random((n_samples, 2))
    Y = np.column_stack([X[:, 0] > 0.5, X[:, 1] > 0.5, X.sum(axis=1) > 1])
    return X, np.where(Y, 1, -1)


def as_single_column(outputs: Array) -> Array:
    """Outputs (.., n_samples, n_classes) as those on the n_samples * n_classes pairs, row by row.

    >>> as_single_column(np.array([[1, -1], [-1, 1]])).tolist()
    [1, -1, -1, 1]
    """
    table = np.asarray(outputs)
    return table.reshape(*table.shape[:-2], -1)
