"""What the pages of the book need besides figures: sources of functions, small tables, recorded measurements."""

from __future__ import annotations

import html
import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from textwrap import dedent
from typing import Any

from mcbook.foundation.typesetting import inline_html

# As many rows are a small table, and as many letters go side by side on a phone.
CARDS = 12
PHONE_LETTERS = 40


@dataclass(frozen=True)
class Source:
    """The source of a function of the package, shown as code."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


def show_source(*functions: Callable[..., object]) -> Source:
    """The very lines that run, so that the page cannot show other code than the package has."""
    originals = (getattr(function, "py_func", function) for function in functions)
    return Source("\n\n".join(dedent(inspect.getsource(original)).rstrip() for original in originals))


@dataclass(frozen=True)
class Table:
    """A small table of results.

    ``style`` is the class of the table on the page, ``row_classes`` has one for each row, and the cells of the column
    ``marked`` have what they say for their class, as a verdict that the style sheet colours.  A small table that is too
    wide for a phone becomes cards there, one for each row, whose cells say which column they are.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    style: str = "mcbook-table"
    row_classes: tuple[str, ...] = ()
    marked: str = ""

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in (self.header, *self.rows)
        ]
        return "\n".join([self.caption, *lines])

    @property
    def as_cards(self) -> bool:
        """Whether rows are cards on a phone: few of them, and side by side its three or more columns would not fit."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        return len(widths) > 2 and len(self.rows) <= CARDS and sum(widths) + 3 * len(widths) > PHONE_LETTERS

    def _repr_html_(self) -> str:
        # Cells that are no longer laid out as a table would no longer be read as one.
        role = self._role
        head = "".join(f'<th scope="col"{role("columnheader")}>{html.escape(cell)}</th>' for cell in self.header)
        classes = self.row_classes or ("",) * len(self.rows)
        body = "".join(
            f"<tr{_class(of_row)}{role('row')}>" + "".join(map(self._html_cell, self.header, row)) + "</tr>"
            for of_row, row in zip(classes, self.rows, strict=True)
        )
        style = f"{self.style} book-cards" if self.as_cards else self.style
        return (
            f'<table class="{html.escape(style)}"{role("table")}><caption>{html.escape(self.caption)}</caption>'
            f"<thead{role('rowgroup')}><tr{role('row')}>{head}</tr></thead><tbody{role('rowgroup')}>{body}</tbody></table>"
        )

    def _html_cell(self, column: str, cell: str) -> str:
        label = f' data-label="{html.escape(column)}"' if self.as_cards else ""
        marked = _class(cell if column == self.marked else "")
        return f"<td{marked}{self._role('cell')}{label}>{inline_html(cell)}</td>"

    def _role(self, name: str) -> str:
        return f' role="{name}"' if self.as_cards else ""


def table(
    caption: str,
    header: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    style: str = "mcbook-table",
    row_classes: Iterable[str] = (),
    marked: str = "",
) -> Table:
    """Build a table; floats are shown with three digits, formulas between dollars set.  The rest is as in `Table`."""
    cells = tuple(tuple(map(_cell, row)) for row in rows)
    return Table(tuple(header), cells, caption, style, tuple(row_classes), marked)


def _class(name: str) -> str:
    return f' class="{html.escape(name)}"' if name else ""


def _cell(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def measured(name: str) -> Any:
    """A measurement of times that `make bench` recorded: a page cannot take it anew, as it differs in every run."""
    return json.loads((results_folder() / f"{name}.json").read_text(encoding="utf-8"))


def results_folder() -> Path:
    """The folder ``results`` of the checkout, or the copy that the installed package has where there is no checkout."""
    packaged = Path(str(resources.files("mcbook"))) / "results"
    try:
        recorded = checkout() / "results"
    except FileNotFoundError:
        if packaged.is_dir():
            return packaged
        raise
    return recorded if recorded.is_dir() or not packaged.is_dir() else packaged


def checkout() -> Path:
    """The folder of the project: the first at or above the working folder that has a table of contents."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "_toc.yml").is_file():
            return folder
    raise FileNotFoundError(
        f"expected to work inside a checkout of the book, where _toc.yml is; got {here}: change to it"
    )
