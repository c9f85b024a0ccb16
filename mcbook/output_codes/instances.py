"""Printed examples, instances with equality, and distributions on which binary errors say little."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.types import Array


def four_class_example() -> tuple[Array, Array]:
    """The outputs and the code of the worked example of decoding of Allwein, Schapire and Singer (their Figure 2).

    >>> from mcbook.output_codes import decode
    >>> outputs, M = four_class_example()
    >>> [int(decode(outputs, M, loss)[0]) for loss in ("hamming", "exponential")]
    [2, 3]
    """
    outputs = [[Fraction(1, 2), -7, -1, -2, -10, -12, 9]]
    return np.array(outputs, dtype=object), _code("-0--+--", "+-0+++-", "+0---++", "--+0--+")


def eight_class_example() -> tuple[Array, Array]:
    """The outputs and the code of the example of Mohri, Rostamizadeh and Talwalkar (their Figure 9.5).

    >>> from mcbook.output_codes import decode
    >>> outputs, M = eight_class_example()
    >>> M.shape, int(decode(outputs, M)[0])
    ((8, 6), 2)
    """
    code = _code("---+--", "+-----", "-++-+-", "++----", "++--+-", "--++-+", "--+---", "-+-+--")
    return np.array([[-1, 1, 1, -1, 1, 1]], dtype=object), code


def _code(*rows: str) -> Array:
    return np.array([["-0+".index(entry) - 1 for entry in row] for row in rows])


def boosting_instance() -> tuple[list[Array], list[Array]]:
    """Two columns over six points: the best hypothesis for the first makes one mistake, for the second two.

    >>> pools, signs = boosting_instance()
    >>> [int((pool != wanted).sum(axis=1).min()) for pool, wanted in zip(pools, signs, strict=True)]
    [1, 2]
    """
    first = np.array([[1, 1, -1, -1, 1, 1], [1, 1, 1, -1, -1, 1], [-1, 1, 1, 1, 1, 1]])
    second = np.array([[1, -1, 1, 1, 1, -1], [-1, 1, -1, 1, 1, 1], [1, 1, 1, -1, -1, 1]])
    return [first, second], [np.array([1, 1, 1, -1, 1, 1]), np.array([1, 1, 1, 1, 1, 1])]
