"""Theorem coverage: which claims are stated, derived, implemented, checked and controlled.

The last step, the formula, is done when the page's own formulas agree with the functions on trial, or when the claim
says why the statement has no closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcbook.claims.spine.book import BookText, argument
from mcbook.claims.spine.claim import Claim, claims
from mcbook.claims.spine.formulas.formula import BoundFormula

STEPS = ("statement", "derivation", "implementation", "check", "control", "formula")

# A proof says at least this much; the shortest in the book that says enough has a few characters more.
SHORTEST_PROOF = 75


@dataclass(frozen=True)
class Covered:
    """How far one claim has come."""

    claim: Claim
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

    @property
    def has_tested_formula(self) -> bool:
        return bool(self.claim.formulas) and self.steps["formula"]


def coverage(book: BookText) -> list[Covered]:
    """The state of every claim, in their order."""
    used = {chapter: code.objects() for chapter, code in book.code.items()}
    return [Covered(claim, _steps(claim, book, used.get(claim.chapter, []))) for claim in claims().values()]


def _steps(claim: Claim, book: BookText, used: list[object]) -> dict[str, bool]:
    return {
        "statement": book.chapter_of.get(claim.label) == claim.chapter,
        # What experiments show is not derived.
        "derivation": claim.label in book.proofs or claim.nature == "observation",
        # An implementation counts when the chapter that states the result uses that very object.
        "implementation": any(one is other for one in claim.implements for other in used),
        "check": bool(claim.checks),
        "control": any(claim.parts["control"]),
        "formula": _formula_is_done(claim, book),
    }


def _formula_is_done(claim: Claim, book: BookText) -> bool:
    if claim.no_formula or book.folder is None:
        return bool(claim.no_formula)
    return bool(claim.formulas) and all(agrees(bound) for bound in bound_formulas(claim, book.folder))


def bound_formulas(claim: Claim, folder: Path) -> list[BoundFormula]:
    """The formulas of a claim at their places in the book."""
    return [BoundFormula(formula, claim.chapter, claim.label, folder, claim.symbols) for formula in claim.formulas]


def agrees(bound: BoundFormula) -> bool:
    """Whether page and function agree; asked once for each state of the page and of the notation."""
    if not all(path.is_file() for path in bound.read_from):
        return False
    key = (bound.statement, bound.formula, *((path, path.stat().st_mtime_ns) for path in bound.read_from))
    if key not in _AGREES:
        try:
            _AGREES[key] = not bound.disagreement()
        except Exception:
            # Without its equation, its symbols or a function that runs, a formula is not tested.
            _AGREES[key] = False
    return _AGREES[key]


_AGREES: dict[tuple[object, ...], bool] = {}


def reasons(state: Covered, book: BookText) -> Iterator[str]:
    """What is to be done for the steps of a claim that lacks more than their names say."""
    claim = state.claim
    if book.folder is None:
        return
    if not state.steps["implementation"]:
        names = ", ".join(getattr(one, "__name__", repr(one)) for one in claim.implements)
        yield f"no cell of {claim.chapter} uses {names}"
    if not (claim.formulas or claim.no_formula):
        yield "the claim names no formula and gives no reason in no_formula"
    for bound in bound_formulas(claim, book.folder):
        try:
            problem = bound.disagreement()
        except Exception as error:  # the author's, of any kind: it is to be read
            problem = str(error)
        if problem:
            yield f"{bound.formula.equation}: {problem}"


def formula_lines(states: list[Covered]) -> list[str]:
    """The statements of written chapters whose formula is not tested, each with the reason."""
    return [
        f"{state.claim.label}: {state.claim.no_formula or 'no formula is bound, or page and function disagree'}"
        for state in states
        if state.steps["statement"] and not state.has_tested_formula
    ]


def formula_summary(states: list[Covered]) -> str:
    """One line: how many of the statements that the book makes have a formula that was compared with its function."""
    stated = [state for state in states if state.steps["statement"]]
    tested = sum(state.has_tested_formula for state in stated)
    reasons = sum(bool(state.claim.no_formula) for state in stated)
    n_formulas = sum(len(state.claim.formulas) for state in stated if state.has_tested_formula)
    return (
        f"formulas: {tested} of {len(stated)} statements are tested as printed ({n_formulas} formulas), "
        f"{reasons} say why they have none, {len(stated) - tested - reasons} are untested"
    )


def discrepancies(book: BookText, chapter: str | None = None) -> list[str]:
    """Where the book, or one chapter of it, and the claims do not say the same.

    A chapter that the table of contents leaves out is no part of the book, and its claims owe the book nothing.
    """
    chapters = [name for name in book.chapters if chapter in (None, name)]
    by_label = {claim.label: claim for claim in claims().values()}
    found = [problem for problem in book.problems if problem.split(":")[0] in chapters]
    for label, statement in book.statements.items():
        # What a definition or an algorithm does is no assertion, unless a claim has its label.
        names_only = label.startswith(("def-", "alg-"))
        if statement.chapter in chapters and label not in by_label and not names_only:
            found.append(f"{statement.chapter} states {label}, and no claim has that label")
    for claim in by_label.values():
        if claim.chapter in chapters:
            found += _differences(claim, book)
    return found


def _differences(claim: Claim, book: BookText) -> Iterator[str]:
    label, chapter = claim.label, claim.chapter
    if book.chapter_of.get(label) != chapter:
        yield f"the claim {label} has no statement in {chapter}"
    if label in book.proofs and len(argument(book.proofs[label])) < SHORTEST_PROOF:
        yield f"the proof of {label} says only {argument(book.proofs[label])!r}: a reader needs the reason"
    if label not in book.code[chapter].verified:
        yield f"the claim {label} is not shown to the reader: end a cell of {chapter} with verify({label!r})"


def summary(states: list[Covered]) -> str:
    """One line: the share of the claims that is done."""
    done = sum(state.done for state in states)
    return f"theorem coverage: {done} of {len(states)} claims ({done / len(states):.1%})"
