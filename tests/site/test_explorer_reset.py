"""Every explorer has a button that puts it back as it was."""

import re
from pathlib import Path

import pytest
from explorer_book import NAMES
from page_visit import visit
from playwright.sync_api import Browser, Page


def state_of(page: Page) -> list[str]:
    """All that an explorer shows, without the numbers of its parts."""
    shown = ".explorer-plot > g, .explorer-facts, .explorer-words, .explorer-table, .explorer-cell, output"
    texts: list[str] = page.locator(shown).evaluate_all("parts => parts.map(part => part.innerHTML)")
    values: list[str] = page.locator(".explorer-frame :is(input, select)").evaluate_all(
        "parts => parts.map(part => `${part.value} ${part.checked}`)"
    )
    return [re.sub(r"explorer-part-\d+", "", text) for text in texts] + values


@pytest.mark.parametrize("name", NAMES)
def test_reset_puts_everything_back_and_says_so(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        page = seen.page
        before = state_of(page)
        for slider in page.locator(".explorer-frame input[type=range]").all():
            slider.press("End")
        for select in page.locator(".explorer-frame select").all():
            select.focus()
            page.keyboard.press("End")
        for pressed in page.locator(".explorer-controls .explorer-button").all():
            pressed.press("Enter")
        for handle in page.locator(".explorer-handle").all()[:1]:
            handle.focus()
            page.keyboard.press("ArrowLeft")
        assert state_of(page) != before
        page.get_by_role("button", name="reset", exact=True).press("Enter")
        assert state_of(page) == before
        assert page.evaluate("document.activeElement.textContent") == "reset"
        heard = page.locator(".explorer-frame [aria-live='polite']").inner_text()
        assert heard
        assert heard in page.locator(".explorer-words").inner_text()
        assert page.locator(".explorer-reset").count() == 1
