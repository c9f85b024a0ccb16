"""The book's own Sphinx extension: launch buttons, and small repairs of the pages that the other extensions make."""

import itertools
import os
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

BINDER = "https://mybinder.org"
COLAB = "https://colab.research.google.com"
ADDRESS_VARIABLE = "MCBOOK_REPOSITORY_URL"


def git_remote(root: Path) -> str:
    """The address of the remote `origin`, or '' where there is no git, no repository or no such remote."""
    try:
        answer = subprocess.run(
            ["git", "remote", "get-url", "origin"], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def public_address(address: str) -> str:
    """`https://host/owner/name` without credentials and ending; '' where Binder could not clone the address."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/").removesuffix(".git")
    if parts.scheme != "https" or not parts.hostname or path.count("/") < 2:
        return ""
    port = f":{parts.port}" if parts.port else ""
    return f"https://{parts.hostname}{port}{path}"


def repository_address(root: Path) -> str:
    """Where the book's repository is: named by MCBOOK_REPOSITORY_URL, else git's origin, else ''."""
    named = os.environ.get(ADDRESS_VARIABLE, "")
    if named and not public_address(named):
        raise ExtensionError(
            f"{ADDRESS_VARIABLE} must look like https://host/owner/name, got {named!r}: correct it or unset it."
        )
    return public_address(named or git_remote(root))


def launch_links(address: str, notebook: str) -> list[dict[str, str]]:
    """Button entries that open `notebook`, a path in the repository, on Binder and, where it is on GitHub, on Colab."""
    host, _, repository = address.removeprefix("https://").partition("/")
    binder_kind = {"github.com": f"gh/{repository}", "gitlab.com": f"gl/{quote(repository, safe='')}"}
    source = binder_kind.get(host, f"git/{quote(address, safe='')}")
    launch = {"Binder": ("logo_binder.svg", f"{BINDER}/v2/{source}/HEAD?urlpath={quote(f'lab/tree/{notebook}')}")}
    if host == "github.com":
        launch["Colab"] = ("logo_colab.png", f"{COLAB}/github/{repository}/blob/HEAD/{quote(notebook)}")
    return [
        {"type": "link", "text": name, "tooltip": f"Launch on {name}", "icon": f"_static/images/{icon}", "url": url}
        for name, (icon, url) in launch.items()
    ]


def add_launch_button(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the launch menu first among the buttons above a notebook.

    The theme's own launch buttons know three hosts only and escape other addresses wrongly for Binder.
    """
    if not app.config.mcbook_repository or context.get("page_source_suffix") != ".ipynb":
        return
    links = launch_links(app.config.mcbook_repository, f"{pagename}.ipynb")
    menu = {"type": "group", "tooltip": "Launch this notebook", "icon": "fas fa-rocket", "label": "launch-buttons"}
    context["header_buttons"].insert(0, {**menu, "buttons": links})


# What stands in the page, what stands there instead, and why.
REPAIRS = [
    # sphinx-proof gives a proof no class of its own; it and sphinx-exercise give all blocks the same id.
    (r'<div class="proof admonition" id="proof">', '<div class="proof admonition book-proof">'),
    (r'(book-proof">\s*<p>)Proof\.', r'\1<span class="book-proof-word">Proof.</span>'),
    (r' id="(proof|exercise|solution)-content"', ""),
    # A link begins with its first word and not with the space before it.
    (r"(Solution to)(<a [^>]*>) ", r"\1 \2"),
    # docutils calls the references a list of entries, but gives the list children that ARIA does not allow there.
    (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
    (r' role="doc-biblioentry"', ""),
    # What folded code is called is what it says of itself.
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
]


# A table written in Markdown; those of code cells say of themselves how they are shown.
TABLE = re.compile(r'<table class="table">(?P<inside>.*?)</table>', re.S)
HEADING = re.compile(r'<th class="head[^"]*"><p>(.*?)</p></th>', re.S)
# As for the tables of code cells (mcbook/foundation/pages.py).
MOST_CARDS = 12


def repair_body(body: str) -> str:
    for pattern, replacement in REPAIRS:
        body = re.sub(pattern, replacement, body)
    return TABLE.sub(with_cards, body)


def with_cards(table: re.Match[str]) -> str:
    """A small table whose cells name their columns, so that its rows can be cards on a phone."""
    inside = table["inside"]
    columns = [re.sub(r"<[^>]+>|\\[()]", "", heading) for heading in HEADING.findall(inside)]
    if len(columns) < 3 or inside.count("<tr") > MOST_CARDS + 1:
        return table[0]
    places = itertools.count()
    inside = re.sub("<td", lambda _: f'<td role="cell" data-label="{columns[next(places) % len(columns)]}"', inside)
    for name, role in {"thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "th": "columnheader"}.items():
        inside = re.sub(rf"<{name}(?=[ >])", f'<{name} role="{role}"', inside)
    return f'<table class="table book-cards" role="table">{inside}</table>'


def repair_page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = repair_body(context["body"])


def forget_failed_build(app: Sphinx, exception: Exception | None) -> None:
    """Make the next build read every page again after a warning.

    Sphinx warns about a page only when it reads it, so a second strict build would pass in silence.
    The public status code is set after this event, so only the private count knows of the warnings.
    """
    if exception is not None or app._warncount:
        Path(app.doctreedir, "environment.pickle").unlink(missing_ok=True)


def read_repository(app: Sphinx, config: Config) -> None:
    config.mcbook_repository = repository_address(Path(app.srcdir))
    config.mcbook_contents = (Path(app.srcdir) / "_toc.yml").read_text(encoding="utf-8")


# What sets the formulas, without the menu on a right click, which is a third of the whole and puts every formula in the
# way of readers who go by the Tab key.
MATHJAX = ["input/tex", "output/chtml", "a11y/assistive-mml"]


def lighten_pages(app: Sphinx, config: Config) -> None:
    """Leave out what the theme and MathJax load and no page of the book uses."""
    config.templates_path = [*config.templates_path, str(Path(__file__).parent / "templates")]
    config.mathjax_path = "mathjax/startup.js"
    config.mathjax3_config = {**(config.mathjax3_config or {}), "loader": {"load": MATHJAX}}


def setup(app: Sphinx) -> dict[str, Any]:
    # "html": a changed address, and a changed table of contents, write every page again.
    app.add_config_value("mcbook_repository", "", "html", [str])
    app.add_config_value("mcbook_contents", "", "html", [str])
    app.connect("config-inited", read_repository)
    app.connect("config-inited", lighten_pages)
    # After the theme's own handlers at 500 and 501, which make the list of buttons and would put theirs in front.
    app.connect("html-page-context", add_launch_button, priority=502)
    app.connect("html-page-context", repair_page, priority=502)
    app.connect("build-finished", forget_failed_build)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
