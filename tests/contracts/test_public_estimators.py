"""What users of scikit-learn may expect of every classifier of the book, tried on each that is public."""

import inspect
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import RidgeClassifier
from sklearn.utils import get_tags

import mcbook

pandas = pytest.importorskip("pandas")

PUBLIC = [getattr(mcbook, name) for name in mcbook.__all__]
ESTIMATORS = [one for one in PUBLIC if inspect.isclass(one) and issubclass(one, BaseEstimator)]
CLASSIFIERS = [one for one in ESTIMATORS if issubclass(one, ClassifierMixin)]


def made(kind):
    parameters = inspect.signature(kind).parameters
    settings = {"random_state": 0} if "random_state" in parameters else {}
    if "estimator" in parameters and parameters["estimator"].default is inspect.Parameter.empty:
        settings["estimator"] = RidgeClassifier()
    return kind(**settings)


MODELS = [made(kind) for kind in CLASSIFIERS]
every_classifier = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


def sample(model):
    """Three trees, or two where the classifier knows no more, told apart by the largest of four features."""
    rng = np.random.default_rng(8)
    k = 3 if get_tags(model).classifier_tags.multi_class else 2
    y = rng.integers(0, k, 60)
    X = np.round(rng.normal(size=(60, 4)), 2) + 2 * np.eye(4)[y]
    return X.astype(np.float32).astype(float), np.array(["oak", "elm", "ash"])[y]


def test_all_of_them_are_here_and_have_an_example():
    assert len(CLASSIFIERS) >= 15
    assert [kind for kind in CLASSIFIERS if ">>> " not in kind.__doc__] == []


@every_classifier
def test_words_are_labels_and_nothing_is_predicted_before_fit(model):
    X, y = sample(model)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    predicted = clone(model).fit(X, y).predict(X)
    assert set(predicted) <= set(y)
    assert (predicted == y).mean() > 0.7
    assert (clone(model).fit(X.tolist(), y.astype(object)).predict(X) == predicted).all()


@every_classifier
def test_float32_is_computed_in_float64(model):
    X, y = sample(model)
    wanted, fitted = clone(model).fit(X, y), clone(model).fit(X.astype(np.float32), y)
    assert (fitted.predict(X.astype(np.float32)) == wanted.predict(X)).all()
    arrays = [value for name, value in vars(fitted).items() if name.endswith("_") and isinstance(value, np.ndarray)]
    assert not any(array.dtype == np.float32 for array in arrays)


@every_classifier
def test_sparse_examples_are_learnt_from_or_refused_in_words(model):
    X, y = sample(model)
    X = np.where(X > 0.5, X, 0)
    for kind in (sp.csr_matrix, sp.csc_array):
        if get_tags(model).input_tags.sparse:
            assert (clone(model).fit(kind(X), y).predict(kind(X)) == clone(model).fit(X, y).predict(X)).mean() >= 0.98
        else:
            with pytest.raises(TypeError, match=r"dense data is required. Use '.toarray\(\)'"):
                clone(model).fit(kind(X), y)


@every_classifier
def test_examples_without_weight_are_not_there(model):
    X, y = sample(model)
    weight = (np.arange(60) >= 15).astype(float)
    weighted, shorter = clone(model).fit(X, y, sample_weight=weight), clone(model).fit(X[15:], y[15:])
    assert (weighted.predict(X) == shorter.predict(X)).mean() > 0.9
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        clone(model).fit(X, y, sample_weight=-weight)


@every_classifier
def test_classes_may_have_weights(model):
    X, y = sample(model)
    plain, ones = clone(model).fit(X, y), clone(model).set_params(class_weight=dict.fromkeys(y, 1.0)).fit(X, y)
    assert (ones.predict(X) == plain.predict(X)).all()
    heavy = clone(model).set_params(class_weight={"oak": 1000.0, **dict.fromkeys(set(y) - {"oak"}, 1.0)}).fit(X, y)
    assert (heavy.predict(X)[y == "oak"] == "oak").mean() >= (plain.predict(X)[y == "oak"] == "oak").mean()
    assert clone(model).set_params(class_weight="balanced").fit(X, y).score(X, y) > 0.6
    for factor in (-3.0, np.inf, np.nan):
        refused = clone(model).set_params(class_weight={"oak": factor})
        with pytest.raises(ValueError, match=r"expected class_weight to be finite numbers >= 0.* the class 'oak'"):
            refused.fit(X, y)


@every_classifier
def test_probabilities_are_given_or_the_reason_why_not(model):
    X, y = sample(model)
    fitted = clone(model).fit(X, y)
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(X)
        assert P.shape == (60, len(fitted.classes_))
        np.testing.assert_allclose(P.sum(axis=1), 1)
    else:
        with pytest.raises(AttributeError, match=f"{type(model).__name__} has no predict_proba: .*(probabilit|scores)"):
            fitted.predict_proba(X)


@every_classifier
def test_tables_have_names_and_other_names_are_refused(model):
    X, y = sample(model)
    table = pandas.DataFrame(X, columns=["bark", "leaf", "twig", "root"])
    fitted = clone(model).fit(table, pandas.Series(y, name="tree"))
    assert fitted.feature_names_in_.tolist() == table.columns.tolist()
    assert (fitted.predict(table) == clone(model).fit(X, y).predict(X)).all()
    for other in (table[table.columns[::-1]], table.iloc[:, :3]):
        with pytest.raises(ValueError, match=r"[Ff]eature names|features"):
            fitted.predict(other)


@every_classifier
def test_copies_on_disk_examples_that_may_only_be_read_and_routed_weights(model):
    X, y = sample(model)
    fixed = X.copy()
    fixed.flags.writeable = False
    fitted = clone(model).fit(fixed, y)
    assert (pickle.loads(pickle.dumps(fitted)).predict(fixed) == clone(model).fit(X, y).predict(X)).all()
    with sklearn.config_context(enable_metadata_routing=True):
        routing = clone(model).get_metadata_routing()
    assert "sample_weight" in str(routing) or hasattr(model, "estimator")
