"""The estimators of structured margins: words as labels, the multi-class SVM as a case, clear errors."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from mcbook.structured_margins import (
    MaxMarginMarkovNetwork,
    StructSVM,
    digit_sequences,
)
from mcbook.svm_solvers import MulticlassSVM


class TestEstimators:
    def sequences(self, rng, n=12, length=4):
        data = digit_sequences(rng, n, length)
        return data.inputs, [np.array([f"d{label}" for label in labels]) for labels in data.labels]

    @pytest.mark.parametrize("model", [MaxMarginMarkovNetwork(C=0.1, random_state=0), StructSVM(C=0.1, random_state=0)])
    def test_they_learn_words_are_copied_and_saved(self, model):
        X, y = self.sequences(np.random.default_rng(0))
        fitted = clone(model).fit(X, y)
        assert fitted.converged_
        assert fitted.gap_ == pytest.approx((fitted.primal_ - fitted.dual_) / fitted.primal_)
        assert fitted.gap_ <= fitted.tol
        assert fitted.score(X, y) > 0.95
        again = pickle.loads(pickle.dumps(fitted))
        assert all((a == b).all() for a, b in zip(fitted.predict(X), again.predict(X), strict=True))
        assert set(np.concatenate(fitted.predict(X))) <= set(fitted.classes_)

    def test_solvers_and_rescalings_of_the_structural_svm(self):
        X, y = self.sequences(np.random.default_rng(1), n=5, length=3)
        for rescaling in ("slack", "margin"):
            fits = [
                StructSVM(C=0.1, rescaling=rescaling, solver=s, tol=1e-4).fit(X, y) for s in ("one-slack", "n-slack")
            ]
            assert fits[0].primal_ == pytest.approx(fits[1].primal_, rel=2e-4)
        network = MaxMarginMarkovNetwork(C=0.1, random_state=0).fit(X, y)
        assert network.primal_ == pytest.approx(fits[0].primal_, rel=2e-4)

    def test_sequences_of_length_one_are_the_multi_class_svm(self):
        rng = np.random.default_rng(2)
        X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
        model = StructSVM(C=0.3, tol=1e-9, rescaling="margin", solver="n-slack").fit(X[:, None], y[:, None])
        # First and last label each have a weight of their own: together a constant feature of length sqrt 2.
        svm = MulticlassSVM(C=0.3, fit_intercept=False, tol=1e-11).fit(np.c_[X, np.full(30, np.sqrt(2))], y)
        assert model.primal_ == pytest.approx(svm.primal_, rel=1e-8)
        assert model.coef_ == pytest.approx(svm.coef_[:, :2], abs=1e-4)

    def test_costs_change_what_is_learnt(self):
        X, y = [[[0.0], [0.0]], [[1.0]]], [["a", "b"], ["b"]]
        plain = MaxMarginMarkovNetwork(random_state=0).fit(X, y)
        costly = MaxMarginMarkovNetwork(random_state=0, cost=[[0, 9], [1, 0]]).fit(X, y)
        assert costly.primal_ > plain.primal_
        with pytest.raises(ValueError, match="zeros on its diagonal"):
            MaxMarginMarkovNetwork(cost=[[1, 1], [1, 0]]).fit(X, y)

    def test_dictionaries_trees_and_clear_errors(self):
        words = [[{"w": "the"}, {"w": "dog"}], [{"w": "runs"}]]
        tags = [["D", "N"], ["V"]]
        for model in (MaxMarginMarkovNetwork(random_state=0), StructSVM()):
            fitted = model.fit(words, tags)
            assert fitted.predict([[{"w": "dog"}]])[0].tolist() in (["D"], ["N"], ["V"])
            with pytest.raises(ValueError, match="empty"):
                fitted.predict([[]])
            with pytest.raises(ValueError, match="dictionaries of features throughout, sequence 1"):
                fitted.predict([[{"w": "dog"}], np.eye(2)])
        tree = MaxMarginMarkovNetwork(random_state=0).fit([np.eye(3)], [[0, 1, 1]], parents=[[-1, 0, 0]])
        assert tree.predict([np.eye(3)], parents=[[-1, 0, 0]])[0].shape == (3,)
        plain, costly = (
            StructSVM(random_state=0, cost=cost).fit([np.eye(3)], [[0, 1, 1]], parents=[[-1, 0, 0]])
            for cost in (None, [[0, 4], [1, 0]])
        )
        assert costly.primal_ > plain.primal_

    @pytest.mark.parametrize("options", [{"C": 0}, {"tol": 0}, {"max_iter": 0}])
    def test_parameters_out_of_range_are_refused(self, options):
        for kind in (MaxMarginMarkovNetwork, StructSVM):
            with pytest.raises(ValueError, match=next(iter(options))):
                kind(**options).fit([[[1.0]], [[0.0]]], [[0], [1]])
