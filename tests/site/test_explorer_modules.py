"""The explorers' scripts: joined from modules, in one style, with a picture of each for pages without scripts."""

import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import mcbook_explorers
import pytest
from explorer_book import NAMES, SOURCES
from playwright.sync_api import Browser
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """tools/explorer_pictures.py, beside which the tool that it imports stands."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return importlib.import_module("explorer_pictures")
    finally:
        sys.path.remove(str(ROOT / "tools"))


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_picture_is_what_the_explorer_draws_at_its_start(
    browser: Browser, tool: ModuleType, name: str
) -> None:
    kept = (SOURCES / "pictures" / f"{name}.html").read_text("utf8")
    now = tool.drawn(browser, mcbook_explorers.bundle(SOURCES / f"{name}.js"), name)
    number = re.compile(r"-?\d+(?:\.\d+)?")
    advice = f"run `python tools/explorer_pictures.py {name}`"
    assert number.sub("#", kept) == number.sub("#", now), advice
    # Another browser may round another way.
    apart = [abs(float(a) - float(b)) for a, b in zip(number.findall(kept), number.findall(now), strict=True)]
    assert max(apart) <= 0.05, advice


def test_an_explorer_that_cannot_start_leaves_its_picture(browser: Browser) -> None:
    script = mcbook_explorers.bundle(SOURCES / "front.js").replace(
        "function start(root) {", "function start(root) { frame(root, {}); throw 1;"
    )
    page = browser.new_page()
    page.set_content('<div data-explorer="front"><p>the picture</p></div>')
    page.evaluate("script => { try { (0, eval)(script); } catch (error) { window.caught = error; } }", script)
    assert page.evaluate("window.caught") == 1
    assert page.locator("[data-explorer]").inner_html() == "<p>the picture</p>"
    page.close()


def test_modules_that_cannot_be_joined_are_refused(tmp_path: Path) -> None:
    imports = 'import { x } from "./b.js";\n'
    for files, complaint in (
        ({"a.js": imports}, "which is not in"),
        ({"a.js": imports, "b.js": "const x = 1;\n"}, "does not export"),
        ({"a.js": 'import { x } from "./a.js";\nexport const x = 1;\n'}, "imports itself"),
        ({"a.js": f"{imports}const y = 1;\n", "b.js": "export const x = 1;\nconst y = 2;\n"}, "both"),
        ({"a.js": 'import x from "./b.js";\n', "b.js": "export const x = 1;\n"}, "write imports as"),
        ({"a.js": f"// {'x' * 60_000}\n"}, "make it smaller"),
    ):
        for name, text in files.items():
            (tmp_path / name).write_text(text, "utf8")
        with pytest.raises(ExtensionError, match=complaint):
            mcbook_explorers.bundle(tmp_path / "a.js")


def test_each_module_is_joined_once(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { x } from "./b.js";\nimport { z } from "./c.js";\nx + z;\n', "utf8")
    (tmp_path / "b.js").write_text('import { z } from "./c.js";\nexport const x = z;\n', "utf8")
    (tmp_path / "c.js").write_text("export const z = 1;\n", "utf8")
    script = mcbook_explorers.bundle(tmp_path / "a.js")
    assert script.count("const z = 1;") == 1
    assert script.index("const z") < script.index("const x") < script.index("x + z")


def style_faults(module: Path) -> list[str]:
    """What needs no tool: `make lint-explorers` runs a linter where there is npm."""
    complaints = []
    for number, line in enumerate(module.read_text("utf8").splitlines(), start=1):
        bare = re.sub(r'"[^"]*"|`[^`]*`|//.*|/\*.*|^ \*.*', "", line)
        faults = {
            "is longer than 120": len(line) > 120 and '"' not in line and "`" not in line,
            "ends in a space": line != line.rstrip(),
            "uses single quotes": bare.count("'") > 1,
            "compares loosely": bool(re.search(r"[^=!]==[^=]|!=[^=]", bare)),
            "uses var": bool(re.search(r"\bvar ", bare)),
            "writes to the console": "console." in bare,
            "asks the network": bool(re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(", bare)),
        }
        complaints += [f"{module.name}:{number} {fault}" for fault, found in faults.items() if found]
    return complaints


def test_modules_keep_to_one_style(tmp_path: Path) -> None:
    modules = [path for path in SOURCES.rglob("*.js") if path.parent.name != "data"]
    assert [fault for module in modules for fault in style_faults(module)] == []
    bad = tmp_path / "bad.js"
    bad.write_text("var x = 'a' == 'b';\n   console.log(x); \n", "utf8")
    assert len(style_faults(bad)) == 5
