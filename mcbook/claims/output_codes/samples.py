"""What the claims of the chapter share: exact losses, random codes and samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Evidence
from mcbook.foundation.proof.exact import rational
from mcbook.foundation.types import Array, Function
from mcbook.losses import hinge
from mcbook.losses.theory.catalogue import square, zero_one
from mcbook.output_codes import (
    all_pairs_code,
    complete_code,
    hadamard_code,
    minimal_distance,
    one_vs_rest_code,
    repetition_code,
)

Found = Iterator[Evidence]
Loss = Function


def on_integers(formula: Callable[[int], Fraction]) -> Loss:
    """A loss with rational values at integer margins, as a function of exact arrays."""
    return np.frompyfunc(lambda z: formula(int(z)), 1, 1)


# Powers of 2 and 4 in place of those of e: the same losses with the margin in other units, and no rounding.
power_of_two = on_integers(lambda z: Fraction(2) ** -z)
sigmoid_of_four = on_integers(lambda z: 1 / (1 + Fraction(4) ** z))
not_positive = on_integers(lambda z: Fraction(int(z <= 0)))
unsafe_line = on_integers(lambda z: Fraction(1 - z))

EXACT_LOSSES: dict[str, Loss] = {
    "hinge": hinge,
    "square": square,
    "zero-one": zero_one,
    "2^(−z)": power_of_two,
    "1/(1 + 4^z)": sigmoid_of_four,
}


def at_zero(loss: Loss) -> Fraction:
    """L(0), exactly."""
    return Fraction(loss(rational([0]))[0])


def sign_codes(largest: int = 6) -> Iterator[tuple[str, Array]]:
    """The standard codes without zeros, for 3 classes and more."""
    for k in range(3, largest + 1):
        yield f"one-vs-rest, k = {k}", one_vs_rest_code(k)
        yield f"complete, k = {k}", complete_code(k)
        yield f"Hadamard, k = {k}", hadamard_code(k)
    yield "three times one column, k = 2", repetition_code(np.array([[1], [-1]]), 3)


def standard_codes(largest: int = 6) -> Iterator[tuple[str, Array]]:
    """These and all pairs."""
    yield from sign_codes(largest)
    for k in range(3, largest + 1):
        yield f"all pairs, k = {k}", all_pairs_code(k)


def random_code(rng: np.random.Generator, entries: tuple[int, ...] = (-1, 0, 1)) -> Array:
    """A small random code whose rows are all apart."""
    while True:
        M = rng.choice(entries, (int(rng.integers(2, 5)), int(rng.integers(2, 7))))
        if minimal_distance(M) > 0 and len({tuple(row) for row in M.tolist()}) == len(M):
            return M


def random_balanced_code(rng: np.random.Generator) -> Array:
    """A random code with equally many zeros in all rows, any two of which are opposite somewhere."""
    while True:
        n_columns = int(rng.integers(3, 7))
        n_zeros = int(rng.integers(0, n_columns - 1))
        rows = [
            rng.permutation(np.r_[np.zeros(n_zeros, int), rng.choice([-1, 1], n_columns - n_zeros)])
            for _ in range(int(rng.integers(2, 5)))
        ]
        M = np.array(rows)
        if all((u * v < 0).any() for i, u in enumerate(M) for v in M[:i]):
            return M


def random_outputs(rng: np.random.Generator, M: Array, y: Array) -> Array:
    """Small integer outputs, on the label's side more often than not, many of them 0 or on the border."""
    F = rng.integers(-2, 3, (len(y), M.shape[1]))
    helped = rng.random(F.shape) < 0.4
    return rational(np.where(helped, M[y] * rng.integers(0, 3, F.shape), F))


def random_sample(rng: np.random.Generator, M: Array, n_samples: int = 8) -> tuple[Array, Array]:
    """Random labels and outputs."""
    y = rng.integers(0, len(M), n_samples)
    return random_outputs(rng, M, y), y
