"""Winnow on disjunctions: Littlestone's bound and the exact worst case."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Number
from mcbook.winnow import (
    attributes_for_worst_case,
    disjunction_adversary,
    disjunction_bound,
    disjunction_worst_case,
    winnow_on_disjunction,
)
from mcbook.winnow.theory import promotions_needed

Found = Iterator[Evidence]

# --- Littlestone's bound ---------------------------------------------------------------------------------------------

littlestone = Claim(
    "thm-winnow-mistake-bound",
    "upper bound",
    "exact",
    source=("littlestone1988", "roth-cis519"),
    where="Theorem 7; the slides name the algorithm",
    implements=disjunction_bound,
    formula=Formula("eq-winnow-disjunction-bound", disjunction_bound, numbers="balls"),
)


def bound(s: int, d: int, threshold: Number, factor: int | Fraction) -> Number:
    return disjunction_bound(*map(ball, (s, d, threshold, factor)))


@littlestone.check("random examples of random disjunctions, rational factors from 11/10 to 5 and thresholds from 1/α")
def mistakes_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(150):
        d, m = int(rng.integers(1, 30)), int(rng.integers(1, 120))
        s = int(rng.integers(1, min(d, 4) + 1))
        factor = Fraction(int(rng.integers(11, 51)), 10)
        threshold = 1 / factor + Fraction(int(rng.integers(0, 60)), int(rng.integers(1, 7)))
        X = (rng.random((m, d)) < rng.choice([0.1, 0.3, 0.6])).astype(int)
        run = winnow_on_disjunction(X, X[:, :s].any(axis=1), threshold=threshold, factor=factor)
        yield at_most("mistakes ≤ α s (log_α θ + 1) + d/θ", run.n_mistakes, bound(s, d, threshold, factor))


@littlestone.extremal("one relevant attribute among ever more, θ = 2: the share of the bound that is used tends to 1")
def many_attributes_at_threshold_2() -> Found:
    for d in (10, 100, 1000):
        X, y = disjunction_adversary(1, d, 2)
        yield at_most(
            "mistakes ≤ bound",
            winnow_on_disjunction(X, y, threshold=2).n_mistakes,
            bound(1, d, 2, 2),
            at=f"d = {d}",
            statement=True,
        )


@littlestone.trace("two relevant attributes among twelve, θ = 4, α = 2, against the adversary of the next theorem")
def proof_against_the_adversary() -> Found:
    s, d, theta = 2, 12, 4
    X, y = disjunction_adversary(s, d, theta)
    run = winnow_on_disjunction(X, y, threshold=theta)
    sums = run.weights.sum(axis=1).tolist()
    for t, (before, after) in enumerate(itertools.pairwise(sums)):
        if y[t]:
            yield at_most("growth of the sum ≤ (α − 1) θ", after - before, theta, at=f"mistake {t + 1}, a promotion")
        else:
            yield at_most("growth of the sum ≤ −θ", after - before, -theta, at=f"mistake {t + 1}, an elimination")
    u, v = len(run.promotions), len(run.eliminations)
    yield at_most("the largest relevant weight ≤ α θ", int(run.weights[:, :s].max()), 2 * theta)
    yield at_least("the sum of the weights ≥ 0", sums[-1], 0)
    yield at_most("promotions ≤ s (log_α θ + 1)", u, s * (2 + 1))
    yield at_most("eliminations ≤ d/θ + (α − 1) promotions", v, Fraction(d, theta) + u)
    yield at_most("mistakes ≤ α s (log_α θ + 1) + d/θ", u + v, bound(s, d, theta, 2))


@littlestone.strengthened(
    r"One per cent less would be too strong: with one relevant attribute among a thousand, and $\theta=2$, "
    "the adversary causes {left} mistakes, more than {right}.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(factor: Fraction) -> Found:
    X, y = disjunction_adversary(1, 1000, 2)
    run = winnow_on_disjunction(X, y, threshold=2)
    yield at_most("mistakes ≤ bound", run.n_mistakes, ball(factor) * bound(1, 1000, 2, 2))


@littlestone.control(
    "The labels have to come from a disjunction: if the label says that exactly one of two attributes is "
    "on, Winnow makes {left} mistakes on sixty examples, more than {right}."
)
def no_disjunction() -> Found:
    X = np.tile([[1, 0], [1, 1], [0, 1]], (20, 1))
    run = winnow_on_disjunction(X, X.sum(axis=1) == 1, threshold=2)
    yield at_most("mistakes ≤ bound", run.n_mistakes, bound(2, 2, 2, 2))


# --- the exact worst case --------------------------------------------------------------------------------------------

worst_case = Claim(
    "thm-winnow-worst-case",
    "upper bound",
    "exact",
    source="littlestone1988",
    where="this book; the bound that it sharpens is Theorem 7 there",
    implements=(disjunction_worst_case, attributes_for_worst_case),
    formula=(
        Formula("eq-winnow-worst-case", disjunction_worst_case),
        Formula("eq-winnow-enough-attributes", attributes_for_worst_case, given={r"\alpha": "2"}),
    ),
)


def most_mistakes(s: int, d: int, theta: int, factor: int) -> int:
    """The value of the game: the adversary shows any attributes, and says 1 exactly if a relevant one is on."""

    @functools.cache
    def best(relevant: tuple[int, ...], others: tuple[int, ...]) -> int:
        most = 0
        for on in subsets(len(relevant)):
            for with_them in subsets(len(others)):
                total = sum(relevant[r] for r in on) + sum(others[j] for j in with_them)
                if on and total < theta:
                    after = multiplied(relevant, on, factor), multiplied(others, with_them, factor)
                elif not on and total >= theta:
                    after = relevant, multiplied(others, with_them, 0)
                else:
                    continue
                most = max(most, 1 + best(*after))
        return most

    return best((1,) * s, (1,) * (d - s))


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(range(size), n) for n in range(size + 1))


def multiplied(weights: tuple[int, ...], chosen: tuple[int, ...], factor: int) -> tuple[int, ...]:
    return tuple(sorted(w * factor if j in chosen else w for j, w in enumerate(weights)))


@worst_case.check("every game with up to five attributes, θ to 5 and α = 2, 3, against every adversary there can be")
def all_small_games(rng: np.random.Generator) -> Found:
    for d, theta, factor in itertools.product(range(1, 6), range(1, 6), (2, 3)):
        for s in range(1, min(d, 2) + 1):
            most, allowed = most_mistakes(s, d, theta, factor), disjunction_worst_case(s, d, theta, factor)
            at = f"s = {s}, d = {d}, θ = {theta}, α = {factor}"
            yield at_most("most mistakes ≤ worst case", most, allowed, at=at)
            if factor == 2 and theta % 2 == 0 and d >= attributes_for_worst_case(s, theta):
                yield equal("most mistakes = worst case", most, allowed, at=at)


@worst_case.check("long runs on random examples, and the adversary's own with at least as many attributes as it needs")
def long_runs(rng: np.random.Generator) -> Found:
    for _ in range(60):
        s, theta, factor = (int(n) for n in rng.integers((1, 1, 2), (5, 40, 5)))
        d = s + int(rng.integers(0, 60))
        X = (rng.random((150, d)) < rng.choice([0.05, 0.2])).astype(int)
        run = winnow_on_disjunction(X, X[:, :s].any(axis=1), threshold=theta, factor=factor)
        yield at_most("mistakes ≤ worst case", run.n_mistakes, disjunction_worst_case(s, d, theta, factor))
        theta += theta % 2
        d = attributes_for_worst_case(s, theta) + int(rng.integers(0, 30))
        X, y = disjunction_adversary(s, d, theta)
        made = winnow_on_disjunction(X, y, threshold=theta).n_mistakes
        yield equal("mistakes against the adversary = worst case", made, disjunction_worst_case(s, d, theta))


@worst_case.extremal("equality for every s and even θ: the adversary is never answered rightly")
def the_adversary_attains_it() -> Found:
    for s, d, theta in ((1, 64, 16), (3, 200, 16), (5, 500, 20)):
        X, y = disjunction_adversary(s, d, theta)
        made = winnow_on_disjunction(X, y, threshold=theta).n_mistakes
        yield equal(
            "mistakes = worst case",
            made,
            disjunction_worst_case(s, d, theta),
            at=f"s = {s}, d = {d}, θ = {theta}",
            statement=True,
        )


@worst_case.trace("two relevant attributes among twelve, θ = 4, α = 2")
def proof_of_the_worst_case() -> Found:
    s, d, theta = 2, 12, 4
    q = promotions_needed(theta, 2)
    X, y = disjunction_adversary(s, d, theta)
    run = winnow_on_disjunction(X, y, threshold=theta)
    u, v, end = len(run.promotions), len(run.eliminations), run.weights[-1]
    for t in run.promotions.tolist():
        yield at_most("the weights that are on ≤ θ − 1", int(run.weights[t] @ X[t]), theta - 1, at=f"promotion {t + 1}")
    for r in range(s):
        doublings = int(X[run.promotions, r].sum())
        yield at_most(f"promotions of relevant attribute {r + 1} ≤ q", doublings, q)
        yield equal(f"weight of relevant attribute {r + 1} at the end = 2^{doublings}", int(end[r]), 2**doublings)
    left = d + (theta - 1) * u - s * 2**q
    yield at_most("θ × eliminations ≤ d + (α − 1)(θ − 1) u − s α^q", theta * v, left)
    yield equal("eliminations = ⌊(d + (α − 1)(θ − 1) u − s α^q) / θ⌋", v, left // theta)
    yield equal("mistakes = worst case", u + v, disjunction_worst_case(s, d, theta))


@worst_case.strengthened(
    r"The worst case cannot be one per cent smaller: with $s=5$, $d=500$ and $\theta=20$ the adversary "
    "causes {left} mistakes, more than {right}.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_below_the_worst_case(factor: Fraction) -> Found:
    X, y = disjunction_adversary(5, 500, 20)
    made = winnow_on_disjunction(X, y, threshold=20).n_mistakes
    yield at_most("mistakes ≤ worst case", made, factor * disjunction_worst_case(5, 500, 20))


@worst_case.control(
    "The adversary needs enough attributes: with s = 2 and θ = 4, four of them are too few, and no "
    "sequence costs more than {left} mistakes, while the worst case is {right}."
)
def too_few_attributes() -> Found:
    yield equal("most mistakes = worst case", most_mistakes(2, 4, 4, 2), disjunction_worst_case(2, 4, 4))


@worst_case.control(
    "For equality θ has to be even: with s = 3 and θ = 3 six attributes would be enough, but no sequence costs "
    "more than {left} mistakes, while the worst case is {right}."
)
def odd_threshold() -> Found:
    assert attributes_for_worst_case(3, 3) == 6, "six attributes are as many as an even threshold would need"
    yield equal("most mistakes = worst case", most_mistakes(3, 6, 3, 2), disjunction_worst_case(3, 6, 3))
