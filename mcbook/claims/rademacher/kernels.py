"""Balls of linear functions: Proposition 9.3 of Mohri, Rostamizadeh and Talwalkar."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof import Known, Tier, known
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability, sign_vectors
from mcbook.foundation.types import Number, Scalar
from mcbook.rademacher import (
    exact_complexity,
    group_norm,
    kernel_ball_complexity,
    kernel_complexity_bound,
    linear_ball_complexity,
    projected_class,
    squared_sums,
)

Found = Iterator[Evidence]
Table = np.ndarray

kernel = Claim(
    "prp-kernel-class-complexity",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Proposition 9.3",
    errata=("E5",),
    implements=(kernel_complexity_bound, kernel_ball_complexity, linear_ball_complexity, group_norm),
    formula=Formula("eq-kernel-complexity", kernel_complexity_bound, piece=1, numbers="balls"),
)


EXPONENTS = (1, Fraction(3, 2), 2, 3, math.inf)


@kernel.check("integer features, all signs: at most the bound, with the mean of K(x, x) too, and at least 1/√2 of that")
def integer_features_all_signs(rng: np.random.Generator) -> Found:
    for _ in range(80):
        X = rng.integers(-5, 6, (int(rng.integers(1, 9)), int(rng.integers(1, 4))))
        m, radius = len(X), Fraction(int(rng.integers(1, 9)), 3)
        K = X @ X.T
        value = kernel_ball_complexity(K, radius)
        squares = ball(int(K.diagonal().max())), ball(radius**2)
        yield at_most("complexity, √(r²Λ²/m)", value, widened(kernel_complexity_bound(*squares, m)))
        sharper = kernel_complexity_bound(ball(Fraction(int(K.trace()), m)), squares[1], m)
        yield at_most("complexity, the same with the mean of K(x, x)", value, widened(sharper))
        yield at_least("complexity, 1/√2 of that", widened(value), sharper / ball(2).sqrt())


@kernel.check("every σ'Kσ is |Σ σᵢxᵢ|², and on a line the two ways to the complexity agree, all in integers")
def every_square_and_the_complexity_on_a_line(rng: np.random.Generator) -> Found:
    for m in (1, 3, 6):
        X, line = rng.integers(-5, 6, (m, 2)), rng.integers(-5, 6, (m, 1))
        sums = np.array([(*signs, 1) for signs in sign_vectors(m - 1)]) @ X
        found = sorted(squared_sums(X @ X.T).integers.tolist())
        yield holds("σ'Kσ for all signs", found == sorted((sums * sums).sum(axis=1).tolist()), Tier.EXACT)
        length = exact_complexity(np.concatenate([line.T, -line.T]))
        yield equal("from the features, (2/m) E|Σ σᵢxᵢ|", linear_ball_complexity(line, 2), 2 * length)
        yield equal("from the kernel, the same", kernel_ball_complexity(line @ line.T, 2), 2 * length)


def rows_along_the_sums(X: Table, n_classes: int, length: Fraction) -> Table:
    """Every W with a single row, of the given length along Σ σᵢxᵢ for some signs; these sums have rational lengths."""
    hypotheses = []
    for signs in sign_vectors(len(X)):
        v = rational(np.array(signs) @ X)
        size = Fraction(math.isqrt(int(v @ v)))
        assert size * size == v @ v, "the length is rational"
        for label in range(n_classes if size else 0):
            hypotheses.append(np.zeros((n_classes, X.shape[1]), dtype=object))
            hypotheses[-1][label] = v * length / size
    return np.array(hypotheses)


@kernel.check("over W itself: rows along the sums attain the complexity of the ball, whatever k is")
def over_w_itself(rng: np.random.Generator) -> Found:
    length = Fraction(int(rng.integers(1, 9)), 4)
    plane = np.array([[3, 0], [0, 4], [3, 0], [0, 4]])
    for X in (np.diag([3, 4]), np.diag([2, 3, 6]), plane, rng.choice([1, 3], (3, 1))):
        for k in (1, 3):
            scores = np.array([X @ W.T for W in rows_along_the_sums(X, k, length)])
            whole = exact_complexity(projected_class(scores))
            yield equal(f"R(Π₁), (Λ/m) E|Σ σᵢxᵢ|, k = {k}", whole, linear_ball_complexity(X, length))


@kernel.check("over W itself: random W with |W|_p ≤ Λ have at most the complexity of the ball, for every p")
def random_w_within_the_norm(rng: np.random.Generator) -> Found:
    for p in EXPONENTS:
        for k in (2, 4):
            X, hypotheses = rng.integers(-4, 5, (5, 2)), rng.integers(-4, 5, (6, k, 2))
            largest = max(known(norm(lengths_of(W), p)).upper for W in hypotheses)
            scores = np.array([X @ W.T for W in hypotheses])
            value = exact_complexity(projected_class(scores))
            yield at_most(f"R(Π₁), that of the ball, p = {p}, k = {k}", value, linear_ball_complexity(X, largest))


@kernel.check("samples from atoms, averaged over all of them")
def samples_from_atoms_averaged_over_all_of_them(rng: np.random.Generator) -> Found:
    for n_samples in (2, 4):
        X = rng.integers(-4, 5, (3, 2))
        distribution = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
        squares = ball(int((X * X).sum(axis=1).max())), ball(4)
        limit = kernel_complexity_bound(*squares, n_samples)
        yield at_most("Rₘ, √(r²Λ²/m)", mean_ball_complexity(X, distribution, n_samples, 2), limit)


def mean_ball_complexity(X: Table, distribution: list[Fraction], n_samples: int, radius: int) -> Known:
    """The complexity of a ball of linear functions, averaged over all samples from atoms at the rows of X."""
    lower, upper = Fraction(0), Fraction(0)
    for counts in count_vectors(n_samples, len(distribution)):
        value = linear_ball_complexity(np.repeat(X, counts, axis=0), radius)
        weight = multinomial_probability(counts, distribution)
        lower, upper = lower + weight * Fraction(value.lower), upper + weight * Fraction(value.upper)
    return Known(lower, upper, Tier.EXACT)


@kernel.check("no row is longer than W, and norms fall in p")
def no_row_is_longer_than_w_and_norms_fall_in_p(rng: np.random.Generator) -> Found:
    for _ in range(30):
        W = rng.integers(-5, 6, (int(rng.integers(1, 5)), 3))
        lengths = lengths_of(W)
        norms = [norm(lengths, p) for p in EXPONENTS]
        for size, p in zip(norms, EXPONENTS, strict=True):
            for length in lengths:
                yield at_most(f"a row, ‖W‖ for p = {p}", length, widened(size))
        for longer, shorter in itertools.pairwise(norms):
            yield at_most("norm for the next p, norm for p", shorter, widened(longer))


def lengths_of(W: Table) -> Table:
    """The lengths of the rows as balls."""
    return np.array([ball(int(w @ w)).sqrt() for w in W], dtype=object)


def norm(lengths: Table, p: Number) -> Number:
    return group_norm(lengths, p if p == math.inf else ball(p))


def widened(value: Scalar) -> Known:
    """A hair more, so that equal numbers that are known to some digits need not be told apart."""
    number, hair = known(value), Fraction(1, 10**9)
    return Known(Fraction(number.lower) + hair, Fraction(number.upper) + hair, number.tier)


@kernel.extremal("orthogonal features of one length: equality for every sign vector and every m", attained=True)
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


@kernel.extremal("one row and no other: every norm is its length")
def one_row_and_no_other() -> Found:
    for p in EXPONENTS:
        alone = np.array([ball(13).sqrt(), ball(0), ball(0)], dtype=object)
        yield equal(f"‖W‖, |w| for p = {p}", norm(alone, p), alone[0], within=1e-12)


@cache
def on_orthogonal_atoms(n_atoms: int) -> Known:
    """Rₘ for two draws from orthonormal atoms, all equally likely."""
    distribution = [Fraction(1, n_atoms)] * n_atoms
    return mean_ball_complexity(np.eye(n_atoms, dtype=int), distribution, 2, 1)


@kernel.extremal("the mean over samples: on 30 orthogonal atoms, two draws reach 0.99 of the bound")
def the_mean_over_samples() -> Found:
    for n_atoms in (2, 10, 30):
        value, limit = on_orthogonal_atoms(n_atoms), kernel_complexity_bound(ball(1), ball(1), 2)
        yield at_most(f"Rₘ, √(r²Λ²/m), N = {n_atoms}", value, limit)
        # Two draws are different with probability 1 - 1/N, and otherwise reach 1/√2.
        share = ball(1 - Fraction(1, n_atoms)) + ball(Fraction(1, n_atoms)) / ball(2).sqrt()
        yield equal(f"share of the bound, N = {n_atoms}", value, share * limit, within=1e-9)
    yield at_least("Rₘ, 0.99 of the bound, N = 30", value, limit * 99 / 100)


@kernel.strengthened("the bound on the empirical complexity, for orthonormal features", by=Fraction(999, 1000))
def the_empirical_bound(factor: int | Fraction) -> Found:
    value = kernel_ball_complexity(9 * np.eye(4, dtype=int), 2)
    yield at_most("complexity, √(r²Λ²/m)", value, factor * kernel_complexity_bound(9, 4, 4))


@kernel.strengthened("the bound on the mean over samples, for two draws from 30 atoms", by=Fraction(99, 100))
def the_bound_on_the_mean(factor: int | Fraction) -> Found:
    limit = ball(factor) * kernel_complexity_bound(ball(1), ball(1), 2)
    yield at_most("Rₘ, √(r²Λ²/m)", on_orthogonal_atoms(30), limit)


@kernel.control("m to the power 0.51 in place of √m")
def m_to_the_power_0_51_in_place_of_root_m() -> Found:
    for m in (2, 4, 9):
        value = kernel_ball_complexity(np.eye(m, dtype=int), 1)
        yield at_most(f"complexity, rΛ / m^0.51, m = {m}", value, 1 / ball(m) ** ball(Fraction(51, 100)))


@kernel.control("E‖·‖² where E‖·‖ belongs, below the root that Jensen's inequality gives")
def e_squared_where_e_belongs_below_the_root() -> Found:
    sums = squared_sums(np.eye(4, dtype=int))
    mean_square = Fraction(int(sums.integers.sum()), len(sums.integers))
    yield at_most("(Λ/m) E‖Σσᵢ φ(xᵢ)‖², √(r²Λ²/m)", mean_square / 4, kernel_complexity_bound(1, 1, 4))
