"""How many labellings and rankings linear scores make of given points: complete, with exact certificates.

Shapes: ``X (n_points, n_features)``, and two options for each point.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from mcbook.constraint_classification.theory.constraints import kesler_embedding
from mcbook.foundation.checks import require_one_of
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.types import Array, Exact

Pattern: TypeAlias = Literal["labels", "rankings"]
Options = Sequence[tuple[int, int]]


def realised_patterns(X: Array, n_classes: int, what: Pattern = "labels") -> list[tuple[tuple[int, ...], ...]]:
    """All tuples of labels, or of rankings, that linear scores without ties give to the rows of X.

    A tree search over the points: a tuple that no W makes of the first points is not continued, and whether some W does
    is decided in integers.  ``what="labels"``: one label for each point, the strict winner; "rankings": all labels from
    best to worst.

    Source: Roth (2018), slide on the VC bound.

    >>> [len(realised_patterns(np.eye(2), k)) for k in (2, 3)]
    [4, 9]
    """
    require_one_of(what, Pattern, "what")
    points = rational(X)
    choices = [(z,) for z in range(n_classes)] if what == "labels" else list(itertools.permutations(range(n_classes)))
    patterns: list[tuple[tuple[int, ...], ...]] = [()]
    for p in range(len(points)):
        longer = ((*pattern, choice) for pattern in patterns for choice in choices)
        patterns = [pattern for pattern in longer if _is_realised(points[: p + 1], pattern, n_classes)]
    return patterns


def _is_realised(points: Exact, pattern: tuple[tuple[int, ...], ...], n_classes: int) -> bool:
    rows = [
        kesler_embedding(x, i, j, n_classes)
        for x, choice in zip(points, pattern, strict=True)
        for i, j in _asked(choice, n_classes)
    ]
    return strict_alternative(np.array(rows, dtype=object)).solvable


def _asked(choice: tuple[int, ...], n_classes: int) -> Iterator[tuple[int, int]]:
    """The pairs (preferred, rival) that say that a label wins, or that a ranking holds."""
    if len(choice) == 1:
        return ((choice[0], z) for z in range(n_classes) if z != choice[0])
    return itertools.pairwise(choice)


def is_shattered(X: Array, options: Options, n_classes: int) -> bool:
    """Whether each point can be given either of its two options, in all combinations, as the strict winner.

    Source: this book; sharper than the VC bound of Roth's slides (2018), for the dimension of Natarajan (1989).

    >>> is_shattered(np.eye(2), [(0, 1), (0, 1)], 2)
    True
    """
    points = rational(X)
    choices = itertools.product(*[((a,), (b,)) for a, b in options])
    return all(_is_realised(points, choice, n_classes) for choice in choices)


def is_shattered_on_a_line(options: Options) -> bool:
    """The same for affine scores and distinct points of a line, in their order.

    Lines have an upper envelope with any order of labels and any break points, and every label wins on one interval;
    so a labelling occurs exactly when each label stands in one block.

    Source: this book; sharper than the VC bound of Roth's slides (2018), for the dimension of Natarajan (1989).

    >>> is_shattered_on_a_line([(0, 1), (0, 1)]), is_shattered_on_a_line([(0, 1), (1, 2), (0, 1)])
    (True, False)
    """
    return all(_in_blocks(choice) for choice in itertools.product(*options))


def _in_blocks(labels: Sequence[int]) -> bool:
    blocks = [label for label, _ in itertools.groupby(labels)]
    return len(set(blocks)) == len(blocks)


def line_shatterings(n_points: int, n_classes: int) -> Iterator[Options]:
    """All ways to give the points of a line two options each so that they are shattered; a complete search.

    Source: this book; sharper than the VC bound of Roth's slides (2018), for the dimension of Natarajan (1989).

    >>> list(line_shatterings(2, 2)), list(line_shatterings(3, 3))  # three labels never shatter three points
    ([((0, 1), (0, 1))], [])
    """
    pairs = list(itertools.combinations(range(n_classes), 2))
    begun: list[tuple[tuple[int, int], ...]] = [()]
    for _ in range(n_points):
        begun = [longer for one in begun for pair in pairs if is_shattered_on_a_line(longer := (*one, pair))]
    yield from begun
