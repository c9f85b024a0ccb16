"""Sequences and trees of different sizes as flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mcbook.foundation.types import Array, ArrayLike, Integers


@dataclass(frozen=True)
class Forest:
    """Many chains or trees, one after the other.

    Sequence i has the positions ``offsets[i] .. offsets[i + 1] - 1``; ``parents (n_positions,)`` is the position before
    each, or above it in a tree, always an earlier one, and -1 at the first position of every sequence.

    >>> forest = chains([2, 3])
    >>> forest.n_sequences, forest.roots.tolist(), forest.leaves.tolist(), forest.sums(np.ones(5)).tolist()
    (2, [0, 2], [1, 4], [2.0, 3.0])
    """

    offsets: Integers
    parents: Integers

    @property
    def n_sequences(self) -> int:
        return len(self.offsets) - 1

    @property
    def n_positions(self) -> int:
        return len(self.parents)

    @property
    def lengths(self) -> Integers:
        return np.diff(self.offsets)

    @property
    def roots(self) -> Integers:
        """The first position of every sequence."""
        return self.offsets[:-1]

    @cached_property
    def n_children(self) -> Integers:
        return np.bincount(self.parents[self.parents >= 0], minlength=self.n_positions)

    @cached_property
    def leaves(self) -> Integers:
        """The positions without a child: of a chain the last one."""
        return np.flatnonzero(self.n_children == 0)

    @cached_property
    def children(self) -> Integers:
        """The positions with a parent, one for each edge."""
        return np.flatnonzero(self.parents >= 0)

    @cached_property
    def within(self) -> Integers:
        """The parents, counted within each sequence."""
        return np.where(self.parents < 0, -1, self.parents - np.repeat(self.roots, self.lengths))

    def sums(self, values: Array) -> Array:
        """One sum for each sequence, from one value for each position."""
        return np.asarray(np.add.reduceat(values, self.roots))

    def split(self, values: Array) -> list[Array]:
        """One array for each sequence."""
        return np.split(values, self.offsets[1:-1])

    def blocks(self, n_positions: int) -> Iterator[tuple[Forest, slice]]:
        """The sequences in blocks of at most so many positions, or of one sequence, each with its positions."""
        first = 0
        while first < self.n_sequences:
            last = int(np.searchsorted(self.offsets, self.offsets[first] + n_positions, side="right")) - 1
            last = max(last, first + 1)
            begin, end = (int(offset) for offset in self.offsets[[first, last]])
            parents = self.parents[begin:end]
            moved = np.where(parents < 0, -1, parents - begin)
            yield Forest(self.offsets[first : last + 1] - begin, moved), slice(begin, end)
            first = last

    def only(self, chosen: Array) -> tuple[Forest, Integers]:
        """The forest of the chosen sequences alone, in the order given, and the positions that are theirs."""
        chosen = np.atleast_1d(np.arange(self.n_sequences)[chosen])
        lengths = self.lengths[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        moved = np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        positions = np.arange(offsets[-1]) + moved
        parents = self.parents[positions]
        return Forest(offsets, np.where(parents < 0, -1, parents - moved)), positions


def chains(lengths: ArrayLike) -> Forest:
    """Chains of these lengths.

    >>> chains([2, 3]).parents.tolist()
    [-1, 0, -1, 2, 3]
    """
    lengths = np.atleast_1d(np.asarray(lengths))
    if lengths.dtype.kind not in "iu" or lengths.ndim != 1 or not lengths.size or (lengths < 1).any():
        raise ValueError(
            f"expected at least one sequence, and in each at least one position, got lengths {lengths.tolist()}: "
            "leave empty sequences out"
        )
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    parents = np.arange(-1, offsets[-1] - 1, dtype=np.int64)
    parents[offsets[:-1]] = -1
    return Forest(offsets, parents)


def rooted_trees(parents: Sequence[ArrayLike]) -> Forest:
    """Trees, each given by the parents of its nodes, counted within the tree: -1 first, then always an earlier node.

    >>> rooted_trees([[-1, 0, 0], [-1]]).parents.tolist()
    [-1, 0, 0, -1]
    """
    shifted, offsets = [], [0]
    for number, given in enumerate(parents):
        own = np.asarray(given, dtype=np.int64)
        if own.ndim != 1 or not own.size or own[0] != -1 or (own[1:] < 0).any() or (own >= np.arange(len(own))).any():
            raise ValueError(
                f"expected the parents of tree {number} to begin with -1, each further one an earlier node, "
                f"got {own.tolist()}: order the nodes from the root"
            )
        shifted.append(np.where(own < 0, -1, own + offsets[-1]))
        offsets.append(offsets[-1] + len(own))
    if not shifted:
        raise ValueError("expected at least one tree, got none")
    return Forest(np.array(offsets, dtype=np.int64), np.concatenate(shifted))
