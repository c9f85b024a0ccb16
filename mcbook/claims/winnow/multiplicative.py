"""Multiplicative updates: what they are in Kesler's space, their mistake bound, and the Perceptron beside them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_integers, ball, quotient
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Number
from mcbook.perceptron import (
    frobenius_product,
    kesler_vectors,
)
from mcbook.winnow import (
    balanced_winnow,
    exponentiated_gradient_step,
    gain_of_an_update,
    gain_with_factor,
    hadamard_sample,
    multiplicative_run,
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
FACTORS = (Fraction(6, 5), Fraction(3, 2), Fraction(2), Fraction(3))

balls = np.frompyfunc(ball, 1, 1)


def same(A: Array | Sequence[Array], B: Array | Sequence[Array]) -> bool:
    return bool(np.shape(A) == np.shape(B) and (np.asarray(A) == np.asarray(B)).all())


def signed_sample(rng: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of -1, 0 and 1, labelled at random."""
    d, m = int(rng.integers(1, 6)), int(rng.integers(2, 9))
    return as_integers(rng.integers(-1, 2, (m, d))), rng.integers(0, k, m)


# --- two labels ------------------------------------------------------------------------------------------------------

balanced = Claim(
    "prp-balanced-winnow-is-kesler",
    "equivalence",
    "exact",
    source="roth-cis519",
    where="Winnow's extensions",
    errata=("E27",),
    implements=(balanced_winnow, multiplicative_run),
    no_formula="an equivalence of three algorithms",
)


@balanced.check("three runs beside each other: balanced, in Kesler's space, and the multi-class one for k = 2")
def three_runs(rng: np.random.Generator) -> Found:
    for factor in FACTORS * 10:
        X, y = signed_sample(rng, 2)
        two = balanced_winnow(X, 1 - 2 * y, factor, max_epochs=4)
        lifted = multiplicative_run(kesler_vectors(X, y, 2), factor, max_epochs=4)
        many = run_winnow(X, y, 2, factor=factor, max_epochs=4)
        yield holds("same examples", two.updates == lifted.updates == many.updates[:, 0].tolist(), Tier.EXACT)
        sides = np.concatenate([two.positive, two.negative], axis=1)
        distributions = [side * quotient(1, side.sum()) for side in sides]
        yield holds("same weights as in Kesler's space", same(distributions, lifted.weights), Tier.EXACT)
        rows = [W.ravel() for W in winnow_history(many, X, y)]
        yield holds("same weights as the multi-class run", same(rows, lifted.weights), Tier.EXACT)
        yield holds("w⁺ w⁻ = 1 throughout", same(two.positive * two.negative, np.ones_like(two.positive)), Tier.EXACT)


@balanced.check("a threshold in front is the weight of a constant feature, and the sign is the larger score")
def threshold_as_a_feature(rng: np.random.Generator) -> Found:
    for factor in FACTORS * 5:
        X, y = signed_sample(rng, 2)
        with_one = np.c_[X, np.ones(len(X), dtype=int)].astype(object)
        run = balanced_winnow(with_one, 1 - 2 * y, factor, max_epochs=3)
        up, down = run.positive[-1], run.negative[-1]
        for x, one in zip(X, with_one, strict=True):
            value, threshold = (up - down)[:-1] @ x, down[-1] - up[-1]
            yield equal("winner of the two scores, side of the threshold", up @ one > down @ one, value > threshold)


@balanced.control("with a threshold of 1/2 that no feature carries")
def threshold_without_a_feature() -> Found:
    X, y = as_integers(np.array([[1], [1]])), np.array([0, 0])
    two = balanced_winnow(X, 1 - 2 * y, Fraction(6, 5), threshold=Fraction(1, 2))
    yield equal("updates", len(two.updates), multiplicative_run(kesler_vectors(X, y, 2), Fraction(6, 5)).n_updates)


@balanced.control("from any equal weights w⁺ w⁻ = 1: both begin at 2")
def begun_at_two() -> Found:
    run = balanced_winnow(as_integers([[1, -1]]), np.array([1]), 2)
    # Every update multiplies, so a run that begins at 2 has twice the weights of one that begins at 1.
    yield equal("w⁺ w⁻", (2 * run.positive[-1] * 2 * run.negative[-1])[0], 1)


