"""The words of the book: a glossary, links to it from the chapters, and an index of the places where a word stands.

``{glossary-terms}`` lists the words of ``book/glossary.toml``.  In the chapters the first use of a word on a page
becomes a link to it, as if ``{term}`` stood there; headings, formulas, code, links and exercises are left as they are.
``{term-index}`` lists for every word the sections in which it stands, and begins with the one that fixes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from mcbook_html import element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import is_exercise_node, is_solution_node

from mcbook.claims.spine.glossary import FILE, Finder, Term, read_glossary

GLOSSARY = "book/glossary"
INDEX = "book/term_index"
# Section, its title: where a word stands on a page.
Places = dict[str, list[tuple[str, str]]]

LEFT_AS_THEY_ARE = (
    nodes.title,
    nodes.reference,
    nodes.literal,
    nodes.raw,
    nodes.FixedTextElement,
    nodes.math,
    pending_xref,
)


class GlossaryTerms(SphinxDirective):
    """The words with their meanings, as a glossary that ``{term}`` refers to."""

    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir) / "book"
        self.env.note_dependency(str(book / FILE))
        lines = ["```{glossary}"]
        for term in read_glossary(book):
            lines += [*term.names, f"  {term.says}{self.fixed_in(term)}", ""]
        holder = nodes.Element()
        self.state.nested_parse(StringList([*lines, "```"], source=self.env.docname), 0, holder)
        return holder.children

    def fixed_in(self, term: Term) -> str:
        return f" {{prf:ref}}`{term.at}`." if term.at in labels(Path(self.env.srcdir)) else ""


def labels(root: Path) -> set[str]:
    from mcbook.claims.spine.book import read_book

    return set(read_book(root / "book").statements)


class LinkTerms(SphinxTransform):
    """Link the first use of each word on a chapter's page, and note the sections in which it stands."""

    # After folds, forms and solutions, which move and add text, and before references are resolved.
    default_priority = 11

    def apply(self) -> None:
        if f"{GLOSSARY}" not in self.env.found_docs or not self.env.doc2path(self.env.docname).endswith(".ipynb"):
            return
        book = Path(self.env.srcdir) / "book"
        self.env.note_dependency(str(book / FILE))
        finder, places = Finder(read_glossary(book), self.env.docname.rpartition("/")[2]), Places()
        linked = {node["reftarget"] for node in self.document.findall(pending_xref) if node.get("reftype") == "term"}
        for text in list(self.document.findall(nodes.Text)):
            if is_running_text(text):
                link_in(text, finder, linked, places, self.env.docname)
        known(self.env)[self.env.docname] = places


def is_running_text(text: nodes.Text) -> bool:
    above = list(ancestors(text))
    if any(isinstance(node, LEFT_AS_THEY_ARE) or is_exercise_node(node) or is_solution_node(node) for node in above):
        return False
    return any(isinstance(node, nodes.paragraph) for node in above)


def ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    while node.parent is not None:
        node = node.parent
        yield node


def link_in(text: nodes.Text, finder: Finder, linked: set[str], places: Places, docname: str) -> None:
    section = next((node for node in ancestors(text) if isinstance(node, nodes.section) and is_heading(node)), None)
    pieces: list[nodes.Node] = []
    done = 0
    for term, start, end in finder.finds(text):
        if section is not None:
            here = (section["ids"][0], section.next_node(nodes.title).astext())
            listed = places.setdefault(term.term, [])
            listed += [here] if here not in listed else []
        if term.term not in linked:
            linked.add(term.term)
            pieces += [nodes.Text(text[done:start]), reference(term.term, text[start:end], docname)]
            done = end
    if pieces:
        text.parent.replace(text, [*pieces, nodes.Text(text[done:])])


def is_heading(section: nodes.section) -> bool:
    """The blocks of statements are sections for docutils, too."""
    return bool(section.children) and isinstance(section.children[0], nodes.title)


def reference(term: str, shown: str, docname: str) -> pending_xref:
    inside = nodes.inline("", shown, classes=["std", "std-term"])
    return pending_xref(
        "", inside, refdomain="std", reftype="term", reftarget=term, refexplicit=True, refwarn=True, refdoc=docname
    )


class term_index(nodes.Element):
    """The place of the index, which is made when all pages have been read."""


class TermIndex(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir) / "book"
        self.env.note_dependency(str(book / FILE))
        node = term_index("")
        for term in read_glossary(book):
            head, messages = self.state.inline_text(f"{{term}}`{term.term}`", self.lineno)
            line = element("dt", *head, *messages)
            fixed = []
            if term.at in labels(Path(self.env.srcdir)):
                fixed, messages = self.state.inline_text(f"{{prf:ref}}`{term.at}`", self.lineno)
            node += element("div", line, element("dd", *fixed), term=term.term, classes=["book-index-entry"])
        return [node]


def fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for node in list(doctree.findall(term_index)):
        entries = [fill_entry(app, docname, entry) for entry in node.children]
        node.replace_self(element("dl", *(entry for entry in entries if entry is not None), classes=["book-index"]))


def fill_entry(app: Sphinx, docname: str, entry: Any) -> nodes.Element | None:
    """The statement that fixes the word, then page by page the sections in which it stands."""
    term = entry["html"].pop("term")
    line = entry.children[1]
    for page, places in in_order(app.env):
        if term in places:
            line += [nodes.Text(" · ")] if line.children else []
            line += sections(app, docname, page, places[term])
    return entry if line.children else None


def sections(app: Sphinx, docname: str, page: str, places: list[tuple[str, str]]) -> Iterator[nodes.Node]:
    title = app.env.titles[page].astext()
    yield nodes.Text(f"{title}: ")
    for place, (anchor, section) in enumerate(places):
        number = ".".join(map(str, app.env.toc_secnumbers.get(page, {}).get(f"#{anchor}") or ()))
        shown = "beginning" if section == title else f"{number} {section}".strip()
        address = f"{app.builder.get_relative_uri(docname, page)}#{anchor}"
        yield nodes.Text(", " if place else "")
        yield nodes.reference("", shown, refuri=address, internal=True)


def in_order(env: BuildEnvironment) -> list[tuple[str, Places]]:
    order = {page: place for place, page in enumerate(pages_below(env, env.config.root_doc))}
    return sorted(known(env).items(), key=lambda item: order.get(item[0], len(order)))


def pages_below(env: BuildEnvironment, page: str) -> Iterator[str]:
    yield page
    for below in env.toctree_includes.get(page, ()):
        yield from pages_below(env, below)


def known(env: BuildEnvironment) -> dict[str, Places]:
    """Where the words stand, page by page; kept with what Sphinx keeps from build to build."""
    if not hasattr(env, "mcbook_terms"):
        env.mcbook_terms = {}
    return env.mcbook_terms


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    known(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    known(env).update({name: places for name, places in known(other).items() if name in docnames})


def write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    return [INDEX] if INDEX in env.found_docs else []


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(term_index)
    app.add_directive("glossary-terms", GlossaryTerms)
    app.add_directive("term-index", TermIndex)
    app.add_transform(LinkTerms)
    app.connect("doctree-resolved", fill_in)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", write_again)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
