"""From the outputs of the binary problems to a label: the class whose row fits them at the smallest loss.

With outputs ``F (n_samples, n_columns)`` and a code ``M (n_classes, n_columns)`` the distance of row r from the
outputs f is  sum_s L(M_rs f_s).  The zero-one loss, (1 - sign z) / 2, makes it the Hamming distance.

What is decoded for an example depends on nothing but its outputs: sums run in the order of the columns, and floats tie
where only rounding may have separated them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np

from mcbook.foundation.checks import require_finite, require_one_of
from mcbook.foundation.types import Array, Booleans, Function, Labels, Scalar, Values
from mcbook.foundation.vocabulary import MARKED, DecodingTies
from mcbook.losses import CATALOGUE
from mcbook.losses.theory.catalogue import find_loss, zero_one
from mcbook.output_codes.kernels import largest_margins, nearest_classes, summed_losses, tied_classes

# The most intermediate numbers at a time: they stay in the cache, and decoding needs little memory besides its result.
_BLOCK_ENTRIES = 2**17
# A loss is taken to be right to so many units in the last place, a sum to one more for each term.
_UNITS = 8
# In place of sizes of losses where they are the distances.
_EMPTY = np.empty(0)


def find_decoder(decoder: str | Function) -> Function:
    """The loss to decode with: 'hamming', the name of a loss of the catalogue, a loss, or any function of arrays.

    >>> find_decoder("hamming")(np.array([2.0, 0.0, -1.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    if isinstance(decoder, str):
        return find_loss(decoder)
    if not callable(decoder):
        raise ValueError(f"expected 'hamming', the name of a loss, or a function of the margin; got {decoder!r}")
    return decoder


def decoding_distances(F: Array, M: Array, loss: str | Function = "hamming") -> Array:
    """sum_s L(M_rs f_s) for every example and class, shape (n_samples, n_classes).

    Outputs of ints and fractions (dtype object) are decoded exactly if the loss is.

    >>> decoding_distances([[0.5, -2.0]], [[1, 1], [1, -1]], "hinge")
    array([[3.5, 0.5]])
    """
    F, rule = _prepared(F, M, loss, "first")
    return _joined([rule.distances(part)[0] for part in _blocks(F, rule.M)], np.empty((0, len(rule.M))))


def decoding_scores(F: Array, M: Array, loss: str | Function = "hamming", ties: DecodingTies = "first") -> Array:
    """Minus the distances, so that the first of the largest scores belongs to the class that `decode` gives.

    Shape (n_samples, n_classes).  With ``ties="margin"`` Hamming scores get the margins sum_s M_rs f_s added, divided
    by five times the largest that they can be: unequal distances stay in order, equal ones are ordered by the margin,
    and the scale of the outputs does not matter.

    >>> decoding_scores([[0.5, -2.0]], [[1, 1], [1, -1]], "hinge").tolist()
    [[-3.5, -0.5]]
    """
    F, rule = _prepared(F, M, loss, "margin" if ties == "margin" else "first")
    return _joined([rule.scores(part) for part in _blocks(F, rule.M)], np.empty((0, len(rule.M))))


def decode(F: Array, M: Array, loss: str | Function = "hamming", ties: DecodingTies = "first") -> Labels:
    """The class at the smallest distance, argmin_r sum_s L(M_rs f_s), for every example.

    Where several classes share it, ``ties`` decides: "first" takes the first of them; "margin" in Hamming decoding the
    one with the largest sum_s M_rs f_s, and of equals the first (other losses know the margins already); "mark" gives
    -1 instead of a label.  Exact distances tie when they are equal, those of floats when they differ by no more than
    the rounding of their sums, a part of the distance itself: so the scale of the losses does not matter.

    >>> decode([[1.0, 2.0, -1.0]], [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]], ties="margin")
    array([1])
    """
    F, rule = _prepared(F, M, loss, ties)
    return _joined([rule.labels(part) for part in _blocks(F, rule.M)], np.empty(0, dtype=np.int64))


class _Rule:
    """A code, a loss and a rule for ties; of outputs that are given, floats or exact numbers as the code is."""

    def __init__(self, M: Array, loss: Function, ties: DecodingTies) -> None:
        self.M, self.loss, self.ties = M, loss, ties
        self.exact = M.dtype == object
        self.ternary = bool(np.isin(M, (-1, 0, 1)).all())
        self.columns = np.ascontiguousarray(np.sign(M).T, dtype=np.int8)
        self.rounding = (M.shape[1] + _UNITS) * np.finfo(float).eps
        self.never_negative = loss in CATALOGUE.values()
        self.by_margin = ties == "margin" and loss is zero_one

    def distances(self, F: Array) -> tuple[Array, Array]:
        """The distances, summed in the order of the columns, and what their rounding is relative to.

        That is for each example the largest sum of sizes of losses, or nothing where no loss is negative, for then it
        is the smallest distance itself.
        """
        if self.ternary:
            parts = self._losses(F)
            return self._sums(*parts), self._sizes(*parts)
        losses = np.stack([self.loss(F * row) for row in self.M], axis=1)
        sizes = np.abs(losses).sum(axis=2).max(axis=1) if (losses < 0).any() else _EMPTY
        return losses.sum(axis=2), sizes

    def _losses(self, F: Array) -> tuple[Array, Array, Scalar]:
        """What an entry +1, -1 or 0 of a row costs."""
        return self.loss(F), self.loss(-F), self.loss(0 * F[:1, :1])[0, 0]

    def _sizes(self, *parts: Values) -> Array:
        if self.exact or self.never_negative or min(np.min(part) for part in parts) >= 0:
            return _EMPTY
        return np.asarray(self._sums(*map(np.abs, parts)).max(axis=1))

    def _sums(self, for_plus: Array, for_minus: Array, for_zero: Scalar) -> Array:
        """For a code with entries -1, 0, +1, the sum over the columns of what belongs to the row's entry."""
        if self.exact:
            # Products with 0 and 1 would cost several times as much as the sums.
            sums = [
                for_plus[:, row > 0].sum(axis=1) + for_minus[:, row < 0].sum(axis=1) + (row == 0).sum() * for_zero
                for row in self.M
            ]
            return np.stack(sums, axis=1)
        table = np.empty((len(for_plus), len(self.M)))
        summed_losses(for_plus, for_minus, float(for_zero), self.columns, table)
        return table

    def _products(self, F: Array) -> Array:
        """The distances by products of matrices: faster, and summed in an order that nobody knows."""
        plus, minus, zero = self.masks
        # An infinite loss makes NaN here, so the row needs to be summed.
        with np.errstate(invalid="ignore"):
            table = self.loss(F) @ plus
            table += self.loss(-F) @ minus
            if zero.any():
                table += zero.sum(axis=0) * self.loss(0 * F[:1, :1])[0, 0]
        return np.asarray(table)

    @cached_property
    def masks(self) -> tuple[Array, Array, Array]:
        plus, minus, zero = (np.equal(self.M, entry).astype(self.M.dtype).T for entry in (1, -1, 0))
        return plus, minus, zero

    def labels(self, F: Array) -> Labels:
        if self.exact or not self.ternary:
            chosen, tied, rows = self._nearest(*self.distances(F), self.rounding)
            return self._decided(F, chosen, tied, rows)
        table, sizes = self._products(F), _EMPTY if self.never_negative else self._sizes(*self._losses(F))
        # These tell which examples have no tie, whatever the order.  Sums of halves have no rounding.
        chosen, tied, rows = self._nearest(table, sizes, 4 * self.rounding)
        if self.loss is zero_one or not len(rows):
            return self._decided(F, chosen, tied, rows)
        close, tied, again = self._nearest(*self.distances(F[rows]), self.rounding)
        chosen[rows] = close
        return self._decided(F, chosen, tied, rows[again])

    def _nearest(self, table: Array, sizes: Array, rounding: float) -> tuple[Labels, Booleans, Labels]:
        """The first class at the smallest distance; of the examples in which it has equals, these and their places."""
        if self.exact:
            tied = table == table.min(axis=1, keepdims=True)
            several = np.count_nonzero(tied, axis=1) > 1
            return tied.argmax(axis=1), tied[several], np.flatnonzero(several)
        chosen, several = np.empty(len(table), dtype=np.int64), np.empty(len(table), dtype=np.bool_)
        nearest_classes(table, sizes, rounding, chosen, several)
        rows = np.flatnonzero(several)
        tied = np.empty((len(rows), table.shape[1]), dtype=np.bool_)
        tied_classes(table, sizes, rounding, rows, tied)
        return chosen, tied, rows

    def _decided(self, F: Array, chosen: Labels, tied: Booleans, rows: Labels) -> Labels:
        """The labels after the rule for ties, for the examples of these rows, has had its say."""
        if self.ties == "mark":
            chosen[rows] = MARKED
        elif self.by_margin and len(rows):
            self._take_largest_margins(F, tied, rows, chosen)
        return chosen

    def _take_largest_margins(self, F: Array, tied: Booleans, rows: Labels, chosen: Labels) -> None:
        """For the examples of these rows choose among the tied classes the first with the largest margin."""
        if not self.exact:
            largest_margins(F, self.M, rows, tied, self.rounding, chosen)
            return
        for row, places in zip(rows, tied, strict=True):
            margins = self.M @ F[row]
            chosen[row] = max(np.flatnonzero(places), key=margins.__getitem__)

    def scores(self, F: Array) -> Array:
        table, sizes = self.distances(F)
        scores = -table
        if self.by_margin:
            # Hamming distances differ by 1/2 at least, these by 2/5 at most.
            scores = scores + self._relative_margins(F) / 5
        if self.exact:
            return scores
        chosen = self._decided(F, *self._nearest(table, sizes, self.rounding))[:, None]
        best = np.take_along_axis(scores, chosen, axis=1)
        # Rounding may have put a class that ties above the one that is chosen, or, of equals, before it.
        before = np.arange(scores.shape[1]) < chosen
        return np.minimum(scores, np.where(before, np.nextafter(best, -np.inf), best))

    def _relative_margins(self, F: Array) -> Array:
        """sum_s M_rs f_s / (max |M| sum_s |f_s|), between -1 and 1."""
        G = F if self.exact else _scaled(F)
        margins = self._sums(G, -G, 0) if self.ternary else np.stack([(G * row).sum(axis=1) for row in self.M], axis=1)
        most = np.abs(self.M).max() * np.abs(G).sum(axis=1)
        return margins / np.where(most == 0, 1, most)[:, None]


def _scaled(F: Array) -> Array:
    """Each example's outputs divided by the largest, so that no sum of them overflows or loses small ones."""
    largest = np.abs(F).max(axis=1, keepdims=True)
    return F / np.where(largest == 0, 1, largest)


def _blocks(F: Array, M: Array) -> Iterator[Array]:
    size = max(1, _BLOCK_ENTRIES // max(M.shape))
    for start in range(0, len(F), size):
        yield require_finite(F[start : start + size], "outputs", "look at the binary learner")


def _joined(parts: list[Array], empty: Array) -> Array:
    return np.concatenate(parts) if parts else empty


def _prepared(F: Array, M: Array, loss: str | Function, ties: DecodingTies) -> tuple[Array, _Rule]:
    F, M = np.asarray(F), np.asarray(M)
    if F.ndim != 2 or M.ndim != 2 or F.shape[1] != M.shape[1]:
        raise ValueError(
            "expected outputs (n_samples, n_columns) and a code (n_classes, n_columns) with as many columns, "
            f"got shapes {F.shape} and {M.shape}"
        )
    require_one_of(ties, DecodingTies, "ties")
    if F.dtype == object:
        # Fractions throughout, so that no quotient of ints turns into a float.
        return np.asarray(np.frompyfunc(Fraction, 1, 1)(F)), _Rule(M.astype(object), find_decoder(loss), ties)
    return np.ascontiguousarray(F, dtype=float), _Rule(np.ascontiguousarray(M, dtype=float), find_decoder(loss), ties)
