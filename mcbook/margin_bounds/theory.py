"""The margin bounds as formulas of their symbols.

They take floats and arrays, which broadcast, and balls of python-flint (`mcbook.foundation.proof.exact.ball`), with
which the claims compare them without rounding.  Ints and fractions are taken too; the logarithm then makes a float of
the result.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.rademacher import (
    confidence_term,
    contraction_bound,
    generalisation_bound,
    kernel_complexity_bound,
    maxima_bound,
    square_root,
)

Array = NDArray[Any]


def truncated_margins(scores: Any, y: Any, theta: Any) -> Array:
    """rho_theta,h(x, y) = min over all y' of h(x, y) - h(x, y') + theta [y' = y], for each row of scores.

    Shapes: ``scores (n_samples, n_classes)``, ``y (n_samples,)``.  The minimum is over all labels, so that it no longer
    depends on y which labels take part in it.
    """
    table, labels = np.asarray(scores), np.asarray(y)
    if table.ndim != 2 or labels.shape != table.shape[:1] or not ((labels >= 0) & (labels < table.shape[1])).all():
        raise ValueError(
            f"expected scores (n_samples, n_classes) and a label in 0 .. n_classes - 1 for each row, "
            f"got shapes {table.shape} and {labels.shape}"
        )
    _positive("theta", theta)
    own = labels[:, None] == np.arange(table.shape[1])
    return np.asarray((table[own][:, None] - table + theta * own.astype(int)).min(axis=1))


def scores_complexity_bound(complexity: Any, n_classes: Any) -> Any:
    """k R_m(Pi_1(H)): a bound on (1/m) E sup_h sum_i sigma_i h(x_i, y_i).

    The same bound holds for the largest scores, with max_y (h(x_i, y) - theta [y = y_i]) in the place of h(x_i, y_i).
    """
    _at_least(2, "a number of classes", n_classes)
    _at_least(0, "a complexity", complexity)
    return n_classes * complexity


def margins_complexity_bound(complexity: Any, n_classes: Any) -> Any:
    """2k R_m(Pi_1(H)): a bound on the complexity of the truncated margins, one k for each of their two terms."""
    one_term = scores_complexity_bound(complexity, n_classes)
    return maxima_bound(one_term, one_term)


def label_by_label_complexity_bound(complexity: Any, n_classes: Any) -> Any:
    """k^2 R_m(Pi_1(H)): a bound on the complexity of the margins that are not truncated, one label after the other.

    The maximum over the rivals of a label costs k - 1 and its own score 1, for each of the k labels that may be the
    true one.  This is how bounds that grow with the square of k come about.
    """
    _at_least(2, "a number of classes", n_classes)
    _at_least(0, "a complexity", complexity)
    return n_classes**2 * complexity


def margin_bound(
    empirical_margin_loss: Any, complexity: Any, rho: Any, n_classes: Any, delta: Any, n_samples: Any
) -> Any:
    """mean of Phi_rho on the sample + (4k / rho) R_m(Pi_1(H)) + sqrt(ln(1/delta) / (2m)).

    With probability at least 1 - delta over the sample it is at least Pr[rho_h(x, y) <= 0], for all h in H at once.
    """
    _share("an empirical margin loss", empirical_margin_loss)
    margins = margins_complexity_bound(complexity, n_classes)
    losses = contraction_bound(margins, _reciprocal(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def two_class_margin_bound(empirical_margin_loss: Any, complexity: Any, rho: Any, delta: Any, n_samples: Any) -> Any:
    """mean of Phi_rho on the sample + (4 / rho) R_m(Pi_1(H)) + sqrt(ln(1/delta) / (2m)), for two classes.

    This is 2k instead of 4k: with two classes the margin is, up to its sign, the difference of the two scores.
    """
    _share("an empirical margin loss", empirical_margin_loss)
    margins = maxima_bound(complexity, complexity)
    losses = contraction_bound(margins, _reciprocal(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def uniform_margin_bound(
    empirical_margin_loss: Any,
    complexity: Any,
    rho: Any,
    n_classes: Any,
    delta: Any,
    n_samples: Any,
    largest_rho: Any = 1,
) -> Any:
    """The margin bound for all rho in (0, r] at once, r = ``largest_rho``.

    mean of Phi_rho on the sample + (8k / rho) R_m(Pi_1(H)) + sqrt(ln log_2(2r / rho) / m) + sqrt(ln(2/delta) / (2m)):
    rho may be chosen after the sample was seen.  Beyond r the third term has no meaning, and rho is refused.
    """
    _positive("rho", rho)
    _positive("largest_rho", largest_rho)
    if not np.all(np.asarray(rho) <= np.asarray(largest_rho)):
        raise ValueError(
            f"expected rho <= {largest_rho}, got {rho}: the bound covers margins up to largest_rho, which must be "
            "fixed before the sample is seen"
        )
    if not np.all((np.asarray(delta) > 0) & (np.asarray(delta) <= 1)):
        raise ValueError(f"expected 0 < delta <= 1, got {delta}: it is the probability with which the bound may fail")
    half, halved = _quotient(rho, 2), _quotient(delta, 2)
    fixed = margin_bound(empirical_margin_loss, complexity, half, n_classes, halved, n_samples)
    return fixed + square_root(np.log(_octaves(rho, largest_rho)) / n_samples)


def kernel_margin_bound(
    empirical_margin_loss: Any,
    squared_radius: Any,
    squared_norm: Any,
    rho: Any,
    n_classes: Any,
    delta: Any,
    n_samples: Any,
) -> Any:
    """mean of Phi_rho on the sample + 4k sqrt(r^2 Lambda^2 / (rho^2 m)) + sqrt(ln(1/delta) / (2m)).

    For scores <w_l, Phi(x)> with K(x, x) <= r^2 and a group norm |W|_(H,p) <= Lambda, p >= 1; it is enough that no row
    of W is longer than Lambda.
    """
    complexity = kernel_complexity_bound(squared_radius, squared_norm, n_samples)
    return margin_bound(empirical_margin_loss, complexity, rho, n_classes, delta, n_samples)


def informative_sample_size(
    squared_radius: Any,
    squared_norm: Any,
    rho: Any,
    n_classes: Any,
    delta: Any = 1,
    empirical_margin_loss: Any = 0,
) -> Any:
    """The sample size at which `kernel_margin_bound` comes down to 1: it says something only for m above this.

    That is ((4k r Lambda / rho + sqrt(ln(1/delta) / 2)) / (1 - margin loss))^2, and 16 k^2 r^2 Lambda^2 / rho^2 where
    delta is 1 and the margin loss 0.
    """
    if not np.all(np.asarray(empirical_margin_loss) < 1):
        raise ValueError(f"expected a margin loss below 1, got {empirical_margin_loss}: no sample is then large enough")
    excess = kernel_margin_bound(0 * empirical_margin_loss, squared_radius, squared_norm, rho, n_classes, delta, 1)
    return (excess / (1 - empirical_margin_loss)) ** 2


def svm_margin_bound(
    mean_slack: Any, squared_radius: Any, squared_norm: Any, n_classes: Any, delta: Any, n_samples: Any
) -> Any:
    """mean of the slacks + 4k sqrt(r^2 Lambda^2 / m) + sqrt(ln(1/delta) / (2m)): the kernel bound at rho = 1.

    The slack of an example is max(0, 1 - rho_h(x, y)), which may exceed 1, or the ramp min(1, max(0, 1 - rho_h(x, y))).
    """
    _at_least(0, "a mean slack", mean_slack)
    return mean_slack + kernel_margin_bound(0, squared_radius, squared_norm, 1, n_classes, delta, n_samples)


def multi_label_margin_bound(
    empirical_margin_loss: Any, complexity: Any, rho: Any, n_classes: Any, delta: Any, n_samples: Any
) -> Any:
    """mean of sum_l Phi_rho(y_l h(x, l)) on the sample + (2k / rho) R_m(Pi_1(H)) + k sqrt(ln(1/delta) / (2m)).

    It bounds the expected number of wrong labels, which lies between 0 and k.
    """
    _at_least(1, "a number of classes", n_classes)
    if not np.all((np.asarray(empirical_margin_loss) >= 0) & (np.asarray(empirical_margin_loss) <= n_classes)):
        raise ValueError(
            f"expected a margin loss between 0 and the {n_classes} labels, got {empirical_margin_loss}: sum over the "
            "labels, average over the sample"
        )
    one_label = contraction_bound(complexity, _reciprocal(rho))
    return empirical_margin_loss + n_classes * (2 * one_label + confidence_term(delta, n_samples))


def _octaves(rho: Any, largest_rho: Any) -> Any:
    """log_2(2r / rho), at least 1, and exactly 1 at rho = r, whatever kind of number is given."""
    ratio = _quotient(largest_rho, rho)
    if not isinstance(ratio, np.ndarray) and ratio == 1:
        return ratio
    if isinstance(ratio, Rational):
        ratio = float(ratio)
    # The 2 as a number of the same kind, so that its logarithm is as well known as the other.
    return 1 + np.log(ratio) / np.log(2 + 0 * ratio)


def _quotient(numerator: Any, denominator: Any) -> Any:
    """The quotient, exact for ints and fractions."""
    if isinstance(numerator, Rational) and isinstance(denominator, Rational):
        exact = Fraction(numerator) / Fraction(denominator)
        # Balls multiply with ints, not with fractions.
        return int(exact) if exact.denominator == 1 else exact
    return numerator / denominator


def _reciprocal(rho: Any) -> Any:
    _positive("rho", rho)
    return _quotient(1, rho)


def _positive(name: str, value: Any) -> None:
    if not np.all(np.asarray(value) > 0):
        raise ValueError(f"expected {name} > 0, got {value}: it is the margin that the bound asks for")


def _share(name: str, value: Any) -> None:
    if not np.all((np.asarray(value) >= 0) & (np.asarray(value) <= 1)):
        raise ValueError(f"expected {name} between 0 and 1, got {value}: average the margin losses over the sample")


def _at_least(least: int, name: str, value: Any) -> None:
    if not np.all(np.asarray(value) >= least):
        raise ValueError(f"expected {name} of at least {least}, got {value}")
