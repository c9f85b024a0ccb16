"""The front page, the map, the glossary and its index: computed from the pages, and whole without scripts."""

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from docutils import nodes
from page_visit import DESKTOP, PHONE, visit
from playwright.sync_api import Browser, Page

from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.glossary import read_glossary
from mcbook.claims.spine.uses import chapter_uses, direct_uses

ROOT = Path(__file__).resolve().parents[2]
BOOK = read_book(ROOT / "book")


@pytest.fixture
def front(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("mcbook_front")


@contextmanager
def without_scripts(browser: Browser, path: Path) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        yield page
    finally:
        context.close()


def test_a_timetable_is_in_order_and_even_and_times_are_given_to_five_minutes(front: ModuleType) -> None:
    for work, slots, made in (
        ({"a": 10, "b": 10, "c": 10, "d": 30}, 2, [(1, 1, ["a", "b", "c"]), (2, 2, ["d"])]),
        ({"a": 60, "b": 20}, 4, [(1, 3, ["a"]), (4, 4, ["b"])]),
        ({"a": 5, "b": 1}, 2, [(1, 1, ["a"]), (2, 2, ["b"])]),
        ({}, 5, []),
    ):
        assert front.schedule(work, slots) == made
    for minutes, words in ((2, "5 min"), (58, "1 h"), (62.4, "1 h"), (63, "1 h 5 min"), (33, "35 min")):
        assert front.in_words(minutes) == words


def test_a_first_reading_skips_proofs_and_folds_and_work_does_not(front: ModuleType) -> None:
    def block() -> list[nodes.Node]:
        text = (nodes.Text("Three words here. "), nodes.math(text="x^2"), nodes.Text(" is it."))
        return [nodes.paragraph("", "", *text), nodes.math_block(text="y")]

    page = nodes.section("", *block(), front.proof_node("", *block()), front.detail("", *block()))
    page += nodes.literal_block(text="No = word")
    reading = front.read_page(page, front.Reading())
    assert (reading.words, reading.formulas) == (6, 1)
    assert reading.to_work == {"sentence": 4, "formula": 2, "sentence of a proof": 2, "formula of a proof": 1}
    assert reading.minutes == pytest.approx(6 / 100 + 20 / 60)
    assert (reading + reading).work == pytest.approx(2 * (4 * 15 + 2 * 60 + 2 * 60 + 120) / 60)


def test_the_first_screen_has_a_result_and_its_control(browser: Browser, site: Path) -> None:
    dial, verdict = ".explorer-dial input", ".book-verdict-line"
    for width, seen_at_once in ((DESKTOP, (dial, verdict)), (PHONE, (dial,))):
        with visit(browser, site / "book" / "intro.html", width=width) as seen:
            for selector in seen_at_once:
                box = seen.page.locator(selector).bounding_box()
                assert box is not None
                assert box["y"] + box["height"] <= 900, f"{selector} has slipped out of the first screen"


def test_the_verdict_is_that_of_the_chapter(browser: Browser, site: Path) -> None:
    with without_scripts(browser, site / "book" / "intro.html") as page:
        said = page.locator(".book-verdict-line").inner_text().removeprefix("✓ on trial: ")
    with without_scripts(browser, site / "book" / "perceptron.html") as page:
        lines = page.locator("details.mcbook-trial > summary").all_inner_texts()
    assert any(line.endswith(f"on trial: {said}") for line in lines), (said, lines)


def test_every_chapter_has_its_time_and_its_place_in_the_course(browser: Browser, site: Path) -> None:
    with without_scripts(browser, site / "book" / "intro.html") as page:
        rows = page.locator("table.book-times tbody tr").all_inner_texts()
        weeks = page.locator(".book-route", has_text="weeks").locator("a.reference").all()
        addresses = [link.get_attribute("href") for link in weeks]
    assert len(rows) == len(BOOK.chapters) + 1
    assert all(re.search(r"\b(\d+ h|\d+ min)\t(\d+ h|\d+ h \d+ min|\d+ min)\t\d+$", row) for row in rows)
    assert addresses == [f"{chapter}.html" for chapter in BOOK.chapters]


def test_the_map_of_the_chapters_has_their_uses_as_arcs_and_as_a_list(browser: Browser, site: Path) -> None:
    wanted = {(used, user) for user, found in chapter_uses(BOOK).items() for used in found}
    for name in ("intro", "map"):
        with without_scripts(browser, site / "book" / f"{name}.html") as page:
            arcs = (
                page.locator(".book-map")
                .first.locator(".book-map-arc")
                .evaluate_all("arcs => arcs.map(arc => [Number(arc.dataset.used), Number(arc.dataset.user)])")
            )
            assert {(BOOK.chapters[used], BOOK.chapters[user]) for used, user in arcs} == wanted
            page.get_by_text("The map of the chapters as a list").click()
            listed = page.locator("details.book-fold").first.locator("li li")
            items = listed.filter(has_text=re.compile(r"^uses")).all()
            assert sum(item.locator("a").count() for item in items) == len(wanted)


def test_every_result_has_a_row_and_every_use_an_arc(browser: Browser, site: Path) -> None:
    uses = direct_uses(BOOK)
    with without_scripts(browser, site / "book" / "map.html") as page:
        for chapter in BOOK.chapters:
            fold = page.locator(f"#map-{chapter.replace('_', '-')}")
            mine = [label for label, one in BOOK.statements.items() if one.chapter == chapter]
            rows = fold.locator(".book-map li:not(.is-foreign) a").evaluate_all(
                "links => links.map(link => link.hash.slice(1))"
            )
            assert rows == mine
            assert fold.locator(".book-map-arc").count() == sum(len(uses[label]) for label in mine)


def test_a_chapter_of_the_map_opens_its_results(browser: Browser, site: Path) -> None:
    with visit(browser, site / "book" / "intro.html") as seen:
        seen.page.locator(".book-map li small a").last.focus()
        seen.page.keyboard.press("Enter")
        seen.page.wait_for_url(re.compile("map.html#map-"))
        fold = seen.page.locator(f"#map-{BOOK.chapters[-1].replace('_', '-')}")
        assert fold.get_attribute("open") is not None


def test_focus_on_a_row_points_out_what_it_touches(browser: Browser, site: Path) -> None:
    with visit(browser, site / "book" / "map.html") as seen:
        uses = chapter_uses(BOOK)
        chapter = max(uses, key=lambda name: len(uses[name]))
        touching = len(uses[chapter]) + sum(chapter in found for found in uses.values())
        chapters = seen.page.locator(".book-map").first
        chapters.locator("li").nth(BOOK.chapters.index(chapter)).locator("a").first.focus()
        assert chapters.locator(".book-map-arc.is-near").count() == touching
        seen.page.evaluate("document.activeElement.blur()")
        assert chapters.locator(".book-map-arc.is-near").count() == 0


def test_a_word_is_linked_once_on_a_page_and_in_no_heading_or_exercise(browser: Browser, site: Path) -> None:
    for chapter in BOOK.chapters:
        with without_scripts(browser, site / "book" / f"{chapter}.html") as page:
            links = page.locator("a[href^='glossary.html#term-']")
            linked = Counter(link.get_attribute("href") for link in links.all())
            assert linked, f"{chapter} uses no word of the glossary"
            assert set(linked.values()) == {1}
            assert (
                page.locator(":is(h1, h2, h3, .exercise, .solution, a a) a[href^='glossary.html#term-']").count() == 0
            )


def test_the_index_leads_to_every_section_in_which_a_word_stands(browser: Browser, site: Path) -> None:
    with without_scripts(browser, site / "book" / "term_index.html") as page:
        entries = page.locator(".book-index-entry")
        assert entries.count() > len(read_glossary(ROOT / "book")) / 2
        assert all(link.get_attribute("href") for link in entries.locator("a").all())
        hamming = entries.filter(has=page.get_by_role("link", name="Hamming distance", exact=True))
        addresses = [link.get_attribute("href") or "" for link in hamming.locator("a").all()]
    assert any(address.endswith("#def-mono-and-multi-label-risk") for address in addresses)
    assert any(address.startswith("problem.html#") for address in addresses)


def test_the_front_page_counts_every_exercise_of_a_chapter(site: Path) -> None:
    """Those in a fold, too: it is the reading times that leave folds out."""
    page = (site / "book" / "intro.html").read_text("utf8")
    counts = dict(re.findall(r'<tr>.*?href="(\w+)\.html".*?<td>(\d+)</td></tr>', page, re.DOTALL))
    for path in (ROOT / "book").glob("*.ipynb"):
        if path.stem in counts:
            assert int(counts[path.stem]) == path.read_text("utf8").count("{exercise} "), path.stem
    assert len(counts) > 10
