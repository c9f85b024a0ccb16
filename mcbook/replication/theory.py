"""What counts say: how sure an error is, whether two of them differ, and which percentages a test set can have.

Everything here is exact: counts are ints, probabilities fractions.
"""

from __future__ import annotations

import math
from fractions import Fraction

from mcbook.foundation.checks import require_whole


def equal_rates_p_value(wrong: int, n: int, other_wrong: int, other_n: int) -> Fraction:
    """The exact two-sided p-value of Fisher's test that two samples of errors have the same rate.

    Of ``w = wrong + other_wrong`` errors, each set of w of all examples is equally likely to be the wrong ones if the
    rates are equal: so ``wrong`` has the probability C(n, wrong) C(other_n, other_wrong) / C(n + other_n, w).  The
    p-value sums the outcomes that are no more probable than what was seen.

    >>> equal_rates_p_value(0, 3, 3, 3)
    Fraction(1, 10)
    """
    for count, size in ((wrong, n), (other_wrong, other_n)):
        require_whole(size, "n", at_least=1)
        if not 0 <= require_whole(count, "wrong") <= size:
            raise ValueError(f"expected 0 <= wrong <= n, got wrong = {count} of n = {size}")
    total = wrong + other_wrong
    least, most = max(0, total - other_n), min(n, total)
    ways = math.comb(n, least) * math.comb(other_n, total - least)
    counts = [ways]
    for j in range(least, most):
        # From C(n, j) C(n', w - j) to the next j.
        ways = ways * (n - j) * (total - j) // ((j + 1) * (other_n - total + j + 1))
        counts.append(ways)
    seen = counts[wrong - least]
    return Fraction(sum(count for count in counts if count <= seen), math.comb(n + other_n, total))


def false_alarm_rate(
    n: int, other_n: int, rate: Fraction | int, level: Fraction | int, *, mid: bool = False
) -> Fraction:
    """How often two samples with the same error rate have a p-value of at most the level, summed exactly.

    With ``mid`` half of what was seen is left out of the p-value, as is often done to make it smaller.

    >>> false_alarm_rate(2, 2, Fraction(1, 2), Fraction(1, 3))
    Fraction(1, 8)
    """
    p, bound = Fraction(rate), Fraction(level)
    found = Fraction(0)
    for wrong in range(n + 1):
        for other in range(other_n + 1):
            ways = math.comb(n, wrong) * math.comb(other_n, other)
            seen = Fraction(ways, math.comb(n + other_n, wrong + other))
            p_value = equal_rates_p_value(wrong, n, other, other_n) - (seen / 2 if mid else 0)
            if p_value <= bound:
                found += ways * p ** (wrong + other) * (1 - p) ** (n + other_n - wrong - other)
    return found


def sign_test_p_value(wins: int, losses: int) -> Fraction:
    """The exact two-sided p-value of so many wins and losses if both are equally likely, ties being left out.

    2 P[Bin(n, 1/2) >= max(wins, losses)], at most 1.

    >>> sign_test_p_value(5, 0), sign_test_p_value(2, 2)
    (Fraction(1, 16), Fraction(1, 1))
    """
    require_whole(wins, "wins", at_least=0)
    require_whole(losses, "losses", at_least=0)
    n, most = wins + losses, max(wins, losses)
    return min(Fraction(2 * sum(math.comb(n, j) for j in range(most, n + 1)), 2**n), Fraction(1))


def counts_behind(percentage: Fraction | int, n: int) -> list[int]:
    """The numbers of errors j for which 100 j / n rounds to this percentage, which has one digit after the point.

    >>> counts_behind(Fraction("19.2"), 26), counts_behind(Fraction("19.2"), 22)
    ([5], [])
    """
    require_whole(n, "n", at_least=1)
    value, half = Fraction(percentage), Fraction(1, 20)
    least, most = math.ceil((value - half) * n / 100), math.floor((value + half) * n / 100)
    return list(range(max(least, 0), min(most, n) + 1))


def distinct_columns_probability(n_classes: int, n_columns: int) -> Fraction:
    """prod_{1 <= i < l} (1 - i / 2^k): random columns of k fair signs are all different.

    >>> distinct_columns_probability(1, 2)
    Fraction(1, 2)
    """
    size = 2 ** require_whole(n_classes, "n_classes", at_least=1)
    ways = math.prod(size - i for i in range(require_whole(n_columns, "n_columns", at_least=0)))
    return Fraction(ways, size**n_columns)


def paper_columns(factor: int, n_classes: int) -> int:
    """ceil(factor log2 k), the length of the random codes: factor 10 for dense ones, 15 for sparse ones.

    >>> [paper_columns(10, k) for k in (4, 6, 26)]
    [20, 26, 48]
    """
    # 2^l >= k^factor, in whole numbers.
    return (require_whole(n_classes, "n_classes", at_least=2) ** factor - 1).bit_length()


def speed_up_limit(costs: list[float], n_workers: int) -> float:
    """sum c / max(max c, sum c / w): no schedule of these parts on w workers is faster than that against one.

    >>> speed_up_limit([3.0, 1.0, 1.0, 1.0], 4)
    2.0
    """
    require_whole(n_workers, "n_workers", at_least=1)
    return sum(costs) / max(max(costs), sum(costs) / n_workers)
