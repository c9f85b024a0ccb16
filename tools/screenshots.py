"""Take pictures of built pages: desktop and phone, light and dark.

    python tools/screenshots.py FOLDER [PAGE ...]

Pages are named as in the address bar below _build/html (book/perceptron.html); without names all pages are taken.
The browser is the one the page tests use: MCBOOK_BROWSER, or the first Chromium found.
"""

import argparse
import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
WIDTHS = {"desktop": 1440, "phone": 390}
MODES = ("light", "dark")


def browser_path() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("MCBOOK_BROWSER") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise SystemExit(f"No browser found (looked for {', '.join(names)}): install Chromium or set MCBOOK_BROWSER.")
    return found


def take(browser: Browser, page_file: Path, width: int, mode: str, target: Path, whole: bool) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=mode, offline=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('mode', '{mode}'); localStorage.setItem('theme', '{mode}')")
    page.goto(page_file.as_uri(), wait_until="load")
    page.wait_for_function("!window.MathJax?.startup?.promise || window.MathJax.startup.promise.then(() => true)")
    page.screenshot(path=target, full_page=whole, animations="disabled")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("pages", nargs="*", help="pages below the site, such as book/perceptron.html")
    parser.add_argument("--site", type=Path, default=SITE, help="the built site (default: _build/html)")
    parser.add_argument("--screen", action="store_true", help="only the first screen, not the whole page")
    arguments = parser.parse_args()
    site = arguments.site.resolve()
    pages = [site / name for name in arguments.pages] or sorted((site / "book").glob("*.html"))
    if missing := [str(page) for page in pages if not page.is_file()]:
        raise SystemExit(f"Not built: {', '.join(missing)}. Run `make book` first, or check the names.")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for page in pages:
            for device, width in WIDTHS.items():
                for mode in MODES:
                    target = arguments.folder / f"{page.stem}-{device}-{mode}.png"
                    take(browser, page, width, mode, target, whole=not arguments.screen)
                    print(target)
        browser.close()


if __name__ == "__main__":
    main()
