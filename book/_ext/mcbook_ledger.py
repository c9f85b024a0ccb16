"""The directive ``ledger``: every result of the book, with its state and what its trial found.

Nothing is tried when the page is built: the findings are those that the suite holds to, in ``results/claims.json``.
``book/_static/ledger.js`` adds the controls that filter and sort; without scripts the table stands there as a whole.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from mcbook_api import FOLDER, places
from mcbook_html import chapter_name, element, fold
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import mcbook
from mcbook.claims import coverage
from mcbook.claims.spine.book import BookText, read_book
from mcbook.claims.spine.claim import Claim
from mcbook.claims.spine.coverage import Covered, summary
from mcbook.claims.spine.record import PLACE, read_records
from mcbook.foundation.proof import Tier

COLUMNS = ("Result", "Tier", "Tightest case", "Controls refuted", "Tried by")
# Where a host shows a file of a repository; of other hosts it is not known, and the path is named without a link.
SOURCE_PAGES = {"github.com": "blob/HEAD", "gitlab.com": "-/blob/HEAD"}


class LedgerDirective(SphinxDirective):
    """A table in the order of the book."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        self.depend_on(root)
        self.records = read_records(root)
        book = read_book(root / "book")
        self.chapters = book.chapters
        states = coverage(book)
        listed = in_book_order(states, book)
        self.titles = {label: statement.title for label, statement in book.statements.items()}
        groups = [self.group(chapter, mine) for chapter, mine in listed.items()]
        head = element("tr", *(element("th", column, scope="col") for column in COLUMNS))
        table = element("table", element("thead", head), *groups, classes=["book-ledger"])
        table.children.insert(0, element("caption", f"{summary(states).capitalize()}."))
        return [table]

    def group(self, chapter: str, states: list[Covered]) -> nodes.Node:
        done = sum(state.done for state in states)
        heading = element(
            "th", chapter_name("", page=f"book/{chapter}"), f": {done} of {len(states)}", scope="rowgroup", colspan="5"
        )
        rows = [self.row(state) for state in states]
        name = chapter.replace("_", "-")
        return element("tbody", element("tr", heading, classes=["is-chapter"]), *rows, ids=[f"ledger-{name}"])

    def row(self, state: Covered) -> nodes.Node:
        record = self.records.get(state.claim.label)
        cells = [self.result(state), *findings(record, state), self.tried_by(state.claim)]
        labelled = zip(COLUMNS, cells, strict=True)
        return element(
            "tr",
            *(element("td", cell, data_label=column) for column, cell in labelled),
            **sorted_by(record, state.claim),
        )

    def result(self, state: Covered) -> nodes.Node:
        """Its number, which leads to the statement and shows it to the pointer, its title, and where it comes from."""
        claim = state.claim
        known = state.steps["statement"]
        stated = self.inline(f"{{prf:ref}}`{claim.label}`") if known else [nodes.Text(f"Not yet stated: {claim.label}")]
        title = self.inline(self.titles.get(claim.label, ""))
        lacks = [] if state.done else [nodes.strong(text=f" lacks: {', '.join(state.lacking)}")]
        sources = ", ".join(f"{{cite}}`{key}`" for key in claim.source)
        place = f" ({claim.where})" if claim.where else ""
        return element(
            "div",
            element("p", *stated, nodes.Text(" "), nodes.strong("", "", *title), *lacks),
            element("p", *self.inline(f"{claim.kind} · {sources}{place}"), classes=["is-source"]),
        )

    def tried_by(self, claim: Claim) -> nodes.Node:
        """The file of the claim and its functions; linked where the repository has an address."""
        functions = list(functions_of(claim))
        lines = [
            element("li", f"{role}: ", self.source(path, line, name), *self.reference(role, name, claim))
            for role, name, path, line in functions
        ]
        path = functions[0][2]
        inside = element("div", element("code", path), element("ul", *lines))
        return fold("book-fold", [element("code", path.rpartition("/")[2])], inside)

    def reference(self, role: str, name: str, claim: Claim) -> list[nodes.Node]:
        """Where the reference describes a function on trial."""
        place = places(tuple(self.chapters)).get(name) if role == "on trial" else None
        if not place or not any(written(one).__name__ == name for one in claim.implements):
            return []
        address = self.env.app.builder.get_relative_uri(self.env.docname, f"{FOLDER}/{place[0]}")
        link = nodes.reference("", "", nodes.Text("reference"), refuri=f"{address}#{place[1]}", internal=True)
        return [nodes.Text(" ("), link, nodes.Text(")")]

    def source(self, path: str, line: int, name: str) -> nodes.Node:
        address = source_page(self.config.mcbook_repository, path, line)
        code = element("code", name)
        return nodes.reference("", "", code, refuri=address, internal=False) if address else code

    def inline(self, text: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(text, self.lineno)
        return [*found, *messages]

    def depend_on(self, root: Path) -> None:
        """The page is built again when a notebook, the record of the trials or a claim changes."""
        data = Path(mcbook.__file__).parent / "claims"
        for path in (*root.glob("book/*.ipynb"), root / PLACE, *data.rglob("*.py")):
            self.env.note_dependency(str(path))


def in_book_order(states: list[Covered], book: BookText) -> dict[str, list[Covered]]:
    """The claims of the chapters in the table of contents, those that are done first and as the pages have them."""
    place = {label: number for number, label in enumerate(book.statements)}
    found = {chapter: [state for state in states if state.claim.chapter == chapter] for chapter in book.chapters}
    for mine in found.values():
        mine.sort(key=lambda state: (not state.done, place.get(state.claim.label, len(place))))
    return {chapter: mine for chapter, mine in found.items() if mine}


def findings(record: dict[str, Any] | None, state: Covered) -> Iterator[nodes.Node]:
    """Tier, tightest case and controls of the recorded trial."""
    if record is None:
        yield from (nodes.Text("not tried"), nodes.Text("–"), nodes.Text("–"))
        return
    asked = state.claim.tier.word
    yield nodes.Text(record["tier"] if record["tier"] == asked else f"{record['tier']} (asked for: {asked})")
    yield nodes.Text(tightest(record, state.claim))
    yield nodes.Text(f"{n_controls(state.claim)}" if n_controls(state.claim) else "none, with a reason")


def sorted_by(record: dict[str, Any] | None, claim: Claim) -> dict[str, str]:
    """What the script sorts and filters by."""
    if record is None:
        return {}
    tier = record["tier"]
    return {
        "data_tier": tier,
        "data_rank": str(int(Tier.of(tier))),
        "data_controls": str(n_controls(claim)),
        "data_tightest": str(record["tightness"] or int(bool(claim.extremals))),
    }


def tightest(record: dict[str, Any], claim: Claim) -> str:
    """What share of its bound the statement reaches on an extremal instance."""
    percent = record["tightness"]
    if percent is None:
        return "worked out" if claim.extremals else "–"
    return "equality" if percent == 100 else f"{percent} %"


def n_controls(claim: Claim) -> int:
    return len(claim.controls) + len(claim.strengthenings)


def functions_of(claim: Claim) -> Iterator[tuple[str, str, str, int]]:
    """Role, name, path in the checkout and line of each function that puts the claim on trial."""
    strengthened = [function for _, function in claim.strengthenings.values()]
    roles: dict[str, list[Callable[..., Any]]] = {
        "check": [*claim.checks.values()],
        "extremal": [*claim.extremals.values()],
        "trace": [*claim.traces.values()],
        "control": [*claim.controls.values(), *strengthened],
        "on trial": [written(one) for one in claim.implements],
    }
    root = Path(mcbook.__file__).resolve().parent.parent
    for role, functions in roles.items():
        for function in functions:
            file = Path(inspect.getsourcefile(function) or "").resolve()
            if file.is_relative_to(root):
                line = inspect.getsourcelines(function)[1]
                yield role, function.__name__, file.relative_to(root).as_posix(), line


def written(one: Any) -> Callable[..., Any]:
    """What stands in a file: of a compiled function its Python, of an object its class."""
    function = inspect.unwrap(getattr(one, "py_func", one))
    return function if inspect.isfunction(function) or inspect.isclass(function) else type(function)


def source_page(repository: str, path: str, line: int) -> str:
    """The address at which the repository's host shows the line, or '' where there is none or it is not known."""
    page = SOURCE_PAGES.get(urlsplit(repository).hostname or "")
    return f"{repository}/{page}/{path}#L{line}" if page else ""


def load_script(app: Sphinx, pagename: str, *rest: Any) -> None:
    """No other page filters a ledger."""
    if pagename == "book/ledger":
        app.add_js_file("ledger.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("ledger", LedgerDirective)
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
