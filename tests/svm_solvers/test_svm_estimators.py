"""The support vector machines as estimators: weights, kinds of input, what is reported, and how two classes decide."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

import mcbook.svm_solvers.estimator.kernel as estimator
from mcbook.svm_solvers import KernelMulticlassSVM, LinearSVM, MulticlassSVM
from mcbook.svm_solvers.algorithm.kernel_solver import GramRows

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")

LINEAR = [MulticlassSVM(0.1, random_state=0), LinearSVM(0.1, random_state=0)]
ALL = [*LINEAR, KernelMulticlassSVM(0.1, kernel="linear", tol=1e-6, max_iter=100_000, random_state=0)]
every_svm = pytest.mark.parametrize("svm", ALL, ids=lambda svm: type(svm).__name__)


def sample(svm, names=("setosa", "versicolor", "virginica")):
    """Iris with names of classes; for the binary SVM its two harder ones."""
    X, y = load_iris(return_X_y=True)
    first = 50 if isinstance(svm, LinearSVM) else 0
    return X[first:], np.array(names)[y[first:]]


def kept_and_left_out(n_samples):
    weight = np.random.default_rng(0).uniform(0.5, 2, n_samples)
    weight[::5] = 0
    return weight, weight > 0


@every_svm
def test_class_weight_multiplies_sample_weight_of_every_svm(svm):
    X, y = sample(svm)
    weight, of_class = kept_and_left_out(len(y))[0], {"setosa": 2.0, "versicolor": 3.0, "virginica": 0.5}
    product = weight * np.array([of_class[label] for label in y])
    of_class = {label: of_class[label] for label in np.unique(y)}
    both = clone(svm).set_params(class_weight=of_class).fit(X, y, sample_weight=weight)
    assert both.primal_ == pytest.approx(clone(svm).fit(X, y, sample_weight=product).primal_, rel=2e-6)
    balanced = clone(svm).set_params(class_weight="balanced").fit(X, y, sample_weight=weight)
    assert balanced.primal_ == pytest.approx(clone(svm).fit(X, y, sample_weight=weight).primal_, rel=0.2)


def test_weight_0_leaves_out_rows_and_columns_of_a_gram_matrix():
    X, y = sample(ALL[2])
    weight, _ = kept_and_left_out(len(y))
    by_name = clone(ALL[2]).fit(X, y, sample_weight=weight)
    given = clone(ALL[2]).set_params(kernel="precomputed").fit(X @ X.T, y, sample_weight=weight)
    assert given.primal_ == pytest.approx(by_name.primal_, rel=2e-6)
    assert given.support_.max() > (weight > 0).sum()
    assert given.predict(X @ X.T).tolist() == by_name.predict(X).tolist()


@every_svm
def test_of_two_classes_the_second_less_the_first_decides(svm):
    X, y = sample(LINEAR[1])
    fitted = clone(svm).fit(X, y)
    if isinstance(svm, KernelMulticlassSVM):
        scores = X @ X[fitted.support_].T @ fitted.dual_coef_
    else:
        scores = X @ fitted.coef_.T + fitted.intercept_
    expected = scores[:, 0] if isinstance(svm, LinearSVM) else scores[:, 1] - scores[:, 0]
    np.testing.assert_allclose(fitted.decision_function(X), expected, rtol=1e-9, atol=1e-12)
    assert fitted.predict(X).tolist() == np.where(expected > 0, "virginica", "versicolor").tolist()


@every_svm
@pytest.mark.parametrize("two_classes", [True, False])
def test_among_equal_scores_the_first_class_is_predicted(svm, two_classes):
    X, y = sample(LINEAR[1] if two_classes else svm)
    fitted = clone(svm).set_params(**({} if isinstance(svm, KernelMulticlassSVM) else {"fit_intercept": False}))
    # Every score of the origin is 0.
    assert not fitted.fit(X, y).decision_function(np.zeros((1, 4))).any()
    assert fitted.predict(np.zeros((1, 4))).tolist() == [y[0]]


@every_svm
def test_the_gap_reported_is_that_of_both_values(svm):
    fitted = clone(svm).fit(*sample(svm))
    assert fitted.gap_ == (fitted.primal_ - fitted.dual_) / fitted.primal_ <= fitted.tol
    assert fitted.converged_


# Some checks set a small max_iter, and scikit-learn itself lets a classifier warn about that.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([MulticlassSVM(), LinearSVM(), KernelMulticlassSVM()])
def test_estimators_keep_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def test_flows_however_small_are_support():
    X, y = load_iris(return_X_y=True)
    svm = KernelMulticlassSVM(1e-7, kernel="linear").fit(X, y)
    assert len(svm.support_) > 100
    assert 0 < np.abs(svm.dual_coef_).max() <= 1.001e-7
    assert svm.predict(X).tolist() != [0] * len(y)


def test_kernels_agree_with_their_gram_matrix():
    X, y = load_iris(return_X_y=True)
    rbf = KernelMulticlassSVM(kernel="rbf", gamma=0.5, cache_size=0.02).fit(X, y)
    gram = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    precomputed = KernelMulticlassSVM(kernel="precomputed").fit(gram, y)
    assert rbf.primal_ == pytest.approx(precomputed.primal_, rel=3e-6)
    np.testing.assert_allclose(rbf.decision_function(X), precomputed.decision_function(gram), atol=0.02)
    assert rbf.score(X, y) > 0.96


def test_as_many_rows_are_kept_as_fit_into_the_megabytes(monkeypatch):
    X, y = load_iris(return_X_y=True)
    made = []
    monkeypatch.setattr(estimator, "GramRows", lambda *given: made.append(GramRows(*given)) or made[-1])
    row = 8 * len(X)
    for n_bytes in (8 * row, 8 * row - 1, 7 * row):
        KernelMulticlassSVM(kernel="rbf", cache_size=n_bytes / 2**20, tol=0.1).fit(X, y)
    assert [rows.kept.shape for rows in made] == [(8, len(X)), (7, len(X)), (7, len(X))]
    for capacity, kept in ((0, 1), (1, 1), (2, 2), (9, 3)):  # at least one and at most all
        assert GramRows(3, lambda examples: np.eye(3)[examples], np.ones(3), capacity).kept.shape == (kept, 3)


def test_features_that_do_not_vary_are_scaled_by_1():
    assert KernelMulticlassSVM(kernel="rbf").fit(np.ones((4, 2)), [0, 1, 0, 1]).gamma_ == 1


def test_too_many_or_too_few_classes_are_named():
    X, y = sample(ALL[0])
    with pytest.raises(ValueError, match="expected 2 classes, got 3"):
        LinearSVM().fit(X, y)
    with pytest.raises(ValueError, match="1 class only"):
        MulticlassSVM(class_weight={"setosa": 0, "versicolor": 1, "virginica": 0}).fit(X, y)


def test_one_number_serves_as_weight_of_all_examples():
    X, y = load_iris(return_X_y=True)
    for svm in (KernelMulticlassSVM(), MulticlassSVM()):
        scaled = clone(svm).set_params(C=2.0).fit(X, y)
        assert clone(svm).fit(X, y, sample_weight=2.0).primal_ == pytest.approx(scaled.primal_, rel=1e-6)
