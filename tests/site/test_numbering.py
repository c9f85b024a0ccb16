"""Sections have numbers, the statements of a chapter share one counter, and references say the right number."""

import re
from pathlib import Path

import pytest
from test_pages import CHAPTERS

STATEMENT = re.compile(
    r'<div class="proof \w+ admonition" id="(?P<id>[^"]+)">\s*<p class="admonition-title">'
    r'<span class="caption-number">(?P<number>\w+ [\d.]+) ?</span>'
)
REFERENCE = re.compile(
    r'<a class="reference internal" href="[^"]*#(?P<id>[\w-]+)"[^>]*>(?:<span[^>]*>)*(?P<said>[^<]*)<'
)
SECTION = re.compile(r'<h2>(?P<number><span class="section-number">\d+\.\d+\. </span>)?(?P<title>[^<]*)')
NUMBERED = re.compile(r"[A-Z][a-z]+ \d+\.\d+")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, str]:
    return {name: (site / "book" / f"{name}.html").read_text("utf8") for name in CHAPTERS}


def test_sections_have_numbers_and_statements_of_a_chapter_share_one_counter(pages: dict[str, str]) -> None:
    for name, page in pages.items():
        numbers = [int(match["number"].rpartition(".")[2]) for match in STATEMENT.finditer(page)]
        assert numbers == list(range(1, len(numbers) + 1)), f"{name} numbers its statements {numbers}"
        body = page.partition('<article class="bd-article"')[2]
        found = [(match["title"].strip(), bool(match["number"])) for match in SECTION.finditer(body)]
        assert numbers, f"{name} has no numbered statement: does the pattern of this test still fit?"
        assert found, f"{name} has no section: does the pattern of this test still fit?"
        assert [title for title, numbered in found if not numbered] == [], name


def test_references_say_the_number_of_their_statement(pages: dict[str, str]) -> None:
    numbers = {match["id"]: match["number"] for page in pages.values() for match in STATEMENT.finditer(page)}
    said = [
        (name, match["id"], match["said"].strip())
        for name, page in pages.items()
        for match in REFERENCE.finditer(page)
        if match["id"] in numbers and NUMBERED.fullmatch(match["said"].strip())
    ]
    assert 2 * len(said) > len(numbers), "hardly any reference is seen: does the pattern of this test still fit?"
    assert [(name, label, text) for name, label, text in said if text != numbers[label]] == []
