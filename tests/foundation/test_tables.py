"""Tables: one for results and verdicts alike."""

import pytest

from mcbook.foundation.pages import table

WIDE = (("what", "how long", "how good"), ("the first thing of all & what follows", "very long", "very good"))


def test_a_table_as_text_and_as_html():
    found = table("times < 1", ("what", "s"), [("a & b", 0.12345), ("c", 2)])
    assert repr(found) == "times < 1\n what      s\na & b  0.123\n    c      2"
    assert found._repr_html_() == (
        '<table class="mcbook-table"><caption>times &lt; 1</caption>'
        '<thead><tr><th scope="col">what</th><th scope="col">s</th></tr></thead>'
        "<tbody><tr><td>a &amp; b</td><td>0.123</td></tr><tr><td>c</td><td>2</td></tr></tbody></table>"
    )


def test_a_small_wide_table_turns_into_cards():
    found = table("wide", WIDE[0], [WIDE[1]])._repr_html_()
    assert '<table class="mcbook-table book-cards" role="table">' in found
    assert '<th scope="col" role="columnheader">how long</th>' in found
    assert '<tr role="row"><td role="cell" data-label="what">the first thing of all &amp; what follows</td>' in found
    assert table("wide", WIDE[0], [WIDE[1]] * 12).as_cards
    assert not table("wide and long", WIDE[0], [WIDE[1]] * 13).as_cards
    assert not table("two columns", WIDE[0][:2], [WIDE[1][:2]]).as_cards
    assert not table("narrow", ("a", "b", "c"), [(1, 2, 3)]).as_cards


def test_rows_and_the_cells_of_one_column_may_have_a_class():
    head, rows = ("part", "verdict"), [("check", "holds"), ("holds", "refuted")]
    marks = {"style": "mcbook-verdict", "row_classes": ("", "control"), "marked": "verdict"}
    found = table("claims", head, rows, **marks)._repr_html_()
    assert found.startswith('<table class="mcbook-verdict">')
    assert '<tr><td>check</td><td class="holds">holds</td></tr>' in found
    assert '<tr class="control"><td>holds</td><td class="refuted">refuted</td></tr>' in found
    with pytest.raises(ValueError, match="zip"):
        table("", ("a",), [("1",), ("2",)], row_classes=("x",))._repr_html_()
