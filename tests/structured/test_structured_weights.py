"""Weights of sequences are numbers of copies, and weights of classes are costs of errors."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone

from mcbook.structured import ChainCRF, StructuredPerceptron, chains, hamming_cost, structures
from mcbook.structured.algorithm.batched_chains import block_of
from mcbook.structured.algorithm.features import JointFeatures
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import sum_over_labellings
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.algorithm.training import SequenceLoss, fit_likelihood
from mcbook.structured_margins import MaxMarginMarkovNetwork, StructSVM, chain_problem, cut_planes, solve_enumerated
from mcbook.structured_margins.algorithm.block_steps import solve_block_steps
from mcbook.structured_margins.algorithm.cutting import SingleSlackOracle

COPIES = np.array([2, 0, 1, 3, 1])
TREES = [[-1, 0, 0], [-1, 0], [-1, 0, 1, 1], [-1], [-1, 0]]
LENGTHS = [len(tree) for tree in TREES]


def words(sparse=False):
    rng = np.random.default_rng(5)
    X = [np.round(rng.normal(size=(n, 3)), 1) for n in LENGTHS]
    y = [np.array(["a", "b", "c"])[rng.integers(0, 3, n)] for n in LENGTHS]
    y[0][:] = ["a", "b", "c"]
    return [sp.csr_array(table) for table in X] if sparse else X, y


def copied(sequences):
    return [sequence for sequence, times in zip(sequences, COPIES, strict=True) for _ in range(times)]


MODELS = [
    ChainCRF(tol=1e-12),
    ChainCRF(tol=1e-12, loss="softmax-margin", n_jobs=2),
    ChainCRF(tol=1e-12, loss="softmax-margin", class_weight="balanced"),
    MaxMarginMarkovNetwork(tol=1e-9, random_state=0),
    MaxMarginMarkovNetwork(tol=1e-9, class_weight={"b": 3.0}, random_state=0),
    StructSVM(tol=1e-9, random_state=0),
    StructSVM(tol=1e-9, rescaling="margin", class_weight="balanced", random_state=0),
    StructSVM(C=0.3, tol=1e-7, solver="one-slack", random_state=0),
]


@pytest.mark.parametrize("forest", [chains(LENGTHS), rooted_trees(TREES)], ids=["chains", "trees"])
@pytest.mark.parametrize("weight", [None, COPIES.astype(float)], ids=["plain", "weighted"])
def test_a_block_expects_what_the_sum_over_all_labellings_does(forest, weight):
    X, rng, features = np.vstack(words()[0]), np.random.default_rng(0), JointFeatures(3, 3)
    data, w, P = structures(X, forest), rng.normal(size=features.size), np.empty((len(X), 3))
    block = block_of(data, rng.integers(0, 3, len(X)), None, weight, P)
    value, pairs = block.expect(features, w)
    found = sum_over_labellings(features.scores(w, data), forest, weight)
    each = np.ones(len(LENGTHS)) if weight is None else weight
    assert value == pytest.approx(each @ found.log_partition)
    np.testing.assert_allclose(P, (np.repeat(each, LENGTHS)[:, None] * found.P)[block.order])
    np.testing.assert_allclose(pairs[:3], found.pairs)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("kind", ["chains", "trees", "sparse"])
def test_a_sequence_of_weight_w_is_there_w_times(model, kind):
    X, y = words(kind == "sparse")
    parents = TREES if kind == "trees" else None
    weighted = clone(model).fit(X, y, parents=parents, sample_weight=COPIES)
    repeated = clone(model).fit(copied(X), copied(y), parents=parents and copied(parents))
    for name in ("coef_", "transitions_", "start_", "end_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=2e-4)
    plain = clone(model).fit(X, y, parents=parents)
    assert np.abs(plain.coef_ - weighted.coef_).max() > 0.01


@pytest.mark.parametrize("cost", [None, hamming_cost(3)])
@pytest.mark.parametrize("forest", [chains(LENGTHS), rooted_trees(TREES)], ids=["chains", "trees"])
@pytest.mark.parametrize("scale", [1.0, 200.0])
def test_a_weighted_loss_is_the_weighted_sum_of_losses(forest, cost, scale):
    """Scores that are far apart take the way of logarithms."""
    X, y = words()
    labels = np.searchsorted(["a", "b", "c"], np.concatenate(y))
    data, features = structures(np.vstack(X), forest), JointFeatures(3, 3)
    w, weight = scale * np.random.default_rng(0).normal(size=features.size), np.array([0.5, 0.0, 2.0, 1.25, 3.0])
    found = SequenceLoss(data, labels, features, cost=cost, weight=weight)(w)
    value, gradient = 0.0, np.zeros(features.size)
    for i, share in enumerate(weight):
        one, at = forest.only(np.array([i]))
        own = SequenceLoss(structures(data.X[at], one), labels[at], features, cost=cost)(w)
        value, gradient = value + share * own.value, gradient + share * own.gradient
    assert found.value == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(found.gradient, gradient, atol=1e-9 * scale)


@pytest.mark.parametrize("rescaling", ["margin", "slack"])
def test_all_solvers_of_the_margins_know_the_weights(rescaling):
    X, y = words()
    X, y = X[:4], y[:4]
    labels = np.searchsorted(["a", "b", "c"], np.concatenate(y))
    data, weight = structures(np.vstack(X), chains(LENGTHS[:4])), np.array([0.5, 2.0, 1.25, 3.0])
    problem = chain_problem(data, labels, 3, 0.2, rescaling=rescaling, weight=weight)
    best = solve_enumerated(problem.listed()).value.middle
    for oracle in (problem, SingleSlackOracle(problem)):
        assert cut_planes(oracle, 1e-7, rule="relative").primal == pytest.approx(best, rel=1e-5)
    if rescaling == "margin":
        found = solve_block_steps(problem, tol=1e-3)
        assert found.dual <= best * (1 + 1e-6)
        assert best * (1 - 1e-6) <= found.primal <= best * (1 + 2e-3)


def test_the_perceptron_updates_by_the_weight():
    X, y = words()
    model = StructuredPerceptron(max_iter=3, shuffle=False)
    plain, double = clone(model).fit(X, y), clone(model).fit(X, y, sample_weight=np.full(5, 2.0))
    np.testing.assert_allclose(double.coef_, 2 * plain.coef_, atol=1e-12)
    shorter, without = ([part[i] for i in (0, 2, 3, 4)] for part in (X, y)), np.array([1, 0, 1, 1, 1])
    np.testing.assert_array_equal(clone(model).fit(X, y, sample_weight=without).coef_, clone(model).fit(*shorter).coef_)
    once = run_structured_perceptron(structures([[1.0]], chains([1])), [1], 2, weight=[3.0], max_epochs=1)
    assert once.w.reshape(-1, 2)[0].tolist() == [-3.0, 3.0]


def test_weights_of_classes_are_rows_of_the_costs():
    X, y = words()
    factors = {"a": 1.0, "b": 3.0, "c": 0.5}
    cost = np.array([[1.0], [3.0], [0.5]]) * hamming_cost(3)
    for model in (MaxMarginMarkovNetwork(tol=1e-8), StructSVM(tol=1e-8), StructSVM(rescaling="margin", tol=1e-8)):
        model.set_params(random_state=0)
        by_class = clone(model).set_params(class_weight=factors).fit(X, y)
        np.testing.assert_array_equal(by_class.coef_, clone(model).set_params(cost=cost).fit(X, y).coef_)
    crf = ChainCRF(loss="softmax-margin", class_weight=factors, tol=1e-10).fit(X, y)
    labels = np.searchsorted(["a", "b", "c"], np.concatenate(y))
    known = fit_likelihood(structures(np.vstack(X), chains(LENGTHS)), labels, 3, 1.0, cost=cost, tol=1e-10)
    np.testing.assert_allclose(crf.coef_, known.w.reshape(-1, 3)[:3].T, atol=1e-9)


def test_where_weights_have_no_meaning_it_is_said():
    X, y = words()
    with pytest.raises(ValueError, match=r'expected class_weight=None for loss="log".*give sample_weight'):
        ChainCRF(class_weight="balanced").fit(X, y)
    with pytest.raises(AttributeError, match=r"StructuredPerceptron has no class_weight: .*give sample_weight"):
        StructuredPerceptron().class_weight  # noqa: B018 -- the attribute is what raises
    with pytest.raises(ValueError, match="times a unit"):
        StructSVM(class_weight={"a": np.pi}).fit(X, y)


@pytest.mark.parametrize("model", [ChainCRF(), MaxMarginMarkovNetwork(), StructSVM(), StructuredPerceptron()], ids=repr)
def test_weights_are_checked_routed_and_scored(model):
    X, y = words()
    for weight, message in (([-1, 1, 1, 1, 1], "[Nn]egative"), (np.zeros(5), "zero"), ([1, 1], "sample_weight")):
        with pytest.raises(ValueError, match=message):
            clone(model).fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match="classes"):
        clone(model).fit(
            X,
            [np.full(n, "a") if i else labels for i, (n, labels) in enumerate(zip(LENGTHS, y, strict=True))],
            sample_weight=[0, 1, 1, 1, 1],
        )
    fitted = clone(model).fit(X, y)
    right = [(found == labels).sum() for found, labels in zip(fitted.predict(X), y, strict=True)]
    expected = (COPIES * right).sum() / (COPIES * LENGTHS).sum()
    assert fitted.score(X, y, sample_weight=COPIES) == pytest.approx(expected)
    assert fitted.score(copied(X), copied(y)) == pytest.approx(expected)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = clone(model).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        assert asked.get_metadata_routing().fit.requests["sample_weight"] is True


def test_a_class_that_occurs_once_is_balanced_too():
    X, y = [np.array([[1.0], [0.5], [-1.0], [2.0]])], [["a", "a", "b", "a"]]
    balanced, by_hand = (
        MaxMarginMarkovNetwork(class_weight=weights, random_state=0).fit(X, y)
        for weights in ("balanced", {"a": 4 / (2 * 3), "b": 4 / (2 * 1)})
    )
    np.testing.assert_allclose(balanced.coef_, by_hand.coef_, atol=1e-9)


def test_the_perceptron_publishes_the_mean_of_its_weights_or_the_last():
    X, y = [np.array([[1.0]]), np.array([[-1.0]])], [[0], [1]]
    data, labels = structures(np.vstack(X), chains([1, 1])), np.array([0, 1])
    run = run_structured_perceptron(data, labels, 2, max_epochs=30)
    assert run.converged
    for average, w in ((True, run.w_average), (False, run.w)):
        model = StructuredPerceptron(average=average, shuffle=False, max_iter=30).fit(X, y)
        assert model.coef_.ravel().tolist() == w[:2].tolist()
    assert run.w_average[:2].tolist() != run.w[:2].tolist()


@pytest.mark.parametrize("model", [ChainCRF(loss="softmax-margin"), StructSVM(), MaxMarginMarkovNetwork()])
def test_classes_of_negative_weight_are_refused(model):
    X, y = [np.eye(2), np.eye(2)[::-1]], [["a", "b"], ["b", "a"]]
    with pytest.raises(ValueError, match="expected class_weight to be finite numbers >= 0, got -1 for the class 'a'"):
        clone(model).set_params(class_weight={"a": -1}).fit(X, y)
