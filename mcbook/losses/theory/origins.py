"""Where the losses come from: the quantity that each learner minimises, by its output f and the sign y."""

from __future__ import annotations

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_signs
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar, Values


def probability_of_plus(f: Scalar | Array) -> Values:
    """Pr[+1 | x] = 1 / (1 + exp(-2f)): the answer +1 in the model of logistic regression and of random answers.

    Source: Allwein et al. (2000), section 2.

    >>> float(probability_of_plus(0.0))
    0.5
    """
    arithmetic, (score,) = arithmetic_of(f)
    return as_scalar(arithmetic.expit(2 * score))


def negative_log_likelihood(y: int, f: Scalar | Array) -> Values:
    """-ln Pr[y | x] under that model.

    Source: Allwein et al. (2000), section 2.

    >>> round(float(negative_log_likelihood(1, 0.0)), 4)  # ln 2
    0.6931
    """
    require_signs(y, "the sign y as")
    arithmetic, (score,) = arithmetic_of(f)
    plus = arithmetic.expit(2 * score)
    return as_scalar(-arithmetic.log(plus if y == 1 else 1 - plus))


def random_answer_error(y: int, f: Scalar | Array) -> Values:
    """The probability that an answer drawn as +1 with probability 1 / (1 + exp(-2f)) differs from y.

    Source: Allwein et al. (2000), section 2.

    >>> float(random_answer_error(1, 0.0))
    0.5
    """
    require_signs(y, "the sign y as")
    plus = probability_of_plus(f)
    return 1 - plus if y == 1 else plus


def squared_error(y: int, f: Scalar | Array) -> Values:
    """(y - f)^2, the loss of least squares regression on the signs.

    Source: Allwein et al. (2000), section 2.

    >>> from fractions import Fraction
    >>> squared_error(-1, Fraction(1, 2))
    Fraction(9, 4)
    """
    require_signs(y, "the sign y as")
    _, (score,) = arithmetic_of(f)
    return as_scalar((y - score) ** 2)


def least_slack(y: int, f: Scalar | Array) -> Values:
    """The least xi >= 0 with y f >= 1 - xi: the slack of an example in a support vector machine.

    Source: Allwein et al. (2000), section 2.

    >>> float(least_slack(-1, 0.5))
    1.5
    """
    require_signs(y, "the sign y as")
    arithmetic, (score,) = arithmetic_of(f)
    return as_scalar(arithmetic.maximum(0, 1 - y * score))
