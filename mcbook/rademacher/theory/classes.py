"""Finite classes of functions, each given by its values on a sample: arrays (n_functions, n_samples)."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from mcbook.foundation.checks import require_whole
from mcbook.foundation.types import Array, ArrayLike


def values_matrix(values: ArrayLike) -> Array:
    """The values as an array (n_functions, n_samples), or an error that says what is wrong with them."""
    table = np.asarray(values)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(
            f"expected values (n_functions, n_samples) of at least one function on one point, got shape {table.shape}"
        )
    return table


def all_patterns(n_samples: int, symbols: tuple[int, ...] = (-1, 1)) -> Array:
    """Every function from the sample to the symbols, one in each row; by default every pattern of signs.

    >>> all_patterns(2).tolist()
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    return np.array(list(itertools.product(symbols, repeat=n_samples)), dtype=np.int64)


def combined_class(operation: Callable[[Array, Array], Array], *families: ArrayLike) -> Array:
    """All operation(h_1, ..., h_l) with every h_j chosen from its family independently of the others.

    Source: Mohri et al. (2018), (9.7) to (9.9).

    >>> combined_class(np.add, np.array([[1, 2]]), np.array([[0, 0], [5, 5]])).tolist()
    [[1, 2], [6, 7]]
    """
    tables = [values_matrix(family) for family in families]
    if not tables or len({table.shape[1] for table in tables}) != 1:
        raise ValueError(
            f"expected families on one and the same sample, got shapes {[table.shape for table in tables]}: "
            "evaluate all of them on the same points"
        )
    combined = tables[0]
    for table in tables[1:]:
        combined = operation(combined[:, None, :], table[None, :, :]).reshape(-1, table.shape[1])
    return combined


def maxima_class(*families: ArrayLike) -> Array:
    """{max(h_1, ..., h_l)}: the class of Lemma 9.1 of Mohri, Rostamizadeh and Talwalkar.

    >>> maxima_class(np.array([[1, -1]]), np.array([[0, 0], [2, -2]])).tolist()
    [[1, 0], [2, -1]]
    """
    return combined_class(np.maximum, *families)


def minima_class(*families: ArrayLike) -> Array:
    """{min(h_1, ..., h_l)}.

    >>> minima_class(np.array([[1, -1]]), np.array([[0, 0], [2, -2]])).tolist()
    [[0, -1], [1, -2]]
    """
    return combined_class(np.minimum, *families)


def products_class(*families: ArrayLike) -> Array:
    """{h_1 h_2 ... h_l}.

    >>> products_class(np.array([[-3], [3]]), np.array([[3]])).tolist()
    [[-9], [9]]
    """
    return combined_class(np.multiply, *families)


def block_class(n_classes: int, block: int) -> list[Array]:
    """Families for which the complexity of the maxima is the sum of the complexities.

    The sample has n_classes blocks of the given size.  Family j holds every pattern of signs on block j, and is -1 on
    the other blocks.

    >>> [family.shape for family in block_class(2, 2)]
    [(4, 4), (4, 4)]
    """
    require_whole(n_classes, "n_classes", at_least=1)
    require_whole(block, "block", at_least=1)
    patterns = all_patterns(block)
    families = []
    for j in range(n_classes):
        family = np.full((len(patterns), n_classes * block), -1, dtype=np.int64)
        family[:, j * block : (j + 1) * block] = patterns
        families.append(family)
    return families


def projected_class(scores: ArrayLike) -> Array:
    """Pi_1(H) = {x -> h(x, y)}: all scores as functions of x, from scores (n_hypotheses, n_samples, n_classes).

    Source: Mohri et al. (2018), section 9.2.

    >>> projected_class(np.array([[[1, 2], [3, 4]]])).tolist()
    [[1, 3], [2, 4]]
    """
    table = np.asarray(scores)
    if table.ndim != 3 or 0 in table.shape:
        raise ValueError(f"expected scores (n_hypotheses, n_samples, n_classes), got shape {table.shape}")
    return np.moveaxis(table, 2, 1).reshape(-1, table.shape[1])


def half_line_labellings(n_points: int) -> Array:
    """How half-lines [a, infinity) label points on a line: 0 .. 0 1 .. 1.

    >>> half_line_labellings(2).tolist()
    [[1, 1], [0, 1], [0, 0]]
    """
    return np.array([[int(i >= start) for i in range(n_points)] for start in range(n_points + 1)], dtype=np.int64)


def interval_labellings(n_points: int) -> Array:
    """How intervals label points on a line: a run of ones among zeros, or no ones at all.

    >>> len(interval_labellings(3))
    7
    """
    runs = [(0, 0), *itertools.combinations(range(n_points + 1), 2)]
    return np.array([[int(start <= i < end) for i in range(n_points)] for start, end in runs], dtype=np.int64)


def vc_dimension(labellings: ArrayLike) -> int:
    """The largest number of points on which all labellings with two symbols occur, by trying all sets of points.

    Source: Allwein et al. (2000), proof of Theorem 3.

    >>> vc_dimension(interval_labellings(4))
    2
    """
    table = values_matrix(labellings)
    if len(np.unique(table)) > 2:
        raise ValueError(f"expected labellings with two symbols, got {sorted(set(table.ravel().tolist()))[:10]}")
    n_points = table.shape[1]
    for size in range(1, n_points + 1):
        subsets = itertools.combinations(range(n_points), size)
        if not any(len({tuple(row) for row in table[:, subset].tolist()}) == 2**size for subset in subsets):
            return size - 1
    return n_points
