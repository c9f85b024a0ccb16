"""The mistake bound of the multi-class Winnow."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.winnow.equivalences import FACTORS, balls
from mcbook.foundation.numbers import as_integers, ball
from mcbook.foundation.types import Number
from mcbook.perceptron import (
    frobenius_product,
    kesler_vectors,
)
from mcbook.winnow import (
    gain_of_an_update,
    gain_with_factor,
    hadamard_sample,
    relative_entropy,
    run_winnow,
    winnow_bound,
    winnow_history,
    winnow_tight_mixture,
    winnow_tight_sample,
)
from mcbook.winnow.algorithm.mixture import best_mixture
from mcbook.winnow.instances import overshooting_sample
from mcbook.winnow.theory import entropy_of_weights

Found = Iterator[Evidence]


# --- the mistake bound -----------------------------------------------------------------------------------------------

multiclass_bound = Claim(
    "thm-multiclass-winnow-bound",
    "upper bound",
    "certified",
    source="kivinen-warmuth1997",
    where="this book; the method of proof is theirs",
    errata=("E31",),
    implements=(winnow_bound, gain_of_an_update, gain_with_factor),
    formula=(
        Formula("eq-winnow-bound", winnow_bound, numbers="balls"),
        Formula("eq-winnow-gain", gain_of_an_update, numbers="balls"),
        Formula("eq-winnow-any-factor", gain_with_factor, numbers="balls"),
    ),
    symbols=(Reading(r"\alpha", "positive", arguments={"factor": r"\alpha"}),),
)


def best_margin_of(factor: Fraction) -> Fraction:
    """The margin of which the factor is the best one: gamma = tanh(eta)."""
    return (factor**2 - 1) / (factor**2 + 1)


def bound(k: int, d: int, gamma: Number, U: np.ndarray) -> Number:
    return winnow_bound(ball(k), ball(d), ball(gamma), entropy_of_weights(balls(U)))


def separable_samples(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, int, Any]]:
    """Rows of -1, 0 and 1 with labels that some mixture gives, and a mixture with the best margin."""
    while count:
        k, d = int(rng.integers(2, 5)), int(rng.integers(2, 7))
        U = rng.integers(0, 2, (k, d))
        X = rng.integers(-1, 2, (60, d))
        ordered = np.sort(X @ U.T, axis=1)
        clear = np.flatnonzero(ordered[:, -1] > ordered[:, -2])[:12]
        if len(clear):
            points, y = as_integers(X[clear]), (X[clear] @ U.T).argmax(axis=1)
            yield points, y, k, best_mixture(points, y, k)
            count -= 1


@multiclass_bound.check("separable samples of signs and zeros, with the best mixture and its margin, or a smaller one")
def updates_within_the_bound(rng: np.random.Generator) -> Found:
    for X, y, k, best in separable_samples(rng, 16):
        for factor in FACTORS:
            made = run_winnow(X, y, k, factor=factor).n_updates
            gamma = best_margin_of(factor)
            if gamma <= best.gamma.lower:
                yield at_most("updates ≤ (ln kd − H(U)) / D(γ)", made, bound(k, X.shape[1], gamma, best.U))
            gain = gain_with_factor(ball(best.gamma.lower), ball(factor))
            if gain > 0:
                start = (ball(k * X.shape[1])).log() - entropy_of_weights(balls(best.U))
                yield at_most("updates ≤ (ln kd − H(U)) / (ηγ − ln cosh η)", made, start / gain)


@multiclass_bound.check("the gain of an update is that of its best factor, and more than γ²/2")
def gain_of_the_best_factor(rng: np.random.Generator) -> Found:
    for factor in (*FACTORS, Fraction(101, 100), Fraction(50)):
        gamma = best_margin_of(factor)
        gain = gain_of_an_update(ball(gamma))
        yield equal("D(γ) ≈ ηγ − ln cosh η", gain, gain_with_factor(ball(gamma), ball(factor)), within=1e-12)
        yield at_least("D(γ) ≥ γ²/2", gain, gamma**2 / 2)
        for other in (factor * Fraction(99, 100), factor * Fraction(101, 100)):
            yield at_most("ηγ − ln cosh η for another factor ≤ D(γ)", gain_with_factor(ball(gamma), ball(other)), gain)


def each_attribute_speaks_against_its_label(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels 0 .. k - 1 and x = 1 - e_y: signed weights -I / k have the margin 1 / k."""
    return as_integers(1 - np.eye(k, dtype=int)), np.arange(k)


