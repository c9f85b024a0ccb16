"""The functions that a kernel SVM can learn, seen section by section."""

from __future__ import annotations

import numpy as np

from mcbook.binary_svm import polynomial_gram
from mcbook.claims import Claim, at_most, equal
from mcbook.claims.binary_svm.samples import Found, squared
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.exact import rational_rank
from mcbook.foundation.types import Exact
from mcbook.svm import class_weights, projected_section, section_norms

kernel_class = Claim(
    "prp-kernel-class-by-sections",
    "identity",
    "exact",
    source="mohri2018",
    where="footnote 13",
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
