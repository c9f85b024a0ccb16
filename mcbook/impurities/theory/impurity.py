"""The three impurities of a node, and what a split into children gains.

A node is given by its class weights ``(n_classes,)``: the counts of its examples, sums of their weights, or shares;
only their proportions matter.  Leading axes stand for many nodes.  Ints and fractions are exact, balls of python-flint
keep track of their rounding, symbols of sympy stay symbols, and arrays of floats are computed all at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Rational
from typing import TypeAlias

import numpy as np

from mcbook.foundation.arithmetic import EXACT, FLOATS, Arithmetic, arithmetic_of
from mcbook.foundation.checks import require_finite, require_nonnegative, require_one_of, require_whole
from mcbook.foundation.numbers import as_fraction, as_scalar, quotient
from mcbook.foundation.types import Array, Values

Weights: TypeAlias = Array | Sequence[Values]
# A function of class weights, or the name of one of the three.
Impurity: TypeAlias = str | Callable[[Weights], Values]

_quotients = np.frompyfunc(quotient, 2, 1)


def class_shares(weights: Weights) -> Array:
    """The class weights ``(..., n_classes)`` divided by their sum: p_1, ..., p_k of each node.

    >>> class_shares([10, 4]).tolist()
    [Fraction(5, 7), Fraction(2, 7)]
    """
    given = np.asarray(weights)
    if given.ndim == 0 or given.shape[-1] == 0:
        raise ValueError(f"expected class weights (..., n_classes), got shape {given.shape}: a number for each class")
    given = given.astype(object) if given.dtype.kind in "biu" else require_finite(given, "class weights")
    # Objects one by one, as a symbol among them has no sign that could be asked for.
    for each in given.ravel().tolist() if given.dtype == object else (given,):
        require_nonnegative(each, "class weights", "they are counts, or sums of the examples' weights")
    total = given.sum(axis=-1, keepdims=True)
    if any(each == 0 for each in total.ravel().tolist()):
        raise ValueError("expected at least one class weight > 0, got only zeros: an empty node has no impurity")
    return np.asarray(_quotients(given, total) if given.dtype == object else given / total)


def misclassification(weights: Weights) -> Values:
    """1 - max_l p_l: the share of a node's examples on which its majority label errs.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, Definition 1.4.

    >>> misclassification([10, 4])
    Fraction(2, 7)
    """
    return _of_shares(lambda a, p: 1 - functools.reduce(a.maximum, p), weights)


def gini(weights: Weights) -> Values:
    """sum_l p_l (1 - p_l): the chance that two draws from a node, the first put back, have different classes.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, Definition 1.4.

    >>> gini([10, 4])
    Fraction(20, 49)
    """
    return _of_shares(lambda a, p: sum(share * (1 - share) for share in p), weights)


def entropy(weights: Weights) -> Values:
    """-sum_l p_l log2 p_l, in bits, 0 log2 0 being 0; a fraction if all shares are powers of 1/2.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, Definition 1.4.

    >>> entropy([2, 1, 1]), round(entropy([10, 4]), 6)
    (Fraction(3, 2), np.float64(0.863121))
    """
    return _of_shares(lambda a, p: -sum(_times_log(a, share) for share in p), weights)


IMPURITIES: dict[str, Callable[[Weights], Values]] = {
    "misclassification": misclassification,
    "gini": gini,
    "entropy": entropy,
}


def find_impurity(impurity: Impurity) -> Callable[[Weights], Values]:
    """The function of this name, or the function itself.

    >>> float(find_impurity("gini")([1, 1]))
    0.5
    """
    return impurity if callable(impurity) else IMPURITIES[require_one_of(impurity, tuple(IMPURITIES), "impurity")]


def split_gain(impurity: Impurity, children: Weights) -> Values:
    """F(n) - sum_c eta_c F(n_c): what a split takes from the impurity F, eta_c being the share that goes to child c.

    ``children (..., n_children, n_classes)`` are the class weights of the children, none of them empty; those of the
    node are their sum.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, Remark 6.

    >>> split_gain("gini", [[7, 1], [3, 3]]), split_gain("misclassification", [[7, 1], [3, 3]])
    (Fraction(27, 392), Fraction(0, 1))
    """
    measure, given = find_impurity(impurity), np.asarray(children)
    if given.ndim < 2:
        raise ValueError(
            f"expected children (..., n_children, n_classes), got shape {given.shape}: a row for each child"
        )
    left = np.asarray(class_shares(given.sum(axis=-1)) * np.asarray(measure(given))).sum(axis=-1)
    return as_scalar(measure(given.sum(axis=-2)) - left)


def majority_label(weights: Weights) -> Values:
    """The label of the largest class weight, the first of equals: the best constant answer of a leaf.

    Source: Mohri et al. (2018), section 9.3.3.

    >>> majority_label([3, 5, 5])
    1
    """
    label = class_shares(weights).argmax(axis=-1)
    return int(label) if np.ndim(label) == 0 else label


def leaf_error(weights: Weights, label: int) -> Values:
    """1 - p_label: the share of a leaf's examples on which the answer ``label`` errs.

    Source: Mohri et al. (2018), section 9.3.3.

    >>> [str(leaf_error([3, 5, 2], label)) for label in range(3)]
    ['7/10', '1/2', '4/5']
    """
    shares = class_shares(weights)
    if require_whole(label, "label", at_least=0) >= shares.shape[-1]:
        raise ValueError(f"expected a label 0 .. {shares.shape[-1] - 1}, got {label}: one of the classes")
    return as_scalar(1 - shares[..., label])


def gini_slope(gaining: Values, losing: Values) -> Values:
    """2 (p_j - p_i): the rate at which Gini impurity changes when mass moves from class j to class i at the rate 1.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.2.

    >>> gini_slope(Fraction(1, 4), Fraction(3, 4))
    Fraction(1, 1)
    """
    return 2 * (losing - gaining)


def entropy_slope(gaining: Values, losing: Values) -> Values:
    """log2(p_j / p_i): the rate at which entropy in bits changes when mass moves from class j to class i.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.2.

    >>> entropy_slope(Fraction(1, 8), Fraction(1, 2))
    Fraction(2, 1)
    """
    arithmetic, (one, other) = arithmetic_of(gaining, losing)
    return as_scalar(log2(arithmetic, other / one))


def log2(arithmetic: Arithmetic, x: Values) -> Values:
    """log2 x; of an exact power of 2 the fraction."""
    if arithmetic is EXACT and not isinstance(x, np.ndarray):
        whole = _power_of_two(x)
        return arithmetic.log(x) / np.log(2) if whole is None else Fraction(whole)
    if arithmetic is FLOATS:
        return np.log2(x)
    # The 2 in the arithmetic of x.
    return arithmetic.log(x) / arithmetic.log(2 + 0 * x)


def _of_shares(formula: Callable[[Arithmetic, tuple[Values, ...]], Values], weights: Weights) -> Values:
    """A formula in p_1, ..., p_k: node by node, or for floats with an array for each class."""
    shares = class_shares(weights)
    if shares.dtype != object:
        return as_scalar(np.asarray(formula(*arithmetic_of(*np.moveaxis(shares, -1, 0)))))
    found = [formula(*arithmetic_of(*node)) for node in shares.reshape(-1, shares.shape[-1]).tolist()]
    if shares.ndim == 1:
        return found[0]
    values = np.empty(len(found), dtype=object)
    values[:] = found
    return values.reshape(shares.shape[:-1])


def _times_log(arithmetic: Arithmetic, share: Values) -> Values:
    if isinstance(share, np.ndarray):
        return share * np.log2(np.where(share > 0, share, 1))
    return 0 if share == 0 else share * log2(arithmetic, share)


def _power_of_two(x: Values) -> int | None:
    """The e of x = 2^e, or None."""
    if not isinstance(x, Rational) or x <= 0:
        return None
    above, below = as_fraction(x).as_integer_ratio()
    if above & (above - 1) or below & (below - 1):
        return None
    return above.bit_length() - below.bit_length()
