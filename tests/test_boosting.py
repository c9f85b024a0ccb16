"""Boosting: formulas, runs, estimators."""

import mcbook.boosting


def test_the_module_says_what_it_is_about():
    assert mcbook.boosting.__doc__
