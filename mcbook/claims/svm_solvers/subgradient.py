"""Stochastic sub-gradient steps: their direction, their bound, and the Perceptron in them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import binary_primal, binary_sample, soft_margin_path
from mcbook.claims import Claim, at_least, at_most, equal, holds
from mcbook.claims.binary_svm.samples import Found, squared, trade_offs
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_given, as_integers, rational
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Exact, Number
from mcbook.perceptron import binary_perceptron, squared_radius
from mcbook.svm import class_weights, solve_flows
from mcbook.svm.algorithm.programs import exact_bracket
from mcbook.svm_solvers import random_draws, run_subgradient, step_direction, subgradient_bound


def stepped(w: Exact, t: int, direction: Exact) -> Exact:
    """The weights after step t."""
    return w - Fraction(1, t) * direction


stochastic_steps = Claim(
    "alg-svm-subgradient",
    "growth rate",
    "certified",
    source="roth-cis519",
    where="SGD for SVM slides",
    errata=("E36", "E57"),
    implements=(run_subgradient, step_direction, subgradient_bound),
    formula=(
        Formula("eq-svm-step", stepped, arguments={"w": "w_t", "direction": "g_t"}),
        Formula("eq-svm-step", step_direction, piece=1, n_draws=60),
        Formula("eq-svm-regret", subgradient_bound),
    ),
    symbols=(
        Reading("w_t", "real", shape=("d",), arguments={"w": "w_t"}),
        Reading("g_t", "real", shape=("d",)),
        Reading("t", "count", arguments={"t": "t"}),
        Reading("x_i", "real", shape=("d",), arguments={"x": "x_i"}),
        Reading("s_i", "sign", arguments={"sign": "s_i"}),
    ),
)


def optimum(X: Exact, signs: Array, C: Fraction) -> Exact:
    """The exact minimiser of 1/2 |w|^2 + C sum hinge."""
    return soft_margin_path(X, signs).w(C)


@stochastic_steps.check("the mean direction is a sub-gradient, with the room ½|v − w|² that strong convexity gives")
def mean_direction_is_a_subgradient(rng: np.random.Generator) -> Found:
    for _ in range(40):
        X, signs = binary_sample(rng, 3, 6)
        C, w, v = trade_offs(rng), fractions(rng, 3), fractions(rng, 3)
        mean = sum(step_direction(w, x, s, C, 6) for x, s in zip(X, signs, strict=True)) * Fraction(1, 6)
        below = binary_primal(w, X, signs, C) + mean @ (v - w) + squared(v - w) / 2
        yield at_most("f(w) + ⟨g, v − w⟩ + ½|v − w|² ≤ f(v)", below, binary_primal(v, X, signs, C))


def fractions(rng: np.random.Generator, size: int) -> Exact:
    return as_integers(rng.integers(-9, 10, size)) * Fraction(1, 8)


@stochastic_steps.check("the kernel makes the steps w ← w − (1/t) direction, in rationals")
def kernel_makes_the_steps(rng: np.random.Generator) -> Found:
    for _ in range(20):
        X, signs = binary_sample(rng, 2, 5)
        C, draws = trade_offs(rng), random_draws(rng, 5, 2)
        met = list(weights_met(X, signs, C, draws.ravel()))
        run = run_subgradient(X, signs, C, draws)
        yield equal("|w of the kernel − w of the rule|² = 0", squared(run.last - met[-1]), 0)
        yield equal(
            "|mean − mean of the weights met|² = 0", squared(run.mean - sum(met[:-1]) * Fraction(1, draws.size)), 0
        )


def weights_met(X: Exact, signs: Array, C: Fraction, draws: Sequence[int] | Array) -> Iterator[Exact]:
    """w_1 = 0, w_2, ...: the plain rule."""
    w = rational(np.zeros(X.shape[1], dtype=int))
    yield w
    for t, i in enumerate(draws, 1):
        w = stepped(w, t, step_direction(w, X[i], signs[i], C, len(X)))
        yield w


@stochastic_steps.check("mean excess over any draws at most the bound, against the exact optimum and other weights")
def mean_excess_of_any_draws(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X, signs = binary_sample(rng, 2, 4, largest=3)
        C, draws = trade_offs(rng) / 4, rng.integers(0, 4, int(rng.integers(1, 15)))
        for u in (optimum(X, signs, C), fractions(rng, 2)):
            excess = mean_excess(X, signs, C, draws, u)
            yield at_most("mean excess ≤ bound", excess, subgradient_bound(C, 4, squared_radius(X), len(draws)))


def mean_excess(X: Exact, signs: Array, C: Fraction, draws: Sequence[int] | Array, u: Exact) -> Fraction:
    """(1/T) sum_t f_t(w_t) - f_t(u), with f_t = 1/2 |w|^2 + C m max(0, 1 - s w . x) of the drawn example."""

    def one(w: Exact, i: int) -> Number:
        return Fraction(squared(w)) / 2 + C * len(X) * max(Fraction(0), 1 - signs[i] * (w @ X[i]))

    met = weights_met(X, signs, C, draws)
    total = sum(one(w, i) - one(u, i) for w, i in zip(met, draws, strict=False))
    return Fraction(total) / len(draws)


# The point 1 with both signs; its optimum is 0.
BOTH_SIGNS = as_integers(np.ones((2, 1), dtype=int)), np.array([1, -1], dtype=object)
ORIGIN = as_integers(np.zeros(1, dtype=int))


@stochastic_steps.check("one point with both signs: every sequence of up to 6 draws, against the optimum and another u")
def every_sequence_on_one_point(rng: np.random.Generator) -> Found:
    C = trade_offs(rng)
    for T in range(1, 7):
        limit = subgradient_bound(C, 2, 1, T)
        for draws in itertools.product((0, 1), repeat=T):
            for u in (ORIGIN, ORIGIN + C):
                yield at_most("mean excess ≤ bound", mean_excess(*BOTH_SIGNS, C, draws, u), limit, at=f"{T} steps")


@stochastic_steps.check("expected excess of the mean weights, over all possible draws, at most the bound")
def expected_excess_of_the_mean_weights(rng: np.random.Generator) -> Found:
    for _ in range(3):
        X, signs = binary_sample(rng, 2, 3, largest=3)
        C, T = trade_offs(rng) / 3, 4
        every = [run_subgradient(X, signs, C, np.array(draws)).mean for draws in itertools.product(range(3), repeat=T)]
        expected = sum(binary_primal(w, X, signs, C) for w in every) / len(every)
        excess = expected - binary_primal(optimum(X, signs, C), X, signs, C)
        yield at_most("expected excess ≤ bound", excess, subgradient_bound(C, 3, squared_radius(X), T))
        yield at_least("expected excess ≥ 0", excess, 0)


@stochastic_steps.check("after many passes the certified gap of the mean weights is within the bound, and small")
def after_many_passes(rng: np.random.Generator) -> Found:
    X, signs = binary_sample(rng, 3, 30, largest=3)
    floats, y, C = X.astype(float), np.where(signs > 0, 0, 1), Fraction(1, 15)
    w = as_given(run_subgradient(floats, signs, C, random_draws(rng, 30, 2000)).mean)
    alpha = solve_flows(X @ X.T, y, 2, float(C) / 2).point
    least = exact_bracket(class_weights(alpha, floats), alpha, X, y, C / 2)
    # Two classes at half the C have half the binary value.
    excess = binary_primal(w, X, signs, C) - 2 * least.lower
    yield at_most("excess after 60000 steps ≤ bound", excess, subgradient_bound(C, 30, squared_radius(X), 60_000))
    # The optimum is 2 least, so this is one part in a hundred of it.
    yield at_most("excess ≤ a hundredth of the optimum", excess, least / 50)


@stochastic_steps.check("with C m γ = 1, no shrinkage and threshold 0 the steps are Rosenblatt's")
def perceptron_without_shrinkage(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X, signs = binary_sample(rng, 2, 8, separable=True)
        rate = Fraction(1, int(rng.integers(2, 9)))
        _, expected = binary_perceptron(X, signs)
        w, made, changed = rational(np.zeros(2, dtype=int)), [], True
        while changed:
            changed = False
            for i, (x, s) in enumerate(zip(X, signs, strict=True)):
                pull = step_direction(w, x, s, 1 / (8 * rate), 8, threshold=0) - w
                if pull.any():
                    w, changed = w - rate * pull, True
                    made.append(i)
        yield holds("same updates", made == expected, Tier.EXACT, f"{len(made)} updates")


@stochastic_steps.extremal("two steps on one point with both signs meet the bound with equality")
def two_steps_with_both_signs() -> Found:
    for C in (Fraction(1, 3), Fraction(1)):
        yield equal(
            "mean excess = bound",
            mean_excess(*BOTH_SIGNS, C, [0, 1], ORIGIN),
            subgradient_bound(C, 2, 1, 2),
            at=f"two steps, C = {C}",
            statement=True,
        )


@stochastic_steps.strengthened(
    "One thousandth less is too little: after two steps on one point with both signs the mean excess "
    "is {left}, and {right} would be allowed.",
    by=Fraction(999, 1000),
)
def smaller_bound_after_two_steps(factor: Fraction) -> Found:
    C = Fraction(1, 2)
    yield at_most(
        "mean excess ≤ bound", mean_excess(*BOTH_SIGNS, C, [0, 1], ORIGIN), factor * subgradient_bound(C, 2, 1, 2)
    )


@stochastic_steps.strengthened(
    "In the long run one per cent less is too little, too: after 200 steps that each draw the sign not "
    "predicted the mean excess is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def smaller_bound_after_many_steps(factor: Fraction) -> Found:
    C, T = Fraction(1, 2), 200
    draws = [t % 2 for t in range(T)]
    yield at_most(
        "mean excess ≤ bound", mean_excess(*BOTH_SIGNS, C, draws, ORIGIN), factor * subgradient_bound(C, 2, 1, T)
    )


@stochastic_steps.control(
    r"A step need not lower the objective: on two equal examples with $C=\frac52$ the first step takes "
    "it from {right} to {left}."
)
def every_step_descends() -> Found:
    X, signs, C = as_integers(np.array([[1], [1]])), np.array([1, 1], dtype=object), Fraction(5, 2)
    before, after = weights_met(X, signs, C, [0])
    yield at_most("f after ≤ f before", binary_primal(after, X, signs, C), binary_primal(before, X, signs, C))
