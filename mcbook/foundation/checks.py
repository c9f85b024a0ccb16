"""What functions ask of their arguments, each in one sentence: what was expected, what came, what to do.

Every check returns the value that it was given, in the type it promises, and raises ValueError otherwise.  Checks of
numbers take single numbers and arrays, floats, ints, fractions, balls and `Known`: a number passes when it is known to
meet the condition, so a NaN or a ball that reaches over the limit does not.  Of a symbol of sympy nothing is known
beyond its assumptions, and only what they contradict is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sized
from typing import TypeVar, get_args

import numpy as np

from mcbook.foundation.numbers import exact_or_float, rational
from mcbook.foundation.types import Array, ArrayLike, Exact, Floats, Labels, Real, Signs, Values

Value = TypeVar("Value")

# Probabilities in floating point may miss their sum of 1 by this much.
_ROUNDING = 1e-9
_SHOWN = 10


# Numbers.


def require_positive(value: Value, name: str, advice: str = "") -> Value:
    """The value, if it is > 0.

    >>> require_positive(0, "C", "it is the cost of a slack")
    Traceback (most recent call last):
    ValueError: expected C > 0, got 0: it is the cost of a slack
    """
    return _require(value, lambda v: v > 0, f"{name} > 0", advice)


def require_nonnegative(value: Value, name: str, advice: str = "") -> Value:
    return _require(value, lambda v: v >= 0, f"{name} >= 0", advice)


def require_at_least(value: Value, least: Real, name: str, advice: str = "") -> Value:
    return _require(value, lambda v: v >= least, f"{name} >= {least}", advice)


def require_at_most(value: Value, most: Real, name: str, advice: str = "") -> Value:
    return _require(value, lambda v: v <= most, f"{name} <= {most}", advice)


def require_share(
    value: Value, name: str, advice: str = "give a share, not per cent", *, zero: bool = True, one: bool = True
) -> Value:
    """The value, if it lies between 0 and 1; ``zero`` and ``one`` say whether it may be these.

    >>> require_share(1, "delta", zero=False, one=False)
    Traceback (most recent call last):
    ValueError: expected 0 < delta < 1, got 1: give a share, not per cent
    """
    left, right = "<=" if zero else "<", "<=" if one else "<"
    _require(value, lambda v: v >= 0 if zero else v > 0, f"0 {left} {name} {right} 1", advice)
    return _require(value, lambda v: v <= 1 if one else v < 1, f"0 {left} {name} {right} 1", advice)


def require_whole(value: Real, name: str, *, at_least: int | None = None) -> int:
    """The value as Python's int."""
    try:
        whole = int(value)  # type: ignore[arg-type]  # what has no int is no whole number, which is said below
    except (TypeError, ValueError, OverflowError):
        whole = None
    wanted = f"a whole number {name}" + ("" if at_least is None else f" >= {at_least}")
    if whole is None or whole != value or (at_least is not None and whole < at_least):
        raise ValueError(f"expected {wanted}, got {value!r}")
    return whole


def require_finite(array: Array, name: str, advice: str = "impute or drop those examples") -> Array:
    """The array, if none of its floats is NaN or infinite; exact numbers always pass."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"expected finite {name}, got NaN or infinity: {advice}")
    return array


def require_one_of(value: Value, allowed: object, name: str) -> Value:
    """The value, if it is one of these words: a collection of them, or a Literal type.

    >>> require_one_of("last", ("first", "margin"), "ties")
    Traceback (most recent call last):
    ValueError: expected ties to be one of 'first', 'margin'; got 'last'
    """
    words = allowed if isinstance(allowed, Collection) else get_args(allowed)
    # Compared one by one, as an array would make `in` ask for its truth.
    if not any(isinstance(value, type(word)) and value == word for word in words):
        raise ValueError(f"expected {name} to be one of {', '.join(map(repr, words))}; got {value!r}")
    return value


# Classes and labels.


def require_classes(n_classes: Real, at_least: int = 2) -> int:
    """The number of classes as Python's int, if there is something to tell apart."""
    if require_whole(n_classes, "n_classes") < at_least:
        raise ValueError(f"expected at least {at_least} classes, got {n_classes}")
    return int(n_classes)  # type: ignore[arg-type]  # it is a whole number by now


