"""The front page: how long the chapters take to read, three routes through them, and the verdict of a theorem.

``{reading-times}`` and ``{routes}`` are filled in when all pages have been read, since the times are counted on them.
The timetables stand in ``book/routes.toml``; the third route follows from what the four main theorems use.
``{verdict}`` says what the recorded trial found.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docutils import nodes
from mcbook_explorers import explorer
from mcbook_html import element, html_fold
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import proof_node

from mcbook.claims.spine.book import BookText, listed_chapters, read_book
from mcbook.claims.spine.record import PLACE, read_records
from mcbook.claims.spine.uses import all_uses, direct_uses

ROUTES = Path("book") / "routes.toml"
# A first reading: words a minute, and seconds for what is not words.
WORDS_A_MINUTE = 100
SECONDS = {"formula": 20, "picture": 30, "explorer": 180}
# Pencil and paper: seconds for a sentence and for a displayed formula, in the text and in a proof.
SECONDS_TO_WORK = {"sentence": 15, "formula": 60, "sentence of a proof": 60, "formula of a proof": 120}
MINUTES_AN_EXERCISE = 12
_SENTENCE = re.compile(r"[^.?!]*\w[^.?!]*(?:[.?!](?=\s|$)|$)")


class when_all_is_read(nodes.Element):
    """A place that is filled when all pages have been read."""


@dataclass
class Reading:
    """What a page asks of its reader.

    ``words``, ``formulas``, ``pictures`` and ``explorers`` are those of the story without its proofs; ``to_work``
    counts sentences and formulas of all that can be read, by the names in ``SECONDS_TO_WORK``.
    """

    words: int = 0
    formulas: int = 0
    pictures: int = 0
    explorers: int = 0
    exercises: int = 0
    to_work: Counter[str] = field(default_factory=Counter)

    @property
    def minutes(self) -> float:
        """A first reading, proofs and folds skipped."""
        return self.words / WORDS_A_MINUTE + (SECONDS["formula"] * self.formulas + self._looking) / 60

    @property
    def minutes_to_work(self) -> float:
        """With pencil and paper, proofs and folds included."""
        return (sum(SECONDS_TO_WORK[kind] * number for kind, number in self.to_work.items()) + self._looking) / 60

    @property
    def work(self) -> float:
        """The minutes with pencil and paper, and with the exercises."""
        return self.minutes_to_work + MINUTES_AN_EXERCISE * self.exercises

    @property
    def _looking(self) -> float:
        return SECONDS["picture"] * self.pictures + SECONDS["explorer"] * self.explorers

    def __add__(self, other: Reading) -> Reading:
        return Reading(*(getattr(self, name) + getattr(other, name) for name in Reading.__annotations__))


def read_page(node: nodes.Node, reading: Reading, *, skipped: bool = False, proof: bool = False) -> Reading:
    """Count what stands on a page: no code and no solution; what a first reader skips counts as work alone."""
    where = " of a proof" if proof else ""
    if is_exercise_node(node):
        reading.exercises += 1
    elif isinstance(node, nodes.math_block):
        reading.formulas += not skipped
        reading.to_work["formula" + where] += 1
    elif isinstance(node, explorer):
        reading.explorers += 1
    elif isinstance(node, nodes.image):
        reading.pictures += not skipped
    elif not (isinstance(node, (nodes.literal_block, nodes.raw, nodes.comment)) or is_solution_node(node)):
        if isinstance(node, nodes.TextElement):
            text = "".join("x" if isinstance(one, nodes.math) else one.astext() for one in node.children)
            reading.words += 0 if skipped else len(text.split())
            reading.to_work["sentence" + where] += len(_SENTENCE.findall(text))
        else:
            inside = {"proof": proof or isinstance(node, proof_node)}
            inside["skipped"] = skipped or inside["proof"] or isinstance(node, html_fold)
            for child in node.children:
                read_page(child, reading, **inside)
    return reading


def in_words(minutes: float) -> str:
    """To five minutes: more would be pretended."""
    fives = max(5, 5 * round(minutes / 5))
    hours, rest = divmod(fives, 60)
    return f"{hours} h {rest} min" if hours and rest else f"{hours} h" if hours else f"{rest} min"


class Later(SphinxDirective):
    """Leaves a place that is filled when all pages have been read."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(Path(self.env.srcdir) / ROUTES))
        return [when_all_is_read("", what=self.name)]


class Routes(Later):
    """``{routes}``: the theorems of the shortest route are named here, so that Sphinx resolves their numbers."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        book, chosen = read_book(root / "book"), read_routes(root)
        listed = nodes.bullet_list()
        for label, rests_on in theorems(book, chosen).items():
            line = nodes.paragraph("", "", *self.shown(label), nodes.Text(f" ({book.statements[label].title})"))
            line += nodes.Text(", after " if rests_on else ", which needs no other")
            for place, used in enumerate(rests_on):
                line += [nodes.Text(", ")] if place else []
                line += self.shown(used)
            listed += nodes.list_item("", line)
        for path in root.glob("book/*.ipynb"):
            self.env.note_dependency(str(path))
        place = super().run()[0]
        place += listed
        return [place]

    def shown(self, label: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(f"{{prf:ref}}`{label}`", self.lineno)
        return [*found, *messages]


class VerdictDirective(SphinxDirective):
    """``{verdict} label``: the verdict that is recorded for a claim, in one line."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / PLACE))
        kept = read_records(root).get(self.arguments[0])
        if kept is None:
            raise self.error(f"nothing is recorded of {self.arguments[0]!r}: run `python -m mcbook verify --record`")
        link, messages = self.state.inline_text("✓ {doc}`on trial </book/ledger>`: ", self.lineno)
        said = nodes.Text(kept["found"])
        return [nodes.paragraph("", "", *link, *messages, said, classes=["book-verdict-line"])]


