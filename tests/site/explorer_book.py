"""A small book with a page for each explorer, and calls of their mathematics in its pages."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from book_build import ROOT, pages_of, write_small_book
from playwright.sync_api import BrowserContext, Page

from mcbook.output_codes import minimal_distance

SOURCES = ROOT / "book" / "explorers"
NAMES = sorted(path.stem for path in SOURCES.glob("*.js"))
FALLBACK = "What is seen without scripts."

# How near the numbers of browser and package have to be.
CLOSE = 1e-9

CALL = "([name, f, args]) => mcbookExplorers[name].math[f](...args)"


def build_explorer_pages(folder: Path) -> Path:
    """Build the small book; returns the folder of its pages."""
    pages = {f"{name}.md": f"# Page of {name}\n\n:::{{explorer}} {name}\n{FALLBACK}\n:::\n" for name in NAMES}
    return pages_of(write_small_book(folder, pages, "explorers"))


class Mathematics:
    """Calls functions of the explorers' mathematics in the browser; numbers go there and back as JSON."""

    def __init__(self, context: BrowserContext, pages: Path) -> None:
        self._context = context
        self._pages = pages
        self._opened: dict[str, Page] = {}

    def __call__(self, name: str, function: str, *arguments: Any) -> Any:
        if name not in self._opened:
            self._opened[name] = self._context.new_page()
            self._opened[name].goto((self._pages / f"{name}.html").as_uri(), wait_until="load")
        return self._opened[name].evaluate(CALL, [name, function, json.loads(json.dumps(arguments, default=plain))])


def plain(value: Any) -> Any:
    """Arrays as lists, and whole or exact numbers as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return int(value) if value == int(value) else float(value)


def close(value: Any) -> Any:
    """Equal to 1e-9, relative to the size where that is larger than 1."""
    return pytest.approx(value, rel=CLOSE, abs=CLOSE)


def random_codes(rng: np.random.Generator, *, zeros: bool) -> Any:
    while True:
        M = rng.integers(-1, 2, (int(rng.integers(2, 6)), int(rng.integers(3, 8))))
        M = M if zeros else np.where(M == 0, 1, M)
        if minimal_distance(M) > 0:
            return M
