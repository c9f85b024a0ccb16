"""The record: what the trials of the book's claims found, and on what texts and code, in ``results/claims.json``.

``python -m mcbook verify --record`` writes it; the suite is red where a trial, a statement, a proof or the code on
trial differs from it.  Statements, definitions and algorithms are kept as text, so that a diff shows what a changed
record accepts.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcbook.claims.spine import fingerprint
from mcbook.claims.spine.book import BookText, Statement
from mcbook.claims.spine.claim import Claim, claims
from mcbook.claims.spine.report import verdict_line
from mcbook.claims.spine.trial import Trial

PLACE = Path("results") / "claims.json"
RENEW = "python -m mcbook verify {} --record"

Record = dict[str, Any]

_SAID = {
    "statement": "the statement on the page has changed",
    "proof": "its proof on the page has changed",
    "code": "the code on trial, or a part of the claim, has changed",
}


def read_records(root: Path) -> dict[str, Record]:
    """The records of a checkout by the labels of their claims; none where nothing has been recorded."""
    path = root / PLACE
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_records(root: Path, new: Mapping[str, Record], book: BookText) -> None:
    """Put the new records beside the others, first those of claims, in their order; what is gone goes out."""
    records = read_records(root) | dict(new)
    ordered = {label: records[label] for label in (*claims(), *definitions(book)) if label in records}
    path = root / PLACE
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(path)


def record(trial: Trial, book: BookText) -> Record:
    """What is kept of one trial; what depends on the machine is not in it."""
    claim = trial.claim
    kept: Record = {"tier": trial.tier.word, "tightness": trial.tightness, "found": verdict_line(trial)}
    kept |= {"formulas": ", ".join(formula.name for formula in claim.formulas), "code": _code(claim)}
    # A chapter that the table of contents leaves out has no texts to compare.
    if claim.chapter in book.chapters:
        statement, proof = book.statements.get(claim.label), book.proofs.get(claim.label)
        kept["statement"] = _words(statement) if statement else ""
        kept["proof"] = fingerprint.of_text(proof) if proof else ""
    return kept


def definitions(book: BookText) -> dict[str, Record]:
    """The texts of the definitions and algorithms, which have no claim of their own."""
    stated = {label: one for label, one in book.statements.items() if label not in claims()}
    return {label: {"statement": _words(one)} for label, one in stated.items()}


def _words(statement: Statement) -> str:
    return " ".join(f"{statement.title}: {statement.text}".split())


def _code(claim: Claim) -> str:
    """A hash of the functions on trial and of the parts that try them."""
    parts = (claim.checks, claim.extremals, claim.traces, claim.controls)
    functions = [*claim.implements, *(function for part in parts for function in part.values())]
    functions += [function for _, function in claim.strengthenings.values()]
    return fingerprint.of_text(" ".join(map(fingerprint.of_code, functions)))


def differences(before: Record | None, now: Record) -> list[str]:
    """What is not as it is recorded, one sentence each."""
    if before is None:
        return ["nothing is recorded of it"]
    known = [name for name in {**before, **now} if name in now or name not in ("statement", "proof")]
    return [_said(name, before.get(name), now.get(name)) for name in known if before.get(name) != now.get(name)]


def _said(name: str, old: Any, new: Any) -> str:
    said = _SAID.get(name, f"{name}: {_value(old)} is recorded, now it is {_value(new)}")
    return f"{said}: {'; '.join(changes(old or '', new or ''))}" if name == "statement" else said


def changes(old: str, new: str) -> Iterator[str]:
    """Which words of a text have become which: "'at most' is now 'at least'"."""
    before, after = old.split(), new.split()
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield f"{_value(' '.join(before[a:b]))!r} is now {_value(' '.join(after[c:d]))!r}"


def _value(value: object) -> str:
    return "nothing" if value in (None, "", []) else str(value)
