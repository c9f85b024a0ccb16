"""Passes over the constraints in d dimensions: a violated pair costs O(d), and no lifted vector is ever built.

The scores of an example are computed once, for all classes; an update on the example moves two of them by a known
amount, so that the pairs after it are still tested against the weights as they are then.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
_REORDERED_SUMS = {"reassoc", "contract", "nsz"}

# Two of the rules by which a pass makes its updates; any other number means the mean of the violated pairs.
EACH, WORST = 0, 1


@njit(cache=True, fastmath=_REORDERED_SUMS)
def inner(w, x):
    """The inner product of two vectors."""
    total = w[0] * x[0]
    for j in range(1, len(x)):
        total += w[j] * x[j]
    return total


@njit(cache=True)
def fill_scores(W, x, scores):
    """Fill ``scores`` with W @ x."""
    for z in range(W.shape[0]):
        scores[z] = inner(W[z], x)


@njit(cache=True)
def add_pair(W, i, j, x, share):
    """Add share * x to row i and take it from row j."""
    for f in range(len(x)):
        change = share * x[f]
        W[i, f] += change
        W[j, f] -= change


@njit(cache=True)
def perceptron_pass(X, starts, preferred, rivals, order, weight, W, delayed, step, rule, counts, log):
    """Visit the examples in the given order; returns how many updates were made and how many pairs they used.

    Changes ``W (n_classes, n_features)`` and ``delayed``, which gets every update as many times as there were visits
    before it.  ``log`` gets the pairs of the updates one after the other, ``counts`` how many pairs each update used.
    ``weight (n_samples,)`` multiplies the step.  ``rule``: each violated pair in turn, the worst one, or their mean.
    """
    scores = np.empty(W.shape[0], W.dtype)
    n_updates, n_logged = 0, 0
    for e in order:
        x = X[e]
        fill_scores(W, x, scores)
        square = inner(x, x) * weight[e]
        worst, n_violated = -1, 0
        for p in range(starts[e], starts[e + 1]):
            i, j = preferred[p], rivals[p]
            gap = scores[i] - scores[j]
            if gap > 0:
                continue
            if rule == EACH:
                add_pair(W, i, j, x, weight[e])
                add_pair(delayed, i, j, x, step * weight[e])
                scores[i] += square
                scores[j] -= square
                log[n_logged], counts[n_updates] = p, 1
                n_logged += 1
                n_updates += 1
            elif rule == WORST:
                if worst < 0 or gap < scores[preferred[worst]] - scores[rivals[worst]]:
                    worst = p
            else:
                log[n_logged + n_violated] = p
                n_violated += 1
        if worst >= 0:
            log[n_logged] = worst
            n_violated = 1
        if n_violated > 0:
            share = weight[e] / n_violated
            for v in range(n_logged, n_logged + n_violated):
                add_pair(W, preferred[log[v]], rivals[log[v]], x, share)
                add_pair(delayed, preferred[log[v]], rivals[log[v]], x, step * share)
            counts[n_updates] = n_violated
            n_logged += n_violated
            n_updates += 1
        step += 1
    return n_updates, n_logged


@njit(cache=True)
def winnow_pass(X, starts, preferred, rivals, order, weight, above, below, base, cap, log):
    """Multiply where the Perceptron adds: on a violated pair row i of ``above`` by base^x and of ``below`` by base^-x.

    Row j gets the inverse.  The weights that score are above - below.  Those that would leave [1/cap, cap] stay at its
    end, so that no float overflows.  Returns the number of updates; ``log`` gets the pair of each.
    """
    W = above - below
    scores = np.empty(W.shape[0], W.dtype)
    n_updates = 0
    for e in order:
        x = X[e]
        fill_scores(W, x, scores)
        for p in range(starts[e], starts[e + 1]):
            i, j = preferred[p], rivals[p]
            if scores[i] - scores[j] > 0:
                continue
            for f in range(len(x)):
                factor = min(max(base ** (weight[e] * x[f]), 1 / cap), cap)
                above[i, f] = min(max(above[i, f] * factor, 1 / cap), cap)
                below[i, f] = min(max(below[i, f] / factor, 1 / cap), cap)
                above[j, f] = min(max(above[j, f] / factor, 1 / cap), cap)
                below[j, f] = min(max(below[j, f] * factor, 1 / cap), cap)
                W[i, f] = above[i, f] - below[i, f]
                W[j, f] = above[j, f] - below[j, f]
            scores[i], scores[j] = inner(W[i], x), inner(W[j], x)
            log[n_updates] = p
            n_updates += 1
    return n_updates


@njit(cache=True)
def ascent_pass(X, starts, preferred, rivals, order, limits, W, alpha):
    """One pass of dual coordinate ascent for the SVM with a slack for each pair; returns how many alphas moved.

    ``alpha (n_pairs,)`` between 0 and ``limits (n_pairs,)``; W is the sum of alpha_p times the Kesler vector of p.
    """
    scores = np.empty(W.shape[0], W.dtype)
    n_moved = 0
    for e in order:
        x = X[e]
        square = inner(x, x)
        if square == 0:
            continue
        fill_scores(W, x, scores)
        for p in range(starts[e], starts[e + 1]):
            i, j = preferred[p], rivals[p]
            wanted = alpha[p] + (1 - (scores[i] - scores[j])) / (2 * square)
            move = min(max(wanted, 0 * wanted), limits[p]) - alpha[p]
            if move != 0:
                alpha[p] += move
                add_pair(W, i, j, x, move)
                scores[i] += move * square
                scores[j] -= move * square
                n_moved += 1
    return n_moved
