"""Winnow: formulas at their ends, runs, two-label versions, mixtures, instances, estimator."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from estimator_checks import run_check
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.foundation.numbers import as_integers
from mcbook.perceptron import kesler_vectors
from mcbook.perceptron.algorithm.separation import NotSeparable
from mcbook.winnow import (
    MulticlassWinnow,
    balanced_winnow,
    disjunction_adversary,
    exponentiated_gradient_step,
    majority_stream,
    multiplicative_run,
    run_winnow,
    winnow_bound,
    winnow_on_disjunction,
    winnow_tight_sample,
)
from mcbook.winnow.algorithm.mixture import best_mixture
from mcbook.winnow.theory import promotions_needed

seeds = st.integers(0, 2**32 - 1)


def signed_sample(rng, n_classes, n_features, n_samples):
    """Rows of -1, 0 and 1 with labels at random."""
    return as_integers(rng.integers(-1, 2, (n_samples, n_features))), rng.integers(0, n_classes, n_samples)


def plain_winnow(X, y, k, factor, n_epochs, ties):
    """The algorithm word by word, in fractions, without entries, exponents or rescaling."""
    W = np.full((k, X.shape[1]), Fraction(1), dtype=object)
    updates, logs = [], []
    for _ in range(n_epochs):
        before = len(updates)
        for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            bids = (W @ x).tolist()
            rival = max((z for z in range(k) if z != label), key=lambda z: (bids[z], -z))
            if bids[label] <= bids[rival] if ties == "mistake" else bids.index(max(bids)) != label:
                step = np.array([Fraction(factor) ** int(v) for v in x], dtype=object)
                W[label], W[rival] = W[label] * step, W[rival] / step
                updates.append([i, rival])
            logs.append(np.array([[math.log(w) for w in row] for row in W]))
        if len(updates) == before:
            break
    return W * (1 / W.sum()), updates, np.mean(logs, axis=0)


# Runs.


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(2, 5), st.sampled_from(["mistake", "first"]), st.sampled_from([2, Fraction(3, 2)]))
def test_runs_are_the_algorithm_word_by_word(seed, k, ties, factor):
    """Exact ones always; compiled ones where powers of the factor are floats, so that ties break alike."""
    X, y = signed_sample(np.random.default_rng(seed), k, 5, 10)
    W, updates, log_mean = plain_winnow(X, y, k, factor, 4, ties)
    mean = np.exp(log_mean)
    for points in (X, X.astype(float)) if factor == 2 else (X,):
        run = run_winnow(points, y, k, factor=factor, ties=ties, max_epochs=4)
        assert run.updates.tolist() == updates
        assert run.W.astype(float) == pytest.approx(W.astype(float))
        assert (run.W == W).all() or points is not X
        assert run.W_average == pytest.approx(mean / mean.sum())


def test_a_run_may_go_on_from_another_and_its_order_is_followed():
    X, y = signed_sample(np.random.default_rng(5), 3, 4, 20)
    shuffled = np.random.default_rng(0).permutation(20)
    for points in (X, X.astype(float)):
        whole = run_winnow(points, y, 3, factor=2, max_epochs=3)
        part = run_winnow(points, y, 3, factor=2, max_epochs=1)
        kept = part.exponents.copy()
        rest = run_winnow(points, y, 3, factor=2, start=part, max_epochs=2)
        assert (rest.exponents == whole.exponents).all()
        assert (rest.delayed == whole.delayed).all()
        assert rest.n_steps == whole.n_steps == 60
        assert (part.exponents == kept).all()
        ordered = run_winnow(points, y, 3, factor=2, order=lambda epoch: shuffled, max_epochs=2)
        moved = run_winnow(points[shuffled], y[shuffled], 3, factor=2, max_epochs=2)
        assert (ordered.exponents == moved.exponents).all()
        assert ordered.updates[:, 0].tolist() == shuffled[moved.updates[:, 0]].tolist()


# Two labels, mixtures, instances.


def test_both_witnesses_of_the_best_mixture_are_what_they_say():
    X, y = as_integers([[1, 0, 1], [0, 1, 1], [-1, -1, 1], [1, -1, 0]]), np.array([0, 1, 2, 0])
    best, D = best_mixture(X, y, 3), kesler_vectors(X, y, 3)
    assert best.U.sum() == best.multipliers.sum() == 1
    assert best.U.min() >= 0 <= best.multipliers.min()
    assert (D @ best.U.ravel()).min() == best.gamma.lower
    assert (best.multipliers @ D).max() == best.gamma.upper
    assert 0 <= best.gamma.upper - best.gamma.lower < 1e-9
    third = Fraction(1, 3)
    thirds = best_mixture([[third, 0], [0, third]], [0, 1], 2).gamma
    assert thirds.lower == thirds.upper == Fraction(1, 6)
    X, y = as_integers([[1, 0], [1, 0]]), np.array([0, 1])
    with pytest.raises(NotSeparable) as caught:
        best_mixture(X, y, 2)
    assert not (np.array(caught.value.multipliers) @ kesler_vectors(X, y, 2)).any()


HALF, TWO, THREE = Fraction(1, 2), np.array([0, 1]), np.ones((3, 2))
RUN = run_winnow(np.eye(2), TWO, 2, factor=2)
REFUSED = [
    *((lambda g=g: winnow_bound(2, 8, g), r"0 < gamma <= 1") for g in (0, 1.5, float("nan"), Fraction(-1, 2))),
    *((lambda a=a: promotions_needed(*a), "whole number") for a in ((0, 2), (1.5, 2), (4, 1), (4, 2.5))),
    (
        lambda: exponentiated_gradient_step(np.array([HALF, HALF]), np.array([HALF, -HALF]), 4),
        "exponents .*give floats",
    ),
    (lambda: balanced_winnow(np.array([[1, HALF]], dtype=object), [1], 4), "exponents .*give floats"),
    (lambda: multiplicative_run(np.array([[HALF, -HALF]], dtype=object), 4), "exponents .*give floats"),
    (lambda: run_winnow(np.ones(3), np.zeros(3, int), 2, factor=2), "n_samples, n_features"),
    (lambda: run_winnow(THREE, np.zeros(2, int), 2, factor=2), "same number of rows"),
    (lambda: run_winnow(np.eye(2), np.array([0, 2]), 2, factor=2), "labels 0 .. 1"),
    (lambda: run_winnow(np.array([[np.nan], [1.0]]), TWO, 2, factor=2), "finite"),
    *((lambda f=f: run_winnow(np.eye(2), TWO, 2, factor=f), "factor > 1") for f in (1, np.inf, np.nan)),
    (lambda: run_winnow(1000 * np.eye(2), TWO, 2, factor=2), "largest entry"),
    (lambda: run_winnow(np.array([[HALF]], dtype=object), np.array([0]), 2, factor=2), "whole numbers"),
    (lambda: run_winnow(np.eye(2), TWO, 2, factor=2, max_epochs=0), "max_epochs >= 1"),
    *((lambda a=a: run_winnow(np.eye(2), TWO, a[0], factor=a[1], start=RUN), "go on from") for a in ((3, 2), (2, 3))),
    (lambda: multiplicative_run(np.eye(2), 2, max_epochs=0), "max_epochs >= 1"),
    (lambda: balanced_winnow(np.eye(2), [1, 1], 2, max_epochs=0), "max_epochs >= 1"),
    (lambda: winnow_on_disjunction([[0.5]], [1], threshold=1), "on or off"),
    (lambda: winnow_on_disjunction([[1]], [1, 0], threshold=1), "rows"),
    *((lambda a=a: disjunction_adversary(*a), "even threshold") for a in ((2, 7, 4), (1, 50, 5))),
    *((lambda a=a: next(majority_stream(None, *a, 5)), "odd number") for a in ((2, 5), (7, 5), (-1, 5))),
    (lambda: MulticlassWinnow(eta=500.0).fit([[1.0], [-1.0]], [0, 1]), r"eta=500 .* reach 1:.* a smaller eta"),
    (lambda: MulticlassWinnow().fit([[1.0], [-1.0]], [0, 1], [1e12, 1e12]), r"eta=0.1 .* reach 1e\+12: divide"),
    (lambda: MulticlassWinnow(eta=0.0).fit([[1.0], [-1.0]], [0, 1]), "eta"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# The estimator.

NOT_OF_WINNOW = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step; an example seen twice may move W once",
    "check_sample_weight_equivalence_on_sparse_data": "as on dense data",
}
NOT_WITHOUT_AN_INTERCEPT = {
    "check_class_weight_classifiers": "through the origin one class cannot have nearly all of a cloud around it",
}


@parametrize_with_checks(
    [MulticlassWinnow(), MulticlassWinnow(average=False, fit_intercept=False)],
    expected_failed_checks=lambda estimator: (
        NOT_OF_WINNOW if estimator.fit_intercept else NOT_OF_WINNOW | NOT_WITHOUT_AN_INTERCEPT
    ),
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


def test_without_averaging_it_is_the_algorithm_of_the_theorem():
    X = np.r_[winnow_tight_sample(4)[0], -winnow_tight_sample(4)[0]].astype(float)
    names = np.repeat(["a", "b"], 4)
    model = MulticlassWinnow(eta=math.log(2), average=False, shuffle=False, fit_intercept=False).fit(X, names)
    run = run_winnow(X, (names == "b").astype(int), 2, factor=math.exp(math.log(2)))
    assert model.coef_.tolist() == run.W.tolist()
    assert model.n_updates_ == run.n_updates
    assert model.predict(X).tolist() == names.tolist()


def test_features_are_scaled_by_the_largest_of_the_first_examples(digits):
    X, y = digits
    model = MulticlassWinnow(random_state=0, max_iter=2).fit(X, y)
    larger = clone(model).fit(1024 * X, y)
    assert larger.coef_ == pytest.approx(model.coef_ / 1024)
    assert (larger.predict(1024 * X) == model.predict(X)).all()
    model = MulticlassWinnow().partial_fit([[2.0], [-4.0]], [0, 1])
    assert model.partial_fit([[100.0], [1.0]], [0, 1]).scale_ == 4
    assert [MulticlassWinnow().fit([[a], [-a]], [0, 1]).scale_ for a in (0.0, 0.5)] == [1, 0.5]


def test_pieces_and_sparse_pieces_are_one_pass_and_copies_go_on(digits):
    X, y = digits
    dense, sparse = MulticlassWinnow(), MulticlassWinnow()
    for part in np.array_split(np.arange(len(X)), 5):
        dense.partial_fit(X[part], y[part], classes=range(10))
        sparse.partial_fit(sp.csr_array(X[part]), y[part], classes=range(10))
    whole = MulticlassWinnow(max_iter=1, shuffle=False).fit(X, y)
    for pieces in (dense, sparse):
        assert pieces.coef_ == pytest.approx(whole.coef_)
        assert pieces.intercept_ == pytest.approx(whole.intercept_)
        assert pieces.n_updates_ == whole.n_updates_
    copy = pickle.loads(pickle.dumps(dense))
    assert (copy.partial_fit(X, y).coef_ == dense.partial_fit(X, y).coef_).all()


def test_a_weight_multiplies_the_step():
    rng = np.random.default_rng(2)
    X, y, weights = rng.choice([-1.0, 1.0], (15, 4)), rng.integers(0, 3, 15), rng.integers(1, 4, 15)
    model = MulticlassWinnow(average=False, shuffle=False, fit_intercept=False, max_iter=3, eta=0.5)
    with pytest.warns(ConvergenceWarning, match="average=True"):
        model.fit(X, y, sample_weight=weights)
    run = run_winnow(X * weights[:, None], y, 3, factor=math.exp(0.5), max_epochs=3)
    assert model.coef_.tolist() == run.W.tolist()
