"""The map of the book: which results use which, from the references in statements and proofs, and on the pages.

``{book-map}`` draws the chapters, ``{chapter-maps}`` folds a map of its results for each.  A row is a link, and an arc
leads from a row down to one that uses it.  The same is said as a nested list, for readers who do not see the arcs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from mcbook_html import chapter_name, element, fold, page_exists, svg
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mcbook.claims.spine.book import BookText, read_book
from mcbook.claims.spine.glossary import FILE
from mcbook.claims.spine.uses import chapter_uses, direct_uses, used_by

MAP = "book/map"
# A row of the list is as high as a step of the drawing beside it: book/_static/front.css has the same number.
ROW = 44
GUTTER = 88


@dataclass(frozen=True)
class Arc:
    """From a row that is used to a row that uses it; how often makes it thicker."""

    used: int
    user: int
    times: int = 1


def arcs_svg(n_rows: int, arcs: Iterable[Arc], says: str) -> str:
    """The arcs to the left of the rows.  The longer one is, the further it reaches out."""
    paths = "".join(_path(arc, n_rows) for arc in arcs)
    return (
        f'<svg class="book-map-arcs" role="img" aria-label="{says}" viewBox="0 0 {GUTTER} {n_rows * ROW}" '
        f'preserveAspectRatio="none" style="height: {n_rows * ROW / 16:g}rem">{paths}</svg>\n'
    )


def _path(arc: Arc, n_rows: int) -> str:
    start, end = (row * ROW + ROW / 2 for row in (arc.used, arc.user))
    reach = GUTTER - (GUTTER - 6) * (abs(arc.user - arc.used) / max(n_rows - 1, 1)) ** 0.6
    kind = "book-map-arc" if arc.used < arc.user else "book-map-arc is-ahead"
    return (
        f'<path class="{kind}" data-used="{arc.used}" data-user="{arc.user}" '
        f'style="stroke-width: {min(1 + 0.35 * arc.times, 4):g}px" '
        f'd="M{GUTTER} {start:g} C{reach:.0f} {start:g} {reach:.0f} {end:g} {GUTTER} {end:g}"/>'
    )


class MapDirective(SphinxDirective):
    """What both maps need: the book as its notebooks have it."""

    def read(self) -> BookText:
        folder = Path(self.env.srcdir) / "book"
        for path in (*folder.glob("*.ipynb"), folder / FILE, folder.parent / "_toc.yml"):
            self.env.note_dependency(str(path))
        return read_book(folder)

    def result(self, label: str) -> list[nodes.Node]:
        return self.inline(f"{{prf:ref}}`{label}`")

    def inline(self, text: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(text, self.lineno)
        return [*found, *messages]

    def chapter(self, name: str) -> nodes.Node:
        """A link to the chapter that shows its number and title."""
        return self.link(f"book/{name}", "", chapter_name("", page=f"book/{name}"))

    def link(self, page: str, anchor: str, *inside: nodes.Node) -> nodes.reference:
        here = self.env.docname
        address = "" if page == here and anchor else self.env.app.builder.get_relative_uri(here, page)
        return nodes.reference("", "", *inside, refuri=address + anchor, internal=True)


class BookMap(MapDirective):
    """``{book-map}``: the chapters and what they use of each other."""

    def run(self) -> list[nodes.Node]:
        book = self.read()
        if not book.chapters:
            return []
        uses = chapter_uses(book)
        place = {chapter: row for row, chapter in enumerate(book.chapters)}
        arcs = [Arc(place[used], place[user], times) for user in uses for used, times in uses[user].items()]
        says = (
            f"Map of the book: {len(place)} chapters, and {len(arcs)} arcs from chapters to those that use their "
            "results; the list below says the same."
        )
        rows = [self.row(book, chapter) for chapter in book.chapters]
        drawn = element("div", svg(arcs_svg(len(rows), arcs, says)), element("ol", *rows), classes=["book-map"])
        return [drawn, self.in_words(book)]

    def row(self, book: BookText, chapter: str) -> nodes.Node:
        n_results = sum(one.chapter == chapter for one in book.statements.values())
        counted: nodes.Node = nodes.Text(f"{n_results} results")
        if page_exists(self.env, MAP):
            counted = self.link(MAP, f"#map-{dashed(chapter)}", counted)
        return element("li", element("span", self.chapter(chapter)), element("small", counted))

    def in_words(self, book: BookText) -> nodes.Node:
        uses = chapter_uses(book)
        users = {chapter: [other for other in book.chapters if chapter in uses[other]] for chapter in book.chapters}
        listed = nodes.bullet_list()
        for chapter in book.chapters:
            used = [other for other in book.chapters if other in uses[chapter]]
            below = nodes.bullet_list()
            below += (
                [self.named("uses", used)]
                if used
                else [nodes.list_item("", nodes.paragraph(text="refers to no earlier chapter"))]
            )
            below += [self.named("is used by", users[chapter])] if users[chapter] else []
            listed += nodes.list_item("", nodes.paragraph("", "", self.chapter(chapter)), below)
        return fold("book-fold", ["The map of the chapters as a list"], listed)

    def named(self, says: str, chapters: list[str]) -> nodes.list_item:
        line = nodes.paragraph("", f"{says} ")
        for place, chapter in enumerate(chapters):
            line += [nodes.Text("; ")] if place else []
            line += self.chapter(chapter)
        return nodes.list_item("", line)


class ChapterMaps(MapDirective):
    """``{chapter-maps}``: a folded map for each chapter, of its results and of those that they use from others."""

    def run(self) -> list[nodes.Node]:
        book = self.read()
        uses = direct_uses(book)
        return [self.one(book, chapter, uses) for chapter in book.chapters]

    def one(self, book: BookText, chapter: str, uses: dict[str, list[str]]) -> nodes.Node:
        mine = [label for label, one in book.statements.items() if one.chapter == chapter]
        wanted = {used for label in mine for used in uses[label]}
        rows = [label for label in book.statements if label in wanted or label in mine]
        place = {label: row for row, label in enumerate(rows)}
        arcs = [Arc(place[used], place[label]) for label in mine for used in uses[label]]
        says = f"Map of the chapter: {len(mine)} results, {len(arcs)} arcs from results to those that use them."
        listed = [self.row(book, label, foreign=label not in mine) for label in rows]
        title = [chapter_name("", page=f"book/{chapter}"), f": {len(mine)} results"]
        drawn = element("div", svg(arcs_svg(len(rows), arcs, says)), element("ol", *listed), classes=["book-map"])
        words = self.in_words(mine, uses)
        return fold("book-detail", title, drawn, words, ids=[f"map-{dashed(chapter)}"])

    def row(self, book: BookText, label: str, *, foreign: bool) -> nodes.Node:
        title = element("small", *self.inline(book.statements[label].title))
        classes = ["is-foreign"] if foreign else []
        return element("li", element("span", *self.result(label)), title, classes=classes)

    def in_words(self, mine: list[str], uses: dict[str, list[str]]) -> nodes.Node:
        users = used_by(uses)
        listed = nodes.bullet_list()
        for label in mine:
            if uses[label] or users[label]:
                item = nodes.list_item("", nodes.paragraph("", "", *self.result(label)))
                below = nodes.bullet_list()
                both = (("uses", uses[label]), ("is used by", users[label]))
                below += [self.named(says, found) for says, found in both if found]
                listed += item
                item += below
        if not listed.children:
            return nodes.paragraph(text="No result of this chapter refers to another.")
        return fold("book-fold", ["The same as a list"], listed)

    def named(self, says: str, labels: list[str]) -> nodes.list_item:
        line = nodes.paragraph("", f"{says} ")
        for place, label in enumerate(labels):
            line += [nodes.Text(", ")] if place else []
            line += self.result(label)
        return nodes.list_item("", line)


def dashed(chapter: str) -> str:
    return chapter.replace("_", "-")


def load_script(app: Sphinx, pagename: str, *rest: object) -> None:
    """The front page and the page of the map have arcs."""
    if pagename in (MAP, app.config.root_doc):
        app.add_js_file("map.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("book-map", BookMap)
    app.add_directive("chapter-maps", ChapterMaps)
    app.add_css_file("front.css")
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
