"""Votes: the random forest as it is defined, and correlation against the features drawn."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, covered, equal, holds
from mcbook.forests import (
    grow_forest,
    label_votes,
    mean_vote_correlation,
    out_of_bag_votes,
    tree_labels,
)
from mcbook.forests.algorithm.bootstrap import bootstrap_counts
from mcbook.forests.algorithm.growth import Draw
from mcbook.foundation.distributions import FiniteDistribution, probabilities_from_counts
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Array, Labels

Found = Iterator[Evidence]

algorithm = Claim(
    "alg-random-forest",
    "identity",
    "exact",
    source="lecture13",
    where="§1.3, steps 1–5, Remarks 10–11",
    errata=("E46", "E49"),
    implements=(grow_forest, bootstrap_counts, tree_labels, label_votes, out_of_bag_votes),
    no_extremal="a definition",
    no_trace="a definition",
    no_formula="an algorithm",
)


DRAWS: tuple[Draw, ...] = ("split", "tree")


def noisy_sample(rng: np.random.Generator, m: int, d: int) -> tuple[Array, Labels]:
    """Three classes by the sum of the features, with noise."""
    X = rng.normal(size=(m, d))
    return X, np.digitize(X.sum(axis=1) + rng.normal(size=m), [-1, 1])


@algorithm.check("forests with features drawn for every split and every tree: draws, and votes counted")
def as_defined(rng: np.random.Generator) -> Found:
    X, y = noisy_sample(rng, 40, 5)
    for draw in DRAWS:
        forest = grow_forest(X, y, 3, n_trees=12, max_features=2, draw=draw, seed=int(rng.integers(1000)))
        yield holds("every tree has m draws", all(count.sum() == 40 for count in forest.counts), Tier.EXACT)
        repeated = all((count > 1).any() and (count == 0).any() for count in forest.counts)
        yield holds("every bootstrap has an example twice or more, and another one not at all", repeated, Tier.EXACT)
        roots = [int(tree.weight[0]) for tree in forest.trees]
        yield equal("weight of all roots = 12 m", sum(roots), 12 * 40)
        labels = tree_labels(forest, X)
        votes, outside = label_votes(labels, 3), out_of_bag_votes(forest, X)
        for i in range(0, 40, 13):
            ballots = [0, 0, 0]
            bagless = [0, 0, 0]
            for t in range(12):
                ballots[labels[t, i]] += 1
                bagless[labels[t, i]] += int(forest.counts[t, i] == 0)
            yield holds("votes counted are those of all trees", votes[i].tolist() == ballots, Tier.EXACT)
            yield holds(
                "votes out of the bag are those of the trees that did not see the example",
                outside[i].tolist() == bagless,
                Tier.EXACT,
            )


class AllDraws(np.random.Generator):
    """A generator whose numbers are the middles of ``parts`` parts of [0, 1]: each sequence of ``draws`` comes once."""

    def __init__(self, parts: int, draws: int) -> None:
        super().__init__(np.random.PCG64(0))
        sequences = itertools.product(range(parts), repeat=draws)
        self.numbers = ((part + 0.5) / parts for part in itertools.chain.from_iterable(sequences))

    def random(self, size: tuple[int, int]) -> Array:  # type: ignore[override]  # a table of numbers at a time
        return np.array(list(itertools.islice(self.numbers, size[0] * size[1]))).reshape(size)


@algorithm.check("all sequences of draws from three examples: each bootstrap as often as draws with replacement say")
def drawn_with_replacement(rng: np.random.Generator) -> Found:
    for weights in ([1, 1, 1], [1, 2, 0]):
        draws = int(np.count_nonzero(weights))
        X, y = rng.normal(size=(3, 2)), np.array([0, 1, 2])
        table = bootstrap_counts(X, y, np.array(weights, dtype=float), AllDraws(3, draws), 3**draws)
        found = Counter(tuple(int(count) for count in row) for row in table)
        expected = FiniteDistribution(probabilities_from_counts(weights)).samples(draws)
        for counts, probability in expected:
            yield equal(
                "share of the bootstraps = probability of these draws",
                Fraction(found[counts], 3**draws),
                probability,
                at=f"weights {weights}, counts {list(counts)}",
            )


def ever_worse_features(d: int) -> tuple[Array, Labels]:
    """Two classes of 3 d examples, and features of which the j-th, from 0, misplaces j examples of the first class."""
    y = np.repeat([0, 1], 3 * d)
    X = np.repeat(y[:, None], d, axis=1).astype(float)
    for j in range(d):
        X[:j, j] = 1
    return X, y


@algorithm.check("features of which each is worse than the one before: of d' that are drawn the best one is asked")
def features_drawn(rng: np.random.Generator) -> Found:
    d = 5
    X, y = ever_worse_features(d)
    for draw, drawn in itertools.product(DRAWS, range(1, d + 1)):
        seed = int(rng.integers(1000))
        forest = grow_forest(X, y, n_trees=200, max_features=drawn, draw=draw, bootstrap=False, max_depth=1, seed=seed)
        asked = {int(tree.feature[0]) for tree in forest.trees}
        # The best of d' features is never one of the d' - 1 worst, and each other one is the best of some d'.
        expected = set(range(d - drawn + 1))
        where = f"{drawn} of {d} drawn for every {draw}"
        yield holds("features asked first are all but the d' − 1 worst", asked == expected, Tier.EXACT, at=where)


@algorithm.check(
    "one of two features drawn: at three splits all eight ways to ask, or the same feature in a whole tree"
)
def drawn_afresh(rng: np.random.Generator) -> Found:
    # Each quarter of a board has a class of its own: after a first cut in the middle every side has two classes.
    X = np.array(list(itertools.product(range(4), repeat=2)), dtype=float)
    y = 2 * (X[:, 0] > 1) + (X[:, 1] > 1)
    for draw, ways in zip(DRAWS, (8, 2), strict=True):
        seed = int(rng.integers(1000))
        forest = grow_forest(X, y, n_trees=150, max_features=1, draw=draw, bootstrap=False, max_depth=2, seed=seed)
        asked = {tuple(tree.feature[tree.feature >= 0].tolist()) for tree in forest.trees}
        yield equal("ways to ask at three splits", len(asked), ways, at=f"drawn for every {draw}")


@algorithm.control(
    "The prediction counts all votes, not those out of the bag: twelve trees give forty examples "
    "{right} votes, of which {left} are out of the bag.",
)
def prediction_out_of_bag() -> Found:
    X, y = noisy_sample(np.random.default_rng(0), 40, 5)
    forest = grow_forest(X, y, 3, n_trees=12, max_features=2)
    votes = label_votes(tree_labels(forest, X), 3)
    yield equal("votes out of bag = votes", int(out_of_bag_votes(forest, X).sum()), int(votes.sum()))


correlation = Claim(
    "obs-random-forest-correlation",
    "growth rate",
    "statistical",
    source=("lecture13", "roth-cis519"),
    where="§1.3; random forest slide",
    errata=("E46", "E49"),
    implements=(grow_forest, mean_vote_correlation),
    no_extremal="a tendency, with no smallest slack",
    no_trace="a tendency, shown by experiment",
    no_formula="a tendency",
)

RUNS = 40


def correlation_falls(rng: np.random.Generator, fewer: int, more: int, d: int, *, copies: bool = False) -> bool:
    """Whether the votes on fresh examples are less correlated with fewer features drawn."""
    X, y = noisy_sample(rng, 260, d)
    if copies:
        X = np.repeat(X[:, :1], d, axis=1)
    seed = int(rng.integers(2**31))
    found = []
    for drawn in (fewer, more):
        forest = grow_forest(X[:60], y[:60], 3, n_trees=25, max_features=drawn, seed=seed)
        found.append(mean_vote_correlation(tree_labels(forest, X[60:]), y[60:]))
    return found[0] < found[1]


@correlation.check("forty seeded samples: with one feature drawn votes are less correlated than with all eight")
def fewer_features(rng: np.random.Generator) -> Found:
    failed = sum(not correlation_falls(rng, 1, 8, 8) for _ in range(RUNS))
    yield covered("samples in which the correlation does not fall", Coverage(failed, RUNS, 1 / 3))


@correlation.control(
    "Where all features are copies of one, drawing fewer does not help: the share of samples in which "
    "the correlation does not fall is {left}, and {right} would be allowed.",
)
def copies_of_one_feature() -> Found:
    rng = np.random.default_rng(1)
    failed = sum(not correlation_falls(rng, 1, 4, 4, copies=True) for _ in range(RUNS))
    yield covered("samples in which the correlation does not fall", Coverage(failed, RUNS, 1 / 3))


@correlation.control(
    "The correlation does not fall as more features are drawn: the share of samples in which it fails "
    "to is {left}, and {right} would be allowed.",
)
def more_features() -> Found:
    rng = np.random.default_rng(2)
    failed = sum(not correlation_falls(rng, 8, 1, 8) for _ in range(20))
    yield covered("samples in which the correlation does not fall", Coverage(failed, 20, 1 / 3))
