"""What a multiplicative update is: one of Balanced Winnow in Kesler's space, and a step of exponentiated gradient."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
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
    multiplicative_run,
    relative_entropy,
    run_winnow,
    winnow_history,
    winnow_tight_sample,
)

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
            yield equal("winner of the two scores = side of the threshold", up @ one > down @ one, value > threshold)


@balanced.control(
    "A threshold needs a feature that carries it: with the threshold 1/2 and no such feature Balanced "
    "Winnow makes {left} updates, and the algorithm in Kesler's space makes {right}."
)
def threshold_without_a_feature() -> Found:
    X, y = as_integers(np.array([[1], [1]])), np.array([0, 0])
    two = balanced_winnow(X, 1 - 2 * y, Fraction(6, 5), threshold=Fraction(1, 2))
    yield equal(
        "updates of Balanced Winnow = in Kesler's space",
        len(two.updates),
        multiplicative_run(kesler_vectors(X, y, 2), Fraction(6, 5)).n_updates,
    )


@balanced.control(
    "The weights have to start at 1: if both start at 2, their product w⁺ w⁻ stays {left} and is not {right}."
)
def begun_at_two() -> Found:
    run = balanced_winnow(as_integers([[1, -1]]), np.array([1]), 2)
    # Every update multiplies, so a run that begins at 2 has twice the weights of one that begins at 1.
    yield equal("w⁺ w⁻ = 1", (2 * run.positive[-1] * 2 * run.negative[-1])[0], 1)


@balanced.strengthened(
    "The factors have to agree: an update with the factor 2 multiplies $w^+/w^-$ by 4, but with 4 in Kesler's space "
    "the first weight, divided by the sum of all, ends at {right} instead of {left}.",
    by=2,
)
def the_square_of_the_factor(by: int) -> Found:
    X, y = winnow_tight_sample(3)
    two, lifted = balanced_winnow(X, 1 - 2 * y, 2), multiplicative_run(kesler_vectors(X, y, 2), 2 * by)
    side = np.r_[two.positive[-1], two.negative[-1]]
    yield equal("first weight = in Kesler's space", side[0] * quotient(1, side.sum()), lifted.weights[-1][0])


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
    """Exponentiated gradient descent on the largest (w_z - w_y) . x where it is >= 0: V after each step."""
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
        yield holds(
            "same distributions after every update", same(list(winnow_history(run, X, y)), distributions), Tier.EXACT
        )


@descent.check("random distributions exceed the least value by their relative entropy to the new weights")
def excess_of_random_distributions(rng: np.random.Generator) -> Found:
    for factor in FACTORS * 8:
        W, V = (random_distribution(rng, (3, 4)) for _ in range(2))
        D = as_integers(rng.integers(-1, 2, (3, 4)))
        new = exponentiated_gradient_step(W, D, factor)
        excess = objective(V, W, D, factor) - objective(new, W, D, factor)
        yield equal(
            "excess over the least value ≈ KL(V, new)", excess, relative_entropy(balls(V), balls(new)), within=1e-12
        )
        yield at_least(
            "value at V ≥ value at the new weights", objective(V, W, D, factor), objective(new, W, D, factor)
        )


def random_distribution(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    whole = as_integers(rng.integers(1, 10, shape))
    return np.asarray(whole * Fraction(1, whole.sum()))


def objective(V: np.ndarray, W: np.ndarray, D: np.ndarray, factor: int | Fraction) -> Number:
    """KL(V | W) - eta <V, D>, as a ball."""
    return relative_entropy(balls(V), balls(W)) - ball(factor).log() * ball(frobenius_product(V, D))


@descent.strengthened(
    "The relative entropy has no ½, as the square has in gradient descent: with 2η in place of η a V exceeds the "
    "value at the new weights by {left}, and not by the relative entropy {right}.",
    by=2,
)
def longer_step(by: int) -> Found:
    W = np.full((2, 2), Fraction(1, 4), dtype=object)
    D, V = as_integers(np.array([[1, -1], [-1, 1]])), np.array([[1, 0], [0, 0]], dtype=object)
    new = exponentiated_gradient_step(W, D, 2)
    gain = by * frobenius_product(V - new, D)
    excess = relative_entropy(balls(V), balls(W)) - relative_entropy(balls(new), balls(W)) - ball(2).log() * ball(gain)
    yield equal(
        "excess over the least value ≈ KL(V, new)", excess, relative_entropy(balls(V), balls(new)), within=1e-12
    )


@descent.control(
    "An additive step, such as the Perceptron's, reaches other weights: it takes the first weight to "
    "{right}, and the multiplicative step takes it to {left}."
)
def additive_step() -> Found:
    W, D = np.array([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], dtype=object), as_integers([1, 0, -1])
    added = W + Fraction(1, 8) * D
    yield equal(
        "first weight = after the additive step", exponentiated_gradient_step(W, D, Fraction(5, 4))[0], added[0]
    )
