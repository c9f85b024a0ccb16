"""Weak learning: formulas, runs, estimators."""

import mcbook.weak_learning


def test_the_module_says_what_it_is_about():
    assert mcbook.weak_learning.__doc__
