"""The directive ``ledger``: every result of the sources, with its state in this book, read when the page is built."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mcbook.claims import coverage
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import Covered, summary


class LedgerDirective(SphinxDirective):
    """Lists the ledger chapter by chapter; a result that is done links to its statement."""

    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir) / "book"
        self.depend_on(book)
        states = coverage(read_book(book))
        found = self.parsed(f"**{summary(states).capitalize()}.**")
        for chapter in dict.fromkeys(state.entry.chapter for state in states):
            mine = [state for state in states if state.entry.chapter == chapter]
            done = sum(state.done for state in mine)
            section = nodes.section(ids=[f"ledger-{chapter.replace('_', '-')}"])
            title = chapter.replace("_", " ").capitalize()
            section += nodes.title(text=f"{title}: {done} of {len(mine)}")
            section += self.parsed("\n\n".join(map(entry_text, mine)))
            found.append(section)
        return found

    def parsed(self, text: str) -> list[nodes.Node]:
        holder = nodes.Element()
        self.state.nested_parse(StringList(text.splitlines(), source=self.env.docname), 0, holder)
        return holder.children

    def depend_on(self, book: Path) -> None:
        """The page is built again when a notebook or the ledger's data change."""
        import mcbook.claims as claims

        data = Path(claims.__file__).parent
        for path in (*book.glob("*.ipynb"), *data.rglob("*.toml"), *data.rglob("*.py")):
            self.env.note_dependency(str(path))


def entry_text(state: Covered) -> str:
    entry = state.entry
    where = f"{{prf:ref}}`{entry.label}`" if state.steps["statement"] else "not yet in the book"
    sources = ", ".join(f"{{cite}}`{key}`" for key in entry.source)
    place = f" ({entry.where})" if entry.where else ""
    facts = f"{where} · {entry.kind} · tier asked for: {entry.tier.word} · {sources}{place}"
    return f"**{entry.title}** (`{entry.id}`)\n: {entry.says}\n\n  {facts}"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("ledger", LedgerDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
