"""Making a chapter, checking it, compiling the kernels."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from mcbook.__main__ import main
from mcbook.claims import claims
from mcbook.claims.spine.book import listed_chapters
from mcbook.commands.chapters import chapter_problems, new_chapter
from mcbook.commands.pages import exercise_problems, page_problems
from mcbook.commands.warm import kernel_modules

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = listed_chapters(ROOT)
NEW = "boxes"


@pytest.fixture
def checkout(tmp_path):
    for folder in ("mcbook/claims", "tests", "book"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    return tmp_path


def test_every_chapter_is_whole():
    assert {name: chapter_problems(name, ROOT) for name in CHAPTERS} == {name: [] for name in CHAPTERS}


def test_every_chapter_of_the_contents_has_claims_and_every_claim_a_notebook():
    claimed = {claim.chapter for claim in claims().values()}
    assert set(CHAPTERS) <= claimed <= {path.stem for path in (ROOT / "book").glob("*.ipynb")}


def test_a_new_chapter_has_its_files_and_says_what_it_lacks(checkout):
    made = {path.relative_to(checkout).as_posix() for path in new_chapter(NEW, checkout)}
    package = {f"mcbook/{NEW}/{name}" for name in ("__init__.py", "__init__.pyi", "theory.py")}
    others = {f"mcbook/claims/{NEW}/{name}" for name in ("__init__.py", "results.py")}
    others |= {f"tests/test_{NEW}.py", f"book/{NEW}.ipynb"}
    assert made == package | others | {"_toc.yml"}
    listed = (checkout / "_toc.yml").read_text(encoding="utf-8").splitlines()
    assert listed.index(f"      - file: book/{NEW}") < listed.index("  - caption: Appendices")
    assert f":label: thm-{NEW}" in (checkout / "book" / f"{NEW}.ipynb").read_text(encoding="utf-8")
    assert f"{NEW} states thm-{NEW}, and no claim has that label" in chapter_problems(NEW, checkout)


def test_a_new_page_has_the_layers_and_says_what_it_lacks(checkout):
    new_chapter(NEW, checkout)
    notebook = (checkout / "book" / f"{NEW}.ipynb").read_text(encoding="utf-8")
    assert "{detail-start}" in notebook
    assert "{detail-end}" in notebook
    assert "hide-input" in notebook
    assert "verify(" in notebook
    assert any("has no explorer" in line for line in page_problems(NEW, checkout))
    (problem,) = [line for line in page_problems(NEW, checkout) if "budgets" in line]
    assert "make book" in problem


def test_too_few_exercises_are_counted_by_kind(monkeypatch):
    def some(*kinds, level=1):
        parts = tuple(SimpleNamespace(kind=kind) for kind in kinds)
        return SimpleNamespace(chapter=NEW, level=level, parts=parts)

    def problems(*found):
        monkeypatch.setattr("mcbook.commands.pages.exercises", lambda: dict(enumerate(found)))
        return " ".join(exercise_problems(NEW))

    enough = [*[some("number", level=level) for level in (1, 2, 3)], *[some("function")] * 2, *[some("array")] * 5]
    assert problems(*enough) == ""
    assert "has 9 exercises that answer" in problems(*enough[:9])
    assert "has 2 exercises without Python" in problems(*enough[1:], some("number", "array"))
    assert "has 1 coding tasks" in problems(*enough[:4], *[some("array")] * 6)
    assert "no exercise of level 2 and 3" in problems(*enough[:1] * 3, *enough[3:])


def test_nothing_that_exists_is_overwritten(checkout):
    new_chapter(NEW, checkout)
    (checkout / "mcbook" / NEW / "theory.py").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match="nothing was written"):
        new_chapter(NEW, checkout)
    assert (checkout / "mcbook" / NEW / "theory.py").read_text(encoding="utf-8") == "mine"


def test_a_chapter_without_files_is_described(checkout):
    assert any("there is no" in line for line in chapter_problems(NEW, checkout))


def test_a_name_that_is_none_is_refused(checkout, capsys):
    with pytest.raises(ValueError, match="expected a name in lower case"):
        new_chapter("Wishful thinking", checkout)
    assert main(["check-chapter", "Wishful thinking"]) == 2
    assert "expected a name in lower case" in capsys.readouterr().err


def test_outside_a_checkout_the_place_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"_toc\.yml"):
        new_chapter(NEW, tmp_path)


def test_a_module_that_is_too_long_is_named(checkout):
    new_chapter(NEW, checkout)
    (checkout / "mcbook" / NEW / "theory.py").write_text("x = 1\n" * 401, encoding="utf-8")
    assert any("401 lines" in line for line in chapter_problems(NEW, checkout))


def test_warm_names_every_kernel_module(capsys):
    assert main(["warm"]) == 0
    out = capsys.readouterr().out
    packages = [path for path in (ROOT / "mcbook").glob("*/kernels*") if path.suffix == ".py" or path.is_dir()]
    assert len(packages) > 3
    assert all(f"{path.parent.name}.kernels: " in out for path in packages)


def test_warm_begins_with_the_rooms_that_have_most_to_compile():
    packages = kernel_modules()
    files = {*(ROOT / "mcbook").glob("*/kernels.py"), *(ROOT / "mcbook").glob("*/kernels/**/*.py")}
    sizes = [sum(file_of(name).stat().st_size for name in names) for names in packages]
    assert {file_of(name) for names in packages for name in names} == files
    assert sizes == sorted(sizes, reverse=True)
    assert len(packages) == len({name.split(".")[0] for names in packages for name in names})


def file_of(name):
    path = ROOT / "mcbook" / Path(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
