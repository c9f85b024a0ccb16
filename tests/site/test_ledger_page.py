"""The page of the ledger: in the order of the book, filtered and sorted by keyboard, and whole without scripts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import mcbook_ledger
import pytest
from page_visit import visit, without_scripts
from playwright.sync_api import Browser, Page

from mcbook.claims import claims, find_claim
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.record import read_records

ROOT = Path(__file__).resolve().parents[2]
BOOK = read_book(ROOT / "book")
ROWS = "table.book-ledger tbody tr:not(.is-chapter)"


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    with visit(browser, site / "book" / "ledger.html") as seen:
        yield seen.page


def shown(page: Page) -> list[str]:
    """The labels of the statements in sight, from top to bottom."""
    script = "rows => rows.filter(row => row.checkVisibility()).map(row => row.querySelector('a').hash.slice(1))"
    return page.locator(ROWS).evaluate_all(script)


def test_what_stands_comes_in_the_order_of_the_book(browser: Browser, site: Path) -> None:
    with without_scripts(browser, site / "book" / "ledger.html") as page:
        links = page.locator(f"{ROWS} td:first-child p:first-child a")
        labels = links.evaluate_all("links => links.map(link => link.hash.slice(1))")
        assert labels == [label for label in BOOK.statements if label in claims()]
        assert page.locator(".book-ledger-controls").count() == 0


def test_words_filter_and_the_number_is_announced(page: Page) -> None:
    everything = shown(page)
    said = page.get_by_role("status")
    assert f"{len(everything)} results" in said.inner_text()
    page.get_by_label("Words", exact=True).focus()
    page.keyboard.type("khinchine CONSTANT")
    assert shown(page) == ["lem-khinchine"]
    assert said.inner_text() == f"1 of {len(everything)} results, in the order of the book."
    assert page.locator("tr.is-chapter:visible").count() == 1
    page.keyboard.press("Escape")
    assert shown(page) == everything
    page.keyboard.type("no such words")
    assert shown(page) == []


def test_chapter_and_tier_filter_together(page: Page) -> None:
    records = read_records(ROOT)
    page.get_by_label("Chapter", exact=True).select_option("ledger-perceptron")
    mine = shown(page)
    assert {BOOK.chapter_of[label] for label in mine} == {"perceptron"}
    page.get_by_label("Tier", exact=True).select_option("exact")
    assert shown(page) == [label for label in mine if records[label]["tier"] == "exact"]


def test_sorting_goes_across_chapters_and_back(page: Page) -> None:
    everything = shown(page)
    page.get_by_label("Sort", exact=True).select_option("most controls first")
    counts = page.locator(ROWS).evaluate_all("rows => rows.map(row => Number(row.dataset.controls ?? -1))")
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    assert page.locator("tr.is-chapter:visible").count() == 0
    page.get_by_label("Sort", exact=True).select_option("in the order of the book")
    assert shown(page) == everything


def test_a_row_says_what_is_recorded(page: Page) -> None:
    claim = find_claim("thm-perceptron-mistake-bound")
    record = read_records(ROOT)[claim.label]
    row = page.locator(ROWS).filter(has=page.locator("a[href$='#thm-perceptron-mistake-bound']")).first
    cells = row.locator("td").all_inner_texts()
    assert record["tier"] in cells[1]
    assert cells[2] == "equality"
    assert cells[3] == str(len(claim.controls) + len(claim.strengthenings))


def verdicts_of_the_pages() -> dict[str, str]:
    """The quiet line below each statement, as the notebooks keep it."""
    found = {}
    for chapter in BOOK.chapters:
        for cell in json.loads((ROOT / "book" / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]:
            asked = re.fullmatch(r'verify\("([\w-]+)"\)', "".join(cell["source"]).strip())
            if asked:
                (output,) = cell["outputs"]
                shown = "".join(output["data"]["text/html"])
                found[asked[1]] = re.search(r"</span> on trial: (.*?)</summary>", shown)[1]
    return found


def test_pages_front_page_and_ledger_agree_on_what_is_attained() -> None:
    records = read_records(ROOT)
    said = verdicts_of_the_pages()
    assert len(said) > 200
    for label, verdict in said.items():
        assert records[label]["found"] == verdict, label
        assert (records[label]["tightness"] == 100) == ("attained" in verdict), label
        assert (mcbook_ledger.tightest(records[label], find_claim(label)) == "equality") == ("attained" in verdict), (
            label
        )


def test_every_function_that_tries_a_claim_is_named_with_its_place() -> None:
    for claim in claims().values():
        functions = list(mcbook_ledger.functions_of(claim))
        for _, name, path, line in functions:
            assert name in "".join((ROOT / path).read_text("utf8").splitlines()[line - 1 : line + 12])
        assert sum(role == "check" for role, *_ in functions) == len(claim.checks)
        assert any(role == "control" for role, *_ in functions) == any(claim.parts["control"][0])
    for repository, address in (
        ("https://github.com/someone/book", "https://github.com/someone/book/blob/HEAD/mcbook/a.py#L7"),
        ("https://gitlab.com/group/book", "https://gitlab.com/group/book/-/blob/HEAD/mcbook/a.py#L7"),
        ("https://git.example.org/someone/book", ""),
        ("", ""),
    ):
        assert mcbook_ledger.source_page(repository, "mcbook/a.py", 7) == address
