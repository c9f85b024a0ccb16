"""Stochastic sub-gradient steps for the soft-margin SVM, binary and multi-class."""

from __future__ import annotations

from numba import njit


@njit(
    ["float64(float64[:, ::1], float64[::1], int64[::1], float64[::1], float64[::1], float64, float64)"],
    cache=True,
)
def subgradient_steps(X, signs, draws, w, total, step, pull):
    """One step of rate 1 / t for every drawn example; returns the number of steps made so far.

    An example within its margin pulls with the weight ``pull``.  Changes ``w`` and adds to ``total`` the weights that
    each step met, so that total / steps is their mean.
    """
    n_features = w.shape[0]
    for i in draws:
        step += 1
        score = signs[i] * X[i, 0] * w[0]
        total[0] += w[0]
        for j in range(1, n_features):
            score += signs[i] * X[i, j] * w[j]
            total[j] += w[j]
        force = pull * signs[i] if score <= 1 else 0 * pull
        for j in range(n_features):
            w[j] += (force * X[i, j] - w[j]) / step
    return step


@njit(
    ["float64(float64[:, ::1], int64[::1], int64[::1], float64[:, ::1], float64[:, ::1], float64, float64)"],
    cache=True,
)
def multiclass_subgradient_steps(X, y, draws, W, total, step, pull):
    """The same for the multi-class SVM: the label is pulled to the example, the costliest rival pushed from it."""
    n_classes, n_features = W.shape
    for i in draws:
        step += 1
        label = y[i]
        worst, most = label, 0 * pull
        own = X[i, 0] * W[label, 0]
        for j in range(1, n_features):
            own += X[i, j] * W[label, j]
        for z in range(n_classes):
            score = X[i, 0] * W[z, 0]
            for j in range(1, n_features):
                score += X[i, j] * W[z, j]
            if z != label and 1 + score - own >= most:
                worst, most = z, 1 + score - own
        for z in range(n_classes):
            for j in range(n_features):
                total[z, j] += W[z, j]
                W[z, j] -= W[z, j] / step
        if worst != label:
            for j in range(n_features):
                W[label, j] += pull * X[i, j] / step
                W[worst, j] -= pull * X[i, j] / step
    return step
