"""Top-down induction as boosting: the exact worst potential, and what it says of the training error."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.foundation.types import Array, Labels, Number
from mcbook.trees import grow_tree, induction_bound, leaves_of, noisy_bits, worst_potential

Found = Iterator[Evidence]

potential = Claim(
    "thm-exact-potential-of-induction",
    "upper bound",
    "exact",
    source=("kearns-mansour1999", "takimoto-maruoka2003"),
    where="the method and the order of the exponent are theirs; constant and exact value are derived here",
    implements=worst_potential,
    formula=Formula("eq-worst-potential", worst_potential, where="i < 2^j"),
    symbols=(
        Reading(r"\lambda", "probability", arguments={"shrinkage": r"\lambda"}),
        Reading("j", "count", arguments={"n_doublings": "j"}),
        Reading("i", "count", arguments={"n_extra": "i"}),
    ),
)

HALF = Fraction(1, 2)
# Edges for which sqrt(1 - 4 gamma^2) is a fraction.
SHRINKAGES = {Fraction(3, 10): Fraction(4, 5), Fraction(2, 5): Fraction(3, 5), Fraction(5, 26): Fraction(12, 13)}


def allowed(n_leaves: int, shrinkage: Number) -> Number:
    j = n_leaves.bit_length() - 1
    return worst_potential(j, n_leaves - 2**j, shrinkage)


@potential.check("random splits that take at least the share 1 − λ of the largest leaf, in fractions")
def adversarial_splits(rng: np.random.Generator) -> Found:
    for shrinkage in SHRINKAGES.values():
        for _ in range(8):
            leaves = [Fraction(1)]
            for _ in range(12):
                least = (1 - shrinkage) * max(leaves)
                value = sorted(leaf for leaf in leaves if leaf >= least)[int(rng.integers(0, 2)) - 1]
                leaves.remove(value)
                rest = value - least if rng.random() < 0.7 else (value - least) * Fraction(int(rng.integers(1, 10)), 10)
                share = Fraction(1, 2) if rng.random() < 0.5 else Fraction(int(rng.integers(0, 11)), 10)
                leaves += [rest * share, rest * (1 - share)]
                yield at_most("potential ≤ λ^j (1 − (1 − λ) i / 2^j)", sum(leaves), allowed(len(leaves), shrinkage))


@potential.check("a question of edge γ leaves at most λ of a leaf's potential: for all shares that go to the left")
def one_split(rng: np.random.Generator) -> Found:
    """With shares a and b of the two classes on the left, 2γ is a - b, and √(ab) + √((1 - a)(1 - b)) is left."""
    u, v = sympy.symbols("u v", positive=True)
    a, b = u / (1 + u), v / (1 + v)
    left, right, square = a * b, (1 - a) * (1 - b), 1 - (a - b) ** 2
    # λ² − left − right is positive; so λ is at least √left + √right if its square is at least 4 left right.
    yield proved("λ² − left − right > 0", prove_sign(square - left - right, strict=True))
    yield proved(
        "(λ² − left − right)² − 4 left right is a square",
        prove_identity((square - left - right) ** 2 - 4 * left * right, (a * (1 - a) - b * (1 - b)) ** 2),
    )


def value_of(plus: int, minus: int, total: int) -> Number:
    """2 sqrt(P_+ P_-) of a leaf with these weights, as a ball."""
    return 2 * ball(Fraction(plus * minus, total**2)).sqrt()


def best_edge(X: Array, y: Labels, weight: Array) -> Fraction:
    """The largest edge of a bit in an impure leaf: 1/2 less its balanced error."""
    sums = [[(int(weight[(x == 1) & (y == c)].sum()), int(weight[y == c].sum())) for c in (0, 1)] for x in X.T]
    yes = [[Fraction(*pair) for pair in both] for both in sums]
    return max(abs(ones - zeros) / 2 for zeros, ones in yes)


@potential.check(
    "trees grown by U on random distributions of four bits: each split takes its share, and U stays below the worst"
)
def grown_by_the_potential(rng: np.random.Generator) -> Found:
    X = np.array(list(itertools.product((0, 1), repeat=4)) * 2)
    y = np.repeat([0, 1], 16)
    for _ in range(12):
        weight = rng.integers(1, 30, 32)
        total, edge, before = int(weight.sum()), Fraction(1, 2), None
        for n_leaves in range(1, 7):
            grown = leaves_grown((X, y, weight), n_leaves)
            cells = [grown == node for node in np.unique(grown)]
            counts = [[int(weight[cell & (y == c)].sum()) for c in (0, 1)] for cell in cells]
            values = [value_of(plus, minus, total) for plus, minus in counts]
            now = sum(values)
            if before is not None:
                share = 1 - ball(1 - 4 * edge**2).sqrt()
                yield at_least(
                    "decrease ≥ (1 − λ) × the largest value", before[0] - now, share * max(before[1], key=float)
                )
                shrinkage = ball(1 - 4 * edge**2).sqrt()
                yield at_most("potential ≤ the worst case", now, allowed(len(cells), shrinkage))
            before = now, values
            edge = min(edge, *(best_edge(X[cell], y[cell], weight[cell]) for cell in cells))


def leaves_grown(distribution: tuple[Array, Labels, Array], n_leaves: int) -> Array:
    """The leaf of each point in the tree that the compiled growth by U makes."""
    X, y, weight = distribution
    if n_leaves == 1:
        return np.zeros(len(X), int)
    rules: dict[str, Any] = {"criterion": "root", "growth": "largest-decrease", "max_leaf_nodes": n_leaves}
    return leaves_of(grow_tree(X, y, 2, weight=weight.astype(float), **rules), X)


def contents(distribution: tuple[Array, Labels, Array], leaf: Array) -> list[tuple[Fraction, Fraction]]:
    """The probabilities of both labels in each leaf."""
    _, y, weight = distribution
    both = [(weight[(leaf == node) & (y == 0)].sum(), weight[(leaf == node) & (y == 1)].sum()) for node in set(leaf)]
    return [(Fraction(minus), Fraction(plus)) for minus, plus in both]


def potential_of(distribution: tuple[Array, Labels, Array], leaf: Array) -> Fraction:
    """sum_v 2 sqrt(P_+ P_-), where each root is a fraction."""
    total = Fraction(0)
    for minus, plus in contents(distribution, leaf):
        product = plus * minus
        root = Fraction(math.isqrt(product.numerator), math.isqrt(product.denominator))
        if root * root != product:
            raise ValueError(f"expected a square, got {product}: take an edge from SHRINKAGES")
        total += 2 * root
    return total


@potential.extremal("trees grown by U on bits that are right with probability 1/2 + γ: equality at every size")
def product_distribution() -> Found:
    for gamma, shrinkage in SHRINKAGES.items():
        distribution = noisy_bits(4, gamma)
        for n_leaves in range(1, 17):
            yield equal(
                "potential = λ^j (1 − (1 − λ) i / 2^j)",
                potential_of(distribution, leaves_grown(distribution, n_leaves)),
                allowed(n_leaves, shrinkage),
                at=f"λ = {shrinkage}, {n_leaves} leaves",
                statement=True,
            )


@potential.trace("bits that are right with probability 4/5: from two to four leaves")
def split_by_split() -> Found:
    gamma, shrinkage = Fraction(3, 10), Fraction(4, 5)
    leaves = [Fraction(1)]
    distribution = noisy_bits(2, gamma)
    yield equal("potential of the root = 1", potential_of(distribution, leaves_grown(distribution, 1)), 1)
    for n in (2, 3, 4):
        value = max(leaves)
        leaves.remove(value)
        leaves += [shrinkage * value / 2] * 2
        yield equal("potential = the worst case", sum(leaves), allowed(n, shrinkage), at=f"{n} leaves")
    yield equal(
        "potential of the distribution itself = the worst case",
        potential_of(distribution, leaves_grown(distribution, 4)),
        sum(leaves),
        at="4 leaves",
    )


@potential.strengthened(
    "One per cent less is too little: with sixteen leaves on bits that are right with probability "
    "$\\frac45$ the potential is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(factor: Fraction) -> Found:
    distribution = noisy_bits(4, Fraction(3, 10))
    found = potential_of(distribution, leaves_grown(distribution, 16))
    yield at_most("potential ≤ λ^4", found, factor * allowed(16, Fraction(4, 5)), at="16 leaves")


@potential.control(
    "A split has to take its share of the largest leaf, not of its own: growth in depth with "
    "$\\lambda=\\frac9{10}$ has the potential {left} at four leaves, and {right} would be allowed.",
)
def share_of_the_own_leaf() -> Found:
    shrinkage, leaves, value = Fraction(9, 10), [], Fraction(1)
    for _ in range(3):
        value = shrinkage * value / 2
        leaves.append(value)
    yield at_most("potential ≤ λ^2", sum(leaves) + value, allowed(4, shrinkage), at="4 leaves")


induction = Claim(
    "thm-top-down-induction-boosts",
    "growth rate",
    "exact",
    source="mohri2018",
    where="§9.6",
    implements=induction_bound,
    formula=Formula("eq-induction-bound", induction_bound, numbers="balls"),
    no_extremal="the exponent of the potential is attained; of the error only the rate is, which the control shows",
    symbols=(
        Reading("t", "count from 2", arguments={"n_leaves": "t"}),
        Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),
    ),
)


def error_of_grown(gamma: Fraction, n_bits: int, n_leaves: int) -> Fraction:
    """The exact error, on the distribution of noisy bits, of the tree that the compiled growth makes."""
    distribution = noisy_bits(n_bits, gamma)
    return sum(map(min, contents(distribution, leaves_grown(distribution, n_leaves))), Fraction(0))


def error_of_layers(gamma: Fraction, n_layers: int) -> Fraction:
    """The same of the tree that asks for each bit: that fewer than half are right, and half of that just half are."""
    right, wrong, whole = (int(x * 2 * gamma.denominator) for x in (HALF + gamma, HALF - gamma, 1))
    chances = (math.comb(n_layers, n) * right**n * wrong ** (n_layers - n) for n in range(n_layers // 2 + 1))
    twice = sum((1 if 2 * n == n_layers else 2) * chance for n, chance in enumerate(chances))
    return Fraction(twice, 2 * whole**n_layers)


@induction.check("noisy bits with edges 1/10, 3/10 and 2/5, up to 32 leaves: exact errors of the grown trees")
def errors_below_the_power(rng: np.random.Generator) -> Found:
    for gamma in (Fraction(1, 10), Fraction(3, 10), Fraction(2, 5)):
        for t in (2, 3, 4, 8, 15, 32):
            error = error_of_grown(gamma, 5, t)
            at = f"t = {t}, γ = {gamma}"
            yield at_most("error ≤ t^(−2γ²/ln 2)", error, induction_bound(ball(t), ball(gamma)), at=at, statement=True)


@induction.check("majority of 3 and of 5 bits, random weights: errors of the trees grown by U, of any number of leaves")
def majority_of_bits(rng: np.random.Generator) -> Found:
    """With any weights some bit has the edge 1/2n: on each point at least (n + 1)/2 of the n bits are right."""
    for n_bits in (3, 5) * 3:
        X = np.array(list(itertools.product((0, 1), repeat=n_bits)))
        y, gamma = (2 * X.sum(axis=1) > n_bits).astype(int), ball(Fraction(1, 2 * n_bits))
        distribution = X, y, rng.integers(1, 30, len(X)) ** 3
        for t in range(2, 9):
            both = contents(distribution, leaves_grown(distribution, t))
            error = sum(map(min, both), Fraction(0)) / int(distribution[2].sum())
            worst = allowed(t, (1 - 4 * gamma**2).sqrt()) / 2
            yield at_most("error ≤ half the worst potential", error, worst, at=f"t = {t}")
            yield at_most("half the worst potential ≤ t^(−2γ²/ln 2)", worst, induction_bound(ball(t), gamma))


@induction.check("noisy bits: a tree of 2^j leaves asks for j bits, and its error is a tail of the binomial")
def layers_are_grown(rng: np.random.Generator) -> Found:
    for gamma, j in itertools.product((Fraction(1, 10), Fraction(3, 10)), range(1, 6)):
        yield equal("error of the grown tree = tail", error_of_grown(gamma, j, 2**j), error_of_layers(gamma, j))


@induction.check("noisy bits and as many as 2^1000 leaves, by the tail of the binomial")
def errors_of_many_layers(rng: np.random.Generator) -> Found:
    for gamma, j in itertools.product((Fraction(1, 10), Fraction(2, 5)), (10, 100, 1000)):
        bound = induction_bound(ball(2**j), ball(gamma))
        yield at_most("error ≤ t^(−2γ²/ln 2)", error_of_layers(gamma, j), bound, at=f"t = 2^{j}, γ = {gamma}")


@induction.trace("edge 3/10, eight leaves")
def chain_of_inequalities() -> Found:
    gamma, shrinkage = Fraction(3, 10), Fraction(4, 5)
    distribution = noisy_bits(3, gamma)
    found = potential_of(distribution, leaves_grown(distribution, 8))
    yield at_most("error ≤ half the potential", error_of_grown(gamma, 3, 8), found / 2)
    yield at_most("half the potential ≤ half λ^3", found / 2, allowed(8, shrinkage) / 2)
    yield at_most("half λ^3 ≤ 8^(−2γ²/ln 2)", allowed(8, shrinkage) / 2, induction_bound(ball(8), ball(gamma)))


@induction.strengthened(
    "The exponent cannot be a fifth larger: for the edge $\\frac1{10}$ and $2^{1000}$ leaves the error is "
    "{left}, and {right} would be allowed.",
    by=Fraction(6, 5),
)
def exponent_a_fifth_larger(factor: Fraction) -> Found:
    gamma = Fraction(1, 10)
    bound = induction_bound(ball(2**1000), ball(gamma))
    yield at_most("error ≤ t^(−2γ²/ln 2)", ball(error_of_layers(gamma, 1000)), bound ** ball(factor))
