"""The Perceptron's kernels, each called with small arrays, against what they are said to do."""

import itertools

import numba
import numpy as np

from mcbook.foundation.compiled import python_original
from mcbook.perceptron import kernels


def whole(rng, *shape):
    return rng.integers(-3, 4, shape).astype(float)


def test_every_class_gets_its_score_however_many_there_are():
    rng = np.random.default_rng(0)
    for n_classes, n_features in itertools.product(range(2, 13), (1, 2, 4)):
        W, X, scores = whole(rng, n_classes, n_features), whole(rng, 3, n_features), np.full(n_classes, 77.0)
        kernels.score_all(W, X, 1, 0.5, scores)  # sums that begin at 1/2
        assert scores.tolist() == (0.5 + W @ X[1]).tolist()


def test_the_strongest_rival_is_the_first_of_the_largest_scores():
    for n_classes in (2, 3, 4):
        for scores in itertools.product((-1.0, 0.0, 1.0), repeat=n_classes):
            for label in range(n_classes):
                others = [z for z in range(n_classes) if z != label]
                rival = max(others, key=scores.__getitem__)
                assert kernels.strongest_rival(np.array(scores), label) == rival, (scores, label)


def epoch_by_definition(X, y, order, W, delayed, step, rate, ties_violate):
    """The same pass, written as the chapter defines it; returns the updates."""
    updates = []
    for late, i in enumerate(order, start=step):
        scores, label = W @ X[i], y[i]
        rival = max((z for z in range(len(W)) if z != label), key=scores.__getitem__)
        lost = scores[label] == scores[rival] and (ties_violate or rival < label)
        if scores[label] < scores[rival] or lost:
            for z, sign in ((label, 1), (rival, -1)):
                W[z] += sign * rate * X[i]
                delayed[z] += late * sign * rate * X[i]
            updates.append([int(i), rival])
    return updates


def test_an_epoch_makes_the_updates_of_the_definition():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n_classes, n_features, n_samples = (int(rng.integers(low, 7)) for low in (2, 1, 1))
        X, y, W = (
            whole(rng, n_samples, n_features),
            rng.integers(0, n_classes, n_samples),
            whole(rng, n_classes, n_features),
        )
        W, delayed = W * (seed % 3), whole(rng, n_classes, n_features)
        order, updates = rng.integers(0, n_samples, n_samples + 4), np.full((n_samples + 4, 2), -5)
        given = (int(rng.integers(0, 4)), float(rng.choice([0.5, 1, 2])), bool(seed % 2))
        expected, later = W.copy(), delayed.copy()
        made = epoch_by_definition(X, y, order, expected, later, *given)
        n_updates = kernels.perceptron_epoch(X, y, order, W, delayed, *given, updates)
        assert (n_updates, updates[:n_updates].tolist()) == (len(made), made)
        assert (updates[n_updates:] == -5).all()
        assert W.tolist() == expected.tolist()
        assert delayed.tolist() == later.tolist()


def test_what_is_fetched_is_data_to_be_read_and_kept(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    fetch = kernels._fetch

    @numba.njit("void(float64[:, ::1], int64, int64)")
    def ask(X, i, j):
        fetch(X, i, j)

    ask(np.zeros((2, 3)), 1, 2)
    (code,) = ask.inspect_llvm().values()
    (call,) = [line.strip() for line in code.splitlines() if "call void @llvm.prefetch" in line]
    assert call.endswith("i32 0, i32 3, i32 1)")


def test_the_row_of_the_next_visit_is_fetched_during_the_one_before(monkeypatch):
    fetched = []
    monkeypatch.setattr(kernels, "fetch_row", lambda X, i: fetched.append(int(i)))
    updates, order = np.empty((5, 2), dtype=np.int64), np.array([2, 0, 3, 1, 2])
    epoch = python_original(kernels.perceptron_epoch)
    epoch(np.ones((4, 1)), np.zeros(4, int), order, np.eye(2, 1), np.zeros((2, 1)), 0, 1.0, True, updates)
    assert fetched == [0, 3, 1, 2, 2]
