"""What a side of a partition is worth, from what it contains.

A side's *content* is the weight of each class, or for squares the three sums of w, w y and w y^2.  Its score is what
the total impurity |n| F(n) lacks of a number that no partition changes, so the best partition has the largest sum of
scores, and a split lowers the total impurity by as much as it raises the sum:

    Gini                sum_c v_c^2 / |v|             |n| F(n) = |v| - score
    entropy             sum_c v_c log2 v_c - |v| log2 |v|        -score, in bits
    misclassification   max_c v_c                                |v| - score
    squares             (sum w y)^2 / |v|                        sum w y^2 - score
    Kearns and Mansour  -2 sqrt(v_0 v_1)                         -score
"""

from __future__ import annotations

import numpy as np

from mcbook.trees.kernels.loops import loop

GINI, ENTROPY, ERROR, SQUARES, ROOT = 0, 1, 2, 3, 4


@loop
def xlogx(x):
    return x * np.log2(x) if x > 0 else 0.0


@loop
def side_score(criterion, content):
    if criterion == SQUARES:
        return content[1] * content[1] / content[0]
    if criterion == ROOT:
        return -2 * np.sqrt(max(content[0] * content[1], 0.0))
    # Zeros of the content's own kind, so that fractions stay fractions where this runs uncompiled.
    zero = content[0] - content[0]
    total, squares, logs, largest = zero, zero, zero, zero
    for c in range(len(content)):
        v = content[c]
        total += v
        squares += v * v
        largest = max(largest, v)
        if criterion == ENTROPY:
            logs += xlogx(v)
    if total <= 0:
        return zero
    if criterion == GINI:
        return squares / total
    return logs - xlogx(total) if criterion == ENTROPY else largest


@loop
def impurity_of(criterion, content):
    """F(n): the Gini impurity, entropy in bits, share of errors, variance, or 2 sqrt(p_0 p_1)."""
    score = side_score(criterion, content)
    if criterion == SQUARES:
        return max(content[2] - score, 0.0) / content[0]
    total = size_of(criterion, content)
    return max(-score / total if criterion in (ENTROPY, ROOT) else 1 - score / total, 0.0)


@loop
def size_of(criterion, content):
    """|n|: the weight of the examples."""
    if criterion == SQUARES:
        return content[0]
    total = content[0] - content[0]
    for c in range(len(content)):
        total += content[c]
    return total
