"""The algorithm itself: what an update keeps, two classes, how it stops, the learning rate."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Tier
from mcbook.foundation.vocabulary import UpdateTies
from mcbook.perceptron import (
    binary_perceptron,
    frobenius_product,
    gaps,
    history,
    kesler_vectors,
    mistake_bound,
    predict,
    run_perceptron,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)
from mcbook.perceptron.algorithm.run import PerceptronRun

Found = Iterator[Evidence]
TIE_RULES: tuple[UpdateTies, ...] = ("mistake", "first")


def squared_length(A: np.ndarray) -> int | Fraction:
    return frobenius_product(A, A)


def samples(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    for _ in range(count):
        k = int(rng.integers(2, 6))
        X, y = separable_sample(rng, k, int(rng.integers(2, 5)), int(rng.integers(8, 25)))
        yield X, y, k


# --- what every update keeps -----------------------------------------------------------------------------------------

algorithm = Claim(
    "prp-perceptron-invariants",
    "identity",
    "exact",
    source="tao-perceptron",
    where="algorithm slide",
    errata=("E26", "E30"),
    implements=(run_perceptron, history),
    no_formula="an algorithm",
)


def steps(run: PerceptronRun, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """The weights before and after each update, and its example."""
    weights = list(history(run, X, y))
    yield from zip(weights, weights[1:], run.updates[:, 0].tolist(), strict=False)


@algorithm.check("after every update the rows sum to 0, and the step has squared Frobenius norm 2 ‖x‖²")
def what_every_update_keeps(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for before, after, example in steps(run_perceptron(X, y, k), X, y):
            total = after.sum(axis=0)
            yield equal("squared length of the sum of the rows", int(total @ total), 0)
            step = after - before
            yield equal("‖step‖² = 2 ‖x‖²", squared_length(step), 2 * int(X[example] @ X[example]))


@algorithm.check("every update is made on an example whose label did not win alone")
def updates_on_mistakes_only(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for before, _, i in steps(run_perceptron(X, y, k), X, y):
            yield at_most("gap before the update ≤ 0", int(gaps(before, X[i : i + 1], y[i : i + 1])[0]), 0)


@algorithm.check(
    "the run is the algorithm as its statement has it: each example, each rival, the last W; both tie rules"
)
def the_run_is_the_algorithm(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        for ties in TIE_RULES:
            run = run_perceptron(X, y, k, ties=ties)
            W, updates = by_the_statement(X, y, k, ties)
            yield holds("examples and rivals", run.updates.tolist() == updates, Tier.EXACT)
            for what, last in (("of the run", run.W), ("of its history", list(history(run, X, y))[-1])):
                yield equal(f"‖W - last W {what}‖²", squared_length(W - last), 0)


def by_the_statement(X: np.ndarray, y: np.ndarray, k: int, ties: UpdateTies) -> tuple[np.ndarray, list[list[int]]]:
    W = as_integers(np.zeros((k, X.shape[1]), dtype=int))
    updates: list[list[int]] = []
    before = -1
    while before < len(updates):
        before = len(updates)
        for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            bids = [int(row @ x) for row in W]
            others = [z for z in range(k) if z != label]
            rival = next(z for z in others if bids[z] == max(bids[other] for other in others))
            mistake = bids[label] <= bids[rival] if ties == "mistake" else bids.index(max(bids)) != label
            if mistake:
                W[label], W[rival] = W[label] + x, W[rival] - x
                updates.append([i, rival])
    return W, updates


@algorithm.strengthened(
    "A step changes two rows: with ‖x‖² in place of 2 ‖x‖² the squared norm of a step on the tight sample of "
    "three classes would be {right}, and it is {left}.",
    by=Fraction(1, 2),
)
def step_of_one_row(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    for before, after, example in steps(run_perceptron(X, y, 3), X, y):
        yield equal("‖step‖² = 2 ‖x‖²", squared_length(after - before), 2 * factor * int(X[example] @ X[example]))


@algorithm.control(
    "The rows have to sum to 0 at the start, because updates only preserve their sum: started at the "
    "identity matrix, they end with a sum of squared length {left} instead of {right}."
)
def rows_that_do_not_sum_to_0_at_the_start() -> Found:
    X, y = tight_sample(3)
    start = as_integers(np.eye(3, dtype=int))
    total = run_perceptron(X, y, 3, start=start).W.sum(axis=0)
    yield equal("squared length of the sum of the rows", int(total @ total), 0)


# --- two classes -----------------------------------------------------------------------------------------------------

two_classes = Claim(
    "prp-two-classes-is-binary-perceptron",
    "equivalence",
    "exact",
    source="tao-perceptron",
    where="question on two classes",
    implements=binary_perceptron,
    no_formula="an equivalence of two algorithms",
)


@two_classes.check("the same updates as Rosenblatt's Perceptron, opposite rows, the same margin, under both tie rules")
def same_updates_as_rosenblatt(rng: np.random.Generator) -> Found:
    for _ in range(50):
        X, y = separable_sample(rng, 2, 3, 15)
        signs = np.where(y == 0, 1, -1)
        for ties in TIE_RULES:
            run = run_perceptron(X, y, 2, ties=ties)
            w, updates = binary_perceptron(X, signs, ties=ties)
            yield holds("same examples in the same order", run.updates[:, 0].tolist() == updates, Tier.EXACT)
            yield holds("rows w and -w", bool((np.array([w, -w], dtype=object) == run.W).all()), Tier.EXACT)
            if ties == "mistake":
                single = Fraction(int((signs * (X @ w)).min()) ** 2, int(w @ w))
                yield equal("margin² = margin² of w alone", squared_margin(run.W, X, y), single)


def shortest_point_of_hull(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The point of the convex hull of points in the plane that is nearest to 0, and its weights, in fractions.

    If 0 is outside it lies on a vertex or on a segment between two of them, so all pairs are tried.
    """
    best = None
    for i, j in itertools.combinations_with_replacement(range(len(points)), 2):
        a, b = points[i], points[j]
        squared = int((b - a) @ (b - a))
        share = min(max(Fraction(-int(a @ (b - a)), squared), Fraction(0)), Fraction(1)) if squared else Fraction(0)
        nearest = a + share * (b - a)
        if best is None or nearest @ nearest < best[0] @ best[0]:
            weights = np.array([Fraction(0)] * len(points), dtype=object)
            weights[i] += 1 - share
            weights[j] += share
            best = nearest, weights
    assert best is not None, "a hull of no points has no shortest point"
    return best


