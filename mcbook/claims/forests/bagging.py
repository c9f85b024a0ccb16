"""Bagging, enumerated: what a bootstrap holds, what averaging keeps, the nearest neighbour, out-of-bag errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.forests import (
    all_bootstraps,
    bagged_nearest_neighbour,
    expected_out_of_bag,
    expected_vote_error,
    fewest_draws,
    nearest_share,
    out_of_bag_mixture,
    seen_share,
)
from mcbook.forests.theory import out_of_bag_share
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities, uniform_distribution
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.trees import grow_tree, leaves_of

Found = Iterator[Evidence]

bagging = Claim(
    "prp-bagging",
    "identity",
    "exact",
    source="roth-cis519",
    where="bagging slides",
    errata=("E49",),
    implements=(seen_share, all_bootstraps),
    formula=Formula("eq-bootstrap-share", seen_share),
    no_extremal="identities, and an inequality by convexity whose two sides agree for constant statistics",
    symbols=(Reading("b", "count", arguments={"n_draws": "b"}),),
)


def over_bootstraps(m: int, value: Callable[[Sequence[int]], int | Fraction]) -> Fraction:
    """The mean over all bootstraps of m examples."""
    return sum((probability * value(counts) for counts, probability in all_bootstraps(m)), start=Fraction(0))


def weighted_mean(values: Sequence[int], counts: Sequence[int]) -> Fraction:
    return Fraction(sum(c * v for c, v in zip(counts, values, strict=True)), sum(counts))


def median(values: Sequence[int], counts: Sequence[int]) -> Fraction:
    drawn = sorted(v for c, v in zip(counts, values, strict=True) for _ in range(c))
    return Fraction(drawn[(len(drawn) - 1) // 2] + drawn[len(drawn) // 2], 2)


@bagging.check("all bootstraps of up to six examples: their number, the share of examples that they hold")
def share_of_examples(rng: np.random.Generator) -> Found:
    for m in range(1, 7):
        yield equal("total probability = 1", over_bootstraps(m, lambda counts: 1), 1, at=f"m = {m}")
        share = over_bootstraps(m, lambda counts: Fraction(sum(c > 0 for c in counts), len(counts)))
        yield equal("mean share of examples held = 1 − (1 − 1/m)^m", share, seen_share(m), at=f"m = {m}")


@bagging.check("the share falls to 1 − 1/e")
def share_in_the_limit(rng: np.random.Generator) -> Found:
    limit = 1 - (-ball(1)).exp()
    for m in (10, 100, 1000):
        yield at_least("share ≥ 1 − 1/e", ball(seen_share(m)), limit, at=f"m = {m}")
        yield at_most("share ≤ 1 − 1/e + 1/(2m)", ball(seen_share(m)), limit + ball(Fraction(1, 2 * m)), at=f"m = {m}")


def bagged(values: Sequence[int], statistic: Callable[[Sequence[int], Sequence[int]], Fraction]) -> Fraction:
    """The average of a statistic over all bootstraps."""
    return over_bootstraps(len(values), lambda counts: statistic(values, counts))


def squared_distance(values: Sequence[int], point: Fraction) -> Fraction:
    """The mean squared distance of the bootstraps' medians from a point."""
    return over_bootstraps(len(values), lambda counts: (median(values, counts) - point) ** 2)


@bagging.check("random whole numbers: the mean keeps its expectation, and the averaged median has no larger error")
def averages(rng: np.random.Generator) -> Found:
    for m in (2, 3, 4, 5):
        values = rng.integers(-9, 10, m).tolist()
        yield equal(
            "mean of the bootstraps' means = mean",
            bagged(values, weighted_mean),
            Fraction(sum(values), m),
            at=f"m = {m}",
        )
        average = bagged(values, median)
        spread = squared_distance(values, average)
        for target in rng.integers(-9, 10, 3).tolist():
            own, each = (average - target) ** 2, squared_distance(values, Fraction(target))
            yield at_most("squared error of the average ≤ average squared error", own, each, at=f"m = {m}")
            yield equal("what averaging saves = variance over the bootstraps", each - own, spread)


