"""The reference: every public name has an entry, and statements and entries lead to each other."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from mcbook.claims import claims
from mcbook.claims.spine.book import listed_chapters

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = listed_chapters(ROOT)
ENTRY = re.compile(r'<section class="book-api" id="(\w+)">(.*?)</section>', re.S)
ROW = re.compile(r"<tr\b.*?</tr>", re.S)


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("mcbook_api")


def page(site: Path, name: str) -> str:
    return (site / "book" / f"{name}.html").read_text(encoding="utf-8")


def entries(site: Path, chapter: str) -> dict[str, str]:
    return dict(ENTRY.findall(page(site, f"api/{chapter}")))


def lacking(wanted: list[str], found: dict[str, str]) -> list[str]:
    """The names without an entry, or with one that shows no text and no code."""
    return [name for name in wanted if "<p>" not in found.get(name, "")]


def on_trial() -> Iterator[tuple[str, str, str]]:
    """Label, chapter and name of each public function that a claim puts on trial."""
    packages = {chapter: importlib.import_module(f"mcbook.{chapter}") for chapter in CHAPTERS}
    for claim in claims().values():
        for chapter, package in packages.items():
            for name in package.__all__:
                if any(getattr(package, name) is one for one in claim.implements):
                    yield claim.label, chapter, name


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_public_name_has_an_entry(site: Path, chapter: str) -> None:
    names, found = importlib.import_module(f"mcbook.{chapter}").__all__, entries(site, chapter)
    assert lacking(names, found) == []
    assert lacking(names, {name: text for name, text in found.items() if name != names[0]}) == [names[0]]
    assert all(f"api/{chapter}.html#{name}" in page(site, "api") for name in names)


def test_statements_and_functions_lead_to_each_other(site: Path) -> None:
    shown = {chapter: entries(site, chapter) for chapter in CHAPTERS}
    rows = ROW.findall(page(site, "ledger"))
    pairs = list(on_trial())
    assert len(pairs) > 300
    for label, chapter, name in pairs:
        assert f'.html#{label}"' in shown[chapter][name], f"{name} does not lead to {label}"
        (row,) = [row for row in rows if f'#{label}"' in row.partition("</td>")[0]]
        assert re.search(rf'href="api/\w+\.html#{name}"', row), f"the row of {label} does not lead to {name}"


def test_signatures_are_as_they_are_written(extension: ModuleType) -> None:
    def scale(X: "Path", by: "float | None" = 2, *, norm: "object" = sorted) -> "Path":
        """Scale."""

    assert extension.signature("scale", scale, annotated=False) == "scale(X, by=2, *, norm=sorted)"
    line = "scale(X: Path, by: float | None = 2, *, norm: object = sorted) -> Path"
    assert extension.signature("scale", scale).replace("\n    ", " ").replace(",\n)", ")").replace("( ", "(") == line


def test_what_public_functions_return_is_described(extension: ModuleType) -> None:
    names = [name for name, _ in extension.documented(importlib.import_module("mcbook.perceptron"))]
    assert names[0] == "MulticlassPerceptron"
    assert {"best_margin", "BestMargin"} <= set(names)
    assert "RandomState" not in names


def test_pages_are_those_of_the_chapters(extension: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "book" / "api").mkdir(parents=True)
    (tmp_path / "book" / "svm.ipynb").write_text("{}")
    (tmp_path / "book" / "api" / "old.md").write_text("")
    (tmp_path / "_toc.yml").write_text("chapters:\n  - file: book/svm\n  - glob: book/api/*\n")
    extension.write_pages(SimpleNamespace(srcdir=tmp_path), None)
    (made,) = (tmp_path / "book" / "api").iterdir()
    assert (made.name, "```{api} svm" in made.read_text()) == ("svm.md", True)
    before = made.stat().st_mtime_ns
    extension.write_pages(SimpleNamespace(srcdir=tmp_path), None)
    assert made.stat().st_mtime_ns == before
