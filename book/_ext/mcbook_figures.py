"""Figures of code cells: drawn with two pixels for each of the page's, and shown at the page's size."""

from __future__ import annotations

import struct
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

# `use_book_style` draws 192 pixels to the inch; the page counts 96.
DENSITY = 2
WIDEST = 900
PNG = b"\x89PNG\r\n\x1a\n"


def png_width(path: Path) -> int:
    """The width that a PNG file's header names; 0 for other files."""
    with path.open("rb") as file:
        head = file.read(24)
    return int(struct.unpack(">I", head[16:20])[0]) if head.startswith(PNG) else 0


def size_figures(app: Sphinx, doctree: nodes.document) -> None:
    """Give every output of a code cell its width on the page; the style of the page lets it shrink."""
    for image in doctree.findall(nodes.image):
        path = Path(app.srcdir) / image["uri"]
        if "width" in image or "jupyter_execute" not in path.parts or not path.is_file():
            continue
        width = png_width(path)
        if width:
            image["width"] = f"{min(width // DENSITY, WIDEST)}px"
            image["classes"].append("book-figure")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", size_figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
