"""Reading: from observations and weights to labels, in blocks that stay in the processor's cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mcbook.foundation.blas import limited_blas
from mcbook.foundation.types import Floats, Labels
from mcbook.structured.algorithm.features import JointFeatures, Structures

# So many scores at a time, and their back pointers beside them.
_BLOCK = 1 << 16


def read_labels(features: JointFeatures, w: Floats, data: Structures, *, n_jobs: int = 1) -> Labels:
    """The best labelling of every sequence, as `best_labelling` of the scores finds it, without all scores at once.

    >>> from mcbook.structured import chains, structures
    >>> read_labels(JointFeatures(1, 2), np.arange(10.0), structures([[1.0], [2.0]], chains([2]))).tolist()
    [1, 1]
    """
    from mcbook.structured.kernels import viterbi

    k = features.n_labels
    labels = np.empty(data.forest.n_positions, dtype=np.int64)
    blocks = list(data.forest.blocks(max(1, _BLOCK // k)))
    most = max(at.stop - at.start for _, at in blocks)

    def read(chosen: int) -> None:
        follows = np.empty((most, k), dtype=np.int64)
        for forest, at in blocks[chosen::n_jobs]:
            E, T = features.scores(w, Structures(data.X[at], forest))
            viterbi(E, np.ascontiguousarray(T.T), forest.parents, follows[: len(E)], labels[at])

    with limited_blas(1):
        if n_jobs == 1:
            read(0)
        else:
            with ThreadPoolExecutor(n_jobs) as pool:
                list(pool.map(read, range(n_jobs)))
    return labels
