"""Bootstrap samples as counts: drawn at random, or all of them with their probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.forests.kernels import count_drawn, fingerprints
from mcbook.foundation.checks import require_labels, require_whole
from mcbook.foundation.distributions import uniform_distribution
from mcbook.foundation.types import Array, ArrayLike, Exact, Floats, Integers

# The number of trees whose draws are held in memory together.
_TREES_AT_ONCE = 16


def all_bootstraps(n_samples: int, n_draws: int | None = None) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every bootstrap of ``n_draws`` draws (``n_samples`` unless given) as counts, with its probability.

    Source: Roth (2018), slides on bagging.

    >>> [(counts, str(p)) for counts, p in all_bootstraps(2)]
    [((0, 2), '1/4'), ((1, 1), '1/2'), ((2, 0), '1/4')]
    """
    m = require_whole(n_samples, "n_samples", at_least=1)
    return iter(sorted(uniform_distribution(m).samples(m if n_draws is None else n_draws)))


def bootstrap_counts(X: Floats, y: Integers, weight: Floats, rng: np.random.Generator, n_trees: int) -> Array:
    """How often each example is drawn for each tree, ``(n_trees, n_samples)``.

    Every tree draws as many times as there are examples with a weight, in proportion to the weights: weights that are
    all multiplied by one number give the same draws.  The draws go through the examples in an order that depends on
    what they are and not on where they stand: the same data in another order give the same bootstraps.

    >>> X, y, weight = np.array([[1.0], [2.0], [4.0]]), np.array([0, 0, 1]), np.array([2.0, 0.0, 1.0])
    >>> counts = bootstrap_counts(X, y, weight, np.random.default_rng(0), n_trees=4)
    >>> counts.sum(axis=1).tolist(), counts[:, 1].tolist()  # an example of weight 0 is never drawn
    ([2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0])
    """
    # Zeros of both signs are equal, so they become one of them.
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64)
    order = np.argsort(fingerprints(bits, np.asarray(y).astype(np.uint64)), kind="stable")
    # As shares of the largest, so that no sum overflows and constant weights are 1.
    share = weight / weight.max()
    ends, n_draws = np.cumsum(share[order]), np.count_nonzero(weight)
    counts, ones = np.zeros((n_trees, len(weight))), bool((share == 1).all())
    for begin in range(0, n_trees, _TREES_AT_ONCE):
        some = counts[begin : begin + _TREES_AT_ONCE]
        places = rng.random((len(some), n_draws)) * ends[-1]
        # Where all weights are equal the search is a rounding.
        count_drawn(places if ones else np.searchsorted(ends, places, side="right"), order, some)
    return counts


def bagged_nearest_neighbour(labels: ArrayLike, n_draws: int) -> Exact:
    """The shares of the bootstraps in which the nearest example has each label, all bootstraps enumerated.

    ``labels`` are those of the examples in the order of their distance from the point that is asked about.

    Source: made exact from Hall and Samworth (2005), section 1.

    >>> [str(share) for share in bagged_nearest_neighbour([1, 0, 0], 3)]
    ['8/27', '19/27']
    """
    y = require_labels(labels)
    shares = np.full(int(y.max()) + 1, Fraction(0))
    for counts, probability in all_bootstraps(len(y), n_draws):
        nearest = next(i for i, count in enumerate(counts) if count)
        shares[y[nearest]] += probability
    return shares
