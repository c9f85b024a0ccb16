"""Explorers: figures that the reader moves, in plain pages, without a kernel and from disk.

``{explorer} name`` puts one on the page.  Readers without scripts see the picture that is kept for it in
``book/explorers/pictures`` (``tools/explorer_pictures.py`` makes it) and the sentences that stand in the directive.
The sources are modules in ``book/explorers``.  Browsers refuse modules in pages opened from disk,
so each explorer is joined with the modules that it imports into one plain script when the book is built.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

FOLDER = Path("book") / "explorers"
IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.M)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.M)
LARGEST = 60_000
LICENCE = "/* Part of the book and under its licence for code, the BSD 3-Clause licence. */\n"


def bundle(entry: Path) -> str:
    """One script of a module and all that it imports, each module once and after those that it imports."""
    modules: dict[Path, str] = {}
    _collect(entry.resolve(), modules, ())
    _refuse_clashes(modules)
    text = "\n".join(EXPORT.sub("", IMPORT.sub("", source)).strip() for source in modules.values())
    script = f'{LICENCE}(() => {{\n"use strict";\n{text}\n}})();\n'
    own = len(modules[entry.resolve()].encode())
    if own > LARGEST:
        raise ExtensionError(
            f"{entry.name} has {own} bytes of its own, and at most {LARGEST} are allowed: make it smaller"
        )
    if re.search(r"^(import|export)\b", text, re.M):
        raise ExtensionError(f'{entry.name}: write imports as `import {{ a, b }} from "./file.js";`, exports by name')
    return script


def _collect(path: Path, modules: dict[Path, str], below: tuple[Path, ...]) -> None:
    if path in modules:
        return
    if path in below:
        raise ExtensionError(f"{path.name} imports itself by way of {', '.join(other.name for other in below)}")
    if not path.is_file():
        raise ExtensionError(f"{below[-1].name if below else 'a page'} asks for {path.name}, which is not in {FOLDER}")
    source = path.read_text(encoding="utf-8")
    for names, target in IMPORT.findall(source):
        imported = (path.parent / target).resolve()
        _collect(imported, modules, (*below, path))
        offered = set(DECLARED.findall("\n".join(re.findall(r"^export .*$", modules[imported], re.M))))
        missing = {name.strip() for name in names.split(",") if name.strip()} - offered
        if missing:
            raise ExtensionError(f"{path.name} imports {', '.join(sorted(missing))}, which {target} does not export")
    modules[path] = source


def _refuse_clashes(modules: dict[Path, str]) -> None:
    """All modules of a script share one scope: a name declared twice at the top would stop it."""
    owner: dict[str, str] = {}
    for path, source in modules.items():
        for name in DECLARED.findall(source):
            if name in owner:
                raise ExtensionError(f"{path.name} and {owner[name]} both declare {name} at their top: rename one")
            owner[name] = path.name


class explorer(nodes.Element):
    """The place of an explorer on a page, with what is seen without scripts."""


class ExplorerDirective(SphinxDirective):
    """``{explorer} name``: an explorer, with its static picture and caption as content."""

    required_arguments = 1
    has_content = True
    option_spec = {"name": directives.unchanged}  # noqa: RUF012 - docutils reads this from the class

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        name = self.arguments[0]
        source = Path(self.env.srcdir) / FOLDER / f"{name}.js"
        if not source.is_file():
            raise self.error(f"there is no explorer {name!r}: expected {FOLDER / name}.js")
        self.env.note_dependency(str(source))
        node = explorer("", explorer=name)
        node.source, node.line = self.get_source_info()
        self.add_name(node)
        node += self._picture(name)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]

    def _picture(self, name: str) -> nodes.raw:
        """What the explorer draws at its start, as inline SVG."""
        path = Path(self.env.srcdir) / FOLDER / "pictures" / f"{name}.html"
        if not path.is_file():
            raise self.error(f"the explorer {name!r} has no picture: run `python tools/explorer_pictures.py {name}`")
        self.env.note_dependency(str(path))
        plots = path.read_text(encoding="utf-8")
        return nodes.raw("", f'<div class="explorer-stage">\n{plots}</div>\n', format="html")


def open_explorer(self: HTML5Translator, node: explorer) -> None:
    self.body.append(self.starttag(node, "div", CLASS="book-explorer", **{"data-explorer": node["explorer"]}))


def close_explorer(self: HTML5Translator, node: explorer) -> None:
    self.body.append("</div>\n")


def add_scripts(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A page loads the explorers that stand on it and no others."""
    if doctree is not None:
        for name in dict.fromkeys(node["explorer"] for node in doctree.findall(explorer)):
            app.add_js_file(f"explorers/{name}.js", loading_method="defer")


def write_scripts(app: Sphinx) -> None:
    """The joined scripts, made anew at every build: it takes milliseconds."""
    target = Path(app.outdir) / "_static" / "explorers"
    target.mkdir(parents=True, exist_ok=True)
    for source in sorted((Path(app.srcdir) / FOLDER).glob("*.js")):
        (target / source.name).write_text(bundle(source), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(explorer, html=(open_explorer, close_explorer))
    app.add_directive("explorer", ExplorerDirective)
    app.connect("builder-inited", write_scripts)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
