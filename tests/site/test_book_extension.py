"""The book's Sphinx extension: addresses, launch buttons, and what a strict build forgets and remembers."""

import subprocess
from pathlib import Path

import mcbook_book
import pytest
from book_build import build_book, write_small_book
from sphinx.errors import ExtensionError


@pytest.fixture
def small_book(tmp_path: Path) -> Path:
    """The book's settings around one page and one notebook."""
    notebook = (
        '{"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Code"]}],'
        ' "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},'
        ' "nbformat": 4, "nbformat_minor": 5}\n'
    )
    return write_small_book(tmp_path, {"page.md": "# Page\n\nText.\n", "code.ipynb": notebook})


def test_public_address_and_launch_links() -> None:
    book = "https://github.com/someone/book"
    for given, used in (
        (book, book),
        (f"{book}.git", book),
        (f"{book}/", book),
        ("https://name:secret@git.example.org:8443/group/sub/b.git", "https://git.example.org:8443/group/sub/b"),
        ("http://github.com/someone/book", ""),
        ("git@github.com:someone/book.git", ""),
        ("ssh://git@github.com/someone/book.git", ""),
        ("https://github.com", ""),
        ("../book.git", ""),
        ("", ""),
    ):
        assert mcbook_book.public_address(given) == used
    binder, lab = "https://mybinder.org/v2", "HEAD?urlpath=lab/tree/book/code.ipynb"
    colab = "https://colab.research.google.com/github/someone/book/blob/HEAD/book/code.ipynb"
    for address, urls in (
        (book, [f"{binder}/gh/someone/book/{lab}", colab]),
        ("https://gitlab.com/group/sub/book", [f"{binder}/gl/group%2Fsub%2Fbook/{lab}"]),
        ("https://git.example.org/a/book", [f"{binder}/git/https%3A%2F%2Fgit.example.org%2Fa%2Fbook/{lab}"]),
    ):
        assert [link["url"] for link in mcbook_book.launch_links(address, "book/code.ipynb")] == urls


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def test_address_comes_from_the_variable_then_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MCBOOK_REPOSITORY_URL", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert mcbook_book.repository_address(tmp_path) == ""
    git(tmp_path, "init")
    assert mcbook_book.repository_address(tmp_path) == ""
    git(tmp_path, "remote", "add", "origin", "https://github.com/from/git.git")
    assert mcbook_book.repository_address(tmp_path) == "https://github.com/from/git"
    monkeypatch.setenv("MCBOOK_REPOSITORY_URL", "https://github.com/from/variable")
    assert mcbook_book.repository_address(tmp_path) == "https://github.com/from/variable"
    monkeypatch.delenv("MCBOOK_REPOSITORY_URL")
    monkeypatch.setenv("PATH", "")
    assert mcbook_book.repository_address(tmp_path) == "", "a machine without git builds the book too"


def test_wrong_variable_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCBOOK_REPOSITORY_URL", "git@github.com:someone/book.git")
    with pytest.raises(ExtensionError, match=r"must look like https://.*correct it or unset it"):
        mcbook_book.repository_address(tmp_path)


def test_buttons_follow_the_address_from_build_to_build(small_book: Path) -> None:
    ceiling = {"GIT_CEILING_DIRECTORIES": str(small_book.parent)}
    page, notebook = (small_book / "_build" / "html" / "book" / name for name in ("page.html", "code.html"))

    def build(address: str) -> str:
        built = build_book(small_book, MCBOOK_REPOSITORY_URL=address, **ceiling)
        assert built.returncode == 0, built.stdout + built.stderr
        assert "mybinder.org" not in page.read_text("utf8"), "only a notebook can be launched"
        return notebook.read_text("utf8")

    assert "mybinder.org" not in build("")
    with_buttons = build("https://github.com/someone/book")
    assert "https://mybinder.org/v2/gh/someone/book/HEAD" in with_buttons
    assert "https://colab.research.google.com/github/someone/book/" in with_buttons
    assert "mybinder.org" not in build(""), "an old address must not stay behind in pages that did not change"


def test_a_new_page_stands_in_the_contents_of_the_old_ones(small_book: Path) -> None:
    assert build_book(small_book).returncode == 0
    contents = small_book / "_toc.yml"
    (small_book / "book" / "new.md").write_text("# A new page\n\nText.\n", "utf8")
    with contents.open("a", encoding="utf8") as file:
        file.write("- file: book/new\n")
    assert build_book(small_book).returncode == 0
    assert "A new page" in (small_book / "_build" / "html" / "book" / "code.html").read_text("utf8")


def test_warnings_fail_the_build_every_time(small_book: Path) -> None:
    """Sphinx warns about a page only when it reads it: without our care the second build would pass."""
    page = small_book / "book" / "page.md"
    page.write_text(
        "# Page\n\nSee {prf:ref}`thm-that-is-nowhere` and {eq}`eq-nowhere` and {cite}`nobody1900`.\n", "utf8"
    )
    for _ in range(2):
        built = build_book(small_book)
        output = built.stdout + built.stderr
        assert built.returncode != 0
        assert "eq-nowhere" in output
        assert "nobody1900" in output


def test_repairs_are_still_needed_and_made() -> None:
    body = '<div class="proof admonition" id="proof">\n<p>Proof. Text.</p></div><section id="proof-content"></section>'
    repaired = mcbook_book.repair_body(body)
    assert 'id="proof' not in repaired
    assert '<div class="proof admonition book-proof">' in repaired
    assert '<span class="book-proof-word">Proof.</span> Text.' in repaired
    assert mcbook_book.repair_body("<p>Proof. In plain text.</p>") == "<p>Proof. In plain text.</p>"
