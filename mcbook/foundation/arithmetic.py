"""One formula, four kinds of numbers: floats, exact fractions, sympy's symbols and python-flint's balls.

A loss is written once, with the operations of an `Arithmetic`; what is drawn, decoded, compared exactly and proved for
all margins is then the same formula.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.numbers import as_fraction
from mcbook.foundation.types import Values

Operation = Callable[..., Values]


@dataclass(frozen=True)
class Arithmetic:
    """The operations that the formulas use besides + - * / and powers; ``step(u)`` is 1 where u > 0 and 0 elsewhere."""

    exp: Operation
    log: Operation
    sqrt: Operation
    log1pexp: Operation
    expit: Operation
    absolute: Operation
    sign: Operation
    step: Operation
    maximum: Operation
    minimum: Operation


def arithmetic_of(*values: Values) -> tuple[Arithmetic, tuple[Values, ...]]:
    """The arithmetic of these numbers, and the numbers as it wants them.

    Symbols and balls go before all else.  Ints, fractions and arrays of dtype object are exact when all are; any other
    array or number is taken for floats.
    """
    modules = {type(value).__module__.split(".")[0] for value in values}
    if "sympy" in modules:
        return _symbols(), values
    if "flint" in modules:
        return _balls(), tuple(_ball(value) for value in values)
    if all(_is_exact(value) for value in values):
        return EXACT, tuple(_fractions(value) for value in values)
    return FLOATS, tuple(np.asarray(value, dtype=float) for value in values)


def _is_exact(value: Values) -> bool:
    return isinstance(value, Rational) or (isinstance(value, np.ndarray) and value.dtype == object)


def _ball(value: Values) -> Values:
    """Rationals as balls, which flint does not mix with fractions; balls and series of them as they are."""
    import flint

    return flint.arb(int(value.numerator)) / int(value.denominator) if isinstance(value, Rational) else value


# Fractions throughout, so that no quotient of ints turns into a float.
_to_fraction = np.frompyfunc(Fraction, 1, 1)


def _fractions(value: Values) -> Values:
    return as_fraction(value) if isinstance(value, Rational) else _to_fraction(value)


def _exp(x: Values) -> Values:
    # Beyond the range of floats the right answer is infinity, which needs no warning.
    with np.errstate(over="ignore"):
        return np.exp(x)


def _expit(x: Values) -> Values:
    from scipy.special import expit

    return expit(x)


def _float_step(x: Values) -> Values:
    return np.asarray(x > 0, dtype=float)


FLOATS = Arithmetic(
    exp=_exp,
    log=np.log,
    sqrt=np.sqrt,
    log1pexp=functools.partial(np.logaddexp, 0.0),
    expit=_expit,
    absolute=np.abs,
    sign=np.sign,
    step=_float_step,
    maximum=np.maximum,
    minimum=np.minimum,
)


def _through_floats(operation: Operation) -> Operation:
    """What has no exact value is computed in floating point."""

    def of_fractions(x: Values) -> Values:
        return operation(np.asarray(x, dtype=float))

    return of_fractions


def _exact(operation: Operation, n_arguments: int = 1) -> Operation:
    return np.frompyfunc(operation, n_arguments, 1)


EXACT = Arithmetic(
    exp=_through_floats(_exp),
    log=_through_floats(np.log),
    sqrt=_through_floats(np.sqrt),
    log1pexp=_through_floats(FLOATS.log1pexp),
    expit=_through_floats(_expit),
    absolute=_exact(abs),
    sign=_exact(lambda x: Fraction((x > 0) - (x < 0))),
    step=_exact(lambda x: Fraction(int(x > 0))),
    maximum=_exact(lambda x, y: Fraction(max(x, y)), 2),
    minimum=_exact(lambda x, y: Fraction(min(x, y)), 2),
)


@functools.cache
def _symbols() -> Arithmetic:
    import sympy

    return Arithmetic(
        exp=sympy.exp,
        log=sympy.log,
        sqrt=sympy.sqrt,
        log1pexp=lambda x: sympy.log(1 + sympy.exp(x)),
        expit=lambda x: 1 / (1 + sympy.exp(-x)),
        absolute=sympy.Abs,
        sign=sympy.sign,
        step=lambda x: sympy.Piecewise((1, x > 0), (0, True)),
        maximum=sympy.Max,
        minimum=sympy.Min,
    )


@functools.cache
def _balls() -> Arithmetic:
    """For balls, and for series of balls where no maximum or sign is asked for."""
    import flint

    def step(x: Values) -> Values:
        return flint.arb(1) if x > 0 else flint.arb(0) if x <= 0 else flint.arb(0).union(flint.arb(1))

    def ball(x: Values) -> Values:
        return x if isinstance(x, flint.arb) else flint.arb(x)

    return Arithmetic(
        exp=lambda x: x.exp(),
        log=lambda x: x.log(),
        sqrt=lambda x: x.sqrt(),
        log1pexp=lambda x: (1 + x.exp()).log(),
        expit=lambda x: 1 / (1 + (-x).exp()),
        absolute=abs,
        sign=lambda x: step(x) - step(-x),
        step=step,
        maximum=lambda x, y: ball(x).max(ball(y)),
        minimum=lambda x, y: ball(x).min(ball(y)),
    )
