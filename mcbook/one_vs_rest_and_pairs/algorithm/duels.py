"""Duels between classes: votes, champions, knock-out tournaments, and all tournaments there are.

``outcomes (n, k (k - 1) / 2)`` hold the duels of the pairs i < j in lexicographic order: positive where i wins,
negative where j does; the duel of j against i is the same one with the other sign, h_ji = -h_ij.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Array, Integers, Labels
from mcbook.foundation.vocabulary import MARKED
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code

# The largest number of classes of which all tournaments are listed: 2^15 of them.
_MOST_LISTED = 6
# Where there is no champion.
NOBODY = -1


def votes(outcomes: Array, n_classes: int) -> Integers:
    """How many of its k - 1 duels each class wins, shape (n, k).

    In the second row 0 beats 1, 1 beats 2 and 2 beats 0.

    >>> votes([[1, 1, 1], [1, -1, 1]], 3).tolist()
    [[2, 1, 0], [1, 1, 1]]
    """
    outcomes, M = _checked(outcomes, n_classes), all_pairs_code(n_classes)
    first, second = (M > 0).T.astype(np.int64), (M < 0).T.astype(np.int64)
    return np.asarray((outcomes > 0) @ first + (outcomes < 0) @ second)


def majority(outcomes: Array, n_classes: int, ties: Literal["first", "mark"] = "first") -> Labels:
    """The class with most votes; among equals the first, or -1 with ``ties="mark"``.

    >>> majority([[1, 1, -1]], 3)
    array([0])
    """
    require_one_of(ties, ("first", "mark"), "ties")
    counts = votes(outcomes, n_classes)
    winners = counts.argmax(axis=1)
    if ties == "mark":
        winners[(counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1] = MARKED
    return winners


def champion(outcomes: Array, n_classes: int) -> Labels:
    """The class that wins all its duels, or -1 where there is none.

    >>> champion([[1, 1, 1], [1, -1, 1]], 3).tolist()
    [0, -1]
    """
    counts = votes(outcomes, n_classes)
    return np.where((counts == n_classes - 1).any(axis=1), counts.argmax(axis=1), NOBODY)


def knock_out(outcomes: Array, order: Sequence[int]) -> tuple[Labels, int]:
    """The winners of a knock-out tournament with the classes seeded in this order, and the number of duels played.

    Where the duels go round in a circle the order decides; of a drawn duel the class that comes later goes on:

    >>> [knock_out(np.array([[1, -1, 1]]), order)[0].tolist() for order in ([0, 1, 2], [1, 2, 0])]
    [[2], [0]]
    >>> [knock_out(np.zeros((1, 3)), order)[0].tolist() for order in ([0, 1, 2], [1, 2, 0])]
    [[2], [0]]
    """
    n_classes = len(order)
    outcomes = _checked(outcomes, n_classes)
    if sorted(order) != list(range(n_classes)):
        raise ValueError(f"expected an order of the classes 0 .. {n_classes - 1}, got {list(order)}")
    rows, number = np.arange(len(outcomes)), pair_numbers(n_classes)

    def winners(first: Labels, second: Labels) -> Labels:
        results = outcomes[rows, number[first, second]] * np.where(first < second, 1, -1)
        return np.where(results > 0, first, second)

    return play(order, len(outcomes), winners)


def play(order: Sequence[int], n: int, winners: Callable[[Labels, Labels], Labels]) -> tuple[Labels, int]:
    """Rounds of duels between neighbours, the last one of an odd number passing, until one class is left.

    ``winners(first, second)`` says who wins, for each of the n examples.
    """
    left = [np.full(n, label, dtype=np.int64) for label in order]
    n_duels = 0
    while len(left) > 1:
        duels = list(zip(left[::2], left[1::2], strict=False))
        n_duels += len(duels)
        left = [winners(first, second) for first, second in duels] + left[2 * len(duels) :]
    return left[0], n_duels


def all_tournaments(n_classes: int) -> Integers:
    """The outcomes of all 2^(k (k - 1) / 2) tournaments, one row for each.

    >>> all_tournaments(2).tolist(), all_tournaments(4).shape
    ([[1], [-1]], (64, 6))
    """
    if not 2 <= n_classes <= _MOST_LISTED:
        raise ValueError(f"expected 2 to {_MOST_LISTED} classes, got {n_classes}: there would be too many tournaments")
    n_pairs = n_classes * (n_classes - 1) // 2
    return np.array(list(itertools.product((1, -1), repeat=n_pairs)))


def pair_numbers(n_classes: int) -> Integers:
    """The number of the column of the pair {i, j}, as a symmetric matrix."""
    number = np.zeros((n_classes, n_classes), dtype=np.int64)
    for column, (i, j) in enumerate(itertools.combinations(range(n_classes), 2)):
        number[i, j] = number[j, i] = column
    return number


def _checked(outcomes: Array, n_classes: int) -> Array:
    outcomes = np.asarray(outcomes)
    n_pairs = n_classes * (n_classes - 1) // 2
    if n_classes < 2 or outcomes.ndim != 2 or outcomes.shape[1] != n_pairs:
        raise ValueError(
            f"expected outcomes (n, {n_pairs}), one column for each pair of {n_classes} classes, "
            f"got shape {outcomes.shape}"
        )
    return outcomes
