"""The directive ``mutants``: how many small errors put into the package on purpose its claims and tests notice.

Nothing is tried when the page is built: the numbers are those that ``make mutants RECORD=1`` left in
``results/mutants.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from mcbook_html import element
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PLACE = "results/mutants.json"
# What the parts of the record are called on the page.
PARTS = {
    "theory": "formulas of the theory",
    "kernels": "compiled kernels",
    "spine": "what puts claims on trial, and proofs",
    "claims": "checks and controls of the claims",
    "estimators": "algorithms and estimators",
}
COLUMNS = ("Part of the package", "Errors tried", "Noticed", "Share", "Aim")


class MutantsDirective(SphinxDirective):
    """A table with a row for each part."""

    def run(self) -> list[nodes.Node]:
        file = Path(self.env.srcdir) / PLACE
        self.env.note_dependency(str(file))
        head = element("tr", *(element("th", column, scope="col") for column in COLUMNS))
        rows = [
            element("tr", element("th", cells[0], scope="row"), *(element("td", cell) for cell in cells[1:]))
            for cells in rows_of(json.loads(file.read_text(encoding="utf-8")))
        ]
        table = element("table", element("thead", head), element("tbody", *rows), classes=["book-mutants"])
        return [table]


def rows_of(record: dict[str, Any]) -> list[tuple[str, ...]]:
    """The cells of each row."""
    return [
        (
            PARTS[part],
            f"{found['mutants']}",
            f"{found['noticed']}",
            f"{found['noticed'] / found['mutants']:.1%}",
            f"{found['target']:.0%}",
        )
        for part, found in record["parts"].items()
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("mcbook_html")
    app.add_directive("mutants", MutantsDirective)
    return {"parallel_read_safe": True}
