"""Regression, missing features, instability, and how rich trees are."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Labels
from mcbook.trees import (
    Node,
    Threshold,
    fewest_errors,
    grow_greedily,
    label_of,
    labellings_at_most,
    leaves_of,
    threshold_questions,
    variance_decrease,
    vc_at_least,
    vc_at_most,
    vc_of_boolean_stumps,
    with_surrogates,
)
from mcbook.trees.algorithm.greedy import best_step, total_impurity
from mcbook.trees.kernels.shattering import shattered

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


@missing.check(
    "random samples with four features: every pattern of missing ones gets a label; with none missing the tree's"
)
def every_pattern_has_a_label(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = rng.normal(size=(40, 4)), rng.integers(0, 3, 40)
        X[:, 1] = X[:, 0] + 0.3 * rng.normal(size=40)
        model = with_surrogates(X, y, 3, max_depth=4)
        labels = model.tree.value[leaves_of(model.tree, X)].argmax(axis=1)
        for x, label in zip(X[:8], labels[:8], strict=True):
            yield equal("label with nothing missing = label by the tree", label_of(model, x), int(label))
            found = {label_of(model, np.where(gone, np.nan, x)) for gone in itertools.product((False, True), repeat=4)}
            yield holds("a label for each of sixteen patterns", found <= {0, 1, 2}, Tier.EXACT)


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


richness = Claim(
    "thm-vc-dimension-of-trees",
    "growth rate",
    "exact",
    source=("mohri2018", "lecture13"),
    where="Exercise 9.5; Remark 7",
    errata=("E21",),
    implements=(vc_of_boolean_stumps, vc_at_least, vc_at_most, labellings_at_most),
    formula=(
        Formula("eq-vc-boolean-stumps", vc_of_boolean_stumps),
        Formula("eq-vc-at-least", vc_at_least, where="a<d"),
        Formula("eq-tree-labellings", labellings_at_most),
    ),
    symbols=(
        Reading("a", "count", arguments={"n_levels": "a"}),
        Reading("n", "count", arguments={"n_questions": "n"}),
        Reading("m", "count", arguments={"n_points": "m"}),
    ),
)


def boolean_stumps_shatter(n_points: int, n_features: int) -> bool:
    """Whether some points of {0, 1}^d get every labelling from one question; features are columns, up to complement."""
    columns = [column for column in itertools.product((0, 1), repeat=n_points) if column[0] == 0 and any(column)]
    needed = len(columns)
    return any(len(set(chosen)) == needed for chosen in itertools.combinations_with_replacement(columns, n_features))


@richness.check("one question on d binary features, d to 4 and d = 7: all sets of points")
def boolean_stumps(rng: np.random.Generator) -> Found:
    for d in (1, 2, 3, 4):
        largest = max(m for m in range(1, 5) if boolean_stumps_shatter(m, d))
        yield equal("most points shattered = ⌊log₂(d + 1)⌋ + 1", largest, vc_of_boolean_stumps(d), at=f"d = {d}")
    yield holds("seven features shatter four points", boolean_stumps_shatter(4, 7), Tier.EXACT)
    yield equal("⌊log₂ 8⌋ + 1 = 4", vc_of_boolean_stumps(7), 4)


def addressed_points(n_levels: int, n_features: int) -> Array:
    """For each address in the first a bits a group of points that one question on the other bits shatters."""
    rest = n_features - n_levels
    size = vc_of_boolean_stumps(rest)
    columns = [c for c in itertools.product((0, 1), repeat=size) if c[0] == 0 and any(c)][:rest]
    group = np.array(columns + [(0,) * size] * (rest - len(columns))).T
    return np.array([[*address, *x] for address in itertools.product((0, 1), repeat=n_levels) for x in group])


def are_shattered(X: Array, n_questions: int) -> bool:
    """Whether trees with so many thresholds give the points every labelling; turned around, a labelling is as easy."""
    questions = threshold_questions(X)
    labellings = itertools.product((0, 1), repeat=len(X) - 1)
    return all(fewest_errors(X, np.array([0, *rest]), questions, n_questions) == 0 for rest in labellings)


@richness.check("2^(a + 1) − 1 questions on d binary features: the points with addresses get every labelling")
def groups_with_addresses(rng: np.random.Generator) -> Found:
    for a, d in ((0, 3), (1, 2), (1, 3), (1, 4), (2, 3)):
        X = addressed_points(a, d)
        yield equal("points = 2^a (⌊log₂(d − a + 1)⌋ + 1)", len(X), vc_at_least(a, d), at=f"a = {a}, d = {d}")
        yield holds("trees give them every labelling", are_shattered(X, 2 ** (a + 1) - 1), Tier.EXACT)


@richness.check(
    "shapes, features, sizes and labels counted one question after another, and true labellings of few points"
)
def labellings_are_counted(rng: np.random.Generator) -> Found:
    @functools.cache
    def trees(n: int, m: int, d: int) -> int:
        """Of n questions on d features, by the number of questions and points on the left of the first."""
        below = (trees(i, s, d) * trees(n - 1 - i, m - s, d) for i in range(n) for s in range(m + 1))
        return d * sum(below) if n else 2

    for n, m, d in itertools.product((1, 2, 3, 4), (1, 4, 7), (1, 2, 3)):
        yield equal("trees = the bound", trees(n, m, d), labellings_at_most(m, n, d), at=f"n = {n}, m = {m}, d = {d}")
    for n, m in ((1, 5), (2, 6), (3, 7)):
        X = np.stack([np.arange(m), rng.permutation(m)], axis=1)
        labels = (np.array([0, *rest]) for rest in itertools.product((0, 1), repeat=m - 1))
        found = 2 * sum(fewest_errors(X, y, threshold_questions(X), n) == 0 for y in labels)
        yield at_most("labellings ≤ the bound", found, labellings_at_most(m, n, 2), at=f"n = {n}, m = {m}")


@richness.check("n thresholds on a line: every labelling of n + 1 points, and none with n + 1 changes")
def thresholds_on_a_line(rng: np.random.Generator) -> Found:
    for n in range(1, 7):
        most = max(sum(a != b for a, b in itertools.pairwise(w)) for w in itertools.product((0, 1), repeat=n + 1))
        yield at_most("changes among n + 1 points ≤ n", most, n)
        alternating = sum(i % 2 != (i + 1) % 2 for i in range(n + 1))
        yield at_least("changes of an alternating labelling of n + 2 points ≥ n + 1", alternating, n + 1)
        yield at_most("VC-dimension n + 1 ≤ the counted bound", n + 1, vc_at_most(n, 1))


def shattered_orders(n_questions: int) -> list[int]:
    """How many orders of 1, 2, ... points of the plane are shattered, until none is; each extends one that is."""
    level: list[tuple[int, ...]] = [()]
    found: list[int] = []
    while level:
        m = len(found)
        longer = [(*(h + (h >= top) for h in order), top) for order in level for top in range(m + 1)]
        level = [order for order in longer if shattered(np.array(order), n_questions)]
        found.append(len(level))
    return found[:-1]


@richness.check("trees in the plane with one, two and three questions: all orders of points, up to the first that fail")
def trees_in_the_plane(rng: np.random.Generator) -> Found:
    for n, dimension in ((1, 3), (2, 5), (3, 8)):
        found = shattered_orders(n)
        yield equal(f"VC-dimension = {dimension}", len(found), dimension, at=f"n = {n}")
        yield at_most("VC-dimension ≤ the counted bound", len(found), vc_at_most(n, 2))
    yield equal("orders of eight points that three questions shatter = 34", found[-1], 34)


@richness.extremal("boolean stumps attain the bound by their number: ⌊log₂(2d + 2)⌋ for every d")
def as_many_as_their_number_allows() -> Found:
    for d in (1, 2, 3, 7, 15, 100):
        yield equal(
            "⌊log₂(d + 1)⌋ + 1 = ⌊log₂(2d + 2)⌋", vc_of_boolean_stumps(d), (2 * d + 2).bit_length() - 1, at=f"d = {d}"
        )
    for d in (1, 2, 3):
        most = max(m for m in range(1, 5) if boolean_stumps_shatter(m, d))
        yield at_least("points shattered ≥ ⌊log₂(d + 1)⌋ + 1", most, vc_at_least(0, d), at=f"d = {d}", statement=True)


@richness.trace("five points of the plane and two questions")
def counting_five_points() -> Found:
    labellings = sum(1 for _ in itertools.product((0, 1), repeat=5))
    yield at_most("labellings of five points ≤ Cat(2) 2² C(7, 2) 2³", labellings, labellings_at_most(5, 2, 2))
    m = vc_at_most(2, 2)
    yield at_least(
        "labellings allowed of the most points m that the bound permits ≥ 2^m", labellings_at_most(m, 2, 2), 2**m
    )
    yield at_most(
        "labellings allowed of m + 1 points ≤ 2^(m + 1) − 1", labellings_at_most(m + 1, 2, 2), 2 ** (m + 1) - 1
    )


@richness.control(
    "The condition $d\\ge2$ is needed: with a single feature $n\\log d$ is {right}, and yet one question "
    "shatters {left} points."
)
def one_feature() -> Found:
    yield at_most("VC-dimension of a stump on one feature ≤ n log₂ d", vc_of_boolean_stumps(1), 0)


@richness.control(
    "The address takes a feature of its own: if it took none, three questions on three binary features "
    "would shatter {right} points, and they shatter only {left}.",
)
def addresses_for_nothing() -> Found:
    cube = np.array(list(itertools.product((0, 1), repeat=3)))
    most = max(
        m for m in range(1, 7) if any(are_shattered(cube[list(s)], 3) for s in itertools.combinations(range(8), m))
    )
    yield at_least("points shattered ≥ 2 (⌊log₂ 4⌋ + 1)", most, 2 * vc_of_boolean_stumps(3))
