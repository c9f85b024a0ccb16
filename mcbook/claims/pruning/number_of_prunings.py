"""Few prunings are ever optimal: the bound, the exact largest number, and trees that attain it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Number
from mcbook.pruning import (
    CostedTree,
    chain_of_links,
    coprime_steps,
    cost_complexity_path,
    most_optimal_prunings,
    optimal_prunings_bound,
    random_counted_tree,
)
from mcbook.pruning.instances import CountedTree, Shape, with_leaf_counts
from mcbook.pruning.theory import best_steps
from mcbook.trees.algorithm.weakest_links import PruningPath

Found = Iterator[Evidence]

few = Claim(
    "thm-few-optimal-prunings",
    "upper bound",
    "exact",
    source="mohri2018",
    where="this book; §9.3.3 says that the sequence is finite",
    implements=(optimal_prunings_bound, most_optimal_prunings, cost_complexity_path),
    formula=Formula("eq-pruning-few", optimal_prunings_bound, numbers="balls"),
    symbols=(
        Reading("n", "count", arguments={"n_inner": "n"}),
        Reading("E", "count", arguments={"n_errors": "E"}),
    ),
)


def sizes(tree: CostedTree, path: PruningPath) -> tuple[int, int, int]:
    """Inner nodes n, errors E that the tree saves, and how many prunings are the smallest best for a penalty >= 0."""
    at_zero = int(path.thresholds.tolist()[:1] == [0])
    return tree.n_nodes // 2, int(tree.costs[0] - path.costs[0]), path.n_trees - at_zero


def bound(n: int, errors: int) -> Number:
    return optimal_prunings_bound(ball(n), ball(errors))


@few.check("random samples in random trees of up to forty leaves, two to six classes")
def random_trees(rng: np.random.Generator) -> Found:
    for _ in range(60):
        tree = random_counted_tree(rng, int(rng.integers(2, 41)), int(rng.integers(2, 7)), largest=9).costed()
        n, errors, found = sizes(tree, cost_complexity_path(tree))
        most = most_optimal_prunings(min(n, 24), min(errors, 24)) if max(n, errors) <= 24 else None
        yield at_most("best prunings ≤ 1 + (9nE/2)^(1/3)", found, bound(n, errors))
        if most is not None:
            yield at_most("best prunings ≤ 1 + K(n, E)", found, most)


@few.check("for all n and E up to 12 the chain of the best steps has as many best prunings as there can be")
def chains_attain_the_largest_number(rng: np.random.Generator) -> Found:
    for n, errors in itertools.product(range(1, 13), repeat=2):
        tree = chain_of_links(best_steps(n, errors)).costed()
        inner, saved, found = sizes(tree, cost_complexity_path(tree))
        yield at_most("inner nodes ≤ n", inner, n, at=f"n = {n}, E = {errors}")
        yield at_most("errors saved ≤ E", saved, errors, at=f"n = {n}, E = {errors}")
        yield equal("best prunings = 1 + K", found, most_optimal_prunings(n, errors), at=f"n = {n}, E = {errors}")
        yield at_most("1 + K ≤ the bound", found, bound(n, errors), at=f"n = {n}, E = {errors}")


@few.check("the chain of all coprime pairs with a + b ≤ s, s = 3 … 14, against 3 (n/π)^(2/3)")
def growth_of_the_chains(rng: np.random.Generator) -> Found:
    import flint

    for s in range(3, 15):
        tree = chain_of_links(coprime_steps(s)).costed()
        n, errors, found = sizes(tree, cost_complexity_path(tree))
        yield equal("inner nodes = errors saved", n, errors, at=f"s = {s}")
        yield at_least(
            "best prunings ≥ 3 (n/π)^(2/3)", found, 3 * ((ball(n) / flint.arb.pi()) ** 2).root(3), at=f"s = {s}"
        )


@few.extremal("the chain of all coprime pairs with a + b ≤ s: the share of the bound that is used tends to 0.85")
def chains_of_all_pairs() -> Found:
    for s in (2, 6, 10, 14):
        tree = chain_of_links(coprime_steps(s)).costed()
        n, errors, found = sizes(tree, cost_complexity_path(tree))
        yield at_most("best prunings ≤ 1 + (9nE/2)^(1/3)", found, bound(n, errors), at=f"n = E = {n}", statement=True)


@few.trace("the chain of the seven coprime pairs with a + b ≤ 5 but (4, 1) and (1, 4): n = E = 13")
def proof_on_a_chain() -> Found:
    steps = [step for step in coprime_steps(5) if max(step) < 4]
    tree = chain_of_links(steps).costed()
    path = cost_complexity_path(tree)
    n, errors, found = sizes(tree, path)
    saved = -np.diff(path.n_leaves)
    risen = np.diff(path.costs)
    scaled = []
    for i, (a, b, penalty) in enumerate(zip(saved.tolist(), risen.tolist(), path.thresholds.tolist(), strict=True), 1):
        yield equal("b = λ a", b, penalty * a, at=f"step {i}, λ = {penalty}")
        divisor = math.gcd(a, int(b))
        scaled.append(Fraction(a, divisor * n) + Fraction(int(b), divisor * errors))
    yield at_most("sum of the a ≤ n", int(saved.sum()), n)
    yield at_most("sum of the b ≤ E", int(risen.sum()), errors)
    yield at_most("sum of a/n + b/E over the coprime pairs ≤ 2", sum(scaled), 2)
    for j, size in enumerate(sorted(scaled), start=1):
        yield at_most("pairs with a/n + b/E up to t ≤ nE t²/2", j, n * errors * size**2 / 2, at=f"t = {size}")
    steps_made = len(scaled)
    roots = sum((ball(j).sqrt() for j in range(1, steps_made + 1)), ball(0))
    yield at_least("sum of √j ≥ 2/3 K^(3/2)", roots, ball(2) / 3 * ball(steps_made) * ball(steps_made).sqrt())
    yield at_least("2 ≥ √(2/(nE)) × sum of √j", 2, (ball(2) / (n * errors)).sqrt() * roots)
    yield at_most("best prunings ≤ 1 + (9nE/2)^(1/3)", found, bound(n, errors))


@few.strengthened(
    "The constant is nearly the best: with $\\frac{13}5$ in place of $\\frac92$ the chain of all pairs with "
    "$a+b\\le14$ would have at most {right} best prunings; it has {left}.",
    by=Fraction(26, 45),
    story=True,
)
def smaller_product(by: Fraction) -> Found:
    tree = chain_of_links(coprime_steps(14)).costed()
    n, errors, found = sizes(tree, cost_complexity_path(tree))
    yield at_most("best prunings ≤ bound", found, optimal_prunings_bound(ball(by * n), ball(errors)))


@few.control(
    "Costs have to count errors: by Gini impurity a tree without an error to save has {left} best "
    "prunings, where the bound says {right}.",
    story=True,
)
def gini_costs() -> Found:
    counted = gini_chain()
    n, errors, _ = sizes(counted.costed(), cost_complexity_path(counted.costed()))
    by_gini = cost_complexity_path(counted.costed("gini"))
    yield at_most("best prunings ≤ bound", by_gini.n_trees, bound(n, errors))


def gini_chain() -> CountedTree:
    """A chain of leaves with the same majority, pure and impure in turn, each twice as large as the one below."""
    shape: Shape = None
    for _ in range(6):
        shape = (None, shape)
    sizes = [2**i for i in reversed(range(6))]
    return with_leaf_counts(shape, [[4 * n, n * (i % 2)] for i, n in enumerate(sizes)] + [[2, 1]])
