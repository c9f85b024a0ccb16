"""The bounds of the chapter as formulas.

They take floats and arrays, which broadcast; ints and fractions, for which the result is a fraction where it is
rational; and balls of python-flint (`mcbook.foundation.proof.exact.ball`), with which the claims compare irrational
bounds.

Shapes: a norm for each row of the weights, ``lengths (n_rows,)``; differences and coefficients ``(n_samples,)``.

Source of `generalisation_bound`: Mohri et al. (2018), Theorem 3.3.

>>> round(float(generalisation_bound(0.1, 0.05, 0.05, 1000)), 4)
0.2387
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import (
    require_at_least,
    require_nonnegative,
    require_positive,
    require_share,
    require_whole,
)
from mcbook.foundation.numbers import is_exact, logarithm, quotient, rational, square_root
from mcbook.foundation.types import Array, Values
from mcbook.rademacher.theory.classes import values_matrix


def maximum_by_absolute_value(a: Values, b: Values) -> Values:
    """max(a, b) = (a + b + |a - b|) / 2, which is how the proof of the lemma on maxima writes it.

    Source: Mohri et al. (2018), (9.7) to (9.9).

    >>> maximum_by_absolute_value(Fraction(1, 2), Fraction(1, 3))
    Fraction(1, 2)
    """
    return quotient(a + b + abs(a - b), 2)


def maxima_bound(*complexities: Values) -> Values:
    """R(F_1) + ... + R(F_l), a bound on the complexity of the maxima max(h_1, ..., h_l).

    Source: Mohri et al. (2018), Lemma 9.1.

    >>> maxima_bound(Fraction(1, 2), Fraction(1, 3))
    Fraction(5, 6)
    """
    if not complexities:
        raise ValueError("expected the complexity of at least one family, got none")
    for value in complexities:
        require_nonnegative(value, "complexity")
    return sum(complexities[1:], complexities[0])


def contraction_bound(complexity: Values, lipschitz: Values) -> Values:
    """L R(H), a bound on the complexity of {Psi o h} for maps Psi_i that are L-Lipschitz.

    Source: Mohri et al. (2018), Lemma 5.7.

    >>> contraction_bound(Fraction(1, 3), 2)
    Fraction(2, 3)
    """
    require_nonnegative(complexity, "complexity")
    require_nonnegative(lipschitz, "lipschitz")
    return lipschitz * complexity


def lipschitz_constant(values: Array, images: Array) -> Fraction:
    """The smallest L with which maps Psi_i, one for each point, can take the values to the images: both exact.

    Arrays (n_functions, n_samples).  Equal values at a point must have equal images there.

    Source: Mohri et al. (2018), Lemma 5.7.

    >>> lipschitz_constant(np.array([[0], [2]]), np.array([[0], [1]]))
    Fraction(1, 2)
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


def khinchine_bounds(coefficients: Sequence[Values] | Array) -> tuple[Values, Values]:
    """The squares of Khinchine's bounds on E|sum_i sigma_i a_i|: half of sum_i a_i^2, and the whole of it.

    The squares because they are rational when the a_i are.

    Source: stands beside Mohri et al. (2018), Proposition 9.3, and not in it.

    >>> khinchine_bounds([Fraction(1), Fraction(1)])
    (Fraction(1, 1), Fraction(2, 1))
    """
    a = np.asarray(coefficients)
    if a.ndim != 1 or len(a) == 0:
        raise ValueError(f"expected a vector of at least one coefficient, got shape {a.shape}")
    squares = (a * a).sum()
    return quotient(squares, 2), squares


def sauer_bound(n_points: int, dimension: int) -> int:
    """sum_(i <= d) binom(m, i): the most labellings of m points by a class of VC-dimension d.

    Source: Allwein et al. (2000), proof of Theorem 3.

    >>> sauer_bound(5, 2)
    16
    """
    require_whole(n_points, "n_points", at_least=0)
    require_whole(dimension, "dimension", at_least=0)
    return sum(math.comb(n_points, i) for i in range(min(dimension, n_points) + 1))


def sauer_power_bound(n_points: Values, dimension: Values, e: Values = math.e) -> Values:
    """(em/d)^d, which is at least `sauer_bound` where m >= d >= 1.  ``e`` may be given as a ball.

    Source: Allwein et al. (2000), proof of Theorem 3.

    >>> round(float(sauer_power_bound(10, 2)), 2)
    184.73
    """
    require_at_least(dimension, 1, "dimension", "a class of dimension 0 is a single function")
    require_at_least(n_points, dimension, "n_points", "of fewer points all 2^m labellings may occur")
    return (e * n_points / dimension) ** dimension


def hoeffding_exponent(rate: Values, width: Values) -> Values:
    """lambda^2 c^2 / 8, at least ln E exp(lambda V) for V of mean 0 in an interval of length c.

    Hoeffding (1963), (4.16).

    >>> hoeffding_exponent(3, Fraction(1, 2))
    Fraction(9, 32)
    """
    require_nonnegative(width, "width")
    return quotient(rate * rate * width * width, 8)


