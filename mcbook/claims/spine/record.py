"""The record: what the trials of the book's claims found, and on what texts and code, in ``results/claims.json``.

``python -m mcbook verify --record`` writes it; the suite is red where a trial, a statement, a proof or the code on
trial differs from it.  What the page says is kept as text, so that a diff shows what a changed record accepts: the
statements with their proofs, and what no claim tries by itself, which is definitions, algorithms, examples and labelled
displays in the story.

A record accepts what a page says anew only together with what puts it on trial.  Where the words of a statement or the
mathematics of a proof have changed and neither the claim nor the code on trial has, `unsupported` says so.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
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
_TEXTS = ("statement", "proof")
_MATHEMATICS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\d+", re.S)


def read_records(root: Path) -> dict[str, Record]:
    """The records of a checkout by the labels of their claims; none where nothing has been recorded."""
    path = root / PLACE
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_records(root: Path, new: Mapping[str, Record], book: BookText) -> None:
    """Put the new records beside the others, first those of claims, in their order; what is gone goes out."""
    records = read_records(root) | dict(new)
    gone = gone_from(book, records)
    order = {label: place for place, label in enumerate((*claims(), *texts(book)))}
    kept = sorted(records.keys() - gone, key=lambda label: order.get(label, len(order)))
    ordered = {label: records[label] for label in kept}
    path = root / PLACE
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(path)


def gone_from(book: BookText, records: Iterable[str]) -> list[str]:
    """What is recorded and stands on no page; a book of some chapters leaves that open."""
    known = {*claims(), *texts(book)}
    whole = {claim.chapter for claim in claims().values()} <= {*book.chapters}
    return [label for label in records if label not in known] if whole else []


def record(trial: Trial, book: BookText) -> Record:
    """What is kept of one trial; what depends on the machine is not in it."""
    claim = trial.claim
    kept: Record = {"tier": trial.tier.word, "tightness": trial.tightness, "found": verdict_line(trial)}
    kept |= {"formulas": ", ".join(formula.name for formula in claim.formulas), "code": _code(claim)}
    # A chapter that the table of contents leaves out has no texts to compare.
    if claim.chapter in book.chapters:
        statement, proof = book.statements.get(claim.label), book.proofs.get(claim.label)
        kept["statement"] = _words(statement) if statement else ""
        kept["proof"] = " ".join(proof.split()) if proof else ""
    return kept


def texts(book: BookText) -> dict[str, Record]:
    """What has no claim of its own: definitions, algorithms, examples, and labelled displays in the story."""
    stated = {label: one for label, one in book.statements.items() if label not in claims()}
    return {label: {"statement": _words(one)} for label, one in (stated | book.others).items()}


def _words(statement: Statement) -> str:
    return " ".join(f"{statement.title}: {statement.text}".removeprefix(": ").split())


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
    known = [name for name in {**before, **now} if name in now or name not in _TEXTS]
    return [_said(name, before.get(name), now.get(name)) for name in known if before.get(name) != now.get(name)]


def _said(name: str, old: Any, new: Any) -> str:
    said = _SAID.get(name, f"{name}: {_value(old)} is recorded, now it is {_value(new)}")
    return f"{said}: {'; '.join(changes(old or '', new or ''))}" if name in _TEXTS else said


def unsupported(before: Record | None, now: Record) -> list[str]:
    """What the page says anew though nothing that puts it on trial has changed, in words."""
    if before is None or any(before.get(name) != now.get(name) for name in ("code", "formulas")):
        return []
    old = {name: str(before.get(name) or "") for name in _TEXTS if name in now}
    changed = [name for name in old if name == "statement" and old[name] != now[name]]
    if "proof" in old and _MATHEMATICS.findall(old["proof"]) != _MATHEMATICS.findall(now["proof"]):
        changed.append("proof")
    return [_said(name, before.get(name), now[name]) for name in changed]


@dataclass
class Comparison:
    """The record of a checkout beside what is found now, which it takes over if it ``accepts`` what has changed.

    ``reworded`` are the labels of what somebody has read and found to mean the same.
    """

    root: Path
    book: BookText
    accepts: bool = False
    reworded: Collection[str] = ()
    taken: dict[str, Record] = field(default_factory=dict)
    n_differing: int = 0

    @cached_property
    def kept(self) -> dict[str, Record]:
        return read_records(self.root)

    @cached_property
    def texts(self) -> dict[str, Record]:
        return texts(self.book)

    def of_trial(self, trial: Trial) -> Record:
        return record(trial, self.book)

    def compared(self, label: str, now: Record) -> Iterator[str]:
        """What has changed and whether it is accepted, in words."""
        before = self.kept.get(label)
        changed = differences(before, now)
        refused = label not in self.reworded and unsupported(before, now)
        if self.accepts and not refused:
            self.taken[label] = now
            yield from (f"recorded: {line}" for line in changed if before is not None)
        elif changed:
            self.n_differing += 1
            yield from (f"not as recorded: {line}" for line in changed)
            if self.accepts:
                yield (
                    "not recorded: nothing that puts it on trial has changed with it.  Change the claim too; or, "
                    f"if you have read it and it means the same as before: --record --reworded {label}"
                )

    def close(self) -> int:
        """Write what was taken over; say what is gone and how many differ, and return the number."""
        gone = gone_from(self.book, self.kept)
        if gone:
            print(f"{'recorded' if self.taken else 'not as recorded'}: on no page any more: {', '.join(gone)}")
        if self.taken:
            write_records(self.root, self.taken, self.book)
        if self.n_differing:
            accept = "" if self.accepts else ": where this is as it should be, add --record"
            print(f"{self.n_differing} not as {PLACE} has it{accept}")
        return self.n_differing


def changes(old: str, new: str) -> Iterator[str]:
    """Which words of a text have become which: "'at most' is now 'at least'"."""
    before, after = old.split(), new.split()
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield f"{_value(' '.join(before[a:b]))!r} is now {_value(' '.join(after[c:d]))!r}"


def _value(value: object) -> str:
    return "nothing" if value in (None, "", []) else str(value)
