"""The theme's style sheet names every icon of Font Awesome; the pages' copy keeps those that they use.

An icon is one rule, ``.fa-name:before{content:"..."}``, and there are about two thousand, which no page needs.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

STYLES = Path("_static", "styles", "pydata-sphinx-theme.css")
RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"[^"]*"\}')
NAME = re.compile(r"fa-[a-z0-9-]+")


def icons_in(folder: Path) -> set[str]:
    """The icons that pages and scripts name."""
    texts = [*folder.rglob("*.html"), *folder.glob("_static/**/*.js")]
    return {name for path in texts for name in NAME.findall(path.read_text(encoding="utf-8"))}


def keep_icons(styles: str, used: set[str]) -> str:
    """The style sheet without the rules of other icons.

    >>> keep_icons('a{}.fa-bus:before{content:"b"}.fa-cat:before,.fa-pet:before{content:"c"}', {"fa-pet"})
    'a{}.fa-cat:before,.fa-pet:before{content:"c"}'
    """
    return RULE.sub(lambda rule: rule[0] if used.intersection(NAME.findall(rule[1])) else "", styles)


def shrink_styles(app: Sphinx, exception: Exception | None) -> None:
    """Take the rules of icons that nobody sees out of the style sheet that the pages load."""
    path = Path(app.outdir) / STYLES
    if exception is None and path.is_file():
        styles = path.read_text(encoding="utf-8")
        kept = keep_icons(styles, icons_in(Path(app.outdir)))
        if kept != styles:
            path.write_text(kept, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool | int]:
    app.connect("build-finished", shrink_styles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
