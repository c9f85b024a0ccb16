"""Splits: what they gain in the three impurities, when they gain nothing, and the order of the gains."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.impurities.grids import information_gain, small_splits, vanishes
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_sign
from mcbook.foundation.types import Array, Number
from mcbook.impurities import (
    entropy,
    entropy_gain_bound,
    gini,
    gini_gain_bound,
    split_gain,
    threshold_splits,
    xor_sample,
)
from mcbook.impurities.theory.impurity import Weights, class_shares

Found = Iterator[Evidence]
Counts = tuple[int, ...]

a, b, c = sympy.symbols("a b c", positive=True)
EXACTLY = ("misclassification", "gini")


def proportional(children: Weights) -> bool:
    """Whether the children have the same class proportions."""
    first, second = (class_shares(child).tolist() for child in children)
    return bool(first == second)


concave = Claim(
    "prp-splits-never-hurt",
    "lower bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Remark 6",
    errata=("E46",),
    implements=(split_gain, gini),
    no_formula="the gain of any concave impurity; those of the three are formulas of the next statements",
)


@concave.check("every split of every node with up to 12 examples of two classes or 7 of three")
def no_small_split_loses(rng: np.random.Generator) -> Found:
    for children in small_splits():
        at = f"children {children[0]} and {children[1]}"
        for name in EXACTLY:
            yield at_least(f"gain in {name.replace('gini', 'Gini')} ≥ 0", split_gain(name, children), 0, at=at)
        # Of children with the same proportions the next claim speaks: a ball could not tell their gain from 0.
        if not proportional(children):
            yield at_least("gain in entropy ≥ 0", information_gain(children), 0, at=at)


@concave.check("random splits into three to five children of three to six classes")
def no_large_split_loses(rng: np.random.Generator) -> Found:
    for _ in range(60):
        children = 1 + rng.integers(0, 20, (rng.integers(3, 6), rng.integers(3, 7)))
        for name in EXACTLY:
            yield at_least(f"gain in {name.replace('gini', 'Gini')} ≥ 0", split_gain(name, children), 0)
        yield at_least("gain in entropy ≥ 0", information_gain(children), 0)


@concave.check("minima of two to five random linear functions, which are concave: splits into two to five children")
def minima_of_linear_functions(rng: np.random.Generator) -> Found:
    for _ in range(60):
        slopes = rng.integers(-9, 10, (rng.integers(2, 6), rng.integers(2, 7))).astype(object)
        children = rng.integers(0, 20, (rng.integers(2, 6), slopes.shape[1]))
        children[:, 0] += 1

        def least(weights: Weights, slopes: Array = slopes) -> Array:
            return np.asarray((class_shares(weights) @ slopes.T).min(axis=-1))

        yield at_least("gain ≥ 0", split_gain(least, children), 0)


@concave.extremal("children with the proportions of their node gain nothing")
def proportional_children() -> Found:
    for children in ([[2, 1], [4, 2]], [[1, 2, 3], [2, 4, 6]]):
        for name in EXACTLY:
            at = f"children {children[0]} and {children[1]}"
            yield equal(
                f"gain in {name.replace('gini', 'Gini')} = 0", split_gain(name, children), 0, at=at, statement=True
            )
    at = "children [1, 1] and [2, 2]"
    yield equal("gain in entropy = 0", split_gain("entropy", [[1, 1], [2, 2]]), 0, at=at, statement=True)


def squared_gini(weights: Weights) -> Number:
    return gini(weights) ** 2


@concave.control(
    "Concavity is needed: the square of the Gini impurity, which is not concave, has the gain {left} "
    "when $(9,1)$ is split into $(8,0)$ and $(1,1)$.",
    story=True,
)
def square_of_gini() -> Found:
    yield at_least("gain in Gini² ≥ 0", split_gain(squared_gini, [[8, 0], [1, 1]]), 0)


def largest_share(weights: Weights) -> Array:
    return np.asarray(class_shares(weights).max(axis=-1))


@concave.control(
    "The largest of linear functions, which is convex, will not do: the largest share has the gain {left} "
    "when $(10,4)$ is split into $(10,0)$ and $(0,4)$.",
)
def largest_of_linear_functions() -> Found:
    yield at_least("gain in the largest share ≥ 0", split_gain(largest_share, [[10, 0], [0, 4]]), 0)


@concave.control(
    "The weights are needed: the plain mean of the Gini impurities of $(8,0)$ and $(1,1)$ is {left}, "
    "above the {right} of their node $(9,1)$.",
    story=True,
)
def without_weights() -> Found:
    mean = (gini([8, 0]) + gini([1, 1])) / 2
    yield at_most("mean Gini of the children ≤ Gini of the node", mean, gini([9, 1]))


def error_gain(first_child: Weights, second_child: Weights) -> Number:
    return split_gain("misclassification", [first_child, second_child])


zero = Claim(
    "prp-zero-misclassification-gain",
    "equivalence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Remark 6",
    errata=("E18",),
    implements=(split_gain,),
    formula=Formula("eq-misclassification-gain", error_gain),
)


def common_plurality(children: Weights) -> bool:
    """Whether some class has the largest count in both children."""
    first, second = children
    return any(x == max(first) and y == max(second) for x, y in zip(first, second, strict=True))


@zero.check("every split of every small node, both directions")
def zero_gain_of_small_splits(rng: np.random.Generator) -> Found:
    for children in small_splits():
        gain = split_gain("misclassification", children)
        at = f"children {children[0]} and {children[1]}"
        if common_plurality(children):
            yield equal("gain = 0", gain, 0, at=at)
        else:
            yield less_than("0 < gain", 0, gain, at=at)


@zero.check("the example: (10, 4) into (7, 1) and (3, 3)")
def an_example(rng: np.random.Generator) -> Found:
    children = [[7, 1], [3, 3]]
    yield equal("gain in misclassification = 0", split_gain("misclassification", children), 0)
    yield equal("gain in Gini = 27/392", split_gain("gini", children), Fraction(27, 392))


@zero.control(
    r"A gain of 0 does not need one class with more than half of both children: $(10,4)\to(7,1),(3,3)$ "
    "gains {right}, although the two classes tie in $(3,3)$."
)
def more_than_half() -> Found:
    yield less_than(
        "0 < gain", 0, split_gain("misclassification", [[7, 1], [3, 3]]), at="(10, 4) into (7, 1) and (3, 3)"
    )


@zero.control(
    r"Misclassification is not linear, and splits can gain in it: $(10,4)\to(10,0),(0,4)$ gains {left}, "
    "not {right}."
)
def linear() -> Found:
    yield equal("gain = 0", split_gain("misclassification", [[10, 0], [0, 4]]), 0, at="(10, 4) into (10, 0) and (0, 4)")


def gini_gain(share: Number, first_shares: Array, second_shares: Array) -> Number:
    return split_gain("gini", [share * first_shares, (1 - share) * second_shares])


def entropy_gain(share: Number, first_shares: Array, second_shares: Array) -> Number:
    return split_gain("entropy", [share * first_shares, (1 - share) * second_shares])


strict = Claim(
    "prp-strict-gain",
    "equivalence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Remark 6",
    errata=("E17",),
    implements=(split_gain,),
    formula=(
        Formula("eq-gini-gain", gini_gain),
        Formula("eq-information-gain", entropy_gain, numbers="balls"),
    ),
)


@strict.check("every split of every small node: gains are positive where proportions differ, Gini's is 0 where not")
def gains_of_small_splits(rng: np.random.Generator) -> Found:
    for children in small_splits():
        at = f"children {children[0]} and {children[1]}"
        gain = split_gain("gini", children)
        if proportional(children):
            yield equal("gain in Gini = 0", gain, 0, at=at)
        else:
            yield less_than("0 < gain in Gini", 0, gain, at=at)
            yield less_than("0 < gain in entropy", 0, information_gain(children), at=at)


@strict.check("children with the same proportions gain nothing in entropy, for all weights of two classes")
def proportional_children_gain_nothing(rng: np.random.Generator) -> Found:
    gain = split_gain("entropy", [[a, b], [c * a, c * b]])
    yield proved("gain in entropy = 0", vanishes(gain))


@strict.check("every split of the four XOR points by a threshold on one feature")
def splits_of_xor(rng: np.random.Generator) -> Found:
    X, y = xor_sample()
    for feature in X.T:
        found = threshold_splits(feature, y, 2)
        yield equal("thresholds that leave no child empty = 1", len(found.thresholds), 1)
        for children in found.children:
            for name in ("misclassification", "gini", "entropy"):
                yield equal(f"gain in {name.replace('gini', 'Gini')} = 0", split_gain(name, children), 0)


@strict.control(
    "Even a strictly concave impurity need not fall: both splits of the XOR points by a threshold on "
    "one feature gain {right} in Gini impurity.",
    story=True,
)
def every_split_gains() -> Found:
    X, y = xor_sample()
    for feature in X.T:
        yield less_than(
            "0 < gain of the split of XOR", 0, split_gain("gini", threshold_splits(feature, y, 2).children[0])
        )


gains = Claim(
    "prp-gains-in-order",
    "lower bound",
    "exact",
    source="mohri2018",
    where="this book; §9.3.3 orders the impurities, not the gains",
    implements=(split_gain, gini_gain_bound, entropy_gain_bound),
    formula=(
        Formula("eq-entropy-gain-bound", entropy_gain_bound, numbers="balls"),
        Formula("eq-gini-gain-bound", gini_gain_bound, side=1),
        Formula("eq-gini-gain-bound", gini_gain_bound, fixed={"share": Fraction(1, 2)}),
    ),
)


def gain_bounds(children: Weights) -> Found:
    """The inequalities for two children."""
    in_error, in_gini = split_gain("misclassification", children), split_gain("gini", children)
    if not proportional(children):
        yield less_than("GG / ln 2 < gain in entropy", entropy_gain_bound(ball(in_gini)), information_gain(children))
    share = Fraction(sum(children[0]), sum(children[0]) + sum(children[1]))
    yield at_least("gain in Gini ≥ MG²/2η(1 − η)", in_gini, gini_gain_bound(in_error, share))
    yield at_least("MG²/2η(1 − η) ≥ 2 MG²", gini_gain_bound(in_error, share), 2 * in_error**2)


@gains.check("every split of every small node")
def gains_of_small_splits_in_order(rng: np.random.Generator) -> Found:
    for children in small_splits():
        yield from gain_bounds(children)


@gains.check("random splits into three to five children: entropy against Gini")
def several_children(rng: np.random.Generator) -> Found:
    for _ in range(60):
        children = 1 + rng.integers(0, 20, (rng.integers(3, 6), rng.integers(2, 7)))
        least = entropy_gain_bound(ball(split_gain("gini", children)))
        yield at_least("gain in entropy ≥ GG / ln 2", information_gain(children), least)


@gains.check("two classes, for all shares: entropy in nats less Gini is concave")
def difference_is_concave(rng: np.random.Generator) -> Found:
    p = sympy.Symbol("p", positive=True)
    difference = sympy.log(2) * entropy([p, 1 - p]) - gini([p, 1 - p])
    falling = -sympy.diff(difference, p, 2).subs(p, a / (a + b))
    yield proved("−second derivative ≥ 0", prove_sign(falling, (a - b) ** 2 / (a * b)))


def even_split(t: Fraction) -> list[list[Fraction]]:
    """(1/2, 1/2) into two halves with the shares 1/2 ± t."""
    return [[Fraction(1, 2) + t, Fraction(1, 2) - t], [Fraction(1, 2) - t, Fraction(1, 2) + t]]


@gains.extremal(
    "two equal classes into halves with the shares ½ ± t: equality in Gini for every t, in entropy as t → 0",
)
def halves() -> Found:
    for t in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)):
        children = even_split(t)
        in_error, in_gini = split_gain("misclassification", children), split_gain("gini", children)
        yield equal("gain in Gini = 2 MG²", in_gini, 2 * in_error**2, at=f"t = {t}", statement=True)
        yield equal(
            "gain in Gini = MG²/2η(1 − η)",
            in_gini,
            gini_gain_bound(in_error, Fraction(1, 2)),
            at=f"t = {t}",
            statement=True,
        )
        # The gains are differences of numbers near 1: more digits leave some for small t.
        yield at_least(
            "gain in entropy ≥ GG / ln 2",
            information_gain(children),
            entropy_gain_bound(ball(in_gini)),
            at=f"t = {t}",
            statement=True,
        )


@gains.strengthened(
    r"The constant $\frac1{\ln2}$ is the best possible: a thousandth more would ask for {right}, but "
    r"halves with the shares $\frac12\pm\frac1{100}$ gain only {left} bits.",
    by=Fraction(1001, 1000),
    story=True,
)
def constant_slightly_larger(by: Fraction) -> Found:
    children = even_split(Fraction(1, 100))
    least = entropy_gain_bound(ball(split_gain("gini", children)))
    yield at_least("gain in entropy ≥ GG / ln 2", information_gain(children), ball(by) * least)


@gains.strengthened(
    "The constant 2 is the best possible: a thousandth more would ask for {right}, but halves with the "
    r"shares $\frac12\pm\frac1{10}$ gain only {left}.",
    by=Fraction(1001, 1000),
)
def two_slightly_larger(by: Fraction) -> Found:
    children = even_split(Fraction(1, 10))
    in_error = split_gain("misclassification", children)
    yield at_least(
        "gain in Gini ≥ MG²/2η(1 − η)", split_gain("gini", children), by * gini_gain_bound(in_error, Fraction(1, 2))
    )


@gains.control(
    "Twice the gain in Gini impurity, as for the impurities themselves, is too much: halves with the "
    r"shares $\frac12\pm\frac1{100}$ gain only {left} bits, less than {right}."
)
def ratio_of_the_levels() -> Found:
    children = even_split(Fraction(1, 100))
    yield at_least("gain in entropy ≥ 2 GG", information_gain(children), 2 * split_gain("gini", children))


@gains.control(
    "There must be two children: when three equal classes are split into three pure children, the gain "
    r"in Gini impurity is {left}, less than $2\,\mathrm{MG}^2$, which is {right}."
)
def three_children() -> Found:
    children = np.eye(3, dtype=int)
    yield at_least(
        "gain in Gini ≥ 2 MG²", split_gain("gini", children), 2 * split_gain("misclassification", children) ** 2
    )
