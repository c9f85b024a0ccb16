"""Explorers: they work by keyboard, are there without scripts, and compute what the package computes."""

import re
from pathlib import Path

import pytest
from explorer_book import FALLBACK, NAMES
from page_visit import PHONE, visit, without_scripts
from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]

every_explorer = pytest.mark.parametrize("name", NAMES)


def words(page: Page) -> str:
    return page.locator(".explorer-words").inner_text()


def fact(page: Page, name: str) -> str:
    return page.locator(f".explorer-facts div:has(dt:text-is('{name}')) dd").inner_text()


def tone(page: Page) -> str:
    return page.locator(".explorer-words").get_attribute("data-tone") or ""


def test_every_explorer_stands_on_a_page() -> None:
    """The tests of the pages look at it there: quiet, accessible, whole in both widths and modes."""
    pages = [path.read_text("utf8") for path in (ROOT / "book").glob("*.*") if path.suffix in (".ipynb", ".md")]
    assert {name for page in pages for name in re.findall(r"\{explorer\} ([\w-]+)", page)} == set(NAMES)


@every_explorer
def test_has_a_dial_that_makes_a_statement_false_and_says_so(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        dials = seen.page.locator(".explorer-dial input")
        assert (dials.count(), tone(seen.page)) == (1, "true"), "expected one dial and a true statement"
        dials.focus()
        said = {}
        for key in ("Home", "End"):
            seen.page.keyboard.press(key)
            said[tone(seen.page)] = words(seen.page)
        assert "false" in said, f"the dial of {name} never leads to a statement that is said to be false: {said}"
        assert re.search(r"\bfalse\b", said["false"], re.I), f"colour and sign alone say that it is false: {said}"
        assert "✗" in said["false"]


@every_explorer
def test_every_control_is_reached_by_keyboard_moves_something_and_is_heard(
    browser: Browser, explorer_pages: Path, name: str
) -> None:
    controls = ".explorer-frame :is(input, select, button, [tabindex='0']):not([tabindex='-1'])"
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        expected = seen.page.locator(controls).count()
        assert expected > 1
        seen.page.locator(controls).first.focus()
        reached = {seen.page.evaluate("document.activeElement.outerHTML")}
        for _ in range(expected - 1):
            seen.page.keyboard.press("Tab")
            assert seen.page.evaluate("Boolean(document.activeElement.closest('.explorer-frame'))")
            reached.add(seen.page.evaluate("document.activeElement.outerHTML"))
        assert len(reached) == expected
        frame = seen.page.locator(".explorer-frame")
        announced = seen.page.locator(".explorer-frame [aria-live='polite']")
        assert announced.inner_text() == ""
        for slider in seen.page.locator(".explorer-frame input[type=range]").all():
            before = frame.inner_html()
            slider.focus()
            seen.page.keyboard.press("ArrowRight")
            assert frame.inner_html() != before, f"a slider of {name} does nothing: {slider.get_attribute('id')}"
            assert slider.get_attribute("aria-valuetext") == slider.locator("xpath=../output").inner_text()
        seen.page.wait_for_timeout(800)
        assert announced.inner_text()
        assert announced.inner_text() in words(seen.page)


DRAGGED = ("plane", "reductions", "losses", "pruning", "weak-learning")


def drawing(page: Page) -> str:
    """What is drawn beneath the points that can be moved."""
    return page.locator(".explorer-plot > g:nth-child(2)").first.inner_html()


def show_points(page: Page, name: str) -> None:
    if name == "losses":
        page.get_by_label("loss", exact=True).select_option("own")


def middle(point: Locator) -> tuple[float, float]:
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, point: Locator, across: float, down: float) -> None:
    x, y = middle(point)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=4)
    page.mouse.up()


