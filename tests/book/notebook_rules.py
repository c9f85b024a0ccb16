"""What a committed notebook must look like, as far as the file alone shows."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbval.plugin import find_comment_markers, find_metadata_tags

from tools import notebooks

RERUN = "run make notebooks"
# In the dark a page turns the lightness of its figures around and keeps their hues: "the orange line" stays true, "the
# darker, the more" becomes false.
LIGHTNESS = re.compile(
    r"\b(black(?! and white)|(?<!black and )white|(?:dark|bright|light|pal)(?:e|er|est)?)\b", re.IGNORECASE
)
# What the tests compare: any other picture or widget would be committed unseen.
COMPARED_TYPES = {"text/plain", "text/html", "text/latex", "text/markdown", "image/png"}


def problems(path: Path) -> list[str]:
    """One sentence for each rule that the notebook breaks: which cell, what is wrong, what to do."""
    try:
        nb = notebooks.read(path)
    except ValueError as error:
        return [str(error)]
    found = [*whole_notebook(nb), *ids(nb), *execution_counts(nb)]
    for cell in code_cells(nb):
        found += [f"cell {cell.get('id')!r} {problem}" for problem in cell_problems(cell)]
    # Last and only when nothing else is wrong, as it would be one more name for each of the problems above.
    if not found and notebooks.serialise(notebooks.normalise(nb)) != path.read_text(encoding="utf-8"):
        found.append(f"the file is not in the form in which the project's tool saves it: {RERUN}")
    return [f"{path.name}: {problem}" for problem in found]


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def whole_notebook(nb: NotebookNode) -> Iterator[str]:
    if nb.metadata != notebooks.METADATA:
        yield f"the notebook's metadata are {dict(nb.metadata)}, expected {notebooks.METADATA}: {RERUN}"
    if nb.nbformat_minor != 5:
        yield f"nbformat 4.{nb.nbformat_minor}, expected 4.5: {RERUN}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing and doubled ids, which have a rule of their own
        for error in nbformat.validator.iter_validate(nb):
            if "'id' is a required property" not in error.message:
                yield f"not a valid notebook: {error.message[:200]}: {RERUN}"


def ids(nb: NotebookNode) -> Iterator[str]:
    for position, cell in enumerate(nb.cells):
        if not cell.get("id"):
            yield f"cell number {position} has no id: {RERUN}"
        elif not notebooks.is_readable_id(cell.id):
            yield f"cell {cell.id!r} has no readable id (lower-case words joined by hyphens): rename it, or {RERUN}"
    for cell_id, times in Counter(cell.get("id") for cell in nb.cells).items():
        if cell_id and times > 1:
            yield f"cell id {cell_id!r} is used {times} times: rename all but one"


def execution_counts(nb: NotebookNode) -> Iterator[str]:
    executable = [cell for cell in code_cells(nb) if cell.source.strip()]
    for expected, cell in enumerate(executable, start=1):
        if cell.get("execution_count") is None:
            yield f"cell {cell.get('id')!r} was never executed: {RERUN}"
        elif cell.execution_count != expected:
            yield f"cell {cell.get('id')!r} was executed as number {cell.execution_count}, not {expected}: {RERUN}"


def cell_problems(cell: NotebookNode) -> Iterator[str]:
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            yield f"holds an error, {output.get('ename')}: {output.get('evalue')}: repair it and {RERUN}"
        elif output.get("name") == "stderr":
            yield f"holds output on stderr, {output.text.strip()[:100]!r}: remove the cause and {RERUN}"
        uncompared = set(output.get("data", {})) - COMPARED_TYPES
        if uncompared:
            yield f"shows {sorted(uncompared)}, which no test compares: show text or a PNG figure"
    with_figure = any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
    if with_figure and not alt_text(cell):
        yield 'shows a figure without alt text: add the cell metadata {"mystnb": {"image": {"alt": "..."}}}'
    caption = str(cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", ""))
    if lightness := LIGHTNESS.findall(caption):
        yield f"has a caption that speaks of {lightness}, which is false in dark mode: name markers, lines or places"
    switched_off = {*dict(find_metadata_tags(cell.metadata)), *dict(find_comment_markers(cell.source))}
    if switched_off:
        yield "has a comment or tag that switches nbval's comparison off: every cell is compared, remove it"


def alt_text(cell: NotebookNode) -> str:
    return str(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")).strip()