@multiclass_bound.check(
    "entries that are not negative divide the margin by at most k − 1, and by k − 1 where x = 1 − e_y"
)
def cost_of_one_sign(rng: np.random.Generator) -> Found:
    for k in range(2, 7):
        X, y = each_attribute_speaks_against_its_label(k)
        D = kesler_vectors(X, y, k)
        signed, even = -np.eye(k, dtype=int).astype(object) * Fraction(1, k), X * Fraction(1, k * (k - 1))
        yield equal("margin of the signed weights = 1/k", (D @ signed.ravel()).min(), Fraction(1, k), at=f"k = {k}")
        yield equal(
            "margin of a distribution = 1/(k (k − 1))",
            (D @ even.ravel()).min(),
            Fraction(1, k * (k - 1)),
            at=f"k = {k}",
        )
        # No distribution has all its products above the largest entry of a mean of the Kesler vectors.
        best = (D.sum(axis=0) * Fraction(1, len(D))).max()
        yield equal(
            "upper bound on the margin of every distribution = 1/(k (k − 1))",
            best,
            Fraction(1, k * (k - 1)),
            at=f"k = {k}",
        )
        both = np.concatenate([np.maximum(signed, 0), np.maximum(-signed, 0)], axis=1)
        least = (kesler_vectors(np.c_[X, -X], y, k) @ both.ravel()).min()
        yield equal("margin of a distribution on the features (x, −x) = 1/k", least, Fraction(1, k), at=f"k = {k}")
        for _ in range(10):
            V = as_integers(rng.integers(-5, 6, (k, 3)))
            shifted = V + np.maximum(0, -V.min(axis=0))
            yield at_most(
                "sum after the shift ≤ (k − 1) Σ |v|", shifted.sum(), (k - 1) * np.abs(V).sum(), at=f"k = {k}"
            )


@multiclass_bound.control(
    "Weights that are not negative have their cost: for three classes the bound with the best "
    "distribution is {left}, and weights of both signs, of margin 1/3, would give {right}."
)
def both_signs() -> Found:
    X, y = each_attribute_speaks_against_its_label(3)
    stated, of_both = (
        winnow_bound(ball(3), ball(3), ball(g)) for g in (best_mixture(X, y, 3).gamma.upper, Fraction(1, 3))
    )
    yield at_most("bound with the best distribution ≤ with both signs", stated, of_both)


@multiclass_bound.control(
    "With three classes the bound need not be attained: on a single example, and for the U of margin 3/5 "
    "with the smallest bound, the number of updates is {left}, less than {right}."
)
def attained_for_three_classes() -> Found:
    U = np.array([[Fraction(11, 15)], [Fraction(2, 15)], [Fraction(2, 15)]], dtype=object)
    made = run_winnow(as_integers([[1]]), np.array([0]), 3, factor=2).n_updates
    yield at_least("updates ≥ bound", ball(made), bound(3, 1, Fraction(3, 5), U))


@multiclass_bound.extremal(
    "equality for two classes, every γ and every number of updates: r = 1 … 6 updates, W ends at U"
)
def bound_attained() -> Found:
    for r, factor in itertools.product(range(1, 7), (Fraction(3, 2), Fraction(2))):
        X, y = winnow_tight_sample(r)
        gamma = best_margin_of(factor)
        U, run = winnow_tight_mixture(r, gamma), run_winnow(X, y, 2, factor=factor)
        at = f"r = {r}, γ = {gamma}"
        yield equal("updates = r", run.n_updates, r, at=at)
        yield equal("‖W − U‖² = 0", frobenius_product(run.W - U, run.W - U), 0, at=at)
        yield equal(
            "updates ≈ bound",
            ball(run.n_updates),
            bound(2, X.shape[1], gamma, U),
            within=1e-10,
            at=at,
            statement=True,
        )


