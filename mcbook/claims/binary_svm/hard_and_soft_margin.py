"""Two classes: the hard and the soft SVM, their duals, and the path in C."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import (
    binary_dual,
    binary_primal,
    binary_sample,
    binary_weights,
    polynomial_gram,
    signed_gram,
    soft_margin_path,
    solve_binary_dual,
    solve_binary_primal,
    solve_hinge,
)
from mcbook.binary_svm.algorithm.path import SoftMarginPath
from mcbook.binary_svm.instances import forced_sample
from mcbook.claims import Claim, at_least, at_most, equal, holds
from mcbook.claims.binary_svm.samples import Found, agree, close, paths, squared, trade_offs
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_given
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import rational_solve
from mcbook.foundation.types import Exact
from mcbook.losses import hinge
from mcbook.perceptron import binary_perceptron


def margins(path: SoftMarginPath, w: Exact) -> Exact:
    return path.signs * (path.X @ w)


hard_margin = Claim(
    "thm-hard-margin-svm",
    "existence",
    "certified",
    source="roth-cis519",
    where="hard SVM slide",
    errata=("E34",),
    implements=(solve_binary_primal, soft_margin_path),
    no_formula="the optimum of a quadratic program",
)


@hard_margin.check("primal problem, dual problem and the end of the exact path have one value")
def three_ways_to_one_value(rng: np.random.Generator) -> Found:
    for path in paths(rng, 6, separable=True):
        w, _ = path.hard_margin()
        primal = solve_binary_primal(path.X, path.signs, None)
        yield agree("primal ≈ dual", primal, solve_binary_dual(path.X @ path.X.T, path.signs, None))
        yield agree("primal ≈ ½|w|² of the exact solution", primal, Fraction(squared(w)) / 2)
        yield close("w − w of the problem", as_given(primal.point), w)


@hard_margin.check("every other feasible v costs more, by at least ½|v − w|²")
def others_cost_more(rng: np.random.Generator) -> Found:
    for path in paths(rng, 8, separable=True):
        w, _ = path.hard_margin()
        yield at_least("smallest margin of w ≥ 1", margins(path, w).min(), 1)
        for _ in range(10):
            v = w + Fraction(1, 20) * rng.integers(-9, 10, len(w)).astype(object)
            least = margins(path, v).min()
            if least > 0:
                v = v / min(Fraction(least), Fraction(1))
                yield at_least("|v|² ≥ |w|² + |v − w|²", squared(v), squared(w) + squared(v - w))


@hard_margin.strengthened(
    r"One per cent more of $\lVert v-w\rVert^2$ is too much: for the single point $(1,0)$ and $v=(1,1)$ "
    "the squared length of $v$ is {left}, less than {right}.",
    by=Fraction(101, 100),
)
def longer_by_more(factor: Fraction) -> Found:
    path = soft_margin_path(np.array([[1, 0]], dtype=object), np.array([1]))
    w, v = path.hard_margin()[0], np.array([1, 1], dtype=object)
    assert margins(path, v)[0] == 1, "the control should take a v that meets the constraint"
    yield at_least("|v|² ≥ |w|² + |v − w|²", squared(v), squared(w) + factor * squared(v - w))


@hard_margin.control(
    "Not every separating $w$ is the solution: on one sample the Perceptron's weights, scaled until "
    "their smallest margin is 1, have the squared length {left}, and the solution has {right}.",
    story=True,
)
def any_separating_w() -> Found:
    X, signs = binary_sample(np.random.default_rng(0), 2, 8, separable=True)
    other, _ = binary_perceptron(X, signs)
    other = other * Fraction(1, int((signs * (X @ other)).min()))
    w, _ = soft_margin_path(X, signs).hard_margin()
    yield equal("|v|² = |w|²", squared(other), squared(w))


@hard_margin.control(
    "The constraints cannot always be met: for opposite signs on one ray the multipliers keep growing "
    "with $C$, at the rate {left} instead of {right}."
)
def always_feasible() -> Found:
    path = soft_margin_path(np.array([[1, 0], [2, 0]], dtype=object), np.array([1, -1]))
    # Where they cannot, some example goes on paying, and its multiplier grows with C for ever.
    yield equal("growth of the multipliers at the end of the path = 0", sum(path.pieces[-1].slope), 0)


representation = Claim(
    "prp-svm-representation",
    "existence",
    "exact",
    source="roth-cis519",
    where="hard SVM optimality slide",
    errata=("E33",),
    implements=soft_margin_path,
    no_formula="that there are multipliers: no value is stated",
    symbols=(
        Reading(r"\alpha", "real", shape=("m",), arguments={"alpha": r"\alpha"}),
        Reading(r"\alpha_i", slots=("i",), part_of=r"\alpha"),
    ),
)


@representation.check("w is the combination of its active examples with multipliers of at least 0, in rationals")
def combination_of_active_examples(rng: np.random.Generator) -> Found:
    for path in paths(rng, 25, separable=True):
        w, alpha = path.hard_margin()
        active = margins(path, w) == 1
        combination = binary_weights(alpha[active], path.X[active], path.signs[active])
        yield equal("|w − sum over active examples|² = 0", squared(w - combination), 0)
        yield at_least("smallest multiplier ≥ 0", alpha.min(), 0)
        yield at_least("smallest margin ≥ 1", margins(path, w).min(), 1)


@representation.check(
    "on the two positive points (1, 0) and (1, 5) the only multipliers are (1, 0), and both are active"
)
def forced_multipliers(rng: np.random.Generator) -> Found:
    X, signs = forced_sample()
    w, alpha = soft_margin_path(X, signs).hard_margin()
    only = rational_solve((X * signs[:, None]).T, w)
    yield holds("α = (1, 0)", alpha.tolist() == only.tolist() == [1, 0], Tier.EXACT)
    yield equal("active examples = 2", int((signs * (X @ w) == 1).sum()), 2)


@representation.control(
    "An active example need not have a positive multiplier: for the positive points $(1,0)$ and "
    r"$(1,5)$ both are on the margin, but $\alpha_2=0$."
)
def active_examples_carry_weight() -> Found:
    X, signs = forced_sample()
    w, alpha = soft_margin_path(X, signs).hard_margin()
    yield holds("α_i > 0 where the margin is 1", bool((alpha[signs * (X @ w) == 1] > 0).all()), Tier.EXACT)


@representation.control(
    "An example that is not active cannot carry the weight: for the positive points 1 and 2 the "
    r"solution is {left}, and the multiplier $\frac14$ on the farther point alone gives {right}."
)
def inactive_examples_carry_weight() -> Found:
    X, signs = np.array([[1], [2]], dtype=object), np.array([1, 1], dtype=object)
    w, _ = soft_margin_path(X, signs).hard_margin()
    yield equal(
        "w = sum over the farther point alone", w[0], binary_weights(np.array([0, Fraction(1, 4)]), X, signs)[0]
    )


soft_margin = Claim(
    "prp-soft-svm-is-hinge",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="soft SVM slide",
    errata=("E33",),
    implements=(binary_primal, solve_hinge, soft_margin_path),
    formula=(
        Formula("eq-svm-soft", binary_primal, given={r"\xi_i": r"\max(0,1-s_iw\cdot x_i)"}),
        Formula("eq-svm-hinge", binary_primal, piece=1),
    ),
)


@soft_margin.check("the problem with slacks, the free one with hinges and the exact path have one value")
def slacks_are_hinges(rng: np.random.Generator) -> Found:
    for path in paths(rng, 5):
        C = trade_offs(rng)
        w = path.w(C)
        with_slacks = solve_binary_primal(path.X, path.signs, float(C))
        value = binary_primal(w, path.X, path.signs, C)
        yield agree("value with slacks ≈ exact value", with_slacks, value)
        yield agree("value with hinges ≈ exact value", solve_hinge(path.X, path.signs, float(C)), value)
        yield close("ξ − the hinges max(0, 1 − s_i w·x_i)", as_given(with_slacks.slack), path.slacks(C))  # type: ignore[arg-type]  # it has slacks


@soft_margin.check(
    "|w| is at most C times a constant; from the largest hard-margin multiplier on, w is the hard-margin one"
)
def both_ends_of_the_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12, separable=True):
        for C in (Fraction(1, 10**9), Fraction(1, 100), Fraction(3)):
            yield at_most("|w|² ≤ C² m Σ|x|²", squared(path.w(C)), C * C * len(path.X) * squared(path.X))
        w, alpha = path.hard_margin()
        for C in (max(alpha), 2 * max(alpha), max(alpha) * 10**9):
            yield equal("|w(C) − hard-margin w|² = 0", squared(path.w(C) - w), 0)


@soft_margin.strengthened(
    "The largest multiplier is the right threshold: at one per cent less the squared distance of $w_C$ "
    "from the hard-margin solution is {left}, not {right}.",
    by=Fraction(99, 100),
)
def hard_margin_before_the_largest_multiplier(factor: Fraction) -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(3), 2, 8, separable=True))
    w, alpha = path.hard_margin()
    yield equal("|w(C) − hard-margin w|² = 0", squared(path.w(factor * max(alpha)) - w), 0)


@soft_margin.control(
    "Not every slack is positive: for the positive points $(1,0)$ and $(1,5)$ and $C=2$ some example pays nothing."
)
def every_example_pays() -> Found:
    path = soft_margin_path(*forced_sample())
    yield holds("ξ_i > 0 for all i", bool((path.slacks(2) > 0).all()), Tier.EXACT, at="C = 2")


binary_duality = Claim(
    "thm-svm-dual",
    "identity",
    "certified",
    source="roth-cis519",
    where="kernel dual slide",
    errata=("E36",),
    implements=(binary_dual, solve_binary_dual, binary_weights),
    formula=Formula("eq-svm-binary-dual", binary_dual),
    symbols=(
        Reading(r"\alpha", "real", shape=("m",), arguments={"alpha": r"\alpha"}),
        Reading(r"\alpha_i", slots=("i",), part_of=r"\alpha"),
        Reading("Q", "symmetric", shape=("m", "m"), arguments={"Q": "Q"}),
    ),
)


@binary_duality.check("primal and dual optimum agree for linear and polynomial kernels, and w is the weighted sum")
def one_optimum(rng: np.random.Generator) -> Found:
    for path in paths(rng, 4):
        X, signs, C = path.X, path.signs, float(trade_offs(rng))
        # The features x_a x_b have the inner product (x . x')^2; scaled, so that numbers stay moderate.
        tensor = np.array([np.outer(x, x).ravel() for x in X], dtype=object) * Fraction(1, 16)
        for features, K in ((X, X @ X.T), (tensor, polynomial_gram(X, X, 2) * Fraction(1, 256))):
            primal, dual = solve_binary_primal(features, signs, C), solve_binary_dual(K, signs, C)
            yield agree("primal ≈ dual", primal, dual)
            sums = binary_weights(as_given(dual.point), features, signs)
            yield close("w − Σ α_i s_i φ(x_i)", as_given(primal.point), sums)


@binary_duality.check("no gap at all along the exact path")
def no_gap_along_the_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12):
        Q = signed_gram(path.X @ path.X.T, path.signs)
        for C in (Fraction(1, 100), *path.knots, Fraction(100)):
            yield equal("primal = dual", binary_primal(path.w(C), path.X, path.signs, C), binary_dual(path.alpha(C), Q))


@binary_duality.check("any optimal α gives w: an example that is there twice shares its multiplier at will")
def every_optimal_alpha_gives_w(rng: np.random.Generator) -> Found:
    for simple in paths(rng, 8):
        twice = np.r_[0, 0, 1 : len(simple.X)]
        path, C = soft_margin_path(simple.X[twice], simple.signs[twice]), trade_offs(rng)
        w, (first, second, *rest) = path.w(C), path.alpha(C)
        value, Q = binary_primal(w, path.X, path.signs, C), signed_gram(path.X @ path.X.T, path.signs)
        most = min(C, first + second)
        for one in (most, Fraction(first + second) / 2, first + second - most):
            alpha = np.array([one, first + second - one, *rest], dtype=object)
            yield equal("primal = dual, however the twins share", value, binary_dual(alpha, Q))
            yield equal("|w − Σ α_i s_i x_i|² = 0", squared(w - binary_weights(alpha, path.X, path.signs)), 0)


@binary_duality.control(
    r"With the constraint $\sum_i\alpha_is_i=0$ of the SVM with a bias it is false: on ten points "
    "the dual then reaches only {left}, and the primal optimum is {right}.",
    story=True,
)
def constraint_of_the_bias() -> Found:
    X, signs = binary_sample(np.random.default_rng(0), 2, 10)
    with_bias = solve_binary_dual(X @ X.T, signs, 1.0, with_bias=True)
    yield agree("dual with the constraint ≈ primal", with_bias, solve_binary_primal(X, signs, 1.0))


@binary_duality.strengthened(
    r"The factor $\frac12$ is needed: without it the dual value of the optimal $\alpha$ on ten points is "
    "{left}, and the primal optimum is {right}.",
    by=2,
)
def quadratic_term_without_a_half(factor: int) -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(0), 2, 10))
    Q = factor * signed_gram(path.X @ path.X.T, path.signs)
    yield equal("dual = primal", binary_dual(path.alpha(1), Q), binary_primal(path.w(1), path.X, path.signs, 1))


path_in_c = Claim(
    "prp-svm-path-in-c",
    "growth rate",
    "exact",
    source="roth-cis519",
    where="slide on the role of C",
    implements=soft_margin_path,
    no_formula="monotonicity along the solutions of optimisation problems",
)


@path_in_c.check(
    "for all C > 0 of each path: between corners Σξ is affine and the slope of |w|² is affine, so ends decide"
)
def monotone_along_the_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 25):
        for piece in path.pieces:
            end = piece.start + 1 if piece.end is None else piece.end
            # A piece begins where the one before ends; just before its start the sums are those of that one.
            paid = [hinge(margins(path, weights(path, piece.alpha(C)))).sum() for C in (piece.start, end)]
            yield at_most("Σξ at the end of a piece ≤ at its start", paid[1], paid[0])
            direction = weights(path, piece.slope)
            for C in (piece.start, end):
                yield at_least("slope of ½|w|² ≥ 0", weights(path, piece.alpha(C)) @ direction, 0)


def weights(path: SoftMarginPath, alpha: Exact) -> Exact:
    return binary_weights(alpha, path.X, path.signs)


@path_in_c.extremal("beyond the last corner both stay as they are; on one point Σξ = 1 − C and |w| = C before it")
def constant_beyond_the_last_corner() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(5), 2, 9))
    last, corner = path.knots[-1], "at ten times the last corner"
    yield equal(
        "Σξ = Σξ at the last corner", path.slacks(10 * last).sum(), path.slacks(last).sum(), at=corner, statement=True
    )
    yield equal(
        "|w|² = |w|² at the last corner", squared(path.w(10 * last)), squared(path.w(last)), at=corner, statement=True
    )
    one = soft_margin_path(np.array([[1]], dtype=object), np.array([1], dtype=object))
    for C in (Fraction(1, 3), Fraction(2, 3), 1):
        yield equal("Σξ = 1 − C", one.slacks(C).sum(), 1 - C, at=f"C = {C}")
        yield equal("|w| = C", one.w(C)[0], C, at=f"C = {C}")


@path_in_c.control(
    "The number of examples that pay can grow with $C$: on one sample of eight points it rises from "
    "{right} to {left} between two corners of the path."
)
def fewer_and_fewer_pay() -> Found:
    for seed in range(200):
        path = soft_margin_path(*binary_sample(np.random.default_rng(seed), 2, 8))
        payers = [int((path.slacks(C) > 0).sum()) for C in path.knots]
        rises = [(a, b) for a, b in itertools.pairwise(payers) if b > a]
        if rises:
            yield at_most(
                "payers at a corner ≤ payers at the one before", rises[0][1], rises[0][0], at=f"sample {seed}"
            )
            return


@path_in_c.control(
    "The sum of the slacks does not fall for ever: from the last corner of the path on it stays as it is."
)
def falling_for_ever() -> Found:
    path = soft_margin_path(*binary_sample(np.random.default_rng(5), 2, 9))
    last = path.knots[-1]
    fallen = path.slacks(2 * last).sum() < path.slacks(last).sum()
    yield holds("Σξ falls from the last corner to its double", fallen, Tier.EXACT)