@balanced.strengthened("the factor of one of the three", by=Fraction(101, 100))
def another_factor(by: Fraction) -> Found:
    X, y = winnow_tight_sample(3)
    two, lifted = balanced_winnow(X, 1 - 2 * y, 2), multiplicative_run(kesler_vectors(X, y, 2), 2 * by)
    side = np.r_[two.positive[-1], two.negative[-1]]
    yield equal("first weight", side[0] * quotient(1, side.sum()), lifted.weights[-1][0])


# --- exponentiated gradient ------------------------------------------------------------------------------------------

descent = Claim(
    "prp-winnow-is-exponentiated-gradient",
    "equivalence",
    "certified",
    source="kivinen-warmuth1997",
    where="§3, for linear predictors",
    errata=("E36",),
    implements=(exponentiated_gradient_step, winnow_history),
    formula=Formula("eq-winnow-step", exponentiated_gradient_step, over="zj"),
)


def gradient_descent(X: np.ndarray, y: np.ndarray, k: int, factor: Fraction, n_epochs: int) -> list[np.ndarray]:
    """Exponentiated gradient descent on the largest (w_z - w_y) . x where it is >= 0: the distributions after each step."""
    V = np.full((k, X.shape[1]), Fraction(1, k * X.shape[1]), dtype=object)
    distributions = [V]
    for x, label in itertools.islice(
        zip(itertools.cycle(X), itertools.cycle(y.tolist()), strict=True), n_epochs * len(X)
    ):
        losses = {z: (V[z] - V[label]) @ x for z in range(k) if z != label}
        rival = max(losses, key=lambda z: (losses[z], -z))
        if losses[rival] >= 0:
            downhill = np.zeros_like(V)
            downhill[label], downhill[rival] = x, -x
            V = exponentiated_gradient_step(V, downhill, factor)
            distributions.append(V)
    return distributions


@descent.check("both runs beside each other, in fractions, for two to four classes")
def equal_trajectories(rng: np.random.Generator) -> Found:
    for k, factor in itertools.product((2, 3, 4), FACTORS * 3):
        X, y = signed_sample(rng, k)
        run = run_winnow(X, y, k, factor=factor, max_epochs=3)
        distributions = gradient_descent(X, y, k, factor, run.n_epochs)
        yield holds("same laws after every update", same(list(winnow_history(run, X, y)), distributions), Tier.EXACT)


@descent.check("random laws exceed the least value by their relative entropy to the new weights")
def excess_of_random_distributions(rng: np.random.Generator) -> Found:
    for factor in FACTORS * 8:
        W, V = (random_distribution(rng, (3, 4)) for _ in range(2))
        D = as_integers(rng.integers(-1, 2, (3, 4)))
        new = exponentiated_gradient_step(W, D, factor)
        excess = objective(V, W, D, factor) - objective(new, W, D, factor)
        yield equal(
            "excess over the least value, KL(V, new)", excess, relative_entropy(balls(V), balls(new)), within=1e-12
        )
        yield at_least("value at V, value at the new weights", objective(V, W, D, factor), objective(new, W, D, factor))


