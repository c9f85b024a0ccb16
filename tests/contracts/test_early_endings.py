"""Every estimator that ends before it is done says so, at the line that asked it to learn."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from mcbook.boosting import AdaBoost
from mcbook.boosting_many_labels import AdaBoostMH, AdaBoostMR
from mcbook.constraint_classification import ConstraintClassifier
from mcbook.output_code_margins import AdaBoostMO
from mcbook.perceptron import MulticlassPerceptron
from mcbook.structured import ChainCRF, StructuredPerceptron
from mcbook.structured_margins import MaxMarginMarkovNetwork, StructSVM
from mcbook.svm_solvers import MulticlassSVM
from mcbook.svm_solvers.estimator.squared_hinge import SquaredHingeClassifier

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(30, 2)), RNG.integers(0, 3, 30)
SEQUENCES, LABELS = [RNG.normal(size=(6, 2)) for _ in range(9)], [RNG.integers(0, 3, 6) for _ in range(9)]


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (MulticlassPerceptron(average=False, max_iter=2), (X, Y)),
        (ConstraintClassifier(average=False, max_iter=2), (X, Y)),
        (ConstraintClassifier(method="svm", max_iter=1, tol=1e-12), (X, Y)),
        (MulticlassSVM(max_iter=1, tol=1e-12), (X, Y)),
        (SquaredHingeClassifier(C=1000, max_iter=1, tol=1e-12), (X, X[:, 0] > 0)),
        (AdaBoost(), (np.zeros((4, 1)), [0, 1, 0, 1])),
        (AdaBoostMH(), (np.zeros((3, 1)), [0, 1, 2])),
        (AdaBoostMR(), (np.zeros((3, 1)), [0, 1, 2])),
        (AdaBoostMO(code=[[-1], [1]]), (np.zeros((4, 1)), [0, 0, 1, 1])),
        (StructuredPerceptron(average=False, max_iter=2), (SEQUENCES, LABELS)),
        (ChainCRF(max_iter=1, tol=1e-12), (SEQUENCES, LABELS)),
        (MaxMarginMarkovNetwork(max_iter=1, tol=1e-12), (SEQUENCES, LABELS)),
        (StructSVM(max_iter=1, tol=1e-12), (SEQUENCES, LABELS)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_early_end_is_told_where_it_was_asked_for(model, data):
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(*data)
    assert {one.filename for one in caught if one.category is ConvergenceWarning} == {__file__}
