"""The bounds of the chapter as formulas.

They take floats and arrays, which broadcast; ints and fractions, for which the result is a fraction where it is
rational; and balls of python-flint (`mcbook.foundation.proof.exact.ball`), with which the claims compare irrational
bounds.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from mcbook.foundation.proof.exact import rational
from mcbook.rademacher.theory.classes import values_matrix


def maximum_by_absolute_value(a: Any, b: Any) -> Any:
    """max(a, b) = (a + b + |a - b|) / 2, which is how the proof of the lemma on maxima writes it."""
    return (a + b + abs(a - b)) / 2 if not _exact(a, b) else Fraction(a + b + abs(a - b)) / 2


def maxima_bound(*complexities: Any) -> Any:
    """R(F_1) + ... + R(F_l), a bound on the complexity of the maxima max(h_1, ..., h_l)."""
    if not complexities:
        raise ValueError("expected the complexity of at least one family, got none")
    for value in complexities:
        _at_least_zero("a complexity", value)
    return sum(complexities[1:], complexities[0])


def contraction_bound(complexity: Any, lipschitz: Any) -> Any:
    """L R(H), a bound on the complexity of {Psi o h} for maps Psi_i that are L-Lipschitz."""
    _at_least_zero("a complexity", complexity)
    _at_least_zero("a Lipschitz constant", lipschitz)
    return lipschitz * complexity


def lipschitz_constant(values: Any, images: Any) -> Fraction:
    """The smallest L with which maps Psi_i, one for each point, can take the values to the images: both exact.

    Arrays (n_functions, n_samples).  Equal values at a point must have equal images there.
    """
    before, after = rational(values_matrix(values)), rational(values_matrix(images))
    if before.shape != after.shape:
        raise ValueError(f"expected an image for every value, got shapes {before.shape} and {after.shape}")
    largest = Fraction(0)
    for column, image in zip(before.T, after.T, strict=True):
        pairs = sorted(set(zip(column.tolist(), image.tolist(), strict=True)))
        # The steepest line between any two points of a graph is matched between two neighbours.
        for (x, fx), (z, fz) in itertools.pairwise(pairs):
            if x == z:
                raise ValueError(f"expected a map at every point, got two images {fx} and {fz} of the value {x}")
            largest = max(largest, abs(Fraction(fz - fx)) / Fraction(z - x))
    return largest


def khinchine_bounds(coefficients: Any) -> tuple[Any, Any]:
    """The squares of Khinchine's bounds on E|sum_i sigma_i a_i|: half of sum_i a_i^2, and the whole of it.

    The squares because they are rational when the a_i are.
    """
    a = np.asarray(coefficients)
    if a.ndim != 1 or len(a) == 0:
        raise ValueError(f"expected a vector of at least one coefficient, got shape {a.shape}")
    squares = (a * a).sum()
    return (Fraction(squares) / 2 if _exact(squares) else squares / 2), squares


def sauer_bound(n_points: int, dimension: int) -> int:
    """sum_(i <= d) binom(m, i): the most labellings of m points by a class of VC-dimension d."""
    if n_points < 0 or dimension < 0:
        raise ValueError(f"expected a number of points and a dimension of at least 0, got {n_points} and {dimension}")
    return sum(math.comb(n_points, i) for i in range(min(dimension, n_points) + 1))


def sauer_power_bound(n_points: Any, dimension: Any, e: Any = math.e) -> Any:
    """(em/d)^d, which is at least `sauer_bound` where m >= d >= 1.  ``e`` may be given as a ball."""
    if not (np.all(np.asarray(dimension) >= 1) and np.all(np.asarray(n_points) >= np.asarray(dimension))):
        raise ValueError(f"expected m >= d >= 1, got m = {n_points} and d = {dimension}: below that use 2^m")
    return (e * n_points / dimension) ** dimension


def confidence_term(delta: Any, n_samples: Any) -> Any:
    """sqrt(ln(1/delta) / (2m)): what a statement about m draws in [0, 1] pays for failing with probability delta."""
    if not np.all((np.asarray(delta) > 0) & (np.asarray(delta) <= 1)):
        raise ValueError(f"expected 0 < delta <= 1, got {delta}: it is the probability with which the bound may fail")
    _at_least_one("a number of samples", n_samples)
    if _exact(delta) and delta == 1:
        return 0
    # Not 1 / delta: that would overflow where the logarithm does not.  A fraction's logarithm is a float.
    return square_root(-np.log(float(delta) if _exact(delta) else delta) / (2 * n_samples))


def generalisation_bound(empirical_mean: Any, complexity: Any, delta: Any, n_samples: Any) -> Any:
    """mean on the sample + 2 R_m(G) + sqrt(ln(1/delta) / (2m)), for a class G of functions with values in [0, 1]."""
    _at_least_zero("a complexity", complexity)
    return empirical_mean + 2 * complexity + confidence_term(delta, n_samples)


def projection_bound(largest_complexity: Any, size: Any, n_classes: Any, n_samples: Any) -> Any:
    """max_y R(H(., y)) + B sqrt(2 ln k / m): a bound on R(Pi_1(H)) for k classes and |h| <= B."""
    _at_least_zero("a complexity", largest_complexity)
    _at_least_zero("a size", size)
    _at_least_one("a number of classes", n_classes)
    _at_least_one("a number of samples", n_samples)
    return largest_complexity + size * square_root(2 * np.log(n_classes) / n_samples)


def kernel_complexity_bound(squared_radius: Any, squared_norm: Any, n_samples: Any) -> Any:
    """sqrt(r^2 Lambda^2 / m), a bound on the complexity of {x -> <w, Phi(x)>: |w| <= Lambda} where K(x, x) <= r^2.

    The mean of K(x_i, x_i) over the sample may take the place of r^2.  The result is a fraction where it is rational.
    """
    _at_least_zero("a squared radius", squared_radius)
    _at_least_zero("a squared norm", squared_norm)
    _at_least_one("a number of samples", n_samples)
    product = squared_radius * squared_norm
    return square_root(Fraction(product) / n_samples if _exact(product, n_samples) else product / n_samples)


def group_norm(lengths: Any, p: Any) -> Any:
    """(sum_l |w_l|^p)^(1/p) from the lengths |w_l| of the rows of W, for p >= 1; the largest of them for p = inf."""
    rows = np.asarray(lengths)
    if not p >= 1:
        raise ValueError(f"expected p >= 1, got {p}: below 1 this is no norm")
    for length in rows:
        _at_least_zero("a length", length)
    if p in (1, math.inf):
        return rows.sum() if p == 1 else rows.max()
    return (rows**p).sum() ** (1 / p)


def square_root(value: Any) -> Any:
    """The root: a fraction for the square of a rational number, else as numpy has it, or as the object's own method."""
    if not isinstance(value, Rational):
        return np.sqrt(value)
    fraction = Fraction(value)
    root = Fraction(math.isqrt(fraction.numerator), math.isqrt(fraction.denominator))
    return root if root * root == fraction else math.sqrt(fraction)


def _exact(*values: Any) -> bool:
    return all(isinstance(value, Rational) for value in values)


def _at_least_zero(name: str, value: Any) -> None:
    if not np.all(np.asarray(value) >= 0):
        raise ValueError(f"expected {name} of at least 0, got {value}")


def _at_least_one(name: str, value: Any) -> None:
    if not np.all(np.asarray(value) >= 1):
        raise ValueError(f"expected {name} of at least 1, got {value}")
