"""One-vs-rest and all pairs: finite distributions, scores, tournaments, costs, joint training, knock-out."""

import dataclasses
import itertools
import types
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import one_vs_rest_and_pairs as pairs
from mcbook.foundation.proof.certified import NotCertified
from mcbook.one_vs_rest_and_pairs.algorithm import joint
from mcbook.one_vs_rest_and_pairs.algorithm.joint import objective
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import binary_scores
from mcbook.one_vs_rest_and_pairs.algorithm.scores import least_squares_scores
from mcbook.one_vs_rest_and_pairs.instances import OutputsDistribution
from mcbook.output_codes import OutputCode, one_vs_rest_code

X_iris, y_iris = load_iris(return_X_y=True)
REFUSED = [
    (lambda: pairs.one_vs_rest_bound([0.1]), "at least 2 binary"),
    (lambda: pairs.one_vs_rest_bound([0.1, 5]), "per cent"),
    (lambda: pairs.one_vs_one_bound(1, 0.1), "at least 2"),
    (lambda: pairs.one_vs_one_bound(3, -0.1), "0 <= r <= 1"),
    (lambda: pairs.one_vs_one_bound(2, 1 + 1e-6), "0 <= r <= 1"),
    (lambda: pairs.one_vs_one_mass_bound(3, float("nan")), "0 <= r <= 1"),
    (lambda: pairs.training_cost_ratio(1, 2), "n_classes >= 2"),
    (lambda: pairs.equal_cost_exponent(2), "two classes"),
    (lambda: pairs.evaluation_ratio(np.array([4, 1])), "n_classes >= 2"),
    (lambda: pairs.problem_sizes(one_vs_rest_code(3), [1, 2]), "one size for each row"),
    (lambda: OutputsDistribution([0.5, 0.25], [0, 1], [[1], [1]]), "sum to 1"),
    (lambda: OutputsDistribution([2, -1], [0, 1], [[1], [1]]), "probabilities >= 0"),
    (lambda: OutputsDistribution([1], [0, 1], [[1], [1]]), "same number of rows"),
    (lambda: OutputsDistribution([1], [0], [1]), "shape"),
    (lambda: pairs.extremal_duels([Fraction(1, 2)] * 2, 2), "1/"),
    (lambda: pairs.extremal_duels([1, 1], 0), "sum to 1"),
    (lambda: pairs.extremal_masses(4, Fraction(1, 5)), "k - 1"),
    (lambda: pairs.one_vs_rest_extremal_distribution(4, Fraction(1, 3)), "1/k"),
    (lambda: pairs.highest_score([[1]]), "at least 2 classes"),
    (lambda: pairs.changing_scales(np.array([0, 1])), "no sign"),
    (lambda: pairs.all_tournaments(7), "2 to 6"),
    (lambda: pairs.votes(np.ones((1, 4)), 3), "one column for each pair"),
    (lambda: pairs.knock_out(np.ones((1, 3)), (0, 1, 1)), "order of the classes"),
    (lambda: pairs.majority(np.ones((1, 3)), 3, "coin"), "'first', 'mark'"),
    (lambda: pairs.KnockOut(RidgeClassifier()).fit(X_iris, np.zeros(150)), "1 class only"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


class TestScores:
    def test_least_squares_is_what_the_learner_computes(self):
        X, y = pairs.collinear_classes(4)
        model = OutputCode(RidgeClassifier(alpha=0)).fit(X.astype(float), y)
        assert model.outputs(X.astype(float)) == pytest.approx(least_squares_scores(X, y, 4).astype(float))
        X, y = pairs.collinear_classes(3)
        assert 1 not in pairs.highest_score(least_squares_scores(X, y, 3))


class TestDuels:
    def test_votes_by_counting(self):
        for k in (2, 3, 4):
            for outcome in pairs.all_tournaments(k):
                counts = [0] * k
                for (i, j), result in zip(itertools.combinations(range(k), 2), outcome, strict=True):
                    counts[i if result > 0 else j] += 1
                assert pairs.votes(outcome[None], k)[0].tolist() == counts
        assert pairs.votes(np.array([[0, 1, 1], [0, 0, 0]]), 3).tolist() == [[1, 1, 0], [0, 0, 0]]


class TestCosts:
    @pytest.mark.parametrize(("code", "n_columns"), [("one-vs-rest", 4), ("all-pairs", 6)])
    def test_fits_and_evaluations_are_counted(self, code, n_columns):
        X, y = pairs.balanced_sample(4, 5)
        meter = pairs.Meter()
        model = OutputCode(pairs.Metered(RidgeClassifier(), meter), code).fit(X, y)
        assert len(meter.fits) == n_columns
        assert meter.examples == sum(map(sum, pairs.problem_sizes(model.code_, np.bincount(y))))
        model.predict(X[:3])
        assert meter.evaluations == 3 * n_columns


class TestJoint:
    X = np.array([[2, 0], [0, 2], [-2, -1], [1, 2], [-1, -2], [1, -1]])
    y = np.array([0, 1, 2, 1, 2, 0])

    def test_no_point_near_by_is_better(self):
        found = pairs.joint_weights(self.X, self.y, 3)
        value = objective(found.W, self.X, self.y, 1.0)
        rng = np.random.default_rng(0)
        assert all(objective(found.W + 0.01 * rng.normal(size=(3, 2)), self.X, self.y, 1.0) > value for _ in range(200))

    def test_weights_beside_the_optimum_are_refused(self, monkeypatch):
        solve = joint.solve_multiclass_svm

        def beside(*arguments):
            found = solve(*arguments)
            return dataclasses.replace(found, point=found.point + 0.01)

        monkeypatch.setattr(joint, "solve_multiclass_svm", beside)
        with pytest.raises(NotCertified, match="asked for"):
            pairs.joint_weights(self.X, self.y, 3)

    def test_more_accuracy_than_there_is_is_refused(self):
        with pytest.raises(NotCertified, match="asked for"):
            pairs.joint_weights(self.X, self.y, 3, radius=1e-9)


@parametrize_with_checks(
    [
        pairs.KnockOut(LogisticRegression()),
        pairs.KnockOut(DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=0)),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


class TestKnockOut:
    @pytest.mark.parametrize("learner", [RidgeClassifier(), GaussianNB()])
    def test_it_plays_the_tournament_of_the_pairs(self, learner):
        X, y = load_digits(return_X_y=True)
        model = pairs.KnockOut(learner).fit(X[::4], y[::4])
        outputs = np.column_stack([binary_scores(one, X) for one in model.estimators_])
        winners, _ = pairs.knock_out(np.where(outputs > 0, 1, -1), range(10))
        assert (model.predict(X) == winners).all()

    def test_a_prediction_asks_one_classifier_less_than_there_are_classes(self):
        X, y = pairs.balanced_sample(6, 5)
        meter = pairs.Meter()
        model = pairs.KnockOut(pairs.Metered(RidgeClassifier(), meter)).fit(X, y)
        assert len(meter.fits) == 15
        model.predict(X)
        assert meter.evaluations == 5 * len(X)

    def test_an_output_of_0_is_a_win_of_the_later_class(self):
        X, y = np.array([[-1.0], [1.0], [0.0]]), np.array([0, 0, 1])
        model = pairs.KnockOut(RidgeClassifier()).fit(X, y)
        model.estimators_ = [types.SimpleNamespace(predict=lambda X: np.zeros(len(X)))]
        assert model.predict(X).tolist() == [1, 1, 1]


def test_the_clouds_of_a_balanced_sample_lie_around_the_corners_of_a_polygon():
    X, y = pairs.balanced_sample(4, 1000)
    means = [X[y == label].mean(axis=0) for label in range(4)]
    np.testing.assert_allclose(means, [[3, 0], [0, 3], [-3, 0], [0, -3]], atol=0.2)
