"""The choice among runs on fresh examples, and the exact probability that it fails.

All probabilities are fractions: sums of binomial and trinomial terms, brought to one denominator and counted in whole
numbers.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.distributions import FiniteDistribution
from mcbook.foundation.types import ArrayLike, Booleans


def fewest_mistakes(mistakes: ArrayLike) -> int:
    """The run with the fewest mistakes; of equals the first.

    >>> fewest_mistakes([3, 1, 1])
    1
    """
    return int(np.argmin(np.asarray(mistakes)))


def worse_is_kept(n_fresh: int, only_worse: Fraction, only_better: Fraction) -> Fraction:
    """Pr[the worse of two makes at most as many mistakes as the better one] on n fresh examples; a tie counts.

    ``only_worse`` and ``only_better`` are the probabilities that one of them alone is wrong on an example.

    >>> worse_is_kept(2, Fraction(1, 2), Fraction(0))
    Fraction(1, 4)
    """
    import flint

    n = require_whole(n_fresh, "n_fresh", at_least=0)
    a, b = Fraction(only_worse), Fraction(only_better)
    require_share(a, "only_worse")
    require_share(b, "only_better")
    require_share(a + b, "only_worse + only_better", "they exclude each other")
    L = math.lcm(a.denominator, b.denominator)
    # The exponent of x less 1 is what an example adds to the lead of the better one.
    powers = flint.fmpz_poly([int(b * L), int((1 - a - b) * L), int(a * L)]) ** n
    return Fraction(int(sum(powers[i] for i in range(n + 1))), L**n)


def choice_fails(success: Fraction, n_runs: int, n_fresh: int, good: Fraction, bad: Fraction) -> Fraction:
    """The probability that the choice among k runs is a bad one, when all of them err independently of each other.

    A run has the error ``good`` with probability ``success``, else ``bad``; the fewest mistakes on n fresh examples
    win, and a tie between a good and a bad one goes to the bad one.

    >>> choice_fails(Fraction(1, 2), 1, 5, Fraction(0), Fraction(1, 2))
    Fraction(1, 2)
    """
    s, k = Fraction(success), require_whole(n_runs, "n_runs", at_least=1)
    n = require_whole(n_fresh, "n_fresh", at_least=0)
    L = math.lcm(Fraction(good).denominator, Fraction(bad).denominator)
    good_tails, bad_tails = _tails(n, int(good * L), L), _tails(n, int(bad * L), L)
    # The chance that no bad run has c mistakes or fewer and no good one fewer than c, and the same with c itself.
    a, b = s.numerator, s.denominator - s.numerator
    succeeds = sum(
        (a * at_least + b * above) ** k - (a * more + b * above) ** k
        for (at_least, more), above in zip(itertools.pairwise(good_tails), bad_tails[1:], strict=True)
    )
    return 1 - Fraction(succeeds, (s.denominator * L**n) ** k)


def _tails(n: int, a: int, L: int) -> list[int]:
    """L^n Pr[Bin(n, a / L) >= c] for c = 0 .. n + 1."""
    terms = [math.comb(n, c) * a**c * (L - a) ** (n - c) for c in range(n + 1)]
    return list(itertools.accumulate(reversed(terms), initial=0))[::-1]


def selection_failure(distribution: FiniteDistribution, wrong: Booleans, n_fresh: int, limit: Fraction) -> Fraction:
    """The probability that the run with the fewest mistakes on n fresh examples has an error above the limit.

    ``wrong (n_runs, n_atoms)`` says where each run errs, in any dependence on the others; of equal runs the worst is
    taken.  All samples are enumerated.

    >>> from mcbook.foundation.distributions import uniform_distribution
    >>> selection_failure(uniform_distribution(2), np.array([[True, False], [False, False]]), 2, Fraction(1, 4))
    Fraction(1, 4)
    """
    errors = distribution.probability(wrong)
    worst_first = np.argsort(-errors.astype(float), kind="stable")
    table = np.asarray(wrong, dtype=np.int64)[worst_first]
    failing = [errors[i] > limit for i in worst_first]
    return sum(
        (chance for counts, chance in distribution.samples(n_fresh) if failing[fewest_mistakes(table @ counts)]),
        Fraction(0),
    )
