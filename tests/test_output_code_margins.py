"""Output code margins: formulas, runs, estimators."""

import mcbook.output_code_margins


def test_the_module_says_what_it_is_about():
    assert mcbook.output_code_margins.__doc__
