"""Measure built pages against their budgets: height, code, figures, weight, and what a phone cuts off.

    python tools/budgets.py                 every chapter
    python tools/budgets.py perceptron      this one, as it was built last (`make book`)

The exit code is 1 where a page is not within its budgets.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
# The tool runs as a file, too.
sys.path.insert(0, str(ROOT))

from tools.screenshots import browser_path  # noqa: E402 - found only with the line above

SITE = ROOT / "_build" / "html" / "book"
DESKTOP, PHONE, SCREEN = 1440, 390, 900
MOST_CODE, LEAST_FIGURES, MOST_SCREENS, MOST_BYTES = 0.20, 0.25, 25, 2_500_000
WORST = 5
MATH_IS_SET = "!window.MathJax?.startup?.promise || window.MathJax.startup.promise.then(() => true)"

# Heights are those of the stretches of the page that a kind of thing covers, so that what is nested counts once.
MEASURE = """() => {
    const article = document.querySelector('.bd-article');
    const drawn = 'figure, img, canvas, .explorer-frame, svg:not(button svg, mjx-container svg)';
    const kinds = {
        figures: 'figure, .explorer-frame, .cell_output img, img.book-figure',
        code: '.cell_input, .cell_output .output, div.highlight, table, details.mcbook-trial, details.hide > summary',
    };
    const heading = element => {
        const all = [...article.querySelectorAll('h1, h2, h3, h4')];
        const above = all.filter(one => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
        return above.length ? above.at(-1).textContent.replace('#', '').trim() : '';
    };
    const isCode = element => !element.closest('figure, .explorer-frame') && !element.querySelector(drawn)
        && !(element.matches('.output') && element.querySelector('.mcbook-trial'));
    const seen = (kind, element) => element.checkVisibility() && element.getBoundingClientRect().height > 1
        && (kind === 'figures' || isCode(element));
    const placed = element => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return { top, bottom, height, element };
    };
    const parts = kind => [...article.querySelectorAll(kinds[kind])].filter(one => seen(kind, one)).map(placed);
    const covered = boxes => {
        let sum = 0, end = -Infinity;
        for (const { top, bottom } of boxes.toSorted((a, b) => a.top - b.top)) {
            sum += Math.max(0, bottom - Math.max(top, end));
            end = Math.max(end, bottom);
        }
        return sum;
    };
    const outermost = boxes => boxes.filter(one => !boxes.some(other =>
        other !== one && other.element !== one.element && other.element.contains(one.element)));
    const code = parts('code'), figures = parts('figures');
    return {
        height: article.getBoundingClientRect().height,
        code: covered(code),
        figures: covered(figures),
        worst: outermost(code).toSorted((a, b) => b.height - a.height).map(({ height, element }) => [
            Math.round(height), heading(element), element.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50)]),
    };
}"""

# What is wider than its box on a phone has to show so: by a shade at the edge towards which it goes on.
WITHOUT_CUE = """() => [...document.querySelectorAll('.bd-article *')].filter(element => {
    const style = getComputedStyle(element);
    return ['auto', 'scroll', 'hidden', 'clip'].includes(style.overflowX) && element.clientWidth > 1
        && element.scrollWidth > element.clientWidth + 2 && element.checkVisibility()
        && !element.closest('mjx-assistive-mml, svg, .explorer-announced, .visually-hidden')
        && !element.parentElement.closest('mjx-container')
        && !style.backgroundImage.includes('gradient');
}).map(element => element.outerHTML.slice(0, 100))"""


@dataclass(frozen=True)
class Measured:
    """What a chapter's page takes: heights in pixels at 1440 px with details folded, bytes, and what a phone hides."""

    height: float
    code: float
    figures: float
    n_bytes: int
    worst: list[tuple[int, str, str]]
    cut_off: list[str]

    def __str__(self) -> str:
        return (
            f"{self.height / SCREEN:.1f} screens, code {self.code / self.height:.0%}, "
            f"figures {self.figures / self.height:.0%}, {self.n_bytes / 1e6:.2f} MB, "
            f"{len(self.cut_off)} cut off on a phone"
        )

    def complaints(self) -> Iterator[str]:
        """What is over its budget, with the parts to begin with."""
        if self.height > MOST_SCREENS * SCREEN:
            yield f"is {self.height / SCREEN:.1f} screens long, {MOST_SCREENS} at most: split it, or fold detail"
        if self.code > MOST_CODE * self.height:
            worst = "; ".join(f"{height} px under '{heading}': {text}" for height, heading, text in self.worst[:WORST])
            yield (
                f"is {self.code / self.height:.0%} code, output and tables, {MOST_CODE:.0%} at most: fold code with the"
                f" tag hide-input, long parts with detail-start and detail-end; the tallest: {worst}"
            )
        if self.figures < LEAST_FIGURES * self.height:
            yield f"is {self.figures / self.height:.0%} figures and explorers, {LEAST_FIGURES:.0%} at least: show more"
        if self.n_bytes > MOST_BYTES:
            yield f"weighs {self.n_bytes / 1e6:.2f} MB, {MOST_BYTES / 1e6} at most: make its figures smaller"
        if self.cut_off:
            yield f"hides at {PHONE} px, without a cue, what is in {'; '.join(self.cut_off[:WORST])}"


def measured(page: Page, addresses: list[str]) -> Measured:
    """Measure an open page of desktop width, with its details folded, that has loaded what is at the addresses."""
    found: dict[str, Any] = page.evaluate(MEASURE)
    page.set_viewport_size({"width": PHONE, "height": SCREEN})
    page.wait_for_timeout(200)
    cut_off = page.evaluate(WITHOUT_CUE)
    page.set_viewport_size({"width": DESKTOP, "height": SCREEN})
    page.wait_for_timeout(200)
    files = {Path(unquote(urlsplit(address).path)) for address in addresses if address.startswith("file:")}
    worst = [(height, heading, text) for height, heading, text in found["worst"]]
    n_bytes = sum(file.stat().st_size for file in files if file.is_file())
    return Measured(found["height"], found["code"], found["figures"], n_bytes, worst, cut_off)


@contextmanager
def opened(browser: Browser, path: Path) -> Iterator[tuple[Page, list[str]]]:
    """A page at the width of a desktop, and the addresses of everything it loads."""
    context = browser.new_context(viewport={"width": DESKTOP, "height": SCREEN}, offline=True, reduced_motion="reduce")
    try:
        page = context.new_page()
        addresses: list[str] = []
        page.on("request", lambda request: addresses.append(request.url))
        page.goto(path.as_uri(), wait_until="load")
        page.wait_for_function(MATH_IS_SET)
        yield page, addresses
    finally:
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", help="names of chapters; default: all that are built")
    names = parser.parse_args().chapters or sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
    pages = [SITE / f"{name}.html" for name in names]
    if missing := [page.stem for page in pages if not page.is_file()]:
        parser.error(f"not built: {', '.join(missing)}: run `make book` first, or check the names")
    over = False
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for page in pages:
            with opened(browser, page) as (seen, addresses):
                found = measured(seen, addresses)
            print(f"{page.stem}: {found}")
            for complaint in found.complaints():
                over = True
                print(f"  {complaint}")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
