"""What rounds are worth when all votes are equal, and how little a booster has to remember."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool, run_adaboost, squared_votes, worst_sample
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.boosting.instances import independent_errors
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.weak_learning.games import ones, random_game, uniform, worst_learner
from mcbook.foundation.distributions import FiniteDistribution, distribution_from_counts, random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Signs
from mcbook.weak_learning import (
    accounted_error,
    boost_by_filtering,
    boost_by_majority,
    lead_potential,
    lead_weight,
    majority_value,
    rounds_by_majority,
    rounds_by_product,
    rounds_for_error,
    rounds_until_perfect,
    selection_size,
    solve_game,
    stored_items,
    vote_with_constant_step,
)
from mcbook.weak_learning.algorithm.equal_votes import EqualVotesRun
from mcbook.weak_learning.algorithm.filtering import FilteringRun

Found = Iterator[Evidence]

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
EDGES = (Fraction(1, 10), Fraction(1, 6), QUARTER, Fraction(2, 5))

# --- the value of the boosting game ----------------------------------------------------------------------------------

majority = Claim(
    "thm-boosting-game",
    "upper bound",
    "exact",
    source="freund1995",
    where="boosting by majority, its potential and its lower bound; written here as an account of the rounds",
    implements=(
        majority_value,
        lead_weight,
        lead_potential,
        accounted_error,
        boost_by_majority,
        rounds_by_majority,
        rounds_by_product,
    ),
    formula=(
        Formula("eq-majority-value", majority_value),
        Formula("eq-lead-weight", lead_weight, given={"j": "eq-lead-weight 1"}, where=r"s\le n"),
        Formula("eq-majority-account", accounted_error),
    ),
    symbols=(
        Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),
        Reading("s", "count", arguments={"lead": "s"}),
        Reading("j", "count"),
    ),
)


@majority.check("any hypotheses, good or bad, any distribution: the share of mistakes is the sum of the account")
def the_account_adds_up(rng: np.random.Generator) -> Found:
    for edge in EDGES:
        for _ in range(6):
            m, T = int(rng.integers(2, 8)), int(rng.integers(1, 9))
            P = random_probabilities(rng, m)
            run = boost_by_majority(GivenSequence(rng.choice([-1, 1], (T, m))), ones(m), edge, T, P)
            accounted = accounted_error(edge, T, run.totals, run.edges)
            where = f"γ = {edge}, T = {T}"
            yield equal("share of mistakes = account", run.share_lost(P), accounted, at=where)
            potentials = run.potentials(P, edge)
            yield equal("mean potential at the start = V", potentials[0], majority_value(edge, T), at=where)
            yield equal("mean potential at the end = share of mistakes", potentials[-1], run.share_lost(P), at=where)


@majority.check("pools with an edge γ under all weights: never more mistakes than V, for any distribution and any T")
def never_more_than_the_value(rng: np.random.Generator) -> Found:
    found = 0
    while found < 12:
        A = random_game(rng, 7)
        value = solve_game(A).value
        if value <= 0:
            continue
        found += 1
        edge, P = min(value / 2, Fraction(2, 5)), random_probabilities(rng, A.shape[1])
        for T in (1, 2, 5, 8):
            run = boost_by_majority(FinitePool(A), ones(A.shape[1]), edge, T, P)
            where = f"γ = {edge}, T = {T}"
            yield at_most("share of mistakes ≤ V", run.share_lost(P), majority_value(edge, T), at=where)
            falls = itertools.pairwise(run.potentials(P, edge))
            yield at_most("largest rise of the mean potential ≤ 0", max(b - a for a, b in falls), 0, at=where)


@majority.check("weight and potential: the difference that the next vote makes, and the step back by a round")
def potentials_and_weights(rng: np.random.Generator) -> Found:
    for edge, n in itertools.product(EDGES, (0, 1, 4, 7)):
        p = HALF + edge
        for s in range(-n - 2, n + 3):
            difference = lead_potential(edge, n, s - 1) - lead_potential(edge, n, s + 1)
            yield equal("weight = Φ(s−1) − Φ(s+1)", lead_weight(edge, n, s), difference, at=f"n = {n}, s = {s}")
            back = p * lead_potential(edge, n, s + 1) + (1 - p) * lead_potential(edge, n, s - 1)
            yield equal("Φ a round before = mean of Φ", lead_potential(edge, n + 1, s), back, at=f"n = {n}, s = {s}")


@majority.check("numbers of votes: the first with m V < 1, and the same for AdaBoost's product")
def numbers_of_votes(rng: np.random.Generator) -> Found:
    for edge, m in ((QUARTER, 20), (Fraction(1, 10), 1000), (Fraction(1, 6), 10**6)):
        T, by_product = rounds_by_majority(edge, m), rounds_by_product(edge, m)
        yield less_than("m V < 1", m * majority_value(edge, T), 1, at=f"γ = {edge}, m = {m}, T = {T}")
        before = min(m * majority_value(edge, fewer) for fewer in range(max(1, T - 12), T))
        yield at_least("m V for fewer votes ≥ 1", before, 1, at=f"γ = {edge}, m = {m}")
        base = 1 - 4 * edge**2
        yield less_than("m² (1 − 4γ²)^T < 1", m**2 * base**by_product, 1, at=f"γ = {edge}, m = {m}, T = {by_product}")
        yield at_least("m² (1 − 4γ²)^(T − 1) ≥ 1", m**2 * base ** (by_product - 1), 1, at=f"γ = {edge}, m = {m}")
        yield less_than("votes by majority < votes by the product", T, by_product, at=f"γ = {edge}, m = {m}")
        simple = rounds_until_perfect(edge, m)
        yield at_most(
            "rounds by the product ≤ rounds by the exponential", by_product, simple, at=f"γ = {edge}, m = {m}"
        )


@majority.extremal("independent errors: boosting by majority, AdaBoost and a constant step all end with exactly V")
def the_record_says_nothing() -> Found:
    for edge, T in ((QUARTER, 1), (QUARTER, 4), (Fraction(1, 6), 5), (Fraction(2, 5), 6)):
        sample = independent_errors(HALF - edge, T)
        y, V = ones(len(sample.weights)), majority_value(edge, T)
        for name, run in (
            ("by majority", boost_by_majority(GivenSequence(sample.H), y, edge, T, sample.weights)),
            ("constant step", vote_with_constant_step(GivenSequence(sample.H), y, Fraction(3, 2), T, sample.weights)),
        ):
            where = f"{name}, γ = {edge}, T = {T}"
            yield equal("largest distance of an edge from γ = 0", max(abs(run.edges - edge)), 0, at=where)
            yield at_most("share of mistakes ≤ V", run.share_lost(sample.weights), V, at=where, statement=True)
        ada = run_adaboost(GivenSequence(sample.H), y, T, weights=sample.weights)
        lost = sample.weights[squared_votes(ada.odds, sample.H) <= 1].sum()
        yield at_most("share of mistakes ≤ V", lost, V, at=f"AdaBoost, γ = {edge}, T = {T}")


@majority.extremal("linear programs over all samples and all learners with the edge: the worst one reaches V")
def the_worst_learner() -> Found:
    for edge, T in ((QUARTER, 6), (Fraction(1, 10), 9)):
        optimum = worst_learner(edge, T, lambda t, lead: lead_weight(edge, T - 1 - t, lead))  # noqa: B023 -- is called at once
        yield equal("optimum ≈ V", optimum, majority_value(edge, T), within=1e-6, at=f"γ = {edge}, T = {T}")


@majority.control(
    "Equal weights in all rounds do not guarantee as much: the worst learner of edge $\\frac14$ leaves the share "
    "{left} of mistakes after five rounds, and $V_T$ is {right}."
)
def equal_weights_in_all_rounds() -> Found:
    yield at_most("share of mistakes ≤ V", worst_learner(QUARTER, 5, lambda t, lead: 1), majority_value(QUARTER, 5))


@majority.trace("three rules, each wrong on one of three examples: γ = 1/6, three rounds")
def three_rules_three_rounds() -> Found:
    A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    edge, P = Fraction(1, 6), uniform(3)
    run = boost_by_majority(FinitePool(A), ones(3), edge, 3)
    potentials = run.potentials(P, edge)
    yield equal("mean potential at the start = V", potentials[0], majority_value(edge, 3))
    for t in range(3):
        change = (edge - run.edges[t]) * run.totals[t]
        yield at_least("edge ≥ γ", run.edges[t], edge, at=f"round {t + 1}")
        yield equal(
            "mean potential = mean potential before + change",
            potentials[t + 1],
            potentials[t] + change,
            at=f"round {t + 1}",
        )
        yield at_most("mean potential ≤ mean potential before", potentials[t + 1], potentials[t], at=f"round {t + 1}")
    yield equal("mean potential at the end = share of mistakes", potentials[3], run.share_lost(P))
    yield at_most("share of mistakes ≤ V", run.share_lost(P), majority_value(edge, 3))


@majority.strengthened(
    "One per cent less is too little: where the hypotheses err independently of each other, four rounds "
    "of edge $\\frac14$ leave a share of {left} of mistakes, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_below(factor: Fraction) -> Found:
    sample = independent_errors(QUARTER, 4)
    run = boost_by_majority(GivenSequence(sample.H), ones(16), QUARTER, 4, sample.weights)
    yield at_most("share of mistakes ≤ V", run.share_lost(sample.weights), factor * majority_value(QUARTER, 4))


@majority.control(
    "AdaBoost does not guarantee as much: on its worst sample four rounds of edge $\\frac14$ leave a "
    "share of {left} of mistakes, and $V_T$ is {right}.",
    story=True,
)
def adaboost_on_its_worst_sample() -> Found:
    sample = worst_sample(QUARTER, 4)
    run = run_adaboost(GivenSequence(sample.H), ones(len(sample.weights)), 4, weights=sample.weights)
    lost = sample.weights[squared_votes(run.odds, sample.H) <= 1].sum()
    yield at_most("AdaBoost's share of mistakes ≤ V", lost, majority_value(QUARTER, 4))


@majority.control(
    "Not every sample is as hard: on a single example, where an edge means a right vote, the share of "
    "mistakes is {left}, and $V_T$ is {right}.",
)
def a_single_example() -> Found:
    run = boost_by_majority(FinitePool(np.array([[1], [-1]])), ones(1), QUARTER, 3)
    yield at_least("share of mistakes ≥ V", run.share_lost(uniform(1)), majority_value(QUARTER, 3))


@majority.control(
    "The votes have to be equal: if the first of two votes of edge $\\frac14$ decides alone, the share "
    "of mistakes is {left}, below $V_T$, which is {right}.",
)
def votes_of_other_sizes() -> Found:
    sample = independent_errors(QUARTER, 2)
    first = sample.weights[2 * sample.H[0] + sample.H[1] <= 0].sum()
    yield at_least("share of mistakes ≥ V", first, majority_value(QUARTER, 2))


# --- boosting needs little memory ------------------------------------------------------------------------------------

memory = Claim(
    "prp-boosting-by-filtering-memory",
    "growth rate",
    "exact",
    source="roth-cis519",
    where="compression slide",
    implements=(boost_by_filtering, rounds_for_error, stored_items),
    formula=(
        Formula("eq-rounds-for-error", rounds_for_error, where=r"\gamma<\frac12"),
        Formula("eq-stored-items", stored_items),
    ),
    symbols=(Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),),
)


def stream(distribution: FiniteDistribution, rng: np.random.Generator) -> Iterator[int]:
    """Examples of the distribution, one after the other, for ever."""
    while True:
        yield from distribution.draw(rng, 512).tolist()


def filtered(
    rng: np.random.Generator,
    distribution: FiniteDistribution,
    A: Signs,
    edge: Fraction,
    T: int,
    n: int,
    patience: int = 20_000,
) -> tuple[FilteringRun, EqualVotesRun]:
    """A run of boosting by filtering, and the same hypotheses replayed on the whole distribution in fractions."""
    run = boost_by_filtering(stream(distribution, rng), A, edge, T, n, rng, patience=patience)
    rows = GivenSequence(A[list(run.hypotheses)].astype(int))
    return run, boost_by_majority(rows, ones(distribution.n_atoms), edge, T, distribution.probabilities)


@memory.check(
    "random pools and distributions: what is stored at most, however many examples were drawn, and the account"
)
def what_is_stored(rng: np.random.Generator) -> Found:
    for T, n in ((3, 10), (5, 20), (7, 40), (9, 15)):
        A, distribution = rng.choice([-1, 1], (6, 8)), FiniteDistribution(random_probabilities(rng, 8))
        run, replay = filtered(rng, distribution, A, Fraction(1, 6), T, n, patience=600)
        context = f"T = {T}, n = {n}, {sum(run.drawn)} drawn"
        yield at_most("most stored ≤ T + n", run.most_stored, stored_items(T, n), at=context)
        accounted = accounted_error(Fraction(1, 6), T, replay.totals, replay.edges)
        yield equal("risk = account", replay.share_lost(distribution.probabilities), accounted, at=context)


# Numbers in turn for those at random, in the middle of as many parts of [0, 1]: one in three is below 1/3, and so on.
PARTS = 12


class InTurn(np.random.Generator):
    """A generator whose numbers come in turn."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))
        self.parts = itertools.cycle(range(PARTS))

    def random(self, *args: object, **kwargs: object) -> float:  # type: ignore[override]  # one number at a time
        return (next(self.parts) + 0.5) / PARTS


