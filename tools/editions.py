"""Write the student's and the instructor's edition of the book from its one source (`make student`, `make instructor`).

    python tools/editions.py student      _build/student: no solutions; stubs and checkers in
    python tools/editions.py instructor   _build/instructor: the same with the solutions
    ... --no-pages                        the notebooks alone
    ... perceptron problem                these chapters alone, in the order of _toc.yml

The notebooks carry nbgrader's metadata (schema 3) and lie as it wants them: release/NAME/NAME.ipynb for students,
source/NAME/NAME.ipynb for instructors. The pages are in html.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from mcbook.claims.spine.book import listed_chapters
from mcbook.exercises.marking import EXPECTED, shown_choices, shown_items
from mcbook.exercises.source import IN_CODE, LEVELS, Exercise, Part, exercises
from tools import notebooks

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"student": "release", "instructor": "source"}
FENCE = re.compile(r"^(`{3,}|:{3,})\{(solution(?:-start|-end)?)\}", re.MULTILINE)
LABEL = re.compile(r"^:label: (ex-[\w-]+)$", re.MULTILINE)
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


# --- without solutions ------------------------------------------------------------------------------------------------


def split_at_solutions(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The same cells, cut so that every solution begins and ends where a cell does."""
    found: list[NotebookNode] = []
    for cell in cells:
        pieces = cut(cell.source) if cell.cell_type == "markdown" else [cell.source]
        for number, text in enumerate(pieces):
            piece = nbformat.from_dict({**cell, "source": text})
            piece["id"] = cell["id"] if number == 0 else f"{cell['id']}-part-{number + 1}"
            found.append(piece)
    return found


def cut(text: str) -> list[str]:
    """The text in pieces: what is no solution, and each fenced solution, start or end, with what follows a start."""
    pieces, end = [], 0
    for match in FENCE.finditer(text):
        if match.start() < end:
            continue
        pieces.append(text[end : match.start()])
        end = match.start()
        if match[2] != "solution-start":
            end = closing(text, match)
            pieces.append(text[match.start() : end])
    return [piece.strip() for piece in [*pieces, text[end:]] if piece.strip()]


def closing(text: str, opening: re.Match[str]) -> int:
    """Where the block ends that this fence opens."""
    fence = opening[1]
    closed = re.compile(rf"^{re.escape(fence)}{re.escape(fence[0])}*\s*$", re.MULTILINE).search(text, opening.end())
    if closed is None:
        raise ValueError(f"expected the end of {opening[0]}: close it with {fence}")
    return closed.end()


