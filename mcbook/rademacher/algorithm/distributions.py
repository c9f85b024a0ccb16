"""What happens over all samples from a finite distribution, exactly.

A class is given by its values on the atoms of the distribution, ``values (n_functions, n_atoms)``, and the distribution
by the probabilities of the atoms.  A sample of size m is known by how often each atom occurs in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_at_least, require_exact_probabilities
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof import Known, Tier, known
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability
from mcbook.foundation.types import Array, ArrayLike, Scalar
from mcbook.rademacher.algorithm.enumeration import on_grid
from mcbook.rademacher.theory.classes import values_matrix


def average_complexity(values: ArrayLike, probabilities: ArrayLike, n_samples: int) -> Fraction:
    """The Rademacher complexity R_m: the mean of the empirical complexity over all samples of the given size.

    The signs at an atom that occurs c times add up to 2j - c in binom(c, j) of 2^c cases, so that neither the order of
    the sample nor the single signs need be enumerated.  Atoms on which every function has the same value count as one,
    and equal functions too.  Floats are taken for the fractions that they are.

    >>> [str(average_complexity([[0, 1], [1, 0]], [Fraction(1, 2)] * 2, m)) for m in (1, 2)]
    ['1/2', '1/4']
    """
    table, distribution = _merged(*_checked(values, probabilities, n_samples))
    grid = on_grid(table, 1, rounding=False)
    integers = grid.integers.astype(object)
    mean = sum(
        multinomial_probability(counts, distribution) * _sum_of_suprema(integers, counts)
        for counts in count_vectors(n_samples, len(distribution))
    )
    return Fraction(mean) * grid.unit / (n_samples * 2**n_samples)


def deviation_distribution(
    values: ArrayLike, probabilities: ArrayLike, n_samples: int, means: ArrayLike | None = None
) -> list[tuple[Fraction, Fraction]]:
    """sup_g (mean_g - average of g on the sample), and its probability, for every sample by counts.

    ``means (n_functions,)`` are the expectations of the functions unless others are given: a risk, for instance, which
    is to be compared with the average of another loss.

    Source: Mohri et al. (2018), Theorem 3.3.

    >>> fair = [Fraction(1, 2)] * 2
    >>> [(str(deviation), str(share)) for deviation, share in deviation_distribution([[0, 1]], fair, 1)]
    [('-1/2', '1/2'), ('1/2', '1/2')]
    """
    table, distribution = _checked(values, probabilities, n_samples)
    expected = _means(table, distribution, means)
    return [
        (Fraction(max(expected - averages)), share)
        for averages, share in _sample_averages(table, distribution, n_samples)
    ]


def failure_probability(
    values: ArrayLike, probabilities: ArrayLike, n_samples: int, threshold: Scalar, means: ArrayLike | None = None
) -> Fraction | Known:
    """The probability that some function's mean exceeds its average on the sample by more than the threshold.

    A `Fraction` where every comparison with the threshold can be decided, as it can for an exact one; a `Known` between
    the two readings of the undecided ones otherwise.

    Source: Mohri et al. (2018), Theorem 3.3.

    >>> failure_probability([[0, 1]], [Fraction(1, 2)] * 2, 2, threshold=Fraction(1, 4))  # if both draws give 0
    Fraction(1, 4)
    """
    limit = known(threshold)
    return _between(
        (deviation > limit.upper, deviation > limit.lower, share)
        for deviation, share in deviation_distribution(values, probabilities, n_samples, means)
    )


def bound_failure_probability(
    values: ArrayLike,
    probabilities: ArrayLike,
    n_samples: int,
    bound: Callable[[Fraction], Scalar],
    means: ArrayLike | None = None,
) -> Fraction | Known:
    """The probability that some function's mean exceeds ``bound(its average on the sample)``: how often a bound fails.

    `failure_probability` asks the same of a bound that adds a threshold to the average; here the bound is put to use
    as it stands, with the average of each sample.  A `Fraction` or a `Known`, as there.

    >>> fair = [Fraction(1, 2)] * 2
    >>> [str(bound_failure_probability([[0, 1]], fair, 2, lambda average: average + t)) for t in (0, Fraction(1, 2))]
    ['1/4', '0']
    """
    table, distribution = _checked(values, probabilities, n_samples)
    expected = _means(table, distribution, means)
    limits: dict[Fraction, Known] = {}

    def limit(average: Fraction) -> Known:
        if average not in limits:
            limits[average] = known(bound(Fraction(average)))
        return limits[average]

    def exceeds(averages: Array, end: str) -> bool:
        return any(mean > getattr(limit(a), end) for mean, a in zip(expected, averages, strict=True))

    return _between(
        (exceeds(averages, "upper"), exceeds(averages, "lower"), share)
        for averages, share in _sample_averages(table, distribution, n_samples)
    )


def _between(outcomes: Iterable[tuple[bool, bool, Fraction]]) -> Fraction | Known:
    """The probability of what certainly happens, up to that of what possibly does, from shares of all cases."""
    certain, possible = Fraction(0), Fraction(0)
    for surely, perhaps, share in outcomes:
        certain += share if surely else 0
        possible += share if perhaps else 0
    return certain if certain == possible else Known(certain, possible, Tier.EXACT)


def _means(table: Array, distribution: Array, means: ArrayLike | None) -> Array:
    expected = np.asarray(table @ distribution) if means is None else rational(means)
    if expected.shape != table.shape[:1]:
        raise ValueError(f"expected one mean for each of {len(table)} functions, got shape {expected.shape}")
    return expected


def _sample_averages(table: Array, distribution: Array, n_samples: int) -> Iterator[tuple[Array, Fraction]]:
    """The averages of all functions on a sample, and its probability, for every sample by counts."""
    for counts in count_vectors(n_samples, len(distribution)):
        averages = table @ np.array(counts, dtype=object) * Fraction(1, n_samples)
        yield averages, multinomial_probability(counts, distribution)


def _merged(table: Array, distribution: Array) -> tuple[Array, Array]:
    """The same class on the same distribution without repetitions: neither of atoms with equal columns, nor of equal rows."""
    masses: dict[tuple[Scalar, ...], Fraction] = {}
    for column, probability in zip(table.T.tolist(), distribution, strict=True):
        masses[tuple(column)] = masses.get(tuple(column), Fraction(0)) + probability
    rows = dict.fromkeys(zip(*masses, strict=True))
    return rational(list(rows)), rational(list(masses.values()))


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


def _checked(values: ArrayLike, probabilities: ArrayLike, n_samples: int) -> tuple[Array, Array]:
    table = rational(values_matrix(values))
    require_at_least(n_samples, 1, "n_samples")
    return table, require_exact_probabilities(probabilities, table.shape[1])
