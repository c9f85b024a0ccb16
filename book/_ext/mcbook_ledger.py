"""The directive ``ledger``: every result of the sources, with its state in this book and what its trial found.

Nothing is tried when the page is built: the findings are those that the suite holds to, in ``results/claims.json``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mcbook.claims import coverage
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import Covered, summary
from mcbook.claims.spine.record import PLACE, read_records


class LedgerDirective(SphinxDirective):
    """Lists the ledger chapter by chapter; a result that is done links to its statement."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        book = root / "book"
        self.depend_on(root)
        records = read_records(root)
        states = coverage(read_book(book))
        found = self.parsed(f"**{summary(states).capitalize()}.**")
        for chapter in dict.fromkeys(state.entry.chapter for state in states):
            mine = [state for state in states if state.entry.chapter == chapter]
            done = sum(state.done for state in mine)
            section = nodes.section(ids=[f"ledger-{chapter.replace('_', '-')}"])
            title = chapter.replace("_", " ").capitalize()
            section += nodes.title(text=f"{title}: {done} of {len(mine)}")
            section += self.parsed("\n\n".join(entry_text(state, records.get(state.entry.id)) for state in mine))
            found.append(section)
        return found

    def parsed(self, text: str) -> list[nodes.Node]:
        holder = nodes.Element()
        self.state.nested_parse(StringList(text.splitlines(), source=self.env.docname), 0, holder)
        return holder.children

    def depend_on(self, root: Path) -> None:
        """The page is built again when a notebook, the record of the trials or the ledger's data change."""
        import mcbook.claims as claims

        data = Path(claims.__file__).parent
        for path in (*root.glob("book/*.ipynb"), root / PLACE, *data.rglob("*.toml"), *data.rglob("*.py")):
            self.env.note_dependency(str(path))


def entry_text(state: Covered, record: dict[str, Any] | None) -> str:
    entry = state.entry
    where = f"{{prf:ref}}`{entry.label}`" if state.steps["statement"] else "not yet in the book"
    sources = ", ".join(f"{{cite}}`{key}`" for key in entry.source)
    place = f" ({entry.where})" if entry.where else ""
    facts = f"{where} · {entry.kind} · tier asked for: {entry.tier.word} · {sources}{place}"
    found = f"\n\n  {findings(record)}" if record else ""
    return f"**{entry.title}** (`{entry.id}`)\n: {entry.says}\n\n  {facts}{found}"


def findings(record: dict[str, Any]) -> str:
    """What the recorded trial found, in one line."""
    parts = record["parts"]
    n_controls = sum(part["role"] == "control" for part in parts)
    said = [f"reached: {record['reached']}", _counted(record["comparisons"], "comparison")]
    said.append(f"{_counted(n_controls, 'control')} refuted" if n_controls else "no control, and the reason why")
    ratios = [part["tightest"] for part in parts if part["role"] != "control" and "tightest" in part]
    if ratios:
        said.append(f"tightest ratio {max(ratios):g}")
    said += [f"false when made stronger by the factor {part['by']}" for part in parts if "by" in part]
    return " · ".join(said)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("ledger", LedgerDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
