"""Tables: one for results and verdicts alike."""

from __future__ import annotations

import pytest

from mcbook.foundation.pages import table


def test_a_table_as_text_and_as_html():
    found = table("times < 1", ("what", "s"), [("a & b", 0.12345), ("c", 2)])
    assert repr(found) == "times < 1\n what      s\na & b  0.123\n    c      2"
    assert found._repr_html_() == (
        '<table class="mcbook-table"><caption>times &lt; 1</caption>'
        '<thead><tr><th scope="col">what</th><th scope="col">s</th></tr></thead>'
        "<tbody><tr><td>a &amp; b</td><td>0.123</td></tr><tr><td>c</td><td>2</td></tr></tbody></table>"
    )


def test_rows_and_the_cells_of_one_column_may_have_a_class():
    found = table(
        "claims",
        ("part", "verdict"),
        [("check", "holds"), ("holds", "refuted")],
        style="mcbook-verdict",
        row_classes=("", "control"),
        marked="verdict",
    )._repr_html_()
    assert found.startswith('<table class="mcbook-verdict">')
    assert '<tr><td>check</td><td class="holds">holds</td></tr>' in found
    assert '<tr class="control"><td>holds</td><td class="refuted">refuted</td></tr>' in found


def test_a_class_is_asked_for_every_row_or_none():
    with pytest.raises(ValueError, match="zip"):
        table("", ("a",), [("1",), ("2",)], row_classes=("x",))._repr_html_()
