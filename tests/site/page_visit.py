"""Opening a page from disk with the network off, and watching what it does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

DESKTOP, PHONE = 1440, 390
WIDTHS = (PHONE, DESKTOP)
MODES = ("light", "dark")
# A file: address with a host is "//host/..." of the web, seen from disk.
ALLOWED_SCHEMES = ("file:///", "data:", "blob:", "about:")
MATH_IS_SET = "!window.MathJax?.startup?.promise || window.MathJax.startup.promise.then(() => true)"


@dataclass
class Visit:
    """An open page and everything it complained about."""

    page: Page
    errors: list[str] = field(default_factory=list)
    outside_requests: list[str] = field(default_factory=list)
    failed_requests: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._note_request)
        self.page.on("requestfailed", lambda request: self.failed_requests.append(request.url))

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _note_request(self, request: Request) -> None:
        self.addresses.append(request.url)
        if not request.url.startswith(ALLOWED_SCHEMES):
            self.outside_requests.append(request.url)


@contextmanager
def visit(browser: Browser, address: str | Path, width: int = DESKTOP, *, scripts: bool = True) -> Iterator[Visit]:
    """Open a file (or a file: address with a query) at a window width; wait for its formulas."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, offline=True, reduced_motion="reduce", java_script_enabled=scripts
    )
    try:
        seen = Visit(context.new_page())
        seen.watch()
        seen.page.goto(address.as_uri() if isinstance(address, Path) else address, wait_until="load")
        if scripts:
            seen.page.wait_for_function(MATH_IS_SET)
        yield seen
    finally:
        context.close()


@contextmanager
def without_scripts(browser: Browser, path: Path) -> Iterator[Page]:
    with visit(browser, path, scripts=False) as seen:
        yield seen.page


def switch_mode(page: Page, mode: str) -> None:
    """Light or dark, as the theme's own switch does it."""
    page.evaluate("mode => Object.assign(document.documentElement.dataset, {mode, theme: mode})", mode)
    settle(page)


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    settle(page)


def settle(page: Page) -> None:
    """Wait until colours have faded and drawers have moved: what is measured on the way is neither state's."""
    page.evaluate("""async () => {
        const frame = () => new Promise(requestAnimationFrame);
        await frame();
        await frame();
        const moving = document.getAnimations().filter(animation => animation.effect.getTiming().iterations < Infinity);
        await Promise.all(moving.map(animation => animation.finished.catch(() => null)));
    }""")
