"""Regression, missing features, and instability."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Labels
from mcbook.trees import (
    Node,
    Threshold,
    grow_greedily,
    label_of,
    leaves_of,
    threshold_questions,
    variance_decrease,
    with_surrogates,
)
from mcbook.trees.algorithm.greedy import best_step, total_impurity
from mcbook.trees.algorithm.surrogates import Surrogate, SurrogateTree

Found = Iterator[Evidence]

regression = Claim(
    "prp-regression-trees",
    "identity",
    "exact",
    source="mohri2018",
    where="footnote 14",
    errata=("E25",),
    implements=variance_decrease,
    no_extremal="an identity",
    formula=Formula("eq-variance-decrease", variance_decrease),
    symbols=(
        Reading(r"\eta", "probability", arguments={"share_left": r"\eta"}),
        Reading(r"\mu_+", "real", arguments={"mean_left": r"\mu_+"}),
        Reading(r"\mu_-", "real", arguments={"mean_right": r"\mu_-"}),
    ),
)


def variance(values: Array) -> Fraction:
    mean = Fraction(sum(values.tolist())) / len(values)
    return sum(((Fraction(v) - mean) ** 2 for v in values.tolist()), Fraction(0)) / len(values)


def parts_of(rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
    for _ in range(60):
        values = rng.integers(-9, 10, int(rng.integers(2, 12)))
        cut = int(rng.integers(1, len(values)))
        yield values[:cut], values[cut:]


def mean_of(values: Array) -> Fraction:
    return Fraction(int(values.sum()), len(values))


@regression.check("random integer targets: variance less what the children keep")
def variance_falls_by_the_product(rng: np.random.Generator) -> Found:
    for left, right in parts_of(rng):
        both = np.concatenate([left, right])
        share = Fraction(len(left), len(both))
        kept = share * variance(left) + (1 - share) * variance(right)
        fall = variance_decrease(share, mean_of(left), mean_of(right))
        yield equal("fall of the variance = η₊η₋(μ₊ − μ₋)²", variance(both) - kept, fall)


@regression.check("the mean is the best constant: its squared error against that of other fractions")
def mean_is_best(rng: np.random.Generator) -> Found:
    for left, right in parts_of(rng):
        values = np.concatenate([left, right])
        other = mean_of(values) + Fraction(int(rng.integers(-20, 21)), 7)
        error = sum(((Fraction(int(v)) - other) ** 2 for v in values), Fraction(0)) / len(values)
        yield at_least("squared error of another constant ≥ the variance", error, variance(values))


@regression.trace("targets 0, 0, 6 cut before the 6")
def three_targets() -> Found:
    yield equal("variance of 0, 0, 6 = 8", variance(np.array([0, 0, 6])), 8)
    yield equal("variance that the children keep = 0", variance(np.array([0, 0])) + variance(np.array([6])), 0)
    yield equal("η₊η₋(μ₊ − μ₋)² = 8", variance_decrease(Fraction(2, 3), 0, 6), 8)


@regression.control(
    "The means are those of the targets, not of their squares: for the targets 0 and 2 on one side and "
    "2 on the other the variance falls by {left}, and means of squares would give {right}.",
)
def means_of_squares() -> Found:
    left, right = np.array([0, 2]), np.array([2])
    share = Fraction(2, 3)
    kept = share * variance(left) + (1 - share) * variance(right)
    fall = variance_decrease(share, mean_of(left**2), mean_of(right**2))
    yield equal("fall of the variance = η₊η₋(μ₊ − μ₋)²", variance(np.array([0, 2, 2])) - kept, fall)


missing = Claim(
    "prp-missing-features",
    "existence",
    "exact",
    source="mohri2018",
    where="§9.3.3",
    implements=(with_surrogates, label_of),
    no_extremal="an existence statement",
    no_trace="the way down is the proof",
    no_formula="an existence statement",
)


def correlated_sample(rng: np.random.Generator) -> tuple[Array, Labels]:
    """Four features: the second follows the first, the third is the first turned around with more noise."""
    X = rng.normal(size=(40, 4))
    X[:, 1], X[:, 2] = X[:, 0] + 0.3 * X[:, 1], 0.6 * X[:, 2] - X[:, 0]
    return X, np.asarray((X[:, 0] > 0) + rng.integers(0, 2, 40))


def most_agreement(column: Array, goes_left: Array) -> int:
    """On how many examples a question on this column, turned around or not, can agree; or going with most of them."""
    agree = [int(((column <= value) == goes_left).sum()) for value in [*column, -np.inf]]
    return max(*agree, *(len(column) - n for n in agree))


@missing.check("random samples: the surrogates of a node agree with its question as often as can be, the best first")
def surrogates_agree_most(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = correlated_sample(rng)
        model = with_surrogates(X, y, 3, max_depth=3)
        inside = {0: X}
        for node in range(model.tree.n_nodes):
            here, asked = inside[node], int(model.tree.feature[node])
            if asked < 0:
                continue
            goes_left = here[:, asked] <= model.tree.threshold[node]
            inside |= dict(zip(model.tree.children[node].tolist(), (here[goes_left], here[~goes_left]), strict=True))
            kept = {one.feature: one for one in model.surrogates[node]}
            agreements = [((here[:, j] <= t) != flipped) == goes_left for j, t, flipped, _ in model.surrogates[node]]
            counts = [int(agree.sum()) for agree in agreements]
            yield holds("the best is first", counts == sorted(counts, reverse=True), Tier.EXACT)
            majority = max(int(goes_left.sum()), int((~goes_left).sum()))
            for j in {0, 1, 2, 3} - {asked}:
                found = counts[list(kept).index(j)] if j in kept else majority
                yield equal("agreement = the most", found, most_agreement(here[:, j], goes_left), at=f"feature {j}")


def label_by_hand(model: SurrogateTree, x: Array) -> int:
    """The way down as the statement has it; the default is the side to which most examples went."""
    tree, node = model.tree, 0
    while tree.feature[node] >= 0:
        own = Surrogate(int(tree.feature[node]), float(tree.threshold[node]), False, 0)
        present = [one for one in (own, *model.surrogates[node]) if not np.isnan(x[one.feature])]
        left, right = tree.children[node].tolist()
        goes_left = tree.weight[left] >= tree.weight[right]
        if present:
            goes_left = (x[present[0].feature] <= present[0].threshold) != present[0].flipped
        node = left if goes_left else right
    return int(tree.value[node].argmax())


@missing.check("the same samples: the label of every point for each of the sixteen sets of missing features")
def every_pattern_has_a_label(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = correlated_sample(rng)
        model = with_surrogates(X, y, 3, max_depth=3)
        labels = model.tree.value[leaves_of(model.tree, X)].argmax(axis=1)
        for x, label in zip(X[:12], labels[:12], strict=True):
            yield equal("label with nothing missing = label by the tree", label_of(model, x), int(label))
            for gone in itertools.product((False, True), repeat=4):
                point = np.where(gone, np.nan, x)
                yield equal("label = label at the end of the way", label_of(model, point), label_by_hand(model, point))


@missing.check("a feature that has its mirror image in another may be missing: every label stays")
def mirror_images(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = correlated_sample(rng)
        X[:, 2] = -X[:, 0]
        model = with_surrogates(X, y, 3)
        for j in (0, 2):
            for x in X:
                without = np.where(np.arange(4) == j, np.nan, x)
                yield equal("label = label with nothing missing", label_of(model, without), label_of(model, x))


@missing.control(
    "Surrogate questions matter: for a point whose first feature is missing the default branch leads to "
    "the label {left}, and the surrogate question to the label {right}.",
)
def surrogates_taken_away() -> Found:
    X, y = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 9.0], [3.0, 8.0]]), np.array([0, 0, 1, 1])
    model = with_surrogates(X, y, 2)
    bare = model._replace(surrogates=[[] for _ in model.surrogates])
    x = np.array([np.nan, 8.5])
    yield equal("label by the default alone = label by the surrogate", label_of(bare, x), label_of(model, x))


instability = Claim(
    "prp-tree-instability",
    "existence",
    "exact",
    source="lecture13",
    where="Remarks 8–9",
    implements=grow_greedily,
    no_extremal="an existence statement; two samples cannot be nearer than one point",
    no_trace="the two trees are the proof",
    no_formula="an existence statement",
)


def unstable_pair() -> tuple[Array, Labels, Labels]:
    """Five points, and labels that differ at the second."""
    X = np.array([[3, 0], [1, 4], [4, 2], [0, 1], [2, 3]])
    return X, np.array([0, 1, 1, 1, 0]), np.array([0, 0, 1, 1, 0])


def questions_of(X: Array, y: Labels) -> list[Threshold]:
    root = grow_greedily(X, y, 2, threshold_questions(X), only_gains=False).root
    return [question for question in root.questions() if isinstance(question, Threshold)]


def leads(X: Array, y: Labels, node: Node) -> Iterator[Fraction]:
    """By how much the best question of each node beats the next."""
    if node.children is None:
        return
    here = node.examples
    step = best_step(X, y, 2, node, threshold_questions(X[here]))
    others = sorted(
        total_impurity(y[here][left], 2) + total_impurity(y[here][~left], 2)
        for question in threshold_questions(X[here])
        for left in [question.left(X[here])]
    )
    if step is not None and len(others) > 1:
        yield others[1] - others[0]
    for child in node.children:
        yield from leads(X, y, child)


@instability.check("five points: one changed label changes every question, and no tie is involved")
def one_label_changes_all(rng: np.random.Generator) -> Found:
    X, before, after = unstable_pair()
    yield equal("labels that differ = 1", int((before != after).sum()), 1)
    first, second = questions_of(X, before), questions_of(X, after)
    yield at_least("questions of the first tree ≥ 2", len(first), 2)
    yield equal("questions in both trees = 0", len(set(first) & set(second)), 0)
    features = {q.feature for q in first} & {q.feature for q in second}
    yield equal("features asked about in both trees = 0", len(features), 0)
    for y in (before, after):
        root = grow_greedily(X, y, 2, threshold_questions(X), only_gains=False).root
        for lead in leads(X, y, root):
            yield at_least("lead of a best question ≥ 1/10", lead, Fraction(1, 10))


@instability.control(
    "Not every changed label changes every question: with another label of the five changed, the number "
    "of questions in both trees is {left}, not {right}.",
)
def another_label() -> Found:
    X, before, _ = unstable_pair()
    after = before.copy()
    after[3] = 0
    shared = set(questions_of(X, before)) & set(questions_of(X, after))
    yield equal("questions in both trees = 0", len(shared), 0)
