"""Theorem coverage: which entries of the ledger are stated, derived, implemented, checked and controlled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcbook.claims.spine.book import BookText
from mcbook.claims.spine.claim import Claim, claims
from mcbook.claims.spine.ledger import Entry, ledger

STEPS = ("statement", "derivation", "implementation", "check", "control")


@dataclass(frozen=True)
class Covered:
    """How far one entry has come."""

    entry: Entry
    steps: Mapping[str, bool]

    @property
    def done(self) -> bool:
        return all(self.steps.values())

    @property
    def lacking(self) -> list[str]:
        return [step for step in STEPS if not self.steps[step]]

    @property
    def status(self) -> str:
        if self.done:
            return "done"
        have = [step for step in STEPS if self.steps[step]]
        return f"only {', '.join(have)}" if have else "not yet"


def coverage(book: BookText) -> list[Covered]:
    """The state of every entry of the ledger, in the ledger's order."""
    with_claim = claims()
    return [Covered(entry, _steps(entry, with_claim.get(entry.id), book)) for entry in ledger().values()]


def _steps(entry: Entry, claim: Claim | None, book: BookText) -> dict[str, bool]:
    imported = book.imports.get(entry.chapter, set())
    return {
        "statement": book.chapter_of.get(entry.label) == entry.chapter,
        "derivation": entry.label in book.proved,
        # An implementation counts when the chapter that states the result uses it.
        "implementation": claim is not None and any(f.__name__ in imported for f in claim.implements),
        "check": claim is not None and bool(claim.checks),
        "control": claim is not None and bool(claim.controls or claim.strengthenings or claim.no_control),
    }


def discrepancies(book: BookText) -> list[str]:
    """Statements without a claim, claims without a statement, claims the book never puts on trial before the reader."""
    labels = {claim.label: claim for claim in claims().values()}
    found = list(book.problems)
    for label, chapter in book.chapter_of.items():
        if label not in labels:
            found.append(f"{chapter} states {label}, and no claim has that label")
    for label, claim in labels.items():
        if book.chapter_of.get(label) != claim.entry.chapter:
            found.append(f"the claim {claim.id} has no statement labelled {label} in {claim.entry.chapter}")
        if not {label, claim.id} & book.verified:
            found.append(f"the claim {claim.id} is nowhere shown to the reader: add verify({label!r}) to its chapter")
    return found


def summary(states: list[Covered]) -> str:
    """One line: the share of the ledger that is done."""
    done = sum(state.done for state in states)
    return f"theorem coverage: {done} of {len(states)} ledger entries ({done / len(states):.1%})"
