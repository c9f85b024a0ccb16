"""Figures of code cells: drawn with two pixels for each of the page's, and shown at the page's size.

The notebooks keep every colour; the pages' copies keep 256, which makes them a third of the size.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
from docutils import nodes
from mcbook_html import element
from PIL import Image
from sphinx.application import Sphinx

# `use_book_style` draws 192 pixels to the inch; the page counts 96.
DENSITY = 2
WIDEST = 900
PNG = b"\x89PNG\r\n\x1a\n"
# A picture that 256 colours would change by more than this, in the mean over its pixels and of 255, keeps its own.
UNSEEN = 2.0


def png_width(path: Path) -> int:
    """The width that a PNG file's header names; 0 for other files."""
    with path.open("rb") as file:
        head = file.read(24)
    return int(struct.unpack(">I", head[16:20])[0]) if head.startswith(PNG) else 0


def size_figures(app: Sphinx, doctree: nodes.document) -> None:
    """Give every output of a code cell its width on the page, and a box in which it shrinks, or scrolls on a phone."""
    for image in list(doctree.findall(nodes.image)):
        path = Path(app.srcdir) / image["uri"]
        if "width" in image or "jupyter_execute" not in path.parts or not path.is_file():
            continue
        width = png_width(path)
        if width:
            image["width"] = f"{min(width // DENSITY, WIDEST)}px"
            image["classes"].append("book-figure")
            image.replace_self(element("div", image.deepcopy(), classes=["book-figure-box"]))


def shrink_figures(app: Sphinx, exception: Exception | None) -> None:
    """Take colours that nobody misses out of the pictures that the pages load."""
    folder = Path(app.outdir) / app.builder.imagedir
    if exception is None and folder.is_dir():
        for path in sorted(folder.glob("*.png")):
            shrink(path)


def shrink(path: Path) -> None:
    """Write a PNG file anew with 256 colours, unless it has no more already or would look different."""
    with Image.open(path) as picture:
        if picture.mode == "P":
            return
        full = picture.convert("RGBA")
    few = full.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    change = np.abs(np.asarray(full, dtype=np.int16) - np.asarray(few.convert("RGBA"), dtype=np.int16))
    if change.mean() > UNSEEN:
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    few.save(draft, "PNG", optimize=True)
    draft.replace(path)


def setup(app: Sphinx) -> dict[str, bool | int]:
    app.add_js_file("figures.js", loading_method="defer")
    app.connect("doctree-read", size_figures)
    app.connect("build-finished", shrink_figures)
    # A new number makes every page be read again after a change of what stands in it.
    return {"env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
