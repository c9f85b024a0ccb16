"""Splits that divide the classes: what they gain, and which of them gains most in Gini impurity and in entropy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.impurities.grids import Counts, information_gain, shown, vanishes
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Number
from mcbook.impurities import entropy, gini_gain_of_classes, split_gain
from mcbook.impurities.instances import integer_splits

Found = Iterator[Evidence]

a, b, c, d = sympy.symbols("a b c d", positive=True)


def entropy_gain_of_classes(share: Number) -> Number:
    """What a split gains whose first child has classes with this share of the examples."""
    return split_gain("entropy", [[share, 0], [0, 1 - share]])


of_classes = Claim(
    "prp-splits-of-classes",
    "upper bound",
    "exact",
    source="breiman1996splits",
    where="Specific optima; proved anew",
    implements=(split_gain, gini_gain_of_classes),
    formula=(
        Formula("eq-gains-of-classes", entropy_gain_of_classes, piece=0, numbers="balls"),
        Formula("eq-gains-of-classes", gini_gain_of_classes, piece=1),
    ),
    symbols=(
        Reading("a", "probability", arguments={"share": "a"}),
        Reading("b", means="1-a"),
        Reading("s_A", "probability", arguments={"first_squares": "s_A"}),
        Reading("s_B", "probability", arguments={"second_squares": "s_B"}),
    ),
)
NODES_OF_CLASSES = ((4, 3, 2), (5, 2, 2), (3, 3, 3), (4, 3, 1, 1), (8, 6, 3, 3), (2, 2, 2, 2), (3, 2, 2, 1, 1))


def divisions(counts: Counts) -> Iterator[tuple[list[Counts], Fraction]]:
    """Every division of the classes, the first class on the left: the children, and the share of the left one."""
    k = len(counts)
    for mask in itertools.product((1, 0), repeat=k - 1):
        sides = (1, *mask)
        left = tuple(n * side for n, side in zip(counts, sides, strict=True))
        right = tuple(n - x for n, x in zip(counts, left, strict=True))
        if sum(right):
            yield [left, right], Fraction(sum(left), sum(counts))


@of_classes.check("all divisions of the classes of random nodes of three to six classes: the gain in Gini")
def gini_of_divisions(rng: np.random.Generator) -> Found:
    for _ in range(8):
        counts = tuple(rng.integers(1, 9, int(rng.integers(3, 7))).tolist())
        for children, share in divisions(counts):
            squares = [sum(Fraction(n, sum(counts)) ** 2 for n in child) for child in children]
            yield equal("gain = b/a s_A + a/b s_B", split_gain("gini", children), gini_gain_of_classes(share, *squares))


@of_classes.check("one or two classes against one to three, for all weights: the gain in entropy is H₂(a)")
def entropy_of_divisions(rng: np.random.Generator) -> Found:
    for left, right in (([a], [b, c]), ([a], [b, c, d]), ([a, b], [c, d])):
        gain = split_gain("entropy", [[*left, *(0 for _ in right)], [*(0 for _ in left), *right]])
        share = sum(left) / (a + b + c + (d if d in right else 0))
        yield proved("gain = H₂(a)", vanishes(gain - entropy([share, 1 - share])))


@of_classes.check("every split of nodes of three to five classes, against the best division of the classes")
def no_split_gains_more(rng: np.random.Generator) -> Found:
    for counts in NODES_OF_CLASSES:
        nearest = min(abs(share - Fraction(1, 2)) for _, share in divisions(counts))
        most = entropy_gain_of_classes(ball(Fraction(1, 2) + nearest))
        for children in integer_splits(counts):
            gain = split_gain("gini", children)
            yield at_most(
                "gain in Gini ≤ gain with a largest class alone",
                gain,
                largest_alone(counts),
                at=f"children {children[0]} and {children[1]}",
            )
            whole = all(0 in pair for pair in zip(*children, strict=True))
            if whole and abs(Fraction(sum(children[0]), sum(counts)) - Fraction(1, 2)) == nearest:
                continue
            at = f"children {children[0]} and {children[1]}"
            yield less_than("gain in entropy < the largest", information_gain(children), most, at=at)


@of_classes.check("three classes: of all divisions, isolating a largest class has its share nearest to 1/2")
def three_classes(rng: np.random.Generator) -> Found:
    for counts in itertools.product(range(1, 8), repeat=3):
        nearest = min(abs(share - Fraction(1, 2)) for _, share in divisions(counts))
        share = Fraction(max(counts), sum(counts))
        yield equal("distance from 1/2 = the least", abs(share - Fraction(1, 2)), nearest, at=f"node {shown(counts)}")


def largest_alone(counts: Counts) -> Number:
    """The gain in Gini of the split that isolates a largest class."""
    place = counts.index(max(counts))
    alone = [n if label == place else 0 for label, n in enumerate(counts)]
    return split_gain("gini", [alone, [n - x for n, x in zip(counts, alone, strict=True)]])


@of_classes.extremal("the node (8, 6, 3, 3): the best split by Gini has a pure child, the best by entropy has none")
def eight_six_three_three() -> Found:
    pure, balanced = [[8, 0, 0, 0], [0, 6, 3, 3]], [[8, 0, 0, 3], [0, 6, 3, 0]]
    most = max(split_gain("gini", children) for children in integer_splits((8, 6, 3, 3)))
    yield equal(
        "largest gain in Gini = gain with the largest class alone", most, largest_alone((8, 6, 3, 3)), statement=True
    )
    yield equal("gain in Gini with the pure child = 33/100", split_gain("gini", pure), Fraction(33, 100))
    yield less_than(
        "gain in Gini of the balanced split < with the pure child",
        split_gain("gini", balanced),
        split_gain("gini", pure),
    )
    yield less_than(
        "gain in entropy with the pure child < of the balanced split",
        information_gain(pure),
        information_gain(balanced),
    )
    yield equal(
        "distance of a from 1/2 = 1/20",
        abs(Fraction(11, 20) - Fraction(1, 2)),
        min(abs(share - Fraction(1, 2)) for _, share in divisions((8, 6, 3, 3))),
    )


@of_classes.control(
    "Entropy need not isolate the largest class: in $(8,6,3,3)$ that split gains {left} bits, but the "
    "balanced split of the classes gains {right}.",
    story=True,
)
def entropy_with_the_largest_alone() -> Found:
    alone, balanced = [[8, 0, 0, 0], [0, 6, 3, 3]], [[8, 0, 0, 3], [0, 6, 3, 0]]
    yield at_least(
        "gain in entropy with the largest class alone ≥ of the balanced split",
        information_gain(alone),
        information_gain(balanced),
    )


@of_classes.control(
    "Gini impurity need not gain most with the shares nearest to a half: in $(8,6,3,3)$ the balanced "
    "split gains {left}, but isolating the largest class gains {right}."
)
def gini_with_equal_halves() -> Found:
    alone, balanced = [[8, 0, 0, 0], [0, 6, 3, 3]], [[8, 0, 0, 3], [0, 6, 3, 0]]
    yield at_least(
        "gain in Gini of the balanced split ≥ with the largest class alone",
        split_gain("gini", balanced),
        split_gain("gini", alone),
    )


@of_classes.control(
    "Isolating a smallest class is not as good: in $(4,3,2)$ it gains {left} in Gini impurity, and "
    "isolating the largest class gains {right}."
)
def smallest_class_alone() -> Found:
    yield at_least(
        "gain in Gini with the smallest class alone ≥ with the largest",
        split_gain("gini", [[4, 3, 0], [0, 0, 2]]),
        largest_alone((4, 3, 2)),
    )
