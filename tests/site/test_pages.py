"""The built pages, looked at as a reader sees them: in a browser, from disk, with the network off."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import page_checks
import pytest
import yaml
from page_visit import DESKTOP, PHONE, WIDTHS, resize, switch_mode, visit
from playwright.sync_api import Browser

from mcbook.claims.spine.book import listed_chapters
from tools import budgets

ROOT = Path(__file__).resolve().parents[2]


def documents(entry: dict[str, Any]) -> list[str]:
    """The pages that an entry of the table of contents names, its own before those below it."""
    own = [entry[key] for key in ("root", "file") if key in entry]
    if entry.get("glob") == "book/api/*":
        # The build makes these, one for each chapter.
        own += [f"book/api/{chapter}" for chapter in listed_chapters(ROOT)]
    below = [child for key in ("parts", "chapters", "sections") for child in entry.get(key, [])]
    return own + [name for child in below for name in documents(child)]


CONTENTS = documents(yaml.safe_load((ROOT / "_toc.yml").read_text("utf8")))
# index.html only leads on to the first page and is tried on its own.
PAGES = [*(f"{name}.html" for name in CONTENTS), "search.html"]

CHAPTERS = [Path(name).name for name in CONTENTS if (ROOT / f"{name}.ipynb").exists()]


# What is folded is tried, and what an exercise says; of the ledger's hundreds of lists, which are alike, the first.
OPEN_ALL = """() => {
    const alike = fold => fold.closest('.book-ledger') && fold !== document.querySelector('.book-ledger details');
    for (const fold of document.querySelectorAll('details')) fold.open = !alike(fold);
    for (const button of document.querySelectorAll('.toggle-button-hidden, .book-answer form > button')) button.click();
}"""


@dataclass
class Findings:
    """The complaints about one page by check, and what is needed to follow the links between pages."""

    complaints: dict[str, list[str]]
    links: list[str]
    anchors: set[str]


def examine(browser: Browser, path: Path) -> Findings:
    """All checks in one visit: opening a page and setting its formulas takes longer than looking at it."""
    with visit(browser, path) as seen:
        page = seen.page
        complaints = {
            "quietness": page_checks.quietness(seen),
            "formulas": page_checks.formulas(page),
            "pictures": page_checks.pictures(page),
            "headings": page_checks.headings(page),
            "double anchors": page_checks.double_anchors(page),
        }
        # The page of search results is no article.
        if page.locator(".bd-article").count():
            complaints["budgets"] = list(budgets.measured(page, seen.addresses).complaints())
        for width in WIDTHS:
            resize(page, width)
            complaints[f"overflow {width}"] = page_checks.overflow(page)
        resize(page, PHONE)
        complaints["figures"] = page_checks.readable_figures(page)
        complaints["paper"] = page_checks.paper(page)
        links, anchors = page.evaluate(page_checks.LINKS), set(page.evaluate(page_checks.ANCHORS))
        page.evaluate(OPEN_ALL)
        resize(page, DESKTOP)
        complaints["overflow, all opened"] = page_checks.overflow(page)
        complaints["accessibility"] = page_checks.mode_shown(page, "light") + page_checks.accessibility(page)
        complaints["accessibility on a phone"] = page_checks.accessibility_on_a_phone(page)
        complaints["overflow on a phone, all opened"] = page_checks.overflow(page)
        resize(page, DESKTOP)
        switch_mode(page, "dark")
        complaints["accessibility in the dark"] = page_checks.mode_shown(page, "dark") + page_checks.colours(page)
        complaints["quietness, all opened"] = page_checks.quietness(seen)
        return Findings(complaints, links, anchors)


@pytest.fixture(scope="module")
def findings(browser: Browser, site: Path) -> Callable[[str], Findings]:
    return cache(lambda name: examine(browser, site / name))


def report(name: str, complaints: list[str]) -> None:
    if complaints:
        pytest.fail("\n".join(f"{name} {complaint}" for complaint in complaints), pytrace=False)


def test_no_page_escapes_the_tests(site: Path) -> None:
    """A page left from a deleted chapter, or made by an extension, is tested or is not there."""
    hidden = {"_static", "_sources"}
    built = {path.relative_to(site) for path in site.rglob("*.html")}
    names = {path.as_posix() for path in built if path.parts[0] not in hidden}
    strays = names - {*PAGES, "index.html"}
    assert not strays, f"{sorted(strays)} are built but not in _toc.yml: run `make clean`, or add them there"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_in_order(findings: Callable[[str], Findings], name: str) -> None:
    """Quiet without network, formulas set, pictures described, within its budgets, whole on paper, accessible."""
    found, chapter = findings(name).complaints, name in [f"book/{chapter}.html" for chapter in CHAPTERS]
    of_chapters = ("budgets", "figures")
    complaints = [one for check, said in found.items() if chapter or check not in of_chapters for one in said]
    report(name, complaints)


def test_internal_links_resolve_and_notebooks_can_be_downloaded(
    site: Path, findings: Callable[[str], Findings]
) -> None:
    links = {(site / name).as_uri(): findings(name).links for name in PAGES}
    anchors = {(site / name).as_uri(): findings(name).anchors for name in PAGES}
    complaints = page_checks.dead_links(links, anchors)
    for name in (name for name in CONTENTS if (ROOT / f"{name}.ipynb").exists()):
        copy = site / "_sources" / f"{name}.ipynb"
        if copy.as_uri() not in findings(f"{name}.html").links:
            complaints.append(f"{name}.html has no button that downloads its notebook")
        elif copy.read_bytes() != (ROOT / f"{name}.ipynb").read_bytes():
            complaints.append(f"the download of {name}.ipynb is not the committed notebook: was it edited meanwhile?")
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_figure_on_a_phone_scrolls_or_is_seen_whole(browser: Browser, site: Path, scripts: bool) -> None:
    context = browser.new_context(viewport={"width": PHONE, "height": 900}, java_script_enabled=scripts)
    try:
        page = context.new_page()
        page.goto((site / "book" / f"{CHAPTERS[0]}.html").as_uri(), wait_until="load")
        figure = page.locator("figure:has(.book-figure-box)").first
        box, button = figure.locator(".book-figure-box"), figure.locator("button")
        overhang = "box => box.scrollWidth - box.clientWidth"
        assert box.evaluate(overhang) > 100
        assert "gradient" in box.evaluate("box => getComputedStyle(box).backgroundImage")
        if not scripts:
            assert button.count() == 0
            return
        box.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.activeElement.scrollLeft > 0")
        page.keyboard.press("Tab")
        assert button.evaluate("button => button === document.activeElement")
        page.keyboard.press("Enter")
        assert (box.evaluate(overhang), button.inner_text()) == (0, "Make the letters larger")
        page.keyboard.press("Space")
        assert (box.evaluate(overhang) > 100, button.inner_text()) == (True, "See the whole figure")
    finally:
        context.close()


def test_figures_on_a_desktop_have_no_button(browser: Browser, site: Path) -> None:
    with visit(browser, site / "book" / f"{CHAPTERS[0]}.html") as seen:
        assert not any(button.is_visible() for button in seen.page.locator(".book-figure-switch").all())


def test_index_leads_to_the_first_page(browser: Browser, site: Path) -> None:
    with visit(browser, site / "index.html") as seen:
        seen.page.wait_for_url((site / PAGES[0]).as_uri())
        report("index.html", page_checks.quietness(seen))


def test_search_finds_a_word_from_disk(browser: Browser, site: Path) -> None:
    with visit(browser, (site / "search.html").as_uri() + "?q=symbols") as seen:
        # Results come in one by one.
        seen.page.locator("#search-results li a[href*='notation']").first.wait_for()
        quoted = seen.page.locator("#search-results li .context")
        quoted.first.wait_for()
        assert any("symbols" in (quote.text_content() or "").lower() for quote in quoted.all())
        report("search.html", page_checks.quietness(seen))


def test_one_way_to_search_is_in_sight(browser: Browser, site: Path) -> None:
    for width in WIDTHS:
        with visit(browser, site / PAGES[0], width=width) as seen:
            buttons = seen.page.locator(".search-button__button, .search-button").all()
            boxes = [button.bounding_box() for button in buttons if button.is_visible()]
            in_sight = [box for box in boxes if box and box["x"] >= 0 and box["x"] + box["width"] <= width]
            assert len(in_sight) == 1, f"{len(in_sight)} search fields are in sight at {width} px: hide all but one"
