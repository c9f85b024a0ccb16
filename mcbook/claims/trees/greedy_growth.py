"""Questions, greedy growth, and what it misses."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, equal, holds
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Labels
from mcbook.trees import (
    Halfspace,
    Node,
    Threshold,
    ball_of_halfspace,
    grow_greedily,
    grow_tree,
    leaves_of,
    parity_cube,
    threshold_questions,
)
from mcbook.trees.algorithm.greedy import best_step, n_errors, total_impurity
from mcbook.trees.algorithm.questions import Ball, Question
from mcbook.trees.instances import helpful_bit, two_leaves

Found = Iterator[Evidence]


def whole_points(rng: np.random.Generator, n_points: int, n_features: int, largest: int = 9) -> Array:
    """Points with whole coordinates, as Python's ints."""
    return rng.integers(0, largest + 1, (n_points, n_features)).astype(object)


partition = Claim(
    "prp-tree-cells",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="Definition 9.5; Definition 1.1, Examples 1.2–1.3",
    errata=("E46", "E57"),
    implements=Node,
    no_extremal="a partition has no slack",
    no_trace="it is the definition run down a tree",
    no_formula="a definition, and the convexity of an intersection",
)


def random_tree(rng: np.random.Generator, X: Array, kinds: tuple[str, ...]) -> Node:
    """A tree with four random questions of these kinds."""
    root = Node(np.arange(len(X)))
    for _ in range(4):
        leaf = root.leaves()[int(rng.integers(len(root.leaves())))]
        kind, a = kinds[int(rng.integers(len(kinds)))], X[int(rng.integers(len(X)))]
        if kind == "threshold":
            j = int(rng.integers(X.shape[1]))
            question: Question = Threshold(j, a[j])
        elif kind == "oblique":
            normal = rng.integers(-3, 4, X.shape[1]).astype(object)
            question = Halfspace(normal, int(normal @ a))
        else:
            question = Ball(a, int(rng.integers(1, 30)))
        leaf.split(question, X)
    return root