@multiclass_bound.extremal(
    "equality at γ = 1 in the limit of large factors: 1 + log₂ d on the rows of Hadamard matrices"
)
def bound_attained_at_margin_1() -> Found:
    for r in range(1, 6):
        X, y = hadamard_sample(r)
        made, allowed = run_winnow(X, y, 2, factor=5).n_updates, winnow_bound(ball(2), ball(2**r), ball(1))
        yield equal("updates ≈ bound", ball(made), allowed, within=1e-12, at=f"d = {2**r}")


@multiclass_bound.trace("the tight sample of three updates in four features, γ = 3/5, factor 2")
def proof_on_three_examples() -> Found:
    gamma, eta = Fraction(3, 5), ball(2).log()
    X, y = winnow_tight_sample(3)
    U, D = winnow_tight_mixture(3, gamma), kesler_vectors(X, y, 2).reshape(3, 2, 4)
    weights = list(winnow_history(run_winnow(X, y, 2, factor=2), X, y))
    distances = [relative_entropy(balls(U), balls(W)) for W in weights]
    start = ball(8).log() - entropy_of_weights(balls(U))
    yield equal("at the start KL(U, W) ≈ ln kd − H(U)", distances[0], start, within=1e-12)
    for t, (W, step) in enumerate(zip(weights[:-1], D, strict=True)):
        total = sum(w * Fraction(2) ** int(e) for w, e in zip(W.ravel(), step.ravel(), strict=True))
        yield at_least("⟨U, Δ⟩ ≥ γ", frobenius_product(U, step), gamma, at=f"update {t + 1}")
        yield at_most("⟨W, Δ⟩ ≤ 0", frobenius_product(W, step), 0, at=f"update {t + 1}")
        yield at_most("Σ W e^(ηΔ) ≤ cosh η", total, Fraction(5, 4), at=f"update {t + 1}")
        fall = distances[t] - distances[t + 1]
        lost = eta * ball(frobenius_product(U, step)) - ball(total).log()
        yield equal("fall of KL ≈ η⟨U, Δ⟩ − ln Σ W e^(ηΔ)", fall, lost, within=1e-12, at=f"update {t + 1}")
        yield equal("fall of KL ≈ D(γ)", fall, gain_of_an_update(ball(gamma)), within=1e-12, at=f"update {t + 1}")
    yield equal("at the end KL(U, W) ≈ 0", distances[-1], 0, within=1e-12)
    yield equal("updates ≈ (ln kd − H(U)) / D(γ)", ball(3), bound(2, 4, gamma, U), within=1e-12)


@multiclass_bound.strengthened(
    r"No constant is left to gain: with $D(\gamma)$ a thousandth larger the bound would be {right}, but on "
    "the tight sample of two classes Winnow makes {left} updates.",
    by=Fraction(1001, 1000),
    story=True,
)
def larger_gain(by: Fraction) -> Found:
    # A margin just below that of U leaves room for the rounding of the logarithms.
    X, y = winnow_tight_sample(5)
    gamma = Fraction(3, 5) - Fraction(1, 10**6)
    allowed = bound(2, 16, gamma, winnow_tight_mixture(5, Fraction(3, 5))) / ball(by)
    yield at_most("updates ≤ bound", run_winnow(X, y, 2, factor=2).n_updates, allowed)


@multiclass_bound.control(
    "The features have to lie in [−1, 1]: on six examples with features between −3 and 3 Winnow makes "
    "{left} updates, more than {right}."
)
def features_beyond_one() -> Found:
    X = as_integers([[-1, 0, 3], [2, -3, -3], [3, 2, 3], [-1, -2, 0], [-2, -2, 1], [3, -2, -2]])
    y, gamma = np.ones(6, dtype=np.int64), Fraction(3, 5)
    best = best_mixture(X, y, 2)
    assert best.gamma.lower >= gamma
    yield at_most("updates ≤ bound", run_winnow(X, y, 2, factor=2).n_updates, bound(2, 3, gamma, best.U))


@multiclass_bound.control(
    r"The factor has to fit the margin: on four examples of margin $\frac13$, and with the factor 3, "
    "Winnow makes {left} updates in 60 passes without coming to an end, where {right} are allowed.",
    story=True,
)
def factor_too_large() -> Found:
    X, y = overshooting_sample()
    best, made = best_mixture(X, y, 2), run_winnow(X, y, 2, factor=3, max_epochs=60).n_updates
    yield at_most("updates ≤ bound", made, bound(2, 4, best.gamma.lower, best.U))