@bagging.trace("two examples, 0 and 1, and their median")
def two_examples() -> Found:
    yield equal("probability that a draw misses the first = 1/2", Fraction(1, 2), 1 - Fraction(1, 2))
    yield equal("probability that both draws miss it = 1/4", out_of_bag_share(2), Fraction(1, 4))
    yield equal(
        "mean share of examples held = 3/4",
        over_bootstraps(2, lambda c: Fraction(sum(n > 0 for n in c), 2)),
        Fraction(3, 4),
    )
    yield equal("expected count of the first = 1", over_bootstraps(2, lambda c: c[0]), 1)


@bagging.strengthened(
    "One per cent more is too much: a bootstrap of four examples holds on average the share {left} of "
    "them, not {right}.",
    by=Fraction(101, 100),
)
def one_per_cent_more(by: Fraction) -> Found:
    share = over_bootstraps(4, lambda counts: Fraction(sum(c > 0 for c in counts), 4))
    yield equal("mean share of examples held = 1.01 × formula", share, by * seen_share(4))


@bagging.control(
    "The statistic has to be linear: the median of 0, 0 and 1 is {right}, and its mean over all bootstraps is {left}.",
)
def median_is_kept() -> Found:
    average = bagged((0, 0, 1), median)
    yield equal("mean of the medians = median", average, median((0, 0, 1), (1, 1, 1)))


nearest = Claim(
    "thm-bagged-nearest-neighbour",
    "equivalence",
    "exact",
    source=("hall-samworth2005", "caprile2001"),
    where=(
        "the limit for large samples is Hall and Samworth's, the case b = m that of Caprile and others; the "
        "threshold for each m is worked out here"
    ),
    implements=(nearest_share, fewest_draws, bagged_nearest_neighbour),
    formula=Formula("eq-nearest-share", nearest_share, where=r"j\le m"),
    no_extremal="an equivalence: the threshold itself is its extremal instance, and the control goes one below",
    symbols=(
        Reading("b", "count", arguments={"n_draws": "b"}),
        Reading("j", "count", arguments={"place": "j"}),
    ),
)


def agrees(labels: Sequence[int], n_draws: int) -> bool:
    """Whether the label of the nearest example has more votes than every other."""
    shares = bagged_nearest_neighbour(labels, n_draws).tolist()
    own = shares.pop(labels[0])
    return all(own > share for share in shares)


@nearest.check("all bootstraps of up to five of up to five points: who is nearest, and how often")
def shares_of_the_neighbours(rng: np.random.Generator) -> Found:
    for m, b in itertools.product(range(2, 6), range(1, 6)):
        shares = bagged_nearest_neighbour(range(m), b)
        for j in range(1, m + 1):
            yield equal(
                "share of the votes = w_j", shares[j - 1], nearest_share(j, m, b), at=f"j = {j}, m = {m}, b = {b}"
            )


@nearest.check("all labellings with two and three classes, up to four points: unchanged exactly from the threshold on")
def every_labelling(rng: np.random.Generator) -> Found:
    for m, b in itertools.product(range(2, 5), range(1, 5)):
        unchanged = all(
            agrees(labels, b) for k in (2, 3) for labels in itertools.product(range(k), repeat=m) if max(labels) > 0
        )
        yield holds(
            "the vote agrees for all labels exactly from the threshold on",
            unchanged == (b >= fewest_draws(m)),
            Tier.EXACT,
            at=f"m = {m}, b = {b}",
        )


@nearest.check("the threshold lies between (m − 1) ln 2 and m ln 2 rounded up, and b = m is beyond it")
def size_of_the_threshold(rng: np.random.Generator) -> Found:
    half = ball(2).log()
    for m in (2, 3, 10, 100, 1000):
        b = fewest_draws(m)
        yield at_least("threshold ≥ (m − 1) ln 2", ball(b), (m - 1) * half, at=f"m = {m}")
        yield at_most("threshold − 1 ≤ m ln 2", ball(b - 1), m * half, at=f"m = {m}")
        yield at_most("threshold ≤ m", b, m, at=f"m = {m}")


