"""Pruning: formulas, runs, estimators."""

import mcbook.pruning


def test_the_module_says_what_it_is_about():
    assert mcbook.pruning.__doc__
