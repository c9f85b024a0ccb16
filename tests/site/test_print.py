"""A page on paper: code that was folded is there, formulas are as large as the text, solutions are left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from book_build import pages_of, write_small_book
from page_visit import visit
from playwright.sync_api import Browser, Page
from test_layers import NOTEBOOK, cell

LONG = "+".join(f"x_{{{i}}}^2" for i in range(60))
CELLS = f"""# Code

Text beside a formula.

$$
a^2+b^2=c^2
$$

$$
{LONG}=1
$$

````{{exercise}}
:label: ex-print
What is 1 + 1?
````

````{{solution}} ex-print
:class: dropdown
It is two.
````
"""
FOLDED = {**cell("code", "folded", "answer = 42"), "metadata": {"tags": ["hide-input"]}}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    notebook = {**NOTEBOOK, "cells": [cell("markdown", "text", CELLS), FOLDED]}
    folder = write_small_book(tmp_path_factory.mktemp("printed"), {"code.ipynb": json.dumps(notebook)})
    return pages_of(folder) / "code.html"


@pytest.fixture
def page(browser: Browser, printed: Path) -> Iterator[Page]:
    with visit(browser, printed) as seen:
        yield seen.page


def on_paper(page: Page) -> None:
    """The page as the browser lays it out at the very moment of printing."""
    page.set_viewport_size({"width": 718, "height": 1047})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", reduced_motion="no-preference")


def size(page: Page, selector: str) -> float:
    sizes = page.locator(selector).evaluate_all("found => found.map(one => parseFloat(getComputedStyle(one).fontSize))")
    return float(sizes[0])


def test_folded_code_is_printed_at_once_and_its_switch_is_not(page: Page) -> None:
    on_paper(page)
    code = page.locator(".cell details.hide > :not(summary)")
    styles = code.evaluate("one => { const s = getComputedStyle(one); return [s.opacity, s.animationName]; }")
    assert styles == ["1", "none"]
    assert page.get_by_text("answer = 42").is_visible()
    assert not page.get_by_text("Hide the code").is_visible()


def test_formulas_are_as_large_as_the_text_and_smaller_only_to_fit(page: Page) -> None:
    on_paper(page)
    formulas = '.bd-article mjx-container[display="true"]'
    letters = page.locator(formulas).evaluate_all(
        "found => found.map(one => [parseFloat(getComputedStyle(one).fontSize),"
        " one.querySelector('mjx-math').getBoundingClientRect().right])"
    )
    (short, _), (long, right) = letters
    assert short >= size(page, ".bd-article p")
    assert long < short
    assert right <= 718


def test_solutions_are_printed_where_they_are_open(page: Page) -> None:
    on_paper(page)
    assert not page.get_by_text("Solution to").is_visible()
    page.emulate_media(media="screen")
    page.locator(".solution button.toggle-button").click()
    on_paper(page)
    assert page.get_by_text("It is two.").is_visible()
