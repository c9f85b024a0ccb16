"""The exact solution of the binary soft-margin SVM for every C at once.

Along C every example is in one of three states: it pays nothing and has alpha_i = 0, it lies on the margin with alpha_i
between 0 and C, or it pays and has alpha_i = C.  While the states stay, alpha is an affine function of C; it is found
in rational arithmetic, with the C at which the next state changes.

Shapes: ``X (n_samples, n_features)``, ``signs`` and ``alpha (n_samples,)``, ``w (n_features,)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.binary_svm.theory import binary_weights, signed_gram, slack_cost
from mcbook.foundation.checks import require_signed_sample
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.exact import rational_solve
from mcbook.foundation.types import Array, Scalar
from mcbook.losses import hinge

_MOST_PIECES = 10_000


class Degenerate(ValueError):
    """Too many examples change their state at the same C.

    >>> issubclass(Degenerate, ValueError)  # who catches bad samples catches it, too
    True
    """


@dataclass(frozen=True)
class Piece:
    """For start <= C <= end (None: without end) the multipliers are alpha = fixed + C * slope."""

    start: Fraction
    end: Fraction | None
    fixed: Array
    slope: Array

    def alpha(self, C: Scalar) -> Array:
        return np.asarray(self.fixed + rational([C])[0] * self.slope)


@dataclass(frozen=True)
class SoftMarginPath:
    """The solution for every C > 0, as pieces that join at ``knots``.

    >>> path = soft_margin_path([[1], [-2]], [1, -1])
    >>> [str(path.w(C)[0]) for C in (Fraction(1, 9), Fraction(1, 3), 1)], path.hard_margin()[0].tolist()
    (['1/3', '1/2', '1'], [1])
    """

    X: Array
    signs: Array
    pieces: tuple[Piece, ...]

    @property
    def knots(self) -> list[Fraction]:
        """The C at which some example changes its state."""
        return [piece.end for piece in self.pieces if piece.end is not None]

    def alpha(self, C: Scalar) -> Array:
        at = slack_cost(C)
        return next(piece for piece in self.pieces if piece.end is None or piece.end >= at).alpha(at)

    def w(self, C: Scalar) -> Array:
        return binary_weights(self.alpha(C), self.X, self.signs)

    def slacks(self, C: Scalar) -> Array:
        return np.asarray(hinge(self.signs * (self.X @ self.w(C))))

    def hard_margin(self) -> tuple[Array, Array]:
        """w and alpha of the hard-margin SVM: beyond the last knot no example pays, and nothing changes."""
        last = self.pieces[-1]
        if any(last.slope):
            raise ValueError(
                "the sample is not separable through the origin, so it has no hard-margin solution: use some C"
            )
        return binary_weights(last.fixed, self.X, self.signs), last.fixed


def soft_margin_path(X: Array, signs: Array) -> SoftMarginPath:
    """The path of min 1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), exactly, for all C > 0.

    Source: Roth (2018), slide on the hard SVM.

    >>> path = soft_margin_path([[1], [-2]], [1, -1])
    >>> [str(C) for C in path.knots], [str(a) for a in path.alpha(Fraction(1, 9))]
    (['1/6', '1/2', '1'], ['1/9', '1/9'])
    """
    X, checked = require_signed_sample(rational(X), signs, exact=True)
    signs = rational(checked)
    Q = signed_gram(X @ X.T, signs)
    C, pieces = Fraction(0), []
    alpha = rational(np.zeros(len(X), dtype=int))
    for _ in range(_MOST_PIECES):
        piece = _next_piece(Q, C, alpha)
        pieces.append(piece)
        if piece.end is None:
            return SoftMarginPath(X, signs, tuple(pieces))
        C, alpha = piece.end, piece.alpha(piece.end)
    raise Degenerate(f"the path has more than {_MOST_PIECES} pieces: give fewer examples")


def _next_piece(Q: Array, C: Fraction, alpha: Array) -> Piece:
    """The piece that begins at C: the examples on the margin may go on or leave it; the choice that lasts is right."""
    margins = Q @ alpha
    for states in itertools.product(*(_choices(u, a, C) for u, a in zip(margins, alpha, strict=True))):
        found = _affine(Q, np.array(states))
        if found is not None:
            end, lasts = _lasts_until(Q, C, np.array(states), *found)
            if lasts:
                return Piece(C, end, *found)
    raise Degenerate(f"at C = {C} several examples change at once and no choice goes on: move the examples a little")


def _choices(margin: Scalar, alpha: Scalar, C: Fraction) -> str:
    """The states an example may have right after C: o(utside), m(argin), p(aying)."""
    if margin != 1:
        return "p" if margin < 1 else "o"
    return "".join(["m", "o" if alpha == 0 else "", "p" if alpha == C else ""])


def _affine(Q: Array, states: Array) -> tuple[Array, Array] | None:
    """alpha = fixed + C slope in these states; None if the equations of the margin have no unique solution."""
    margin, paying = states == "m", states == "p"
    fixed = rational(np.zeros(len(Q), dtype=int))
    slope = rational(paying.astype(int))
    if margin.any():
        right = np.stack([rational(np.ones(margin.sum(), dtype=int)), -Q[np.ix_(margin, paying)].sum(axis=1)], axis=1)
        try:
            fixed[margin], slope[margin] = rational_solve(Q[np.ix_(margin, margin)], right).T
        except np.linalg.LinAlgError:
            return None
    return fixed, slope


def _lasts_until(Q: Array, C: Fraction, states: Array, fixed: Array, slope: Array) -> tuple[Fraction | None, bool]:
    """The end of the piece, and whether it is longer than a point."""
    end: Fraction | None = None
    for constant, rate in _conditions(Q, states, fixed, slope):
        here = constant + C * rate
        if here < 0 or (here == 0 and rate < 0):
            return None, False
        if rate < 0:
            until = Fraction(-constant) / rate
            end = until if end is None else min(end, until)
    return end, True


def _conditions(Q: Array, states: Array, fixed: Array, slope: Array) -> Iterator[tuple[Fraction, Fraction]]:
    """What must stay non-negative, as constant + C * rate."""
    margin_fixed, margin_slope = Q @ fixed, Q @ slope
    for i, state in enumerate(states):
        if state == "m":
            yield fixed[i], slope[i]
            yield -fixed[i], 1 - slope[i]
        else:
            side = 1 if state == "o" else -1
            yield side * (margin_fixed[i] - 1), side * margin_slope[i]