@pytest.mark.parametrize("name", DRAGGED)
def test_points_are_moved_by_mouse_and_by_keys(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        show_points(seen.page, name)
        point, drawn = seen.page.locator(".explorer-handle").first, drawing(seen.page)
        before = point.get_attribute("aria-valuetext")
        drag(seen.page, point, 5, 60)
        said = [point.get_attribute("aria-valuetext")]
        assert said[0] != before
        assert drawing(seen.page) != drawn
        point.focus()
        for key in ("ArrowUp", "Shift+ArrowUp"):
            seen.page.keyboard.press(key)
            said.append(point.get_attribute("aria-valuetext"))
        assert len(set(said)) == 3, said
        assert point.evaluate("point => point === document.activeElement")


@pytest.mark.parametrize("name", DRAGGED)
def test_points_are_moved_by_touch(browser: Browser, explorer_pages: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": PHONE, "height": 900}, has_touch=True, offline=True)
    page = context.new_page()
    page.goto((explorer_pages / f"{name}.html").as_uri())
    show_points(page, name)
    point = page.locator(".explorer-handle").first
    before, (x, y) = point.get_attribute("aria-valuetext"), middle(point)
    scrolled = page.evaluate("document.querySelector('main, body').scrollTop + scrollY")
    touch = context.new_cdp_session(page)
    for kind, points in (("Start", [(x, y)]), ("Move", [(x, y + 20)]), ("Move", [(x, y + 40)]), ("End", [])):
        places = [{"x": across, "y": down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": places})
    assert point.get_attribute("aria-valuetext") != before
    assert page.evaluate("document.querySelector('main, body').scrollTop + scrollY") == scrolled
    context.close()


def test_a_child_stays_on_the_curve_of_its_impurity(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "impurities.html") as seen:
        point = seen.page.locator(".explorer-handle").first
        point.focus()
        said = [point.get_attribute("aria-valuetext")]
        for key in ("ArrowDown", "ArrowUp", "Shift+ArrowLeft"):
            seen.page.keyboard.press(key)
            said.append(point.get_attribute("aria-valuetext"))
        # Gini impurity in units of its value at one half: 4 p (1 - p).
        assert said == ["0.20, 0.64", "0.19, 0.62", "0.20, 0.64", "0.15, 0.51"]
        assert point.evaluate("point => point === document.activeElement")
        drag(seen.page, point, 90, 60)
        p, height = (float(value) for value in (point.get_attribute("aria-valuetext") or "").split(", "))
        assert p > 0.2
        assert height == pytest.approx(4 * p * (1 - p), abs=0.01)


def test_the_cells_of_a_code_are_walked_by_arrow_keys_and_changed_by_the_space_bar(
    browser: Browser, explorer_pages: Path
) -> None:
    with visit(browser, explorer_pages / "code-matrix.html") as seen:
        seen.page.get_by_label("class 1, column 1: plus").focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Space"):
            seen.page.keyboard.press(key)
        focused = seen.page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused == "class 2, column 3: zero"
        assert "3.5 (classes 1, 2)" in seen.page.locator(".explorer-facts").inner_text()


def test_a_tree_is_grown_split_by_split_and_then_pruned_along_the_penalty(
    browser: Browser, explorer_pages: Path
) -> None:
    with visit(browser, explorer_pages / "pruning.html") as seen:

        def shown(name: str) -> str:
            return fact(seen.page, name)

        def press(name: str, times: int = 1) -> None:
            seen.page.get_by_role("button", name=name).focus()
            for _ in range(times):
                seen.page.keyboard.press("Enter")

        cells = seen.page.locator(".explorer-plot").first.locator("polygon.explorer-area")
        press("the root alone")
        assert (shown("leaves left"), shown("last question"), cells.count()) == (
            "1 of 1",
            "none",
            1,
        )
        asked = []
        for n in (2, 3, 4):
            press("one split")
            asked.append(shown("last question"))
            assert (shown("leaves left"), cells.count()) == (f"{n} of {n}", n)
        press("one back")
        assert (shown("leaves left"), shown("last question")) == ("3 of 3", asked[1])
        press("to the end")
        whole, least = cells.count(), shown("errors on the sample")
        assert least == "0"
        assert "raise the penalty" in words(seen.page)
        penalty = seen.page.get_by_label("penalty λ of a leaf")
        penalty.focus()
        left, held = [], []
        for _ in range(60):
            seen.page.keyboard.press("ArrowRight")
            left.append(cells.count())
            held.append(int(shown("held-out errors")))
        assert left == sorted(left, reverse=True)
        assert whole >= left[0] > left[-1]
        assert len(set(held)) > 2
        # A tree that is not grown to the end is validated as it is.
        curve = seen.page.locator(".explorer-plot").nth(2).locator("path.explorer-series-2")
        drawn = curve.get_attribute("d")
        press("the root alone")
        press("one split", 2)
        assert curve.get_attribute("d") != drawn


def test_the_reader_splits_the_leaves_of_a_tree(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "trees.html") as seen:
        cells = seen.page.locator(".explorer-plot").nth(0).locator("polygon.explorer-area")
        ring = seen.page.locator("polygon.explorer-ring")
        press = {
            name: seen.page.get_by_role("button", name=name) for name in ("mark a", "split the marked", "take one")
        }
        assert cells.count() == 2
        # By keyboard: the second leaf is marked and split.
        assert ring.count() == 0
        press["mark a"].press("Enter")
        press["mark a"].press("Enter")
        assert ring.count() == 1
        assert "Leaf 2 is marked" in words(seen.page)
        press["split the marked"].press("Enter")
        assert (cells.count(), ring.count()) == (3, 0)
        by_keyboard = cells.evaluate_all("all => all.map(one => one.getAttribute('points'))")
        # By a click into the same cell.
        press["take one"].press("Enter")
        assert cells.count() == 2
        box = cells.nth(1).bounding_box()
        assert box is not None
        seen.page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 4)
        assert cells.evaluate_all("all => all.map(one => one.getAttribute('points'))") == by_keyboard
        # A split that is not the best one is allowed, and the words say what it costs.
        seen.page.get_by_label("sample").select_option("sizes")
        assert cells.count() == 1
        seen.page.get_by_role("button", name="let the algorithm").press("Enter")
        said = []
        for n_marks in (1, 2):
            for _ in range(n_marks):
                press["mark a"].press("Enter")
            press["split the marked"].press("Enter")
            said.append(words(seen.page))
            press["take one"].press("Enter")
        assert sum("could be had" in text for text in said) == 1


def test_points_that_cannot_be_separated_have_no_best_margin(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "plane.html") as seen:
        seen.page.get_by_label("sample").select_option("tight")
        made, regions = (
            seen.page.locator(".explorer-facts dd").first,
            seen.page.locator(".explorer-plot .explorer-area"),
        )
        for button, updates in (("one update", "1"), ("start again", "0")):
            seen.page.get_by_role("button", name=button).click()
            assert made.inner_text() == updates
        seen.page.get_by_label("regions of").select_option("best")
        assert regions.count() == 2
        # The second point, of the other class, is moved onto the first.
        for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"):
            seen.page.locator(".explorer-handle").nth(1).press(f"Shift+{key}")
        assert regions.count() == 0
        assert "no weights of best margin" in words(seen.page)
        seen.page.get_by_role("button", name="run to the end").click()
        assert "stops here, after 2000 updates" in words(seen.page)
        assert "never end" in words(seen.page)
        seen.page.get_by_role("button", name="one update").click()
        assert "Update 2001" in words(seen.page)


@every_explorer
def test_without_scripts_a_picture_and_a_sentence_stand_there(
    browser: Browser, explorer_pages: Path, name: str
) -> None:
    with without_scripts(browser, explorer_pages / f"{name}.html") as page:
        assert page.get_by_text(FALLBACK).is_visible()
        pictures = page.locator("[data-explorer] svg[role=img][aria-label]").all()
        assert pictures
        assert all(picture.is_visible() for picture in pictures)
        assert page.locator("[data-explorer] :is(input, button, [tabindex])").count() == 0


# What is shown is also said, and undone.


PRESSED = {
    "weak-learning": "let the answer vote",
    "forests": "another order",
    "pruning": "one split",
    "front": "other random samples",
}
SAID = {
    "pruning": ("penalty λ of a leaf", ("errors on the sample", "held-out errors")),
    "structured": ("weight of equal neighbours", ("best path", "objective")),
    "reductions": ("error r of a duel", ("square in conflict", "square with circling duels", "allowed")),
    "rescaling": ("label 1 at position 1", ("its loss", "margin rescaling", "slack rescaling")),
    "code-matrix": ("average hinge loss ε", ("bound at ε", "exact worst case at ε")),
}


@pytest.mark.parametrize("name", PRESSED)
def test_each_press_is_heard(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        if name == "pruning":
            seen.page.get_by_role("button", name="the root alone").press("Enter")
        said = [words(seen.page)]
        for _ in range(3):
            seen.page.get_by_role("button", name=PRESSED[name]).press("Enter")
            said.append(words(seen.page))
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("name", SAID)
def test_the_numbers_of_a_slider_are_heard(browser: Browser, explorer_pages: Path, name: str) -> None:
    slider, facts = SAID[name]
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        for _ in range(6):
            seen.page.get_by_label(slider).press("ArrowLeft")
            missing = [one for one in facts if fact(seen.page, one) not in words(seen.page)]
            assert not missing, f"{missing} in {words(seen.page)!r}"
        # What was said last is what is announced, once the reader pauses.
        seen.page.wait_for_timeout(800)
        assert seen.page.locator(".explorer-announced").inner_text() in words(seen.page)


def state_of(page: Page) -> list[str]:
    """All that an explorer shows, without the numbers of its parts."""
    shown = ".explorer-plot > g, .explorer-facts, .explorer-words, .explorer-table, .explorer-cell, output"
    texts: list[str] = page.locator(shown).evaluate_all("parts => parts.map(part => part.innerHTML)")
    values: list[str] = page.locator(".explorer-frame :is(input, select)").evaluate_all(
        "parts => parts.map(part => `${part.value} ${part.checked}`)"
    )
    return [re.sub(r"explorer-part-\d+", "", text) for text in texts] + values


@every_explorer
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
        announced = page.locator(".explorer-frame [aria-live='polite']").inner_text()
        assert announced
        assert announced in words(page)
