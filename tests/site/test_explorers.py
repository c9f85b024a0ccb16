"""Explorers: they start quietly, work by keyboard, are there without scripts, and compute what the package computes."""

import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import page_checks
import pytest
from explorer_book import FALLBACK, NAMES, SOURCES
from page_visit import MODES, PHONE, WIDTHS, resize, switch_mode, visit
from playwright.sync_api import Browser, Page
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for path in SOURCES.rglob("*.js") if path.parent.name != "data")

every_explorer = pytest.mark.parametrize("name", NAMES)
every_module = pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCES)))


def words(page: Page) -> str:
    return page.locator(".explorer-words").inner_text()


def tone(page: Page) -> str:
    return page.locator(".explorer-words").get_attribute("data-tone") or ""


@every_explorer
def test_starts_quietly_and_fits_in_both_widths_and_modes(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        complaints = page_checks.quietness(seen)
        for mode in MODES:
            switch_mode(seen.page, mode)
            complaints += page_checks.accessibility(seen.page)
        for width in WIDTHS:
            resize(seen.page, width)
            complaints += page_checks.overflow(seen.page)
        assert not complaints, "\n".join(complaints)


@every_explorer
def test_has_a_dial_that_makes_a_statement_false_and_says_so(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        before = tone(seen.page)
        dials = seen.page.locator(".explorer-dial input")
        assert (dials.count(), before) == (1, "true"), f"expected one dial and a true statement, got tone {before!r}"
        dials.focus()
        said = {}
        for key in ("Home", "End"):
            seen.page.keyboard.press(key)
            said[tone(seen.page)] = words(seen.page)
        assert "false" in said, f"the dial of {name} never leads to a statement that is said to be false: {said}"
        assert re.search(r"\bfalse\b", said["false"], re.I), f"colour and sign alone say that it is false: {said}"
        assert "✗" in said["false"]


@every_explorer
def test_every_control_is_reached_by_keyboard(browser: Browser, explorer_pages: Path, name: str) -> None:
    controls = ".explorer-frame :is(input, select, button, [tabindex='0']):not([tabindex='-1'])"
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        expected = seen.page.locator(controls).count()
        assert expected > 1
        seen.page.locator(controls).first.focus()
        reached = {seen.page.evaluate_handle("document.activeElement").evaluate("e => e.outerHTML")}
        for _ in range(expected - 1):
            seen.page.keyboard.press("Tab")
            assert seen.page.evaluate("Boolean(document.activeElement.closest('.explorer-frame'))")
            reached.add(seen.page.evaluate("document.activeElement.outerHTML"))
        assert len(reached) == expected


@every_explorer
def test_every_slider_moves_something_and_is_heard(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        frame = seen.page.locator(".explorer-frame")
        heard = seen.page.locator(".explorer-frame [aria-live='polite']")
        assert heard.inner_text() == ""
        for slider in seen.page.locator(".explorer-frame input[type=range]").all():
            before = frame.inner_html()
            slider.focus()
            seen.page.keyboard.press("ArrowRight")
            assert frame.inner_html() != before, f"a slider of {name} does nothing: {slider.get_attribute('id')}"
            assert slider.get_attribute("aria-valuetext") == slider.locator("xpath=../output").inner_text()
        seen.page.wait_for_timeout(800)
        assert heard.inner_text()
        assert heard.inner_text() in words(seen.page)


DRAGGED = ("plane", "reductions", "losses", "pruning", "weak-learning")


def drawing(page: Page) -> str:
    """What is drawn beneath the points that can be moved."""
    return page.locator(".explorer-plot > g:nth-child(2)").first.inner_html()


def show_points(page: Page, name: str) -> None:
    if name == "losses":
        page.get_by_label("loss", exact=True).select_option("own")


@pytest.mark.parametrize("name", DRAGGED)
def test_points_are_moved_by_mouse(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        show_points(seen.page, name)
        point = seen.page.locator(".explorer-handle").first
        before, drawn = point.get_attribute("aria-valuetext"), drawing(seen.page)
        point.scroll_into_view_if_needed()
        box = point.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        seen.page.mouse.move(x, y)
        seen.page.mouse.down()
        seen.page.mouse.move(x + 5, y + 60, steps=4)
        seen.page.mouse.up()
        assert point.get_attribute("aria-valuetext") != before
        assert drawing(seen.page) != drawn


@pytest.mark.parametrize("name", DRAGGED)
def test_points_are_moved_by_touch(browser: Browser, explorer_pages: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": PHONE, "height": 900}, has_touch=True, offline=True)
    page = context.new_page()
    page.goto((explorer_pages / f"{name}.html").as_uri())
    show_points(page, name)
    point = page.locator(".explorer-handle").first
    before = point.get_attribute("aria-valuetext")
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    scrolled = page.evaluate("document.querySelector('main, body').scrollTop + scrollY")
    touch = context.new_cdp_session(page)
    for kind, points in (("Start", [(x, y)]), ("Move", [(x, y + 20)]), ("Move", [(x, y + 40)]), ("End", [])):
        places = [{"x": across, "y": down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": places})
    assert point.get_attribute("aria-valuetext") != before
    assert page.evaluate("document.querySelector('main, body').scrollTop + scrollY") == scrolled
    context.close()


@pytest.mark.parametrize("name", DRAGGED)
def test_points_are_moved_by_keys_and_keep_the_focus(browser: Browser, explorer_pages: Path, name: str) -> None:
    with visit(browser, explorer_pages / f"{name}.html") as seen:
        show_points(seen.page, name)
        point = seen.page.locator(".explorer-handle").first
        point.focus()
        said = [point.get_attribute("aria-valuetext")]
        for key in ("ArrowDown", "Shift+ArrowDown"):
            seen.page.keyboard.press(key)
            said.append(point.get_attribute("aria-valuetext"))
        assert len(set(said)) == 3, said
        assert point.evaluate("point => point === document.activeElement")


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
        box = point.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        seen.page.mouse.move(x, y)
        seen.page.mouse.down()
        seen.page.mouse.move(x + 90, y + 60, steps=4)
        seen.page.mouse.up()
        p, height = (float(value) for value in (point.get_attribute("aria-valuetext") or "").split(", "))
        assert p > 0.2
        assert height == pytest.approx(4 * p * (1 - p), abs=0.01)


def test_the_cells_of_a_code_are_walked_by_arrow_keys_and_changed_by_the_space_bar(
    browser: Browser, explorer_pages: Path
) -> None:
    with visit(browser, explorer_pages / "code-matrix.html") as seen:
        seen.page.get_by_label("class 1, column 1: plus").focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Space"):
            seen.page.keyboard.press(key)
        focused = seen.page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused == "class 2, column 4: zero"
        assert "3.5 (classes 1, 2)" in seen.page.locator(".explorer-facts").inner_text()


def test_a_tree_is_grown_split_by_split_and_then_pruned_along_the_price(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "pruning.html") as seen:

        def fact(name: str) -> str:
            return seen.page.locator(f".explorer-facts div:has(dt:text-is('{name}')) dd").inner_text()

        def press(name: str, times: int = 1) -> None:
            seen.page.get_by_role("button", name=name).focus()
            for _ in range(times):
                seen.page.keyboard.press("Enter")

        cells = seen.page.locator(".explorer-plot").first.locator("polygon.explorer-area")
        press("the root alone")
        assert (fact("leaves left"), fact("last question"), cells.count()) == ("1 of 1", "none", 1)
        asked = []
        for n in (2, 3, 4):
            press("one split")
            asked.append(fact("last question"))
            assert (fact("leaves left"), cells.count()) == (f"{n} of {n}", n)
        press("one back")
        assert (fact("leaves left"), fact("last question")) == ("3 of 3", asked[1])
        press("to the end")
        whole, least = cells.count(), fact("errors on the sample")
        assert least == "0"
        assert "raise the price" in words(seen.page)
        price = seen.page.get_by_label("price λ of a leaf")
        price.focus()
        left, held = [], []
        for _ in range(60):
            seen.page.keyboard.press("ArrowRight")
            left.append(cells.count())
            held.append(int(fact("held-out errors")))
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


def test_a_forest_is_heard_as_trees_are_added(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "forests.html") as seen:
        line = seen.page.locator(".explorer-plot path.explorer-series-1")
        add = seen.page.get_by_role("button", name="add a tree")
        seen.page.get_by_role("button", name="one tree alone").press("Enter")
        assert "With the first tree the vote errs with probability 0.35" in words(seen.page)
        for n in range(2, 16):
            add.press("Enter")
            assert f"the first {n} trees" in words(seen.page)
            assert (line.get_attribute("d") or "").count("L") == n - 1
        add.press("Enter")
        assert tone(seen.page) == "true"
        seen.page.get_by_role("button", name="one tree alone").press("Enter")
        # The dial asks all trees.
        seen.page.get_by_label("more correlation than promised").press("End")
        assert tone(seen.page) == "false"
        assert "all sixteen trees" in seen.page.locator(".explorer-facts").inner_text()


def test_the_perceptron_goes_update_by_update(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "plane.html") as seen:
        seen.page.get_by_label("sample").select_option("slow")
        made = seen.page.locator(".explorer-facts dd").first
        assert made.inner_text() == "0"
        seen.page.get_by_role("button", name="one update").click()
        assert made.inner_text() == "1"
        seen.page.get_by_role("button", name="run to the end").click()
        assert made.inner_text() == "84"
        seen.page.get_by_role("button", name="start again").click()
        assert made.inner_text() == "0"


def test_points_that_cannot_be_separated_have_no_best_margin(browser: Browser, explorer_pages: Path) -> None:
    with visit(browser, explorer_pages / "plane.html") as seen:
        seen.page.get_by_label("sample").select_option("tight")
        regions = seen.page.locator(".explorer-plot .explorer-area")
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
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((explorer_pages / f"{name}.html").as_uri())
    assert page.get_by_text(FALLBACK).is_visible()
    pictures = page.locator("[data-explorer] svg[role=img][aria-label]").all()
    assert pictures
    assert all(picture.is_visible() for picture in pictures)
    assert page.locator("[data-explorer] :is(input, button, [tabindex])").count() == 0
    context.close()


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """tools/explorer_pictures.py, beside which the tool that it imports stands."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return importlib.import_module("explorer_pictures")
    finally:
        sys.path.remove(str(ROOT / "tools"))


@every_explorer
def test_the_kept_picture_is_what_the_explorer_draws_at_its_start(
    browser: Browser, tool: ModuleType, extension: ModuleType, name: str
) -> None:
    kept = (SOURCES / "pictures" / f"{name}.html").read_text("utf8")
    now = tool.drawn(browser, extension.bundle(SOURCES / f"{name}.js"), name)
    number = re.compile(r"-?\d+(?:\.\d+)?")
    advice = f"run `python tools/explorer_pictures.py {name}`"
    assert number.sub("#", kept) == number.sub("#", now), advice
    # Another browser may round another way.
    apart = [abs(float(a) - float(b)) for a, b in zip(number.findall(kept), number.findall(now), strict=True)]
    assert max(apart) <= 0.05, advice


def test_an_explorer_that_cannot_start_leaves_its_picture(browser: Browser, extension: ModuleType) -> None:
    script = extension.bundle(SOURCES / "front.js").replace(
        "function start(root) {", "function start(root) { frame(root, {}); throw 1;"
    )
    page = browser.new_page()
    page.set_content('<div data-explorer="front"><p>the picture</p></div>')
    page.evaluate("script => { try { (0, eval)(script); } catch (error) { window.caught = error; } }", script)
    assert page.evaluate("window.caught") == 1
    assert page.locator("[data-explorer]").inner_html() == "<p>the picture</p>"
    page.close()


@pytest.fixture(scope="module")
def extension() -> ModuleType:
    path = ROOT / "book" / "_ext" / "mcbook_explorers.py"
    spec = importlib.util.spec_from_file_location("mcbook_explorers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"a.js": 'import { x } from "./b.js";\n', "b.js": "const x = 1;\n"}, "does not export"),
        ({"a.js": 'import { x } from "./b.js";\n'}, "which is not in"),
        ({"a.js": 'import { x } from "./a.js";\nexport const x = 1;\n'}, "imports itself"),
        (
            {"a.js": 'import { x } from "./b.js";\nconst y = 1;\n', "b.js": "export const x = 1;\nconst y = 2;\n"},
            "both",
        ),
        ({"a.js": 'import x from "./b.js";\n', "b.js": "export const x = 1;\n"}, "write imports as"),
        ({"a.js": f"// {'x' * 60_000}\n"}, "make it smaller"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(
    extension: ModuleType, tmp_path: Path, files: dict[str, str], complaint: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf8")
    with pytest.raises(ExtensionError, match=complaint):
        extension.bundle(tmp_path / "a.js")


def test_each_module_is_joined_once(extension: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { x } from "./b.js";\nimport { z } from "./c.js";\nx + z;\n', "utf8")
    (tmp_path / "b.js").write_text('import { z } from "./c.js";\nexport const x = z;\n', "utf8")
    (tmp_path / "c.js").write_text("export const z = 1;\n", "utf8")
    script = extension.bundle(tmp_path / "a.js")
    assert script.count("const z = 1;") == 1
    assert script.index("const z") < script.index("const x") < script.index("x + z")


@every_module
def test_modules_keep_to_one_style(module: Path) -> None:
    """What needs no tool: `make lint-explorers` runs a linter where there is npm."""
    complaints = []
    for number, line in enumerate(module.read_text("utf8").splitlines(), start=1):
        bare = re.sub(r'"[^"]*"|`[^`]*`|//.*|/\*.*|^ \*.*', "", line)
        faults = {
            "is longer than 120": len(line) > 120 and '"' not in line and "`" not in line,
            "ends in a space": line != line.rstrip(),
            "is not indented by twos": line.startswith("\t") or (len(line) - len(line.lstrip(" "))) % 2 == 1,
            "uses single quotes": bare.count("'") > 1,
            "compares loosely": bool(re.search(r"[^=!]==[^=]|!=[^=]", bare)),
            "uses var": bool(re.search(r"\bvar ", bare)),
            "writes to the console": "console." in bare,
            "asks the network": bool(re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(", bare)),
        }
        faults["is not indented by twos"] &= not line.lstrip().startswith("*")
        complaints += [f"{module.name}:{number} {fault}" for fault, found in faults.items() if found]
    assert not complaints, "\n".join(complaints)


def test_style_is_seen_to_be_broken(tmp_path: Path) -> None:
    bad = tmp_path / "bad.js"
    bad.write_text("var x = 'a' == 'b';\n   console.log(x); \n", "utf8")
    with pytest.raises(AssertionError, match="loosely"):
        test_modules_keep_to_one_style(bad)
