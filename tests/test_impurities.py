"""Impurities: formulas, runs, estimators."""

import mcbook.impurities


def test_the_module_says_what_it_is_about():
    assert mcbook.impurities.__doc__
