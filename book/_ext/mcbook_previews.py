"""Previews: what a link leads to, shown while the pointer or the focus rests on it.

When the pages are built, each gets a small script with what its links lead to: statements, equations, words of the
glossary, works.  Nothing is fetched by the reader's browser, so that it works from disk; ``book/_static/previews.js``
shows it, and without scripts a link is a link.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

FOLDER = "previews"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# In a preview nothing can be clicked, and its anchors would stand on the page twice.
LEFT_OUT = re.compile(r'<a class="headerlink".*?</a>| id="[^"]*"', re.S)
LINK = re.compile(r"<(/?)a\b[^>]*>")

Attributes = list[tuple[str, str | None]]


@dataclass
class Open:
    """An element whose end has not been read."""

    name: str
    start: int
    anchor: str = ""


@dataclass
class Contents:
    """Of one page: what can be shown of it, by anchor, and where its links lead."""

    fragments: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)


class PageReader(HTMLParser):
    """Finds the links of a page and the elements that previews show."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._text = text
        self._line_starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
        self._open: list[Open] = []
        self._term = ""
        self.contents = Contents()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "#" in given.get("href", "") and "headerlink" not in given.get("class", ""):
            self.contents.links.append(given["href"])
        if tag not in VOID:
            self._open.append(Open(tag, self._place(), self._anchor(tag, given)))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            ended = self._open.pop()
            if ended.name == tag:
                break
        else:
            return
        if ended.anchor:
            end = self._text.index(">", self._place()) + 1
            known = self.contents.fragments.get(ended.anchor, "")
            self.contents.fragments[ended.anchor] = known + clean(self._text[ended.start : end])

    def _anchor(self, tag: str, given: dict[str, str]) -> str:
        """The anchor of an element that previews show; a word is shown with its meaning, which follows it."""
        classes, anchor = given.get("class", "").split(), given.get("id", "")
        if tag == "dt" and anchor.startswith("term-"):
            self._term = anchor
            return anchor
        if tag == "dd":
            anchor, self._term = self._term, ""
            return anchor
        shown = {"proof", "citation"} & set(classes) or anchor.startswith("equation-")
        return anchor if tag == "div" and shown else ""

    def _place(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column


def clean(fragment: str) -> str:
    return LINK.sub(r"<\1span>", LEFT_OUT.sub("", fragment))


def tables(pages: dict[str, str]) -> dict[str, dict[str, str]]:
    """Of each page, by its name below the site: what its links lead to, as they are written there."""
    read = {name: PageReader(text).contents for name, text in pages.items()}
    return {name: dict(sorted(_table(name, one.links, read))) for name, one in read.items()}


def _table(name: str, links: Iterable[str], read: dict[str, Contents]) -> Iterable[tuple[str, str]]:
    for link in dict.fromkeys(links):
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if target in read and anchor in read[target].fragments:
            yield link, read[target].fragments[anchor]


def script_of(page: str) -> str:
    return f"{FOLDER}/{page.replace('/', '-')}.js"


def write_tables(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    places = {f"{page}.html": Path(app.outdir) / f"{page}.html" for page in sorted(app.env.found_docs)}
    pages = {name: path.read_text(encoding="utf-8") for name, path in places.items() if path.is_file()}
    (Path(app.outdir) / "_static" / FOLDER).mkdir(parents=True, exist_ok=True)
    for name, table in tables(pages).items():
        script = f"globalThis.mcbookPreviews = {json.dumps(table, ensure_ascii=False)};\n"
        (Path(app.outdir) / "_static" / script_of(name.removesuffix(".html"))).write_text(script, encoding="utf-8")


def load_table(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A plain tag: the script is written after the pages, and Sphinx would ask for its checksum before."""
    if doctree is not None:
        context["script_files"] = [f"_static/{script_of(pagename)}", *context["script_files"]]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_js_file("previews.js", loading_method="defer")
    app.connect("html-page-context", load_table)
    app.connect("build-finished", write_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
