"""What AdaBoost.MH costs with stumps: comparisons and additions, counted in the lines that run."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import StumpLearner, run_adaboost
from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.boosting_many_labels import stump_cost
from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.compiled import python_original
from mcbook.foundation.types import Array, Floats, Signs
from mcbook.trees.algorithm.columns import sort_columns
from mcbook.trees.kernels.signed import best_cut, best_cuts, sum_by_rank

Found = Iterator[Evidence]
SIZES = ((5, 2, 1, 1), (8, 3, 2, 1), (12, 2, 5, 2), (9, 6, 3, 3), (20, 4, 2, 2))


class Counted:
    """A number that counts how often it is added to another, and compared with another."""

    additions = comparisons = 0

    def __init__(self, value: float) -> None:
        self.value = value

    def __radd__(self, other: float | Counted) -> Counted:
        Counted.additions += 1
        return Counted(float(other) + self.value)

    __add__ = __radd__

    def __lt__(self, other: Counted) -> bool:
        Counted.comparisons += 1
        return self.value < other.value

    def __float__(self) -> float:
        return self.value

    def __sub__(self, other: float | Counted) -> Counted:
        return Counted(self.value - float(other))

    def __abs__(self) -> Counted:
        return Counted(abs(self.value))


counted_numbers = np.frompyfunc(Counted, 1, 1)


class CountedStumps(StumpLearner):
    """The package's stumps; the lines of its kernel that add and cut run on counted numbers in every round, too."""

    def learn(self, S: Array) -> WeakFit:
        ranks, n_values, _, _, categorical = self.columns
        d = self.columns.n_features
        worths, cuts = np.empty(d), np.empty(d, np.int64)
        python_original(best_cuts)(ranks, n_values, categorical, counted_numbers(S), False, 0, d, worths, cuts)
        fit = super().learn(S)
        # What was counted is the search that found this stump, but for the rounding.
        assert np.isclose(worths.max(), fit.hypothesis.question.worth)
        return fit


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


def features_and_signs(m: int, k: int, d: int) -> tuple[Floats, Signs]:
    """Features with all their values different, and the signs that are wanted."""
    rng = np.random.default_rng(m + k + d)
    return rng.normal(size=(m, d)), rng.choice([-1, 1], (m, k))


def additions(m: int, k: int, d: int, n_rounds: int) -> int:
    """Of a run of AdaBoost.MH, in the lines of the kernel."""
    X, Y = features_and_signs(m, k, d)
    Counted.additions = 0
    run = run_adaboost(CountedStumps(X), Y, n_rounds)
    assert run.n_rounds == n_rounds
    return Counted.additions


def additions_with_cuts(m: int, k: int, d: int) -> int:
    """Of one round, those of the sums by which the cuts are compared among them."""
    X, Y = features_and_signs(m, k, d)
    columns, A = sort_columns(X), counted_numbers(Y)
    Counted.additions = 0
    for j in range(d):
        n_values = int(columns.n_values[j])
        sums = np.zeros((n_values + 1, k), dtype=object)
        python_original(sum_by_rank)(columns.ranks[j], A, sums)
        python_original(best_cut)(sums, n_values, False, False)
    return Counted.additions


def comparisons(m: int, d: int) -> int:
    """Of sorting d columns of m numbers by merging."""
    return sum(merged(column)[1] for column in np.random.default_rng(m).normal(size=(d, m)).tolist())


def comparisons_of_the_package(m: int, d: int) -> int:
    """Of sorting the same columns as `sort_columns` does, by numpy's own sort, with numbers that count."""
    Counted.comparisons = 0
    for column in np.random.default_rng(m).normal(size=(d, m)):
        np.argsort(counted_numbers(column))
    return Counted.comparisons


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


@cost.check("runs of AdaBoost.MH, additions and comparisons counted, for five sizes of m, k, d and N")
def counted(rng: np.random.Generator) -> Found:
    for m, k, d, N in SIZES:
        sizes = f"m, k, d, N = {m}, {k}, {d}, {N}"
        scan = stump_cost(m, k, d, N + 1) - stump_cost(m, k, d, 1)
        yield equal("additions = mkdN", additions(m, k, d, N), scan, at=sizes)
        # A cut adds k numbers for each value once to the left side, and once to the sum of both.
        with_cuts = N * additions_with_cuts(m, k, d)
        yield at_most("additions, cuts included ≤ 3 mkdN", with_cuts, 3 * scan, at=sizes)
        sorting = stump_cost(m, k, d, 1) - m * k * d
        printed = d * m * k * (m * k - 1).bit_length()
        yield at_most("d m ⌈log₂ m⌉ ≤ d mk ⌈log₂ mk⌉", sorting, printed, at=sizes)


@cost.check("columns sorted by merging, and as the package sorts them: comparisons")
def counted_while_sorting(rng: np.random.Generator) -> Found:
    for m, d in ((12, 3), (64, 2), (300, 1)):
        sorting, sizes = stump_cost(m, 1, d, 1) - m * d, f"m, d = {m}, {d}"
        yield at_most("comparisons ≤ d m ⌈log₂ m⌉", comparisons(m, d), sorting, at=sizes)
        yield at_least("comparisons ≥ d m ⌈log₂ m⌉ / 2", comparisons(m, d), Fraction(sorting, 2), at=sizes)
        # The package leaves the sorting to numpy, which compares up to half as often again as merging would.
        own = comparisons_of_the_package(m, d)
        yield at_most("comparisons of the package ≤ 2 d m ⌈log₂ m⌉", own, 2 * sorting, at=sizes)


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
