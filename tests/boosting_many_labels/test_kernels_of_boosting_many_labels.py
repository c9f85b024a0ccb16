"""The kernels of boosting with many labels, each called with small arrays, against what they are said to do."""

import numpy as np
import pytest

from mcbook.boosting_many_labels import kernels

SEEDS = pytest.mark.parametrize("seed", range(5))


def a_round(seed):
    """Signed weights, small whole ones and quarters, labels, sides, votes, and which examples the round is about."""
    rng = np.random.default_rng(seed)
    n_samples, n_classes = int(rng.integers(3, 9)), int(rng.integers(2, 6))
    A = rng.integers(-8, 9, (n_samples, n_classes)) / rng.choice([1, 4, 16])
    votes, side = rng.choice([-1.0, 1.0], (3, n_classes)), rng.integers(0, 3, n_samples).astype(np.int32)
    begin, end = sorted(rng.permutation(n_samples + 1)[:2].tolist())
    return A, rng.integers(0, n_classes, n_samples), side, votes, begin, end


@SEEDS
def test_the_weights_of_right_and_of_wrong_answers_are_added_up(seed):
    A, _, side, votes, begin, end = a_round(seed)
    won = (A * votes[side])[begin:end]
    assert kernels.weigh_answers(A, side, votes, begin, end) == (won[won > 0].sum(), -won[won < 0].sum())


@SEEDS
def test_right_and_wrong_answers_have_factors_of_their_own(seed):
    A, _, side, votes, begin, end = a_round(seed)
    expected = A.copy()
    expected[begin:end] *= np.where(A * votes[side] > 0, 0.5, 3.0)[begin:end]
    kernels.reweigh_pairs(A, side, votes, 0.5, 3.0, begin, end)
    assert A.tolist() == expected.tolist()


def pairs_by_definition(A, y, side, votes, begin, end):
    """Each pair of a label and a rival: example, rival, weight, and half the difference of the stump's answers."""
    for i in range(begin, end):
        for c in range(A.shape[1]):
            if c != y[i]:
                yield i, c, -2 * A[i, c], (votes[side[i], y[i]] - votes[side[i], c]) / 2


@SEEDS
def test_the_weights_of_pairs_put_right_and_wrong_are_added_up(seed):
    A, y, side, votes, begin, end = a_round(seed)
    pairs = list(pairs_by_definition(A, y, side, votes, begin, end))
    right = sum(weight for *_, weight, lead in pairs if lead == 1)
    wrong = sum(weight for *_, weight, lead in pairs if lead == -1)
    assert kernels.weigh_rivals(A, y, side, votes, begin, end) == (right, wrong)


@SEEDS
def test_pairs_put_right_and_wrong_move_and_the_label_balances_its_rivals(seed):
    A, y, side, votes, begin, end = a_round(seed)
    expected = A.copy()
    for i, c, weight, lead in pairs_by_definition(A, y, side, votes, begin, end):
        expected[i, c] = -weight / 2 * 0.5 * 4.0**lead
    for i in range(begin, end):
        expected[i, y[i]] = -np.delete(expected[i], y[i]).sum()
    kernels.reweigh_rivals(A, y, side, votes, 4.0, 0.5, begin, end)
    assert A.tolist() == expected.tolist()
