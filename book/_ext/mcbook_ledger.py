"""The directive ``ledger``: every result of the sources, with its state in this book and what its trial found.

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
from mcbook_html import chapter_name, element
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import mcbook
from mcbook.claims import claims, coverage
from mcbook.claims.spine.book import BookText, read_book
from mcbook.claims.spine.claim import Claim, find_claim
from mcbook.claims.spine.coverage import Covered, summary
from mcbook.claims.spine.entries import Entry
from mcbook.claims.spine.record import PLACE, read_records
from mcbook.foundation.proof import Tier

COLUMNS = ("Result", "Tier", "Tightest case", "Controls refuted", "Tried by")
# Where a host shows a file of a repository; of other hosts it is not known, and the path is named without a link.
SOURCE_PAGES = {"github.com": "blob/HEAD", "gitlab.com": "-/blob/HEAD"}


class LedgerDirective(SphinxDirective):
    """A table in the order of the book; what is planned comes at the end, folded."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        self.depend_on(root)
        self.records = read_records(root)
        book = read_book(root / "book")
        states = coverage(book)
        listed = in_book_order(states, book)
        groups = [self.group(chapter, mine) for chapter, mine in listed.items()]
        head = element("tr", *(element("th", column, scope="col") for column in COLUMNS))
        table = element("table", element("thead", head), *groups, classes=["book-ledger"])
        table.children.insert(0, element("caption", f"{summary(states).capitalize()}."))
        planned = [state for state in states if state.entry.chapter not in book.chapters]
        return [table, *([self.plans(planned)] if planned else [])]

    def group(self, chapter: str, states: list[Covered]) -> nodes.Node:
        done = sum(state.done for state in states)
        heading = element(
            "th", chapter_name("", page=f"book/{chapter}"), f": {done} of {len(states)}", scope="rowgroup", colspan="5"
        )
        rows = [self.row(state) for state in states]
        name = chapter.replace("_", "-")
        return element("tbody", element("tr", heading, classes=["is-chapter"]), *rows, ids=[f"ledger-{name}"])

    def row(self, state: Covered) -> nodes.Node:
        entry, record = state.entry, self.records.get(state.entry.id)
        cells = [self.result(state), *findings(record, state), self.tried_by(claims().get(entry.id))]
        labelled = zip(COLUMNS, cells, strict=True)
        return element(
            "tr", *(element("td", cell, data_label=column) for column, cell in labelled), **sorted_by(record)
        )

    def result(self, state: Covered) -> nodes.Node:
        entry = state.entry
        known = state.steps["statement"]
        stated = self.inline(f"{{prf:ref}}`{entry.label}`") if known else [nodes.Text("Not yet stated")]
        lacks = [] if state.done else [nodes.strong(text=f" lacks: {', '.join(state.lacking)}")]
        sources = ", ".join(f"{{cite}}`{key}`" for key in entry.source)
        place = f" ({entry.where})" if entry.where else ""
        return element(
            "div",
            element("p", *stated, nodes.Text(" "), nodes.strong("", "", *self.inline(entry.title)), *lacks),
            element("p", *self.inline(entry.says)),
            element("p", *self.inline(f"{entry.kind} · {sources}{place} · `{entry.id}`"), classes=["is-source"]),
        )

    def tried_by(self, claim: Claim | None) -> nodes.Node:
        """The file of the claim and its functions; linked where the repository has an address."""
        if claim is None:
            return nodes.Text("nothing yet")
        functions = list(functions_of(claim))
        lines = [element("li", f"{role}: ", self.source(path, line, name)) for role, name, path, line in functions]
        path = functions[0][2]
        shown = element("summary", element("code", path.rpartition("/")[2]))
        inside = element("div", element("code", path), element("ul", *lines))
        return element("details", shown, inside, classes=["book-fold"])

    def source(self, path: str, line: int, name: str) -> nodes.Node:
        address = source_page(self.config.mcbook_repository, path, line)
        code = element("code", name)
        return nodes.reference("", "", code, refuri=address, internal=False) if address else code

    def plans(self, states: list[Covered]) -> nodes.Node:
        chapters = list(dict.fromkeys(state.entry.chapter for state in states))
        says = f"Planned: {len(states)} results of {len(chapters)} chapters that are not written yet"
        inside: list[nodes.Node] = []
        for chapter in chapters:
            mine = [state.entry for state in states if state.entry.chapter == chapter]
            heading = nodes.strong(text=f"{chapter.replace('_', ' ').capitalize()}: {len(mine)}")
            inside.append(nodes.paragraph("", "", heading))
            inside.append(nodes.bullet_list("", *map(self.plan, mine)))
        return element("details", element("summary", says), *inside, classes=["book-fold"], ids=["ledger-plans"])

    def plan(self, entry: Entry) -> nodes.list_item:
        title = nodes.strong("", "", *self.inline(entry.title))
        says = self.inline(f" (`{entry.id}`): {entry.says}")
        return nodes.list_item("", nodes.paragraph("", "", title, *says))

    def inline(self, text: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(text, self.lineno)
        return [*found, *messages]

    def depend_on(self, root: Path) -> None:
        """The page is built again when a notebook, the record of the trials or the ledger's data change."""
        data = Path(mcbook.__file__).parent / "claims"
        for path in (*root.glob("book/*.ipynb"), root / PLACE, *data.rglob("*.toml"), *data.rglob("*.py")):
            self.env.note_dependency(str(path))


def in_book_order(states: list[Covered], book: BookText) -> dict[str, list[Covered]]:
    """The entries of the chapters that stand, those that are done first and as the pages have them."""
    place = {label: number for number, label in enumerate(book.statements)}
    found = {chapter: [state for state in states if state.entry.chapter == chapter] for chapter in book.chapters}
    for mine in found.values():
        mine.sort(key=lambda state: (not state.done, place.get(state.entry.label, len(place))))
    return {chapter: mine for chapter, mine in found.items() if mine}


def findings(record: dict[str, Any] | None, state: Covered) -> Iterator[nodes.Node]:
    """Tier, tightest case and controls of the recorded trial."""
    if record is None:
        yield from (nodes.Text("not tried"), nodes.Text("–"), nodes.Text("–"))
        return
    asked = state.entry.tier.word
    yield nodes.Text(record["reached"] if record["reached"] == asked else f"{record['reached']} (asked for: {asked})")
    yield nodes.Text(("–", "worked out", "equality")[tightness(record)])
    factors = [part["by"] for part in record["parts"] if "by" in part]
    by = f", at the factor {' and '.join(factors)}" if factors else ""
    yield nodes.Text(f"{n_controls(record)}{by}" if n_controls(record) else "none, with a reason")


def sorted_by(record: dict[str, Any] | None) -> dict[str, str]:
    """What the script sorts and filters by."""
    if record is None:
        return {}
    tier = record["reached"]
    return {
        "data_tier": tier,
        "data_rank": str(int(Tier.of(tier))),
        "data_controls": str(n_controls(record)),
        "data_tightest": str(tightness(record)),
    }


def tightness(record: dict[str, Any]) -> int:
    """2 where the claim says that its extremal instance attains the statement, 1 where it has one, 0 elsewhere."""
    if find_claim(record["label"]).attained:
        return 2
    return int(any(part["role"] == "extremal" for part in record["parts"]))


def n_controls(record: dict[str, Any]) -> int:
    return sum(part["role"] == "control" for part in record["parts"])


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


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("mcbook_html")
    app.add_directive("ledger", LedgerDirective)
    app.add_js_file("ledger.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
