"""Two classes: the hard and the soft machine, their duals, and the path in C."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import TINY, Found, agree, exactly, paths, squared, trade_offs
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.exact import rational_solve
from mcbook.perceptron import binary_perceptron
from mcbook.svm import (
    SoftMarginPath,
    binary_dual,
    binary_primal,
    binary_sample,
    binary_weights,
    forced_sample,
    polynomial_gram,
    signed_gram,
    soft_margin_path,
    solve_binary_dual,
    solve_binary_primal,
    solve_hinge,
)
from mcbook.svm.theory import hinge


def margins(path: SoftMarginPath, w: np.ndarray) -> np.ndarray:
    return path.signs * (path.X @ w)


# --- R.hard ----------------------------------------------------------------------------------------------------------

hard = Claim(
    "R.hard", implements=(solve_binary_primal, soft_margin_path), no_formula="the optimum of a quadratic programme"
)


@hard.check("primal programme, dual programme and the end of the exact path have one value")
def primal_programme_dual_programme_and_the_end(rng: np.random.Generator) -> Found:
    for path in paths(rng, 6, separable=True):
        w, _ = path.hard_margin()
        primal = solve_binary_primal(path.X, path.signs, None)
        yield agree("primal, dual", primal, solve_binary_dual(path.X @ path.X.T, path.signs, None))
        yield agree("primal, ½|w|² of the exact solution", primal, Fraction(squared(w)) / 2)
        yield at_most("|w − w of the programme|²", squared(exactly(primal.point) - w), TINY)


@hard.check("every other feasible v costs more, by at least ½|v − w|²")
def every_other_feasible_v_costs_more_by_at_least(rng: np.random.Generator) -> Found:
    for path in paths(rng, 8, separable=True):
        w, _ = path.hard_margin()
        yield at_least("smallest margin of w", margins(path, w).min(), 1)
        for _ in range(10):
            v = w + Fraction(1, 20) * rng.integers(-9, 10, len(w)).astype(object)
            least = margins(path, v).min()
            if least > 0:
                v = v / min(Fraction(least), Fraction(1))
                yield at_least("|v|², |w|² + |v − w|²", squared(v), squared(w) + squared(v - w))


@hard.control("every separating w, scaled to smallest margin 1, is a solution")
def every_separating_w_scaled_to_smallest_margin_1() -> Found:
    X, signs = binary_sample(np.random.default_rng(0), 2, 8, separable=True)
    other, _ = binary_perceptron(X, signs)
    other = other * Fraction(1, int((signs * (X @ other)).min()))
    w, _ = soft_margin_path(X, signs).hard_margin()
    yield equal("|v|², |w|²", squared(other), squared(w))


@hard.control("the constraints can always be met")
def the_constraints_can_always_be_met() -> Found:
    X, signs = np.array([[1, 0], [2, 0]], dtype=object), np.array([1, -1], dtype=object)
    yield holds("some w has all margins positive", strict_alternative(signs[:, None] * X).solvable, Tier.EXACT)


# --- R.rep -----------------------------------------------------------------------------------------------------------

rep = Claim("R.rep", implements=soft_margin_path, no_formula="that there are multipliers: no value is stated")


@rep.check("w is the combination of its active examples with multipliers of at least 0, in rationals")
def w_is_the_combination_of_its_active_examples(rng: np.random.Generator) -> Found:
    for path in paths(rng, 25, separable=True):
        w, alpha = path.hard_margin()
        active = margins(path, w) == 1
        combination = binary_weights(alpha[active], path.X[active], path.signs[active])
        yield equal("|w − sum over active examples|²", squared(w - combination), 0)
        yield at_least("smallest multiplier", alpha.min(), 0)
        yield at_least("smallest margin", margins(path, w).min(), 1)


@rep.check("on the two positive points (1, 0) and (1, 5) the only multipliers are (1, 0), and both are active")
def on_the_two_positive_points_and_the_only(rng: np.random.Generator) -> Found:
    X, signs = forced_sample()
    w, alpha = soft_margin_path(X, signs).hard_margin()
    only = rational_solve((X * signs[:, None]).T, w)
    yield holds("α = (1, 0)", alpha.tolist() == only.tolist() == [1, 0], Tier.EXACT, f"α = {[str(a) for a in alpha]}")
    yield equal("active examples", int((signs * (X @ w) == 1).sum()), 2)


@rep.control("every active example has a positive multiplier")
def every_active_example_has_a_positive_multiplier() -> Found:
    X, signs = forced_sample()
    w, alpha = soft_margin_path(X, signs).hard_margin()
    yield holds("α_i > 0 where the margin is 1", bool((alpha[signs * (X @ w) == 1] > 0).all()), Tier.EXACT)


@rep.control("an example that is not active may have a positive multiplier")
def an_example_that_is_not_active_may_have() -> Found:
    X, signs = np.array([[1], [2]], dtype=object), np.array([1, 1], dtype=object)
    w, _ = soft_margin_path(X, signs).hard_margin()
    yield equal("w, from the farther point alone", w[0], binary_weights(np.array([0, Fraction(1, 4)]), X, signs)[0])


# --- R.soft ----------------------------------------------------------------------------------------------------------

soft = Claim(
    "R.soft",
    implements=(hinge, binary_primal, solve_hinge),
    formula=(
        Formula("eq-svm-soft", binary_primal, given={r"\xi_i": r"\max(0,1-s_iw\cdot x_i)"}),
        Formula("eq-svm-hinge", binary_primal, piece=1),
    ),
)


@soft.check("the programme with slacks, the free one with hinges and the exact path have one value")
def the_programme_with_slacks_the_free_one(rng: np.random.Generator) -> Found:
    for path in paths(rng, 5):
        C = trade_offs(rng)
        w = path.w(C)
        with_slacks = solve_binary_primal(path.X, path.signs, float(C))
        value = binary_primal(w, path.X, path.signs, C)
        yield agree("with slacks, exact", with_slacks, value)
        yield agree("with hinges, exact", solve_hinge(path.X, path.signs, float(C)), value)
        far = np.abs(exactly(with_slacks.slack) - path.slacks(C)).max()
        yield at_most("largest |ξ_i − max(0, 1 − s_i w·x_i)|", far, TINY)


@soft.check("|w| is at most C times a constant; from the largest hard-margin multiplier on, w is the hard-margin one")
def w_is_at_most_c_times_a_constant(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12, separable=True):
        for C in (Fraction(1, 10**9), Fraction(1, 100), Fraction(3)):
            yield at_most("|w|², C² m Σ|x|²", squared(path.w(C)), C * C * len(path.X) * squared(path.X))
        w, alpha = path.hard_margin()
        for C in (max(alpha), 2 * max(alpha), max(alpha) * 10**9):
            yield equal("|w(C) − hard-margin w|²", squared(path.w(C) - w), 0)


@soft.control("every slack is positive")
def every_slack_is_positive() -> Found:
    path = soft_margin_path(*forced_sample())
    yield holds("ξ_i > 0 for all i, C = 2", bool((path.slacks(2) > 0).all()), Tier.EXACT)


@soft.control("w is the hard-margin one from a hundredth below the largest multiplier on")
def w_is_the_hard_margin_one_from_a_hundredth_below() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(3), 2, 8, separable=True))
    w, alpha = path.hard_margin()
    yield equal("|w(C) − hard-margin w|²", squared(path.w(Fraction(99, 100) * max(alpha)) - w), 0)


# --- R.dual ----------------------------------------------------------------------------------------------------------

dual = Claim(
    "R.dual",
    implements=(binary_dual, solve_binary_dual, binary_weights),
    formula=Formula("eq-svm-binary-dual", binary_dual),
)


@dual.check("primal and dual optimum agree for linear and polynomial kernels, and w is the weighted sum")
def primal_and_dual_optimum_agree_for_linear(rng: np.random.Generator) -> Found:
    for path in paths(rng, 4):
        X, signs, C = path.X, path.signs, float(trade_offs(rng))
        # The features x_a x_b have the inner product (x . x')^2; scaled, so that numbers stay moderate.
        tensor = np.array([np.outer(x, x).ravel() for x in X], dtype=object) * Fraction(1, 16)
        for features, K in ((X, X @ X.T), (tensor, polynomial_gram(X, X, 2) * Fraction(1, 256))):
            primal, dual_found = solve_binary_primal(features, signs, C), solve_binary_dual(K, signs, C)
            yield agree("primal, dual", primal, dual_found)
            apart = exactly(primal.point) - binary_weights(exactly(dual_found.point), features, signs)
            yield at_most("|w − Σ α_i s_i φ(x_i)|²", squared(apart), TINY)


@dual.check("no gap at all along the exact path")
def no_gap_at_all_along_the_exact_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12):
        Q = signed_gram(path.X @ path.X.T, path.signs)
        for C in (Fraction(1, 100), *path.knots, 100):
            yield equal("primal, dual", binary_primal(path.w(C), path.X, path.signs, C), binary_dual(path.alpha(C), Q))


@dual.control("with Σ α_i s_i = 0, the constraint of the machine with a bias")
def with_alpha_i_s_i_0_the_constraint_of_the_machine() -> Found:
    X, signs = binary_sample(np.random.default_rng(0), 2, 10)
    with_bias = solve_binary_dual(X @ X.T, signs, 1.0, with_bias=True)
    yield agree("dual, primal", with_bias, solve_binary_primal(X, signs, 1.0))


@dual.control("without the ½ before α'Qα")
def without_the_half_before_alphaqalpha() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(0), 2, 10))
    Q = signed_gram(path.X @ path.X.T, path.signs)
    yield equal("dual, primal", binary_dual(path.alpha(1), 2 * Q), binary_primal(path.w(1), path.X, path.signs, 1))


# --- R.bvr -----------------------------------------------------------------------------------------------------------

bvr = Claim("R.bvr", implements=soft_margin_path, no_formula="monotonicity along the solutions of programmes")


@bvr.check("for all C > 0 of each path: between knots Σξ is affine and the slope of |w|² is affine, so ends decide")
def for_all_c_0_of_each_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 25):
        for piece in path.pieces:
            end = piece.start + 1 if piece.end is None else piece.end
            # A piece begins where the one before ends; just before its start the sums are those of that one.
            paid = [hinge(margins(path, weights(path, piece.alpha(C)))).sum() for C in (piece.start, end)]
            yield at_most("Σξ at the end, at the start of a piece", paid[1], paid[0])
            direction = weights(path, piece.slope)
            for C in (piece.start, end):
                yield at_least("slope of ½|w|²", weights(path, piece.alpha(C)) @ direction, 0)


def weights(path: SoftMarginPath, alpha: np.ndarray) -> np.ndarray:
    return binary_weights(alpha, path.X, path.signs)


@bvr.extremal("beyond the last knot both stay as they are; on one point Σξ = 1 − C and |w| = C before it")
def beyond_the_last_knot_both_stay_as_they_are() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(5), 2, 9))
    last = path.knots[-1]
    yield equal("Σξ, ten times the last knot", path.slacks(10 * last).sum(), path.slacks(last).sum())
    yield equal("|w|², ten times the last knot", squared(path.w(10 * last)), squared(path.w(last)))
    one = soft_margin_path(np.array([[1]], dtype=object), np.array([1], dtype=object))
    for C in (Fraction(1, 3), Fraction(2, 3), 1):
        yield equal("Σξ, 1 − C", one.slacks(C).sum(), 1 - C)
        yield equal("|w|, C", one.w(C)[0], C)


@bvr.control("the number of examples that pay never grows with C")
def the_number_of_examples_that_pay_never_grows() -> Found:
    for seed in range(200):
        path = soft_margin_path(*binary_sample(np.random.default_rng(seed), 2, 8))
        payers = [int((path.slacks(C) > 0).sum()) for C in path.knots]
        rises = [(a, b) for a, b in itertools.pairwise(payers) if b > a]
        if rises:
            yield at_most(f"payers of sample {seed}, at the knot before", rises[0][1], rises[0][0])
            return


@bvr.control("Σξ falls strictly for ever")
def xi_falls_strictly_for_ever() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(5), 2, 9))
    last = path.knots[-1]
    yield holds(
        "Σξ falls from the last knot to its double", path.slacks(2 * last).sum() < path.slacks(last).sum(), Tier.EXACT
    )