def read_routes(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / ROUTES).read_text(encoding="utf-8"))


def theorems(book: BookText, routes: dict[str, Any]) -> dict[str, list[str]]:
    """The main theorems that this book has, each with all that it rests on, in the order of the book."""
    uses = direct_uses(book)
    mine = [label for label in book.statements if label in routes["theorems"]]
    return {label: [one for one in book.statements if one in all_uses(uses, label)] for label in mine}


def fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    places = list(doctree.findall(when_all_is_read))
    if not places:
        return
    root = Path(app.srcdir)
    readings = {
        chapter: read_page(app.env.get_doctree(f"book/{chapter}"), Reading())
        for chapter in listed_chapters(root)
        if f"book/{chapter}" in app.env.found_docs
    }
    for place in places:
        made = times_table(app, docname, readings) if place["what"] == "reading-times" else []
        if place["what"] == "routes":
            made = three_routes(app, docname, readings, place.children)
        place.replace_self(made)


def times_table(app: Sphinx, docname: str, readings: dict[str, Reading]) -> list[nodes.Node]:
    if not readings:
        return []
    head = ("chapter", "first reading", "with pencil", "exercises")
    rows = [
        element("tr", element("th", named(app, docname, chapter), scope="row"), *cells(one))
        for chapter, one in readings.items()
    ]
    total = sum(readings.values(), Reading())
    rows.append(element("tr", element("th", "together", scope="row"), *cells(total), classes=["is-total"]))
    heads = element("thead", element("tr", *(element("th", word, scope="col") for word in head)))
    caption = element("caption", "How long the chapters take without their exercises")
    return [element("table", caption, heads, element("tbody", *rows), classes=["book-times"])]


def cells(one: Reading) -> list[nodes.Node]:
    shown = (in_words(one.minutes), in_words(one.minutes_to_work), str(one.exercises))
    return [element("td", word) for word in shown]


def named(app: Sphinx, docname: str, chapter: str) -> nodes.reference:
    """A link to a chapter, written out here because it is made after Sphinx has resolved the others."""
    page = f"book/{chapter}"
    number = app.env.toc_secnumbers.get(page, {}).get("") or ()
    start = [nodes.Text(f"{'.'.join(map(str, number))}. ")] if number else []
    title = [child.deepcopy() for child in app.env.titles[page].children]
    return nodes.reference("", "", *start, *title, refuri=app.builder.get_relative_uri(docname, page), internal=True)


def three_routes(app: Sphinx, docname: str, readings: dict[str, Reading], four: list[nodes.Node]) -> list[nodes.Node]:
    if not readings:
        return []
    routes = read_routes(Path(app.srcdir))

    def timetable(word: str, says: str, work: dict[str, float]) -> nodes.Node:
        units = [[chapter for chapter in unit if chapter in work] for unit in routes[f"{word}s"]]
        units = [unit for unit in units if unit]
        listed = nodes.bullet_list()
        for number, chapters in enumerate(units, 1):
            time = in_words(sum(work[chapter] for chapter in chapters))
            line = nodes.paragraph("", "", nodes.strong(text=f"{word.title()} {number}"), nodes.Text(f" ({time}): "))
            for place, chapter in enumerate(chapters):
                line += [nodes.Text("; ")] if place else []
                line += named(app, docname, chapter)
            listed += nodes.list_item("", line)
        return route(f"A course of {len(units)} {word}s", says, listed)

    return [
        timetable(
            "day",
            "The chapters of the four main theorems and those that they rest on; times with pencil, without exercises.",
            {chapter: one.minutes_to_work for chapter, one in readings.items()},
        ),
        timetable(
            "week",
            "The whole book with pencil and exercises; the times are for one week.",
            {chapter: one.work for chapter, one in readings.items()},
        ),
        route("Just the four main theorems", "Each after the results that its proof goes back to.", *four),
    ]


def route(title: str, says: str, *inside: nodes.Node) -> nodes.Node:
    return element("div", element("h3", title), nodes.paragraph(text=says), *inside, classes=["book-route"])


def write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Times and routes depend on every page, so their page is written whenever one is."""
    return [app.config.root_doc]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(when_all_is_read)
    app.add_directive("reading-times", Later)
    app.add_directive("routes", Routes)
    app.add_directive("verdict", VerdictDirective)
    # After Sphinx's own handlers, which number the pages.
    app.connect("doctree-resolved", fill_in)
    app.connect("env-updated", write_again)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
