"""What the book says: its statements and their proofs, and what its chapters use and show, read from the notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcbook.claims.spine.page_code import PageCode

# Every block that asserts something must have a claim; these only illustrate, comment or prove.
NOT_ASSERTING = ("proof", "example", "remark")

_CHAPTER = re.compile(r"^\s*- file: book/(\w+)\s*$", re.M)
_BLOCK = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{prf:(?P<kind>[a-z]+)\}(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=fence)\s*$", re.M | re.S
)
_LABEL = re.compile(r"^:label:\s*(\S+)\s*$", re.M)
_OPTION = re.compile(r"^:\w[\w-]*:.*$", re.M)
REFERENCE = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([a-z0-9-]+)>?`")
# A display with a label.
EQUATION = re.compile(r"\$\$(?P<tex>(?:[^$]|\\\$)+?)\$\$\s*\((?P<label>[a-z0-9-]+)\)")
# A proof that does not stand below its statement says in its first words which statements it proves.
NAMING = re.compile(r"^For ((?:[\s,]*(?:and\s+)?\{prf:ref\}`[^`]+`)+)\.?\s*", re.M)

# A cell of a notebook, as its file holds it.
Cell = dict[str, Any]


@dataclass(frozen=True)
class Statement:
    """A block that asserts something."""

    chapter: str
    title: str
    text: str


@dataclass
class BookText:
    """The book's statements by label, their proofs, and the text and code of its chapters."""

    folder: Path | None = None
    chapters: list[str] = field(default_factory=list)
    statements: dict[str, Statement] = field(default_factory=dict)
    proofs: dict[str, str] = field(default_factory=dict)
    # Examples, and displays with a label outside of statements, proofs and examples.
    others: dict[str, Statement] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    code: dict[str, PageCode] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def chapter_of(self) -> dict[str, str]:
        return {label: statement.chapter for label, statement in self.statements.items()}

    @property
    def proved(self) -> set[str]:
        return set(self.proofs)


def listed_chapters(root: Path) -> list[str]:
    """The chapters of the table of contents, in its order: those of its pages that are notebooks."""
    pages = _CHAPTER.findall((root / "_toc.yml").read_text(encoding="utf-8"))
    return [page for page in pages if (root / "book" / f"{page}.ipynb").is_file()]


def read_book(folder: Path) -> BookText:
    """Read the notebooks of the folder: those that the table of contents beside it lists, or all where there is none.

    A ``prf:proof`` block proves the statement before it, or those that it begins with: "For {prf:ref}`label`."
    """
    if not folder.is_dir():
        raise FileNotFoundError(
            f"expected the folder of the book's notebooks, got {folder}: run this from the checkout"
        )
    listed = (folder.parent / "_toc.yml").is_file()
    names = listed_chapters(folder.parent) if listed else sorted(path.stem for path in folder.glob("*.ipynb"))
    text = BookText(folder=folder, chapters=names)
    for chapter in names:
        cells = json.loads((folder / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
        text.pages[chapter] = "\n\n".join("".join(cell["source"]) for cell in _of_kind(cells, "markdown"))
        _read_blocks(text, chapter, text.pages[chapter])
        text.code[chapter] = code = PageCode()
        for cell in _of_kind(cells, "code"):
            problem = code.read("".join(cell["source"]))
            if problem:
                text.problems.append(f"{chapter}: cell {cell.get('id', 'without id')!r} {problem}")
    return text


def _of_kind(cells: list[Cell], kind: str) -> Iterator[Cell]:
    return (cell for cell in cells if cell["cell_type"] == kind)


@dataclass(frozen=True)
class Block:
    """A statement, proof, example or remark of a page, as it stands there."""

    kind: str
    title: str
    label: str
    body: str


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a page in their order, without the lines of their options."""
    for block in _BLOCK.finditer(markdown):
        label = _LABEL.search(block["body"])
        body = _OPTION.sub("", block["body"]).strip()
        yield Block(block["kind"], block["title"].strip(), label[1] if label else "", body)


def _read_blocks(text: BookText, chapter: str, markdown: str) -> None:
    above = ""
    for display in EQUATION.finditer(_BLOCK.sub("", markdown)):
        text.others[display["label"]] = Statement(chapter, "", display["tex"].strip())
    for block in blocks(markdown):
        label, body = block.label, block.body
        if block.kind == "proof":
            naming = NAMING.match(body)
            for proved in REFERENCE.findall(naming[0]) if naming else filter(None, [above]):
                text.proofs[proved] = f"{text.proofs[proved]}\n{body}" if proved in text.proofs else body
        elif block.kind == "example":
            text.others[label] = Statement(chapter, block.title, body)
        elif block.kind not in NOT_ASSERTING:
            above = label
            if not label:
                text.problems.append(f"{chapter}: a {block.kind} has no label ({(block.title or body)[:60]!r})")
            elif label in text.statements:
                text.problems.append(
                    f"{chapter}: the statement {label} stands in {text.statements[label].chapter} already"
                )
            else:
                text.statements[label] = Statement(chapter, block.title, body)


def argument(proof: str) -> str:
    """What a proof says beyond naming its statement and what else it refers to."""
    return REFERENCE.sub("", NAMING.sub("", proof.strip(), count=1)).strip()
