"""The loss 0 or 1 on a whole sequence, which is no sum over positions: a state remembers whether there was an error."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.types import Array, Labels, Scalar, Values
from mcbook.structured.algorithm.features import Scores, require_labelling
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import Best, best_labelling

# What a position has seen of errors, coming from the first one: none so far, the first one here, one before.
_NONE, _HERE, _BEFORE = range(3)
_ALLOWED = ((_NONE, _NONE), (_NONE, _HERE), (_HERE, _BEFORE), (_BEFORE, _BEFORE))


def best_with_whole_loss(scores: Scores, forest: Forest, y: Labels, loss_weight: Scalar = 1) -> Best:
    """The labelling z with the largest score(z) + loss_weight [z != y], for each chain: Viterbi with three times the labels.

    A plain choice of labels would have to know, at the last position, whether all before it were right; the state
    carries just that.  Four of its nine kinds of pairs are allowed, so the cost is at most four times that of Viterbi.

    >>> from mcbook.structured import chains
    >>> best_with_whole_loss(Scores(np.zeros((2, 2)), np.zeros((2, 2))), chains([2]), [0, 0])
    Best(labels=array([0, 1]), values=array([1.]))
    """
    if forest.n_children.max() > 1:
        raise ValueError("expected chains, got a tree with branches: one branch does not see what was wrong in another")
    k = np.shape(scores.E)[1]
    found = best_labelling(with_error_state(scores, forest, require_labelling(y, forest, k), loss_weight), forest)
    return Best(found.labels % k, found.values)


def with_error_state(scores: Scores, forest: Forest, y: Labels, loss_weight: Values) -> Scores:
    """The scores of pairs (state, label), numbered state * n_labels + label; what is not allowed is walled off.

    >>> from mcbook.structured import chains
    >>> E, T = with_error_state(Scores(np.zeros((2, 2)), np.zeros((2, 2))), chains([2]), np.array([0, 0]), 1)
    >>> E.shape, T.shape, E[1].tolist()
    ((2, 6), (6, 6), [0.0, -4.0, -3.0, 1.0, 1.0, 1.0])
    """
    E, T = np.asarray(scores.E), np.asarray(scores.T)
    n, k = E.shape
    wall = -2 * (1 + abs(loss_weight) + np.abs(E).max(axis=1).sum() + n * np.abs(T).max())
    wide = np.concatenate([E, E, E], axis=1)
    right = np.arange(k) == y[:, None]
    wide[:, _NONE * k : _HERE * k][~right] = wall
    wide[:, _HERE * k : _BEFORE * k][right] = wall
    wide[forest.roots, _BEFORE * k :] = wall
    wide[forest.leaves, _HERE * k :] += loss_weight
    pairs = np.full((3 * k, 3 * k), wall, dtype=T.dtype if T.dtype == object else float)
    for before, after in _ALLOWED:
        pairs[before * k : (before + 1) * k, after * k : (after + 1) * k] = T
    return Scores(wide, pairs)


def whole_loss(y: Labels, z: Labels, forest: Forest) -> Array:
    """1 for each sequence in which some label is wrong, 0 for the others.

    >>> from mcbook.structured import chains
    >>> whole_loss([0, 1, 1], [0, 0, 1], chains([2, 1])).tolist()
    [1, 0]
    """
    return (forest.sums((np.asarray(y) != np.asarray(z)).astype(np.int64)) > 0).astype(np.int64)
