"""AdaBoost: runs over pools and stumps, the worst case, SAMME, the estimator."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from estimator_checks import OF_EXACT_STUMPS, run_check
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import boosting
from mcbook.boosting.algorithm.learners import ClassifierLearner, FinitePool, GivenSequence, OnPairs
from mcbook.boosting.algorithm.samme import run_samme

QUARTER = Fraction(1, 4)


def ones(n):
    return np.array([Fraction(1)] * n)


def random_signs(rng, *shape):
    return rng.choice([-1, 1], shape)


def plain_adaboost(H, start, n_rounds):
    """The algorithm word by word in floats, for labels that are all +1."""
    D, chosen, steps = start, [], []
    for _ in range(n_rounds):
        errors = [D[h < 0].sum() for h in H]
        t = int(np.argmin(errors))
        steps.append(0.5 * math.log((1 - errors[t]) / errors[t]))
        D = D * np.exp(-steps[-1] * H[t])
        D /= D.sum()
        chosen.append(t)
    return chosen, steps, D


REFUSED = [
    (lambda: boosting.step_size(math.nan), "error"),
    (lambda: boosting.vote_odds(0), "error"),
    (lambda: boosting.worst_training_error(QUARTER, 0), "n_rounds"),
    (lambda: boosting.binomial_error(QUARTER, 0), "n_rounds"),
    (lambda: boosting.half_log_odds(0), "probability"),
    (lambda: boosting.memorising_risk(3, 4), "n_points"),
    (lambda: boosting.worst_sample(QUARTER, 10), "few enough rounds"),
    (lambda: boosting.worst_sample(Fraction(3, 4), 2), "edge"),
    (lambda: boosting.worst_case(QUARTER, 2, -2), "theta"),
    (lambda: boosting.worst_case(QUARTER, 0), "n_rounds"),
    (lambda: boosting.run_adaboost(boosting.FinitePool(np.array([[1, -1]])), np.array([1, 1]), 0), "n_rounds"),
    (
        lambda: boosting.run_adaboost(GivenSequence(np.array([[1, 1, -1]])), np.ones(3, int), 2),
        "at most 1 rounds",
    ),
    (lambda: boosting.FinitePool(np.array([1, -1])), "n_hypotheses"),
    (lambda: boosting.StumpLearner(np.zeros((3, 1))).learn(np.zeros((2, 1))), "each example"),
    (lambda: boosting.AdaBoost(categorical_features=[2]).fit(np.eye(2), [0, 1]), "indices from 0 to 1"),
]


@pytest.mark.parametrize(("call", "word"), REFUSED)
def test_what_is_refused(call, word):
    with pytest.raises(ValueError, match=f"expected.*{word}"):
        call()


class TestRun:
    def test_it_is_the_algorithm_word_by_word(self):
        rng = np.random.default_rng(1)
        for _ in range(20):
            H = random_signs(rng, 6, 15)
            H = np.vstack([H, -H])
            start = rng.dirichlet(np.ones(15))
            run = boosting.run_adaboost(boosting.FinitePool(H), np.ones(15, int), 6, weights=start)
            if run.ending != "rounds":
                continue
            chosen, steps, D = plain_adaboost(H, start, 6)
            assert list(run.hypotheses) == chosen
            assert run.steps == pytest.approx(steps)
            assert run.D[:, 0] == pytest.approx(D)
            assert run.votes[:, 0] == pytest.approx(np.array(steps) @ H[chosen])

    @pytest.mark.parametrize("real", [False, True])
    def test_stumps_on_columns_are_stumps_on_pairs_to_the_last_bit(self, real):
        rng = np.random.default_rng(3)
        X, Y = rng.normal(size=(60, 3)), random_signs(rng, 60, 5)
        many = boosting.run_adaboost(boosting.StumpLearner(X, real_valued=real), Y, 8)
        pairs = boosting.run_adaboost(OnPairs(boosting.StumpLearner(X, real_valued=real), 5), Y.ravel(), 8)
        assert many.D.ravel().tolist() == pairs.D.ravel().tolist()
        assert many.normalisers.tolist() == pairs.normalisers.tolist()
        assert [stump.question for stump in many.hypotheses] == [stump.question for stump in pairs.hypotheses]

    def test_a_perfect_hypothesis_has_the_last_word(self):
        H = np.array([[1] * 9 + [-1], [1] * 10])
        run = boosting.run_adaboost(GivenSequence(H), np.ones(10, int), 2)
        assert run.ending == "perfect"
        assert (run.votes > 0).all()
        assert run.steps[1] > run.steps[0] > 1
        assert "no error" in run.message
        assert boosting.run_adaboost(boosting.FinitePool(H), np.ones(10, int), 5).n_rounds == 1

    def test_a_useless_learner_ends_the_run_before_its_round(self):
        H = np.array([[1, 1, -1, -1]])
        for weights in (None, ones(4)):
            run = boosting.run_adaboost(boosting.FinitePool(H), np.ones(4, int), 3, weights=weights)
            assert (run.ending, run.n_rounds) == ("useless", 0)
            assert "nothing better than a guess" in run.message
        # After one round its own equaliser makes the only hypothesis useless.
        run = boosting.run_adaboost(boosting.FinitePool(np.array([[1, 1, 1, -1]])), np.ones(4, int), 3)
        assert (run.ending, run.n_rounds) == ("useless", 1)
        real = boosting.run_adaboost(
            boosting.StumpLearner(np.zeros((4, 1)), real_valued=True), np.array([1, -1, 1, -1]), 3
        )
        assert real.ending == "useless"

    def test_what_is_wrong_with_the_input_is_said(self):
        pool = boosting.FinitePool(np.array([[1, -1]]))
        for Y, weights, word in (
            ([2, 1], None, "Y -1"),
            ([0, 0], None, "not 0"),
            ([[[1]]], None, "shape"),
            ([1, 1], [1.0], "weights for 2"),
            ([1, 1], [-1.0, 2.0], ">= 0"),
            ([1, 1], [0.0, 0.0], "not all 0"),
            ([1, 1], [math.nan, 1.0], ">= 0"),
            ([1, 1, 1], None, "signed weights"),
        ):
            with pytest.raises(ValueError, match=word):
                boosting.run_adaboost(pool, np.array(Y), 1, weights=None if weights is None else np.array(weights))


class TestSmallEdges:
    @pytest.mark.parametrize("edge", [Fraction(1, 50), Fraction(1, 10**3), Fraction(1, 10**6)])
    def test_floats_go_on_where_there_is_little_to_gain(self, edge):
        """A hypothesis that is hardly better than a coin still has a vote, and only rounding counts as no edge."""
        weights = np.array([Fraction(1, 2) + edge, Fraction(1, 2) - edge])
        H = np.array([[1, -1]])
        exact = boosting.run_adaboost(GivenSequence(H), np.ones(2, int), 1, weights=weights)
        run = boosting.run_adaboost(GivenSequence(H), np.ones(2, int), 1, weights=weights.astype(float))
        assert (run.ending, run.n_rounds) == ("rounds", 1)
        assert run.errors[0] == pytest.approx(float(exact.errors[0]))
        assert run.D.ravel() == pytest.approx([0.5, 0.5])


class TestStumps:
    def test_real_votes_are_half_the_log_odds_and_minimise_the_normaliser(self):
        rng = np.random.default_rng(6)
        X, y = rng.integers(0, 5, (40, 2)).astype(float), random_signs(rng, 40)
        S = (y / 40)[:, None]
        stump, outputs = boosting.StumpLearner(X, real_valued=True, smoothing=0.0).learn(S)
        left = X[:, stump.question.feature] <= stump.question.threshold
        up, down = (left & (y > 0)).sum(), (left & (y < 0)).sum()
        assert stump.votes[0, 0] == pytest.approx(math.log(up / down) / 2)
        values = []
        for feature, threshold in itertools.product(range(2), np.arange(-0.5, 5)):
            sides = X[:, feature] <= threshold
            values.append(
                2 * sum(math.sqrt((s & (y > 0)).sum() / 40 * ((s & (y < 0)).sum() / 40)) for s in (sides, ~sides))
            )
        assert float((np.abs(S) * np.exp(-np.sign(S) * outputs)).sum()) == pytest.approx(min(values))
        run = boosting.run_adaboost(boosting.StumpLearner(X, real_valued=True), y, 1)
        assert run.errors == pytest.approx((run.votes[:, 0] * y <= 0).mean())


class TestSamme:
    @pytest.mark.parametrize("n_classes", [2, 3, 10])
    def test_scikit_learn_chooses_the_same_stumps(self, n_classes):
        X, y = load_digits(n_class=n_classes, return_X_y=True)
        # Other values than whole ones, so that no two stumps are equally good.
        X = X + np.random.default_rng(0).random(X.shape).astype(np.float32)
        X = X.astype(np.float32).astype(float)
        peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=15, random_state=0).fit(X, y)
        run = run_samme(X, y, n_classes, 15)
        trees = [model.tree_ for model in peer.estimators_]
        assert run.features.tolist() == [tree.feature[0] for tree in trees]
        assert run.thresholds == pytest.approx([tree.threshold[0] for tree in trees], rel=1e-6)
        assert run.steps == pytest.approx(peer.estimator_weights_)

    def test_it_ends_at_a_stump_without_error_and_at_a_guess(self):
        assert run_samme([[0.0], [1.0]], [0, 1], 2, 5).errors.tolist() == [0.0]
        X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        assert run_samme(X, [0, 1, 1, 0], 2, 5).n_rounds == 0
        assert run_samme([[1.0], [1.0], [1.0]], [0, 0, 1], 2, 3).n_rounds == 0


@parametrize_with_checks(
    [
        boosting.AdaBoost(n_estimators=10),
        boosting.AdaBoost("real stump", 5),
        boosting.AdaBoost(LogisticRegression(), 3),
    ],
    expected_failed_checks=lambda estimator: OF_EXACT_STUMPS if estimator.estimator == "stump" else {},
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


class Recorder(DecisionTreeClassifier):
    """A tree that keeps the weights that it was trained with."""

    def fit(self, X, y, sample_weight=None):
        self.weights_ = sample_weight
        return super().fit(X, y, sample_weight=sample_weight)


class TestEstimator:
    @pytest.mark.parametrize("weak", ["stump", "real stump", DecisionTreeClassifier(max_depth=2)])
    def test_it_learns_and_keeps_its_promise(self, cancer, weak):
        X, y = cancer
        model = boosting.AdaBoost(weak, 60, random_state=0).fit(X[::2], y[::2])
        assert model.score(X[1::2], y[1::2]) > 0.94
        assert 1 - model.score(X[::2], y[::2]) <= model.training_error_bound_

    def test_stages_end_at_the_prediction(self, cancer):
        X, y = cancer
        model = boosting.AdaBoost(n_estimators=12).fit(X, y)
        stages, scores = list(model.staged_predict(X)), list(model.staged_decision_function(X))
        assert len(stages) == len(scores) == model.n_iter_ == 12
        assert (stages[-1] == model.predict(X)).all()
        assert scores[-1] == pytest.approx(model.decision_function(X))
        assert list(model.staged_score(X, y))[-1] == model.score(X, y)

    def test_missing_values_and_categories(self, cancer):
        X, y = cancer
        rng = np.random.default_rng(0)
        holes = np.where(rng.random(X.shape) < 0.2, np.nan, X)
        assert boosting.AdaBoost(n_estimators=50).fit(holes[::2], y[::2]).score(holes[1::2], y[1::2]) > 0.9
        with pytest.raises(ValueError, match="AdaBoost does not accept missing values"):
            boosting.AdaBoost(DecisionTreeClassifier(max_depth=1)).fit(holes, y)
        X = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        for features in ([1], [False, True]):
            assert (
                boosting.AdaBoost(n_estimators=1, categorical_features=features).fit(X, [0, 1, 0]).ending_ == "perfect"
            )
        assert boosting.AdaBoost(n_estimators=1).fit(X, [0, 1, 0]).ending_ == "rounds"

    def test_a_column_of_one_sign_has_that_sign_and_one_without_weight_says_yes(self):
        learner = ClassifierLearner(LogisticRegression(), np.arange(3.0)[:, None])
        found, outputs = learner.learn(np.array([[-0.2, 0.0], [-0.5, 0.0], [0.0, 0.0]]))
        assert found.estimators == (-1, 1)
        assert outputs.tolist() == [[-1, 1]] * 3

    @pytest.mark.parametrize(("total", "given"), [(None, [1.8, 1.2]), (10.0, [6.0, 4.0])])
    def test_a_classifier_gets_weights_of_the_given_sum(self, total, given):
        learner = ClassifierLearner(Recorder(), np.arange(3.0)[:, None], total=total)
        found, _ = learner.learn(np.array([[0.3], [-0.2], [0.0]]))
        assert found.estimators[0].weights_ == pytest.approx(given)


def test_exact_weights_have_an_edge_where_it_is_no_more_than_rounding():
    hair = Fraction(1, 10**13)
    pool, weights = FinitePool(np.array([[1, -1]])), np.array([Fraction(1, 2) + hair, Fraction(1, 2) - hair])
    assert boosting.run_adaboost(pool, np.array([1, 1]), 1, weights=weights).errors.tolist() == [Fraction(1, 2) - hair]
    assert boosting.run_adaboost(pool, np.array([1, 1]), 1, weights=weights.astype(float)).ending == "useless"
