"""Sections of the kernel class, separable labellings, and when joint training pays."""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.claims import Claim, at_most, covered, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import Found, squared
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.exact import rational_rank, rational_solve, sign_vectors
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Exact
from mcbook.svm import (
    Comparison,
    class_weights,
    compare_on_gaussians,
    general_position,
    polynomial_gram,
    projected_section,
    section_norms,
    separable_labellings,
)

# --- M.fn13 ----------------------------------------------------------------------------------------------------------

kernel_class = Claim(
    "M.fn13",
    implements=(section_norms, projected_section),
    formula=Formula("eq-svm-section-norm", section_norms, over="z"),
)


def kernel_sample(rng: np.random.Generator, m: int = 5) -> tuple[Exact, Exact, Exact]:
    """Points, their features x_a x_b x_c (a tensor with integer entries), and the positive definite Gram matrix."""
    while True:
        X = as_integers(rng.integers(-3, 4, (m, 2)))
        X = np.array([[*x, 1] for x in X], dtype=object)
        features = np.array([np.multiply.outer(np.outer(x, x), x).ravel() for x in X], dtype=object)
        K = polynomial_gram(X, X, 3)
        if rational_rank(K) == m:
            return X, features, K


@kernel_class.check("|h_z|² = α_z' K α_z is the squared length of the weights Σ α_iz φ(x_i), in integers")
def norms_of_sections(rng: np.random.Generator) -> Found:
    for _ in range(20):
        X, features, K = kernel_sample(rng)
        yield equal("Gram matrix, products of features", squared(K - features @ features.T), 0)
        alpha = as_integers(rng.integers(-4, 5, (len(X), 3)))
        W = class_weights(alpha, features)
        for norm, w in zip(section_norms(alpha, K), W, strict=True):
            yield equal("α' K α, |w|²", norm, squared(w))
        yield equal("scores from the kernel, from the weights", squared(K @ alpha - features @ W.T), 0)


@kernel_class.check("the scores ⟨w, φ(x)⟩ are the functions of the space, of the least norm among the w that give them")
def scores_are_the_functions_of_the_space(rng: np.random.Generator) -> Found:
    for _ in range(10):
        # On 8 points of 10 dimensions of features: a function of the space there is a combination of sections.
        _, features, K = kernel_sample(rng, 8)
        beta = as_integers(rng.integers(-4, 5, 8))
        w = beta @ features
        yield equal("a combination of sections is a score: difference of values", squared(K @ beta - features @ w), 0)
        yield equal("its norm², |w|²", section_norms(beta[:, None], K)[0], squared(w))
        other = as_integers(rng.integers(-3, 4, features.shape[1]))
        section = projected_section(K, features @ other)
        yield equal("a score is a combination: difference of values", squared(K @ section - features @ other), 0)
        yield at_most("its norm², |w|²", section_norms(section[:, None], K)[0], squared(other))
        rest = other - section @ features
        yield equal("w less its projection has the score 0 everywhere", squared(features @ rest), 0)


@kernel_class.check("projecting any w on the span of the sample keeps its values there and does not lengthen it")
def projection_keeps_the_values(rng: np.random.Generator) -> Found:
    for _ in range(20):
        _, features, K = kernel_sample(rng)
        w = as_integers(rng.integers(-3, 4, features.shape[1]))
        beta = projected_section(K, features @ w)
        near = beta @ features
        yield equal("change of the values on the sample", squared(features @ (near - w)), 0)
        yield at_most("|projection|², |w|²", section_norms(beta[:, None], K)[0], squared(w))
        yield equal("Pythagoras: |w|²", squared(near) + squared(w - near), squared(w))


@kernel_class.control("|h_z|² is the squared length of the coefficients")
def length_of_the_coefficients() -> Found:
    _, _, K = kernel_sample(np.random.default_rng(0))
    alpha = as_integers(np.array([[1], [-1], [2], [0], [1]]))
    yield equal("α' K α, α' α", section_norms(alpha, K)[0], squared(alpha))


@kernel_class.control("the values themselves as coefficients take the same values")
def values_as_coefficients() -> Found:
    _, features, K = kernel_sample(np.random.default_rng(0))
    values = features @ as_integers(np.ones(features.shape[1], dtype=int))
    yield equal("difference of values", squared(K @ values - K @ projected_section(K, values)), 0)


# --- R.highdim -------------------------------------------------------------------------------------------------------

