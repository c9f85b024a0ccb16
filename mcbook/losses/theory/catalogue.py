"""The margin losses of the book: what a learner pays for the margin z = y f(x) of an example.

Every loss is an object that is called with margins: floats and arrays of any shape, ints and fractions (exact where the
formula is rational), sympy symbols, or balls.  ``CATALOGUE`` holds those for which decoding is safe; ``ramp`` is not
among them, and the chapter shows why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcbook.foundation.arithmetic import Arithmetic, arithmetic_of
from mcbook.foundation.checks import require_positive
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar, Values

Formula = Callable[[Arithmetic, Values], Values]


@dataclass(frozen=True)
class MarginLoss:
    """A margin loss: ``loss(z)`` is its value, ``loss.derivative(z)`` its slope, ``loss.at_zero`` is L(0).

    ``formula`` is TeX in z, ``learner`` says who minimises it.  At a kink the slope is that to the right, which is a
    subgradient where the loss is convex; a jump has slope 0.  Values have the shape and the kind of the margins.

    >>> from fractions import Fraction
    >>> hinge(Fraction(1, 4)), hinge.derivative(0.25), hinge.at_zero
    (Fraction(3, 4), np.float64(-1.0), Fraction(1, 1))
    >>> exponential([0.0, -1.0]).round(3).tolist()
    [1.0, 2.718]
    """

    name: str
    formula: str
    learner: str
    convex: bool
    value: Formula
    slope: Formula

    def __call__(self, z: Scalar | Array) -> Any:
        arithmetic, (margin,) = arithmetic_of(z)
        return as_scalar(self.value(arithmetic, margin))

    def derivative(self, z: Scalar | Array) -> Values:
        arithmetic, (margin,) = arithmetic_of(z)
        return as_scalar(self.slope(arithmetic, margin))

    @property
    def at_zero(self) -> Values:
        """L(0): what a learner pays for no opinion, a fraction where the formula is rational."""
        return self(0)

    def __repr__(self) -> str:
        return f"<margin loss {self.name}: {self.formula}>"


def _hinge(a: Arithmetic, z: Values) -> Values:
    return a.maximum(1 - z, 0)


def _hinge_slope(a: Arithmetic, z: Values) -> Values:
    return 0 - a.step(1 - z)


def _exponential(a: Arithmetic, z: Values) -> Values:
    return a.exp(-z)


def _exponential_slope(a: Arithmetic, z: Values) -> Values:
    return -a.exp(-z)


def _logistic(a: Arithmetic, z: Values) -> Values:
    return a.log1pexp(-2 * z)


def _logistic_slope(a: Arithmetic, z: Values) -> Values:
    return -2 * a.expit(-2 * z)


def _square(a: Arithmetic, z: Values) -> Values:
    return (1 - z) ** 2


def _square_slope(a: Arithmetic, z: Values) -> Values:
    return -2 * (1 - z)


def _sigmoid(a: Arithmetic, z: Values) -> Values:
    return a.expit(-2 * z)


def _sigmoid_slope(a: Arithmetic, z: Values) -> Values:
    # The product of both tails keeps its relative accuracy where one of them is near 1.
    return -2 * a.expit(-2 * z) * a.expit(2 * z)


def _zero_one(a: Arithmetic, z: Values) -> Values:
    return (1 - a.sign(z)) / 2


def _zero_one_slope(a: Arithmetic, z: Values) -> Values:
    return 0 * a.step(z)


def _ramp(a: Arithmetic, z: Values, rho: Scalar) -> Values:
    a, (z, rho) = arithmetic_of(z, rho)
    return a.minimum(1, a.maximum(0, 1 - z / rho))


def _ramp_slope(a: Arithmetic, z: Values, rho: Scalar) -> Values:
    a, (z, rho) = arithmetic_of(z, rho)
    return (a.step(-z) - a.step(rho - z)) / rho


hinge = MarginLoss("hinge", r"\max(0,\,1-z)", "support vector machine", True, _hinge, _hinge_slope)
exponential = MarginLoss("exponential", r"e^{-z}", "AdaBoost", True, _exponential, _exponential_slope)
logistic = MarginLoss("logistic", r"\ln(1+e^{-2z})", "logistic regression", True, _logistic, _logistic_slope)
square = MarginLoss("square", r"(1-z)^2", "least squares", True, _square, _square_slope)
sigmoid = MarginLoss("sigmoid", r"1/(1+e^{2z})", "AdaBoost with a random answer", False, _sigmoid, _sigmoid_slope)
zero_one = MarginLoss("zero-one", r"(1-\operatorname{sign}z)/2", "Hamming decoding", False, _zero_one, _zero_one_slope)

CATALOGUE = {loss.name: loss for loss in (hinge, exponential, logistic, square, sigmoid, zero_one)}

# Decoding that counts the columns in which an answer has the wrong sign is decoding with this loss.
_OTHER_NAMES = {"hamming": zero_one}


def ramp(rho: Scalar = 1) -> MarginLoss:
    """The margin loss Phi_rho(u) = min(1, max(0, 1 - u/rho)) as an object (Mohri et al., definition 5.5).

    >>> import numpy as np
    >>> ramp(2)(np.array([-1.0, 1.0, 3.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    require_positive(rho, "rho", "choose the margin that the loss should ask for")
    quotient = "z" if rho == 1 else f"z/({rho})" if "/" in str(rho) else f"z/{rho}"
    formula = rf"\min(1,\,\max(0,\,1-{quotient}))"
    value, slope = (functools.partial(part, rho=rho) for part in (_ramp, _ramp_slope))
    return MarginLoss("ramp", formula, "margin bounds", False, value, slope)


def find_loss(name: str | MarginLoss) -> MarginLoss:
    """The loss of the catalogue with this name, "hamming" for "zero-one"; a loss is handed back as it is.

    >>> find_loss("hamming")
    <margin loss zero-one: (1-\\operatorname{sign}z)/2>
    """
    if isinstance(name, MarginLoss):
        return name
    names = CATALOGUE | _OTHER_NAMES
    if name not in names:
        raise ValueError(f"expected a MarginLoss or one of {', '.join(map(repr, names))}, got {name!r}")
    return names[name]