@nearest.trace("ten points, of which the nearest alone has the label 1")
def ten_points() -> Found:
    yield equal("sum of all w_j = 1", sum(nearest_share(j, 10, 7) for j in range(1, 11)), 1)
    yield equal("w_1 = 1 − (9/10)^7", nearest_share(1, 10, 7), 1 - Fraction(9, 10) ** 7)
    yield at_least("w_1 ≥ 1/2", nearest_share(1, 10, 7), Fraction(1, 2), at="seven draws")
    yield at_most("w_1 ≤ 1/2", nearest_share(1, 10, 6), Fraction(1, 2), at="six draws")


@nearest.control(
    "One draw below the threshold is too few: among four points the nearest then has the share {left} "
    "of the votes, which is less than {right}.",
    story=True,
)
def one_draw_fewer() -> Found:
    share = nearest_share(1, 4, fewest_draws(4) - 1)
    yield at_least("w_1 ≥ 1/2", share, Fraction(1, 2))


out_of_bag = Claim(
    "prp-out-of-bag-error",
    "identity",
    "exact",
    source="breiman1996",
    where="this book; out-of-bag estimates are folklore since bagging",
    errata=("E49",),
    implements=(expected_out_of_bag, expected_vote_error, out_of_bag_mixture),
    no_extremal="an identity",
    no_formula="a sum over the errors of votes, which are themselves found by enumeration",
)

FEATURE = np.array([[0.0], [1.0], [2.0], [0.0]])
LABELS = np.array([0, 1, 0, 1])


@cache
def learn(atoms: tuple[int, ...]) -> tuple[int, ...]:
    """The labels that a fully grown tree gives to all atoms."""
    tree = grow_tree(FEATURE[list(atoms)], LABELS[list(atoms)], 2)
    return tuple(tree.value.argmax(axis=1)[leaves_of(tree, FEATURE)].tolist())


SIZES = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2))


@out_of_bag.check("all samples and bootstraps of fully grown trees, (m, B) = (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)")
def enumerated(rng: np.random.Generator) -> Found:
    distribution = FiniteDistribution(random_probabilities(rng, 4))
    for m, n_trees in SIZES:
        wrong, voted = expected_out_of_bag(distribution, LABELS, learn, m, n_trees)
        errors = [expected_vote_error(distribution, LABELS, learn, m - 1, m, b) for b in range(1, n_trees + 1)]
        yield equal(
            "share misclassified out of bag = the sum",
            wrong,
            out_of_bag_mixture(errors, m),
            at=f"m = {m}, B = {n_trees}",
        )
        yield equal(
            "share with a vote = 1 − (1 − q)^B", voted, 1 - seen_share(m) ** n_trees, at=f"m = {m}, B = {n_trees}"
        )


@out_of_bag.trace("two examples and one tree")
def one_tree() -> Found:
    distribution = uniform_distribution(4)
    wrong, voted = expected_out_of_bag(distribution, LABELS, learn, 2, 1)
    yield equal("probability that an example is out of the bag = q", voted, out_of_bag_share(2))
    alone = expected_vote_error(distribution, LABELS, learn, 1, 2, 1)
    yield equal("share misclassified = q × error of a tree on the other example", wrong, out_of_bag_share(2) * alone)


@out_of_bag.control(
    "For the forest itself the estimate is biased: with two trees on three examples the error is {left} "
    "among the examples that have an out-of-bag vote, and that of the forest is {right}.",
    story=True,
)
def unbiased_for_the_forest() -> Found:
    distribution = uniform_distribution(4)
    wrong, voted = expected_out_of_bag(distribution, LABELS, learn, 3, 2)
    yield equal(
        "out-of-bag error = error of the forest",
        wrong / voted,
        expected_vote_error(distribution, LABELS, learn, 3, 3, 2),
    )