def without_solutions(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells of a notebook that was cut, less its solutions."""
    kept, inside = [], False
    for cell in cells:
        match = FENCE.match(cell.source) if cell.cell_type == "markdown" else None
        kind = match[2] if match else ""
        if kind == "solution-start":
            inside = True
        elif kind == "solution-end":
            inside = False
        elif not (inside or kind == "solution"):
            kept.append(cell)
    if inside:
        raise ValueError("expected a solution-end after every solution-start: a solution never ends")
    return kept


# --- with answers -----------------------------------------------------------------------------------------------------


def with_answers(cells: list[NotebookNode], edition: str) -> list[NotebookNode]:
    """After each exercise with data, its questions with a cell to answer and a cell that checks."""
    known, found, is_first = exercises(), [], True
    for cell in cells:
        found.append(cell)
        for label in LABEL.findall(cell.source) if cell.cell_type == "markdown" else ():
            if label in known:
                if is_first:
                    locked = graded("check", grade=False, solution=False, locked=True)
                    found.append(code_cell("check", "from mcbook import check", locked))
                is_first = False
                found += exercise_cells(known[label], edition)
    return found


def exercise_cells(exercise: Exercise, edition: str) -> list[NotebookNode]:
    cells = [cell for part in exercise.parts for cell in part_cells(part, exercise.level, edition)]
    hint = f"<details><summary>Hint</summary>\n\n{exercise.hint}\n\n</details>"
    return [*cells, markdown_cell(f"{exercise.label.removeprefix('ex-')}-hint", hint)]


def part_cells(part: Part, points: int, edition: str) -> list[NotebookNode]:
    answer = graded(part.id, grade=False, solution=True, locked=False)
    marking = graded(f"{part.id}-check", grade=True, solution=False, locked=True, points=points)
    return [
        markdown_cell(f"{part.id}-question", asked(part, points)),
        code_cell(part.id, solved(part) if edition == "instructor" else stub(part), answer),
        code_cell(f"{part.id}-check", f'print(check("{part.id}", {part.variable}).require())', marking),
    ]


def asked(part: Part, level: int) -> str:
    lines = [f"**{part.id}** ({LEVELS[level]}). {part.prompt} Answer with {EXPECTED[part.kind].strip(',')}.", ""]
    texts = [text for text, _ in shown_choices(part)] if part.kind == "choice" else []
    if part.kind == "ordering":
        texts = [part.items[place] for place in shown_items(part)]
    return "\n".join([*lines, *(f"{number}. {text}" for number, text in enumerate(texts, 1))]).strip()


def stub(part: Part) -> str:
    return part.stub.strip() if part.kind in IN_CODE else f"{part.variable} = None"


def solved(part: Part) -> str:
    return f"{stub(part)}\n{BEGIN}\n{solution(part)}\n{END}"


def solution(part: Part) -> str:
    if part.kind in IN_CODE:
        return part.answer.strip()
    if part.kind == "choice":
        return f"{part.variable} = {[text for text, _ in shown_choices(part)].index(part.answer) + 1}"
    if part.kind == "ordering":
        return f"{part.variable} = {[shown_items(part).index(place) + 1 for place in part.order]}"
    return f"{part.variable} = {part.answer}"


def graded(grade_id: str, *, grade: bool, solution: bool, locked: bool, points: int = 0) -> dict[str, Any]:
    """The metadata that nbgrader reads, in its schema 3."""
    fields: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
        "cell_type": "code",
    }
    return {"nbgrader": {**fields, "points": points} if grade else fields}


def markdown_cell(name: str, text: str) -> NotebookNode:
    return nbformat.from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": text})


def code_cell(name: str, text: str, metadata: dict[str, Any]) -> NotebookNode:
    base = {"cell_type": "code", "id": name, "metadata": metadata, "source": text}
    return nbformat.from_dict({**base, "execution_count": None, "outputs": []})


# --- writing ----------------------------------------------------------------------------------------------------------


def edited(path: Path, edition: str, *, answers: bool) -> NotebookNode:
    """One notebook of the book in an edition, for a kernel with its answers, for the pages without."""
    nb = notebooks.read(path)
    cells = split_at_solutions(nb.cells)
    if edition == "student":
        cells = without_solutions(cells)
    nb.cells = with_answers(cells, edition) if answers else cells
    nbformat.validate(nb)
    return nb


def write_notebooks(paths: list[Path], edition: str, target: Path) -> None:
    for path in paths:
        folder = target / FOLDERS[edition] / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        nb = edited(path, edition, answers=True)
        (folder / path.name).write_text(notebooks.serialise(nb), encoding="utf-8")
        count = sum("nbgrader" in cell.metadata and cell.metadata["nbgrader"]["grade"] for cell in nb.cells)
        print(f"{folder / path.name}: {count} questions")


def copy_sources(copy: Path, chapters: list[str]) -> None:
    """Copy what the pages are built from, with a table of contents of these chapters alone."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "book", copy / "book", ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    shutil.copy(ROOT / "_config.yml", copy)
    # The pages show what the trials found.
    (copy / "results").mkdir()
    for path in (ROOT / "results").glob("*.json"):
        shutil.copy(path, copy / "results")
    left_out = set(listed_chapters(ROOT)) - set(chapters)
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    for name in left_out:
        contents = re.sub(rf"^\s*- file: book/{name}\s*\n", "", contents, flags=re.MULTILINE)
    (copy / "_toc.yml").write_text(contents, encoding="utf-8")


def write_pages(chapters: list[str], edition: str, target: Path) -> int:
    """Build the pages from a copy of the book; returns the exit code."""
    copy = target / "sources"
    copy_sources(copy, chapters)
    if edition == "student":
        for path in sorted((copy / "book").glob("*.ipynb")):
            path.write_text(notebooks.serialise(edited(path, edition, answers=False)), encoding="utf-8")
    program = str(Path(sys.executable).with_name("jupyter-book"))
    built = subprocess.run([program, "build", ".", "-W", "-n", "--keep-going"], cwd=copy, check=False)
    if built.returncode == 0:
        shutil.rmtree(target / "html", ignore_errors=True)
        shutil.move(copy / "_build" / "html", target / "html")
        shutil.rmtree(copy)
        print(f"The pages are in {target / 'html'}.")
    return built.returncode


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", choices=FOLDERS)
    parser.add_argument("chapters", nargs="*", help="default: all that _toc.yml lists")
    parser.add_argument("--no-pages", action="store_true", help="write the notebooks alone")
    parser.add_argument("--to", type=Path, help="the folder to write into; default: _build/EDITION")
    options = parser.parse_args(arguments)
    listed = listed_chapters(ROOT)
    missing = [name for name in options.chapters if name not in listed]
    if missing:
        parser.error(f"_toc.yml lists no chapter {', '.join(missing)}: choose from {', '.join(listed)}")
    chapters = [name for name in listed if name in options.chapters] or listed
    target = options.to or ROOT / "_build" / options.edition
    write_notebooks([ROOT / "book" / f"{name}.ipynb" for name in chapters], options.edition, target)
    return 0 if options.no_pages else write_pages(chapters, options.edition, target)


if __name__ == "__main__":
    sys.exit(main())
