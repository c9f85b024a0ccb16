"""Sections of the kernel class, separable labellings, and when joint training pays."""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.claims import Claim, at_least, at_most, covered, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import Found, squared
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.exact import rational_rank, rational_solve, sign_vectors
from mcbook.foundation.proof.statistical import Coverage
from mcbook.perceptron import as_integers
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

sections = Claim(
    "M.fn13",
    implements=(section_norms, projected_section),
    formula=Formula("eq-svm-section-norm", section_norms, over="z"),
)


def kernel_sample(rng: np.random.Generator, m: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, their features x_a x_b x_c (a tensor with integer entries), and the positive definite Gram matrix."""
    while True:
        X = as_integers(rng.integers(-3, 4, (m, 2)))
        X = np.array([[*x, 1] for x in X], dtype=object)
        features = np.array([np.multiply.outer(np.outer(x, x), x).ravel() for x in X], dtype=object)
        K = polynomial_gram(X, X, 3)
        if rational_rank(K) == m:
            return X, features, K


@sections.check("|h_z|² = α_z' K α_z is the squared length of the weights Σ α_iz φ(x_i), in integers")
def h_z_squared_alpha_z_k_alpha_z_is_the_squared(rng: np.random.Generator) -> Found:
    for _ in range(20):
        X, features, K = kernel_sample(rng)
        yield equal("Gram matrix, products of features", squared(K - features @ features.T), 0)
        alpha = as_integers(rng.integers(-4, 5, (len(X), 3)))
        W = class_weights(alpha, features)
        for norm, w in zip(section_norms(alpha, K), W, strict=True):
            yield equal("α' K α, |w|²", norm, squared(w))
        yield equal("scores from the kernel, from the weights", squared(K @ alpha - features @ W.T), 0)


@sections.check("projecting any w on the span of the sample keeps its values there and does not lengthen it")
def projecting_any_w_on_the_span_of_the_sample_keeps(rng: np.random.Generator) -> Found:
    for _ in range(20):
        _, features, K = kernel_sample(rng)
        w = as_integers(rng.integers(-3, 4, (1, features.shape[1])))[0]
        beta = projected_section(K, features @ w)
        near = beta @ features
        yield equal("change of the values on the sample", squared(features @ (near - w)), 0)
        yield at_most("|projection|², |w|²", section_norms(beta[:, None], K)[0], squared(w))
        yield equal("Pythagoras: |w|²", squared(near) + squared(w - near), squared(w))


@sections.control("|h_z|² is the squared length of the coefficients")
def h_z_squared_is_the_squared_length() -> Found:
    _, _, K = kernel_sample(np.random.default_rng(0))
    alpha = as_integers(np.array([[1], [-1], [2], [0], [1]]))
    yield equal("α' K α, α' α", section_norms(alpha, K)[0], squared(alpha))


@sections.control("the values themselves as coefficients take the same values")
def the_values_themselves_as_coefficients_take() -> Found:
    _, features, K = kernel_sample(np.random.default_rng(0))
    values = features @ as_integers(np.ones((1, features.shape[1]), dtype=int))[0]
    yield equal("difference of values", squared(K @ values - values), 0)


# --- R.highdim -------------------------------------------------------------------------------------------------------

cover = Claim("R.highdim", implements=separable_labellings, formula=Formula("eq-svm-cover", separable_labellings))


def counted(X: np.ndarray) -> int:
    """Labellings that some hyperplane through the origin realises, each decided with an exact certificate."""
    # A labelling and its opposite are separable together, so the first sign may be fixed.
    signs = (np.array((1, *rest), dtype=object) for rest in sign_vectors(len(X) - 1))
    return 2 * sum(strict_alternative(s[:, None] * X).solvable for s in signs)


@cover.check("every labelling of points in general position is decided; their number is the formula's")
def every_labelling_of_points_in_general_position(rng: np.random.Generator) -> Found:
    for m, d in ((1, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 3), (4, 4), (5, 4)):
        X = general_position(rng, m, d)
        yield equal(f"m = {m}, d = {d}: counted, formula", counted(X), separable_labellings(m, d))


@cover.check("all 2^m for m ≤ d, by solving Xw = signs; exactly half at m = 2 d")
def all_2_m_for_m_at_most_d_by_solving_xw_signs(rng: np.random.Generator) -> Found:
    for m, d in ((2, 2), (3, 3), (3, 5), (4, 6)):
        X = general_position(rng, m, d)
        for signs in itertools.product((-1, 1), repeat=m):
            s = np.array(signs, dtype=object)
            w = X.T @ rational_solve(X @ X.T, s)
            yield equal("|Xw − signs|²", squared(X @ w - s), 0)
        yield equal("formula, 2^m", separable_labellings(m, d), 2**m)
    for d in range(1, 40):
        yield equal("twice the count at m = 2 d, 2^m", 2 * separable_labellings(2 * d, d), 4**d)


@cover.control("also when two of the points lie on a line through the origin")
def also_when_two_of_the_points_lie_on_a_line() -> Found:
    X = as_integers(np.array([[1, 2], [2, 4], [3, -1]]))
    yield equal("counted, formula", counted(X), separable_labellings(3, 2))


@cover.control("one point more than dimensions can still be labelled at will")
def one_point_more_than_dimensions_can_still_be() -> Found:
    yield equal(
        "labellings of 4 points in 3 dimensions, 2^4", counted(general_position(np.random.default_rng(0), 4, 3)), 16
    )


# --- R.lowhigh -------------------------------------------------------------------------------------------------------

gain = Claim(
    "R.lowhigh",
    implements=compare_on_gaussians,
    no_extremal="an experiment on one family of distributions has no instance of smallest slack",
    no_formula="an experiment",
)


def pooled(rng: np.random.Generator, n_features: int, runs: int = 6) -> Comparison:
    """Several draws of classes and samples together."""
    found = [compare_on_gaussians(rng, n_features) for _ in range(runs)]
    names = ("n_points", "joint_errors", "one_vs_rest_errors", "only_joint_wrong", "only_one_vs_rest_wrong")
    return Comparison(*(sum(getattr(one, name) for one in found) for name in names))


@gain.check("in 2 dimensions joint training wins where the two differ; in 50 and in 200 they hardly differ")
def in_2_dimensions_joint_training_wins_where(rng: np.random.Generator) -> Found:
    low = pooled(rng, 2)
    lost = Coverage(low.only_joint_wrong, low.discordant, 1 / 3)
    yield covered("d = 2: of the points on which one errs, joint training errs on at most a third", lost)
    saved = low.one_vs_rest_errors - low.joint_errors
    yield at_least("d = 2: errors saved, one point in thirty", 30 * saved, low.n_points)
    for d in (50, 200):
        high = pooled(rng, d)
        rare = Coverage(high.discordant, high.n_points, 0.01)
        yield covered(f"d = {d}: points on which exactly one errs, one in a hundred", rare)
        apart = abs(high.one_vs_rest_errors - high.joint_errors)
        yield at_most(f"d = {d}: errors saved, one point in a hundred", 100 * apart, high.n_points)


@gain.control("in 50 dimensions they differ on no more than one point in ten thousand")
def in_50_dimensions_they_differ_on_no_more_than_one() -> Found:
    high = pooled(np.random.default_rng(0), 50, runs=3)
    yield covered("points on which exactly one errs", Coverage(high.discordant, high.n_points, 0.0001))


@gain.control("in 2 dimensions they hardly differ either")
def in_2_dimensions_they_hardly_differ_either() -> Found:
    low = pooled(np.random.default_rng(0), 2, runs=2)
    yield covered("points on which exactly one errs", Coverage(low.discordant, low.n_points, 0.01))
