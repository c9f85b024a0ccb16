"""Exercises on a page: answered rightly and wrongly by keyboard, a reason for what is wrong, sealed in the source."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from book_build import pages_of, write_small_book
from page_visit import visit, without_scripts
from playwright.sync_api import Browser, Locator, Page

from mcbook.exercises import Part, check, exercises
from mcbook.exercises.marking import shown_choices, shown_items
from mcbook.exercises.source import IN_CODE

MARKED = [part for exercise in exercises().values() for part in exercise.parts if part.kind not in IN_CODE]
CHAPTERS = sorted({exercise.chapter for exercise in exercises().values()})
every_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def page_text(chapter: str) -> str:
    blocks = [
        f":::{{exercise}} Title\n:label: {exercise.label}\n\nWhat is asked.\n:::\n"
        for exercise in exercises().values()
        if exercise.chapter == chapter
    ]
    blocks.append(f":::{{exercise}} No data\n:label: ex-nothing-{chapter}\n\nOnly asked.\n:::\n")
    return "\n".join([f"# Page of {chapter}\n", *blocks])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book with all exercises that answer."""
    texts = {f"{name}.md": page_text(name) for name in CHAPTERS}
    return pages_of(write_small_book(tmp_path_factory.mktemp("exercises"), texts))


@pytest.fixture(scope="module")
def open_pages(browser: Browser, pages: Path) -> Iterator[dict[str, Page]]:
    context = browser.new_context(offline=True)
    opened = {}
    for name in CHAPTERS:
        opened[name] = context.new_page()
        opened[name].goto((pages / f"{name}.html").as_uri(), wait_until="load")
    yield opened
    context.close()


def box_of(page: Page, part: Part) -> Locator:
    return page.locator(f"[data-part='{part.id}']")


def press(page: Page, key: str, times: int) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def give(page: Page, box: Locator, part: Part, answer: str) -> None:
    """Enter an answer of the data with keys alone, and send it."""
    if part.kind == "number":
        box.locator("input").focus()
        page.keyboard.press("Control+A")
        page.keyboard.press("Delete")
        page.keyboard.type(answer)
        page.keyboard.press("Enter")
        return
    if part.kind == "choice":
        wanted = [text for text, _ in shown_choices(part)].index(answer)
        radios = box.get_by_role("radio")
        radios.first.focus()
        page.keyboard.press("Space")
        press(page, "ArrowDown", wanted)
        assert radios.nth(wanted).is_checked()
    else:
        order_by_keys(page, box, [shown_items(part).index(int(place)) for place in answer.split()])
    box.get_by_role("button", name="Check").focus()
    page.keyboard.press("Enter")


def order_by_keys(page: Page, box: Locator, wanted: list[int]) -> None:
    for target, place in enumerate(wanted):
        entry = box.locator(f"li[data-place='{place}']")
        now = entry.evaluate("li => [...li.parentElement.children].indexOf(li)")
        entry.get_by_role("button", name="Move up").focus()
        press(page, "Enter", now - target)


def marked(box: Locator) -> tuple[str, str]:
    live = box.get_by_role("status")
    return live.get_attribute("data-tone") or "", live.inner_text()


def words(text: str) -> str:
    """The first words of a reason, up to its first formula or code."""
    return re.split(r"[$`]", text.replace("*", ""))[0].strip()


def find(name: str) -> Part:
    return next(part for part in MARKED if part.id == name)


@every_chapter
def test_right_and_wrong_answers_are_marked_with_their_reason(open_pages: dict[str, Page], chapter: str) -> None:
    page = open_pages[chapter]
    for part in (part for part in MARKED if part.chapter == chapter):
        box = box_of(page, part)
        assert box.locator(".book-answer-id").inner_text() == f'In a notebook: check("{part.id}", …)'
        give(page, box, part, part.answer)
        assert marked(box) == ("right", "Right."), part.id
        for wrong in part.wrong:
            give(page, box, part, wrong.answer)
            tone, text = marked(box)
            assert tone == "wrong", f"{part.id}: {wrong.answer}: {text}"
            assert words(wrong.why) in text, part.id
        if part.kind == "number":
            typed = f"{float(Fraction(part.answer)):.6f}"
            give(page, box, part, typed)
            assert (marked(box)[0] == "right") == check(part.id, typed).right, part.id