@partition.check("random trees with thresholds, half-spaces and balls: every point is in the one leaf that it reaches")
def one_leaf_for_every_point(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X = whole_points(rng, 20, 3)
        root = random_tree(rng, X, ("threshold", "oblique", "ball"))
        held = np.concatenate([leaf.examples for leaf in root.leaves()])
        yield equal("examples in the leaves = examples", len(held), len(X))
        in_own = sum(i in root.leaf_of(X[i]).examples for i in range(len(X)))
        yield equal("examples that reach the leaf which holds them = examples", in_own, len(X))


@partition.check("trees with linear questions: the middle of two points of a cell reaches the same leaf")
def linear_cells_are_convex(rng: np.random.Generator) -> Found:
    for _ in range(25):
        X = whole_points(rng, 14, 3)
        root = random_tree(rng, X, ("threshold", "oblique"))
        for leaf in root.leaves():
            for a, b in itertools.combinations(leaf.examples[:5], 2):
                middle = np.array([Fraction(p + q, 2) for p, q in zip(X[a], X[b], strict=True)], dtype=object)
                yield holds("the middle stays in the cell", root.leaf_of(middle) is leaf, Tier.EXACT)


@partition.control(
    "With balls for questions a cell need not be convex: the middle of two points outside of a ball can lie inside.",
)
def outside_of_a_ball() -> Found:
    X = np.array([[0, 0], [-2, 0], [2, 0]], dtype=object)
    root = Node(np.arange(3))
    root.split(Ball(X[0], 1), X)
    outside = root.leaf_of(X[1])
    yield holds("the middle of two points outside is outside", root.leaf_of(X[0]) is outside, Tier.EXACT)


richer = Claim(
    "prp-richer-questions-richer-partitions",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Remark 2",
    implements=ball_of_halfspace,
    no_extremal="the inclusions are of sets; that they are strict is part of the check",
    no_trace="three short constructions, run by the check",
    no_formula="inclusions of sets of dichotomies",
)


@richer.check(
    "every stump and random half-spaces, on random whole points: one question of the richer kind does the same"
)
def each_kind_holds_the_poorer(rng: np.random.Generator) -> Found:
    for _ in range(12):
        X = whole_points(rng, 9, 2)
        for stump in threshold_questions(X):
            flat = Halfspace(np.eye(2, dtype=object)[stump.feature].astype(object), stump.value)
            same = (flat.left(X) == stump.left(X)).all() and (ball_of_halfspace(flat, X).left(X) == stump.left(X)).all()
            yield holds("a half-space and a ball split as the stump does", bool(same), Tier.EXACT)
        for _ in range(6):
            normal = rng.integers(-4, 5, 2).astype(object)
            if not normal.any():
                continue
            flat = Halfspace(normal, int(normal @ X[int(rng.integers(len(X)))]))
            same = (ball_of_halfspace(flat, X).left(X) == flat.left(X)).all()
            yield holds("a ball splits as the half-space does", bool(same), Tier.EXACT)


def centred_square() -> Array:
    """The corners of the unit square, two opposite pairs, and its centre."""
    half = Fraction(1, 2)
    return np.array([[0, 0], [1, 1], [0, 1], [1, 0], [half, half]], dtype=object)


def dichotomies_by(questions: Iterable[Question], X: Array) -> set[frozenset[int]]:
    """The dichotomies that the questions make, each as its side without the last point."""
    sides = [question.left(X) for question in questions]
    return {frozenset(np.flatnonzero(side != side[-1]).tolist()) for side in sides}


@richer.check("the corners of the unit square and its centre: 5, 9 and 14 of the 16 dichotomies, so both are strict")
def strictly_richer(rng: np.random.Generator) -> Found:
    X = centred_square()
    grid = [Fraction(n, 4) for n in range(-2, 7)]
    empty: Question = Ball(X[4], -1)
    stumps = dichotomies_by([empty, *threshold_questions(X)], X)
    normals = [np.array(normal, dtype=object) for normal in itertools.product(range(-2, 3), repeat=2)]
    oblique = dichotomies_by((Halfspace(w, b) for w in normals for b in (X @ w).tolist()), X) | stumps
    centres = [np.array(centre, dtype=object) for centre in itertools.product(grid, repeat=2)]
    inside = dichotomies_by((Ball(z, r) for z in centres for r in ((X - z) ** 2).sum(axis=1).tolist()), X) | oblique
    yield holds("each kind makes all that the poorer one makes, and more", stumps < oblique < inside, Tier.EXACT)
    for kind, found, n in (("thresholds", stumps, 5), ("oblique questions", oblique, 9), ("balls", inside, 14)):
        yield equal(f"dichotomies by {kind} = {n}", len(found), n)
    # The centre is the middle of both diagonals, and of their ends the squared distances have equal sums.
    diagonals = {frozenset({0, 1}), frozenset({2, 3})}
    every = {frozenset(some) for n in range(5) for some in itertools.combinations(range(4), n)}
    whole = {apart for apart in every if any(diagonal <= apart for diagonal in diagonals)}
    yield holds(
        "no half-space cuts both ends of a diagonal from the centre, others do all else",
        oblique == every - whole,
        Tier.EXACT,
    )
    yield holds(
        "no ball divides one diagonal from the other, others do all else", inside == every - diagonals, Tier.EXACT
    )


@richer.control(
    "The ball has to be large: with half the radius it holds {left} of the four corners of the square, "
    "and the half-space holds {right}.",
)
def too_small_a_ball() -> Found:
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=object)
    flat = Halfspace(np.array([1, 1], dtype=object), Fraction(3, 2))
    ball = ball_of_halfspace(flat, square)
    small = Ball(ball.centre, ball.squared_radius / 4)
    yield equal("points inside = points in the half-space", int(small.left(square).sum()), int(flat.left(square).sum()))


full = Claim(
    "prp-fully-grown-trees",
    "equivalence",
    "exact",
    source="mohri2018",
    where="§9.3.3",
    implements=grow_tree,
    no_extremal="an equivalence has no slack",
    no_trace="the proof is one sentence on a leaf that is impure",
    no_formula="an equivalence of two conditions on a sample",
)


def errors_of_full_tree(X: Array, y: Labels, k: int, least_gain: float = 0.0) -> int:
    tree = grow_tree(X, y, k, min_impurity_decrease=least_gain)
    return int((tree.value[leaves_of(tree, X)].argmax(axis=1) != y).sum())


