"""The directive ``notation``: one section of the book's table of symbols, from the data that the tests read as well."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mcbook.claims.spine.formulas.notation import FILE, Row, read_notation


class NotationDirective(SphinxDirective):
    """The symbols of one section, with their meanings and their names in the code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir) / "book"
        self.env.note_dependency(str(book / FILE))
        rows = [row for row in read_notation(book).rows if row.section == self.arguments[0]]
        if not rows:
            raise self.error(f"{FILE} has no row in the section {self.arguments[0]!r}")
        holder = nodes.Element()
        self.state.nested_parse(StringList(table_lines(rows), source=self.env.docname), 0, holder)
        return holder.children


def table_lines(rows: list[Row]) -> list[str]:
    lines = [f"| {row.symbol} | {row.meaning} | {row.code} |" for row in rows]
    return ["| Symbol | Meaning | In the code |", "|---|---|---|", *lines]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("notation", NotationDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
