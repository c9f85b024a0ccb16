"""The algorithm, its three inequalities and its mistake bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.perceptron import (
    PerceptronRun,
    as_integers,
    best_margin,
    binary_perceptron,
    frobenius,
    gaps,
    history,
    mistake_bound,
    predict,
    random_orders,
    run_perceptron,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)
from mcbook.perceptron.algorithm.run import TieRule

Found = Iterator[Evidence]
TIE_RULES: tuple[TieRule, ...] = ("violation", "smaller label")


def samples(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    for _ in range(count):
        k = int(rng.integers(2, 6))
        X, y = separable_sample(rng, k, int(rng.integers(2, 5)), int(rng.integers(8, 25)))
        yield X, y, k


# --- P.alg: what every update keeps ----------------------------------------------------------------------------------

alg = Claim("P.alg", implements=(run_perceptron, history), no_formula="an algorithm")


def steps(run: PerceptronRun, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """The weights before and after each update, and its example."""
    weights = list(history(run, X, y))
    yield from zip(weights, weights[1:], run.updates[:, 0].tolist(), strict=False)


@alg.check("after every update the rows sum to 0, and the step has squared Frobenius norm 2 ‖x‖²")
def after_every_update_the_rows_sum_to_0(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for before, after, example in steps(run_perceptron(X, y, k), X, y):
            yield holds("rows sum to 0", bool((after.sum(axis=0) == 0).all()), Tier.EXACT)
            step = after - before
            yield equal("‖step‖², 2 ‖x‖²", frobenius(step, step), 2 * int(X[example] @ X[example]))


@alg.check("every update is made on an example whose label did not win alone")
def every_update_is_made_on_an_example_whose_label(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for before, _, i in steps(run_perceptron(X, y, k), X, y):
            yield at_most("gap before the update", int(gaps(before, X[i : i + 1], y[i : i + 1])[0]), 0)


@alg.control("the step has norm ‖x‖")
def the_step_has_norm_x() -> Found:
    X, y = tight_sample(3)
    before, after, example = next(steps(run_perceptron(X, y, 3), X, y))
    yield equal("‖step‖², ‖x‖²", frobenius(after - before, after - before), int(X[example] @ X[example]))


@alg.control("promoting the label alone keeps the sum of the rows")
def promoting_the_label_alone_keeps_the_sum() -> Found:
    X, y = tight_sample(3)
    W = as_integers(np.zeros((3, 3), dtype=int))
    W[y[0]] += X[0]
    yield holds("rows sum to 0", bool((W.sum(axis=0) == 0).all()), Tier.EXACT)


# --- P.C1-C3: the three inequalities of the proof --------------------------------------------------------------------

SMALLEST_GAP = r"\min_i\min_{z\ne y_i}(w_{y_i}-w_z)\cdot x_i"
BEST_MARGIN = rf"\frac{{{SMALLEST_GAP}}}{{\sqrt2\lVert W\rVert_F}}"


def least_product(gap: Any, n_updates: int) -> Any:
    """t √2 γ ‖W*‖: for a W* with the best margin, √2 γ ‖W*‖ is its smallest gap, which has no roots."""
    return n_updates * gap


def largest_square(squared_radius: Any, n_updates: int) -> Any:
    """2 t R²."""
    return 2 * n_updates * squared_radius


three = Claim(
    "P.C1-C3",
    implements=(history, frobenius),
    formula=(
        Formula("eq-claim-1", least_product, arguments={"gap": SMALLEST_GAP}, given={r"\gamma": BEST_MARGIN}),
        Formula("eq-claim-2", largest_square),
        Formula("eq-claim-3", frobenius, side="left"),
    ),
)


@three.check("after every update of every run, against a separating W of integers")
def after_every_update_of_every_run_against(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        W_star = best_margin(X, y, k).W
        gap, radius = int(gaps(W_star, X, y).min()), squared_radius(X)
        for ties in TIE_RULES:
            for t, W in enumerate(history(run_perceptron(X, y, k, ties=ties), X, y)):
                yield from three_inequalities(W_star, W, t, gap, radius)


def three_inequalities(W_star: np.ndarray, W: np.ndarray, t: int, gap: int, radius: int) -> Found:
    product, squared = int(frobenius(W_star, W)), int(frobenius(W, W))
    yield at_least("⟨W*, W_t⟩, t √2 γ ‖W*‖", product, least_product(gap, t))
    yield at_most("‖W_t‖², 2 t R²", squared, largest_square(radius, t))
    yield at_most("⟨W*, W_t⟩², ‖W*‖² ‖W_t‖²", product * product, int(frobenius(W_star, W_star)) * squared)


@three.extremal("on the tight sample the last step meets all three with equality")
def on_the_tight_sample_the_last_step_meets_all() -> Found:
    for k in range(2, 9):
        X, y = tight_sample(k)
        run = run_perceptron(X, y, k)
        W, t = run.W, run.n_updates
        gap, squared = int(gaps(W, X, y).min()), int(frobenius(W, W))
        yield equal(f"Claim 1 with W* = W_t, k = {k}", squared, t * gap)
        yield equal(f"Claim 2, k = {k}", squared, 2 * t * squared_radius(X))
        yield equal(f"Claim 3 with W* = W_t, k = {k}", int(frobenius(W, W)) ** 2, squared * squared)


@three.control("Claim 1 with the margin a hundredth larger")
def claim_1_with_the_margin_a_hundredth_larger() -> Found:
    X, y = tight_sample(3)
    run = run_perceptron(X, y, 3)
    gap = int(gaps(run.W, X, y).min())
    yield at_least("⟨W*, W_t⟩", int(frobenius(run.W, run.W)), Fraction(101, 100) * run.n_updates * gap)


@three.control("Claim 2 with 1.99 instead of 2")
def claim_2_with_1_99_instead_of_2() -> Found:
    X, y = as_integers(np.eye(4, dtype=int)), np.array([1, 1, 1, 1])
    run = run_perceptron(X, y, 2)
    yield at_most("‖W_t‖²", int(frobenius(run.W, run.W)), Fraction(199, 100) * run.n_updates * squared_radius(X))


# --- P.T: the mistake bound ------------------------------------------------------------------------------------------

bound = Claim("P.T", implements=mistake_bound, formula=Formula("eq-mistake-bound", mistake_bound))


def against_bound(X: np.ndarray, y: np.ndarray, k: int, run: PerceptronRun, what: str, shift: int = 0) -> Evidence:
    """Updates against R^2 / gamma^2 for the best gamma, which is bracketed by two rational witnesses."""
    limit = mistake_bound(squared_radius(X), best_margin(X, y, k).squared)
    return at_most(what, run.n_updates, limit + shift)


@bound.check("separable samples of integers, both tie rules, the given order and random ones")
def separable_samples_of_integers_both_tie_rules(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 120):
        limit = mistake_bound(squared_radius(X), best_margin(X, y, k).squared)
        for ties in TIE_RULES:
            # Integers below 2^53 are exact in floating point too, so the compiled pass may be used.
            runs = [run_perceptron(X.astype(float), y, k, ties=ties)]
            runs += [
                run_perceptron(X.astype(float), y, k, ties=ties, order=random_orders(len(X), s)) for s in range(10)
            ]
            for run in runs:
                assert run.converged, "a run on separable data did not end"
                yield at_most("updates, R² / γ²", run.n_updates, limit)


@bound.extremal("equality for every k, and for copies, in integers: updates = R² / margin(W_t)² = 2 (k - 1)")
def equality_for_every_k_and_for_copies_in_integers() -> Found:
    for k in range(2, 13):
        for copies in (1, 2):
            X, y = tight_sample(k, copies)
            for ties in TIE_RULES:
                run = run_perceptron(X, y, k, ties=ties)
                # margin(W_t) <= gamma, so the bound lies between the updates (by the theorem) and this.
                limit = mistake_bound(squared_radius(X), squared_margin(run.W, X, y))
                yield equal(f"updates and bound, k = {k}, {copies} copies", run.n_updates, limit)
                yield equal(f"2 (k - 1) copies, k = {k}", run.n_updates, 2 * (k - 1) * copies)


@bound.trace("three classes, four points, in integers")
def three_classes_four_points_in_integers() -> Found:
    k = 3
    X, y = tight_sample(k)
    run = run_perceptron(X, y, k)
    W_star, weights = run.W, list(history(run, X, y))
    gap, radius, norm = int(gaps(W_star, X, y).min()), squared_radius(X), int(frobenius(W_star, W_star))
    yield at_least("W* separates: its smallest gap, 1", gap, 1)
    yield equal("γ² = gap² / (2 ‖W*‖²)", squared_margin(W_star, X, y), Fraction(gap**2, 2 * norm))
    for t, (before, after, i) in enumerate(steps(run, X, y), 1):
        step = after - before
        yield at_least(f"update {t}: ⟨W*, step⟩, gap of W*", int(frobenius(W_star, step)), gap)
        yield at_most(f"update {t}: ⟨W_(t−1), step⟩, 0", int(frobenius(before, step)), 0)
        yield at_most(
            f"update {t}: growth of |W|², 2 R²", int(frobenius(after, after) - frobenius(before, before)), 2 * radius
        )
        yield equal(f"update {t}: ‖step‖², 2 ‖x‖²", int(frobenius(step, step)), 2 * int(X[i] @ X[i]))
    t = run.n_updates
    yield from three_inequalities(W_star, weights[-1], t, gap, radius)
    yield at_most("together: t² gap², ‖W*‖² 2 t R²", t * t * gap * gap, norm * 2 * t * radius)
    yield at_most("divided: t, R² / γ²", t, mistake_bound(radius, squared_margin(W_star, X, y)))


@bound.control("the bound less one")
def the_bound_less_one() -> Found:
    X, y = tight_sample(3)
    yield against_bound(X, y, 3, run_perceptron(X, y, 3), "updates, R² / γ² - 1", shift=-1)


@bound.control("the margin taken without the factor √2")
def the_margin_taken_without_the_factor_root_2() -> Found:
    X, y = tight_sample(3)
    run = run_perceptron(X, y, 3)
    yield at_most("updates", run.n_updates, mistake_bound(squared_radius(X), 2 * squared_margin(run.W, X, y)))


# --- P.k2: two classes -----------------------------------------------------------------------------------------------

two = Claim("P.k2", implements=binary_perceptron, no_formula="an equivalence of two algorithms")


@two.check("the same updates as Rosenblatt's Perceptron, opposite rows, the same margin, under both tie rules")
def the_same_updates_as_rosenblatts_perceptron(rng: np.random.Generator) -> Found:
    for _ in range(50):
        X, y = separable_sample(rng, 2, 3, 15)
        signs = np.where(y == 0, 1, -1)
        for ties in TIE_RULES:
            run = run_perceptron(X, y, 2, ties=ties)
            w, updates = binary_perceptron(X, signs, zero_is_violation=ties == "violation")
            yield holds("same examples in the same order", run.updates[:, 0].tolist() == updates, Tier.EXACT)
            yield holds("rows w and -w", bool((np.array([w, -w], dtype=object) == run.W).all()), Tier.EXACT)
            if ties == "violation":
                single = Fraction(int((signs * (X @ w)).min()) ** 2, int(w @ w))
                yield equal("margin², that of w alone", squared_margin(run.W, X, y), single)


@two.control("reading a score of 0 as the second class")
def reading_a_score_of_0_as_the_second_class() -> Found:
    X, y = as_integers(np.array([[1, 0], [0, 1]])), np.array([0, 1])
    run = run_perceptron(X, y, 2, ties="smaller label")
    _, updates = binary_perceptron(-X, np.array([-1, 1]), zero_is_violation=False)
    yield equal("first example updated", int(run.updates[0, 0]), updates[0])


# --- P.term: what holds when the algorithm stops ---------------------------------------------------------------------

term = Claim("P.term", implements=run_perceptron, no_formula="a property of the output of an algorithm")


@term.check("no training error under the tie rule; strictly separated when ties count as violations")
def no_training_error_under_the_tie_rule(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 60):
        for ties in TIE_RULES:
            run = run_perceptron(X, y, k, ties=ties)
            yield equal("training errors", int((predict(run.W, X) != y).sum()), 0)
            yield equal("updates of one more pass", run_perceptron(X, y, k, ties=ties, start=run.W).n_updates, 0)
        strict = run_perceptron(X, y, k)
        yield at_least("smallest gap, ties as violations", int(gaps(strict.W, X, y).min()), 1)


@term.control("with ties broken for the smaller label, the last W separates strictly")
def with_ties_broken_for_the_smaller_label_the_last() -> Found:
    X, y = as_integers(np.array([[2, 1], [1, 3]])), np.array([0, 0])
    run = run_perceptron(X, y, 2, ties="smaller label")
    yield at_least("smallest gap", int(gaps(run.W, X, y).min()), 1)


# --- K.glob: the rate ------------------------------------------------------------------------------------------------

rate = Claim("K.glob", implements=run_perceptron, no_formula="a property of the steps of an algorithm")


@rate.check("from W = 0 the rates 1 and 1/10 make the same updates, in fractions")
def from_w_0_the_rates_1_and_1_10_make_the_same(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 60):
        one, tenth = run_perceptron(X, y, k), run_perceptron(X, y, k, rate=Fraction(1, 10))
        yield holds("same updates", one.updates.tolist() == tenth.updates.tolist(), Tier.EXACT)
        yield holds("a tenth of the weights", bool((tenth.W * 10 == one.W).all()), Tier.EXACT)


@rate.control("from a start other than 0")
def from_a_start_other_than_0() -> Found:
    X, y, start = as_integers(np.array([[1, 0], [0, 1]])), np.array([0, 1]), as_integers(np.array([[0, 5], [0, 0]]))
    runs = [run_perceptron(X, y, 2, rate=rate, start=start) for rate in (1, Fraction(1, 10))]
    yield equal("updates", runs[0].n_updates, runs[1].n_updates)


@rate.control("in floating point, where a tenth is rounded and ties break")
def in_floating_point_where_a_tenth_is_rounded() -> Found:
    for seed in range(100):
        X, y = separable_sample(np.random.default_rng(seed), 4, 3, 20, largest=3)
        one, tenth = (run_perceptron(X.astype(float), y, 4, rate=rate) for rate in (1.0, 0.1))
        if one.updates.tolist() != tenth.updates.tolist():
            yield equal(f"updates of sample {seed} that agree", False, True)
            return