def test_nothing_chosen_is_no_answer(browser: Browser, pages: Path) -> None:
    with visit(browser, pages / "perceptron.html") as seen:
        box = seen.page.locator("[data-part='perceptron-never-winners']")
        box.get_by_role("button", name="Check").click()
        assert marked(box)[0] == "unread"
        # An exercise without data stays as it is.
        assert seen.page.locator("[id='ex-nothing-perceptron'] .book-answer").count() == 0


def test_a_page_is_made_anew_when_its_exercises_change(pages: Path) -> None:
    made = pickle.loads((pages.parents[1] / ".doctrees" / "environment.pickle").read_bytes())
    for name in CHAPTERS:
        read = {Path(file).parts[-2:] for file in made.dependencies[f"book/{name}"]}
        assert (name, "exercises.toml") in read


def test_without_scripts_a_sentence_and_the_hint_are_left(browser: Browser, pages: Path) -> None:
    with without_scripts(browser, pages / "losses.html") as page:
        box = page.locator("[id='ex-losses-units']")
        assert box.get_by_text("With scripts this page marks your answers here.").is_visible()
        assert not box.locator("[data-sealed]").first.is_visible()
        box.get_by_text("Hint", exact=True).click()
        assert box.get_by_text("trace every term back").is_visible()


@every_chapter
def test_the_source_does_not_show_what_is_right(pages: Path, chapter: str) -> None:
    source = (pages / f"{chapter}.html").read_text(encoding="utf-8")
    for part in (part for part in MARKED if part.chapter == chapter):
        for wrong in part.wrong:
            # A few letters stand in any page by chance.
            if len(words(wrong.why)) > 15:
                assert words(wrong.why)[:30] not in source, "a reason tells which choices are wrong"
        match = re.search(rf'<div[^>]*data-part="{part.id}"[^>]*>', source)
        assert match is not None, part.id
        assert json.dumps(part.answer) not in match[0]


# What a reader may type, and what is no number.
ODD = """
|-|x|.5|0,5|5.|50 %|½|- 3|+3|3 / 4|1/0|1/2/3|1e2|1e-2|1e400|0x10|NaN|inf|1,234|1.234|1 234|12,34|1,2,3|2 3|(2)|2!|٣
3·2|ln 3|two|18.8%|19 %|0.1880|0.30000000000000004|-0|00|= 3|4/2|2,0|200%|2e0|1 2/2|2,000|-2|3/2|20,000|2 rays|0.188
0,1875|0.19|0.187|0.186|18.80 %|14,979|14.979|99999999999999999999"""
RIGHT = {
    "errors-by-hand-loss": ("0.188", "0,1875", "0.187", "18.8 %"),
    "perceptron-never-rays": ("2", "4/2", "2,0", "200%", "2e0", " 2 "),
    "rademacher-confidence-size": ("14979", "14979.0"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_page_and_notebook_agree_on_odd_answers(open_pages: dict[str, Page], name: str) -> None:
    part, seen = find(name), []
    page, box = open_pages[part.chapter], box_of(open_pages[part.chapter], part)
    odd = [" ", *ODD.replace("\n", "|").split("|"), *(f"{sign}{part.number}" for sign in ("", "+", "−"))]
    for typed in [*odd, *RIGHT[name]]:
        give(page, box, part, typed)
        tone, text = marked(box)
        mark = check(name, typed)
        assert (tone == "right") == mark.right, f"{typed!r}: {text} {mark}"
        assert (tone == "unread") == mark.says.startswith("Expected"), f"{typed!r}: {text} {mark}"
        assert tone != "unread" or text.removeprefix("Type ") == mark.says.removeprefix("Expected "), typed
        seen += [typed] if tone == "right" else []
    assert set(RIGHT[name]) <= set(seen)


def test_page_and_notebook_agree_on_what_is_not_rounded(open_pages: dict[str, Page]) -> None:
    for part in (part for part in MARKED if part.unrounded):
        box, exact, told = box_of(open_pages[part.chapter], part), float(part.unrounded), 0
        for typed in [part.unrounded, *(f"{exact + by:.{places}f}" for places in (0, 1, 2, 4) for by in (0, 0.06, 1))]:
            give(open_pages[part.chapter], box, part, typed)
            mark = check(part.id, typed)
            tone, text = marked(box)
            assert tone == ("right" if mark.right else "wrong"), f"{part.id}: {typed}: {text} {mark}"
            assert words(mark.says) in text, typed
            told += "round it up" in mark.says
        assert told >= 3, part.id
