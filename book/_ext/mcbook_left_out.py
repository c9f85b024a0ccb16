"""References to chapters that ``_toc.yml`` leaves out: their titles stand where their links would.

A book of chosen chapters still names what it does not prove: "Theorem *The mistake bound* (in *The multi-class
Perceptron*)".  What no notebook of the folder has stays an error.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

DIRECTIVE = re.compile(r"^[`:]{3,}\{(?:prf:)?(?P<kind>[\w-]+)\}(?P<title>[^\n]*)\n(?P<options>(?::[\w-]+:.*\n)*)", re.M)
OPTION = re.compile(r"^:(?:label|name):\s*(\S+)", re.M)
EQUATION = re.compile(r"^[> ]*\$\$ *\(([\w-]+)\)", re.M)
ANCHOR = re.compile(r"^\(([\w-]+)\)=\s*$", re.M)
HEADING = re.compile(r"^# +(.+?)\s*$", re.M)
# What is said of a target that has no title.
NAMELESS = {"figure": "a figure", "exercise": "an exercise", "section": "a section"}


@dataclass(frozen=True)
class Target:
    """What a label of a chapter stands for."""

    kind: str
    title: str
    chapter: str


@functools.cache
def left_out(folder: Path, built: frozenset[str]) -> tuple[dict[str, str], dict[str, Target]]:
    """The titles of the pages in the folder that are not built, and what their labels stand for."""
    titles, targets = {}, {}
    for path in sorted([*folder.glob("*.ipynb"), *folder.glob("*.md")]):
        if path.stem not in built:
            markdown, figures = read_page(path)
            heading = HEADING.search(markdown)
            titles[path.stem] = title = heading[1] if heading else path.stem
            targets |= {label: Target(kind, name, title) for label, kind, name in labels(markdown)}
            targets |= {label: Target("figure", "", title) for label in figures}
    return titles, targets


def read_page(path: Path) -> tuple[str, list[str]]:
    """The Markdown of a page, and the names of the figures that its cells draw."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text, []
    cells = json.loads(text)["cells"]
    figures = [cell["metadata"].get("mystnb", {}).get("figure", {}).get("name") for cell in cells]
    markdown = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return markdown, [name for name in figures if name]


def labels(markdown: str) -> Iterator[tuple[str, str, str]]:
    """Label, kind and title of what a page labels."""
    for block in DIRECTIVE.finditer(markdown):
        named = OPTION.search(block["options"])
        if named:
            yield named[1], "equation" if block["kind"] == "math" else block["kind"], block["title"].strip()
    yield from ((match[1], "equation", "") for match in EQUATION.finditer(markdown))
    yield from ((match[1], "section", "") for match in ANCHOR.finditer(markdown))


class NameWhatIsLeftOut(SphinxPostTransform):
    """Puts words in the place of each reference into a chapter that is not built."""

    # Before Sphinx and MyST resolve references, from 9 on; they would warn.
    default_priority = 5

    def run(self, **kwargs: object) -> None:
        book = Path(self.env.srcdir) / "book"
        built = frozenset(name.removeprefix("book/") for name in self.env.found_docs)
        titles, targets = left_out(book, built)
        for node in list(self.document.findall(pending_xref)):
            words = self.words(node, titles, targets)
            if words:
                node.replace_self(words)

    def words(self, node: pending_xref, titles: dict[str, str], targets: dict[str, Target]) -> list[nodes.Node]:
        """What to show for the reference, or nothing where it leads to a page that is built or nowhere."""
        target = node["reftarget"]
        if node.get("refdomain") == "prf" or node["reftype"] in ("ref", "numref", "eq"):
            found = targets.get(target)
            if found is None or target in node.astext():
                return in_words(found) if found else []
            return [child.deepcopy() for child in node.children]
        if node["reftype"] in ("doc", "myst"):
            page = posixpath.normpath(target).removeprefix("/book/").removesuffix(".ipynb").removesuffix(".md")
            if page in titles:
                explicit = node.get("refexplicit") and node.astext()
                return [child.deepcopy() for child in node.children] if explicit else [emphasised(titles[page])]
        return []


def in_words(target: Target) -> list[nodes.Node]:
    """Say "Theorem *title* (in *chapter*)"; of what has no title, "a figure in *chapter*"."""
    if target.kind == "equation":
        return [nodes.Text("(an equation in "), emphasised(target.chapter), nodes.Text(")")]
    if target.title and target.kind not in NAMELESS:
        start = [nodes.Text(f"{target.kind.title()} "), emphasised(target.title)]
        return [*start, nodes.Text(" (in "), emphasised(target.chapter), nodes.Text(")")]
    name = NAMELESS.get(target.kind) or f"the {target.kind}"
    return [nodes.Text(f"{name} in "), emphasised(target.chapter)]


def emphasised(text: str) -> nodes.Node:
    return nodes.emphasis(text=text)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_post_transform(NameWhatIsLeftOut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
