"""Fixtures of the page tests: the built book and the browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from book_build import build_book
from explorer_book import Mathematics, build_explorer_pages
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built book, brought up to date first."""
    built = build_book(ROOT)
    if built.returncode != 0:
        pytest.fail(f"The book does not build; `make book` shows the same:\n{(built.stdout + built.stderr)[-4000:]}")
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium: MCBOOK_BROWSER, or the first one on the path."""
    path = os.environ.get("MCBOOK_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sentence = f"The pages were not looked at: no browser found ({', '.join(BROWSERS)}, or MCBOOK_BROWSER)."
        if os.environ.get("MCBOOK_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{sentence} Install Chromium, or unset MCBOOK_REQUIRE_BROWSER.")
        pytest.skip(sentence)
    # Chromium refuses to run as root inside its sandbox, and containers run as root; only our own pages are opened.
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def explorer_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a small book with a page for each explorer."""
    return build_explorer_pages(tmp_path_factory.mktemp("explorers"))


@pytest.fixture(scope="session")
def mathematics(browser: Browser, explorer_pages: Path) -> Iterator[Mathematics]:
    """The explorers' mathematics, called in the browser."""
    context = browser.new_context(offline=True)
    yield Mathematics(context, explorer_pages)
    context.close()
