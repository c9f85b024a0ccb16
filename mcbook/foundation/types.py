"""What signatures call their arguments.

A `Scalar` is any of the numbers with which the formulas compute.  Balls of python-flint and sympy's symbols belong to
them too, but those packages carry no types, so for mypy they are Any and pass wherever a scalar is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof.known import Known

if TYPE_CHECKING:
    import flint

# One number: exact, floating, or known to lie between two others.
Scalar: TypeAlias = int | float | Fraction | Known
# One that keeps track of its rounding, of python-flint.
Ball: TypeAlias = "flint.arb"
# The kind of number that a formula is given and gives back.
Number = TypeVar("Number", float, Fraction, Known)

# Numbers of any kind: floats, or exact ones (dtype object) where a function says that it takes both.
Array: TypeAlias = NDArray[Any]
# Numbers of one kind.
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]
# Python's ints and fractions, so dtype object.
Exact: TypeAlias = NDArray[np.object_]

# Labels 0 .. n_classes - 1, and signs -1 and +1.
Labels: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = NDArray[Any]

# A dense matrix, or a sparse one of scipy, which carries no types either.
Matrix: TypeAlias = Any

# A formula in one number, or entry by entry in an array of them.
Function: TypeAlias = Callable[[Any], Any]

# What scikit-learn's estimators take: a weight for each class, or "balanced"; and what random numbers begin with.
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
Seed: TypeAlias = int | np.random.RandomState | None

# An object of JSON, as records keep it.
Json: TypeAlias = dict[str, Any]
