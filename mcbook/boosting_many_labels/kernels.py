"""What a round does to the weights after a stump: compiled passes over signed weights ``A (n_samples, n_classes)``.

``side (n_samples,)`` says on which side of the stump an example lies, ``votes (3, n_classes)`` what the stump answers
there for each label, -1 or +1.  No matrix of outputs is made.
"""

from __future__ import annotations

from numba import njit


@njit(
    "UniTuple(float64, 2)(float64[:, ::1], int32[::1], float64[:, ::1], int64, int64)",
    cache=True,
    nogil=True,
    fastmath={"reassoc", "nsz", "nnan"},
)
def weigh_answers(A, side, votes, begin, end):
    """The weight that the stump answers rightly, and wrongly, among the examples begin .. end - 1."""
    right, wrong = 0.0, 0.0
    for i in range(begin, end):
        answer = votes[side[i]]
        for c in range(A.shape[1]):
            won = A[i, c] * answer[c]
            right += max(won, 0.0)
            wrong += max(-won, 0.0)
    return right, wrong


@njit("void(float64[:, ::1], int32[::1], float64[:, ::1], float64, float64, int64, int64)", cache=True, nogil=True)
def reweigh_pairs(A, side, votes, of_right, of_wrong, begin, end):
    """AdaBoost.MH: multiply the weights of what was answered rightly by ``of_right``, the others by ``of_wrong``."""
    for i in range(begin, end):
        answer = votes[side[i]]
        for c in range(A.shape[1]):
            A[i, c] *= of_right if A[i, c] * answer[c] > 0 else of_wrong


@njit(
    "UniTuple(float64, 2)(float64[:, ::1], int64[::1], int32[::1], float64[:, ::1], int64, int64)",
    cache=True,
    nogil=True,
)
def weigh_rivals(A, y, side, votes, begin, end):
    """The weight of the pairs of a label and a rival that the stump puts right, and wrong."""
    right, wrong = 0.0, 0.0
    for i in range(begin, end):
        answer, own = votes[side[i]], votes[side[i], y[i]]
        for c in range(A.shape[1]):
            # A rival has minus half of its pair's weight; the label itself differs from nobody.
            if answer[c] != own:
                if own > 0:
                    right -= 2 * A[i, c]
                else:
                    wrong -= 2 * A[i, c]
    return right, wrong


@njit(
    "void(float64[:, ::1], int64[::1], int32[::1], float64[:, ::1], float64, float64, int64, int64)",
    cache=True,
    nogil=True,
)
def reweigh_rivals(A, y, side, votes, factor, unit, begin, end):
    """AdaBoost.MR: multiply the pairs put right by ``factor``, those put wrong by its inverse, and all by ``unit``."""
    for i in range(begin, end):
        answer, own = votes[side[i]], votes[side[i], y[i]]
        moved = unit * factor if own > 0 else unit / factor
        total = 0.0
        for c in range(A.shape[1]):
            A[i, c] *= unit if answer[c] == own else moved
            total -= A[i, c]
        # All rivals' halves, with the label's own taken out of the sum.
        A[i, y[i]] += total
