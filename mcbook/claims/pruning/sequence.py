"""The weakest-link sequence: every best pruning is in it, for every penalty that is concave in the size."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Number
from mcbook.pruning import (
    CostedTree,
    all_prunings,
    best_pruning,
    best_under_penalty,
    cost_complexity_path,
    least_costs,
    link_strength,
    pruning_objective,
    random_counted_tree,
    worked_tree,
)
from mcbook.pruning.instances import Shape, all_shapes, random_costed_tree, two_equal_links, with_leaf_counts
from mcbook.trees.algorithm.weakest_links import Pruning, PruningPath

Found = Iterator[Evidence]
IMPURITIES = ("misclassification", "gini")


def trees(rng: np.random.Generator, count: int, largest: int = 8) -> Iterator[CostedTree]:
    """Trees of random shapes: costs of random samples by errors and by Gini impurity, and costs of no sample."""
    for i in range(count):
        n_leaves = int(rng.integers(2, largest + 1))
        kind = i % 3
        yield (
            random_costed_tree(rng, n_leaves)
            if kind == 2
            else random_counted_tree(rng, n_leaves).costed(IMPURITIES[kind])
        )


def informative_penalties(path: PruningPath) -> list[Fraction]:
    """All thresholds, a penalty between any two neighbours, one below and one above."""
    ends = [Fraction(end) for end in path.thresholds.tolist()]
    return [ends[0] - 1, *ends, *((a + b) / 2 for a, b in itertools.pairwise(ends)), ends[-1] + 1]


def value(one: Pruning, lam: Fraction) -> Number:
    return pruning_objective(one.cost, one.n_leaves, lam)


# --- the objective ---------------------------------------------------------------------------------------------------

objective = Claim(
    "prp-pruning-objective",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="(9.15); §1.2.4",
    implements=(pruning_objective, cost_complexity_path),
    formula=Formula("eq-pruning-objective", pruning_objective),
    symbols=(Reading("c(T)", "nonnegative", arguments={"cost": "c(T)"}),),
)


@objective.check("trees of up to eight leaves, all prunings: the least value is that of a straight line on each piece")
def pieces_are_straight(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 60):
        every, path = list(all_prunings(tree)), cost_complexity_path(tree)
        for lam in informative_penalties(path):
            i = path.place_of(lam)
            line = pruning_objective(path.costs[i], int(path.n_leaves[i]), lam)
            yield equal("least value = line of the piece", min(value(one, lam) for one in every), line)


@objective.check("at the middle between any two penalties the least value is at least the mean of both")
def least_value_is_concave(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 45, largest=7):
        every = list(all_prunings(tree))
        for one, two in rng.integers(-40, 80, (4, 2)).tolist():
            a, b = Fraction(one, 7), Fraction(two, 7)
            least = [min(value(each, lam) for each in every) for lam in (a, (a + b) / 2, b)]
            yield at_least("value at the middle ≥ mean of the ends", least[1], (least[0] + least[2]) / 2)


@objective.control(
    "It is no single line: for the tree of the worked case the least value at $\\lambda=2$ is {left}, "
    "above the mean of those at 0 and 4, which is {right}.",
    story=True,
)
def single_line() -> Found:
    every = list(all_prunings(worked_tree().costed()))
    least = [min(value(each, Fraction(lam)) for each in every) for lam in (0, 2, 4)]
    yield at_most("value at the middle ≤ mean of the ends", least[1], (least[0] + least[2]) / 2)


@objective.strengthened(
    "The slope is the number of leaves and no more: with one per cent more the line is at {right} where "
    "the least value is {left}.",
    by=Fraction(101, 100),
)
def steeper_lines(by: Fraction) -> Found:
    tree = worked_tree().costed()
    path = cost_complexity_path(tree)
    for i, lam in enumerate(path.thresholds.tolist()):
        least = min(value(one, lam) for one in all_prunings(tree))
        line = pruning_objective(path.costs[i], by * int(path.n_leaves[i]), lam)
        yield equal("least value = line", least, line, at=f"λ = {lam}")


# --- the sequence ----------------------------------------------------------------------------------------------------

sequence = Claim(
    "thm-weakest-link-pruning",
    "existence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.4",
    implements=(cost_complexity_path, best_pruning, link_strength),
    formula=Formula("eq-pruning-link", link_strength),
    symbols=(
        Reading("c(t)", "nonnegative", arguments={"cost": "c(t)"}),
        Reading("c(T_t)", "nonnegative", arguments={"branch_cost": "c(T_t)"}),
        Reading(r"\widetilde T_t", "count from 2", arguments={"n_leaves": r"\widetilde T_t"}),
    ),
)


def smallest_best(every: list[Pruning], lam: Fraction) -> list[Pruning]:
    """The best prunings with the fewest leaves, however many there are."""
    least = min(value(one, lam) for one in every)
    best = [one for one in every if value(one, lam) == least]
    fewest = min(one.n_leaves for one in best)
    return [one for one in best if one.n_leaves == fewest]


def found_in_sequence(tree: CostedTree) -> Found:
    """At every telling penalty the smallest best pruning is unique and the one that the sequence has there."""
    every, path = list(all_prunings(tree)), cost_complexity_path(tree)
    for lam in informative_penalties(path):
        smallest = smallest_best(every, lam)
        yield equal("smallest best prunings = 1", len(smallest), 1)
        here = path.pruning(path.place_of(lam)).leaves
        same = smallest[0].leaves == here == best_pruning(tree, lam).leaves
        yield holds("the smallest best pruning is in the sequence, at its place", same, Tier.EXACT)
    for a, b in itertools.pairwise(path.thresholds.tolist()):
        yield at_most("threshold ≤ next threshold", a, b)
        yield holds("thresholds increase strictly", a < b, Tier.EXACT)


@sequence.check("every shape of up to six leaves, errors and Gini impurity of random samples, against all prunings")
def every_small_shape(rng: np.random.Generator) -> Found:
    for shape in itertools.chain.from_iterable(all_shapes(n) for n in range(2, 7)):
        n_leaves = _leaves_of(shape)
        for impurity in IMPURITIES:
            yield from found_in_sequence(with_leaf_counts(shape, _counts(rng, n_leaves)).costed(impurity))


def _leaves_of(shape: Shape) -> int:
    return 1 if shape is None else sum(map(_leaves_of, shape))


def _counts(rng: np.random.Generator, n_leaves: int) -> list[list[int]]:
    counts = rng.integers(0, 6, (n_leaves, 2))
    counts[:, 0] += counts.sum(axis=1) == 0
    return counts.tolist()


@sequence.check("random trees of up to nine leaves, a third of them with costs that no sample has")
def random_trees(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 120, largest=9):
        yield from found_in_sequence(tree)


@sequence.check("the penalty of the link that is weakest next is the next threshold")
def weakest_link_is_the_threshold(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 30):
        path = cost_complexity_path(tree)
        for i, threshold in enumerate(path.thresholds.tolist()):
            yield equal("least penalty of a link = threshold", min(links(tree, path.pruning(i))), threshold)


@sequence.check("costs in tenths, whose sums floats round: links are as weak as each other where they are in fractions")
def rounded_costs(rng: np.random.Generator) -> Found:
    for i in range(90):
        whole = random_counted_tree(rng, int(rng.integers(2, 25))).costed(IMPURITIES[i % 2])
        tree = whole._replace(costs=whole.costs / Fraction(10))
        rounded = cost_complexity_path(tree._replace(costs=tree.costs.astype(float)))
        same = np.array_equal(rounded.steps, cost_complexity_path(tree).steps)
        yield holds("the same trees in the sequence", same, Tier.EXACT)


@sequence.check(
    "two links whose penalties differ by a billionth: in floats, too, they are collapsed one after the other"
)
def nearly_equal_links(rng: np.random.Generator) -> Found:
    tree = two_equal_links()
    for gap in (0.0, 1e-9):
        costs = tree.costs.astype(float) + gap * (np.arange(tree.n_nodes) == 4)
        yield equal("trees in the sequence", cost_complexity_path(tree._replace(costs=costs)).n_trees, 3 + (gap > 0))


def links(tree: CostedTree, pruned: Pruning, penalty: Callable[..., Number] = link_strength) -> dict[Number, int]:
    """The inner nodes of a pruning by the penalty of their branches; of equal ones, one."""
    below = {t: Pruning(frozenset([t]), tree.costs[t]) for t in pruned.leaves}
    found = {}
    for t in reversed(range(tree.n_nodes)):
        if t not in below and tree.below(t) and all(child in below for child in tree.below(t)):
            one, two = (below[child] for child in tree.below(t))
            below[t] = Pruning(one.leaves | two.leaves, one.cost + two.cost)
            found[penalty(tree.costs[t], below[t].cost, below[t].n_leaves)] = t
    return found


@sequence.control(
    "The leaves have to be counted: if the branch that adds the least cost goes first, whatever its "
    "size, the best value in the sequence at $\\lambda=\\frac72$ is {left}, and that of all prunings "
    "{right}.",
    story=True,
)
def by_absolute_cost() -> Found:
    tree, lam = worked_tree().costed(), Fraction(7, 2)
    kept = [Pruning(frozenset(t for t in range(tree.n_nodes) if not tree.below(t)), min(least_costs(tree)))]
    while kept[-1].n_leaves > 1:
        weakest = links(tree, kept[-1], penalty=lambda cost, below, n: cost - below)
        kept.append(_collapsed(tree, kept[-1], weakest[min(weakest)]))
    yield at_most(
        "least value in that sequence ≤ least value of all prunings",
        min(value(one, lam) for one in kept),
        value(best_pruning(tree, lam), lam),
    )


def _collapsed(tree: CostedTree, pruned: Pruning, top: int) -> Pruning:
    inside, waiting = set(), [top]
    while waiting:
        t = waiting.pop()
        inside.add(t)
        waiting += tree.below(t)
    leaves = (pruned.leaves - inside) | {top}
    return Pruning(leaves, sum(tree.costs[t] for t in leaves))


@sequence.strengthened(
    "The thresholds cannot be one per cent lower: at 0.99 times the last threshold of the worked case "
    "the smallest best pruning has {left} leaves, not {right}.",
    by=Fraction(99, 100),
)
def earlier_thresholds(by: Fraction) -> Found:
    tree = worked_tree().costed()
    path = cost_complexity_path(tree)
    for i, threshold in enumerate(path.thresholds.tolist(), start=1):
        fewest = best_pruning(tree, by * threshold).n_leaves
        yield equal(
            "leaves of the smallest best pruning = leaves of the tree in the sequence", fewest, int(path.n_leaves[i])
        )


# --- other penalties -------------------------------------------------------------------------------------------------

penalties = Claim(
    "thm-concave-penalties",
    "existence",
    "exact",
    source=("scott2005", "mohri2018"),
    where="concave penalties; convex ones are this book's; (9.15)",
    implements=(cost_complexity_path, best_under_penalty, least_costs),
    no_formula="it compares minimisers and states no value",
)


def concave_penalty(rng: np.random.Generator, n: int) -> list[Fraction]:
    """Values at 1 .. n whose increments do not grow; some are negative at the end, some equal."""
    increments = np.sort(rng.integers(-3, 12, n))[::-1]
    return [Fraction(int(total), 2) for total in np.cumsum(increments)]


@penalties.check("random concave penalties on random trees: the least value is reached in the sequence")
def concave_penalties(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 90):
        path = cost_complexity_path(tree)
        for _ in range(3):
            worth = concave_penalty(rng, tree.n_leaves)
            best = best_under_penalty(tree, dict(enumerate(worth, start=1)).__getitem__)
            in_sequence = min(
                cost + worth[n - 1] for cost, n in zip(path.costs.tolist(), path.n_leaves.tolist(), strict=True)
            )
            yield equal(
                "least value in the sequence = least value of all prunings",
                in_sequence,
                best[0].cost + worth[best[0].n_leaves - 1],
            )


@penalties.check("strictly concave penalties: every best pruning is in the sequence")
def strictly_concave_penalties(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 60, largest=7):
        path = cost_complexity_path(tree)
        kept = {path.pruning(i).leaves for i in range(path.n_trees)}
        slope = Fraction(int(rng.integers(1, 30)), 3)
        worth = {n: slope * (n - Fraction(n * n, 64)) for n in range(1, 8)}
        best = best_under_penalty(tree, worth.__getitem__)
        in_sequence = [one.leaves in kept for one in best]
        yield equal("best prunings in the sequence = best prunings", sum(in_sequence), len(best))


@penalties.check("the least costs of each size, from the leaves up, are those of all prunings")
def least_costs_of_sizes(rng: np.random.Generator) -> Found:
    for tree in trees(rng, 45, largest=7):
        every = list(all_prunings(tree))
        for n, cost in enumerate(least_costs(tree), start=1):
            least = min(one.cost for one in every if one.n_leaves == n)
            yield equal("least cost from the leaves up = of all prunings", cost, least, at=f"{n} leaves")


def powers_of_size(exponent: Fraction, lam: Fraction) -> Callable[[int], Number]:
    """The penalty lam n^q as a float, for exponents that are no whole number; exact else."""
    whole = exponent.denominator == 1
    return lambda n: lam * n ** int(exponent) if whole else float(lam) * float(n) ** float(exponent)


@penalties.control(
    "A convex penalty may miss the sequence: with $\\frac16|\\widetilde T|^2$ and two equally weak links "
    "the least value in the sequence is {left}, and that of all prunings {right}.",
    story=True,
)
def squared_size() -> Found:
    tree = two_equal_links()
    path, worth = cost_complexity_path(tree), powers_of_size(Fraction(2), Fraction(1, 6))
    best = best_under_penalty(tree, worth)
    in_sequence = min(cost + worth(n) for cost, n in zip(path.costs.tolist(), path.n_leaves.tolist(), strict=True))
    yield at_most(
        "least value in the sequence ≤ least value of all prunings", in_sequence, best[0].cost + worth(best[0].n_leaves)
    )


@penalties.control(
    "With a convex penalty the smallest best pruning need not be unique: with $\\frac16|\\widetilde T|^2$ "
    "and two equally weak links their number is {left}, not {right}.",
)
def unique_with_squared_size() -> Found:
    best = best_under_penalty(two_equal_links(), powers_of_size(Fraction(2), Fraction(1, 6)))
    fewest = min(one.n_leaves for one in best)
    yield equal("smallest best prunings = 1", sum(one.n_leaves == fewest for one in best), 1)
