"""The three inequalities of the mistake bound, and the bound."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.perceptron.algorithm import TIE_RULES, samples, squared_length, steps
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Number
from mcbook.perceptron import (
    best_margin,
    frobenius_product,
    gaps,
    history,
    mistake_bound,
    random_orders,
    run_perceptron,
    squared_margin,
    squared_radius,
    tight_sample,
)
from mcbook.perceptron.algorithm.run import PerceptronRun

Found = Iterator[Evidence]

# --- the three inequalities of the proof -----------------------------------------------------------------------------

SMALLEST_GAP = r"\min_i\min_{z\ne y_i}(w_{y_i}-w_z)\cdot x_i"
BEST_MARGIN = rf"\frac{{{SMALLEST_GAP}}}{{\sqrt2\lVert W\rVert_F}}"


def least_product(gap: Number, n_updates: int) -> Number:
    """t √2 γ ‖W*‖: for a W* with the best margin, √2 γ ‖W*‖ is its smallest gap, which has no roots."""
    return n_updates * gap


def largest_square(squared_radius: Number, n_updates: int) -> Number:
    """2 t R²."""
    return 2 * n_updates * squared_radius


three_claims = Claim(
    "lem-perceptron-three-claims",
    "upper bound",
    "certified",
    source="tao-perceptron",
    where="Claims 1–3",
    errata=("E30",),
    implements=(history, frobenius_product),
    formula=(
        Formula("eq-claim-1", least_product, arguments={"gap": SMALLEST_GAP}, given={r"\gamma": BEST_MARGIN}),
        Formula("eq-claim-2", squared_length, side="left", arguments={"A": "W_t"}),
        Formula("eq-claim-2", largest_square),
        Formula("eq-claim-3", frobenius_product, side="left"),
    ),
    symbols=(
        Reading("t", "count", arguments={"n_updates": "t"}),
        Reading("W^*", means="W", arguments={"A": "W^*"}),
        Reading("W_t", "real", shape=("k", "d"), arguments={"B": "W_t"}),
    ),
)


@three_claims.check("after every update, in the given order and a random one, against a separating W of integers")
def claims_after_every_update(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        W_star = best_margin(X, y, k).W
        gap, R2 = int(gaps(W_star, X, y).min()), squared_radius(X)
        for ties, order in itertools.product(TIE_RULES, (None, random_orders(len(X), int(rng.integers(2**31))))):
            for t, W in enumerate(history(run_perceptron(X, y, k, ties=ties, order=order), X, y)):
                yield from three_inequalities(W_star, W, t, gap, R2)


def three_inequalities(W_star: np.ndarray, W: np.ndarray, t: int, gap: int, R2: int) -> Found:
    product, squared = int(frobenius_product(W_star, W)), squared_length(W)
    yield at_least("⟨W*, W_t⟩ ≥ t √2 γ ‖W*‖", product, least_product(gap, t))
    yield at_most("‖W_t‖² ≤ 2 t R²", squared, largest_square(R2, t))
    yield at_most("⟨W*, W_t⟩² ≤ ‖W*‖² ‖W_t‖²", product * product, squared_length(W_star) * squared)


def weakest(scores: list[int], not_beaten: list[int]) -> int:
    return min(not_beaten, key=lambda z: scores[z])


def lowest_of_all(scores: list[int], label: int) -> int:
    return min((z for z in range(len(scores)) if z != label), key=lambda z: scores[z])


Choice = Callable[[list[int], list[int]], int]


def run_against(X: np.ndarray, y: np.ndarray, k: int, choose: Choice, max_epochs: int = 1000) -> PerceptronRun:
    """The Perceptron with another choice of the rival, among the labels that are not beaten."""
    W, updates, n_epochs, made = as_integers(np.zeros((k, X.shape[1]), dtype=int)), [], 0, 1
    while made and n_epochs < max_epochs:
        n_epochs, made = n_epochs + 1, 0
        for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            scores = [int(row @ x) for row in W]
            not_beaten = [z for z in range(k) if z != label and scores[z] >= scores[label]]
            if not_beaten:
                rival = choose(scores, not_beaten)
                W[label], W[rival] = W[label] + x, W[rival] - x
                updates.append((i, rival))
                made += 1
    return PerceptronRun(W, np.array(updates), n_epochs, made == 0, np.zeros_like(W), n_epochs * len(X))


def choices_of_rivals(rng: np.random.Generator) -> tuple[Choice, ...]:
    return weakest, lambda scores, not_beaten: int(rng.choice(not_beaten)), lambda scores, not_beaten: not_beaten[-1]


@three_claims.check("the same against other rivals that are not beaten: the weakest, the last one, a random one")
def claims_against_other_rivals(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 15):
        W_star = best_margin(X, y, k).W
        gap, R2 = int(gaps(W_star, X, y).min()), squared_radius(X)
        for choose in choices_of_rivals(rng):
            for t, W in enumerate(history(run_against(X, y, k, choose), X, y)):
                yield from three_inequalities(W_star, W, t, gap, R2)


def best_weights_of_tight_sample(k: int) -> np.ndarray:
    """By the example's symmetry, without a run: w_(j+1) = k e_j - u and w_1 = -Σ_j w_(j+1)."""
    mirror = np.r_[np.ones(k - 1, dtype=int), -1]
    others = [k * np.eye(k, dtype=int)[j] - mirror for j in range(k - 1)]
    return as_integers(np.array([-sum(others), *others]))


