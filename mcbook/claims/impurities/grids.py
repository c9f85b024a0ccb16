"""What the chapter's claims share: rational simplices, all small splits, and entropies that know their rounding."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy

from mcbook.foundation.numbers import ball, is_exact
from mcbook.foundation.proof.exact import count_vectors
from mcbook.foundation.proof.rigorous import Expression, Proof, prove_identity
from mcbook.foundation.types import Number
from mcbook.impurities import entropy, split_gain
from mcbook.impurities.instances import integer_splits
from mcbook.impurities.theory.impurity import Weights

Counts = tuple[int, ...]

# The points with a common denominator on the simplex: of k classes those with the sum n.
SIMPLICES = ((2, 24), (3, 12), (4, 12), (5, 10))
# All splits of all nodes with at most n examples of k classes.
NODES = ((2, 12), (3, 7))

balls = np.frompyfunc(ball, 1, 1)


def simplex_points() -> Iterator[Counts]:
    """Class counts whose shares are the points of the rational simplices."""
    for n_classes, total in SIMPLICES:
        yield from count_vectors(total, n_classes)


def small_splits() -> Iterator[tuple[Counts, Counts]]:
    """All splits into two children of all small nodes."""
    for n_classes, most in NODES:
        for total in range(2, most + 1):
            for counts in count_vectors(total, n_classes):
                yield from integer_splits(counts)


def known_entropy(counts: Counts) -> Number:
    """The entropy: a fraction where it is one that is seen at once, else a ball."""
    value = entropy(counts)
    return value if is_exact(value) else entropy(balls(counts))


def information_gain(children: Weights) -> Number:
    return split_gain("entropy", balls(children))


def is_uniform_on(counts: Counts, *sizes: int) -> bool:
    """Whether the classes that occur are equally frequent, and so many (any number, if none is given)."""
    positive = [count for count in counts if count]
    return len(set(positive)) == 1 and (not sizes or len(positive) in sizes)


def shown(counts: Weights) -> str:
    """Class counts as evidence names them."""
    return "(" + ", ".join(map(str, counts)) + ")"


def vanishes(difference: Expression) -> Proof:
    """That a difference in symbols is 0 everywhere: its numerator is, once logarithms of products are taken apart."""
    factored = difference.replace(sympy.log, lambda argument: sympy.log(sympy.factor(argument)))
    return prove_identity(sympy.expand(sympy.numer(sympy.together(sympy.expand_log(factored)))), 0)
