"""Instances on which the bounds are equalities, and distributions on which binary errors say little."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from sklearn.datasets import load_digits

from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Array, Labels
from mcbook.one_vs_rest_and_pairs.instances import OutputsDistribution, extremal_duels
from mcbook.output_codes.algorithm.codes import all_pairs_code, minimal_distance, row_distances


def closest_rows(M: Array) -> tuple[int, int]:
    """Two rows at the minimal distance, the first such pair.

    >>> closest_rows([[1, 1, 1], [-1, -1, 1], [-1, -1, -1]])
    (1, 2)
    """
    distances, rho = row_distances(M), float(minimal_distance(M))
    first, second = np.argwhere(np.triu(distances == rho, 1))[0]
    return int(first), int(second)


def tied_outputs(M: Array, label: int, rival: int) -> Array:
    """Outputs that are 0 where two rows of signs differ and right elsewhere: the label ties with the rival.

    >>> tied_outputs([[1, 1, 1], [-1, -1, 1]], 0, 1).tolist()
    [0, 0, 1]
    """
    row = np.asarray(M)[label]
    return rational(np.where(row == np.asarray(M)[rival], row, 0))


def sample_with_error(M: Array, n_wrong: int, n_samples: int) -> tuple[Array, Labels]:
    """Outputs and labels of a sample with so many ties, which are mistakes, the other outputs being perfect.

    For codes of signs the training-error theorem with the hinge is an equality on it.

    >>> from mcbook.output_code_errors import training_error
    >>> M = np.array([[1, 1, 1], [-1, -1, 1], [1, -1, -1]])
    >>> F, y = sample_with_error(M, 1, 4)
    >>> str(training_error(F, M, y, "hinge"))
    '1/4'
    """
    if not 0 <= n_wrong <= n_samples:
        raise ValueError(f"expected 0 <= n_wrong <= n_samples, got {n_wrong} and {n_samples}")
    label, rival = closest_rows(M)
    wrong, right = tied_outputs(M, label, rival), rational(np.asarray(M)[label])
    F = np.array([wrong if i < n_wrong else right for i in range(n_samples)], dtype=object)
    return F, np.full(n_samples, label)


def lost_duels(n_classes: int, n_wrong: int, n_samples: int) -> tuple[Array, Labels]:
    """Outputs for all pairs: the first class draws its duel with the second, who wins all others, n_wrong times.

    >>> F, y = lost_duels(3, 1, 2)
    >>> F.astype(int).tolist(), y.tolist()
    ([[0, 1, 1], [1, 1, 0]], [0, 0])
    """
    M = all_pairs_code(n_classes)
    wrong = np.where(M[1] != 0, M[1], M[0])
    wrong[0] = 0
    F = np.array([wrong if i < n_wrong else M[0] for i in range(n_samples)])
    return rational(F), np.zeros(n_samples, dtype=np.int64)


def misleading_distributions(n_classes: int, r: Fraction | int) -> tuple[OutputsDistribution, OutputsDistribution]:
    """Two distributions of k >= 5 classes, every binary error r, on which one-vs-one errs with probability 0 and (k - 1) r.

    On both, each class has for every rival a part of conditional mass r that loses the duel with that rival.  What the
    other classes' duels say there decides: either nobody else collects many votes, or the rival wins everything.

    >>> from mcbook.one_vs_rest_and_pairs import majority
    >>> good, bad = misleading_distributions(5, Fraction(1, 8))
    >>> good.binary_errors(all_pairs_code(5)) == bad.binary_errors(all_pairs_code(5)) == [Fraction(1, 8)] * 10
    True
    >>> [str(distribution.error(majority(distribution.outputs, 5, ties="mark"))) for distribution in (good, bad)]
    ['0', '1/2']
    """
    bad = extremal_duels([Fraction(1, n_classes)] * n_classes, r)
    outputs = bad.outputs.copy()
    k = n_classes
    for atom, (label, winner) in enumerate(np.ndindex(k, k)):
        if label != winner:
            outputs[atom] = _scattered_duels(k, label, winner)
    return OutputsDistribution(bad.probabilities, bad.labels, outputs), bad


def _scattered_duels(n_classes: int, label: int, winner: int) -> list[int]:
    """The label loses to one rival only, this rival to all others, and these win about half of their duels."""
    others = [z for z in range(n_classes) if z not in (label, winner)]
    place = {z: index for index, z in enumerate(others)}

    def beats(i: int, j: int) -> bool:
        if label in (i, j):
            return (i == label) != (winner in (i, j))
        if winner in (i, j):
            return j == winner
        # Around a circle each class beats the half that follows it.
        ahead = (place[j] - place[i]) % len(others)
        return 2 * ahead < len(others) or (2 * ahead == len(others) and i < j)

    return [1 if beats(i, j) else -1 for i in range(n_classes) for j in range(i + 1, n_classes)]


def digits_in_halves() -> tuple[Array, Labels, Array, Labels]:
    """The handwritten digits that come with scikit-learn, in [0, 1]: every other one to train, the others to test.

    >>> X, y, X_test, y_test = digits_in_halves()
    >>> X.shape, X_test.shape, float(X.max())
    ((899, 64), (898, 64), 1.0)
    """
    X, y = load_digits(return_X_y=True)
    X = X / 16
    return X[::2], y[::2], X[1::2], y[1::2]