@two_classes.check("the same best margin in the plane, exactly: both maxima are the distance of 0 from one convex hull")
def the_same_best_margin(rng: np.random.Generator) -> Found:
    for _ in range(50):
        X, y = separable_sample(rng, 2, 2, 10)
        signed = np.where(y == 0, 1, -1)[:, None] * X
        w, weights = shortest_point_of_hull(signed)
        best = Fraction(w @ w)
        yield equal("margin² of w = squared distance", Fraction(min(signed @ w)) ** 2 / best, best, at="binary")
        yield equal(
            "margin² of w and -w = squared distance",
            squared_margin(np.array([w, -w], dtype=object), X, y),
            best,
            at="two rows",
        )
        combination = weights @ kesler_vectors(X, y, 2)
        yield equal(
            "upper bound by multipliers = squared distance",
            Fraction(combination @ combination) / 2,
            best,
            at="two rows",
        )
        run = binary_perceptron(X, np.where(y == 0, 1, -1))
        yield at_most(
            "margin² of the binary run's w ≤ squared distance",
            Fraction(min(signed @ run.w)) ** 2 / (run.w @ run.w),
            best,
        )


@two_classes.strengthened(
    "One per cent less than R²/γ², with the binary γ, would be too strong: on the tight sample of two "
    "classes the binary Perceptron makes {left} updates, more than {right}.",
    by=Fraction(99, 100),
)
def smaller_binary_bound(factor: Fraction) -> Found:
    X, y = tight_sample(2)
    signs = np.where(y == 0, 1, -1)
    w, _ = shortest_point_of_hull(signs[:, None] * X)
    limit = mistake_bound(squared_radius(X), Fraction(w @ w))
    yield at_most("updates of the binary Perceptron ≤ R²/γ²", len(binary_perceptron(X, signs).updates), factor * limit)


@two_classes.control(
    "A score of 0 has to count for the first class, as a tie does. If it counts for the second, the "
    "binary Perceptron starts with example {right}, counted from 0, and the multi-class Perceptron with "
    "example {left}."
)
def other_sign_of_0() -> Found:
    X, y = as_integers(np.array([[1, 0], [0, 1]])), np.array([0, 1])
    run = run_perceptron(X, y, 2, ties="first")
    _, updates = binary_perceptron(-X, np.array([-1, 1]), ties="first")
    yield equal(
        "first example updated, by the multi-class = by the binary Perceptron", int(run.updates[0, 0]), updates[0]
    )


