"""Explorers: they start quietly, work by keyboard, are there without scripts, and compute what the package computes."""

import importlib.util
import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import page_checks
import pytest
from book_build import build_book
from page_visit import MODES, WIDTHS, resize, switch_mode, visit
from playwright.sync_api import Browser, Page
from sphinx.errors import ExtensionError

from mcbook.margin_bounds import informative_sample_size, kernel_margin_bound, margin_bound

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "book" / "explorers"
NAMES = sorted(path.stem for path in SOURCES.glob("*.js"))

every_explorer = pytest.mark.parametrize("name", NAMES)


def page_text(name: str) -> str:
    return f"# Page of {name}\n\n:::{{explorer}} {name}\nWhat is seen without scripts.\n:::\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book with a page for each explorer."""
    folder = tmp_path_factory.mktemp("explorers")
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_static", "explorers"):
        shutil.copytree(ROOT / "book" / name, folder / "book" / name)
    shutil.copy(ROOT / "book" / "references.bib", folder / "book")
    chapters = "".join(f"- file: book/{name}\n" for name in NAMES[1:])
    listed = f"chapters:\n{chapters}" if chapters else ""
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: book/{NAMES[0]}\n{listed}", "utf8")
    for name in NAMES:
        (folder / "book" / f"{name}.md").write_text(page_text(name), "utf8")
    built = build_book(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "_build" / "html" / "book"


@every_explorer
def test_starts_quietly_and_fits_in_both_widths_and_modes(browser: Browser, pages: Path, name: str) -> None:
    with visit(browser, pages / f"{name}.html") as seen:
        complaints = page_checks.quietness(seen)
        for mode in MODES:
            switch_mode(seen.page, mode)
            complaints += page_checks.accessibility(seen.page)
        for width in WIDTHS:
            resize(seen.page, width)
            complaints += page_checks.overflow(seen.page)
        assert not complaints, "\n".join(complaints)


@every_explorer
def test_has_a_dial_that_makes_a_statement_false_and_says_so(browser: Browser, pages: Path, name: str) -> None:
    with visit(browser, pages / f"{name}.html") as seen:
        control = seen.page.locator(".explorer-dial :is(input, select, button)").first
        control.focus()
        said: list[str] = []
        for key in ("Home", "End", "ArrowUp", "Space"):
            seen.page.keyboard.press(key)
            seen.page.wait_for_timeout(200)
            said.append(seen.page.locator(".explorer-words").get_attribute("data-tone") or "")
        assert "false" in said, f"the dial of {name} never leads to a statement that is said to be false: {said}"


@every_explorer
def test_every_control_is_reached_by_keyboard(browser: Browser, pages: Path, name: str) -> None:
    with visit(browser, pages / f"{name}.html") as seen:
        controls = seen.page.locator(".explorer-frame :is(input, select, button, [tabindex='0'])")
        expected = controls.count()
        assert expected > 1
        controls.first.focus()
        reached = 1
        for _ in range(expected - 1):
            seen.page.keyboard.press("Tab")
            reached += seen.page.evaluate("Boolean(document.activeElement.closest('.explorer-frame'))")
        assert reached == expected


@every_explorer
def test_without_scripts_its_static_content_stands_there(browser: Browser, pages: Path, name: str) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((pages / f"{name}.html").as_uri())
    assert page.get_by_text("What is seen without scripts.").is_visible()
    context.close()


@pytest.fixture(scope="module")
def compute(browser: Browser, pages: Path) -> Iterator[Any]:
    """Calls a function of an explorer's mathematics in the browser."""
    context = browser.new_context(offline=True)
    opened: dict[str, Page] = {}

    def call(name: str, function: str, *arguments: Any) -> Any:
        if name not in opened:
            opened[name] = context.new_page()
            opened[name].goto((pages / f"{name}.html").as_uri(), wait_until="load")
        code = "([name, f, args]) => mcbookExplorers[name].math[f](...args)"
        return opened[name].evaluate(code, [name, function, json.loads(json.dumps(arguments))])

    yield call
    context.close()


def test_margin_bound_is_that_of_the_package(compute: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        k, m = int(rng.integers(2, 50)), int(rng.integers(1, 10**6))
        loss, complexity, rho, delta, r2, l2 = (float(value) for value in rng.uniform(0.01, 0.99, 6))
        settings = {"loss": loss, "rho": rho, "classes": k, "delta": delta, "samples": m}
        ours = margin_bound(loss, complexity, rho, k, delta, m)
        assert compute("margin-bound", "marginBound", settings | {"complexity": complexity}) == pytest.approx(
            ours, 1e-9
        )
        kernel = kernel_margin_bound(loss, r2, l2, rho, k, delta, m)
        norms = {"squaredRadius": r2, "squaredNorm": l2}
        assert compute("margin-bound", "kernelBound", settings | norms) == pytest.approx(kernel, 1e-9)
        first = compute("margin-bound", "firstInformative", settings | norms)
        assert first == math.floor(informative_sample_size(r2, l2, rho, k, delta, loss)) + 1


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