def random_distribution(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    whole = as_integers(rng.integers(1, 10, shape))
    return np.asarray(whole * Fraction(1, whole.sum()))


def objective(V: np.ndarray, W: np.ndarray, D: np.ndarray, factor: int | Fraction) -> Number:
    """KL(V | W) - eta <V, D>, as a ball."""
    return relative_entropy(balls(V), balls(W)) - ball(factor).log() * ball(frobenius_product(V, D))


@descent.strengthened("the step η", by=Fraction(101, 100))
def longer_step(by: Fraction) -> Found:
    W = np.full((2, 2), Fraction(1, 4), dtype=object)
    D, V = as_integers(np.array([[1, -1], [-1, 1]])), np.array([[1, 0], [0, 0]], dtype=object)
    new = exponentiated_gradient_step(W, D, 2)
    gain = by * frobenius_product(V - new, D)
    excess = relative_entropy(balls(V), balls(W)) - relative_entropy(balls(new), balls(W)) - ball(2).log() * ball(gain)
    yield equal("excess over the least value, KL(V, new)", excess, relative_entropy(balls(V), balls(new)), within=1e-12)


@descent.control("after a Perceptron's step, which adds, the same law is reached")
def additive_step() -> Found:
    W, D = np.array([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], dtype=object), as_integers([1, 0, -1])
    added = W + Fraction(1, 8) * D
    yield equal("first weight", exponentiated_gradient_step(W, D, Fraction(5, 4))[0], added[0])


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
                yield at_most("updates, (ln kd − H(U)) / D(γ)", made, bound(k, X.shape[1], gamma, best.U))
            gain = gain_with_factor(ball(best.gamma.lower), ball(factor))
            if gain > 0:
                start = (ball(k * X.shape[1])).log() - entropy_of_weights(balls(best.U))
                yield at_most("updates, (ln kd − H(U)) / (ηγ − ln cosh η)", made, start / gain)


@multiclass_bound.check("the gain of an update is that of its best factor, and more than γ²/2")
def gain_of_the_best_factor(rng: np.random.Generator) -> Found:
    for factor in (*FACTORS, Fraction(101, 100), Fraction(50)):
        gamma = best_margin_of(factor)
        gain = gain_of_an_update(ball(gamma))
        yield equal("D(γ), ηγ − ln cosh η", gain, gain_with_factor(ball(gamma), ball(factor)), within=1e-12)
        yield at_least("D(γ), γ²/2", gain, gamma**2 / 2)
        for other in (factor * Fraction(99, 100), factor * Fraction(101, 100)):
            yield at_most("with another factor, D(γ)", gain_with_factor(ball(gamma), ball(other)), gain)


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
        yield equal(f"margin of the signed weights, 1/k, k = {k}", (D @ signed.ravel()).min(), Fraction(1, k))
        yield equal(
            f"margin of a distribution, 1/(k (k − 1)), k = {k}", (D @ even.ravel()).min(), Fraction(1, k * (k - 1))
        )
        # No distribution has all its products above the largest entry of a mean of the Kesler vectors.
        best = (D.sum(axis=0) * Fraction(1, len(D))).max()
        yield equal(f"margin of no distribution above, 1/(k (k − 1)), k = {k}", best, Fraction(1, k * (k - 1)))
        both = np.concatenate([np.maximum(signed, 0), np.maximum(-signed, 0)], axis=1)
        least = (kesler_vectors(np.c_[X, -X], y, k) @ both.ravel()).min()
        yield equal(f"margin of a distribution on the features (x, −x), 1/k, k = {k}", least, Fraction(1, k))
        for _ in range(10):
            V = as_integers(rng.integers(-5, 6, (k, 3)))
            shifted = V + np.maximum(0, -V.min(axis=0))
            yield at_most(f"sum after the shift, (k − 1) Σ |v|, k = {k}", shifted.sum(), (k - 1) * np.abs(V).sum())


@multiclass_bound.control("the bound of the best weights of both signs, of margin 1/3, for three classes")
def both_signs() -> Found:
    X, y = each_attribute_speaks_against_its_label(3)
    stated, of_both = (
        winnow_bound(ball(3), ball(3), ball(g)) for g in (best_mixture(X, y, 3).gamma.upper, Fraction(1, 3))
    )
    yield at_most("bound of the best distribution, of both signs", stated, of_both)


@multiclass_bound.control(
    "attained for three classes too: one example, and the U of margin 3/5 with the smallest bound"
)
def attained_for_three_classes() -> Found:
    U = np.array([[Fraction(11, 15)], [Fraction(2, 15)], [Fraction(2, 15)]], dtype=object)
    made = run_winnow(as_integers([[1]]), np.array([0]), 3, factor=2).n_updates
    yield at_least("updates, bound", ball(made), bound(3, 1, Fraction(3, 5), U))


@multiclass_bound.extremal(
    "equality for two classes, every γ and every number of updates: r = 1 … 6 updates, W ends at U", attained=True
)
def bound_attained() -> Found:
    for r, factor in itertools.product(range(1, 7), (Fraction(3, 2), Fraction(2))):
        X, y = winnow_tight_sample(r)
        gamma = best_margin_of(factor)
        U, run = winnow_tight_mixture(r, gamma), run_winnow(X, y, 2, factor=factor)
        yield equal(f"updates, γ = {gamma}", run.n_updates, r)
        yield equal("distance of the last weights from U", frobenius_product(run.W - U, run.W - U), 0)
        yield equal(f"updates and bound, r = {r}", ball(run.n_updates), bound(2, X.shape[1], gamma, U), within=1e-10)


@multiclass_bound.extremal(
    "equality at γ = 1 in the limit of large factors: 1 + log₂ d on the rows of Hadamard matrices"
)
def bound_attained_at_margin_1() -> Found:
    for r in range(1, 6):
        X, y = hadamard_sample(r)
        made, allowed = run_winnow(X, y, 2, factor=5).n_updates, winnow_bound(ball(2), ball(2**r), ball(1))
        yield equal(f"updates and bound, d = {2**r}", ball(made), allowed, within=1e-12)


@multiclass_bound.trace("the tight sample of three updates in four features, γ = 3/5, factor 2")
def proof_on_three_examples() -> Found:
    gamma, eta = Fraction(3, 5), ball(2).log()
    X, y = winnow_tight_sample(3)
    U, D = winnow_tight_mixture(3, gamma), kesler_vectors(X, y, 2).reshape(3, 2, 4)
    weights = list(winnow_history(run_winnow(X, y, 2, factor=2), X, y))
    distances = [relative_entropy(balls(U), balls(W)) for W in weights]
    start = ball(8).log() - entropy_of_weights(balls(U))
    yield equal("at the start KL(U, W), ln kd − H(U)", distances[0], start, within=1e-12)
    for t, (W, step) in enumerate(zip(weights[:-1], D, strict=True)):
        total = sum(w * Fraction(2) ** int(e) for w, e in zip(W.ravel(), step.ravel(), strict=True))
        yield at_least(f"update {t + 1}: ⟨U, Δ⟩, γ", frobenius_product(U, step), gamma)
        yield at_most(f"update {t + 1}: ⟨W, Δ⟩, 0", frobenius_product(W, step), 0)
        yield at_most(f"update {t + 1}: the sum of W e^(ηΔ), cosh η", total, Fraction(5, 4))
        fall = distances[t] - distances[t + 1]
        lost = eta * ball(frobenius_product(U, step)) - ball(total).log()
        yield equal(f"update {t + 1}: fall of KL, η⟨U, Δ⟩ − ln of that sum", fall, lost, within=1e-12)
        yield equal(f"update {t + 1}: fall of KL, D(γ)", fall, gain_of_an_update(ball(gamma)), within=1e-12)
    yield equal("at the end KL(U, W), 0", distances[-1], 0, within=1e-12)
    yield equal("updates, (ln kd − H(U)) / D(γ)", ball(3), bound(2, 4, gamma, U), within=1e-12)


@multiclass_bound.strengthened(
    "the gain D(γ)",
    by=Fraction(1001, 1000),
    told="No constant is left to gain: with $D(\\gamma)$ a thousandth larger the tight sample of five updates would "
    "have to stop after {right}, and makes {left}.",
)
def larger_gain(by: Fraction) -> Found:
    # A margin just below that of U leaves room for the rounding of the logarithms.
    X, y = winnow_tight_sample(5)
    gamma = Fraction(3, 5) - Fraction(1, 10**6)
    allowed = bound(2, 16, gamma, winnow_tight_mixture(5, Fraction(3, 5))) / ball(by)
    yield at_most("updates, bound", run_winnow(X, y, 2, factor=2).n_updates, allowed)


@multiclass_bound.control("features in [−3, 3] in place of [−1, 1]")
def features_beyond_one() -> Found:
    X = as_integers([[-1, 0, 3], [2, -3, -3], [3, 2, 3], [-1, -2, 0], [-2, -2, 1], [3, -2, -2]])
    y, gamma = np.ones(6, dtype=np.int64), Fraction(3, 5)
    best = best_mixture(X, y, 2)
    assert best.gamma.lower >= gamma
    yield at_most("updates, bound", run_winnow(X, y, 2, factor=2).n_updates, bound(2, 3, gamma, best.U))


@multiclass_bound.control(
    "any factor will do",
    told="The factor must fit the margin: on four examples of margin $\\frac13$ the factor 3 makes {left} updates in "
    "60 passes and never ends, where {right} are allowed.",
)
def factor_too_large() -> Found:
    X, y = overshooting_sample()
    best, made = best_mixture(X, y, 2), run_winnow(X, y, 2, factor=3, max_epochs=60).n_updates
    yield at_most("updates, bound", made, bound(2, 4, best.gamma.lower, best.U))