@full.check("random samples with and without equal points: the errors are those that equal points force")
def errors_are_those_of_equal_points(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k, m = int(rng.integers(2, 5)), int(rng.integers(3, 40))
        X, y = rng.integers(0, 4, (m, 2)).astype(float), rng.integers(0, k, m)
        _, cell = np.unique(X, axis=0, return_inverse=True)
        forced = sum(n_errors(y[cell.ravel() == c]) for c in range(cell.max() + 1))
        yield equal("errors of the full tree = errors that equal points force", errors_of_full_tree(X, y, k), forced)


@full.control(
    "Splits that gain nothing have to be allowed: if each split must gain, the full tree makes {left} "
    "errors on the four points of XOR, not {right}.",
)
def full_with_gains_only() -> Found:
    X, y = parity_cube(2, 2)
    yield equal(
        "errors of the full tree = errors that equal points force", errors_of_full_tree(X, y, 2, least_gain=1e-9), 0
    )


greedy = Claim(
    "alg-greedy-tree",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="Figure 9.3; Algorithm 1, Definition 1.5",
    errata=("E19", "E46"),
    implements=grow_greedily,
    no_extremal="an identity",
    no_formula="an algorithm; its decrease is compared step by step",
)


@greedy.check("random samples: each step lowers the total by |n| times its gain, and no leaf and question by more")
def each_step_lowers_the_total(rng: np.random.Generator) -> Found:
    for _ in range(12):
        X, y = rng.integers(0, 6, (18, 2)), rng.integers(0, 3, 18)
        questions = threshold_questions(X)
        for n_splits in range(3):
            grown = grow_greedily(X, y, 3, questions, max_splits=n_splits)
            on = grow_greedily(X, y, 3, questions, max_splits=n_splits + 1)
            if len(on.steps) <= n_splits:
                continue
            step = on.steps[-1]
            yield equal("fall of the total = |n| times the gain", on.totals[-2] - on.totals[-1], step.size * step.gain)
            offers = [best_step(X, y, 3, leaf, questions) for leaf in grown.root.leaves()]
            most = max(offer.decrease for offer in offers if offer is not None)
            yield equal("decrease = the most that any leaf offers", step.decrease, most)


@greedy.check("random samples with one or two labels of another class: growth goes on until no leaf's question gains")
def growth_stops_where_nothing_gains(rng: np.random.Generator) -> Found:
    for n_other in (1, 2) * 4:
        X, y = rng.integers(0, 9, (40, 2)), (rng.permutation(40) < n_other).astype(int)
        questions = threshold_questions(X)
        leaves = grow_greedily(X, y, 2, questions).root.leaves()
        offers = [step for leaf in leaves if (step := best_step(X, y, 2, leaf, questions)) is not None]
        yield equal("most that a leaf still offers = 0", max((step.decrease for step in offers), default=0), 0)


@greedy.check("the compiled growth makes the same leaves, on random samples without ties")
def compiled_growth_is_the_same(rng: np.random.Generator) -> Found:
    compared = 0
    while compared < 6:
        X, y = np.argsort(rng.random((2, 14)), axis=1).T, rng.integers(0, 3, 14)
        grown = grow_greedily(X, y, 3, threshold_questions(X), max_splits=2)
        offers = [_offers(X, y, node) for node in (grown.root, *(grown.root.children or ()))]
        best = [found[0] for found in offers[1:] if found]
        tied = any(len(found) > 1 and found[0] == found[1] for found in offers)
        if tied or len(grown.steps) < 2 or len(set(best)) < len(best):
            continue
        compared += 1
        leaf = leaves_of(grow_tree(X, y, 3, growth="largest-decrease", max_leaf_nodes=3), X)
        ours = {frozenset(node.examples.tolist()) for node in grown.root.leaves()}
        theirs = {frozenset(np.flatnonzero(leaf == number).tolist()) for number in np.unique(leaf)}
        yield holds("the same leaves", ours == theirs, Tier.EXACT)


def _offers(X: Array, y: Labels, node: Node) -> list[Fraction]:
    """What every question would lower the total by, the best first."""
    here = node.examples
    whole = total_impurity(y[here], 3)
    sides = [question.left(X[here]) for question in threshold_questions(X[here])]
    parts = [total_impurity(y[here][left], 3) + total_impurity(y[here][~left], 3) for left in sides]
    return sorted((whole - part for part in parts), reverse=True)


@greedy.trace("XOR of two bits with a third that helps, step by step")
def growth_on_the_helpful_bit() -> Found:
    X, y = helpful_bit(Fraction(1, 4))
    grown = grow_greedily(X, y, 2, threshold_questions(X))
    yield equal("total impurity at the root = 16 times 1/2", grown.totals[0], 8)
    for n, step in enumerate(grown.steps):
        yield equal(
            "fall of the total = |n| times the gain",
            grown.totals[n] - grown.totals[n + 1],
            step.size * step.gain,
            at=f"split {n + 1}",
        )
    yield equal("errors at the end = 16 (1/2 - 1/4)", grown.n_errors(y), 4)


@greedy.control(
    "The gain has to be weighted by the size of the leaf: chosen by the gain alone, the next split "
    "lowers the total impurity by {left}, where {right} could be had."
)
def gain_without_the_size() -> Found:
    X, y = two_leaves()
    root = Node(np.arange(len(y)))
    root.split(Threshold(0, Fraction(1, 2)), X)
    questions = [Threshold(1, Fraction(1, 2))]
    most = max(step.decrease for leaf in root.leaves() if (step := best_step(X, y, 2, leaf, questions)) is not None)
    grown = grow_greedily(X, y, 2, questions, by_size=False, max_splits=1, start=root)
    yield equal("decrease = the most that any leaf offers", grown.steps[0].decrease, most)
