"""Samples on which greedy growth is optimal, and samples on which it is not, whatever the look-ahead."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, equal, holds, less_than
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Labels, Number
from mcbook.impurities import IMPURITIES, entropy
from mcbook.trees import (
    Halfspace,
    fewest_errors,
    grow_greedily,
    grow_tree,
    least_impurity,
    parity_cube,
    threshold_questions,
)
from mcbook.trees.algorithm.greedy import total_impurity
from mcbook.trees.algorithm.questions import Ball
from mcbook.trees.instances import helpful_bit

Found = Iterator[Evidence]

on_a_line = Claim(
    "thm-greedy-optimal-on-a-line",
    "identity",
    "exact",
    source="fayyad-irani1992",
    where="this book; that best cuts lie between different labels is theirs",
    implements=grow_greedily,
    no_extremal="an identity: greedy growth attains the least number for every sequence",
    no_formula="the value is a count of changes",
)


def changes(labels: tuple[int, ...] | Labels) -> int:
    return sum(a != b for a, b in itertools.pairwise(labels))


def sequences(longest: dict[int, int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """All label sequences up to the length for each number of classes, named in the order in which they turn up."""
    for k, length in longest.items():
        for m in range(2, length + 1):
            for labels in itertools.product(range(k), repeat=m):
                if list(dict.fromkeys(labels)) == list(range(max(labels) + 1)):
                    yield k, labels


@functools.cache
def impurity_of_run(counts: tuple[int, ...]) -> Fraction:
    return total_impurity(np.repeat(np.arange(len(counts)), counts), len(counts))


@on_a_line.check("all sequences, k = 2 to 12, 3 to 8, 4 to 6: every best cut lies at a change of the label and gains")
def best_cuts_lie_at_changes(rng: np.random.Generator) -> Found:
    for k, labels in sequences({2: 12, 3: 8, 4: 6}):
        if not changes(labels):
            continue
        before = np.cumsum(np.equal.outer(labels, range(k)), axis=0)
        sides = zip(before.tolist(), (before[-1] - before).tolist(), strict=True)
        *total, whole = [impurity_of_run(tuple(left)) + impurity_of_run(tuple(right)) for left, right in sides]
        best = min(total)
        at_changes = all(labels[cut] != labels[cut + 1] for cut, value in enumerate(total) if value == best)
        if len(labels) < 5 or not at_changes or best >= whole:
            yield holds("all best cuts at changes", at_changes, Tier.EXACT)
            yield less_than("impurity after the best cut < impurity before", best, whole)


def entropy_of(y: Array, k: int) -> Number:
    """|n| times the entropy of the examples with these labels, as a ball."""
    counts = [ball(int((y == c).sum())) for c in range(k)]
    return ball(len(y)) * entropy(counts)


@on_a_line.check("the same for entropy: each other cut leaves more of it than some cut at a change, which gains")
def best_cuts_by_entropy(rng: np.random.Generator) -> Found:
    for k, labels in sequences({2: 7, 3: 5}):
        if not changes(labels):
            continue
        y = np.array(labels)
        left = [entropy_of(y[:cut], k) + entropy_of(y[cut:], k) for cut in range(1, len(y))]
        at_changes = [value for cut, value in enumerate(left) if labels[cut] != labels[cut + 1]]
        others = [value for cut, value in enumerate(left) if labels[cut] == labels[cut + 1]]
        beaten = all(any(value < other for value in at_changes) for other in others)
        yield holds("each other cut leaves more entropy", beaten, Tier.RIGOROUS)
        yield less_than("entropy after the cut at the first change < entropy before", at_changes[0], entropy_of(y, k))


def lines_of_labels(rng: np.random.Generator) -> Iterator[Array]:
    """Random sequences, and single labels inside of long runs, whose cuts gain little."""
    for _ in range(14):
        yield rng.integers(0, int(rng.integers(2, 5)), int(rng.integers(2, 15)))
    for run in (15, 30):
        yield np.repeat([0, 1, 0], [run, 1, run])
        yield np.repeat([0, 1, 2, 0, 3], [run, 1, 2, run, 1])


@on_a_line.check("random sequences and long runs, ties broken at random: as many splits as changes, and no tree fewer")
def splits_are_changes(rng: np.random.Generator) -> Found:
    for y in lines_of_labels(rng):
        X = np.arange(len(y))[:, None]
        questions = threshold_questions(X)
        # Of equal questions the first wins.
        rng.shuffle(questions)
        grown = grow_greedily(X, y, 5, questions)
        yield equal("splits = changes", len(grown.steps), changes(y))
        yield equal("errors = 0", grown.n_errors(y), 0)
        compiled = grow_tree(X, y, 5, criterion="entropy")
        yield equal("splits of the compiled growth by entropy = changes", compiled.n_leaves - 1, changes(y))
        if changes(y) and len(y) < 10:
            fewer = fewest_errors(X, y, questions, changes(y) - 1)
            yield at_least("errors of the best tree with one split less ≥ 1", fewer, 1)


@on_a_line.trace("the sequence 0 0 1 1 0")
def a_short_line() -> Found:
    y, X = np.array([0, 0, 1, 1, 0]), np.arange(5)[:, None]
    inside = [total_impurity(y[:cut], 2) + total_impurity(y[cut:], 2) for cut in range(1, 5)]
    yield less_than("cut at the change after 2 < cut inside the first run", inside[1], inside[0])
    yield less_than("cut at the change after 4 < cut inside the second run", inside[3], inside[2])
    grown = grow_greedily(X, y, 2, threshold_questions(X))
    yield equal("splits = changes", len(grown.steps), 2)


@on_a_line.control(
    "Misclassification cannot be the impurity: its cuts tie, and for ten zeros, a 1 and a 0 greedy "
    "growth makes {left} splits, although the labels change only {right} times.",
)
def misclassification_wastes_cuts() -> Found:
    y = np.array([0] * 10 + [1, 0])
    X = np.arange(12)[:, None]
    grown = grow_greedily(X, y, 2, threshold_questions(X), criterion="misclassification", only_gains=False)
    yield equal("splits = changes", len(grown.steps), changes(y))


@on_a_line.control(
    "It holds for thresholds only: with balls as questions the labels $0\\,1\\,0$ need {left} split, "
    "although they change {right} times.",
    story=True,
)
def one_ball_for_two_changes() -> Found:
    y, X = np.array([0, 1, 0]), np.arange(3)[:, None]
    grown = grow_greedily(X, y, 2, [*threshold_questions(X), Ball(X[1], Fraction(1, 4))])
    yield equal("splits until no error is left = changes", len(grown.steps), changes(y))


hard = Claim(
    "prp-greedy-trees-can-be-suboptimal",
    "existence",
    "exact",
    source=("mohri2018", "lecture13", "hyafil-rivest1976"),
    where="§9.3.3; §1.2.2; the fewest questions on average",
    implements=(grow_greedily, fewest_errors),
    no_extremal="an existence statement",
    no_trace="the sample is the proof",
    no_formula="an existence statement, and a quotation",
)


@hard.check("eight points on which the greedy tree with three splits errs, and the best with three does not")
def greedy_misses_the_best(rng: np.random.Generator) -> Found:
    X, y = eight_points()
    questions = threshold_questions(X)
    grown = grow_greedily(X, y, 2, questions, max_splits=3, only_gains=False)
    best = fewest_errors(X, y, questions, 3)
    yield equal("points = 8", len(y), 8)
    yield equal("errors of the best tree with three splits = 0", best, 0)
    yield less_than("errors of the best tree < errors of the greedy tree", best, grown.n_errors(y))


def eight_points() -> tuple[Array, Labels]:
    """XOR of two bits, each point twice, with a third bit that is right on six of the eight."""
    X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]])
    return X, X[:, 0] ^ X[:, 1]


@hard.check("every labelling of the three bits' eight points: on how many greedy growth errs more than the best tree")
def suboptimal_labellings(rng: np.random.Generator) -> Found:
    X, _ = parity_cube(3, 3)
    questions = threshold_questions(X)
    # Turned around, a labelling is as hard.
    labellings = [np.array([0, *rest]) for rest in itertools.product((0, 1), repeat=7)]
    for n_splits, n_missed in ((1, 0), (2, 9), (3, 21)):
        trees = [grow_greedily(X, y, 2, questions, max_splits=n_splits, only_gains=False) for y in labellings]
        lost = [
            tree.n_errors(y) - fewest_errors(X, y, questions, n_splits)
            for tree, y in zip(trees, labellings, strict=True)
        ]
        yield at_least("errors of the greedy tree ≥ errors of the best", min(lost), 0, at=f"{n_splits} splits")
        yield equal(
            f"labellings with more errors = {n_missed}", sum(map(bool, lost)), n_missed, at=f"{n_splits} splits"
        )


@hard.control(
    "Two bits are not enough: without the third, three splits tell all points apart, and the best tree makes {left} "
    "errors and the greedy one {right}.",
)
def without_the_third_bit() -> Found:
    X, y = eight_points()
    questions = threshold_questions(X[:, :2])
    grown = grow_greedily(X[:, :2], y, 2, questions, max_splits=3, only_gains=False)
    best = fewest_errors(X[:, :2], y, questions, 3)
    yield less_than("errors of the best tree < errors of the greedy tree", best, grown.n_errors(y))


ahead = Claim(
    "prp-look-ahead-solves-xor",
    "existence",
    "exact",
    source="lecture13",
    where="Remark 7",
    implements=least_impurity,
    no_extremal="an existence statement",
    no_trace="two numbers on four points",
    no_formula="an existence statement",
)


@ahead.check("the four points of XOR, with Gini impurity and misclassification")
def two_levels_solve_xor(rng: np.random.Generator) -> Found:
    X, y = parity_cube(2, 2)
    for criterion in ("gini", "misclassification"):
        now, one, two = (least_impurity(X, y, 2, threshold_questions(X), d, criterion) for d in range(3))
        yield equal("least impurity with one question = impurity with none", one, now, at=criterion)
        yield equal("least impurity with two levels = 0", two, 0, at=criterion)


@ahead.control(
    "Looking one split ahead is not enough: after one question the total Gini impurity of the four "
    "points of XOR is at least {left}, not {right}.",
)
def one_level_is_too_few() -> Found:
    X, y = parity_cube(2, 2)
    yield equal("least impurity with one question = 0", least_impurity(X, y, 2, threshold_questions(X), 1), 0)


unbounded = Claim(
    "thm-no-look-ahead-is-enough",
    "existence",
    "exact",
    source="lecture13",
    where="well known for parity, made exact here; Remark 7 there has two levels",
    implements=(least_impurity, grow_greedily),
    no_extremal="both parts are equalities",
    no_formula="exact values at given depths; the error of part (b) is compared with one half minus β",
)


def sums_of_bits(n_relevant: int, n_bits: int) -> list[Halfspace]:
    """The oblique questions on the sum of the first bits."""
    normal = np.array([1] * n_relevant + [0] * (n_bits - n_relevant))
    return [Halfspace(normal, Fraction(2 * s + 1, 2)) for s in range(n_relevant)]


@unbounded.check("parity of d of n bits, n to 4: the least impurity at every depth")
def parity_hides_until_the_end(rng: np.random.Generator) -> Found:
    for n in (2, 3, 4):
        for d in range(2, n + 1):
            X, y = parity_cube(d, n)
            for depth, criterion in itertools.product(range(d), ("gini", "misclassification")):
                found = least_impurity(X, y, 2, threshold_questions(X), depth, criterion)
                yield equal(
                    "least impurity = impurity of the root",
                    found,
                    Fraction(2**n, 2),
                    at=f"depth {depth}, d = {d}, n = {n}",
                )
            for asked in itertools.product((None, 0, 1), repeat=n):
                inside = [all(a in (None, x) for a, x in zip(asked, row, strict=True)) for row in X.tolist()]
                if any(a is None for a in asked[:d]):
                    yield equal(
                        "twice the ones in a cell with a free bit = its points", int(2 * y[inside].sum()), sum(inside)
                    )
            least = least_impurity(X, y, 2, threshold_questions(X), d)
            yield equal("least impurity = 0", least, 0, at=f"depth {d}, n = {n}")


@unbounded.check(
    "all three impurities of every cell that bits can cut from the cube: the root's, until d bits are fixed"
)
def impurities_of_cells(rng: np.random.Generator) -> Found:
    for d, n in ((2, 3), (3, 4), (4, 4)):
        X, y = parity_cube(d, n)
        for asked in itertools.product((None, 0, 1), repeat=n):
            inside = [all(a in (None, x) for a, x in zip(asked, row, strict=True)) for row in X.tolist()]
            counts = np.bincount(y[inside], minlength=2)
            for name, measure in IMPURITIES.items():
                wanted = measure(np.bincount(y)) if None in asked[:d] else 0
                yield equal(f"{name} of a cell = {name} of the root, or 0", measure(counts), wanted)


@unbounded.check("oblique questions on the sum of the d bits: depth ⌈log₂(d + 1)⌉ is enough")
def sums_are_halved(rng: np.random.Generator) -> Found:
    for d, n in ((1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)):
        X, y = parity_cube(d, n)
        depth = d.bit_length()
        least = least_impurity(X, y, 2, sums_of_bits(d, n), depth)
        yield equal("least impurity = 0", least, 0, at=f"depth {depth}, d = {d}")


@unbounded.check(
    "the helpful bit for β = 1/4, 1/10, 2/5 and both impurities: greedy error, and a tree with four leaves"
)
def greedy_stops_early(rng: np.random.Generator) -> Found:
    for beta in (Fraction(1, 4), Fraction(1, 10), Fraction(2, 5)):
        X, y = helpful_bit(beta)
        for criterion in ("gini", "misclassification"):
            grown = grow_greedily(X, y, 2, threshold_questions(X), criterion=criterion)
            yield equal(
                "greedy error = 1/2 − β", Fraction(grown.n_errors(y), len(y)), Fraction(1, 2) - beta, at=f"β = {beta}"
            )
        yield equal("errors of the best tree with three splits = 0", fewest_errors(X, y, threshold_questions(X), 3), 0)


@unbounded.check("the helpful bit by entropy: the same error, as no further bit changes the proportions in a leaf")
def greedy_stops_early_by_entropy(rng: np.random.Generator) -> Found:
    for beta in (Fraction(1, 4), Fraction(1, 10), Fraction(2, 5)):
        X, y = helpful_bit(beta)
        tree = grow_tree(X, y, 2, criterion="entropy", growth="largest-decrease", min_impurity_decrease=1e-9)
        errors = len(y) - int(tree.value[tree.is_leaf].max(axis=1).sum())
        yield equal(
            "greedy error by entropy = 1/2 − β", Fraction(errors, len(y)), Fraction(1, 2) - beta, at=f"β = {beta}"
        )
        for value, bit in itertools.product((0, 1), repeat=2):
            leaf = X[:, 2] == value
            for j in (0, 1):
                ones, points = int(y[leaf & (X[:, j] == bit)].sum()), int((leaf & (X[:, j] == bit)).sum())
                share = Fraction(int(y[leaf].sum()), int(leaf.sum()))
                yield equal("share of ones after a further bit = share before", Fraction(ones, points), share)


@unbounded.trace("parity of three bits, level by level")
def parity_of_three() -> Found:
    X, y = parity_cube(3, 3)
    for depth, value in enumerate((4, 4, 4, 0)):
        found = least_impurity(X, y, 2, threshold_questions(X), depth)
        yield equal(f"least total impurity = {value}", found, value, at=f"depth {depth}")


@unbounded.control(
    "One level less is too little: at depth three the parity of four bits still has the total impurity "
    "{left}, not {right}.",
    story=True,
)
def one_level_less() -> Found:
    X, y = parity_cube(4, 4)
    yield equal("least impurity = 0", least_impurity(X, y, 2, threshold_questions(X), 3), 0, at="depth 3")


@unbounded.control(
    "Each question has to ask for one bit: at depth one an oblique question leaves {left} of the total "
    "impurity of XOR, which is {right} at the root.",
    story=True,
)
def oblique_at_depth_one() -> Found:
    X, y = parity_cube(2, 2)
    yield equal(
        "least impurity = impurity of the root",
        least_impurity(X, y, 2, sums_of_bits(2, 2), 1),
        total_impurity(y, 2),
        at="depth 1",
    )


@unbounded.control(
    "Each question has to ask for one bit: with oblique questions the parity of three bits has at depth "
    "two the total impurity {left}, not that of the root, {right}.",
)
def oblique_at_depth_two() -> Found:
    X, y = parity_cube(3, 3)
    yield equal(
        "least impurity = impurity of the root",
        least_impurity(X, y, 2, sums_of_bits(3, 3), 2),
        total_impurity(y, 2),
        at="depth 2",
    )