@three_claims.extremal("on the tight sample the last step meets all three with equality, for the W* of its symmetry")
def claims_on_the_tight_sample() -> Found:
    for k in range(2, 9):
        X, y = tight_sample(k)
        run, W_star = run_perceptron(X, y, k), best_weights_of_tight_sample(k)
        *_, W = history(run, X, y)
        product, squared = frobenius_product(W_star, W), squared_length(W)
        least = run.n_updates * int(gaps(W_star, X, y).min())
        yield equal("⟨W*, W_t⟩ = t √2 γ ‖W*‖", product, least, at=f"k = {k}", statement=True)
        yield equal("‖W_t‖² = 2 t R²", squared, 2 * run.n_updates * squared_radius(X), at=f"k = {k}", statement=True)
        yield equal(
            "⟨W*, W_t⟩² = ‖W*‖² ‖W_t‖²", product**2, squared_length(W_star) * squared, at=f"k = {k}", statement=True
        )


@three_claims.strengthened(
    "With γ one per cent larger Claim 1 is false: on the tight sample of three classes ⟨W*, W_t⟩ ends at "
    "{left}, less than {right}.",
    by=Fraction(101, 100),
)
def claim_1_with_a_larger_margin(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    W_star, t = best_weights_of_tight_sample(3), run_perceptron(X, y, 3).n_updates
    *_, W = history(run_perceptron(X, y, 3), X, y)
    yield at_least("⟨W*, W_t⟩ ≥ t √2 γ ‖W*‖", frobenius_product(W_star, W), factor * t * int(gaps(W_star, X, y).min()))


@three_claims.strengthened(
    "With R² one per cent smaller Claim 2 is false: on the tight sample of three classes ‖W_t‖² is {left} "
    "after the first update, more than {right}.",
    by=Fraction(99, 100),
)
def claim_2_with_a_smaller_bound(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    for t, W in enumerate(history(run_perceptron(X, y, 3), X, y)):
        if t:
            yield at_most("‖W_t‖² ≤ 2 t R²", squared_length(W), factor * 2 * t * squared_radius(X), at=f"t = {t}")


@three_claims.strengthened(
    "Claim 3 leaves no room where W_t is a multiple of W*: at the end of the run on the tight sample of "
    "three classes ⟨W*, W_t⟩² is {left}, more than 99/100 of ‖W*‖² ‖W_t‖², which is {right}.",
    by=Fraction(99, 100),
)
def claim_3_with_a_smaller_product(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    W_star = best_weights_of_tight_sample(3)
    *_, W = history(run_perceptron(X, y, 3), X, y)
    lengths = squared_length(W_star) * squared_length(W)
    yield at_most("⟨W*, W_t⟩² ≤ ‖W*‖² ‖W_t‖²", frobenius_product(W_star, W) ** 2, factor * lengths)


# --- the mistake bound -----------------------------------------------------------------------------------------------

updates_bound = Claim(
    "thm-perceptron-mistake-bound",
    "upper bound",
    "certified",
    source="tao-perceptron",
    where="Theorem",
    errata=("E26", "E30"),
    implements=mistake_bound,
    formula=Formula("eq-mistake-bound", mistake_bound),
)


def against_bound(X: np.ndarray, y: np.ndarray, k: int, run: PerceptronRun, what: str, shift: int = 0) -> Evidence:
    """Updates against R^2 / gamma^2 for the best gamma, which is bracketed by two rational witnesses."""
    limit = mistake_bound(squared_radius(X), best_margin(X, y, k).squared)
    return at_most(what, run.n_updates, limit + shift)


@updates_bound.check("separable samples of integers, both tie rules, the given order and random ones")
def updates_within_the_bound(rng: np.random.Generator) -> Found:
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
                yield at_most("updates ≤ R² / γ²", run.n_updates, limit)


@updates_bound.check("against other rivals that are not beaten: the weakest, the last one, a random one")
def updates_against_other_rivals(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for choose in choices_of_rivals(rng):
            run = run_against(X, y, k, choose)
            assert run.converged, "a run on separable data did not end"
            yield against_bound(X, y, k, run, "updates ≤ R² / γ²")


@updates_bound.extremal("equality for every k, and for copies, in integers: updates = R² / margin(W_t)² = 2 (k - 1)")
def bound_attained() -> Found:
    for k in range(2, 13):
        for copies in (1, 2):
            X, y = tight_sample(k, copies)
            for ties in TIE_RULES:
                run = run_perceptron(X, y, k, ties=ties)
                # margin(W_t) <= gamma, so the bound lies between the updates (by the theorem) and this.
                limit = mistake_bound(squared_radius(X), squared_margin(run.W, X, y))
                at = f"k = {k}, copies = {copies}"
                yield equal("updates = R² / margin(W_t)²", run.n_updates, limit, at=at, statement=True)
                yield equal("updates = 2 (k - 1) times copies", run.n_updates, 2 * (k - 1) * copies, at=at)


@updates_bound.trace("three classes, four points, in integers")
def proof_on_four_points() -> Found:
    k = 3
    X, y = tight_sample(k)
    run = run_perceptron(X, y, k)
    # Its gaps are 9, 12, 9 and 10: a line that holds for the smallest need not hold for another.
    W_star, weights = as_integers(np.array([[-1, -1, -2], [2, -1, 1], [-1, 3, 1]])), list(history(run, X, y))
    gap, R2, norm = int(gaps(W_star, X, y).min()), squared_radius(X), squared_length(W_star)
    yield at_least("smallest gap of W* ≥ 1", gap, 1)
    yield equal("γ² = gap² / (2 ‖W*‖²)", squared_margin(W_star, X, y), Fraction(gap**2, 2 * norm))
    for t, (before, after, i) in enumerate(steps(run, X, y), 1):
        step = after - before
        yield at_least("⟨W*, step⟩ ≥ gap of W*", int(frobenius_product(W_star, step)), gap, at=f"update {t}")
        yield at_most("⟨W_(t−1), step⟩ ≤ 0", int(frobenius_product(before, step)), 0, at=f"update {t}")
        yield at_most(
            "growth of ‖W‖² ≤ 2 R²",
            squared_length(after) - squared_length(before),
            2 * R2,
            at=f"update {t}",
        )
        yield equal("‖step‖² = 2 ‖x‖²", squared_length(step), 2 * int(X[i] @ X[i]), at=f"update {t}")
    t = run.n_updates
    yield from three_inequalities(W_star, weights[-1], t, gap, R2)
    yield at_most("t² gap² ≤ ‖W*‖² 2 t R²", t * t * gap * gap, norm * 2 * t * R2, at="together")
    yield at_most("t ≤ R² / γ²", t, mistake_bound(R2, squared_margin(W_star, X, y)), at="divided")


@updates_bound.control(
    "One mistake fewer would be too strong: on the tight sample of three classes the Perceptron makes "
    r"{left} updates, and $R^2/\gamma^2-1$ would allow {right}.",
    story=True,
)
def the_bound_less_one() -> Found:
    X, y = tight_sample(3)
    yield against_bound(X, y, 3, run_perceptron(X, y, 3), "updates ≤ R² / γ² - 1", shift=-1)


@updates_bound.control(
    "The sample must be separable: with one of the four points of the tight sample repeated under another label, "
    "thirty passes make {left} updates, and the four points by themselves allow {right}."
)
def a_point_with_two_labels() -> Found:
    X, y = tight_sample(3)
    limit = mistake_bound(squared_radius(X), squared_margin(best_weights_of_tight_sample(3), X, y))
    twice = np.r_[X, X[-1:]].astype(float), np.r_[y, 1]
    yield at_most("updates ≤ R² / γ²", run_perceptron(*twice, 3, max_epochs=30).n_updates, limit)


@updates_bound.control(
    "The rival must not be beaten already: a rule that always demotes the label with the lowest score "
    "makes {left} updates in thirty passes over (2, 1) and (−2, 1), both of class 1 of three; {right} are "
    "allowed."
)
def a_beaten_rival() -> Found:
    X, y = as_integers([[2, 1], [-2, 1]]), np.array([0, 0])
    run = run_against(X, y, 3, lambda scores, _: lowest_of_all(scores, 0), max_epochs=30)
    yield against_bound(X, y, 3, run, "updates ≤ R² / γ²")


@updates_bound.control(
    "The margin needs its factor 1/√2: without it γ² doubles and the bound would be {right}, but on the "
    "tight sample of three classes the Perceptron makes {left} updates."
)
def margin_without_root_2() -> Found:
    X, y = tight_sample(3)
    run = run_perceptron(X, y, 3)
    yield at_most(
        "updates ≤ R² / (2 γ²)", run.n_updates, mistake_bound(squared_radius(X), 2 * squared_margin(run.W, X, y))
    )
