"""Boosting many labels: formulas, runs, estimators."""

import mcbook.boosting_many_labels


def test_the_module_says_what_it_is_about():
    assert mcbook.boosting_many_labels.__doc__
