"""Reading: from observations and weights to labels, in blocks that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.blas import limited_blas
from mcbook.foundation.types import Floats, Labels
from mcbook.structured.algorithm.features import JointFeatures, Structures, entries_of

# So many scores at a time.
_BLOCK = 1 << 16


def read_labels(features: JointFeatures, w: Floats, data: Structures, *, n_jobs: int = 1) -> Labels:
    """The best labelling of every sequence, as `best_labelling` of the scores finds it, without all scores at once.

    >>> from mcbook.structured import chains, structures
    >>> read_labels(JointFeatures(1, 2), np.arange(10.0), structures([[1.0], [2.0]], chains([2]))).tolist()
    [1, 1]
    """
    labels = np.empty(data.forest.n_positions, dtype=np.int64)
    read = (_read_sparse if sp.issparse(data.X) else _read_dense)(features, w, data, labels)
    with limited_blas(1):
        if n_jobs == 1:
            read(0, 1)
        else:
            with ThreadPoolExecutor(n_jobs) as pool:
                list(pool.map(lambda job: read(job, n_jobs), range(n_jobs)))
    return labels


def _read_dense(features: JointFeatures, w: Floats, data: Structures, labels: Labels) -> Callable[[int, int], None]:
    """In blocks, whose scores are one product of matrices."""
    from mcbook.structured.kernels import read_scores

    k = features.n_labels
    blocks = list(data.forest.blocks(max(1, _BLOCK // k)))

    def read(job: int, n_jobs: int) -> None:
        for forest, at in blocks[job::n_jobs]:
            E, T = features.scores(w, Structures(data.X[at], forest))
            read_scores(E, np.ascontiguousarray(T.T), forest.parents, labels[at])

    return read


def _read_sparse(features: JointFeatures, w: Floats, data: Structures, labels: Labels) -> Callable[[int, int], None]:
    """Sequence by sequence, from the few entries of their rows."""
    from mcbook.structured.kernels import read_sequences

    table, forest = np.ascontiguousarray(w, dtype=float).reshape(features.shape), data.forest
    turned, entries = np.ascontiguousarray(features.parts(w).T.T), entries_of(data.X)

    def read(job: int, n_jobs: int) -> None:
        first, last = (forest.n_sequences * part // n_jobs for part in (job, job + 1))
        read_sequences(*entries, forest.offsets, forest.within, table, turned, first, last, labels)

    return read
