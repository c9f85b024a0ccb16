"""What happens over all samples from a finite law, exactly.

A class is given by its values on the atoms of the law, ``values (n_functions, n_atoms)``, and the law by the
probabilities of the atoms.  A sample of size m is known by how often each atom occurs in it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.proof import Known, Tier, known
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability, rational
from mcbook.rademacher.algorithm.enumeration import on_grid
from mcbook.rademacher.theory.classes import Array, values_matrix


def average_complexity(values: Any, probabilities: Any, n_samples: int) -> Fraction:
    """The Rademacher complexity R_m: the mean of the empirical complexity over all samples of the given size.

    The signs at an atom that occurs c times add up to 2j - c in binom(c, j) of 2^c cases, so that neither the order of
    the sample nor the single signs need be enumerated.  Floats are taken for the fractions that they are.
    """
    table, law = _checked(values, probabilities, n_samples)
    grid = on_grid(table, 1, rounding=False)
    integers = grid.integers.astype(object)
    mean = sum(
        multinomial_probability(counts, law) * _sum_of_suprema(integers, counts)
        for counts in count_vectors(n_samples, len(law))
    )
    return Fraction(mean) * grid.unit / (n_samples * 2**n_samples)


def deviation_law(
    values: Any, probabilities: Any, n_samples: int, means: Any = None
) -> list[tuple[Fraction, Fraction]]:
    """sup_g (mean_g - average of g on the sample), and its probability, for every sample by counts.

    ``means (n_functions,)`` are the expectations of the functions unless others are given: a risk, for instance, which
    is to be compared with the average of another loss.
    """
    table, law = _checked(values, probabilities, n_samples)
    expected = table @ law if means is None else rational(means)
    if expected.shape != table.shape[:1]:
        raise ValueError(f"expected one mean for each of {len(table)} functions, got shape {expected.shape}")
    return [
        (
            Fraction(max(expected - table @ np.array(counts, dtype=object) * Fraction(1, n_samples))),
            multinomial_probability(counts, law),
        )
        for counts in count_vectors(n_samples, len(law))
    ]


def failure_probability(values: Any, probabilities: Any, n_samples: int, threshold: Any, means: Any = None) -> Any:
    """The probability that some function's mean exceeds its average on the sample by more than the threshold.

    A `Fraction` where every comparison with the threshold can be decided, as it can for an exact one; a `Known` between
    the two readings of the undecided ones otherwise.
    """
    limit = known(threshold)
    certain, possible = Fraction(0), Fraction(0)
    for deviation, probability in deviation_law(values, probabilities, n_samples, means):
        certain += probability if deviation > limit.upper else 0
        possible += probability if deviation > limit.lower else 0
    return certain if certain == possible else Known(certain, possible, Tier.EXACT)


def _sum_of_suprema(integers: Array, counts: tuple[int, ...]) -> int:
    """The sum, over all signs of a sample with these counts, of the largest signed sum of a row."""
    sums, ways = np.zeros((len(integers), 1), dtype=object), np.ones(1, dtype=object)
    for column, count in zip(integers.T, counts, strict=True):
        if count:
            steps = np.arange(-count, count + 1, 2).astype(object)
            choices = np.array([math.comb(count, j) for j in range(count + 1)], dtype=object)
            sums = (sums[:, :, None] + column[:, None, None] * steps).reshape(len(integers), -1)
            ways = np.outer(ways, choices).ravel()
    return int(sums.max(axis=0) @ ways)


def _checked(values: Any, probabilities: Any, n_samples: int) -> tuple[Array, Array]:
    table, law = rational(values_matrix(values)), rational(probabilities)
    if law.shape != table.shape[1:] or any(p < 0 for p in law) or law.sum() != 1:
        raise ValueError(
            f"expected {table.shape[1]} probabilities that add up to exactly 1, got {[str(p) for p in law.ravel()]}: "
            "give them as fractions"
        )
    if n_samples < 1:
        raise ValueError(f"expected a sample of at least 1 point, got {n_samples}")
    return table, law
