"""The reference: a page for each chapter with its public functions and classes, made from their docstrings.

``{api} perceptron`` shows what ``mcbook.perceptron`` exports, each with its signature, its docstring and the statements
that it is on trial for; ``{api}`` alone lists the names of all chapters.  The pages themselves are written into
``book/api`` before Sphinx looks for pages, one for each chapter of the contents.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from mcbook_html import chapter_name, element
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

import mcbook
from mcbook.claims import claims
from mcbook.claims.spine.book import listed_chapters

FOLDER = "book/api"
PACKAGE = Path(mcbook.__file__).parent
# A signature that is longer has a line for each parameter, so that a phone shows it.
LINE = 60
HEADING = re.compile(r"(?m)^(\w[\w ]*)\n-{3,}\n")
ENTRY = re.compile(r"(?m)^(?=[\w*, ]+ : )")
INLINE = re.compile(r"``(.+?)``|`([^`]+)`", re.S)
STATEMENT = re.compile(r"(thm|lem|cor|prp|def|alg|obs|exa)-[\w-]+")


class ApiDirective(SphinxDirective):
    """What a chapter exports, or with no argument the names of all."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.chapters = listed_chapters(Path(self.env.srcdir))
        if not self.arguments:
            self.depend_on(PACKAGE.glob("*/__init__.py*"))
            return [node for chapter in self.chapters for node in self.names(chapter)]
        self.chapter = self.arguments[0]
        self.depend_on([*(PACKAGE / self.chapter).rglob("*.py*"), *PACKAGE.glob("claims/*/*.py")])
        package = importlib.import_module(f"mcbook.{self.chapter}")
        page = self.link(f"book/{self.chapter}", "", chapter_name("", page=f"book/{self.chapter}"))
        start = [*self.described(package), nodes.paragraph("", "", nodes.Text("The chapter: "), page)]
        return [*start, *(self.entry(name, one) for name, one in documented(package))]

    def depend_on(self, paths: Iterable[Path]) -> None:
        for path in paths:
            if path.suffix in (".py", ".pyi"):
                self.env.note_dependency(str(path))

    def names(self, chapter: str) -> list[nodes.Node]:
        """A chapter's names, each a link."""
        page = f"{FOLDER}/{chapter}"
        found = [name for name, _ in documented(importlib.import_module(f"mcbook.{chapter}"))]
        links = [self.link(page, f"#{name}", nodes.literal(text=name)) for name in found]
        separated = [node for link in links for node in (link, nodes.Text(", "))][:-1]
        title = self.link(page, "", nodes.literal(text=f"mcbook.{chapter}"))
        return [nodes.paragraph("", "", nodes.strong("", "", title)), nodes.paragraph("", "", *separated)]

    def entry(self, name: str, one: Any) -> nodes.section:
        section = nodes.section("", nodes.title("", "", nodes.literal(text=name)), ids=[name], names=[name])
        section["classes"].append("book-api")
        # An exception has no signature of its own.
        if callable(one) and not (inspect.isclass(one) and issubclass(one, Exception)):
            section += code(signature(name, one), "python")
        section += self.described(one)
        if inspect.isclass(one):
            section += self.methods(one)
        tried = [claim.label for claim in claims().values() if any(each is one for each in claim.implements)]
        if tried:
            places = [node for label in tried for node in (*self.statement(label), nodes.Text(", "))][:-1]
            section += nodes.paragraph("", "", nodes.Text("On trial in "), *places, classes=["book-api-trial"])
        return section

    def methods(self, kind: type) -> Iterator[nodes.Node]:
        """The public methods that the package itself defines, by the first lines of their docstrings."""
        found = []
        for name, one in inspect.getmembers(kind):
            function = one.fget if isinstance(one, property) else one
            written = inspect.isfunction(function) or inspect.ismethod(function)
            if name.startswith("_") or not written or not function.__module__.startswith("mcbook."):
                continue
            given = name if isinstance(one, property) else signature(name, function, annotated=False)
            first = inspect.cleandoc(function.__doc__ or "").split("\n\n")[0]
            found.append((given, self.paragraphs(first)))
        if found:
            yield nodes.rubric(text="Methods")
            yield definitions(found)

    def described(self, one: Any) -> list[nodes.Node]:
        """The docstring: what stands before its headings, and under each."""
        before, *parts = HEADING.split(inspect.cleandoc(docstring(one)))
        found = self.paragraphs(before)
        for title, text in zip(parts[::2], parts[1::2], strict=True):
            entries = [entry.partition("\n") for entry in ENTRY.split(text) if entry.strip()]
            listed = title in ("Parameters", "Attributes") and all(" : " in head for head, _, _ in entries)
            # An example is seen to be one.
            found += [] if title == "Examples" else [nodes.rubric(text=title)]
            described = [(head, self.paragraphs(inspect.cleandoc("\n" + below))) for head, _, below in entries]
            found += [definitions(described)] if listed else self.paragraphs(text)
        return found

    def paragraphs(self, text: str) -> list[nodes.Node]:
        """Paragraphs, and examples as code; an example may follow its paragraph without an empty line."""
        found: list[nodes.Node] = []
        for block in re.split(r"\n\s*\n|\n(?=>>> )(?<!\n>>> )", text.strip("\n")):
            if block.lstrip().startswith(">>> "):
                lines = inspect.cleandoc("\n" + block)
                previous = found[-1] if found else None
                if isinstance(previous, nodes.literal_block):
                    lines = f"{previous.astext()}\n{lines}"
                    found.pop()
                found.append(code(lines, "pycon"))
            elif block.startswith("    "):
                found.append(code(inspect.cleandoc("\n" + block), "text"))
            elif block.strip():
                found.append(nodes.paragraph("", "", *self.inline(" ".join(block.split()))))
        return found

    def inline(self, text: str) -> Iterator[nodes.Node]:
        """Text in which names are links, and labels references to the statements."""
        end = 0
        for match in INLINE.finditer(text):
            yield nodes.Text(text[end : match.start()])
            end = match.end()
            word = match[1] or match[2]
            if STATEMENT.fullmatch(word):
                yield from self.statement(word)
            else:
                place = places(tuple(self.chapters)).get(word.removeprefix("mcbook.")) if match[2] else None
                literal = nodes.literal(text=word)
                yield self.link(f"{FOLDER}/{place[0]}", f"#{place[1]}", literal) if place else literal
        yield nodes.Text(text[end:])

    def statement(self, label: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(f"{{prf:ref}}`{label}`", self.lineno)
        return [*found, *messages]

    def link(self, page: str, anchor: str, *inside: nodes.Node) -> nodes.reference:
        address = "" if page == self.env.docname else self.env.app.builder.get_relative_uri(self.env.docname, page)
        return nodes.reference("", "", *inside, refuri=address + anchor, internal=True)


def documented(package: Any) -> list[tuple[str, Any]]:
    """The public names of a chapter, classes first, and last the classes that its public functions return."""
    public = {name: getattr(package, name) for name in package.__all__}
    returned = {}
    for one in public.values():
        function = inspect.unwrap(one) if callable(one) else None
        words = re.findall(r"\w+", str(getattr(function, "__annotations__", {}).get("return", "")))
        for word in words:
            kind = getattr(sys.modules[function.__module__], word, None)
            mine = inspect.isclass(kind) and kind.__module__.startswith(f"{package.__name__}.")
            if mine and kind.__doc__ and kind not in public.values():
                returned[word] = kind
    order = sorted(public, key=lambda name: (not inspect.isclass(public[name]), name.lower()))
    return [*((name, public[name]) for name in order), *sorted(returned.items())]


@functools.cache
def places(chapters: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Chapter and anchor of each documented name, by itself and after its chapter; of equal names the first."""
    found: dict[str, tuple[str, str]] = {}
    for chapter in chapters:
        for name, _ in documented(importlib.import_module(f"mcbook.{chapter}")):
            found[f"{chapter}.{name}"] = (chapter, name)
            found.setdefault(name, (chapter, name))
    return found


def docstring(one: Any) -> str:
    """Of a module, a class or a function; of a table, that of no type."""
    known = inspect.ismodule(one) or inspect.isclass(one) or inspect.isroutine(inspect.unwrap(one))
    return (one.__doc__ or "") if known else f"A constant of the type ``{type(one).__name__}``."


def signature(name: str, one: Any, *, annotated: bool = True) -> str:
    """As it is called; annotations as they are written."""
    given = inspect.signature(one)
    shown = [parameter for parameter in given.parameters.values() if parameter.name != "self"]
    kinds = [parameter.annotation if annotated else given.empty for parameter in shown]
    parameters = [
        parameter.replace(annotation=kind if kind is given.empty else _Written(kind), default=_default(parameter))
        for parameter, kind in zip(shown, kinds, strict=True)
    ]
    result = given.return_annotation
    wanted = annotated and not inspect.isclass(one) and result is not given.empty
    found = given.replace(parameters=parameters, return_annotation=_Written(result) if wanted else given.empty)
    line = f"{name}{found}"
    if not annotated or len(line) <= LINE:
        return line
    inside = "".join(f"    {part},\n" for part in _parts(found))
    return f"{name}(\n{inside}){f' -> {result}' if wanted else ''}"


def _default(parameter: inspect.Parameter) -> Any:
    """A function by its name, and not by its address."""
    default = parameter.default
    return _Written(default.__name__) if inspect.isroutine(default) else default


def _parts(given: inspect.Signature) -> Iterator[str]:
    """The parameters one by one, and the star before those that need their names."""
    starred = False
    for parameter in given.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            starred = True
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(parameter)


class _Written(str):
    """An annotation that shows itself without quotation marks."""

    __slots__ = ()

    def __new__(cls, annotation: Any) -> _Written:
        return super().__new__(cls, annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))

    __repr__ = str.__str__


def code(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language)


def definitions(entries: Iterable[tuple[str, list[nodes.Node]]]) -> nodes.Node:
    """Terms as code, each with its description."""
    inside = [
        node
        for term, described in entries
        for node in (element("dt", nodes.literal(text=term.strip())), element("dd", *described))
    ]
    return element("dl", *inside, classes=["book-api-list"])


def write_pages(app: Sphinx, config: Config) -> None:
    """A page for each chapter; one that is as it was is not written, so that it is not read anew."""
    root = Path(app.srcdir)
    folder = root / FOLDER
    # A small book may do without.
    if f"glob: {FOLDER}/" not in (root / "_toc.yml").read_text(encoding="utf-8"):
        return
    folder.mkdir(exist_ok=True)
    wanted = {
        f"{chapter}.md": f"# mcbook.{chapter}\n\n```{{api}} {chapter}\n```\n" for chapter in listed_chapters(root)
    }
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("mcbook_html")
    app.add_directive("api", ApiDirective)
    # Before the table of contents, which looks for the pages at 500.
    app.connect("config-inited", write_pages, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
