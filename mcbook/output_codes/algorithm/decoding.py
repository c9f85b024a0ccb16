"""From the outputs of the binary problems to a label: the class whose row fits them at the smallest loss.

With outputs ``F (n_samples, n_columns)`` and a code ``M (n_classes, n_columns)`` the distance of row r from the
outputs f is  sum_s L(M_rs f_s).  The zero-one loss, (1 - sign z) / 2, makes it the Hamming distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.losses import find_loss, zero_one

Array = NDArray[Any]
Loss = Callable[[Any], Any]

TIES = ("smallest label", "margin", "mark")
MARKED = -1

# So many intermediate numbers at a time: decoding never needs more memory than this beyond what it returns.
_BLOCK_ENTRIES = 2**20


def find_decoder(decoder: Any) -> Loss:
    """The loss to decode with: 'hamming', the name of a loss of the catalogue, a loss, or any function of arrays."""
    if isinstance(decoder, str):
        return zero_one if decoder == "hamming" else find_loss(decoder)
    if not callable(decoder):
        raise ValueError(f"expected 'hamming', the name of a loss, or a function of the margin; got {decoder!r}")
    return decoder


def decoding_distances(F: Array, M: Array, loss: Any = "hamming") -> Array:
    """sum_s L(M_rs f_s) for every example and class, shape (n_samples, n_classes).

    Outputs of ints and fractions (dtype object) are decoded exactly if the loss is.
    """
    return -decoding_scores(F, M, loss)


def decoding_scores(F: Array, M: Array, loss: Any = "hamming", ties: str = "smallest label") -> Array:
    """Minus the distances, so that the largest score wins, shape (n_samples, n_classes).

    With ``ties="margin"`` Hamming scores get the margins sum_s M_rs f_s added, squeezed into less than half a flip: the
    order of unequal distances stays, and equal ones are ordered by the margin.
    """
    F, M = _checked(F, M)
    scores = _scores_for(M, loss, ties)
    parts = [scores(part) for part in _blocks(F, M)]
    return np.concatenate(parts) if parts else np.empty((0, len(M)))


def decode(F: Array, M: Array, loss: Any = "hamming", ties: str = "smallest label") -> NDArray[np.int64]:
    """The class at the smallest distance, for every example.

    Where several classes share it, ``ties`` decides: "smallest label"; "margin", which in Hamming decoding takes among
    them the class with the largest sum_s M_rs f_s, and of equals the smallest label (other losses know the margins
    already); or "mark", which gives -1 instead of a label.  Distances tie when they are equal numbers: in floating
    point those of most losses rarely do, Hamming distances often.
    """
    F, M = _checked(F, M)
    scores = _scores_for(M, loss, ties)
    labels = np.empty(len(F), dtype=np.int64)
    start = 0
    for part in _blocks(F, M):
        table = scores(part)
        chosen = table.argmax(axis=1)
        if ties == "mark":
            chosen[(table == table.max(axis=1, keepdims=True)).sum(axis=1) > 1] = MARKED
        labels[start : start + len(part)] = chosen
        start += len(part)
    return labels


def _scores_for(M: Array, loss: Any, ties: str) -> Callable[[Array], Array]:
    if ties not in TIES:
        raise ValueError(f"ties must be one of {', '.join(map(repr, TIES))}; got {ties!r}")
    loss = find_decoder(loss)
    distances = _distances_of(M, loss)
    if ties != "margin" or loss is not zero_one:
        return lambda F: -distances(F)

    def scores(F: Array) -> Array:
        margins = F @ M.T
        # Hamming distances differ by 1/2 at least, the squeezed margins by less than 2/5.
        return margins / (5 * (1 + np.abs(margins))) - distances(F)

    return scores


def _distances_of(M: Array, loss: Loss) -> Callable[[Array], Array]:
    """The function from outputs to distances for this code and loss."""
    if not np.isin(M, (-1, 0, 1)).all():
        return lambda F: np.stack([loss(F * row).sum(axis=1) for row in M], axis=1)
    # Entries of three kinds only: the losses of f and -f are found once and summed by matrix products.
    positive, negative = np.asarray(M == 1, M.dtype).T, np.asarray(M == -1, M.dtype).T
    ignored = (M == 0).sum(axis=1)

    def distances(F: Array) -> Array:
        total = loss(F) @ positive + loss(-F) @ negative
        return total + ignored * loss(0 * F[:1, :1])[0, 0] if ignored.any() else total

    return distances


def _blocks(F: Array, M: Array) -> Iterator[Array]:
    size = max(1, _BLOCK_ENTRIES // max(M.shape))
    for start in range(0, len(F), size):
        part = F[start : start + size]
        if part.dtype != object and not np.isfinite(part).all():
            raise ValueError("expected finite outputs, got NaN or infinity: look at the binary learner")
        yield part


def _checked(F: Array, M: Array) -> tuple[Array, Array]:
    F, M = np.asarray(F), np.asarray(M)
    if F.ndim != 2 or M.ndim != 2 or F.shape[1] != M.shape[1]:
        raise ValueError(
            "expected outputs (n_samples, n_columns) and a code (n_classes, n_columns) with as many columns, "
            f"got shapes {F.shape} and {M.shape}"
        )
    if F.dtype == object:
        # Fractions throughout, so that no quotient of ints turns into a float.
        return np.asarray(np.frompyfunc(Fraction, 1, 1)(F)), M.astype(object)
    return F.astype(float, copy=False), M.astype(float)
