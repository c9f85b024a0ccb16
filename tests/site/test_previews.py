"""Previews of statements, equations, words and works: by pointer and keyboard, never in the way of a touch."""

from collections.abc import Iterator
from pathlib import Path

import mcbook_previews
import page_checks
import pytest
from page_visit import MODES, PHONE, switch_mode, visit, without_scripts
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    with visit(browser, site / "book" / "perceptron.html") as seen:
        yield seen.page


def preview(page: Page) -> Locator:
    return page.locator(".book-preview")


def link(page: Page, kind: str) -> Locator:
    """The first link of a kind that is in sight: in folds there are others."""
    return page.locator(f".bd-article a[href*='{kind}']:not(.headerlink)").filter(visible=True).first


def test_only_what_can_be_shown_is_in_the_table_and_nothing_twice() -> None:
    here = (
        '<div class="proof theorem admonition" id="thm-a"><p id="x">A <a class="headerlink" href="#thm-a">#</a>'
        '<a href="b.html#equation-e">(1)</a><br>line</p></div><p id="plain">no</p>'
        '<a href="#thm-a">to it</a> <a href="#plain">no</a> <a href="b.html#gone">no</a> <a href="c.html#thm-a">no</a>'
    )
    there = (
        '<div class="math" id="equation-e">\\(x < 1\\)</div>'
        '<dl><dt id="term-w">w</dt><dd>means <div>much</div></dd></dl>'
        '<a href="a.html#thm-a">back</a> <a href="#term-w">word</a>'
    )
    made = mcbook_previews.tables({"book/a.html": here, "book/b.html": there})
    statement = '<div class="proof theorem admonition"><p>A <span>(1)</span><br>line</p></div>'
    assert made["book/a.html"] == {"#thm-a": statement, "b.html#equation-e": '<div class="math">\\(x < 1\\)</div>'}
    assert made["book/b.html"] == {"a.html#thm-a": statement, "#term-w": "<dt>w</dt><dd>means <div>much</div></dd>"}


@pytest.mark.parametrize(
    ("kind", "shown"),
    [("#thm-", "Theorem"), ("#equation-eq-", "("), ("glossary.html#term-", ""), ("bibliography.html#", "Novikoff")],
)
def test_focus_shows_what_a_link_leads_to(page: Page, kind: str, shown: str) -> None:
    at = link(page, kind) if kind != "bibliography.html#" else page.locator("a[href^='bibliography.html#']").nth(1)
    at.scroll_into_view_if_needed()
    page.keyboard.press("Tab")
    at.focus()
    expect(preview(page)).to_be_visible()
    assert shown in preview(page).inner_text()
    assert preview(page).locator(".math:not(:has(mjx-container))").count() == 0
    assert at.get_attribute("aria-describedby") == "book-preview"
    page.keyboard.press("Escape")
    expect(preview(page)).to_be_hidden()
    assert at.evaluate("link => link === document.activeElement")
    assert at.get_attribute("aria-describedby") is None


def test_the_pointer_may_move_onto_the_preview(page: Page) -> None:
    at = link(page, "#thm-")
    at.hover()
    expect(preview(page)).to_be_visible()
    preview(page).hover()
    page.wait_for_timeout(600)
    expect(preview(page)).to_be_visible()
    page.mouse.move(5, 5)
    expect(preview(page)).to_be_hidden()
    # A link that is only passed opens nothing.
    at.hover()
    page.mouse.move(5, 5)
    page.wait_for_timeout(600)
    expect(preview(page)).to_be_hidden()


def test_a_touch_follows_the_link(browser: Browser, site: Path) -> None:
    context = browser.new_context(
        viewport={"width": PHONE, "height": 800}, has_touch=True, is_mobile=True, offline=True
    )
    page = context.new_page()
    page.goto((site / "book" / "perceptron.html").as_uri())
    at = link(page, "glossary.html#term-")
    at.scroll_into_view_if_needed()
    at.tap()
    page.wait_for_url("**/glossary.html#term-*")
    context.close()


@pytest.mark.parametrize("mode", MODES)
def test_an_open_preview_breaks_nothing(browser: Browser, site: Path, mode: str) -> None:
    with visit(browser, site / "book" / "perceptron.html", width=PHONE) as seen:
        switch_mode(seen.page, mode)
        seen.page.keyboard.press("Tab")
        link(seen.page, "#thm-").focus()
        expect(preview(seen.page)).to_be_visible()
        assert page_checks.quietness(seen) == []
        assert page_checks.double_anchors(seen.page) == []
        assert page_checks.overflow(seen.page) == []
        assert page_checks.accessibility(seen.page, only=[*page_checks.COLOUR_RULES, "aria-tooltip-name"]) == []


def test_without_scripts_a_link_is_a_link(browser: Browser, site: Path) -> None:
    with without_scripts(browser, site / "book" / "perceptron.html") as page:
        link(page, "#thm-").hover()
        assert preview(page).count() == 0
