"""What the tests of the support vector machines share."""

import numpy as np
import pytest

LOSSES = ["crammer-singer", "weston-watkins"]
BOTH = pytest.mark.parametrize("one_slack", [True, False])


def overlapping(rng, n_samples=60, n_features=4, n_classes=3):
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(size=(n_samples, n_features)) + 0.7 * rng.normal(size=(n_classes, n_features))[y], y


def flows_of_an_example(rng, n_classes, label, capacity, one_slack):
    """Feasible flows: what the rivals give, below 0, and what the label takes; some on their bounds, some not."""
    given = rng.uniform(0, 1, n_classes) * (rng.random(n_classes) < 0.6)
    given[label] = 0
    if one_slack:
        given *= capacity * rng.choice([0.5, 1.0]) / max(given.sum(), 1e-9)
    else:
        given = np.minimum(given * capacity * 1.5, capacity)
    flows = -given
    flows[label] = given.sum()
    return flows


def hinges_of(scores, y, one_slack):
    """The slack of each row of scores, or the sum of its slacks, one for each rival."""
    rows = np.arange(len(scores))
    excess = np.maximum(1 + scores - scores[rows, y][:, None], 0)
    excess[rows, y] = 0
    return excess.max(axis=1) if one_slack else excess.sum(axis=1)


def best_flows(scores, label, capacity, squared_norm, old, one_slack):
    """The flows of an example with which its dual is the largest while all others stay.

    Each rival gives (its excess / |x|^2 - its old flow - q) within its bounds, and q is where what they give is what
    the label takes: a root of a function with straight pieces, which are found from their ends.
    """
    rivals = np.arange(len(scores)) != label
    most, room = (np.inf, capacity) if one_slack else (capacity, np.inf)
    wanted = ((1 + scores - scores[label]) / squared_norm - old)[rivals]
    ends = np.array([*wanted, *(wanted - most), room - old[label]])
    ends = np.array(sorted(set(ends[np.isfinite(ends)].tolist())))
    span = 4 * (np.abs(ends).max() + abs(old[label]) + capacity)
    ends = np.array([ends[0] - span, *ends, ends[-1] + span])
    given = np.clip(wanted - ends[:, None], 0, most)
    surplus = given.sum(axis=1) - np.minimum(old[label] + ends, room)
    q = np.interp(0, surplus[::-1], ends[::-1])
    flows = np.zeros(len(scores))
    flows[rivals] = -np.clip(wanted - q, 0, most)
    flows[label] = -flows.sum()
    return flows


def assert_certified(solution, X, y, n_classes, C, loss, gap, weights_of_flows=True):
    """The flows are feasible, they make the weights, and both values are what the definitions say.

    Where Newton's directions are inexact a solution may have weights beside those of its flows: within the gap.
    """
    rows = np.arange(len(y))
    capacity = np.broadcast_to(C, len(y))
    alpha = solution.alpha
    own, others = alpha[rows, y], np.delete(alpha.ravel(), rows * n_classes + y)
    np.testing.assert_allclose(alpha.sum(axis=1), 0, atol=1e-11 * max(capacity))
    assert (own >= 0).all()
    assert (others <= 0).all()
    if loss == "crammer-singer":
        assert (own <= capacity * (1 + 1e-12)).all()
    else:
        assert (alpha >= -capacity[:, None]).all()
    made = alpha.T @ X
    if weights_of_flows:
        np.testing.assert_allclose(solution.W, made, atol=1e-10)
    assert 0.5 * ((solution.W - made) ** 2).sum() <= solution.primal - solution.dual + 1e-15 * solution.primal
    scores = X @ solution.W.T
    excess = np.maximum(scores - scores[rows, y][:, None] + 1, 0)
    excess[rows, y] = 0
    slack = excess.max(axis=1) if loss == "crammer-singer" else excess.sum(axis=1)
    half = 0.5 * (solution.W**2).sum()
    assert solution.primal == pytest.approx(half + capacity @ slack, rel=1e-12)
    assert solution.dual == pytest.approx(own.sum() - 0.5 * (made**2).sum(), rel=1e-11)
    assert 0 <= solution.gap <= gap
    assert solution.converged