def require_two_classes(classes: Sized, *, exactly: bool = False) -> None:
    """Refuse fewer classes than 2, or with ``exactly`` any other number, with scikit-learn's words in the sentence."""
    if len(classes) < 2:
        raise ValueError(f"expected at least 2 classes, got 1 class only: {_shown(classes)}; nothing to tell apart")
    if exactly and len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported: expected 2 classes, got {len(classes)}; "
            "use a reduction to binary problems, such as OutputCode, or a multi-class method"
        )


def require_labels(y: ArrayLike, n_classes: int | None = None, name: str = "labels") -> Labels:
    """Labels ``(n_samples,)`` as int64, each in 0 .. n_classes - 1 if that is given."""
    given = np.asarray(y)
    largest = "" if n_classes is None else f" .. {n_classes - 1}"
    wanted = f"{name} 0{largest} as integers" if largest else f"{name} as integers from 0"
    # Before any cast, which would complain of a literal for int() instead.
    strings = [v for v in given.ravel().tolist() if isinstance(v, str | bytes)] if given.dtype.kind in "USO" else []
    if strings:
        raise ValueError(
            f"expected {wanted}, got strings such as {strings[0]!r}: "
            "encode them first (numpy.unique(y, return_inverse=True))"
        )
    if given.ndim != 1:
        raise ValueError(f"expected {name} of shape (n_samples,), got shape {given.shape}")
    labels = _as_int64(given)
    limit = np.inf if n_classes is None else n_classes
    if labels is None or (labels < 0).any() or (labels >= limit).any():
        raise ValueError(
            f"expected {wanted}, got {_shown(given)}: encode them first (numpy.unique(y, return_inverse=True))"
        )
    return labels


def require_signs(signs: ArrayLike, name: str = "signs", *, zero: bool = False) -> Signs:
    """An array of -1 and +1, and of 0 if that is allowed, as int64."""
    given = np.asarray(signs)
    values = (-1, 0, 1) if zero else (-1, 1)
    whole = _as_int64(given)
    if whole is None or not np.isin(whole, values).all():
        raise ValueError(
            f"expected {name} {', '.join(f'{value:+d}' if value else '0' for value in values)}, got {_shown(given)}: "
            "encode the two labels as signs first"
        )
    return whole


def _as_int64(given: Array) -> Labels | None:
    """The same numbers as int64, or None where some are none."""
    # Written so that a NaN fails; a cast of what is too large would only warn.
    if given.dtype.kind == "f" and not (np.abs(given) < 2.0**63).all():
        return None
    try:
        whole = given.astype(np.int64)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if np.all(whole == given) else None


# Arrays.


def require_matrix(
    X: ArrayLike, name: str = "X", shape: str = "(n_samples, n_features)", *, exact: bool = False, finite: bool = True
) -> Array:
    """A dense matrix with at least one row and column: C-ordered float64, or with ``exact`` also of exact entries.

    The array may be the caller's own: copy it before writing into it.
    """
    try:
        matrix = exact_or_float(X) if exact else np.ascontiguousarray(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected {name} {shape} of numbers, got {type(X).__name__}: {error}") from error
    if np.ndim(X) != 2 or 0 in matrix.shape:  # type: ignore[arg-type]  # numpy's ArrayLike has no fractions
        raise ValueError(f"expected {name} {shape} with at least one row and column, got shape {np.shape(X)}")  # type: ignore[arg-type]  # the same
    return require_finite(matrix, f"entries of {name}") if finite else matrix


def require_same_length(**arrays: Sized) -> None:
    """Refuse arrays with different numbers of rows; their names are the keywords.

    >>> require_same_length(X=[[1], [2]], y=[0])
    Traceback (most recent call last):
    ValueError: expected the same number of rows in X and y, got 2 and 1
    """
    # Sparse matrices have a shape and no length.
    lengths = [array.shape[0] if hasattr(array, "shape") else len(array) for array in arrays.values()]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"expected the same number of rows in {' and '.join(arrays)}, got {' and '.join(map(str, lengths))}"
        )


