"""Decode: from observations and weights to labels, in blocks that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.blas import limited_blas
from mcbook.foundation.types import Floats, Labels
from mcbook.structured.algorithm.features import JointFeatures, Structures, entries_of

# The number of scores at a time.
_BLOCK = 1 << 18

# Reads the sequences first .. last - 1.
_Decoder = Callable[[int, int], None]


def decode_labels(features: JointFeatures, w: Floats, data: Structures, *, n_jobs: int = 1) -> Labels:
    """The best labelling of every sequence, as `best_labelling` of the scores finds it, without all scores at once.

    >>> from mcbook.structured import chains, structures
    >>> decode_labels(JointFeatures(1, 2), np.arange(10.0), structures([[1.0], [2.0]], chains([2]))).tolist()
    [1, 1]
    """
    labels = np.empty(data.forest.n_positions, dtype=np.int64)
    read = (_of_sparse if sp.issparse(data.X) else _of_dense)(features, w, data, labels)
    n_jobs = min(n_jobs, data.forest.n_sequences)
    ends = [data.forest.n_sequences * job // n_jobs for job in range(n_jobs + 1)]
    with limited_blas(1):
        if n_jobs == 1:
            read(0, data.forest.n_sequences)
        else:
            # This thread works, too.
            with ThreadPoolExecutor(n_jobs - 1) as pool:
                others = [pool.submit(read, *ends[job : job + 2]) for job in range(1, n_jobs)]
                read(*ends[:2])
                for other in others:
                    other.result()
    return labels


def _of_sparse(features: JointFeatures, w: Floats, data: Structures, labels: Labels) -> _Decoder:
    """From the few entries of their rows: chains side by side, trees one after the other."""
    from mcbook.structured.kernels import read_sequences
    from mcbook.structured.kernels.side_by_side import read_chains

    (table, turned), forest, entries = _tables(features, w), data.forest, entries_of(data.X)
    if forest.n_children.max() <= 1:
        return lambda first, last: read_chains(entries, forest.offsets, first, last, table, turned, labels)
    return lambda first, last: read_sequences(
        *entries, forest.offsets, forest.within, table, turned, first, last, labels
    )


def _of_dense(features: JointFeatures, w: Floats, data: Structures, labels: Labels) -> _Decoder:
    """In blocks, whose scores are one product of matrices."""
    from mcbook.structured.kernels import read_scores
    from mcbook.structured.kernels.side_by_side import read_chains

    (table, turned), offsets = _tables(features, w), data.forest.offsets
    W, is_chains = table[: features.n_features], data.forest.n_children.max() <= 1
    most = max(1, _BLOCK // features.n_labels)

    def read(first: int, last: int) -> None:
        while first < last:
            until = int(np.searchsorted(offsets, offsets[first] + most, side="right")) - 1
            until = min(max(until, first + 1), last)
            at = slice(int(offsets[first]), int(offsets[until]))
            if is_chains:
                E = data.X[at] @ W
                own = offsets[first : until + 1] - at.start
                read_chains((E,), own, 0, until - first, table, turned, labels[at])
            else:
                forest, _ = data.forest.only(np.arange(first, until))
                scores = features.scores(w, Structures(data.X[at], forest))
                read_scores(scores.E, turned, forest.parents, labels[at])
            first = until

    return read


def _tables(features: JointFeatures, w: Floats) -> tuple[Floats, Floats]:
    """The weights as one table, and those of pairs turned."""
    table = np.ascontiguousarray(w, dtype=float).reshape(features.shape)
    return table, np.ascontiguousarray(features.parts(table).T.T)
