"""What AdaBoost.MH costs with stumps: comparisons and additions, counted in the lines that run."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting_many_labels import stump_cost
from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.compiled import python_original
from mcbook.trees.algorithm.columns import sort_columns
from mcbook.trees.kernels.signed import best_cut, sum_by_rank

Found = Iterator[Evidence]
SIZES = ((5, 2, 1, 1), (8, 3, 2, 1), (12, 2, 5, 2), (9, 6, 3, 3), (20, 4, 2, 2))


class Counted:
    """A number that counts how often it is added to another."""

    additions = 0

    def __init__(self, value: float) -> None:
        self.value = value

    def __radd__(self, other: float | Counted) -> Counted:
        Counted.additions += 1
        return Counted(float(other) + self.value)

    __add__ = __radd__

    def __float__(self) -> float:
        return self.value

    def __sub__(self, other: float | Counted) -> Counted:
        return Counted(self.value - float(other))

    def __abs__(self) -> Counted:
        return Counted(abs(self.value))


cost = Claim(
    "prp-mh-cost",
    "growth rate",
    "exact",
    source="mohri2018",
    where="§9.3.2",
    errata=("E20",),
    implements=(stump_cost, sum_by_rank),
    formula=Formula("eq-mh-cost", stump_cost),
    symbols=(Reading("N", "count", arguments={"n_rounds": "N"}),),
)


def sample(m: int, k: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Features with all their values different, and signed weights of the pairs that count."""
    rng = np.random.default_rng(m + k + d)
    A = rng.normal(size=(m, k))
    return rng.normal(size=(m, d)), np.asarray(np.frompyfunc(Counted, 1, 1)(A))


def additions(m: int, k: int, d: int, n_rounds: int, *, with_cuts: bool = False) -> int:
    """Of all rounds, in the lines of the kernels."""
    X, A = sample(m, k, d)
    columns = sort_columns(X)
    Counted.additions = 0
    for _ in range(n_rounds):
        for j in range(d):
            n_values = int(columns.n_values[j])
            sums = np.zeros((n_values + 1, k), dtype=object)
            python_original(sum_by_rank)(columns.ranks[j], A, sums)
            if with_cuts:
                python_original(best_cut)(sums, n_values, False, False)
    return Counted.additions


def comparisons(m: int, d: int) -> int:
    """Of sorting d columns of m numbers by merging; Python's own sort compares otherwise from version to version."""
    return sum(merged(column)[1] for column in np.random.default_rng(m).normal(size=(d, m)).tolist())


def merged(numbers: list[float]) -> tuple[list[float], int]:
    """The numbers in order, and how many comparisons it took to merge their sorted halves."""
    if len(numbers) < 2:
        return numbers, 0
    (left, before), (right, then) = merged(numbers[: len(numbers) // 2]), merged(numbers[len(numbers) // 2 :])
    ordered, a, b = [], 0, 0
    while a < len(left) and b < len(right):
        if left[a] <= right[b]:
            ordered.append(left[a])
            a += 1
        else:
            ordered.append(right[b])
            b += 1
    return ordered + left[a:] + right[b:], before + then + len(ordered)


@cost.check("additions and comparisons, counted for five sizes of m, k, d and N")
def counted(rng: np.random.Generator) -> Found:
    for m, k, d, N in SIZES:
        sizes = f"m, k, d, N = {m}, {k}, {d}, {N}"
        scan = stump_cost(m, k, d, N + 1) - stump_cost(m, k, d, 1)
        yield equal("additions = mkdN", additions(m, k, d, N), scan, at=sizes)
        # A cut adds k numbers for each value once to the left side, and once to the sum of both.
        yield at_most("additions, cuts included ≤ 3 mkdN", additions(m, k, d, N, with_cuts=True), 3 * scan, at=sizes)
        sorting = stump_cost(m, k, d, 1) - m * k * d
        yield at_most("comparisons ≤ d m ⌈log₂ m⌉", comparisons(m, d), sorting, at=sizes)
        printed = d * m * k * (m * k - 1).bit_length()
        yield at_most("d m ⌈log₂ m⌉ ≤ d mk ⌈log₂ mk⌉", sorting, printed, at=sizes)


@cost.extremal("equality: a round adds m k d numbers, whatever the weights are")
def each_round_the_same() -> Found:
    for m, k, d, N in SIZES:
        more = additions(m, k, d, N + 1) - additions(m, k, d, N)
        yield equal(
            "additions of one more round = mkd",
            more,
            stump_cost(m, k, d, 2) - stump_cost(m, k, d, 1),
            at=f"m, k, d = {m}, {k}, {d}",
            statement=True,
        )


@cost.strengthened(
    "One per cent fewer additions would not do: two rounds on twenty examples with four labels and two "
    "features take {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def fewer_additions(by: Fraction) -> Found:
    scan = stump_cost(20, 4, 2, 3) - stump_cost(20, 4, 2, 1)
    yield at_most("additions ≤ mkdN", additions(20, 4, 2, 2), by * scan)


@cost.control(
    "The number of labels counts: one round on nine examples with six labels and three features takes "
    "{left} additions, and $3md$, which is enough for a single label, is {right}."
)
def without_the_labels() -> Found:
    yield at_most("additions ≤ 3md", additions(9, 6, 3, 1), 3 * (stump_cost(9, 1, 3, 2) - stump_cost(9, 1, 3, 1)))


@cost.control(
    "The printed first term lacks the factor $d$ and is too small: sorting 40 columns of 64 numbers "
    r"takes {left} comparisons, but $mk\log_2(mk)$ is only {right} for $k=2$.",
    story=True,
)
def one_sort_for_all() -> Found:
    m, k, d = 64, 2, 40
    one = stump_cost(m * k, 1, 1, 1) - m * k
    yield at_most("comparisons ≤ mk log₂ mk", comparisons(m, d), one)


@cost.control(
    "Half of the additions would not do: one round on eight examples with three labels and two "
    "features takes {right}, not {left}."
)
def half_of_it() -> Found:
    half = Fraction(stump_cost(8, 3, 2, 2) - stump_cost(8, 3, 2, 1), 2)
    yield at_least("mkd/2 ≥ additions", half, additions(8, 3, 2, 1))
