"""A bound for all prunings at once, from the bits that it takes to write them down."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import FiniteDistribution, distribution_from_counts, random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Number
from mcbook.pruning import (
    CostedTree,
    all_prunings,
    cost_complexity_path,
    occam_bound,
    pruning_code_length,
    random_counted_tree,
)
from mcbook.pruning.instances import two_equal_links
from mcbook.trees.algorithm.weakest_links import costed_tree

Found = Iterator[Evidence]
TENTH, HALF = Fraction(1, 10), Fraction(1, 2)

occam = Claim(
    "thm-pruned-tree-occam-bound",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.6",
    implements=(occam_bound, pruning_code_length),
    formula=(
        Formula("eq-pruning-occam", occam_bound, numbers="balls"),
        Formula("eq-pruning-bits", pruning_code_length),
    ),
    symbols=(
        Reading(r"\widehat R_S(T)", "share", arguments={"training_error": r"\widehat R_S(T)"}),
        Reading("b(T)", "count", arguments={"code_length": "b(T)"}),
    ),
)


def full_tree() -> CostedTree:
    """Four points, told apart by two questions: every leaf has one of them."""
    return two_equal_links()


# The points that reach each node of the full tree.
POINTS = {0: (0, 1, 2, 3), 1: (0, 1), 2: (0,), 3: (1,), 4: (2, 3), 5: (2,), 6: (3,)}


def labelled_prunings() -> tuple[np.ndarray, np.ndarray]:
    """The answers of every pruning with every labelling of its leaves on the four points, and the bits of its word."""
    answers, bits = [], []
    for pruned in all_prunings(full_tree()):
        for labels in itertools.product((0, 1), repeat=pruned.n_leaves):
            row = [0] * 4
            for leaf, label in zip(sorted(pruned.leaves), labels, strict=True):
                for point in POINTS[leaf]:
                    row[point] = label
            answers.append(row)
            bits.append(pruning_code_length(pruned.n_leaves, 2))
    return np.array(answers), np.array(bits)


def failure_probability(
    distribution: FiniteDistribution, m: int, delta: Fraction, bit_weight: Fraction = Fraction(1)
) -> Fraction:
    """The probability of the samples for which some pruning is above its bound.

    Atom 2 x + y is the point x with the label y, and each bit of a word counts as ``bit_weight`` bits.  A tree fails
    exactly if it makes at most so many errors on the sample; this number is found once for each tree, in balls.
    """
    answers, bits = labelled_prunings()
    wrong = np.stack([answers != 0, answers != 1], axis=-1).reshape(len(answers), -1)
    limits = np.array(
        [
            fails_up_to(distribution.probability(row), bit_weight * int(b), m, delta)
            for row, b in zip(wrong, bits, strict=True)
        ]
    )
    samples, chances = zip(*distribution.samples(m), strict=True)
    failed = (np.array(samples) @ wrong.T.astype(int) <= limits).any(axis=1)
    return sum((chance for chance, bad in zip(chances, failed.tolist(), strict=True) if bad), Fraction(0))


def fails_up_to(risk: Fraction, bits: Fraction, m: int, delta: Fraction) -> int:
    """The most errors on a sample of m with which a tree of this risk is above its bound; -1 if it never is."""
    below = [e for e in range(m + 1) if ball(risk) > occam_bound(ball(Fraction(e, m)), ball(bits), m, ball(delta))]
    return max(below, default=-1)


@occam.check(
    "samples of six from random distributions on four points, 38 labelled prunings: the exact probability of a failure"
)
def random_distributions(rng: np.random.Generator) -> Found:
    for delta in (HALF, TENTH):
        distribution = FiniteDistribution(random_probabilities(rng, 8))
        yield at_most("probability of a failure ≤ δ", failure_probability(distribution, 6, delta), delta)


@occam.check("labels by coin toss, where every tree errs on a half")
def coin_tosses(rng: np.random.Generator) -> Found:
    distribution = distribution_from_counts([1] * 8)
    for m, delta in ((6, HALF), (8, HALF), (8, Fraction(9, 10))):
        yield at_most("probability of a failure ≤ δ", failure_probability(distribution, m, delta), delta, at=f"m = {m}")


@occam.check("the words of all labelled prunings satisfy Kraft's inequality, for two to five classes")
def words_fit_into_a_code(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        total = sum(
            k**one.n_leaves * Fraction(1, 2 ** pruning_code_length(one.n_leaves, k))
            for one in all_prunings(full_tree())
        )
        yield at_most("sum of 2^(−b) ≤ 1", total, 1, at=f"k = {k}")


def guarantee(cost: Any, n_leaves: int, m: int) -> Number:
    """The bound with two classes and δ = 1/10."""
    return occam_bound(ball(Fraction(cost, m)), ball(pruning_code_length(n_leaves, 2)), m, ball(TENTH))


@occam.check("random trees: each pruning outside the weakest-link sequence of S has a worse guarantee than one in it")
def best_guarantee_is_in_the_sequence(rng: np.random.Generator) -> Found:
    for _ in range(20):
        counted = random_counted_tree(rng, int(rng.integers(3, 8)), 2)
        tree, m = counted.costed(), int(np.sum(counted.counts[0]))
        path = cost_complexity_path(tree)
        sequence = set(zip(path.costs.tolist(), path.n_leaves.tolist(), strict=True))
        best = [guarantee(cost, n, m) for cost, n in sequence]
        others = {(one.cost, one.n_leaves) for one in all_prunings(tree)} - sequence
        worse = all(any(value < guarantee(*other, m) for value in best) for other in others)
        yield holds("each other pruning has a worse guarantee", worse, Tier.RIGOROUS)


@occam.control(
    "The sequence has to be that of $S$: in the sequence of the sample that grew the tree the best "
    "guarantee is {left}, and that of all prunings is {right}.",
)
def sequence_of_another_sample() -> Found:
    shape, m = two_equal_links().children, 100
    grown_on = cost_complexity_path(costed_tree(shape, [8, 1, 0, 0, 2, 0, 0]))
    counted_on = costed_tree(shape, [30, 20, 0, 0, 0, 0, 0])
    best = min((guarantee(one.cost, one.n_leaves, m) for one in all_prunings(counted_on)), key=float)
    kept = [counted_on.costs[grown_on.leaves_of(i)].sum() for i in range(grown_on.n_trees)]
    found = [guarantee(cost, int(n), m) for cost, n in zip(kept, grown_on.n_leaves, strict=True)]
    yield at_most("best guarantee in that sequence ≤ best guarantee of all prunings", min(found, key=float), best)


def one_hypothesis(risk: Fraction, delta: Fraction, factor: Fraction = Fraction(1)) -> Fraction:
    """The exact probability that a tree whose word is empty is above the bound on one example, the root scaled."""
    penalty = ball(factor) * (occam_bound(ball(0), ball(0), 1, ball(delta)))
    return 1 - risk if ball(risk) > penalty else Fraction(0)


@occam.extremal("one tree with an empty word, one example, risk 1/2 and δ just above e^(−1/2)")
def a_single_tree() -> Found:
    # e^(-1/2) = 0.60653...
    delta = Fraction(6066, 10000)
    yield at_most("probability of a failure ≤ δ", one_hypothesis(HALF, delta), delta, statement=True)


@occam.trace("labels by coin toss, samples of eight, δ = 1/2")
def proof_on_coin_tosses() -> Found:
    distribution, m, delta = distribution_from_counts([1] * 8), 8, HALF
    _, bits = labelled_prunings()
    yield at_most("sum of 2^(−b) over all trees ≤ 1", sum(Fraction(1, 2 ** int(b)) for b in bits), 1)
    total = Fraction(0)
    for b in sorted({int(b) for b in bits}):
        most = fails_up_to(HALF, Fraction(b), m, delta)
        chance = sum((Fraction(math.comb(m, e), 2**m) for e in range(most + 1)), Fraction(0))
        number = int((bits == b).sum())
        yield at_most("probability of a failure ≤ δ 2^(−b)", chance, delta / 2**b, at=f"one tree with b = {b}")
        total += number * chance
    yield at_most("sum over all trees ≤ δ", total, delta)
    yield at_most(
        "probability that some tree fails ≤ sum over all trees", failure_probability(distribution, m, delta), total
    )


@occam.strengthened(
    "The bits have to be paid: without them some tree is above its bound with probability {left} on "
    "eight coin tosses, where {right} would be allowed.",
    by=Fraction(0),
    story=True,
)
def free_words(by: Fraction) -> Found:
    distribution, delta = distribution_from_counts([1] * 8), Fraction(1, 4)
    # As a ball, which shows as a decimal number.
    yield at_most(
        "probability of a failure ≤ δ", ball(failure_probability(distribution, 8, delta, bit_weight=by)), delta
    )


@occam.strengthened(
    "A root ten per cent smaller is too small: a tree of risk $\\frac7{10}$ is above it on one example "
    "with probability {left}, and $\\delta$ is {right}.",
    by=Fraction(9, 10),
)
def smaller_root(by: Fraction) -> Found:
    delta = Fraction(2999, 10000)
    yield at_most("probability of a failure ≤ δ", one_hypothesis(Fraction(7, 10), delta, by), delta)


@occam.strengthened(
    "Half of the bits are too few: for four classes that are equally frequent, one of the four single leaves is right "
    "on an example and above its bound with probability {left}, and $\\delta$ is {right}.",
    by=Fraction(1, 2),
)
def half_of_the_bits(by: Fraction) -> Found:
    delta, risk = Fraction(19, 20), Fraction(3, 4)
    bound = occam_bound(ball(0), ball(by * pruning_code_length(1, 4)), 1, ball(delta))
    # Each example has the label of exactly one of the four leaves.
    yield at_most("probability of a failure ≤ δ", Fraction(int(ball(risk) > bound)), delta)
