"""The condition on a margin loss that makes decoding safe: (L(z) + L(-z)) / 2 >= L(0) > 0 for every z."""

from __future__ import annotations

from collections.abc import Callable

from mcbook.foundation.arithmetic import Arithmetic, arithmetic_of
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar, Values
from mcbook.losses.theory.catalogue import CATALOGUE, MarginLoss, find_loss


def symmetrised(loss: str | MarginLoss, z: Scalar | Array) -> Values:
    """(L(z) + L(-z)) / 2: the mean loss of two opposite answers.

    Source: Allwein et al. (2000), (7).

    >>> float(symmetrised("square", 2.0))
    5.0
    """
    loss = find_loss(loss)
    _, (margin,) = arithmetic_of(z)
    return (loss(margin) + loss(-margin)) / 2


def symmetric_excess(loss: str | MarginLoss, z: Scalar | Array) -> Values:
    """(L(z) + L(-z)) / 2 - L(0): the condition asks that it is nowhere negative (Allwein et al., equation 7).

    >>> from fractions import Fraction
    >>> symmetric_excess("square", 3), symmetric_excess("hinge", Fraction(1, 2))
    (Fraction(9, 1), Fraction(0, 1))
    """
    loss = find_loss(loss)
    _, (margin,) = arithmetic_of(z)
    return symmetrised(loss, margin) - loss(0 * margin)


def rise_above_zero(loss: str | MarginLoss, z: Scalar | Array) -> Values:
    """L(z) - L(0): what a margin z costs more than no opinion.

    Source: Allwein et al. (2000), Corollary 2.

    >>> float(rise_above_zero("hinge", -2.0))
    2.0
    """
    loss = find_loss(loss)
    _, (margin,) = arithmetic_of(z)
    return loss(margin) - loss(0 * margin)


def excess_formula(loss: str | MarginLoss, z: Scalar | Array) -> Values:
    """The excess of a loss of the catalogue in a form that shows its sign: squares, positive parts and 0.

    Source: Allwein et al. (2000), (7).

    >>> excess_formula("square", 3)
    Fraction(9, 1)
    """
    loss = find_loss(loss)
    if loss.name not in _EXCESS:
        raise ValueError(f"expected a loss of the catalogue ({', '.join(CATALOGUE)}), got {loss.name!r}")
    arithmetic, (margin,) = arithmetic_of(z)
    return as_scalar(_EXCESS[loss.name](arithmetic, margin))


def _sinh(a: Arithmetic, z: Values) -> Values:
    return (a.exp(z) - a.exp(-z)) / 2


def _zero(a: Arithmetic, z: Values) -> Values:
    return 0 * z


_EXCESS: dict[str, Callable[[Arithmetic, Values], Values]] = {
    "hinge": lambda a, z: a.maximum(a.absolute(z) - 1, 0) / 2,
    "exponential": lambda a, z: 2 * _sinh(a, z / 2) ** 2,
    "logistic": lambda a, z: a.log(1 + _sinh(a, z) ** 2) / 2,
    "square": lambda a, z: z**2,
    "sigmoid": _zero,
    "zero-one": _zero,
}
