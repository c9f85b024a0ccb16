"""What the book says: its statements, their proofs and what its chapters import, read from the notebooks."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

# Every block that asserts something must have a claim; these only illustrate, comment or prove.
NOT_ASSERTING = ("proof", "example", "remark")

_BLOCK = re.compile(r"^(?P<fence>:{3,}|`{3,})\{prf:(?P<kind>[a-z]+)\}(?P<body>.*?)^(?P=fence)\s*$", re.M | re.S)
_LABEL = re.compile(r"^:label:\s*(\S+)\s*$", re.M)
_REFERENCE = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([a-z0-9-]+)>?`")
_IMPORT = re.compile(r"^\s*from\s+(mcbook[\w.]*)\s+import\s+(\([^)]*\)|[^\n]+)", re.M)


@dataclass
class BookText:
    """The statements of the book by label, the labels that have a proof, and the names each chapter imports."""

    chapter_of: dict[str, str] = field(default_factory=dict)
    proved: set[str] = field(default_factory=set)
    imports: dict[str, set[str]] = field(default_factory=dict)
    verified: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    folder: Path | None = None


def read_book(folder: Path) -> BookText:
    """Read every notebook of the folder.

    A statement counts as proved when a ``prf:proof`` block names it with ``{prf:ref}`label``` in its first line.
    """
    if not folder.is_dir():
        raise FileNotFoundError(
            f"expected the folder of the book's notebooks, got {folder}: run this from the checkout"
        )
    text = BookText(folder=folder)
    for path in sorted(folder.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
        _read_statements(text, path.stem, "\n\n".join(source for kind, source in sources if kind == "markdown"))
        _read_code(text, path.stem, "\n".join(source for kind, source in sources if kind == "code"))
    return text


def _read_statements(text: BookText, chapter: str, markdown: str) -> None:
    for block in _BLOCK.finditer(markdown):
        kind, body = block["kind"], block["body"]
        if kind == "proof":
            first_line = next((line for line in body.splitlines() if line.strip() and line[0] != ":"), "")
            text.proved.update(_REFERENCE.findall(first_line))
        elif kind not in NOT_ASSERTING:
            label = _LABEL.search(body)
            if label is None:
                text.problems.append(f"{chapter}: a {kind} has no label ({body.strip().splitlines()[0][:60]!r})")
            elif label[1] in text.chapter_of:
                text.problems.append(
                    f"{chapter}: the statement {label[1]} stands in {text.chapter_of[label[1]]} already"
                )
            else:
                text.chapter_of[label[1]] = chapter


def _read_code(text: BookText, chapter: str, code: str) -> None:
    names: set[str] = set()
    for match in _IMPORT.finditer(code):
        names.update(re.findall(r"[A-Za-z_]\w*", match[2].split("#")[0]))
    text.imports[chapter] = names
    text.verified.update(re.findall(r"""verify\(\s*["']([^"']+)["']""", code))
