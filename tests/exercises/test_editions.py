"""The student's and the instructor's edition: what is stripped, what is put in, and what nbgrader makes of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from mcbook.exercises import exercises
from tools import editions

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted({exercise.chapter for exercise in exercises().values()})
PARTS = {part.id: part for exercise in exercises().values() for part in exercise.parts}
ALL = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
FIELDS = {"schema_version", "grade_id", "grade", "solution", "locked", "task", "cell_type"}


def edition(chapter: str, name: str, *, answers: bool = True) -> NotebookNode:
    return editions.edited(ROOT / "book" / f"{chapter}.ipynb", name, answers=answers)


def text_of(nb: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in nb.cells)


def test_students_get_no_solution_and_everything_else() -> None:
    for chapter in ALL:
        full, bare = edition(chapter, "instructor", answers=False), edition(chapter, "student", answers=False)
        assert "{solution" not in text_of(bare)
        assert "{solution" in text_of(full) or chapter not in CHAPTERS
        assert editions.BEGIN not in text_of(edition(chapter, "student"))
        assert editions.LABEL.findall(text_of(bare)) == editions.LABEL.findall(text_of(full))
        # What follows the last solution is there still.
        assert bare.cells[-1].source == full.cells[-1].source
        assert text_of(full).split() == text_of(editions.notebooks.read(ROOT / "book" / f"{chapter}.ipynb")).split()


@pytest.mark.parametrize("name", ["student", "instructor"])
def test_metadata_follow_the_schema(name: str) -> None:
    for chapter in CHAPTERS:
        nb = edition(chapter, name)
        nbformat.validate(nb)
        marked = [(cell, cell.metadata["nbgrader"]) for cell in nb.cells if "nbgrader" in cell.metadata]
        ids = [fields["grade_id"] for _, fields in marked]
        assert len(set(ids)) == len(ids)
        for cell, fields in marked:
            assert fields["schema_version"] == 3
            assert set(fields) == FIELDS | ({"points"} if fields["grade"] else set())
            assert fields["cell_type"] == cell.cell_type
            assert not (fields["grade"] and fields["solution"])
            # A value would be taken for points by nbgrader, which warns that it is none.
            assert name == "instructor" or not fields["grade"] or re.match(r"(_ = |print\()check\(", cell.source)
        wanted = {part.id for part in PARTS.values() if part.chapter == chapter}
        assert {fields["grade_id"] for _, fields in marked if fields["solution"]} == wanted
        assert {fields["grade_id"] for _, fields in marked if fields["grade"]} == {f"{part}-check" for part in wanted}


def test_no_right_answer_stands_in_an_answer_cell_of_a_student() -> None:
    for chapter in CHAPTERS:
        for cell in edition(chapter, "student").cells:
            part = PARTS.get(cell["id"])
            if part:
                assert cell.source == editions.stub(part)
                assert editions.solution(part) not in cell.source


def test_a_solution_that_never_ends_is_an_error() -> None:
    start = editions.markdown_cell("a", "```{solution-start} ex-a\n```\nText.")
    with pytest.raises(ValueError, match="never ends"):
        editions.without_solutions(editions.split_at_solutions([start]))
    with pytest.raises(ValueError, match="close it"):
        editions.cut("```{solution} ex-a\nText.")


def test_a_solution_in_the_midst_of_a_cell_is_cut_out() -> None:
    text = "Before.\n\n````{solution} ex-a\n```python\n1\n```\n````\n\nAfter."
    cells = editions.without_solutions(editions.split_at_solutions([editions.markdown_cell("a", text)]))
    assert [cell.source for cell in cells] == ["Before.", "After."]
    assert len({cell["id"] for cell in cells}) == 2


# --- nbgrader itself --------------------------------------------------------------------------------------------------


def exercises_alone(chapter: str, name: str) -> NotebookNode:
    """The cells that nbgrader reads; those of the chapter itself are executed by other tests."""
    nb = edition(chapter, name)
    imports = editions.code_cell("imports", "import numpy as np", {})
    nb.cells = [imports, *(cell for cell in nb.cells if "nbgrader" in cell.metadata)]
    return nb


def answered(chapter: str, answers: dict[str, str]) -> NotebookNode:
    nb = exercises_alone(chapter, "student")
    for cell in nb.cells:
        cell.source = answers.get(cell["id"], cell.source)
    return nb


def wrong_answer(part: Any) -> str:
    wrong = part.wrong[0].answer
    if part.kind in editions.IN_CODE:
        return str(wrong).strip()
    # A choice that is not there, and the items in the order in which they are shown, are wrong.
    return {
        "number": f"{part.variable} = {wrong}",
        "choice": f"{part.variable} = 5",
        "ordering": f"{part.variable} = {list(range(1, len(part.items) + 1))}",
    }[part.kind]


@pytest.fixture(scope="module")
def nbgrader() -> Path:
    """nbgrader of an environment of its own, which MCBOOK_NBGRADER names: it wants other versions than the book."""
    program = os.environ.get("MCBOOK_NBGRADER")
    if not program:
        pytest.skip("nbgrader did not look at the editions: set MCBOOK_NBGRADER to its program, installed elsewhere")
    return Path(program)


@pytest.fixture(scope="module")
def course(nbgrader: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A course with the exercises of one chapter and three submissions."""
    folder = tmp_path_factory.mktemp("course")
    chapter = "problem"
    parts = [part for part in PARTS.values() if part.chapter == chapter]
    submitted = {
        "right": answered(chapter, {part.id: editions.solution(part) for part in parts}),
        "wrong": answered(chapter, {part.id: wrong_answer(part) for part in parts}),
        "stubs": answered(chapter, {}),
    }
    places = {Path("submitted") / student: nb for student, nb in submitted.items()}
    for place, nb in {**places, Path("source"): exercises_alone(chapter, "instructor")}.items():
        target = folder / place / chapter
        target.mkdir(parents=True)
        (target / f"{chapter}.ipynb").write_text(editions.notebooks.serialise(nb), encoding="utf-8")
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3",
        "language": "python",
        "env": {"PYTHONPATH": str(ROOT)},
    }
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")

    def run(*arguments: str) -> str:
        path = os.pathsep.join([str(nbgrader.parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "JUPYTER_PATH": str(folder / "jupyter"), "PYTHONPATH": ""}
        command = [str(nbgrader), *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run, folder, chapter


def test_nbgrader_grades_submissions_of_the_student_edition(course: Any) -> None:
    run, folder, chapter = course
    run("generate_assignment", chapter)
    run("autograde", chapter)
    run("export", "--to", "grades.csv")
    header, *rows = (line.split(",") for line in (folder / "grades.csv").read_text("utf8").splitlines())
    scores = {row[header.index("student_id")]: float(row[header.index("score")]) for row in rows}
    points = sum(len(e.parts) * e.level for e in exercises().values() if e.chapter == chapter)
    assert scores == {"right": points, "wrong": 0, "stubs": 0}


def test_nbgrader_validates_the_student_edition_once_it_is_answered(course: Any) -> None:
    run, _, chapter = course
    said = {name: run("validate", f"submitted/{name}/{chapter}/{chapter}.ipynb") for name in ("right", "stubs")}
    assert "Success! Your notebook passes all the tests." in said["right"]
    assert "not yet" in said["stubs"]
