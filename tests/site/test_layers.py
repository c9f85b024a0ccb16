"""Story and everything: what is folded, what the switch does, and that nothing is lost without it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mcbook_layers
import pytest
from book_build import pages_of, write_small_book
from docutils import nodes
from docutils.utils import new_document
from mcbook_html import fold
from page_visit import visit
from playwright.sync_api import Browser, Page
from sphinx.errors import ExtensionError

PAGE = """# Page

Story.

(inside)=
::::{detail} A fold with $x^2$ in its title

Folded text.
::::

:::::{detail} Deep
:::{note}
:name: target
Deep text.
:::
:::::
"""


def cell(kind: str, name: str, source: str) -> dict[str, object]:
    base: dict[str, object] = {"cell_type": kind, "id": name, "metadata": {}, "source": source}
    if kind == "code":
        shown = {"output_type": "stream", "name": "stdout", "text": "folded output\n"}
        base |= {"execution_count": 1, "outputs": [shown]}
    return base


NOTEBOOK = {
    "cells": [
        cell("markdown", "title", "# Code\n\n```{detail-start} Cells\n```"),
        cell("code", "output", "print('folded output')"),
        cell("markdown", "end", "```{detail-end}\n```\n\nAfter."),
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {"page.md": PAGE, "code.ipynb": json.dumps(NOTEBOOK)}
    return pages_of(write_small_book(tmp_path_factory.mktemp("layered"), texts))


@contextmanager
def opened(browser: Browser, path: Path, fragment: str = "", *, scripts: bool = True) -> Iterator[Page]:
    with visit(browser, path.as_uri() + fragment, scripts=scripts) as seen:
        yield seen.page


def folds_open(page: Page) -> list[bool]:
    return page.locator("details.book-detail").evaluate_all("folds => folds.map(fold => fold.open)")


def test_details_are_folded_at_first(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html") as page:
        assert folds_open(page) == [False, False]
        assert page.get_by_role("button", name="Story").get_attribute("aria-pressed") == "true"
        assert page.locator("summary .math").count() == 1


def test_the_switch_unfolds_by_keyboard_and_is_remembered(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html") as page:
        page.get_by_role("button", name="Everything").focus()
        page.keyboard.press("Enter")
        assert folds_open(page) == [True, True]
        page.goto((layered / "code.html").as_uri())
        assert folds_open(page) == [True]
        page.get_by_role("button", name="Story").focus()
        page.keyboard.press("Space")
        assert folds_open(page) == [False]


def test_cells_between_the_marks_are_folded_with_their_outputs(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "code.html") as page:
        assert page.locator("details.book-detail .cell_output").count() == 1
        assert not page.get_by_text("folded output", exact=True).first.is_visible()
        assert page.get_by_text("After.").is_visible()


def test_without_scripts_there_is_no_switch_and_every_fold_opens(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html", scripts=False) as page:
        assert page.locator(".book-layers").count() == 0
        page.get_by_text("A fold with").click()
        assert page.get_by_text("Folded text.").is_visible()


def test_a_link_opens_what_it_leads_to(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html", "#target") as page:
        assert folds_open(page) == [False, True]


def test_words_that_a_search_marked_are_opened(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html") as page:
        # What the page of a search leaves for the page that it leads to.
        page.evaluate("localStorage.setItem('sphinx_highlight_terms', 'folded')")
        page.reload()
        page.wait_for_function("document.querySelector('details.book-detail').open")


def test_print_shows_everything_and_leaves_the_folds_as_they_were(browser: Browser, layered: Path) -> None:
    with opened(browser, layered / "page.html") as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert folds_open(page) == [True, True]
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert folds_open(page) == [False, False]


def test_marks_that_do_not_match_are_refused() -> None:
    start, end = mcbook_layers.detail_start, mcbook_layers.detail_end
    for marks, complaint in (
        ([start], "no detail-end follows"),
        ([end], "no detail-start before it"),
        ([start, start], "begins inside another"),
    ):
        document = new_document("page.md")
        document += nodes.section("", *(mark("", fold("book-detail", ["A"])) for mark in marks))
        with pytest.raises(ExtensionError, match=complaint):
            mcbook_layers.FoldBetweenMarks(document).apply()
