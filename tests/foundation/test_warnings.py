"""Warnings are shown at the line of the user that asked for the fit, not at one of the package."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from mcbook import LinearSVM, MulticlassSVM


@pytest.mark.parametrize(("svm", "n_classes"), [(MulticlassSVM, 3), (LinearSVM, 2)])
def test_a_fit_that_stops_early_warns_at_the_line_that_asked_for_it(svm, n_classes):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, n_classes, 60)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 ") as found:
        svm(max_iter=1, tol=1e-12).fit(X, y)
    assert [warning.filename for warning in found] == [__file__]
