"""The labelled equations of the pages, and the tables of statements, as LaTeX; and their parts."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

from mcbook.claims.spine.book import EQUATION, blocks
from mcbook.claims.spine.formulas.syntax import RELATIONS
from mcbook.claims.spine.formulas.tokens import TexError

_CELL = re.compile(r"(?P<label>[a-z0-9-]+)\[(?P<row>[^,\]]+), *(?P<column>[^\]]+)\]")
_OPEN = ("{", "(", "[", r"\{", r"\lfloor", r"\lceil", r"\langle")
_CLOSE = ("}", ")", "]", r"\}", r"\rfloor", r"\rceil", r"\rangle")
_ENDS = (r"\quad", r"\qquad", "\\\\", r"\text", r"\begin", r"\end", ",", ";")


def equations(notebook: Path) -> dict[str, str]:
    """The labelled equations of a page by label, and the bodies of its statements by theirs."""
    return _equations(notebook, notebook.stat().st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _equations(notebook: Path, changed: int) -> dict[str, str]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    markdown = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    found = {match["label"]: match["tex"].strip() for match in EQUATION.finditer(markdown)}
    return found | {block.label: block.body for block in blocks(markdown) if block.label}


def find_equation(notebook: Path, name: str) -> str:
    """The LaTeX of a labelled equation, or of a cell of a statement's table: ``label[first cell of row, column]``."""
    cell = _CELL.fullmatch(name)
    label = cell["label"] if cell else name
    if label not in equations(notebook):
        raise TexError(f"{notebook.name} has no equation ({label}): label the one that states the value")
    text = equations(notebook)[label]
    return _cell(text, cell["row"], cell["column"]) if cell else text


def _cell(statement: str, row: str, column: str) -> str:
    lines = [line for line in statement.splitlines() if line.lstrip().startswith("|")]
    table = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    chosen = [cells for cells in table[2:] if cells[0].split(" $")[0] == row]
    titles = [re.sub(r"[$*]", "", title) for title in table[0]] if table else []
    if len(chosen) != 1 or column not in titles:
        raise TexError(f"expected one row {row!r} and a column {column!r} in the statement's table, got {titles}")
    return chosen[0][titles.index(column)].strip("$")


def pieces(tokens: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What stands apart in a display: separated by wide spaces, line ends, words and commas outside of brackets."""
    found: list[list[str]] = [[]]
    depth, place = 0, 0
    while place < len(tokens):
        token = tokens[place]
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and token in _ENDS:
            found.append([])
            if token in (r"\text", r"\begin", r"\end"):
                place = tokens.index("}", place)
        else:
            found[-1].append(token)
        place += 1
    return [tuple(piece[:-1] if piece[-1] == "." else piece) for piece in found if piece and piece != ["."]]


def sides(piece: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The sides of a chain of relations."""
    found: list[list[str]] = [[]]
    depth = 0
    for token in piece:
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and token in RELATIONS:
            found.append([])
        else:
            found[-1].append(token)
    return [tuple(side) for side in found]


def without_each_term(side: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The sum with one of its terms left out, for each of them; nothing where there is one term only."""
    cuts, depth = [0], 0
    for place, token in enumerate(side):
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and place and token in ("+", "-") and side[place - 1] not in (r"\cdot", "/"):
            cuts.append(place)
    if len(cuts) == 1:
        return []
    ends = [*cuts[1:], len(side)]
    return [side[:start] + side[end:] for start, end in zip(cuts, ends, strict=True)]
