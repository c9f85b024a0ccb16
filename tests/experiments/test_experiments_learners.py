"""Codes and learners of the experiments: what they are made of, and that they see nothing but what they may see."""

import dataclasses
import hashlib

import numpy as np
import pytest
from sklearn.svm import SVC

from mcbook.boosting_many_labels.algorithm import stump_rounds
from mcbook.experiments import (
    CODE_NAMES,
    LEARNERS,
    BoostedStumps,
    KernelSVM,
    Table,
    as_vectors,
    code_matrix,
    learners,
    part,
)
from mcbook.foundation import threads
from mcbook.output_code_margins import AdaBoostMO
from mcbook.output_codes import decode, one_vs_rest_code
from mcbook.trees.algorithm import stumps


@pytest.fixture
def table():
    """Three attributes that tell four classes apart, one of them nominal, with holes; the last 40 rows are for test."""
    rng = np.random.default_rng(3)
    y = np.arange(160) % 4
    colour = np.where(rng.random(160) < 0.9, y // 2, rng.integers(0, 3, 160)).astype(float)
    X = np.column_stack([y % 2 + 0.3 * rng.normal(size=160), rng.normal(size=160) + y, colour])
    X[rng.random(X.shape) < 0.05] = np.nan
    return Table(
        *("made", X, np.array(list("abcd"))[y], np.array(list("abcd")), ("size", "weight", "colour")),
        *(np.array([False, False, True]), ((), (), ("red", "blue", "none")), np.arange(160) >= 120),
    )


def small(name):
    """The learner, made quick."""
    return dataclasses.replace(LEARNERS[name], **({"rounds": 20} if hasattr(LEARNERS[name], "rounds") else {}))


# Codes.


def test_codes_are_the_same_every_time_and_those_without_chance_are_the_chapters():
    for code in CODE_NAMES:
        assert (code_matrix(code, 7) == code_matrix(code, 7)).all()
    assert code_matrix("complete", 7).shape == (7, 63)
    assert code_matrix("all-pairs", 7).shape == (7, 21)
    assert code_matrix("one-vs-rest", 7).tolist() == (2 * np.eye(7, dtype=int) - 1).tolist()
    with pytest.raises(ValueError, match="expected code to be one of 'one-vs-rest'"):
        code_matrix("hadamard", 7)


# Vectors.


def test_vectors_are_scaled_by_the_training_rows_alone(table):
    training = ~table.test
    before = as_vectors(table, training)[training]
    table.X[table.test] *= 5
    after = as_vectors(table, training)
    assert (after[training] == before).all()
    assert np.abs(after[:, :2]).max() == np.abs(before[:, :2]).max()
    assert np.isclose(np.square(before).sum(axis=1).mean(), 1, atol=1e-5)


def test_vectors_have_a_coordinate_for_each_category_and_means_for_holes(table):
    training = ~table.test
    X = as_vectors(table, training)
    unit = X[:, 2:].max()
    assert X.shape == (160, 5)
    assert (X[:, 2:] / unit == (table.X[:, 2][:, None] == [0, 1, 2])).all()
    hole = np.isnan(table.X[:, 0])
    assert len(set(X[hole, 0])) == 1
    assert np.isclose(X[hole, 0][0], X[training & ~hole, 0].mean(), atol=1e-5)
    constant = dataclasses.replace(table, X=np.where([True, False, False], 3.0, table.X))
    assert (as_vectors(constant, training)[:, 0] == 0).all()


# Learners.


@pytest.mark.parametrize(
    "M",
    [
        code_matrix("one-vs-rest", 4),
        code_matrix("all-pairs", 4),
        np.array([[1, 0, -1], [-1, 1, 0], [0, -1, 1], [1, 1, 1]]),
    ],
)
def test_boosted_stumps_vote_as_adaboost_mo_does(table, M):
    training = ~table.test
    theirs = AdaBoostMO(n_estimators=30, code=M, categorical_features=table.nominal)
    theirs.fit(table.X[training], table.y[training])
    found = BoostedStumps(rounds=30).fit_columns(table, training, M)
    assert found.chosen == {"rounds": 30, "ending": "rounds"}
    np.testing.assert_allclose(found.F, theirs.votes(table.X), atol=1e-8)


def test_a_machine_is_the_librarys_with_its_own_kernel_on_the_rows_that_are_asked(table):
    training, M = ~table.test, code_matrix("all-pairs", 4)
    F = KernelSVM(costs=(100.0,)).outputs(table, training, M)
    X = as_vectors(table, training)
    C = 100 / ((np.square(X[training]).sum(axis=1) + 1) ** 4).mean()
    for s, column in enumerate(M[table.labels].T):
        rows = np.flatnonzero(training & (column != 0))
        model = SVC(C=C, kernel="poly", degree=4, gamma=1, coef0=1).fit(X[rows], column[rows])
        np.testing.assert_allclose(F[:, s], model.decision_function(X), atol=5e-3)


def test_machines_that_do_not_arrive_are_stopped_and_counted(table):
    training, M = ~table.test, code_matrix("one-vs-rest", 4)
    stopped, arrived = (
        KernelSVM(costs=(1000.0,), max_steps=steps).fit_columns(table, training, M) for steps in (5, 1_000_000)
    )
    assert (stopped.chosen, arrived.chosen) == ({"cost": 1000.0, "stopped": 4}, {"cost": 1000.0, "stopped": 0})
    assert (stopped.F != arrived.F).any()


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("code", ["one-vs-rest", "all-pairs"])
def test_learners_learn_and_their_decoders_are_losses(table, name, code):
    learner, M = LEARNERS[name], code_matrix(code, 4)
    F = learner.outputs(table, ~table.test, M)
    assert F.shape == (160, M.shape[1])
    for loss in learner.decoders.values():
        wrong = decode(F, M, loss) != table.labels
        assert wrong[~table.test].mean() < 0.2
        assert wrong[table.test].mean() < 0.4


@pytest.mark.parametrize("name", LEARNERS)
def test_labels_of_test_rows_are_not_looked_at(table, name):
    learner, M, training = small(name), code_matrix("one-vs-rest", 4), ~table.test
    F = learner.outputs(table, training, M)
    swapped = dataclasses.replace(table, y=np.where(table.test, "a", table.y))
    assert (learner.outputs(swapped, training, M) == F).all()
    other = dataclasses.replace(table, X=np.where(table.test[:, None], np.nan, table.X))
    assert (learner.outputs(other, training, M)[training] == F[training]).all()


@pytest.mark.parametrize("name", LEARNERS)
def test_a_class_without_training_rows_has_columns_of_one_sign(table, name):
    training = ~table.test & (table.y != "a")
    M = np.array([[1, 1, 0, 1], [-1, 0, 1, 1], [-1, 0, -1, -1], [-1, 0, 1, 1]])
    F = small(name).outputs(table, training, M)
    assert (F[:, 0] < 0).all()
    assert np.isfinite(F).all()
    # Nobody was asked in the second column.
    if name != "adaboost":
        assert (F[:, 0] == -1).all()
        assert (F[:, 1] == 0).all()


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_bytes_come_of_any_number_of_threads(table, name, monkeypatch):
    learner, M, training = small(name), code_matrix("complete", 4), ~table.test
    alone = learner.outputs(table, training, M).tobytes()
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(3)), raising=False)
    monkeypatch.setattr(stump_rounds, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(stumps, "_WORTH_A_THREAD", 1)
    found = threads.at_the_same_time([lambda: learner.outputs(table, training, M).tobytes()] * 3, n_jobs=3)
    assert {hashlib.sha256(F).hexdigest() for F in [*found, learner.outputs(table, training, M).tobytes()]} == {
        hashlib.sha256(alone).hexdigest()
    }


# The choice of a cost.


def test_the_cost_with_the_fewest_errors_is_chosen_and_of_equals_the_smallest():
    y, M, asked = np.arange(30) % 3, code_matrix("one-vs-rest", 3), []
    wrong = {1.0: 5, 10.0: 2, 100.0: 2, 1000.0: 3}

    def predicted(fit, held, M, cost):
        asked.append((cost, fit, held))
        labels = y[held].copy()
        labels[: wrong[cost]] = (labels[: wrong[cost]] + 1) % 3
        return M[labels].astype(float)

    assert learners.chosen_cost(KernelSVM(), predicted, y, M, "hinge") == 10
    for _, fit, held in asked:
        assert (len(fit), len(held)) == (20, 10)
        assert not set(fit) & set(held)
    assert learners.chosen_cost(KernelSVM(costs=(7.0,)), None, y, M, "hinge") == 7


def test_of_several_nearest_classes_an_error_counts_the_first():
    """The rule that the page of the replication names, on which the comparison of the decoders hangs."""
    F = np.array([[-1.0, -0.5, -2.0], [1.0, 2.0, -1.0], [-1.0, 3.0, -1.0]])
    y, training = np.array([1, 1, 1]), np.array([False, False, True])
    found = part.measure(F, one_vs_rest_code(3), y, training, {"hamming": "hamming", "hinge": "hinge"})
    # Class 0 is the first of the nearest in both test rows, and class 1 has the largest score.
    assert found["test"]["wrong"] == {"hamming": 2, "hinge": 0}
    assert found["test"]["tied"] == {"hamming": 2, "hinge": 0}
    assert found["train"]["wrong"] == found["train"]["tied"] == {"hamming": 0, "hinge": 0}
