"""Votes: the random forest as it is defined, correlation against the features drawn, and the worst forest."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, covered, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.forests import (
    VoteDistribution,
    best_known_bound,
    breiman_bound,
    circular_forest,
    grow_forest,
    label_votes,
    mean_vote_correlation,
    out_of_bag_votes,
    tree_labels,
    worst_forest_error,
    worst_vote_distribution,
)
from mcbook.forests.algorithm.bootstrap import bootstrap_counts
from mcbook.forests.algorithm.finite import FiniteForest
from mcbook.forests.algorithm.growth import Draw
from mcbook.forests.theory import worst_error_high, worst_error_low
from mcbook.foundation.distributions import FiniteDistribution, probabilities_from_counts, random_probabilities
from mcbook.foundation.numbers import ball, rational, square_root
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


worst = Claim(
    "thm-worst-forest",
    "upper bound",
    "exact",
    source=("breiman2001", "lacasse2006"),
    where=(
        "this book; the first regime is the C-bound of Lacasse and others, the weaker bound is Theorem 2.3 of Breiman"
    ),
    implements=(worst_forest_error, best_known_bound, breiman_bound),
    formula=(
        Formula("eq-worst-forest-low", worst_error_low),
        Formula("eq-worst-forest-high", worst_error_high),
    ),
    symbols=(
        Reading("s", "probability", arguments={"strength": "s"}),
        Reading(r"\bar\rho", "share", arguments={"correlation": r"\bar\rho"}),
    ),
)

GRID = [Fraction(i, 4) for i in range(-4, 5)]


def margin_distributions() -> Iterator[VoteDistribution]:
    """Distributions on three values of a grid in [-1, 1]; for given s and E mr² the extreme ones have no more."""
    for values in itertools.combinations(GRID, 3):
        for first, second in ((1, 1), (1, 2), (3, 1)):
            rest = 6 - first - second
            distribution = VoteDistribution(probabilities_from_counts([first, second, rest]), rational(values))
            if distribution.strength > 0:
                yield distribution


def largest_error(s: Fraction, rho: Fraction, values: list[Fraction]) -> Fraction:
    """The largest error of a distribution on the values, given strength and correlation: all basic solutions."""
    q, best = rho * (1 - s * s) + s * s, Fraction(-1)
    for a, b, c in itertools.combinations(values, 3):
        # Lagrange's polynomials, in which x stands for s and x² for q, are the probabilities.
        weights = [(q - (u + v) * s + u * v) / ((w - u) * (w - v)) for w, u, v in ((a, b, c), (b, a, c), (c, a, b))]
        if min(weights) >= 0:
            best = max(best, sum((w for w, x in zip(weights, (a, b, c), strict=True) if x <= 0), start=Fraction(0)))
    return best


@worst.check("distributions of the margin on three values of a grid: none has a larger error")
def distributions_of_the_margin(rng: np.random.Generator) -> Found:
    for distribution in itertools.islice(margin_distributions(), 0, None, 2):
        yield at_most(
            "error ≤ worst error",
            distribution.error,
            worst_forest_error(distribution.strength, distribution.correlation),
        )


@worst.check("all basic solutions on a grid that has the best values: the largest error is the formula, exactly")
def problem_on_a_grid(rng: np.random.Generator) -> Found:
    for s, rho in itertools.product((Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)), GRID[5:]):
        distribution = worst_vote_distribution(s, rho)
        values = sorted({*GRID, *distribution.values.tolist()})
        yield equal(
            "largest error = formula",
            largest_error(s, rho, values),
            worst_forest_error(s, rho),
            at=f"s = {s}, ρ = {rho}",
        )


@worst.check("random finite forests with two to four classes: the bound for all forests, and Breiman's above it")
def random_forests(rng: np.random.Generator) -> Found:
    found = 0
    while found < 40:
        k, atoms, trees = int(rng.integers(2, 5)), int(rng.integers(2, 6)), int(rng.integers(2, 7))
        y = rng.integers(0, k, atoms)
        right = rng.random((trees, atoms)) < 0.7
        votes = np.where(right, y, rng.integers(0, k, (trees, atoms)))
        forest = FiniteForest(random_probabilities(rng, atoms), votes, y, k)
        constant = all((row == row[0]).all() for row in forest.raw_margins)
        if forest.strength <= 0 or constant:
            continue
        found += 1
        s, V = forest.strength, forest.variance
        yield at_most("error ≤ 1 − s", forest.error, 1 - s)
        # By the correlation in balls where deviations are roots.
        rho = forest.correlation
        kind = Fraction if isinstance(rho, Fraction) else ball
        square, allowed = kind(s * s), rho * kind(1 - s * s)
        limit = allowed / (allowed + square)
        yield at_most("error ≤ V / (V + s²)", forest.error, V / (V + s * s))
        yield at_most("error ≤ bound", forest.error, limit)
        yield at_most("bound ≤ Breiman's bound", limit, allowed / square)


@worst.check("the bound for all forests is at least the exact worst case, and Breiman's is above both")
def order_of_the_bounds(rng: np.random.Generator) -> Found:
    for s, rho in itertools.product([Fraction(i, 10) for i in range(1, 10)], GRID[4:]):
        bound, where = best_known_bound(s, rho), f"s = {s}, ρ = {rho}"
        yield at_most("exact worst case ≤ bound for all forests", worst_forest_error(s, rho), bound, at=where)
        yield at_most("bound for all forests ≤ Breiman's bound", bound, breiman_bound(s, rho), at=where)


CASES = (
    (Fraction(1, 3), Fraction(1, 16), 8),
    (Fraction(1, 4), Fraction(11, 15), 2),
    (Fraction(1, 2), Fraction(1, 3), 2),
    (Fraction(1, 5), Fraction(1), 2),
)


@worst.extremal("forests of up to eight circular trees, in both regimes")
def circular_forests() -> Found:
    for s, rho, n_trees in CASES:
        forest = circular_forest(worst_vote_distribution(s, rho), n_trees)
        where = f"s = {s}, ρ = {rho}"
        yield equal("strength = s", forest.strength, s, at=where)
        yield equal("correlation = ρ", forest.correlation, rho, at=where)
        yield equal("error = worst error", forest.error, worst_forest_error(s, rho), at=where, statement=True)


@worst.trace("eight circular trees of strength 1/3 and correlation 1/16")
def proof_on_eight_trees() -> Found:
    s, rho = Fraction(1, 3), Fraction(1, 16)
    forest = circular_forest(worst_vote_distribution(s, rho), 8)
    yield equal("mean of the margin = s", forest.strength, s)
    yield equal("different strengths of the trees = 1", len(set(forest.tree_strengths.tolist())), 1)
    yield equal("variance = ρ (1 − s²)", forest.variance, rho * (1 - s * s))
    yield equal("deviation of a tree, squared, = 1 − s²", square_root((1 - s * s) ** 2), 1 - s * s)
    V = forest.variance
    yield at_most("(Pr[mr ≤ 0]) ≤ V / (V + s²)", forest.error, V / (V + s * s), at="Cantelli")
    yield at_most("(Pr[1 − mr ≥ 1]) ≤ 1 − s", forest.error, 1 - s, at="Markov")
    parabola = [1 - (x + x * x) / 2 for x in GRID]
    yield holds(
        "[x ≤ 0] ≤ 1 − (x + x²)/2 on the grid",
        all(value >= (x <= 0) for value, x in zip(parabola, GRID, strict=True)),
        Tier.EXACT,
    )


@worst.strengthened(
    "One per cent less is too little: eight circular trees with $s=\\frac13$ and "
    "$\\bar\\rho=\\frac1{16}$ err with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(by: Fraction) -> Found:
    s, rho, n_trees = CASES[0]
    forest = circular_forest(worst_vote_distribution(s, rho), n_trees)
    yield at_most("error ≤ bound", forest.error, by * worst_forest_error(s, rho))


@worst.control(
    "The first formula is not the worst case for every correlation: for $s=\\frac14$ and "
    "$\\bar\\rho=\\frac{11}{15}$ the largest error is {left}, and the formula says {right}.",
)
def first_formula_everywhere() -> Found:
    s, rho = Fraction(1, 4), Fraction(11, 15)
    yield equal("largest error = formula", worst_forest_error(s, rho), best_known_bound(s, rho))


@worst.control(
    "The correlation has to be as promised: two trees with $s=\\frac12$ and $\\bar\\rho=\\frac13$ err with "
    "probability {left}, and for $\\bar\\rho=\\frac1{16}$ the bound would be {right}.",
)
def more_correlated_than_promised() -> Found:
    s = Fraction(1, 2)
    forest = circular_forest(worst_vote_distribution(s, Fraction(1, 3)), 2)
    yield at_most("error ≤ bound", forest.error, worst_forest_error(s, Fraction(1, 16)))
