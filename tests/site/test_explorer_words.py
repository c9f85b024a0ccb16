"""What an explorer shows is also said: readers who hear the page are told what a press or a key has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_visit import visit
from playwright.sync_api import Browser, Page


def words(page: Page) -> str:
    return page.locator(".explorer-words").inner_text()


def fact(page: Page, name: str) -> str:
    return page.locator(f".explorer-facts div:has(dt:text-is('{name}')) dd").inner_text()


@pytest.mark.parametrize(
    ("name", "button"),
    [
        ("weak-learning", "let the answer vote"),
        ("forests", "another order"),
        ("pruning", "one split"),
        ("front", "other random samples"),
    ],
)
def test_each_press_is_heard(browser: Browser, explorer_pages: Path, name: str, button: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        if name == "pruning":
            seen.page.get_by_role("button", name="the root alone").press("Enter")
        said = [words(seen.page)]
        for _ in range(3):
            seen.page.get_by_role("button", name=button).press("Enter")
            said.append(words(seen.page))
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("name", "slider", "facts"),
    [
        ("pruning", "price λ of a leaf", ("errors on the sample", "held-out errors")),
        ("structured", "weight of equal neighbours", ("best path", "objective")),
        ("reductions", "error r of a duel", ("square in conflict", "square with circling duels", "allowed")),
        ("rescaling", "label 1 at position 1", ("its loss", "margin rescaling", "slack rescaling")),
        ("code-matrix", "average hinge loss ε", ("bound at ε", "exact worst case at ε")),
    ],
)
def test_the_numbers_of_a_slider_are_heard(
    browser: Browser, explorer_pages: Path, name: str, slider: str, facts: tuple[str, ...]
) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        for _ in range(6):
            seen.page.get_by_label(slider).press("ArrowLeft")
            missing = [one for one in facts if fact(seen.page, one) not in words(seen.page)]
            assert not missing, f"{missing} in {words(seen.page)!r}"
        # What was said last is what is announced, once the reader pauses.
        seen.page.wait_for_timeout(800)
        assert seen.page.locator(".explorer-announced").inner_text() in words(seen.page)
