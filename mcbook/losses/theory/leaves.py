"""One value for all examples of a leaf: the best one for a margin loss, and what it costs.

``p_plus`` and ``p_minus`` are the shares of the positive and the negative examples that fall into the leaf.
"""

from __future__ import annotations

from collections.abc import Callable

from mcbook.foundation.arithmetic import Arithmetic, arithmetic_of
from mcbook.foundation.checks import require_positive
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar, Values
from mcbook.losses.theory.catalogue import MarginLoss, find_loss

LeafFormula = Callable[[Arithmetic, Values, Values], Values]


def leaf_loss(loss: str | MarginLoss, p_plus: Scalar | Array, p_minus: Scalar | Array, f: Scalar | Array) -> Values:
    """p+ L(f) + p- L(-f): the loss of a leaf that answers f.

    Source: Allwein et al. (2000), (2).

    >>> from fractions import Fraction
    >>> leaf_loss("square", Fraction(3, 4), Fraction(1, 4), Fraction(1, 2))
    Fraction(3, 4)
    """
    loss = find_loss(loss)
    _, (plus, minus, value) = arithmetic_of(p_plus, p_minus, f)
    return as_scalar(plus * loss(value) + minus * loss(-value))


def best_leaf_value(loss: str | MarginLoss, p_plus: Scalar | Array, p_minus: Scalar | Array) -> Values:
    """The f that minimises the leaf loss; for the hinge with p+ = p- any f in [-1, 1] does, and 0 is returned.

    Source: Allwein et al. (2000), (2).

    >>> from fractions import Fraction
    >>> best_leaf_value("square", Fraction(3, 4), Fraction(1, 4))
    Fraction(1, 2)
    """
    arithmetic, (plus, minus) = _fractions_of_leaf(p_plus, p_minus)
    return as_scalar(_rule(loss)[0](arithmetic, plus, minus))


def splitting_criterion(loss: str | MarginLoss, p_plus: Scalar | Array, p_minus: Scalar | Array) -> Values:
    """min over f of p+ L(f) + p- L(-f), a function of the two fractions alone (Allwein et al., equation 2).

    >>> from fractions import Fraction
    >>> splitting_criterion("square", Fraction(1, 2), Fraction(1, 8))
    Fraction(2, 5)
    """
    arithmetic, (plus, minus) = _fractions_of_leaf(p_plus, p_minus)
    return as_scalar(_rule(loss)[1](arithmetic, plus, minus))


def _rule(loss: str | MarginLoss) -> tuple[LeafFormula, LeafFormula]:
    name = find_loss(loss).name
    if name not in _RULES:
        raise ValueError(f"expected one of the losses {', '.join(_RULES)}, got {name!r}: no formula for its best leaf")
    return _RULES[name]


def _fractions_of_leaf(p_plus: Scalar | Array, p_minus: Scalar | Array) -> tuple[Arithmetic, tuple[Values, ...]]:
    arithmetic, fractions = arithmetic_of(p_plus, p_minus)
    for fraction, name in zip(fractions, ("p+", "p-"), strict=True):
        require_positive(fraction, name, "a leaf of one class only has loss 0 in the limit, and needs no question")
    return arithmetic, fractions


def _half_log_odds(a: Arithmetic, p: Values, q: Values) -> Values:
    return a.log(p / q) / 2


def _entropy(a: Arithmetic, p: Values, q: Values) -> Values:
    return -p * a.log(p / (p + q)) - q * a.log(q / (p + q))


_RULES: dict[str, tuple[LeafFormula, LeafFormula]] = {
    "logistic": (_half_log_odds, _entropy),
    "square": (lambda a, p, q: (p - q) / (p + q), lambda a, p, q: 4 * p * q / (p + q)),
    "exponential": (_half_log_odds, lambda a, p, q: 2 * a.sqrt(p * q)),
    "hinge": (lambda a, p, q: a.sign(p - q), lambda a, p, q: 2 * a.minimum(p, q)),
}
