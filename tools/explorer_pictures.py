"""Keep the pictures that readers without scripts see in place of an explorer: what it draws when it starts.

    python tools/explorer_pictures.py [NAME ...]

They are written to book/explorers/pictures/NAME.html as inline SVG, so that they take their colours from the page's
style sheet, and the directive shows them.  The browser is found as tools/screenshots.py finds it.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
from pathlib import Path
from types import ModuleType

from playwright.sync_api import Browser, sync_playwright
from screenshots import browser_path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "book" / "explorers"
PICTURES = SOURCES / "pictures"

PLOTS = """() => [...document.querySelectorAll('.explorer-plot')].map(plot => {
    const copy = plot.cloneNode(true);
    copy.setAttribute('role', 'img');
    copy.querySelectorAll('.explorer-reach').forEach(circle => circle.remove());
    copy.querySelectorAll('.explorer-handle').forEach(handle => {
        for (const name of [...handle.getAttributeNames()].filter(name => name !== 'transform'))
            handle.removeAttribute(name);
    });
    return copy.outerHTML;
})"""


def explorer_names() -> list[str]:
    return sorted(path.stem for path in SOURCES.glob("*.js"))


def bundler() -> ModuleType:
    """The book's extension, which joins modules into scripts."""
    spec = importlib.util.spec_from_file_location("mcbook_explorers", ROOT / "book" / "_ext" / "mcbook_explorers.py")
    if spec is None or spec.loader is None:
        raise SystemExit("book/_ext/mcbook_explorers.py is not there")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(browser: Browser, script: str, name: str) -> str:
    """The pictures of an explorer at its start, coordinates rounded to hundredths."""
    page = browser.new_page()
    page.set_content(f'<div data-explorer="{name}"></div>')
    page.add_script_tag(content=script)
    plots: list[str] = page.evaluate(PLOTS)
    page.close()
    return "\n".join(re.sub(r"-?\d+\.\d{3,}", shortened, plot) for plot in plots) + "\n"


def shortened(number: re.Match[str]) -> str:
    return f"{float(number.group()):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="explorers, such as plane (default: all)")
    names = parser.parse_args().names or explorer_names()
    if unknown := sorted(set(names) - set(explorer_names())):
        raise SystemExit(f"expected explorers among {', '.join(explorer_names())}; got {', '.join(unknown)}")
    bundle = bundler().bundle
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for name in names:
            text = drawn(browser, bundle(SOURCES / f"{name}.js"), name)
            (PICTURES / f"{name}.html").write_text(text, encoding="utf-8")
            print(f"{name}.html: {len(text.encode())} bytes")
        browser.close()


if __name__ == "__main__":
    main()
