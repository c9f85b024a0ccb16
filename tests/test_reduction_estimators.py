"""Tables with named columns and pickled copies: what the estimators of the reductions make of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from mcbook import KnockOut, OutputCode, SquaredHingeClassifier

pandas = pytest.importorskip("pandas")

ESTIMATORS = [
    OutputCode(RidgeClassifier(), "complete", "square"),
    OutputCode(SquaredHingeClassifier(), "all-pairs"),
    OutputCode(LogisticRegression(), "sparse", "logistic", random_state=3),
    OutputCode(RidgeClassifier(), "hadamard", "hinge", column_as_feature=True),
    KnockOut(RidgeClassifier()),
]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: f"{type(one).__name__} {one}"[:60])


def irises():
    """As a table with named columns, as an array, and with words for labels."""
    table, labels = load_iris(return_X_y=True, as_frame=True)
    return table, table.to_numpy(), np.array(["setosa", "versicolor", "virginica"])[labels]


@every_estimator
def test_a_table_is_the_array_with_names(estimator):
    table, X, names = irises()
    fitted = estimator.fit(table, names)
    assert fitted.feature_names_in_.tolist() == table.columns.tolist()
    assert fitted.n_features_in_ == 4
    predicted = fitted.predict(table)
    assert (predicted == estimator.fit(X, names).predict(X)).all()
    assert set(predicted) <= set(names)


@every_estimator
def test_labels_may_come_as_a_column_of_categories(estimator):
    table, X, names = irises()
    column = pandas.Series(names, dtype="category", name="species")
    assert (estimator.fit(table, column).predict(table) == estimator.fit(X, names).predict(X)).all()


@every_estimator
def test_other_columns_or_another_order_are_refused(estimator):
    table, _, names = irises()
    fitted = estimator.fit(table, names)
    with pytest.raises(ValueError, match=r"[Ff]eature names"):
        fitted.predict(table[table.columns[::-1]])
    with pytest.raises(ValueError, match=r"[Ff]eature names|features"):
        fitted.predict(table.iloc[:, :3])
    with pytest.warns(UserWarning, match="feature names"):
        fitted.predict(table.to_numpy())


@every_estimator
def test_a_pickled_copy_predicts_the_same(estimator):
    _, X, names = irises()
    fitted = estimator.fit(X, names)
    copied = pickle.loads(pickle.dumps(fitted))
    assert (copied.predict(X) == fitted.predict(X)).all()
    assert copied.get_params().keys() == fitted.get_params().keys()
    assert (copied.classes_ == fitted.classes_).all()
    for name in ("outputs", "decision_function"):
        if hasattr(fitted, name):
            assert (getattr(copied, name)(X) == getattr(fitted, name)(X)).all()


@every_estimator
def test_an_unfitted_copy_can_be_pickled_and_fitted(estimator):
    _, X, names = irises()
    blank = pickle.loads(pickle.dumps(estimator.__sklearn_clone__()))
    assert (blank.fit(X, names).predict(X) == estimator.fit(X, names).predict(X)).all()
