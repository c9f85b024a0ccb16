"""Training of structured models: gradients, certified gaps, and the Perceptron word for word."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from mcbook.foundation.numbers import as_integers
from mcbook.structured import Scores, best_labelling, chains, hamming_cost, score_of, softmax_margin, structures
from mcbook.structured.algorithm.features import JointFeatures
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import every_score, loss_of
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.algorithm.training import SequenceLoss, fit_likelihood


def small_problem(seed=0, k=3, sparse=False):
    rng = np.random.default_rng(seed)
    forest = chains(rng.integers(1, 6, 12))
    X, y = rng.normal(size=(forest.n_positions, 4)), rng.integers(0, k, forest.n_positions)
    X[rng.random(X.shape) < 0.4] = 0
    return structures(sp.csr_array(X) if sparse else X, forest), y


@pytest.mark.parametrize("cost", [None, hamming_cost(3), 2.5 * hamming_cost(3)])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_gradient_is_the_slope_of_the_loss_and_both_are_enumeration(cost, sparse):
    data, y = small_problem(sparse=sparse)
    features = JointFeatures(4, 3)
    loss = SequenceLoss(data, y, features, cost=cost)
    rng = np.random.default_rng(1)
    w, step = rng.normal(size=features.size), rng.normal(size=features.size)
    scores = features.scores(w, data)
    total = 0.0
    for number, (Y, totals) in enumerate(every_score(scores, data.forest)):
        own, positions = data.forest.only(np.array([number]))
        truth = score_of(Scores(scores.E[positions], scores.T), own, y[positions])[0]
        losses = [0.0 if cost is None else loss_of(y[positions], z, cost, own)[0] for z in Y]
        total += float(softmax_margin(losses, truth - totals))
    found = loss(w)
    assert found.value == pytest.approx(total)
    slope = (loss(w + 1e-5 * step).value - loss(w - 1e-5 * step).value) / 2e-5
    assert found.gradient @ step == pytest.approx(slope, rel=1e-6)


def test_blocks_and_jobs_change_nothing(monkeypatch):
    data, y = small_problem()
    features = JointFeatures(4, 3)
    w = np.random.default_rng(2).normal(size=features.size)
    whole = SequenceLoss(data, y, features)(w)
    monkeypatch.setattr("mcbook.structured.algorithm.training._BLOCK", 21)
    losses = [SequenceLoss(data, y, features, n_jobs=jobs) for jobs in (1, 2)]
    assert len(losses[0].blocks) > 3
    apart, together = (loss(w) for loss in losses)
    assert apart.value == together.value
    assert (apart.gradient == together.gradient).all()
    assert apart.value == pytest.approx(whole.value, rel=1e-13)
    assert apart.gradient == pytest.approx(whole.gradient, abs=1e-11)


@pytest.mark.parametrize("sparse", [False, True])
def test_the_gap_bounds_how_far_the_optimum_is(sparse):
    data, y = small_problem(sparse=sparse)
    best = fit_likelihood(data, y, 3, 2.0, tol=1e-12)
    assert best.converged
    features = JointFeatures(4, 3)
    gradient = best.w + 2.0 * SequenceLoss(data, y, features)(best.w).gradient
    assert gradient @ gradient / 2 <= 1e-12 * best.objective * 1.001
    for most in (1, 3, 8):
        early = fit_likelihood(data, y, 3, 2.0, tol=1e-12, max_iter=most)
        assert not early.converged
        assert early.n_iter == most
        value = early.w @ early.w / 2 + 2.0 * SequenceLoss(data, y, features)(early.w).value
        assert early.objective == pytest.approx(value)
        assert best.objective <= early.objective
        assert early.objective - best.objective <= early.gap * early.objective


def test_single_positions_are_multinomial_logistic_regression():
    X, y = load_digits(return_X_y=True)
    X, y = X[:200] / 16, y[:200]
    data = structures(X, chains(np.ones(200, dtype=int)))
    ours = fit_likelihood(data, y, 10, 0.7, tol=1e-10)
    # Our two end weights are an intercept under half the penalty: a constant feature of weight sqrt(2).
    theirs = LogisticRegression(C=0.7, tol=1e-10, max_iter=5000, fit_intercept=False)
    theirs.fit(np.c_[X, np.full(200, math.sqrt(2))], y)
    assert pytest.approx(theirs.coef_[:, :64], abs=1e-4) == JointFeatures(64, 10).parts(ours.w).W.T


# --- the structured Perceptron ---------------------------------------------------------------------------------------


def plain_perceptron(data, y, k, epochs):
    """The algorithm word for word: dense weights, Viterbi from the outside, every weight vector kept."""
    features = JointFeatures(data.n_features, k)
    w, seen, mistakes = np.zeros(features.size), [], []
    for _ in range(epochs):
        wrong = 0
        for number in range(data.forest.n_sequences):
            one = data.only([number])
            truth = y[data.forest.only([number])[1]]
            found = best_labelling(features.scores(w, one), one.forest).labels
            if (found != truth).any():
                w = w + features.vector(one, truth) - features.vector(one, found)
                wrong += 1
            seen.append(w)
        mistakes.append(wrong)
        if not wrong:
            break
    return w, np.mean(seen, axis=0), mistakes


@pytest.mark.parametrize("sparse", [False, True])
def test_the_perceptron_is_the_algorithm_word_for_word(sparse):
    for seed in range(4):
        data, y = small_problem(seed, sparse=sparse)
        run = run_structured_perceptron(data, y, 3, max_epochs=6)
        w, mean, mistakes = plain_perceptron(data, y, 3, 6)
        assert run.mistakes.tolist() == mistakes
        assert run.w == pytest.approx(w, abs=1e-12)
        assert run.w_average == pytest.approx(mean, abs=1e-12)
        assert run.n_updates == sum(mistakes)


def test_the_perceptron_of_trees_and_whole_numbers_is_exact():
    rng = np.random.default_rng(5)
    forest = rooted_trees([[-1, 0, 0, 1], [-1, 0], [-1]])
    X, y = rng.integers(-2, 3, (forest.n_positions, 3)), rng.integers(0, 2, forest.n_positions)
    exact = run_structured_perceptron(structures(as_integers(X), forest), y, 2, max_epochs=5)
    floats = run_structured_perceptron(structures(X.astype(float), forest), y, 2, max_epochs=5)
    assert exact.w.tolist() == floats.w.tolist()
    assert exact.w_average.astype(float) == pytest.approx(floats.w_average)
    assert all(isinstance(value, int | Fraction) for value in exact.w_average)
