"""The estimator that joins a code and a learner: scikit-learn's contract and peers, weights, routing."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.one_vs_rest_and_pairs import KnockOut
from mcbook.output_codes import (
    OutputCode,
    decoding_distances,
)
from mcbook.svm_solvers import SquaredHingeClassifier

X_iris, y_iris = load_iris(return_X_y=True)
X_digits, y_digits = load_digits(return_X_y=True)


@parametrize_with_checks(
    [
        OutputCode(LogisticRegression()),
        OutputCode(LinearSVC(dual=False, tol=1e-12), "all-pairs", "hinge"),
        OutputCode(DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=0), "complete", ties="first"),
        OutputCode(
            DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=0), "all-pairs", column_as_feature=True
        ),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


class Shaped(RidgeClassifier):
    """A learner whose scores come in this shape."""

    def __init__(self, shape=(-1,), copies=1):
        super().__init__()
        self.shape, self.copies = shape, copies

    def decision_function(self, X):
        scores = super().decision_function(X).reshape(self.shape)
        return np.hstack([scores] * self.copies) if self.copies > 1 else scores


class Marked(RidgeClassifier):
    """A learner that wants more than weights."""

    def fit(self, X, y, sample_weight=None, marks=None):
        self.marks_ = marks
        return super().fit(X, y, sample_weight)


class TestEstimator:
    def test_outputs_of_probabilities_are_centred(self):
        model = OutputCode(GaussianNB(), "all-pairs").fit(X_iris, y_iris)
        pair = y_iris < 2
        probability = GaussianNB().fit(X_iris[pair], np.where(y_iris[pair] == 0, 1, -1)).predict_proba(X_iris)[:, 1]
        assert model.outputs(X_iris)[:, 0] == pytest.approx(2 * probability - 1)

    def test_one_vs_rest_is_that_of_scikit_learn(self):
        learner = LogisticRegression(max_iter=500)
        X, y = X_digits[:300], y_digits[:300]
        theirs, ours = OneVsRestClassifier(learner).fit(X, y), OutputCode(learner).fit(X, y)
        assert ours.outputs(X_digits) == pytest.approx(theirs.decision_function(X_digits))
        for decoder in ("hamming", "square", "logistic"):
            assert (ours.set_params(decoder=decoder).predict(X_digits) == theirs.predict(X_digits)).all()

    def test_all_pairs_are_those_of_scikit_learn(self):
        X, y = X_digits[::3], y_digits[::3]
        # Closed form, so that exchanging the two sides, as their convention does, changes nothing but the sign.
        learner = RidgeClassifier()
        theirs, ours = OneVsOneClassifier(learner).fit(X, y), OutputCode(learner, "all-pairs").fit(X, y)
        assert (ours.predict(X_digits) == theirs.predict(X_digits)).all()
        # A won duel costs nothing, a lost one 1, one of others 1/2; theirs adds less than 1/3 to the votes.
        votes = 9 + (45 - 9) / 2 - decoding_distances(ours.outputs(X_digits), ours.code_)
        assert (votes == np.round(theirs.decision_function(X_digits))).all()

    def test_single_call_learns_from_examples_that_stand_there_once_for_each_column(self):
        # Few of the last class, so that the columns differ.
        X, y = X_iris[:110], y_iris[:110]
        single = OutputCode(RidgeClassifier(), column_as_feature=True).fit(X, y)
        stacked = np.vstack([np.hstack([X, np.tile(unit, (len(X), 1))]) for unit in np.eye(3)])
        signs = np.concatenate([np.where(y == label, 1, -1) for label in range(3)])
        plain = RidgeClassifier().fit(stacked, signs)
        assert single.outputs(X).T.ravel() == pytest.approx(plain.decision_function(stacked))

    @pytest.mark.parametrize("code", ["one-vs-rest", "all-pairs", "complete", "hadamard", "dense", "sparse"])
    def test_every_named_code_learns_strings_as_labels(self, code):
        for k in (2, 3):
            X, y = X_digits[y_digits < k], np.array(["a", "b", "c"])[y_digits[y_digits < k]]
            model = OutputCode(RidgeClassifier(), code, random_state=0).fit(X, y)
            assert model.code_.shape[0] == k
            assert model.score(X, y) > 0.95
            assert model.decision_function(X).shape == ((len(X),) if k == 2 else (len(X), k))

    def test_of_two_classes_the_second_is_the_positive_side(self):
        X, y = X_iris[50:], np.array(["a", "b"])[y_iris[50:] - 1]
        model = OutputCode(RidgeClassifier(), "all-pairs").fit(X, y)
        bare = RidgeClassifier().fit(X, y)
        assert model.outputs(X)[:, 0] == pytest.approx(bare.decision_function(X))
        assert (np.sign(model.decision_function(X)) == np.sign(bare.decision_function(X))).all()
        assert (model.predict(X) == bare.predict(X)).all()

    def test_a_real_code_is_trained_by_signs_and_decoded_by_size(self):
        code = np.array([[0.5, 1.0], [-2.0, 0.25], [1.0, -1.0]])
        model = OutputCode(RidgeClassifier(), code, "square").fit(X_iris, y_iris)
        signs = OutputCode(RidgeClassifier(), np.sign(code), "square").fit(X_iris, y_iris)
        assert (model.outputs(X_iris) == signs.outputs(X_iris)).all()
        expected = ((1 - code[None] * model.outputs(X_iris)[:, None]) ** 2).sum(axis=2)
        assert model.decision_function(X_iris) == pytest.approx(-expected)

    @pytest.mark.parametrize(
        ("parameters", "says"),
        [
            ({"code": [[1, 1], [-1, -1]]}, "2 rows and there are 3 classes"),
            ({"code": np.ones((3, 2))}, "no negative entry"),
            ({"code": "one-vs-all"}, "one-vs-rest"),
            ({"decoder": "hing"}, "hing"),
            ({"ties": "coin"}, "margin"),
            ({"estimator": "svm"}, "fit"),
        ],
    )
    def test_bad_parameters_are_named(self, parameters, says):
        with pytest.raises(ValueError, match=says):
            OutputCode(RidgeClassifier()).set_params(**parameters).fit(X_iris, y_iris)

    def test_scores_for_both_classes_are_named(self):
        with pytest.raises(ValueError, match=r"one score for each.*Shaped.*\(150, 2\).*second class only"):
            OutputCode(Shaped((-1, 1), copies=2)).fit(X_iris, y_iris).predict(X_iris)


REDUCTIONS = [
    OutputCode(LogisticRegression(max_iter=5000, tol=1e-8), "all-pairs", "hinge"),
    OutputCode(LogisticRegression(max_iter=5000, tol=1e-8), "complete", "hinge", column_as_feature=True),
    OutputCode(SquaredHingeClassifier(tol=1e-12), "one-vs-rest", "hinge"),
    KnockOut(LogisticRegression(max_iter=5000, tol=1e-8)),
]


class TestWeights:
    @pytest.mark.parametrize("model", REDUCTIONS)
    def test_weights_of_classes_are_those_of_their_examples(self, model):
        by_class = clone(model).set_params(class_weight={0: 1, 1: 5, 2: 0.5}).fit(X_iris, y_iris)
        by_example = clone(model).fit(X_iris, y_iris, np.array([1, 5, 0.5])[y_iris])
        unweighted = clone(model).fit(X_iris, y_iris)
        for one, other, plain in zip(by_class.estimators_, by_example.estimators_, unweighted.estimators_, strict=True):
            assert (one.coef_ == other.coef_).all()
            assert (one.coef_ != plain.coef_).any()

    def test_a_class_without_weight_is_as_if_it_were_not_there(self):
        model = OutputCode(LogisticRegression()).fit(X_iris, y_iris, y_iris > 0)
        assert model.classes_.tolist() == [1, 2]
        with pytest.raises(ValueError, match="1 class only"):
            OutputCode(LogisticRegression()).fit(X_iris, y_iris, y_iris == 0)

    def test_an_estimator_without_weights_is_named(self):
        with pytest.raises(ValueError, match="takes sample_weight, got KNeighborsClassifier"):
            OutputCode(KNeighborsClassifier()).fit(X_iris, y_iris, np.ones(150))


class TestRouting:
    @pytest.mark.parametrize("make", [OutputCode, KnockOut])
    def test_what_the_estimator_asks_for_reaches_it(self, make):
        weight = np.random.default_rng(0).random(150)
        plain = make(LogisticRegression()).fit(X_iris, y_iris, sample_weight=weight)
        with config_context(enable_metadata_routing=True):
            asked = make(LogisticRegression().set_fit_request(sample_weight=True))
            routed = clone(asked).fit(X_iris, y_iris, sample_weight=weight)
            scores = cross_val_score(asked, X_iris, y_iris, params={"sample_weight": weight})
            with pytest.raises(UnsetMetadataPassedError):
                make(LogisticRegression()).fit(X_iris, y_iris, sample_weight=weight)
        assert (routed.predict(X_iris) == plain.predict(X_iris)).all()
        for one, other in zip(routed.estimators_, plain.estimators_, strict=True):
            assert (one.coef_ == other.coef_).all()
        assert len(scores) == 5

    def test_without_routing_nothing_else_is_taken(self):
        with pytest.raises(ValueError, match="marks"):
            OutputCode(Marked()).fit(X_iris, y_iris, marks=np.arange(150))