def shares_kept(counts: Sequence[int]) -> Iterator[tuple[int, Fraction, Fraction, Fraction]]:
    """The round, the share of the first of two examples among those kept, in proportion to P w, and under P.

    Each example of a period comes once with each of the numbers in turn, so the shares of what is kept are exact.
    """
    A, edge, T, P = np.array([[1, -1], [-1, 1]]), QUARTER, 3, distribution_from_counts(counts).probabilities
    period = [atom for atom, count in enumerate(counts) for _ in range(count * PARTS)]
    # A weight is all, a third or nothing of the largest; whatever a period keeps then divides this number.
    parts = (0, PARTS // 3, PARTS)
    n = math.lcm(*(a * counts[0] + b * counts[1] for a, b in itertools.product(parts, parts) if a + b))
    run = boost_by_filtering(itertools.cycle(period), A, edge, T, n, InTurn(), patience=20 * n)
    for t in range(T):
        leads = A[list(run.hypotheses[:t])].sum(axis=0).tolist()
        weights = [chance * lead_weight(edge, T - 1 - t, lead) for chance, lead in zip(P, leads, strict=True)]
        kept = Fraction(run.examples[t].count(0), max(1, len(run.examples[t])))
        yield t + 1, kept, weights[0] / (sum(weights) or 1), P[0]


@memory.check(
    "two examples, every number in turn for those at random: what is kept is in proportion to P times the weight"
)
def what_is_kept(rng: np.random.Generator) -> Found:
    for counts in ((1, 2), (2, 1), (1, 1)):
        for t, kept, in_proportion, _ in shares_kept(counts):
            yield equal(
                "share of the first example = its share of P w", kept, in_proportion, at=f"P = {counts}, round {t}"
            )


@memory.control(
    "What a round keeps is not distributed as in the source: in the second round of a small run the "
    "first of two examples makes up {left} of what is kept, and {right} of the source.",
    story=True,
)
def as_the_source_draws() -> Found:
    for t, kept, _, in_source in shares_kept((1, 2)):
        if t == 2:
            yield equal("share of the first example = its share of P", kept, in_source)


@memory.check("this many rounds are enough: V ≤ ε, and where the learner has more than the edge filtering ends below ε")
def enough_rounds(rng: np.random.Generator) -> Found:
    for edge, epsilon in itertools.product(EDGES, (HALF, Fraction(1, 10), Fraction(1, 1000))):
        T = rounds_for_error(edge, epsilon)
        yield at_most("V ≤ ε", majority_value(edge, T), epsilon, at=f"γ = {edge}, T = {T}")
    # Every example is missed by one rule of ten, so the best one errs on a tenth at most, under all weights.  With
    # the n of `thm-choice-on-fresh-examples` the choice of all T rounds has the edge with probability 1 - 10⁻⁴.
    A, distribution, edge = 1 - 2 * np.eye(10, dtype=int), distribution_from_counts(range(1, 11)), Fraction(1, 5)
    for epsilon in (QUARTER, Fraction(1, 10)):
        T = rounds_for_error(edge, epsilon)
        n = selection_size(Fraction(1, 10), HALF - edge - Fraction(1, 10), 10, 2 * Fraction(1, 10**4) / T)
        run, replay = filtered(rng, distribution, A, edge, T, n, patience=2000)
        edges = [found for found, kept in zip(replay.edges, run.kept, strict=True) if kept == n]
        yield at_least("smallest edge of a round that has its n ≥ γ", min(edges), edge, at=f"T = {T}, n = {n}")
        yield at_most("risk ≤ ε", replay.share_lost(distribution.probabilities), epsilon, at=f"T = {T}")


@memory.extremal("sources in which what matters is ever rarer: ever more is drawn, and T + n is reached exactly")
def many_drawn_few_stored() -> Found:
    A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    for counts in ([1, 1, 1], [40, 1, 1], [400, 1, 1]):
        run, _ = filtered(np.random.default_rng(3), distribution_from_counts(counts), A, Fraction(1, 10), 3, 25)
        drawn = f"{sum(run.drawn)} drawn"
        yield at_most("most stored ≤ T + n", run.most_stored, stored_items(3, 25), at=drawn, statement=True)


@memory.strengthened(
    "Half as many rounds are too few: for the edge $\\frac14$ and $\\varepsilon=10^{-6}$ the value $V_T$ "
    "is {left}, and {right} would be allowed.",
    by=HALF,
)
def half_as_many_rounds(factor: Fraction) -> Found:
    for edge, epsilon in ((Fraction(1, 10), Fraction(1, 100)), (QUARTER, Fraction(1, 10**6))):
        T = int(factor * rounds_for_error(edge, epsilon))
        yield at_most("V ≤ ε", majority_value(edge, T), epsilon, at=f"γ = {edge}")


@memory.strengthened(
    "Ten per cent less storage is too little: with $T=3$ and $n=25$ a run stores {left} hypotheses and "
    "examples, and {right} would be allowed.",
    by=Fraction(9, 10),
)
def less_in_store(factor: Fraction) -> Found:
    A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    run, _ = filtered(np.random.default_rng(3), distribution_from_counts([1, 1, 1]), A, Fraction(1, 10), 3, 25)
    yield at_most("most stored ≤ T + n", run.most_stored, factor * stored_items(3, 25))


def exponential(edge: Fraction, n_rounds: int) -> Ball:
    """e^(-2 γ² T) as a ball."""
    return (-2 * n_rounds * ball(edge) ** 2).exp()


@memory.check("between V and ε lies e^(−2γ²T)")
def through_the_exponential(rng: np.random.Generator) -> Found:
    for edge, epsilon in ((Fraction(1, 10), Fraction(1, 50)), (Fraction(2, 5), Fraction(1, 10**4))):
        T = rounds_for_error(edge, epsilon)
        yield at_most("V ≤ e^(−2γ²T)", majority_value(edge, T), exponential(edge, T), at=f"γ = {edge}, T = {T}")
        yield at_most("e^(−2γ²T) ≤ ε", exponential(edge, T), epsilon, at=f"γ = {edge}, T = {T}")
