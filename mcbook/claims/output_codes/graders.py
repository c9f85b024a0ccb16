"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from mcbook.foundation.answers import Case, close_to, itself
from mcbook.output_codes import (
    all_pairs_code,
    binary_code,
    complete_code,
    corrected_errors,
    correction_radius,
    decode,
    decoding_distances,
    hadamard_code,
    least_columns,
    minimal_distance,
    one_vs_rest_code,
    random_dense_code,
    repetition_code,
    row_distances,
)

BY_HAND = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])


def rows_nearest_by_hand() -> int:
    distances = decoding_distances(np.array([[1.0, -1.0, 1.0]]), BY_HAND)[0]
    return int((distances == distances.min()).sum())


def errors_survived_by_hand() -> int:
    return corrected_errors(BY_HAND)


def columns_for_letters() -> int:
    return least_columns(26)


def order_of_lengths() -> list[int]:
    makers = (binary_code, hadamard_code, one_vs_rest_code, all_pairs_code, complete_code)
    return [int(place) for place in np.argsort([make(8).shape[1] for make in makers])]


def radius_after_three_times() -> int:
    return corrected_errors(repetition_code(hadamard_code(4), 3))


def own_distance_of_six() -> Fraction:
    return Fraction(row_distances(all_pairs_code(6))[0, 0])


def distance_after_deleting() -> Fraction:
    M = complete_code(5)
    return min(minimal_distance(np.delete(M, list(columns), axis=1)) for columns in combinations(range(15), 3))


def ceiling_of_five() -> Fraction:
    """Attained by all columns with two entries of one sign, and no column is opposite in more than 6 of 10 pairs."""
    most = max(p * (5 - p) for p in range(6))
    return Fraction(10 * most, 10)


def classifiers_survived() -> int:
    M = complete_code(5)
    return correction_radius(2 * int(minimal_distance(M))) // 2


def hamming_labels(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_columns in ((3, 5), (4, 7), (6, 9), (5, 4)):
        M = random_dense_code(n_classes, n_columns, 20, int(rng.integers(2**31)))
        F = rng.normal(size=(12, n_columns)) * 10.0 ** rng.integers(-1, 3, (12, n_columns))
        yield Case(f"12 examples, {n_classes} classes, {n_columns} columns", (F, M), close_to(decode(F, M)))


def survives_two(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your code", (), _feedback_on_code, itself)


def _feedback_on_code(reply: object) -> str:
    M = np.asarray(reply)
    if M.ndim != 2 or len(M) != 5:
        return f"expected five rows, got the shape {M.shape}"
    if M.shape[1] > 10:
        return f"expected at most ten columns, got {M.shape[1]}"
    if not np.isin(M, (-1, 1)).all():
        return "expected only -1 and +1 as entries"
    M = M.astype(int)
    if len(np.unique(M, axis=1).T) < M.shape[1]:
        return "it has equal columns, which pose the same question twice"
    return "" if minimal_distance(M) > 0 and corrected_errors(M) >= 2 else "two wrong answers can spoil it"


def distances_of_rows(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_columns in ((3, 5), (4, 7), (5, 9)):
        M = rng.integers(-1, 2, (n_classes, n_columns))
        yield Case(f"{n_classes} rows of {n_columns} entries", (M,), close_to(row_distances(M)))
