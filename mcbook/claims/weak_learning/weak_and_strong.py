"""Weak against strong learning: a learner that is called on draws from the weights, and a promise worth less."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.weak_learning.games import HALF, QUARTER, Atoms, ones, random_game, uniform
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities, uniform_distribution
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array, Signs
from mcbook.weak_learning import (
    CalledLearner,
    boost_by_majority,
    compressed_risk_bound,
    compressed_survivor_bound,
    examples_for_strong,
    false_survivor_bound,
    majority_value,
    rounds_until_perfect,
    solve_game,
    threshold_of_examples,
)

Found = Iterator[Evidence]
# What a learner says of all points, given the atoms of the examples in their order.
Outputs = Callable[[Atoms], Signs]

# --- weak learning under every distribution is strong learning -------------------------------------------------------

weak = Claim(
    "thm-weak-learning-is-strong",
    "upper bound",
    "exact",
    source=("roth-cis519", "schapire1990", "freund1995", "floyd-warmuth1995"),
    where="weak and strong learning slides; the vote as a compression of the sample",
    implements=(
        CalledLearner,
        boost_by_majority,
        rounds_until_perfect,
        compressed_survivor_bound,
        compressed_risk_bound,
        threshold_of_examples,
        false_survivor_bound,
        examples_for_strong,
    ),
    formula=(
        Formula("eq-rounds-until-perfect", rounds_until_perfect, where=r"\gamma<\frac12"),
        Formula("eq-compressed-survivors", compressed_survivor_bound, where=r"T m_0<m"),
        Formula("eq-compressed-risk", compressed_risk_bound, where=r"T m_0<m"),
        Formula("eq-false-survivors", false_survivor_bound),
    ),
    symbols=(
        Reading("m_0", "count", arguments={"n_called": "m_0"}),
        Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),
    ),
)


def line_of_concept(rng: np.random.Generator, n_points: int) -> tuple[Array, Signs]:
    """Points of a line in their order, and a concept that is + from one of them on, or nowhere."""
    return np.arange(float(n_points)), np.where(np.arange(n_points) >= rng.integers(0, n_points + 1), 1, -1)


@weak.check(
    "the learner of thresholds on random distributions: its answer to two examples has the edge 1/5 as promised"
)
def the_promise_is_kept(rng: np.random.Generator) -> Found:
    for n in (1, 2, 3, 6, 10, 15):
        for _ in range(4):
            (X, y), distribution = line_of_concept(rng, n), FiniteDistribution(random_probabilities(rng, n))
            kept = sum(
                (
                    chance
                    for atoms, chance in distribution.sequences(2)
                    if distribution.probability(threshold_of_examples(X[list(atoms)], y[list(atoms)])(X) != y)
                    <= Fraction(3, 10)
                ),
                Fraction(0),
            )
            yield at_least("(Pr[edge ≥ 1/5]) ≥ 51/100", kept, Fraction(51, 100), at=f"{n} points")


@weak.check("random samples of thresholds: the learner is called until it has its edge, and the vote makes no mistake")
def no_mistake_by_calls(rng: np.random.Generator) -> Found:
    for m in (2, 5, 9, 16):
        X = rng.permutation(m).astype(float)
        y = np.where(rng.integers(0, m + 1) <= X, 1, -1)
        T, edge = rounds_until_perfect(Fraction(1, 5), m), Fraction(1, 5)
        learner = CalledLearner(threshold_of_examples, X, 2, edge, rng)
        run = boost_by_majority(learner, y, edge, T)
        open_rounds = [e for e, W in zip(run.edges, run.totals, strict=True) if W]
        yield at_least("smallest edge of a round ≥ γ", min(open_rounds), edge, at=f"m = {m}")
        yield equal("share of mistakes = 0", run.share_lost(uniform(m)), 0, at=f"T = {T}, m = {m}")
        # The vote is made again from the examples that the hypotheses name, and from nothing else.
        rows = [threshold_of_examples(X[list(places)], y[list(places)])(X) for places in run.hypotheses]
        again = boost_by_majority(GivenSequence(np.array(rows)), y, edge, T)
        yield equal(
            "largest change of a lead in the vote made again = 0",
            abs(again.leads[-1] - run.leads[-1]).max(),
            0,
            at=f"m = {m}",
        )
        yield equal("most examples that a hypothesis names = m₀", max(map(len, run.hypotheses)), 2, at=f"m = {m}")


def survival(
    distribution: FiniteDistribution, y: Signs, outputs: Outputs, T: int, m0: int, m: int, epsilon: Fraction
) -> Fraction:
    """The probability that of m examples some T m0 make a vote of risk > ε that is right on all of them."""
    n = distribution.n_atoms
    answers = {atoms: outputs(atoms) for atoms in itertools.product(range(n), repeat=m0)}
    bad: list[tuple[set[int], Signs]] = []
    for calls in itertools.combinations_with_replacement(answers, T):
        wrong = sum(answers[atoms] for atoms in calls) * y <= 0
        if distribution.probability(wrong) > epsilon:
            bad.append((set(itertools.chain(*calls)), wrong))
    # Of a sample it matters only which atoms it has.
    supports: dict[frozenset[int], Fraction] = {}
    for counts, chance in distribution.samples(m):
        seen = frozenset(atom for atom, count in enumerate(counts) if count)
        supports[seen] = supports.get(seen, Fraction(0)) + chance
    return sum(
        (
            chance
            for seen, chance in supports.items()
            if any(made <= seen and not wrong[list(seen)].any() for made, wrong in bad)
        ),
        Fraction(0),
    )


@weak.check(
    "all samples, all choices of the examples of the calls: a bad vote is as rarely right on the sample as said"
)
def bad_votes_are_rare(rng: np.random.Generator) -> Found:
    for T, m0, sizes in ((1, 1, (3, 9)), (1, 2, (8, 14)), (2, 1, (8, 14)), (3, 1, (14, 20))):
        for _ in range(3):
            distribution, y = FiniteDistribution(random_probabilities(rng, 4)), rng.choice([-1, 1], 4)
            found: dict[Atoms, Signs] = {}

            def at_random(atoms: Atoms, found: dict[Atoms, Signs] = found, y: Signs = y) -> Signs:
                # Right on the examples it was given, and otherwise whatever comes, in another way for each order.
                guess = rng.choice([-1, 1], 4)
                guess[list(atoms)] = y[list(atoms)]
                return found.setdefault(atoms, guess)

            for m, epsilon in itertools.product(sizes, (Fraction(1, 5), HALF)):
                survives = survival(distribution, y, at_random, T, m0, m, epsilon)
                bound = compressed_survivor_bound(T, m0, epsilon, m)
                yield at_most(
                    "(Pr[some bad vote survives]) ≤ bound", survives, bound, at=f"T = {T}, m₀ = {m0}, m = {m}"
                )


@weak.check("the same for votes of thresholds, whose learner is called with two examples")
def bad_thresholds_are_rare(rng: np.random.Generator) -> Found:
    for T, m in ((1, 12), (2, 20)):
        X, y = np.arange(4.0), np.array([-1, -1, 1, 1])

        def threshold(atoms: Atoms, X: Array = X, y: Signs = y) -> Signs:
            return threshold_of_examples(X[list(atoms)], y[list(atoms)])(X)

        distribution = FiniteDistribution(random_probabilities(rng, 4))
        for epsilon in (Fraction(1, 10), Fraction(1, 3), HALF):
            survives = survival(distribution, y, threshold, T, 2, m, epsilon)
            bound = compressed_survivor_bound(T, 2, epsilon, m)
            yield at_most(
                "(Pr[some bad vote survives]) ≤ bound", survives, bound, at=f"T = {T}, m = {m}, ε = {epsilon}"
            )


@weak.check("at the risk of the second bound the first is at most δ, and with the rounds of the theorem it tends to 0")
def risks_of_the_vote(rng: np.random.Generator) -> Found:
    for edge, m0, delta in itertools.product((Fraction(1, 5), Fraction(1, 10)), (1, 2, 10), (HALF, Fraction(1, 100))):
        before = None
        for m in (10**5, 10**6, 10**7):
            T = rounds_until_perfect(edge, m)
            risk = compressed_risk_bound(T, m0, m, delta)
            context = f"γ = {edge}, m₀ = {m0}, m = {m}"
            survives = T * m0 * ball(m).log() + (m - T * m0) * (1 - risk).log() if risk < 1 else ball(delta).log()
            yield at_most("logarithm of the first bound ≤ ln δ", survives, ball(delta).log(), at=context)
            if before is not None:
                yield less_than("risk < a fifth of the risk with a tenth of the examples", risk, before / 5, at=context)
            before = risk


def arcs(length: int, n_points: int) -> Outputs:
    """A learner on a circle of points that are all +: right on the arc that begins at its one example."""
    return lambda atoms: np.where((np.arange(n_points) - atoms[0]) % n_points < length, 1, -1)


def all_on_one_arc(length: int, n_points: int, m: int) -> Fraction:
    """The probability that m equally likely points lie on an arc that begins at one of them, of at most half a circle.

    The first point of the arc is unique: the arc of it has all m points, and the rest of the arc does not.
    """
    return n_points * (Fraction(length, n_points) ** m - Fraction(length - 1, n_points) ** m)


@weak.extremal(
    "one round, one example: points of a circle that all lie on the arc of one of them; the bound is reached"
)
def points_on_an_arc() -> Found:
    for length, n, m in ((2, 4, 3), (3, 6, 4), (2, 5, 5)):
        epsilon = 1 - Fraction(length, n) - Fraction(1, 10**6)
        survives = survival(uniform_distribution(n), np.ones(n, dtype=int), arcs(length, n), 1, 1, m, epsilon)
        counted = all_on_one_arc(length, n, m)
        yield equal("(Pr[some arc has all points]) = by count", survives, counted, at=f"{m} of {n} points")
    for n, m in ((2000, 2), (20_000, 3), (20_000, 6)):
        survives = all_on_one_arc(n // 2, n, m)
        bound = compressed_survivor_bound(1, 1, HALF, m)
        yield at_most("(Pr[some arc has all points]) ≤ bound", survives, bound, at=f"m = {m}", statement=True)


@weak.control(
    "The examples of the vote cannot test it, so the exponent is not $m$: three points of a circle of "
    "twenty lie on the half that begins at one of them with probability {left}, more than {right}.",
    story=True,
)
def examples_of_the_vote_as_tests() -> Found:
    bound = HALF * compressed_survivor_bound(1, 1, HALF, 3)
    yield at_most("(Pr[some arc has all points]) ≤ m (1 − ε)^m", all_on_one_arc(10, 20, 3), bound)


@weak.strengthened(
    "All votes that the sample can make have to be counted: with one per cent fewer, some half circle "
    "beginning at one of three points holds all three with probability {left}, more than {right}.",
    by=Fraction(99, 100),
)
def fewer_votes(factor: Fraction) -> Found:
    for m in (3, 4):
        bound = factor * compressed_survivor_bound(1, 1, HALF, m)
        yield at_most(
            "(Pr[some arc has all points]) ≤ bound", all_on_one_arc(10**4, 2 * 10**4, m), bound, at=f"m = {m}"
        )


@weak.strengthened(
    "Half the rounds are too few: for the edge $\\frac14$ and $m=10^4$ the product $mV_T$ is then "
    "{left}, and it has to be less than {right}.",
    by=HALF,
)
def half_the_rounds(factor: Fraction) -> Found:
    for edge, m in ((Fraction(1, 10), 1000), (QUARTER, 10**4)):
        T = int(factor * rounds_until_perfect(edge, m))
        yield less_than("m V < 1", m * majority_value(edge, T), 1, at=f"γ = {edge}, m = {m}")


@weak.trace("eight points of a line: two examples for a call, the edge 1/5, the equal vote, its examples")
def from_weak_to_strong() -> Found:
    X, y = np.arange(8.0), np.array([-1] * 5 + [1] * 3)
    edge, m0, m = Fraction(1, 5), 2, 8
    T = rounds_until_perfect(edge, m)
    yield equal("rounds = 26", T, 26)
    yield less_than("m V < 1", m * majority_value(edge, T), 1)
    learner = CalledLearner(threshold_of_examples, X, m0, edge, np.random.default_rng(0))
    run = boost_by_majority(learner, y, edge, T)
    open_rounds = [e for e, W in zip(run.edges, run.totals, strict=True) if W]
    yield at_least("smallest edge of a round ≥ γ", min(open_rounds), edge)
    yield equal("share of mistakes of the equal vote = 0", run.share_lost(uniform(m)), 0)
    yield at_most("examples that the vote is made of ≤ T m₀", sum(map(len, run.hypotheses)), T * m0)
    many = 10**5
    rounds = rounds_until_perfect(edge, many)
    risk = compressed_risk_bound(rounds, m0, many, Fraction(1, 20))
    yield at_most("risk ≤ 1/25", risk, Fraction(1, 25), at=f"{many} examples, {rounds} rounds")


# A finite pool: its votes are counted, and no sample need be compressed.


@weak.check("finite pools with an edge under all weights: T equal votes make no mistake on a sample")
def no_mistake_on_the_sample(rng: np.random.Generator) -> Found:
    found = 0
    while found < 12:
        A = random_game(rng, 7)
        value = solve_game(A).value
        if value <= 0:
            continue
        found += 1
        # A perfect member would allow an edge of 1/2, where nothing is left to boost.
        edge, m = min(value / 2, Fraction(2, 5)), int(rng.integers(2, 9))
        sample = A[:, uniform_distribution(A.shape[1]).draw(rng, m)]
        T = rounds_until_perfect(edge, m)
        run = boost_by_majority(FinitePool(sample), ones(m), edge, T)
        where = f"γ = {edge}, T = {T}"
        yield less_than("m V < 1", m * majority_value(edge, T), 1, at=where)
        yield equal("share of mistakes = 0", run.share_lost(uniform(m)), 0, at=where)


@weak.check(
    "finite pools: all votes of three out of five, all samples: a vote with error > ε survives as rarely as is said"
)
def survivors_are_rare(rng: np.random.Generator) -> Found:
    for _ in range(6):
        H, distribution = rng.choice([-1, 1], (5, 4)), FiniteDistribution(random_probabilities(rng, 4))
        votes = np.unique(
            [np.sign(H[list(chosen)].sum(axis=0)) for chosen in itertools.product(range(5), repeat=3)], axis=0
        )
        wrong = votes < 0
        for epsilon, m in itertools.product((Fraction(1, 3), HALF, Fraction(2, 3)), (12, 20)):
            bad = wrong[distribution.probability(wrong) > epsilon]
            survives = sum(
                (p for counts, p in distribution.samples(m) if len(bad) and (bad @ np.array(counts) == 0).any()),
                Fraction(0),
            )
            yield at_most(
                "(Pr[some bad vote survives]) ≤ bound", survives, false_survivor_bound(5, 3, epsilon, m), at=f"m = {m}"
            )


@weak.check("finite pools: this many examples are enough, the bound is at most δ")
def enough_examples(rng: np.random.Generator) -> Found:
    for edge, N, epsilon in itertools.product((Fraction(1, 10), QUARTER), (3, 50), (Fraction(1, 10), Fraction(1, 100))):
        delta = Fraction(1, 20)
        m = examples_for_strong(edge, N, epsilon, delta)
        bound = N ** rounds_until_perfect(edge, m) * ball(1 - epsilon) ** m
        where = f"γ = {edge}, N = {N}, ε = {epsilon}, m = {m}"
        yield at_most("(Pr[some bad vote survives]) ≤ δ", bound, delta, at=where)
        before = N ** rounds_until_perfect(edge, m // 2) * ball(1 - epsilon) ** (m // 2)
        yield less_than("δ < bound for half as many examples", delta, before, at=where)


def one_of_five(n_samples: int) -> Fraction:
    """The probability that some of five hypotheses, each wrong on its own fifth, makes no mistake on m examples."""
    return sum(((-1) ** (c + 1) * math.comb(5, c) * Fraction(5 - c, 5) ** n_samples for c in range(1, 6)), Fraction(0))


@weak.extremal("finite pools, one round: five hypotheses that err on different fifths; the bound is reached as m grows")
def different_fifths() -> Found:
    distribution, wrong = uniform_distribution(5), np.eye(5, dtype=bool)
    for m in (1, 4):
        found = sum((p for counts, p in distribution.samples(m) if (wrong @ np.array(counts) == 0).any()), Fraction(0))
        yield equal("(Pr[some hypothesis survives]) = by inclusion and exclusion", found, one_of_five(m), at=f"m = {m}")
    for m in (20, 40):
        bound = false_survivor_bound(5, 1, JUST_BELOW_A_FIFTH, m)
        yield at_most("(Pr[some bad vote survives]) ≤ bound", one_of_five(m), bound, at=f"m = {m}", statement=True)


# So that an error of a fifth is larger.
JUST_BELOW_A_FIFTH = Fraction(1, 5) - Fraction(1, 10**6)


@weak.strengthened(
    "The votes have to be counted: if each of five hypotheses errs on a fifth of its own, one of them is right on all "
    "of twenty examples with probability {left}, and the bound for one alone is {right}.",
    by=Fraction(1, 5),
)
def survivors_of_one_hypothesis(factor: Fraction) -> Found:
    bound = factor * false_survivor_bound(5, 1, JUST_BELOW_A_FIFTH, 20)
    yield at_most("(Pr[some bad vote survives]) ≤ bound", one_of_five(20), bound)


@weak.strengthened(
    "One per cent less than $N^T(1-\\varepsilon)^m$ is too little: of five hypotheses that err on different fifths one "
    "is right on all of forty examples with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def fewer_survivors(factor: Fraction) -> Found:
    bound = factor * false_survivor_bound(5, 1, JUST_BELOW_A_FIFTH, 40)
    yield at_most("(Pr[some bad vote survives]) ≤ bound", ball(one_of_five(40)), ball(bound))
