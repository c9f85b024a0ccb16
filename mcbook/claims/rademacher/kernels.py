"""Balls of linear functions: Proposition 9.3 of Mohri, Rostamizadeh and Talwalkar."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Known, Tier, known
from mcbook.foundation.proof.exact import ball, count_vectors, multinomial_probability
from mcbook.rademacher import (
    group_norm,
    kernel_ball_complexity,
    kernel_complexity_bound,
    linear_ball_complexity,
    squared_sums,
)

Found = Iterator[Evidence]
Table = np.ndarray[Any, Any]

kernel = Claim(
    "P9.3",
    implements=(kernel_complexity_bound, kernel_ball_complexity, linear_ball_complexity, group_norm),
    formula=Formula("eq-kernel-complexity", kernel_complexity_bound, piece=1, numbers="balls"),
)


@kernel.check(
    "integer features, all signs: at most the bound, also with the mean of K(x, x), and at least 1/√2 of that"
)
def integer_features_all_signs(rng: np.random.Generator) -> Found:
    for _ in range(80):
        X = rng.integers(-5, 6, (int(rng.integers(1, 9)), int(rng.integers(1, 4))))
        m, radius = len(X), Fraction(int(rng.integers(1, 9)), 3)
        K = X @ X.T
        value = kernel_ball_complexity(K, radius)
        yield equal("from the features, from the kernel", linear_ball_complexity(X, radius), value, within=1e-12)
        squares = ball(int(K.diagonal().max())), ball(radius**2)
        yield at_most("complexity, √(r²Λ²/m)", value, widened(kernel_complexity_bound(*squares, m)))
        sharper = kernel_complexity_bound(ball(Fraction(int(K.trace()), m)), squares[1], m)
        yield at_most("complexity, the same with the mean of K(x, x)", value, widened(sharper))
        yield at_least("complexity, 1/√2 of that", widened(value), sharper / ball(2).sqrt())


@kernel.check("samples from atoms, averaged over all of them")
def samples_from_atoms_averaged_over_all_of_them(rng: np.random.Generator) -> Found:
    for n_samples in (2, 4):
        X = rng.integers(-4, 5, (3, 2))
        law = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
        squares = ball(int((X * X).sum(axis=1).max())), ball(4)
        limit = kernel_complexity_bound(*squares, n_samples)
        yield at_most("Rₘ, √(r²Λ²/m)", mean_ball_complexity(X, law, n_samples, 2), limit)


def mean_ball_complexity(X: Table, law: list[Fraction], n_samples: int, radius: int) -> Known:
    """The complexity of a ball of linear functions, averaged over all samples from atoms at the rows of X."""
    lower, upper = Fraction(0), Fraction(0)
    for counts in count_vectors(n_samples, len(law)):
        value = linear_ball_complexity(np.repeat(X, counts, axis=0), radius)
        weight = multinomial_probability(counts, law)
        lower, upper = lower + weight * Fraction(value.lower), upper + weight * Fraction(value.upper)
    return Known(lower, upper, Tier.EXACT)


EXPONENTS = (1, Fraction(3, 2), 2, 3, math.inf)


@kernel.check("free of p and k: no row is longer than W, norms fall in p, one row along the sum attains the supremum")
def free_of_p_and_k(rng: np.random.Generator) -> Found:
    for _ in range(30):
        W, v = rng.integers(-5, 6, (int(rng.integers(1, 5)), 3)), rng.integers(-5, 6, 3)
        lengths = np.array([ball(int(w @ w)).sqrt() for w in W], dtype=object)
        alone = np.array([ball(int(v @ v)).sqrt()] + [ball(0)] * (len(W) - 1), dtype=object)
        norms = [norm(lengths, p) for p in EXPONENTS]
        for size, p in zip(norms, EXPONENTS, strict=True):
            best = max(int(w @ v) for w in W)
            yield at_most(f"largest ⟨w, v⟩, ‖W‖ |v| for p = {p}", best, widened(size * alone[0]))
            yield holds(f"a single row: ‖W‖ = |w| for p = {p}", bool(norm(alone, p).overlaps(alone[0])), Tier.EXACT)
        for longer, shorter in itertools.pairwise(norms):
            yield at_most("norm for the next p, norm for p", shorter, widened(longer))


def norm(lengths: Table, p: Any) -> Any:
    return group_norm(lengths, p if p == math.inf else ball(p))


def widened(value: Any) -> Known:
    """A hair more, so that equal numbers that are known to some digits need not be told apart."""
    number, hair = known(value), Fraction(1, 10**9)
    return Known(Fraction(number.lower) + hair, Fraction(number.upper) + hair, number.tier)


@kernel.extremal("orthogonal features of one length: equality for every sign vector and every m")
def orthogonal_features_of_one_length() -> Found:
    for m in range(1, 13):
        sums = squared_sums(9 * np.eye(m, dtype=int))
        yield equal(f"smallest σ'Kσ, m r², m = {m}", int(sums.integers.min()), 9 * m)
        yield equal(f"largest σ'Kσ, m r², m = {m}", int(sums.integers.max()), 9 * m)
    for m in (1, 4, 9, 16):
        value = kernel_ball_complexity(9 * np.eye(m, dtype=int), 2)
        yield equal(f"complexity, √(r²Λ²/m), m = {m}", value, kernel_complexity_bound(9, 4, m))


@kernel.extremal("the other end: two equal points have 1/√2 of the bound, squared ½")
def the_other_end_two_equal_points_have_1_root_2() -> Found:
    value = linear_ball_complexity(np.array([[3], [3]]), 2)
    yield equal("squared complexity, ½ r²Λ²/m", Fraction(value.lower) ** 2, Fraction(1, 2) * Fraction(9 * 4, 2))
    yield equal("lower and upper end", value.lower, value.upper)


@kernel.control("0.99 of the bound")
def control_0_99_of_the_bound() -> Found:
    value = kernel_ball_complexity(9 * np.eye(4, dtype=int), 2)
    yield at_most("complexity", value, Fraction(99, 100) * kernel_complexity_bound(9, 4, 4))


@kernel.control("m to the power 0.51 in place of √m")
def m_to_the_power_0_51_in_place_of_root_m() -> Found:
    for m in (2, 4, 9):
        value = kernel_ball_complexity(np.eye(m, dtype=int), 1)
        yield at_most(f"complexity, rΛ / m^0.51, m = {m}", value, 1 / ball(m) ** ball(Fraction(51, 100)))


@kernel.control("E‖·‖² where E‖·‖ belongs, below the root that Jensen's inequality gives")
def e_squared_where_e_belongs_below_the_root() -> Found:
    sums = squared_sums(np.eye(4, dtype=int))
    mean_square = Fraction(int(sums.integers.sum()), len(sums.integers))
    yield at_most("E‖Σσᵢ Φ(xᵢ)‖², (E‖Σσᵢ Φ(xᵢ)‖²)^½", mean_square, ball(mean_square).sqrt())
