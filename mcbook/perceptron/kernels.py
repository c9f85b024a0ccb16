"""The multi-class Perceptron's pass over the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.core.cgutils import get_item_pointer, ir
from numba.extending import intrinsic, overload

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
_REORDERED_SUMS = {"reassoc", "contract", "nsz"}
# The number of floats in a line of the cache, which come from memory at once.
_LINE = 8


@intrinsic
def _fetch(typing_context: Any, X: Any, i: Any, j: Any) -> Any:
    """Ask the memory for X[i, j], without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        entry = get_item_pointer(context, builder, signature.args[0], array, values[1:], wraparound=False)
        address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, flag, flag, flag])
        # To be read, soon and again, as data.
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address], kind)
        builder.call(prefetch, [builder.bitcast(entry, address), flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(X, i, j), generate


def fetch_row(X: Any, i: int) -> None:
    """Have the row X[i] brought near while another is worked on; it changes nothing but the time that it takes."""


@overload(fetch_row)
def _fetch_row(X, i):
    def fetch(X, i):
        for j in range(0, X.shape[1], _LINE):
            _fetch(X, i, j)

    return fetch


@njit(cache=True, fastmath=_REORDERED_SUMS)
def score_all(W, X, i, zero, scores):
    """Fill ``scores`` with W @ X[i], five classes at a time, so that x is read once for the five; sums begin at 0."""
    n_classes, n_features = W.shape
    z = 0
    while z + 5 <= n_classes:
        a = b = c = d = e = zero
        for j in range(n_features):
            a += W[z, j] * X[i, j]
            b += W[z + 1, j] * X[i, j]
            c += W[z + 2, j] * X[i, j]
            d += W[z + 3, j] * X[i, j]
            e += W[z + 4, j] * X[i, j]
        scores[z], scores[z + 1], scores[z + 2], scores[z + 3], scores[z + 4] = a, b, c, d, e
        z += 5
    for last in range(z, n_classes):
        a = zero
        for j in range(n_features):
            a += W[last, j] * X[i, j]
        scores[last] = a


@njit(cache=True)
def count_at_least(scores, threshold):
    """How many scores are at least ``threshold``, counted without a branch for the processor to guess."""
    n = 0
    for z in range(len(scores)):
        n += 1 if scores[z] >= threshold else 0
    return n


@njit(cache=True)
def strongest_rival(scores, label):
    """The class other than ``label`` with the largest score; among equals the smallest index."""
    rival = 1 if label == 0 else 0
    for z in range(rival + 1, len(scores)):
        if z != label and scores[z] > scores[rival]:
            rival = z
    return rival


@njit(cache=True)
def update_weights(W, delayed, label, rival, X, i, rate, step):
    """Add rate * X[i] to the label's weights and take it from the rival's; the same, times step, in ``delayed``."""
    for j in range(X.shape[1]):
        change = rate * X[i, j]
        W[label, j] += change
        W[rival, j] -= change
        delayed[label, j] += step * change
        delayed[rival, j] -= step * change


@njit(
    [
        "int64(float64[:, ::1], int64[::1], int64[::1], float64[:, ::1], float64[:, ::1], int64, float64, boolean,"
        " int64[:, ::1])"
    ],
    cache=True,
)
def perceptron_epoch(X, y, order, W, delayed, step, rate, ties_violate, updates):
    """Visit the examples in the given order; returns the number of updates made.

    Changes ``W (n_classes, n_features)``; ``delayed`` of the same shape, to which every update is added as many times
    as there were steps before it; and ``updates (len(order), 2)``, the example and rival of each update.
    """
    scores = np.empty(W.shape[0], W.dtype)
    zero, n_updates = 0 * rate, 0
    for place, i in enumerate(order):
        fetch_row(X, order[min(place + 1, len(order) - 1)])
        label = y[i]
        score_all(W, X, i, zero, scores)
        if count_at_least(scores, scores[label]) > 1:
            rival = strongest_rival(scores, label)
            if scores[label] < scores[rival] or ties_violate or rival < label:
                update_weights(W, delayed, label, rival, X, i, rate, step)
                updates[n_updates, 0], updates[n_updates, 1] = i, rival
                n_updates += 1
        step += 1
    return n_updates
