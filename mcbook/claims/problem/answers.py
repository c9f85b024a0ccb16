"""The claims of the chapter on the problem: costs and hierarchies, and how many answers a task has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import probabilities_from_counts, random_probabilities
from mcbook.foundation.proof import Tier
from mcbook.problem import (
    answers,
    best_prediction,
    coherent_subsets,
    count_answers,
    count_coherent_subsets,
    expected_costs,
    one_hot,
    tree_distances,
    zero_one_costs,
)
from mcbook.problem.theory import Task

Found = Iterator[Evidence]

# --- costs and hierarchies -------------------------------------------------------------------------------------------

cost = Claim(
    "prp-costs-change-the-best-prediction",
    "existence",
    "exact",
    source="mohri2018",
    where="§9.1",
    implements=(best_prediction, expected_costs, tree_distances),
    no_formula="that there is a distribution is shown by exhibiting one: no value is stated",
)

ANIMALS_AND_A_CAR = (("vehicle", "car"), ("animal", "cat"), ("animal", "dog"))
LEAVES = [path[-1] for path in ANIMALS_AND_A_CAR]
LIKELY_A_CAR = probabilities_from_counts([40, 31, 29])


@cost.check("class-pair costs: an illness of probability 1/10 whose omission costs twenty times a false alarm")
def class_pair_costs(rng: np.random.Generator) -> Found:
    distribution, costs = probabilities_from_counts([9, 1]), np.array([[0, 1], [20, 0]], dtype=object)
    yield equal("most probable label = healthy", best_prediction(distribution), 0)
    yield equal("label of least expected cost = ill", best_prediction(distribution, costs), 1)
    yield less_than("expected cost of ill < of healthy", *expected_costs(distribution, costs)[::-1])


@cost.check("tree distance: a car is most probable, yet to say cat is nearer on average")
def car_overruled_by_cat(rng: np.random.Generator) -> Found:
    distances = tree_distances(ANIMALS_AND_A_CAR)
    means = expected_costs(LIKELY_A_CAR, distances)
    yield equal("most probable label = car", best_prediction(LIKELY_A_CAR), 0)
    yield equal("label nearest on average = cat", best_prediction(LIKELY_A_CAR, distances), 1)
    for label, mean in zip(("car", "cat", "dog"), (Fraction(12, 5), Fraction(109, 50), Fraction(111, 50)), strict=True):
        yield equal(f"mean distance of {label}", means[LEAVES.index(label)], mean)
    yield less_than("mean distance of cat < of car", means[1], means[0])
    yield less_than("mean distance of cat < of dog", means[1], means[2])


@cost.check("the tree distance counts the edges that lie on one of the two ways from the root, but not on both")
def edges_between_leaves(rng: np.random.Generator) -> Found:
    for _ in range(40):
        depth = int(rng.integers(1, 5))
        paths = sorted({tuple(map(str, rng.integers(0, 2, depth))) for _ in range(5)})
        edges = [{path[:length] for length in range(1, depth + 1)} for path in paths]
        expected = [[len(one ^ other) for other in edges] for one in edges]
        yield holds("distances of all pairs of leaves", tree_distances(paths).tolist() == expected, Tier.EXACT)


@cost.check(
    "the chosen label has the least expected cost of all, by its definition, for random distributions and costs"
)
def choice_of_least_cost(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k = int(rng.integers(2, 6))
        distribution, costs = random_probabilities(rng, k), rng.integers(0, 9, (k, k)).astype(object)
        means = [sum(distribution[y] * costs[y, j] for y in range(k)) for j in range(k)]
        yield equal(
            "expected cost of the choice = least of all", means[best_prediction(distribution, costs)], min(means)
        )
        yield equal(
            "probability of the choice = largest",
            distribution[best_prediction(distribution)],
            max(distribution),
            at="without costs",
        )


@cost.check("with more than half of the probability a label is overruled by no tree distance: random trees")
def more_than_half_is_not_overruled(rng: np.random.Generator) -> Found:
    for _ in range(80):
        paths = {(*map(str, rng.integers(0, 2, int(rng.integers(1, 5)))), "leaf") for _ in range(6)}
        others = rng.integers(1, 9, len(paths) - 1)
        distribution = probabilities_from_counts([others.sum() + 1, *others])
        distances = tree_distances(sorted(paths))
        yield equal("best prediction = most probable label", best_prediction(distribution, distances), 0)
        rise = expected_costs(distribution, distances)[1:] - expected_costs(distribution, distances)[0]
        for surplus, distance in zip(rise, distances[0, 1:], strict=True):
            yield at_least(
                "rise of the mean distance ≥ (2 p - 1) c(i, j)", surplus, (2 * distribution[0] - 1) * distance
            )


def car_and_deep_animals(depth: int) -> list[tuple[str, ...]]:
    """A car below the root; a cat and a dog below a node at this depth."""
    branch = tuple(f"level {level}" for level in range(depth))
    return [("car",), (*branch, "cat"), (*branch, "dog")]


@cost.check("one half is sharp: 0.49, 0.26 and 0.25 are overruled from depth 24 of the animals on, and not at 23")
def one_half_is_sharp(rng: np.random.Generator) -> Found:
    distribution = probabilities_from_counts([49, 26, 25])
    for depth, best in ((22, 0), (23, 0), (24, 1), (25, 1)):
        found = best_prediction(distribution, tree_distances(car_and_deep_animals(depth)))
        yield equal(f"best prediction = {LEAVES[best]}", found, best, at=f"depth {depth}")
    car, cat, _ = expected_costs(distribution, tree_distances(car_and_deep_animals(23)))
    yield equal("mean distance of car = of cat", car, cat, at="depth 23")


@cost.check("any share below one half: enough animals at the depth that the proof asks for overrule the car")
def any_smaller_share_is_overruled(rng: np.random.Generator) -> Found:
    for p in (Fraction(49, 100), Fraction(3, 8), Fraction(1, 3), Fraction(1, 4), Fraction(1, 10)):
        n_animals, depth = int((1 - p) / p) + 1, max(0, ceil(2 / (1 - 2 * p)) - 2)
        distribution = np.array([p, *[(1 - p) / n_animals] * n_animals], dtype=object)
        animals = [(*(f"level {level}" for level in range(depth)), f"animal {i}") for i in range(n_animals)]
        yield less_than("probability of an animal < of the car", distribution[1], distribution[0], at=f"p = {p}")
        car, *others = expected_costs(distribution, tree_distances([("car",), *animals]))
        yield less_than("mean distance of every animal < of the car", max(others), car, at=f"p = {p}")


@cost.check("the first of several best labels is predicted")
def first_of_equal_labels(rng: np.random.Generator) -> Found:
    for k in range(2, 7):
        yield equal(
            "best prediction = first label", best_prediction(probabilities_from_counts([1] * k)), 0, at=f"k = {k}"
        )
        without_first = probabilities_from_counts([0] + [1] * (k - 1))
        yield equal(
            "best prediction = second label", best_prediction(without_first), 1, at=f"k = {k}, the first never occurs"
        )


@cost.strengthened(
    "A share of one half is not overruled: if the car has probability 1/2 in place of 49/100, it stays "
    "the best prediction even with the animals a thousand levels deep.",
    by=Fraction(50, 49),
)
def share_that_can_be_overruled(factor: Fraction) -> Found:
    share = Fraction(49, 100) * factor
    distribution = np.array(
        [share, (1 - share) / 2 + Fraction(1, 200), (1 - share) / 2 - Fraction(1, 200)], dtype=object
    )
    best = best_prediction(distribution, tree_distances(car_and_deep_animals(1000)))
    yield equal("best prediction = cat", best, 1)


@cost.control(
    "The car needs the largest share: with ε = 0.135, more than 1/8, the probabilities 1/2 − ε, 1/4 + ε "
    "and 1/4 make the second label the most probable one."
)
def nearly_half_is_needed_for_three_labels() -> Found:
    epsilon = Fraction(1, 8) + Fraction(1, 100)
    distribution = np.array([Fraction(1, 2) - epsilon, Fraction(1, 4) + epsilon, Fraction(1, 4)], dtype=object)
    yield equal("most probable label = car", best_prediction(distribution), 0)


@cost.control(
    "Equal costs change nothing: if every error costs 7, the car, which is the most probable label, stays "
    "the best prediction."
)
def equal_costs_for_all_errors() -> Found:
    equal_costs = 7 * zero_one_costs(3)
    yield holds(
        "another label is best", best_prediction(LIKELY_A_CAR, equal_costs) != best_prediction(LIKELY_A_CAR), Tier.EXACT
    )


# --- how many answers ------------------------------------------------------------------------------------------------

tasks = Claim(
    "prp-multi-categorical-tasks",
    "identity",
    "exact",
    source="roth-cis519",
    where="slides on multi-categorical output tasks",
    implements=(count_answers, answers, count_coherent_subsets, coherent_subsets),
    formula=tuple(
        Formula("eq-answers", count_answers, piece=piece, fixed={"task": task})
        for piece, task in enumerate(("subset", "ranking", "sequence"))
    ),
    symbols=(
        Reading("k", "count", arguments={"n_labels": "k"}),
        Reading("n", "count", arguments={"length": "n"}),
    ),
)


def random_hierarchy(rng: np.random.Generator, n_labels: int) -> list[int | None]:
    """Each label is at the top or below an earlier one; then the labels are renamed."""
    names = [int(name) for name in rng.permutation(n_labels)]
    above: list[int | None] = [None] * n_labels
    for place in range(1, n_labels):
        parent = int(rng.integers(-1, place))
        above[names[place]] = None if parent < 0 else names[parent]
    return above


@tasks.check("subsets, rankings and sequences, counted one by one")
def answers_counted_one_by_one(rng: np.random.Generator) -> Found:
    for n_labels in range(1, 8):
        for task in ("subset", "ranking"):
            found = set(answers(task, n_labels))
            yield equal("found = formula", len(found), count_answers(task, n_labels), at=f"{task}, k = {n_labels}")
    for n_labels, length in itertools.product(range(1, 6), range(1, 6)):
        found = set(answers("sequence", n_labels, length))
        yield equal(
            "found = k^n", len(found), count_answers("sequence", n_labels, length), at=f"k = {n_labels}, n = {length}"
        )


@tasks.check("a single label is a sequence of length 1, and a subset with one element")
def single_label_as_special_case(rng: np.random.Generator) -> Found:
    for n_labels in range(1, 9):
        yield holds(
            "sequences of length 1 are the labels",
            [(z,) for z in range(n_labels)] == list(answers("sequence", n_labels)),
            Tier.EXACT,
        )
        singletons = {subset for subset in answers("subset", n_labels) if sum(subset) == 1}
        codes = {tuple(row) for row in one_hot(np.arange(n_labels), n_labels).tolist()}
        yield holds("singletons are the one-hot codes", singletons == codes, Tier.EXACT)


@tasks.check("subsets that cohere with a hierarchy: found among all subsets, and counted branch by branch")
def coherent_subsets_found_and_counted(rng: np.random.Generator) -> Found:
    for _ in range(60):
        n_labels = int(rng.integers(1, 9))
        above = random_hierarchy(rng, n_labels)
        coherent = {
            subset
            for subset in answers("subset", n_labels)
            if all(subset[parent] for label, parent in enumerate(above) if subset[label] and parent is not None)
        }
        yield holds("same coherent subsets", set(coherent_subsets(above)) == coherent, Tier.EXACT)
        yield equal("found = counted", len(coherent), count_coherent_subsets(above))


@tasks.check("without a hierarchy they are all subsets, in a chain k + 1, and every hierarchy is in between")
def between_a_chain_and_no_hierarchy(rng: np.random.Generator) -> Found:
    for n_labels in range(1, 9):
        yield equal("no hierarchy = 2^k", count_coherent_subsets([None] * n_labels), count_answers("subset", n_labels))
        yield equal("a chain = k + 1", count_coherent_subsets([None, *range(n_labels - 1)]), n_labels + 1)
        count = count_coherent_subsets(random_hierarchy(rng, n_labels))
        yield at_least("any hierarchy ≥ k + 1", count, n_labels + 1)
        yield at_most("any hierarchy ≤ 2^k", count, 2**n_labels)


@tasks.control(
    "An edge of the hierarchy does not halve the number of subsets: with soccer and tennis below sports "
    "{left} subsets are coherent, not {right}."
)
def half_for_each_edge() -> Found:
    yield equal("coherent subsets = 2³ / 2²", count_coherent_subsets([None, 0, 0]), 2, at="sports, soccer, tennis")


@tasks.control("There are more rankings than subsets of four labels: {left}, not {right}.")
def as_many_rankings_as_subsets() -> Found:
    yield equal("rankings of 4 labels = 2⁴", len(set(answers("ranking", 4))), 2**4)


@tasks.control(
    "The choices multiply along a sequence: over two labels there are {left} sequences of length three, not {right}."
)
def length_times_labels_sequences() -> Found:
    yield equal("sequences of length 3 over 2 labels = 2 · 3", len(set(answers("sequence", 2, 3))), 6)


@tasks.control("Three labels have more subsets than rankings: {left}, and not at most {right}.")
def no_more_subsets_than_rankings() -> Found:
    task: Task = "subset"
    yield at_most("subsets of 3 labels ≤ 3!", count_answers(task, 3), math.factorial(3))
