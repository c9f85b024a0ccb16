"""Solvers: stochastic sub-gradient steps, the exact block step of the dual, and what a step costs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import TINY, Found, agree, exactly, samples, squared, trade_offs
from mcbook.foundation.compiled import python_original
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import rational
from mcbook.perceptron import as_integers, binary_perceptron
from mcbook.svm import (
    binary_sample,
    block_step,
    class_weights,
    crammer_singer_step,
    dual_objective,
    exact_bracket,
    flow_violation,
    mean_objective,
    multiclass_subgradient,
    primal_objective,
    random_draws,
    run_subgradient,
    simplex_projection,
    soft_margin_path,
    solve_block,
    solve_multiclass,
    solve_multiclass_dual,
    step_direction,
    subgradient_bound,
)
from mcbook.svm.kernels.subgradient import subgradient_steps
from mcbook.svm.theory import hinge

# --- R.sgd -----------------------------------------------------------------------------------------------------------

sgd = Claim(
    "R.sgd",
    implements=(run_subgradient, step_direction, subgradient_bound),
    formula=(Formula("eq-svm-step", step_direction, piece=1, n_draws=60), Formula("eq-svm-regret", subgradient_bound)),
)


def optimum(X: np.ndarray, signs: np.ndarray, C: Any) -> np.ndarray:
    """The exact minimiser of 1/2 |w|^2 + (C / m) sum hinge."""
    return soft_margin_path(X, signs).w(Fraction(C) / len(X))


@sgd.check("the mean direction is a sub-gradient, with the room ½|v − w|² that strong convexity gives")
def the_mean_direction_is_a_sub_gradient(rng: np.random.Generator) -> Found:
    for _ in range(40):
        X, signs = binary_sample(rng, 3, 6)
        C, w, v = trade_offs(rng), fractions(rng, 3), fractions(rng, 3)
        mean = sum(step_direction(w, x, s, C) for x, s in zip(X, signs, strict=True)) * Fraction(1, len(X))
        below = mean_objective(w, X, signs, C) + mean @ (v - w) + squared(v - w) / 2
        yield at_most("f(w) + ⟨g, v − w⟩ + ½|v − w|², f(v)", below, mean_objective(v, X, signs, C))


def fractions(rng: np.random.Generator, size: int) -> np.ndarray:
    return as_integers(rng.integers(-9, 10, (1, size)))[0] * Fraction(1, 8)


@sgd.check("the kernel makes the steps w ← w − (1/t) direction, in rationals")
def the_kernel_makes_the_steps_w_w_direction(rng: np.random.Generator) -> Found:
    for _ in range(20):
        X, signs = binary_sample(rng, 2, 5)
        C, draws = trade_offs(rng), random_draws(rng, 5, 2)
        met = list(weights_met(X, signs, C, draws.ravel()))
        run = run_subgradient(X, signs, C, draws)
        yield equal("|w of the kernel − w of the rule|²", squared(run.last - met[-1]), 0)
        yield equal("|mean − mean of the weights met|²", squared(run.mean - sum(met[:-1]) * Fraction(1, draws.size)), 0)


def weights_met(X: np.ndarray, signs: np.ndarray, C: Any, draws: Any) -> Iterator[np.ndarray]:
    """w_1 = 0, w_2, ...: the plain rule."""
    w = rational(np.zeros(X.shape[1], dtype=int))
    yield w
    for t, i in enumerate(draws, 1):
        w = w - Fraction(1, t) * step_direction(w, X[i], signs[i], C)
        yield w


@sgd.check("mean excess over any draws at most the bound, against the exact optimum")
def mean_excess_over_any_draws_at_most_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X, signs = binary_sample(rng, 2, 4, largest=3)
        C, draws = trade_offs(rng), rng.integers(0, 4, int(rng.integers(1, 15)))
        excess = mean_excess(X, signs, C, draws, optimum(X, signs, C))
        yield at_most("mean excess, bound", excess, subgradient_bound(C, radius(X), len(draws)))


def mean_excess(X: np.ndarray, signs: np.ndarray, C: Any, draws: Any, u: np.ndarray) -> Fraction:
    """(1/T) sum_t f_t(w_t) - f_t(u), with f_t = 1/2 |w|^2 + C max(0, 1 - s w . x) of the drawn example."""

    def one(w: np.ndarray, i: int) -> Any:
        return Fraction(squared(w)) / 2 + C * hinge(np.array([signs[i] * (w @ X[i])], dtype=object))[0]

    met = weights_met(X, signs, C, draws)
    total = sum(one(w, i) - one(u, i) for w, i in zip(met, draws, strict=False))
    return Fraction(total) / len(draws)


def radius(X: np.ndarray) -> Any:
    return (X * X).sum(axis=1).max()


@sgd.check("expected excess of the mean weights, over all possible draws, at most the bound")
def expected_excess_of_the_mean_weights_over_all(rng: np.random.Generator) -> Found:
    for _ in range(3):
        X, signs = binary_sample(rng, 2, 3, largest=3)
        C, T = trade_offs(rng), 4
        every = [run_subgradient(X, signs, C, np.array(draws)).mean for draws in itertools.product(range(3), repeat=T)]
        expected = sum(mean_objective(w, X, signs, C) for w in every) / len(every)
        excess = expected - mean_objective(optimum(X, signs, C), X, signs, C)
        yield at_most("expected excess, bound", excess, subgradient_bound(C, radius(X), T))
        yield at_least("expected excess", excess, 0)


@sgd.check("after many passes the certified gap of the mean weights is within the bound, and small")
def after_many_passes_the_certified_gap_of_the_mean(rng: np.random.Generator) -> Found:
    X, signs = binary_sample(rng, 3, 30, largest=3)
    floats, C = X.astype(float), 2
    w = exactly(run_subgradient(floats, signs, C, random_draws(rng, 30, 2000)).mean)
    alpha = solve_multiclass_dual(X @ X.T, np.where(signs > 0, 0, 1), 2, C / 30 / 2).point
    W = class_weights(alpha, floats)
    least = exact_bracket(W, alpha, X, np.where(signs > 0, 0, 1), Fraction(C, 60))
    # Two classes at half the C have half the binary value.
    excess = mean_objective(w, X, signs, C) - 2 * least.lower
    yield at_most(
        "excess after 60000 steps, bound",
        excess,
        subgradient_bound(C, radius(X), 60_000),
    )
    # The optimum is 2 least, so this is one part in a hundred of it.
    yield at_most("excess, a hundredth of the optimum", excess, least / 50)


@sgd.check("with C γ = 1, no shrinkage and threshold 0 the steps are Rosenblatt's")
def with_c_gamma_1_no_shrinkage_and_threshold_0(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X, signs = binary_sample(rng, 2, 8, separable=True)
        rate = Fraction(1, int(rng.integers(2, 9)))
        _, expected = binary_perceptron(X, signs)
        w, made, changed = rational(np.zeros(2, dtype=int)), [], True
        while changed:
            changed = False
            for i, (x, s) in enumerate(zip(X, signs, strict=True)):
                pull = step_direction(w, x, s, 1 / rate, threshold=0) - w
                if pull.any():
                    w, changed = w - rate * pull, True
                    made.append(i)
        yield holds("same updates", made == expected, Tier.EXACT, f"{len(made)} updates")


@sgd.extremal("one and two steps on one point with both signs meet the bound with equality")
def one_and_two_steps_on_one_point_with_both_signs() -> Found:
    X, signs, zero = as_integers(np.array([[1], [1]])), np.array([1, -1], dtype=object), as_integers(np.array([[0]]))[0]
    for C in (Fraction(1, 3), Fraction(1)):
        yield equal("one step", mean_excess(X, signs, C, [0], C * X[0]), subgradient_bound(C, 1, 1))
        yield equal("two steps", mean_excess(X, signs, C, [0, 1], zero), subgradient_bound(C, 1, 2))


@sgd.control("the bound a hundredth smaller")
def the_bound_a_hundredth_smaller() -> Found:
    X, signs, zero = as_integers(np.array([[1], [1]])), np.array([1, -1], dtype=object), as_integers(np.array([[0]]))[0]
    excess = mean_excess(X, signs, Fraction(1), [0, 1], zero)
    yield at_most("mean excess", excess, Fraction(99, 100) * subgradient_bound(Fraction(1), 1, 2))


@sgd.control("every step lowers the objective")
def every_step_lowers_the_objective() -> Found:
    X, signs, C = as_integers(np.array([[1], [1]])), np.array([1, 1], dtype=object), 5
    before, after = weights_met(X, signs, C, [0])
    yield at_most("f after, f before", mean_objective(after, X, signs, C), mean_objective(before, X, signs, C))


# --- M.dec -----------------------------------------------------------------------------------------------------------

dec = Claim("M.dec", implements=(block_step, simplex_projection), no_formula="a projection, found by a procedure")


def blocks(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, int, Fraction, Fraction]]:
    """Scores of the other examples, a label, C and K(x, x), all rational and with ties."""
    for _ in range(count):
        k = int(rng.integers(2, 7))
        others = as_integers(rng.integers(-6, 7, (1, k)))[0] * Fraction(1, 3)
        yield others, int(rng.integers(k)), trade_offs(rng), Fraction(int(rng.integers(1, 40)), 4)


def block_value(flow: np.ndarray, others: np.ndarray, label: int, squared_norm: Any) -> Any:
    return flow[label] - flow @ others - Fraction(squared_norm) / 2 * squared(flow)


@dec.check("the projection meets the condition that characterises it, in rationals: obtuse to every corner")
def the_projection_meets_the_condition(rng: np.random.Generator) -> Found:
    for others, _, total, _ in blocks(rng, 60):
        p = simplex_projection(others, total)
        yield equal("sum", p.sum(), total)
        yield at_least("smallest entry", p.min(), 0)
        # <v - p, q - p> is affine in q, so the corners q = total e_j decide.
        yield at_most("⟨v − p, q − p⟩", max(total * (others - p)) - (others - p) @ p, 0)


@dec.check("a block agrees with its programme and with the kernel")
def a_block_agrees_with_its_programme(rng: np.random.Generator) -> Found:
    for number, (others, label, C, norm) in enumerate(blocks(rng, 40)):
        flow = block_step(others, label, C, norm)
        yield equal("violation of the flow", flow_violation(flow[None], np.array([label]), C), 0)
        if number < 8:
            yield agree(
                "value", solve_block(others, label, float(C), float(norm)), block_value(flow, others, label, norm)
            )
        compiled = crammer_singer_step(others.astype(float), label, float(C), float(norm))
        yield at_most("largest |flow − flow of the kernel|", np.abs(exactly(compiled) - flow).max(), TINY / 10**6)


@dec.check("cycles of block steps never lower the dual, in rationals")
def cycles_of_block_steps_never_lower_the_dual(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 4):
        X, y, C = X[:6], y[:6], trade_offs(rng)
        K, alpha = X @ X.T, rational(np.zeros((6, k), dtype=int))
        value: Any = 0
        for i in [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]:
            others = alpha.T @ K[i] - alpha[i] * K[i, i]
            alpha[i] = block_step(others, int(y[i]), C, K[i, i])
            before, value = value, dual_objective(alpha, K, y)
            yield at_least("dual after, before", value, before)


@dec.check("the compiled ascent arrives: primal and dual of its weights and flows, recomputed in rationals")
def the_compiled_ascent_arrives(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 8):
        C = trade_offs(rng) / 10
        found = solve_multiclass(X.astype(float), y, k, float(C), method="coordinate", gap=1e-10, max_iter=200_000)
        assert found.W is not None
        bracket = exact_bracket(found.W, found.alpha, X, y, C)
        yield agree("primal, dual", bracket.upper, type(bracket)(bracket.lower, bracket.lower, bracket.tier))
        yield agree("bracket, programme", bracket, solve_multiclass_dual(X @ X.T, y, k, float(C)))


@dec.control("cutting negative entries off and scaling the rest to the total is as good")
def cutting_negative_entries_off_and_scaling() -> Found:
    others, label, C, norm = (
        np.array([Fraction(0), Fraction(1), Fraction(1, 2)], dtype=object),
        0,
        Fraction(1, 2),
        Fraction(1),
    )
    wanted = C * np.array([1, 0, 0], dtype=object) - (np.array([1, 0, 0], dtype=object) - others) / norm
    cut = np.maximum(wanted, 0)
    scaled = C * np.array([1, 0, 0], dtype=object) - cut * (C / cut.sum())
    best = block_value(block_step(others, label, C, norm), others, label, norm)
    yield at_least("value of the scaled flow", block_value(scaled, others, label, norm), best)


@dec.control("one cycle of block steps is enough")
def one_cycle_of_block_steps_is_enough() -> Found:
    X, y, k = next(samples(np.random.default_rng(1), 1, fewest=3))
    K, alpha = X @ X.T, rational(np.zeros((len(X), k), dtype=int))
    for i in range(len(X)):
        alpha[i] = block_step(alpha.T @ K[i], int(y[i]), Fraction(1), K[i, i])
    yield agree("dual after a cycle, optimum", dual_objective(alpha, K, y), solve_multiclass_dual(K, y, k, 1.0))


# --- R.opt -----------------------------------------------------------------------------------------------------------

opt = Claim(
    "R.opt",
    implements=(run_subgradient, multiclass_subgradient, solve_multiclass),
    no_formula="the convergence of algorithms",
)


class Counted:
    """A feature that counts the products in which it takes part."""

    products = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __mul__(self, other: Any) -> Any:
        Counted.products += 1
        return self.value * other

    __rmul__ = __mul__


def products_of_steps(n_samples: int, n_features: int, n_steps: int) -> int:
    """Products that the kernel makes with features, in so many steps on a sample of that size."""
    Counted.products = 0
    X = np.array([[Counted(1 + (i + j) % 3) for j in range(n_features)] for i in range(n_samples)], dtype=object)
    signs = np.array([1 if i % 2 else -1 for i in range(n_samples)], dtype=object)
    w = rational(np.zeros(n_features, dtype=int))
    draws = np.arange(n_steps) % n_samples
    python_original(subgradient_steps)(X, signs, draws, w, np.zeros_like(w), Fraction(0), Fraction(1))
    return Counted.products


@opt.check("a stochastic step costs the same on 5, 50 and 500 examples: products counted in the kernel itself")
def a_stochastic_step_costs_the_same_on_5_50_and_500(rng: np.random.Generator) -> Found:
    for d in (2, 5):
        # Each feature is multiplied twice in a step: for the score, and for the pull.
        expected = products_of_steps(5, d, 4)
        yield equal(f"products of 4 steps, d = {d}", expected, 2 * d * 4)
        for m in (50, 500):
            yield equal(f"the same for m = {m}", products_of_steps(m, d, 4), expected)


@opt.check("coordinate ascent: the certified gap falls below a billionth of the optimum")
def coordinate_ascent(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        C = trade_offs(rng) / 10
        gaps = []
        for limit in (1, 10, 200_000):
            found = solve_multiclass(X.astype(float), y, k, float(C), method="coordinate", gap=1e-10, max_iter=limit)
            bracket = exact_bracket(class_weights(found.alpha, X), found.alpha, X, y, C)
            gaps.append((bracket.upper - bracket.lower) / bracket.upper)
        value = solve_multiclass_dual(X @ X.T, y, k, float(C))
        yield agree("primal after the last pass, programme", bracket.upper, value)
        yield at_most("relative gap after the last pass", gaps[-1], Fraction(1, 10**9))
        yield at_most("relative gap after the last, after the first pass", gaps[-1], gaps[0])


@opt.check("multi-class sub-gradient steps: the certified excess keeps to the bound and falls to a tenth in 400 passes")
def multi_class_sub_gradient_steps(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 3):
        C = trade_offs(rng) / 10
        draws = random_draws(rng, len(X), 400)
        run = multiclass_subgradient(X.astype(float), y, k, float(C) * len(X), draws)
        least = solve_multiclass_dual(X @ X.T, y, k, float(C)).value
        first, last = (primal_objective(exactly(W), X, y, C) for W in (run.means[0], run.means[-1]))
        # A step of the multi-class machine moves along a Kesler vector, whose squared length is 2 |x|^2.
        limit = subgradient_bound(C * len(X), 2 * radius(X), draws.size)
        yield at_most("excess after 400 passes, bound", last - Fraction(least.lower), limit)
        yield at_most(
            "the same, a tenth of that after one", 10 * (last - Fraction(least.lower)), first - Fraction(least.upper)
        )


@opt.check("with two classes the multi-class steps are the binary ones for twice the C, in rationals")
def with_two_classes_the_multi_class_steps_are(rng: np.random.Generator) -> Found:
    for _ in range(10):
        X, signs = binary_sample(rng, 2, 6)
        C, draws = trade_offs(rng), random_draws(rng, 6, 2)
        both = multiclass_subgradient(X, np.where(signs > 0, 0, 1), 2, C, draws)
        one = run_subgradient(X, signs, 2 * C, draws)
        yield equal("|w_1 − w_2 − w|²", squared(both.last[0] - both.last[1] - one.last), 0)
        yield equal("|w_1 + w_2|²", squared(both.mean[0] + both.mean[1]), 0)


@opt.extremal("orthogonal examples: one cycle of exact block steps is the optimum, gap 0 in rationals")
def orthogonal_examples() -> Found:
    for k in (2, 3, 5):
        X, y, C = as_integers(np.diag([1, 2, 3, 1, 2])), np.arange(5) % k, Fraction(1, 2)
        K, alpha = X @ X.T, rational(np.zeros((5, k), dtype=int))
        for i in range(5):
            alpha[i] = block_step(alpha.T @ K[i], int(y[i]), C, K[i, i])
        value = primal_objective(class_weights(alpha, X), X, y, C)
        yield equal(f"primal, dual after one cycle, k = {k}", value, dual_objective(alpha, K, y))


@opt.control("a step of the full sub-gradient costs the same on 5 and on 6 examples")
def a_step_of_the_full_sub_gradient_costs_the_same() -> Found:
    # One full sub-gradient visits every example once, as many stochastic steps as there are examples.
    yield equal("products", products_of_steps(5, 3, 5), products_of_steps(6, 3, 6))


@opt.control("one pass of stochastic steps ends within a billionth of the optimum")
def one_pass_of_stochastic_steps_ends_within() -> Found:
    X, y, k = next(samples(np.random.default_rng(1), 1, fewest=3))
    run = multiclass_subgradient(X.astype(float), y, k, 1.0 * len(X), random_draws(np.random.default_rng(0), len(X), 1))
    value = primal_objective(exactly(run.mean), X, y, 1)
    yield agree("value after one pass, optimum", value, solve_multiclass_dual(X @ X.T, y, k, 1.0))
