"""Structured margins: formulas, runs, estimators."""

import mcbook.structured_margins


def test_the_module_says_what_it_is_about():
    assert mcbook.structured_margins.__doc__
