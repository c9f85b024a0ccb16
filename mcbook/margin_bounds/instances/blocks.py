"""The block class, on which the margin bounds are nearly used up.

The inputs fall into k blocks of mass 1/k each; no input occurs twice.  On block l (counted from 0) the true label is
l + 1, modulo k, and has the score 0; the score of label l is free at every input, 0 or -rho; all other labels have
-rho.  So the margin is 0, an error, where the free score is 0, and rho, no loss at all, where it is -rho.  For every
sample some h has -rho on the sample and 0 elsewhere: its margin loss is 0 and its risk 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from mcbook.foundation.checks import require_classes
from mcbook.foundation.distributions import uniform_distribution
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Known, known
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability
from mcbook.foundation.types import Array, Scalar, Values
from mcbook.margin_bounds.algorithm.distributions import ScoredDistribution
from mcbook.rademacher import all_patterns

_MOST_COUNTS = 200_000


def block_scores(blocks: Sequence[int], n_classes: int, rho: Scalar = 1) -> tuple[Array, Array]:
    """All score functions of the class on inputs in the given blocks, and the true labels.

    Shapes (2^n_samples, n_samples, n_classes) and (n_samples,).

    >>> scores, y = block_scores([0], n_classes=2)
    >>> scores.tolist(), y.tolist()  # one input of label 1: a tie, or the margin 1
    ([[[0, 0]], [[-1, 0]]], [1])
    """
    inputs, y = np.arange(len(blocks)), (np.asarray(blocks) + 1) % require_classes(n_classes)
    free = all_patterns(len(blocks), (0, -1)).astype(object)
    scores = np.full((len(free), len(blocks), n_classes), -1, dtype=object)
    scores[:, inputs, y] = 0
    scores[:, inputs, np.asarray(blocks)] = free
    return scores * rho, y


def block_distribution(n_classes: int, block: int, rho: Scalar = 1) -> ScoredDistribution:
    """The class on a distribution with ``block`` equally likely atoms in each block, in place of infinitely many.

    >>> [str(risk) for risk in block_distribution(n_classes=2, block=1).risks]
    ['1', '1/2', '1/2', '0']
    """
    scores, y = block_scores(np.repeat(np.arange(n_classes), block).tolist(), n_classes, rho)
    return ScoredDistribution(uniform_distribution(len(y)).probabilities, scores, y)


def two_block_complexity(n_samples: int, rho: Scalar = 1) -> Values:
    """R_m(Pi_1(H)) for two classes: rho (1/4 + binom(2m, m) / (2 4^m)), exactly.

    >>> two_block_complexity(1), two_block_complexity(1, rho=2)
    (Fraction(1, 2), Fraction(1, 1))
    """
    return rho * (Fraction(1, 4) + Fraction(math.comb(2 * n_samples, n_samples), 2 * 4**n_samples))


def block_complexity(n_classes: int, n_samples: int, rho: Scalar = 1) -> Values:
    """R_m(Pi_1(H)) = (rho / m) E max_j (P_j + P_(j-1) - N_(j-1)), exactly, by enumeration of all counts.

    P_j and N_j are the numbers of inputs in block j with sign +1 and -1; all 2k of them are multinomial.

    Source: Mohri et al. (2018), section 9.6.

    >>> block_complexity(2, 3) == two_block_complexity(3)
    True
    """
    cells = 2 * require_classes(n_classes)
    if math.comb(n_samples + cells - 1, cells - 1) > _MOST_COUNTS:
        raise ValueError(
            f"expected at most {_MOST_COUNTS} ways in which {n_samples} inputs can fall into {cells} cells: for larger "
            "samples use two_block_complexity, block_complexity_limits or drawn_block_complexity"
        )
    distribution = [Fraction(1, cells)] * cells
    total = Fraction(0)
    for counts in count_vectors(n_samples, cells):
        total += multinomial_probability(counts, distribution) * int(_largest_sum(np.array(counts)))
    return rho * total / n_samples


def drawn_block_complexity(n_classes: int, n_samples: int, n_draws: int, rng: Random) -> float:
    """The same for rho = 1 as a mean over random samples and signs: an estimate for pictures.

    The pictures are compared, so the draws must not change with the version of numpy: the counts come, by inversion,
    from the uniform numbers of the standard library, whose sequence Python promises to keep.

    >>> abs(drawn_block_complexity(2, 50, n_draws=400, rng=Random(0)) - two_block_complexity(50)) < 0.02
    True
    """
    from scipy.stats import binom  # slow to import, and needed here alone

    cells = 2 * require_classes(n_classes)
    counts, left = [], np.full(n_draws, n_samples)
    for cells_left in range(cells, 1, -1):
        uniform = [rng.random() for _ in range(n_draws)]
        counts.append(binom.ppf(uniform, left, 1 / cells_left).astype(np.int64))
        left = left - counts[-1]
    return float(_largest_sum(np.stack([*counts, left], axis=-1)).mean()) / n_samples


def block_complexity_limits(n_classes: int, n_samples: int) -> Known:
    """R_m(Pi_1(H)) for rho = 1 between 1/(2k) and 1/(2k) + sqrt(3 ln k / (k m)) or so, both proved.

    Below: a maximum is at least its first term, whose mean is m / (2k).  Above: for every s > 0,
    E max_j Y_j <= (ln k + m ln M(s)) / s, where M is the moment generating function of one input's part of Y_j.

    Source: Mohri et al. (2018), section 9.6.

    >>> limits = block_complexity_limits(3, 4)
    >>> limits.lower, limits.lower <= block_complexity(3, 4) <= limits.upper
    (Fraction(1, 6), True)
    """
    k, slope = require_classes(n_classes), math.sqrt(4 * math.log(n_classes) * n_classes / (3 * n_samples))
    s = ball(slope)
    grown, shrunk = s.exp(), (-s).exp()
    moment = 1 - 2 / ball(k) + (1 + grown) / (2 * k) + (grown + shrunk) / (2 * k)
    upper = known((ball(k).log() + n_samples * moment.log()) / (n_samples * s))
    return Known(Fraction(1, 2 * k), Fraction(upper.upper), upper.tier)


def free_complexity(n_samples: int, n_atoms: int) -> Fraction:
    """R_m of all functions with values 0 and 1 on N equally likely atoms, exactly.

    It is (N / 2m) E|S|, S the sum of the signs of one atom; c signs have E|S| = c binom(c - 1, floor(c/2)) / 2^(c - 1).

    >>> free_complexity(1, 5), free_complexity(2, 1)
    (Fraction(1, 2), Fraction(1, 4))
    """
    share, total = Fraction(1, n_atoms), Fraction(0)
    for c in range(1, n_samples + 1):
        absolute = Fraction(c * math.comb(c - 1, c // 2), 2 ** (c - 1))
        total += multinomial_probability((c, n_samples - c), (share, 1 - share)) * absolute
    return total * n_atoms / (2 * n_samples)


def _largest_sum(counts: Array) -> Array:
    """max_j (P_j + P_(j-1) - N_(j-1)) for counts (..., 2k): first all P_j, then all N_j."""
    plus, minus = np.split(counts, 2, axis=-1)
    return np.asarray((plus + np.roll(plus - minus, 1, axis=-1)).max(axis=-1))