# --- what holds when the algorithm stops -----------------------------------------------------------------------------

termination = Claim(
    "prp-perceptron-termination",
    "equivalence",
    "exact",
    source="tao-perceptron",
    where="algorithm slide",
    errata=("E26",),
    implements=run_perceptron,
    no_formula="a property of the output of an algorithm",
)


@termination.check("no training error under the tie rule; strictly separated when ties count as violations")
def no_error_at_the_end(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 60):
        for ties in TIE_RULES:
            run = run_perceptron(X, y, k, ties=ties)
            yield equal("training errors", int((predict(run.W, X) != y).sum()), 0)
            yield equal("updates of one more pass", run_perceptron(X, y, k, ties=ties, start=run.W).n_updates, 0)
        strict = run_perceptron(X, y, k)
        yield at_least("smallest gap ≥ 1", int(gaps(strict.W, X, y).min()), 1, at="ties count as violations")


@termination.control(
    "Ties broken for the smaller label need not give strict separation: on two points of class 1, out of "
    "two classes, the run stays at W = 0, whose smallest gap is {left} and not at least {right}."
)
def strict_separation_under_the_other_rule() -> Found:
    X, y = as_integers(np.array([[2, 1], [1, 3]])), np.array([0, 0])
    run = run_perceptron(X, y, 2, ties="first")
    yield at_least("smallest gap ≥ 1", int(gaps(run.W, X, y).min()), 1)


# --- the rate --------------------------------------------------------------------------------------------------------

learning_rate = Claim(
    "prp-learning-rate-is-immaterial",
    "identity",
    "exact",
    source="roth-cis519",
    where="Summary 4, online global training",
    errata=("E36",),
    implements=run_perceptron,
    no_formula="a property of the steps of an algorithm",
)
RATES = (Fraction(1, 1000), Fraction(1, 10), Fraction(7, 3), 50)


@learning_rate.check("from W = 0 rates from 1/1000 to 50 make the same updates and predictions, in fractions")
def rates_from_w_0(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 30):
        for ties in TIE_RULES:
            one = run_perceptron(X, y, k, ties=ties)
            for rate in RATES:
                other = run_perceptron(X, y, k, ties=ties, rate=rate)
                yield holds("same updates", one.updates.tolist() == other.updates.tolist(), Tier.EXACT)
                apart = other.W - rate * one.W
                yield equal("‖W - η W of rate 1‖²", squared_length(apart), 0)
                apart = other.W_average - rate * one.W_average
                yield equal("‖mean W - η mean W of rate 1‖²", squared_length(apart), 0)


@learning_rate.strengthened(
    "The factor of the weights is η and no more: at the rate 1/10 a factor of 1.01 η misses the weights "
    "on the tight sample of three classes by a squared distance of {left} instead of {right}.",
    by=Fraction(101, 100),
)
def larger_factor(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    rate = Fraction(1, 10)
    apart = run_perceptron(X, y, 3, rate=rate).W - factor * rate * run_perceptron(X, y, 3).W
    yield equal("‖W - η W of rate 1‖²", squared_length(apart), 0)


@learning_rate.control(
    "The start has to be 0: from the start w₁ = (0, 5), w₂ = (0, 0) the Perceptron makes {left} updates "
    "on two points at the rate 1 and {right} at the rate 1/10."
)
def start_other_than_0() -> Found:
    X, y, start = as_integers(np.array([[1, 0], [0, 1]])), np.array([0, 1]), as_integers(np.array([[0, 5], [0, 0]]))
    runs = [run_perceptron(X, y, 2, rate=rate, start=start) for rate in (1, Fraction(1, 10))]
    yield equal("updates at the rate 1 = at the rate 1/10", runs[0].n_updates, runs[1].n_updates)


@learning_rate.control(
    "The arithmetic has to be exact: in floating point a tenth is rounded, so ties break, and on a random "
    "sample of four classes the rates 1 and 1/10 make different updates."
)
def rounded_rates() -> Found:
    for seed in range(100):
        X, y = separable_sample(np.random.default_rng(seed), 4, 3, 20, largest=3)
        one, tenth = (run_perceptron(X.astype(float), y, 4, rate=rate) for rate in (1.0, 0.1))
        if one.updates.tolist() != tenth.updates.tolist():
            yield equal("updates at both rates agree", False, True, at=f"sample {seed}")
            return
