"""Books of chosen chapters: they build, name what they leave out, refuse what is nowhere; one edition with pages."""

from __future__ import annotations

import re
from pathlib import Path

import mcbook_left_out
import pytest
from book_build import build_book

from tools import editions

ROOT = Path(__file__).resolve().parents[2]
FIRST = ["problem", "losses", "rademacher", "margin_bounds", "perceptron"]
# Their references lead into most of the chapters before them, to statements, equations and figures.
LAST = ["svm_solvers", "output_code_errors", "structured_margins", "replication"]
REFERENCE = re.compile(r"\{(?P<role>prf:ref|eq|numref|ref)\}`(?:[^`<]*<)?(?P<target>[\w-]+)>?`")


def words(page: Path) -> str:
    """The text of a page in one line, with titles of what is left out between stars."""
    text = re.sub(r"</?em>", "*", page.read_text(encoding="utf-8"))
    return " ".join(re.sub(r"<[^>]+>", "", text).split())


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The student's edition of the first chapters."""
    target = tmp_path_factory.mktemp("student")
    assert editions.main(["student", *FIRST, "--to", str(target)]) == 0
    return target


@pytest.fixture(scope="module")
def last_chapters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the last chapters."""
    copy = tmp_path_factory.mktemp("last") / "sources"
    editions.copy_sources(copy, LAST)
    return copy


def test_student_edition_has_notebooks_and_pages_of_its_chapters_alone(student: Path) -> None:
    assert sorted(path.stem for path in student.glob("release/*/*.ipynb")) == sorted(FIRST)
    pages = {path.stem for path in student.glob("html/book/*.html")}
    appendices = {"map", "ledger", "new_results", "errata", "api", "notation", "glossary", "term_index", "bibliography"}
    assert pages == {"intro", *FIRST, *appendices}


def test_student_edition_shows_exercises_without_solutions(student: Path) -> None:
    for chapter in FIRST:
        page = (student / "html" / "book" / f"{chapter}.html").read_text(encoding="utf-8")
        assert "Exercise" in page
        assert "Solution to" not in page, chapter


def test_pages_name_the_statements_and_chapters_that_are_left_out(student: Path) -> None:
    pages = student / "html" / "book"
    sentence = "Theorem *Training error of loss-based decoding* (in *How wrong output codes can be*)"
    assert sentence in words(pages / "losses.html")
    assert "*Constraint classification*" in words(pages / "problem.html")
    assert "The multi-class Perceptron" in words(pages / "ledger.html")
    assert "How wrong output codes can be:" not in words(pages / "map.html")


def test_last_chapters_build_and_a_reference_to_nothing_is_an_error(last_chapters: Path) -> None:
    built = build_book(last_chapters)
    assert built.returncode == 0, (built.stdout + built.stderr)[-4000:]
    pages = last_chapters / "_build" / "html" / "book"
    assert "Theorem *Mistake bound of the multi-class Perceptron* (in *The multi-class Perceptron*)" in words(
        pages / "intro.html"
    )
    assert "(an equation in *The multi-class Perceptron*)" in words(pages / "svm_solvers.html")
    assert "(a figure in *Structured prediction*)" in words(pages / "structured_margins.html")
    bibliography = last_chapters / "book" / "bibliography.md"
    with bibliography.open("a", encoding="utf-8") as file:
        file.write("\nSee {prf:ref}`thm-that-is-nowhere`, {eq}`eq-nowhere`, {doc}`nowhere`.\n")
    built = build_book(last_chapters)
    assert built.returncode != 0
    said = built.stdout + built.stderr
    assert all(name in said for name in ("thm-that-is-nowhere", "eq-nowhere", "unknown document"))


def test_every_reference_between_chapters_has_words() -> None:
    """So any choice of chapters builds, not only the two above."""
    folder = ROOT / "book"
    _, targets = mcbook_left_out.left_out(folder, frozenset())
    references = {
        match["target"]
        for path in [*folder.glob("*.ipynb"), *folder.glob("*.md")]
        for match in REFERENCE.finditer(mcbook_left_out.read_page(path)[0])
    }
    assert sorted(references - set(targets)) == []
    assert all(mcbook_left_out.in_words(targets[name]) for name in references)


def test_an_edition_of_no_such_chapter_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        editions.main(["student", "nowhere", "--to", str(tmp_path)])
    assert "_toc.yml lists no chapter nowhere: choose from problem," in capsys.readouterr().err
