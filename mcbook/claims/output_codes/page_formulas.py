"""The chapter's functions in the shape in which its page states their values, and its longer lists of formulas."""

from __future__ import annotations

import numpy as np

from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.types import Array, Function
from mcbook.output_codes import (
    decode,
    decoding_distances,
    row_distances,
    standard_distance,
)


def distance_of_two(u: Array, v: Array) -> float:
    """The distance of two rows."""
    return row_distances(np.array([u, v]))[0, 1]


def label_of_one(f: Array, M: Array) -> int:
    """The class at the least Hamming distance from the outputs for one example, counted from 1."""
    return int(decode(f[None, :], M)[0]) + 1


def distances_of_one(f: Array, M: Array, loss: str | Function) -> Array:
    """The distances of all classes from the outputs for a single example."""
    return decoding_distances(f[None, :], M, loss)[0]


DISTANCES = (
    Formula("eq-code-distances", standard_distance, fixed={"code": "one-vs-rest"}),
    Formula("eq-code-distances", standard_distance, piece=1, fixed={"code": "all-pairs"}),
    Formula("eq-code-distances", standard_distance, piece=2, side=1, fixed={"code": "complete"}),
    Formula("eq-code-distances", standard_distance, piece=2, fixed={"code": "complete"}, given={r"\ell": "2^{k-1}-1"}),
)
