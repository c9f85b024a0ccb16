"""AdaBoost.MO as an estimator: scikit-learn's contract, codes, margins by rounds, its bound."""

import pickle

import numpy as np
import pytest
from estimator_checks import OF_EXACT_STUMPS, run_check
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.boosting import AdaBoost
from mcbook.output_code_errors import digits_in_halves
from mcbook.output_code_margins import (
    AdaBoostMO,
)
from mcbook.output_codes import (
    decode,
    find_code,
)


@parametrize_with_checks(
    [
        AdaBoostMO(n_estimators=20),
        AdaBoostMO(n_estimators=5, code="dense", decoder="hamming", single_call=False, random_state=0),
        AdaBoostMO(LogisticRegression(), 3, "all-pairs"),
    ],
    expected_failed_checks=lambda estimator: {} if estimator.code == "all-pairs" else OF_EXACT_STUMPS,
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return digits_in_halves()


class TestEstimator:
    def test_it_learns_the_digits_and_keeps_the_bound(self, digits):
        X, y, X_test, y_test = digits
        model = AdaBoostMO(n_estimators=120, code="all-pairs").fit(X, y)
        assert model.score(X_test, y_test) > 0.92
        margins = model.margins(X, y)
        for theta in (-0.1, 0.0, 0.05, 0.1):
            assert (margins <= theta).mean() <= model.training_margin_bound(theta)
        assert ((margins > 0) == (model.predict(X) == y)).all()

    def test_stages_end_where_the_model_is(self, digits):
        X, y, X_test, y_test = digits
        for single_call in (True, False):
            model = AdaBoostMO(n_estimators=4, single_call=single_call).fit(X, y)
            *_, last = model.staged_predict(X_test)
            assert (last == model.predict(X_test)).all()
            assert len(list(model.staged_score(X_test, y_test))) == model.n_iter_
            *_, votes = model.staged_votes(X_test)
            assert votes == pytest.approx(model.votes(X_test))
        model = AdaBoostMO(n_estimators=6).fit(X, y)
        stages = list(model.staged_margins(X, y))
        assert stages[-1] == pytest.approx(model.margins(X, y))
        assert len(stages) == 6

    def test_stages_are_the_models_of_fewer_rounds(self, digits):
        X, y, X_test, _ = digits
        stages = list(AdaBoostMO(n_estimators=5, single_call=False, code="hadamard").fit(X, y).staged_predict(X_test))
        few = AdaBoostMO(n_estimators=3, single_call=False, code="hadamard").fit(X, y)
        assert (stages[2] == few.predict(X_test)).all()

    def test_two_classes_are_adaboost(self, digits):
        X, y, X_test, _ = digits
        some = y < 2
        ours, plain = AdaBoostMO(n_estimators=8).fit(X[some], y[some]), AdaBoost(n_estimators=8).fit(X[some], y[some])
        assert ours.code_.tolist() == [[-1], [1]]
        assert (ours.predict(X_test) == plain.predict(X_test)).all()

    def test_decoders_differ_and_agree_with_those_of_codes(self, digits):
        X, y, X_test, _ = digits
        model = AdaBoostMO(n_estimators=15, code="hadamard").fit(X, y)
        votes, M = model.votes(X_test), model.code_
        assert (model.predict(X_test) == decode(votes, M, "exponential")).all()
        assert (model.set_params(decoder="hamming").predict(X_test) == decode(votes, M, ties="margin")).all()
        assert (model.set_params(decoder="linear").predict(X_test) == (votes @ M.T).argmax(axis=1)).all()
        assert (model.set_params(decoder="hinge").predict(X_test) == decode(votes, M, "hinge")).all()

    def test_weights_choose_and_leave_out(self, digits):
        X, y, *_ = digits
        kept = np.random.default_rng(0).random(len(X)) < 0.5
        model = AdaBoostMO(n_estimators=3)
        weighted = clone(model).fit(X, y, sample_weight=kept.astype(float))
        assert weighted.margins(X, y).tolist() == clone(model).fit(X[kept], y[kept]).margins(X, y).tolist()
        twice = clone(model).fit(X, y, sample_weight=np.where(y == 3, 2.0, 1.0))
        assert clone(model).set_params(class_weight={3: 2.0}).fit(X, y).margins(X, y) == pytest.approx(
            twice.margins(X, y)
        )

    def test_codes_by_name_and_by_matrix(self, digits):
        X, y, *_ = digits
        M = find_code("dense", 10, 7)
        named = AdaBoostMO(n_estimators=2, code="dense", random_state=7).fit(X, y)
        assert named.code_.tolist() == M.tolist()
        assert (AdaBoostMO(n_estimators=2, code=M).fit(X, y).predict(X) == named.predict(X)).all()
        for code, says in ((2 * M, "entries of the code"), (M[:9], "9 rows"), ("ternary", "code")):
            with pytest.raises(ValueError, match=says):
                AdaBoostMO(code=code).fit(X, y)
        with pytest.raises(ValueError, match="expected"):
            AdaBoostMO(decoder="nothing").fit(X, y)

    def test_margins_are_refused_where_the_theorem_does_not_speak(self, digits):
        X, y, *_ = digits
        for model in (AdaBoostMO(n_estimators=2, single_call=False), AdaBoostMO("real stump", 2)):
            fitted = model.fit(X, y)
            with pytest.raises(ValueError, match="single_call=True"):
                fitted.margins(X, y)
            with pytest.raises(ValueError, match="single_call=True"):
                fitted.training_margin_bound(0.0)
        with pytest.raises(ValueError, match="labels that fit has seen"):
            AdaBoostMO(n_estimators=2).fit(X, y).margins(X, y + 1)

    def test_a_perfect_first_hypothesis_has_the_last_word(self):
        X, y = np.array([[0.0], [1.0]]), np.array(["a", "b"])
        model = AdaBoostMO(n_estimators=9).fit(X, y)
        assert (model.ending_, model.n_iter_, model.training_margin_bound(0.5)) == ("perfect", 1, 0.0)
        assert model.training_margin_bound(1.0) == 1
        assert model.margins(X, y) == pytest.approx([1, 1])

    def test_a_learner_without_an_edge_is_told(self):
        X = np.zeros((4, 1))
        with pytest.warns(ConvergenceWarning, match="nothing better"):
            AdaBoostMO(n_estimators=3, code=[[-1], [1]]).fit(X, [0, 0, 1, 1])

    def test_it_survives_pickling(self, digits):
        X, y, X_test, _ = digits
        model = AdaBoostMO(n_estimators=3, code="complete").fit(X[y < 4], y[y < 4])
        copy = pickle.loads(pickle.dumps(model))
        assert (copy.decision_function(X_test) == model.decision_function(X_test)).all()
