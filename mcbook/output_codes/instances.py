"""Printed examples, instances with equality, and laws on which binary errors say little."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.types import Array


def four_class_example() -> tuple[Array, Array]:
    """The outputs and the code of the worked example of decoding of Allwein, Schapire and Singer (their Figure 2)."""
    outputs = [[Fraction(1, 2), -7, -1, -2, -10, -12, 9]]
    return np.array(outputs, dtype=object), _code("-0--+--", "+-0+++-", "+0---++", "--+0--+")


def eight_class_example() -> tuple[Array, Array]:
    """The outputs and the code of the example of Mohri, Rostamizadeh and Talwalkar (their Figure 9.5)."""
    code = _code("---+--", "+-----", "-++-+-", "++----", "++--+-", "--++-+", "--+---", "-+-+--")
    return np.array([[-1, 1, 1, -1, 1, 1]], dtype=object), code


def _code(*rows: str) -> Array:
    return np.array([["-0+".index(entry) - 1 for entry in row] for row in rows])


def boosting_instance() -> tuple[list[Array], list[Array]]:
    """Two columns over six points: the best hypothesis for the first makes one mistake, for the second two."""
    first = np.array([[1, 1, -1, -1, 1, 1], [1, 1, 1, -1, -1, 1], [-1, 1, 1, 1, 1, 1]])
    second = np.array([[1, -1, 1, 1, 1, -1], [-1, 1, -1, 1, 1, 1], [1, 1, 1, -1, -1, 1]])
    return [first, second], [np.array([1, 1, 1, -1, 1, 1]), np.array([1, 1, 1, 1, 1, 1])]
