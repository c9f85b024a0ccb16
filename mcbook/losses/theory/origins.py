"""Where the losses come from: the quantity that each learner minimises, by its output f and the sign y."""

from __future__ import annotations

from typing import Any

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.numbers import as_scalar


def probability_of_plus(f: Any) -> Any:
    """Pr[+1 | x] = 1 / (1 + exp(-2f)): the answer +1 in the model of logistic regression and of random answers."""
    arithmetic, (score,) = arithmetic_of(f)
    return as_scalar(arithmetic.expit(2 * score))


def negative_log_likelihood(y: int, f: Any) -> Any:
    """-ln Pr[y | x] under that model."""
    _check_sign(y)
    arithmetic, (score,) = arithmetic_of(f)
    plus = arithmetic.expit(2 * score)
    return as_scalar(-arithmetic.log(plus if y == 1 else 1 - plus))


def random_answer_error(y: int, f: Any) -> Any:
    """The probability that an answer drawn as +1 with probability 1 / (1 + exp(-2f)) differs from y."""
    _check_sign(y)
    plus = probability_of_plus(f)
    return 1 - plus if y == 1 else plus


def squared_error(y: int, f: Any) -> Any:
    """(y - f)^2, the loss of least squares regression on the signs."""
    _check_sign(y)
    _, (score,) = arithmetic_of(f)
    return as_scalar((y - score) ** 2)


def least_slack(y: int, f: Any) -> Any:
    """The least xi >= 0 with y f >= 1 - xi: the slack of an example in a support vector machine."""
    _check_sign(y)
    arithmetic, (score,) = arithmetic_of(f)
    return as_scalar(arithmetic.maximum(0, 1 - y * score))


def _check_sign(y: int) -> None:
    if y not in (-1, 1):
        raise ValueError(f"expected the sign y = +1 or -1, got {y!r}: encode the two labels as signs first")
