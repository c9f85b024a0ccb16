"""What signatures call their arguments.

A `Scalar` is any of the numbers with which the formulas compute.  Balls of python-flint and sympy's symbols belong to
them too, but those packages carry no types, so for mypy they are Any and pass wherever a scalar is asked for.  `Any`
itself is left to signatures that hand on what they do not know: options of other functions, what a file holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof.known import Known

if TYPE_CHECKING:
    import flint

# One number of Python's own: exact, or floating.
Number: TypeAlias = int | float | Fraction
# One number: exact, floating, or known to lie between two others.
Scalar: TypeAlias = Number | Known
# The kind of number that a formula is given and gives back.
NumberKind = TypeVar("NumberKind", float, Fraction, Known)
# One number that is only looked at, as in a comparison: numpy's own may stand there, too.
Real: TypeAlias = Scalar | np.integer | np.floating
# One that keeps track of its rounding, of python-flint.
Ball: TypeAlias = "flint.arb"
# What formulas take and give entry by entry: a number, ball or symbol, or an array of them, for which there is no type.
Values: TypeAlias = Any

# Numbers of any kind: floats, or exact ones (dtype object) where a function says that it takes both.
Array: TypeAlias = NDArray[Any]
# What becomes an array: numbers in nested sequences too, exact ones among them (numpy's own alias takes no fractions).
ArrayLike: TypeAlias = "Array | Real | str | Sequence[ArrayLike]"
# Numbers of one kind.
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]
# Python's ints and fractions, so dtype object.
Exact: TypeAlias = NDArray[np.object_]

# Labels 0 .. n_classes - 1, and signs -1 and +1.
Labels: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = Array

# A dense matrix, or a sparse one of scipy, which carries no types either.
Matrix: TypeAlias = Any

# A formula in one number, or entry by entry in an array of them.
Function: TypeAlias = Callable[[Values], Values]

# Scikit-learn's words for estimators: a weight for each class, or "balanced"; and what random numbers begin with.
RandomState: TypeAlias = int | np.random.RandomState | None
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None

# An object of JSON, as records keep it.
Json: TypeAlias = dict[str, Any]