labellings = Claim("R.highdim", implements=separable_labellings, formula=Formula("eq-svm-cover", separable_labellings))


def counted(X: Exact) -> int:
    """Labellings that some hyperplane through the origin realises, each decided with an exact certificate."""
    # A labelling and its opposite are separable together, so the first sign may be fixed.
    signs = (np.array((1, *rest), dtype=object) for rest in sign_vectors(len(X) - 1))
    return 2 * sum(strict_alternative(s[:, None] * X).solvable for s in signs)


@labellings.check("every labelling of points in general position is decided; their number is the formula's")
def every_labelling_decided(rng: np.random.Generator) -> Found:
    for m, d in ((1, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 3), (4, 4), (5, 4)):
        X = general_position(rng, m, d)
        yield equal(f"m = {m}, d = {d}: counted, formula", counted(X), separable_labellings(m, d))


@labellings.check("all 2^m for m ≤ d, by solving Xw = signs; exactly half at m = 2 d")
def few_points_and_twice_the_dimension(rng: np.random.Generator) -> Found:
    for m, d in ((2, 2), (3, 3), (3, 5), (4, 6)):
        X = general_position(rng, m, d)
        for signs in itertools.product((-1, 1), repeat=m):
            s = np.array(signs, dtype=object)
            w = X.T @ rational_solve(X @ X.T, s)
            yield equal("|Xw − signs|²", squared(X @ w - s), 0)
        yield equal("formula, 2^m", separable_labellings(m, d), 2**m)
    for d in range(1, 40):
        yield equal("twice the count at m = 2 d, 2^m", 2 * separable_labellings(2 * d, d), 4**d)


@labellings.control("also when two of the points lie on a line through the origin")
def two_points_on_a_line() -> Found:
    X = as_integers(np.array([[1, 2], [2, 4], [3, -1]]))
    yield equal("counted, formula", counted(X), separable_labellings(3, 2))


@labellings.control("also for two equal points in space, although any 3 of them, there being none, are independent")
def two_equal_points() -> Found:
    X = as_integers(np.array([[1, 2, 3], [1, 2, 3]]))
    yield equal("counted, formula", counted(X), separable_labellings(2, 3))


@labellings.control("one point more than dimensions can still be labelled at will")
def one_point_more_than_dimensions() -> Found:
    yield equal("labellings of 4 points in 3 dimensions, 2^4", separable_labellings(4, 3), 2**4)


# --- R.lowhigh -------------------------------------------------------------------------------------------------------

joint_training = Claim(
    "R.lowhigh",
    implements=compare_on_gaussians,
    no_extremal="an experiment on one family of distributions has no instance of smallest slack",
    no_formula="an experiment",
)

# Both judged by draws of classes and samples, which are independent, where the points of one draw are not.
FEWEST_DRAWS, DRAWS = 14, 18


def saves(found: Comparison) -> bool:
    """Whether joint training visibly saves errors: on one point in a hundred."""
    return 100 * (found.one_vs_rest_errors - found.joint_errors) >= found.n_points


def differs(found: Comparison) -> bool:
    """Whether exactly one of the two errs on as much as one point in a hundred."""
    return 100 * found.discordant >= found.n_points


@joint_training.check(
    "in 2 dimensions joint training saves errors in most draws; in 50 and in 200 the two hardly differ"
)
def gain_by_dimension(rng: np.random.Generator) -> Found:
    lost = sum(not saves(compare_on_gaussians(rng, 2)) for _ in range(DRAWS))
    what = "d = 2: draws in which joint training does not save a hundredth, at most half"
    yield covered(what, Coverage(lost, DRAWS, 1 / 2))
    for d in (50, 200):
        apart = sum(differs(compare_on_gaussians(rng, d)) for _ in range(FEWEST_DRAWS))
        what = f"d = {d}: draws in which exactly one errs on a hundredth, at most half"
        yield covered(what, Coverage(apart, FEWEST_DRAWS, 1 / 2))


@joint_training.control("in 2 dimensions they hardly differ either")
def no_gain_in_the_plane() -> Found:
    rng = np.random.default_rng(0)
    apart = sum(differs(compare_on_gaussians(rng, 2)) for _ in range(FEWEST_DRAWS))
    yield covered("draws in which exactly one errs on a hundredth", Coverage(apart, FEWEST_DRAWS, 1 / 2))