def bounded_differences_exponent(rate: Values, differences: Sequence[Values] | Array) -> Values:
    """(lambda^2 / 8) sum_i c_i^2: ``differences (n_variables,)`` are by how much each variable alone can move Phi.

    At least ln E exp(lambda (Phi - E Phi)), by Hoeffding's lemma for one variable after the other (McDiarmid 1989).

    >>> bounded_differences_exponent(2, [1, 1, 2])
    Fraction(3, 1)
    """
    return hoeffding_exponent(rate, 1) * (np.asarray(differences) ** 2).sum()


def bounded_differences_tail(excess: Values, differences: Sequence[Values] | Array) -> Values:
    """exp(-2 t^2 / sum_i c_i^2), at least Pr[Phi >= E Phi + t] for t >= 0 (McDiarmid 1989, Lemma 1.2).

    >>> round(float(bounded_differences_tail(2.0, [1, 1, 1, 1])), 4)
    0.1353
    """
    require_nonnegative(excess, "excess")
    squares = require_positive((np.asarray(differences) ** 2).sum(), "sum of squares")
    arithmetic, (exponent,) = arithmetic_of(quotient(-2 * excess * excess, squares))
    return arithmetic.exp(exponent)


def hoeffding_tail(deviation: Values, n_signs: Values) -> Values:
    """2 exp(-N theta^2 / 2), at least Pr[|mean - expectation| > theta] for N independent signs of one distribution.

    Hoeffding (1963), Theorem 2, on either side.

    >>> round(float(hoeffding_tail(0.1, 1000)), 4)
    0.0135
    """
    require_nonnegative(deviation, "deviation")
    require_at_least(n_signs, 1, "n_signs")
    arithmetic, (exponent,) = arithmetic_of(quotient(-n_signs * deviation * deviation, 2))
    return 2 * arithmetic.exp(exponent)


def confidence_term(delta: Values, n_samples: Values) -> Values:
    """sqrt(ln(1/delta) / (2m)): what a statement about m draws in [0, 1] pays for failing with probability delta.

    >>> round(float(confidence_term(0.05, 1000)), 4)
    0.0387
    """
    require_share(delta, "delta", "it is the probability with which the bound may fail", zero=False)
    require_at_least(n_samples, 1, "n_samples")
    if is_exact(delta) and np.all(delta == 1):
        return 0
    # Not 1 / delta: that would overflow where the logarithm does not.
    return square_root(-logarithm(delta) / (2 * n_samples))


def generalisation_bound(empirical_mean: Values, complexity: Values, delta: Values, n_samples: Values) -> Values:
    """mean on the sample + 2 R_m(G) + sqrt(ln(1/delta) / (2m)), for a class G of functions with values in [0, 1]."""
    require_nonnegative(complexity, "complexity")
    return empirical_mean + 2 * complexity + confidence_term(delta, n_samples)


def projection_bound(largest_complexity: Values, size: Values, n_classes: Values, n_samples: Values) -> Values:
    """max_y R(H(., y)) + B sqrt(2 ln k / m): a bound on R(Pi_1(H)) for k classes and |h| <= B.

    Source: Mohri et al. (2018), section 9.2.

    >>> round(float(projection_bound(0.1, 1.0, 10, 1000)), 4)
    0.1679
    """
    require_nonnegative(largest_complexity, "largest_complexity")
    require_nonnegative(size, "size")
    require_at_least(n_classes, 1, "n_classes")
    require_at_least(n_samples, 1, "n_samples")
    return largest_complexity + size * square_root(2 * logarithm(n_classes) / n_samples)


def kernel_complexity_bound(squared_radius: Values, squared_norm: Values, n_samples: Values) -> Values:
    """sqrt(r^2 Lambda^2 / m), a bound on the complexity of {x -> <w, Phi(x)>: |w| <= Lambda} where K(x, x) <= r^2.

    The mean of K(x_i, x_i) over the sample may take the place of r^2.  The result is a fraction where it is rational.

    Source: Mohri et al. (2018), Proposition 9.3.

    >>> float(kernel_complexity_bound(4.0, 9.0, 100))
    0.6
    """
    require_nonnegative(squared_radius, "squared_radius")
    require_nonnegative(squared_norm, "squared_norm")
    require_at_least(n_samples, 1, "n_samples")
    return square_root(quotient(squared_radius * squared_norm, n_samples))


def group_norm(lengths: Array, p: Values) -> Values:
    """(sum_l |w_l|^p)^(1/p) from the lengths |w_l| of the rows of W, for p >= 1; the largest of them for p = inf.

    Source: Mohri et al. (2018), Exercises 9.1 and 9.2.

    >>> float(group_norm(np.array([3.0, 4.0]), 2)), float(group_norm(np.array([3.0, 4.0]), math.inf))
    (5.0, 4.0)
    """
    rows = np.asarray(lengths)
    require_at_least(p, 1, "p", "below 1 this is no norm")
    for length in rows:
        require_nonnegative(length, "length")
    if p in (1, math.inf):
        return rows.sum() if p == 1 else rows.max()
    return (rows**p).sum() ** (1 / p)
