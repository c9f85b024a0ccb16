"""The layers of a page: the story is open, details are folded and one click away.

``{detail} Title`` folds what stands inside it.  A notebook's cells cannot stand inside a directive, so
``{detail-start} Title`` and ``{detail-end}`` fold everything between them, cells with their outputs included.
A cell that does nothing but ``verify("label")`` or ``trace("label")`` shows its verdict alone.
The switch between *Story* and *Everything* is made by ``book/_static/layers.js``; without scripts every fold still
opens by itself.
"""

from __future__ import annotations

import re

from docutils import nodes
from docutils.parsers.rst import directives
from mcbook_html import fold, html_fold
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective


class detail_start(nodes.Element):
    """The place from which to fold; its child is the empty fold."""


class detail_end(nodes.Element):
    """The place up to which to fold."""


class DetailStart(SphinxDirective):
    """``{detail-start} Title``: fold from here to ``{detail-end}``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        return [self.located(detail_start("", self.folded()))]

    def folded(self) -> html_fold:
        text, messages = self.state.inline_text(self.arguments[0], self.lineno)
        return self.located(fold("book-detail", [*text, *messages]))

    def located(self, node: nodes.Element) -> nodes.Element:
        node.source, node.line = self.get_source_info()
        return node


class Detail(DetailStart):
    """``{detail} Title``: fold the content."""

    has_content = True
    option_spec = {"name": directives.unchanged}  # noqa: RUF012 - docutils reads this from the class

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        folded = self.folded()
        self.add_name(folded)
        self.state.nested_parse(self.content, self.content_offset, folded)
        return [folded]


class DetailEnd(DetailStart):
    """``{detail-end}``: fold up to here."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        return [self.located(detail_end())]


class FoldBetweenMarks(SphinxTransform):
    """Move what stands between the marks into the fold."""

    # Before references are numbered and resolved, after the parser has made all nodes.
    default_priority = 5

    def apply(self) -> None:
        for start in list(self.document.findall(detail_start)):
            self.fold(start)
        for end in self.document.findall(detail_end):
            raise ExtensionError(f"{place(end)}: a detail-end has no detail-start before it in its section")

    def fold(self, start: detail_start) -> None:
        parent = start.parent
        inside = []
        for node in parent.children[parent.index(start) + 1 :]:
            if isinstance(node, detail_start):
                raise ExtensionError(f"{place(node)}: one detail begins inside another: end the first before it")
            if isinstance(node, detail_end):
                break
            inside.append(node)
        else:
            raise ExtensionError(f"{place(start)}: no detail-end follows in the same section: end it before a heading")
        parent.remove(node)
        folded = start.children[0]
        for moved in inside:
            parent.remove(moved)
            folded += moved
        start.replace_self(folded)


# What the reader of a page wants of these is the line that they print; the notebook has the call.
_VERDICT = re.compile(r"(\s*(from mcbook\S* import [\w, ]+|(verify|trace)\(\"[^\"]+\"\))\s*)+")


class HideCallsOfTrials(SphinxTransform):
    """Take the code of cells that only ask for a verdict off the page."""

    default_priority = 5

    def apply(self) -> None:
        for cell in self.document.findall(is_code_cell):
            for code in [child for child in cell.children if "cell_input" in child.get("classes", ())]:
                if len(cell.children) > 1 and _VERDICT.fullmatch(code.astext()):
                    cell.remove(code)


def is_code_cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def place(node: nodes.Element) -> str:
    return f"{node.source}:{node.line}"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("detail", Detail)
    app.add_directive("detail-start", DetailStart)
    app.add_directive("detail-end", DetailEnd)
    app.add_transform(FoldBetweenMarks)
    app.add_transform(HideCallsOfTrials)
    app.add_js_file("layers.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
