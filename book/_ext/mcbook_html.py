"""What the book's other extensions make their pages of: an HTML element, a fold, and the name of a chapter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


class html_element(nodes.TextElement):
    """An element of the page, with children that Sphinx resolves as it does everywhere."""


class html_fold(nodes.Element):
    """A folded part of the page."""


class chapter_name(nodes.inline):
    """The number and the title of a page; both are known only when all pages have been read."""


def element(
    name: str, *children: nodes.Node | str, classes: Iterable[str] = (), ids: Iterable[str] = (), **attributes: str
) -> html_element:
    """The element; an underscore in an attribute's name stands for a hyphen."""
    inside = [nodes.Text(child) if isinstance(child, str) else child for child in children]
    given = {key.replace("_", "-"): value for key, value in attributes.items()}
    return html_element("", "", *inside, name=name, html=given, classes=list(classes), ids=list(ids))


def fold(kind: str, title: Iterable[nodes.Node | str], *inside: nodes.Node, ids: Iterable[str] = ()) -> html_fold:
    """A fold with what it says of itself while it is closed.

    The page's switch between story and everything opens those of the kind ``book-detail``.
    """
    summary = element("summary", *title)
    return html_fold("", summary, *inside, name="details", html={}, classes=[kind], ids=list(ids))


def svg(drawing: str) -> nodes.raw:
    return nodes.raw("", drawing, format="html")


def open_element(self: HTML5Translator, node: html_element | html_fold) -> None:
    self.body.append(self.starttag(node, node["name"], "", **node["html"]))


def close_element(self: HTML5Translator, node: html_element | html_fold) -> None:
    self.body.append(f"</{node['name']}>")


def name_chapters(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for node in list(doctree.findall(chapter_name)):
        number = app.env.toc_secnumbers.get(node["page"], {}).get("") or ()
        start = [nodes.Text(f"{'.'.join(map(str, number))}. ")] if number else []
        title = app.env.titles.get(node["page"])
        inside = [child.deepcopy() for child in title.children] if title else [nodes.Text(node["page"])]
        node.replace_self([*start, *inside])


def page_exists(env: Any, page: str) -> bool:
    return page in env.found_docs


def setup(app: Sphinx) -> dict[str, bool]:
    for node in (html_element, html_fold):
        app.add_node(node, html=(open_element, close_element))
    app.add_node(chapter_name)
    app.connect("doctree-resolved", name_chapters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
