"""Constraint classification: formulas, runs, estimators."""

import mcbook.constraint_classification


def test_the_module_says_what_it_is_about():
    assert mcbook.constraint_classification.__doc__
