"""Search results with the words around what was found, also for a book opened from disk.

Sphinx quotes a page by fetching it, which browsers refuse for files opened from disk.  The texts of all pages are
therefore put into one script, which the page of results loads, and ``book/_static/book.js`` answers from it.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

TEXTS = "page_texts.js"
ARTICLE = re.compile(r"<article\b.*?</article>", re.S)
# Of a formula the source stands in the page; a reader who searches for words is not helped by it.
LEFT_OUT = re.compile(r"<(script|style|pre)\b.*?</\1>|<a class=\"headerlink\".*?</a>|\\[(\[].*?\\[)\]]", re.S)


def text_of(page: str) -> str:
    """The words of a built page's article."""
    article = ARTICLE.search(page)
    plain = re.sub(r"<[^>]+>", " ", LEFT_OUT.sub(" ", article[0])) if article else ""
    return " ".join(html.unescape(plain).split())


def write_texts(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    pages = {name: Path(app.outdir) / f"{name}.html" for name in sorted(app.env.found_docs)}
    texts = {
        f"{name}.html": text_of(path.read_text(encoding="utf-8")) for name, path in pages.items() if path.is_file()
    }
    script = f"globalThis.mcbookPageTexts = {json.dumps(texts, ensure_ascii=False)};\n"
    (Path(app.outdir) / "_static" / TEXTS).write_text(script, encoding="utf-8")


def load_texts(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A plain tag: the script is written after the pages, and Sphinx would ask for its checksum before."""
    if pagename == "search":
        context["script_files"] = [f"_static/{TEXTS}", *context["script_files"]]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", load_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