def require_sample(X: ArrayLike, y: ArrayLike, n_classes: int, *, exact: bool = False) -> tuple[Array, Labels]:
    """Features ``X (n_samples, n_features)`` and labels ``y (n_samples,)`` in 0 .. n_classes - 1 that go together."""
    features = require_matrix(X, exact=exact)
    labels = require_labels(y, require_classes(n_classes))
    require_same_length(X=features, y=labels)
    return features, labels


def require_signed_sample(X: ArrayLike, signs: ArrayLike, *, exact: bool = False) -> tuple[Array, Signs]:
    """Features ``X (n_samples, n_features)`` and ``signs (n_samples,)`` -1 or +1 that go together."""
    features, checked = require_matrix(X, exact=exact), require_signs(signs)
    if checked.ndim != 1:
        raise ValueError(f"expected signs of shape (n_samples,), got shape {checked.shape}")
    require_same_length(X=features, signs=checked)
    return features, checked


def require_weights(weights: ArrayLike | None, n_samples: int, name: str = "sample_weight") -> Floats:
    """Finite weights >= 0, not all of them 0, as floats; for None those of 1."""
    if weights is None:
        return np.ones(n_samples)
    given = np.asarray(weights, dtype=float)
    if given.shape != (n_samples,) or not np.isfinite(given).all() or (given < 0).any():
        raise ValueError(f"expected {name} to be {n_samples} finite numbers >= 0, got {_shown(given)}")
    if not given.any():
        raise ValueError(f"expected at least one {name} > 0, got only zeros: nothing is left to learn from")
    return given


def require_probabilities(probabilities: ArrayLike, n_atoms: int | None = None) -> Array:
    """The probabilities of a finite distribution: floats that sum to 1 up to rounding, or exact numbers that do exactly."""
    given = np.asarray(probabilities)
    right = given.ndim == 1 and given.size > 0 and given.dtype.kind in "biufO"
    slack = _ROUNDING if given.dtype.kind == "f" else 0
    if not (right and np.all(given >= 0) and abs(given.sum() - 1) <= slack):
        raise ValueError(
            f"expected probabilities >= 0 that sum to 1, got {_shown(given)}: divide weights by their sum, "
            "as fractions where the result shall be exact"
        )
    if n_atoms is not None and len(given) != n_atoms:
        raise ValueError(f"expected a probability for each of {n_atoms} atoms, got {len(given)}")
    return given


def require_exact_probabilities(probabilities: ArrayLike, n_atoms: int | None = None) -> Exact:
    """The probabilities of a finite distribution as fractions that sum to exactly 1."""
    return rational(require_probabilities(rational(probabilities), n_atoms))


# How all of them decide and speak.


def _require(value: Value, condition: Callable[[Values], Values], wanted: str, advice: str) -> Value:
    if not _is_met(np.asarray(value) if isinstance(value, list | tuple) else value, condition):
        raise ValueError(f"expected {wanted}, got {_shown(value)}" + (f": {advice}" if advice else ""))
    return value


def _is_met(value: Values, condition: Callable[[Values], Values]) -> bool:
    try:
        met = condition(value)
        # Single numbers are most of what is checked, and their truth needs no array.
        return met if isinstance(met, bool) else bool(np.all(met))
    except TypeError:
        # An undecided relation of sympy has no truth; nothing else may be without one.
        return type(value).__module__.startswith("sympy")


def _shown(value: object) -> str:
    if isinstance(value, np.ndarray) and value.ndim:
        some = value.ravel()[:_SHOWN].tolist()
        return f"[{', '.join(map(_entry, some))}{', ...' if value.size > _SHOWN else ''}]"
    return _entry(value)


def _entry(value: object) -> str:
    return repr(value) if isinstance(value, str | bytes) else str(value)
