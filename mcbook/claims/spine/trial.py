"""The trial of a claim: run its parts, judge them, show the outcome."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mcbook.claims.spine.calls import watched
from mcbook.claims.spine.claim import Claim, find_claim
from mcbook.claims.spine.evidence import Evidence
from mcbook.foundation.proof import Tier, Verdict


@dataclass(frozen=True)
class Part:
    """One part of a trial: a check, an extremal instance, a trace or a control."""

    role: str
    what: str
    evidence: tuple[Evidence, ...]
    # What a strengthened statement yields at its own strength, where it has to hold.
    unstrengthened: tuple[Evidence, ...] = ()
    # The places in the claim's `implements` of those that ran.
    called: frozenset[int] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """Holds if all evidence holds; refuted if, for a control, all of it and, elsewhere, any of it is refuted."""
        if self.evidence and all(one.holds for one in self.evidence):
            return Verdict.HOLDS
        judge = all if self.role == "control" else any
        refuted = bool(self.evidence) and judge(one.refuted for one in self.evidence)
        return Verdict.REFUTED if refuted else Verdict.UNDECIDED

    @property
    def passed(self) -> bool:
        wanted = Verdict.REFUTED if self.role == "control" else Verdict.HOLDS
        return self.verdict is wanted and all(one.holds for one in self.unstrengthened)

    @property
    def tier(self) -> Tier:
        return min((one.tier for one in self.evidence), default=Tier.SAMPLED)

    @property
    def telling(self) -> Evidence | None:
        """The evidence to show: the first that spoils the part, else the tightest."""
        wanted = Verdict.REFUTED if self.role == "control" else Verdict.HOLDS
        for one in self.unstrengthened:
            if not one.holds:
                return one
        for one in self.evidence:
            if one.verdict is not wanted:
                return one
        return max(self.evidence, key=lambda one: -1.0 if one.tightness is None else one.tightness, default=None)


@dataclass(frozen=True)
class Trial:
    """The outcome of putting one claim on trial."""

    claim: Claim
    parts: tuple[Part, ...]

    @property
    def tier(self) -> Tier:
        """The tier that the checks reached: that of the weakest evidence in them."""
        return min((part.tier for part in self.parts if part.role == "check"), default=Tier.SAMPLED)

    @property
    def complaints(self) -> tuple[str, ...]:
        """Why the claim does not stand; empty when it does."""
        found = [_spoilt(part) for part in self.parts if not part.passed]
        found += [f"it has no {role}, and no reason why not" for role in _missing(self.claim)]
        return (*found, *self._complaints_about_tier(), *self._complaints_about_calls())

    def _complaints_about_tier(self) -> Iterator[str]:
        asked, permitted = self.claim.required_tier, self.claim.weaker_tier
        reaches = f"its check reaches the tier '{self.tier.word}', the ledger asks for '{asked.word}'"
        if permitted is None:
            if self.tier < asked:
                yield f"{reaches} and no reason is written down"
        elif permitted[0] is not self.tier or not self.tier < asked:
            yield f"{reaches} and the exception is written for '{permitted[0].word}': bring it up to date"

    def _complaints_about_calls(self) -> Iterator[str]:
        names = [getattr(one, "__name__", repr(one)) for one in self.claim.implements]
        for part in self.parts:
            if part.role == "control" and not part.called:
                yield f"control '{part.what}' calls none of {', '.join(names)}: what does it try?"
        called = frozenset[int]().union(*(part.called for part in self.parts if part.role != "control"))
        for place, name in enumerate(names):
            if place not in called:
                yield f"{name} is said to implement it, and no check, extremal instance or trace calls it"

    @property
    def stands(self) -> bool:
        return not self.complaints

    def __repr__(self) -> str:
        claim = self.claim
        rows = [f"{claim.label} ({claim.id}): {claim.entry.title}"]
        rows += ["  " + " | ".join(row) for row in _rows(self)]
        rows += [f"  complaint: {line}" for line in self.complaints]
        rows.append(f"  {'stands' if self.stands else 'DOES NOT STAND'}, tier: {self.tier.word}")
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        claim = self.claim
        end = f"{'stands' if self.stands else 'does not stand'} · tier: {self.tier.word}"
        notes = "".join(f"<p>{html.escape(line)}</p>" for line in (*self.complaints, *_reasons(claim)))
        caption = f"{claim.entry.title} ({claim.id}): {end}"
        return table(caption, ("part", "what", "finding", "verdict"), _rows(self)) + notes


def verify(name: str | Claim, seed: int = 0) -> Trial:
    """Put a claim on trial, by its ledger id or the label of its statement."""
    claim = name if isinstance(name, Claim) else find_claim(name)
    parts = [_tried(claim, "check", what, check, np.random.default_rng(seed)) for what, check in claim.checks.items()]
    for role, functions in (("extremal", claim.extremals), ("trace", claim.traces), ("control", claim.controls)):
        parts += [_tried(claim, role, what, function) for what, function in functions.items()]
    for what, (by, function) in claim.strengthenings.items():
        found = _tried(claim, "control", f"{what}, times {by}", function, by)
        parts.append(replace(found, unstrengthened=_collected(function(1))))
    return Trial(claim, tuple(parts))


def _tried(claim: Claim, role: str, what: str, function: Any, *arguments: Any) -> Part:
    with watched(claim.implements) as called:
        evidence = _collected(function(*arguments))
    return Part(role, what, evidence, called=frozenset(called))


def _collected(evidence: Iterable[Evidence] | Evidence) -> tuple[Evidence, ...]:
    return (evidence,) if isinstance(evidence, Evidence) else tuple(evidence)


def _missing(claim: Claim) -> list[str]:
    bounds = claim.entry.kind in ("upper bound", "lower bound", "growth rate")
    parts = {
        "check": claim.checks,
        # An identity or an existence has no slack whose smallest value could be shown.
        "extremal instance": claim.extremals or claim.no_extremal or not bounds,
        "control": claim.controls or claim.strengthenings or claim.no_control,
        "trace of its proof": claim.traces or claim.no_trace or not (bounds and claim.entry.nature == "theorem"),
    }
    return [role for role, present in parts.items() if not present]


def _reasons(claim: Claim) -> list[str]:
    return [
        f"{what}: {reason}"
        for what, reason in (
            ("Weaker tier", claim.weaker_tier[1] if claim.weaker_tier else ""),
            ("No extremal instance", claim.no_extremal),
            ("No control", claim.no_control),
            ("No trace", claim.no_trace),
        )
        if reason
    ]


def _spoilt(part: Part) -> str:
    if not part.evidence:
        return f"{part.role} '{part.what}' yielded no evidence"
    one = part.telling
    assert one is not None
    wanted = "should be refuted" if part.role == "control" else "should hold"
    return f"{part.role} '{part.what}' {wanted}, but: {one.what}: {one.finding} is {one.verdict.value}"


def _rows(trial: Trial) -> list[tuple[str, str, str, str]]:
    rows = []
    for part in trial.parts:
        count = len(part.evidence)
        one = part.telling
        finding = "no evidence" if one is None else f"{one.what}: {one.finding}"
        if count > 1:
            finding = f"{count} comparisons; {'worst' if not part.passed else 'tightest'}: {finding}"
        rows.append((part.role, part.what, finding, part.verdict.value))
    return rows


@dataclass(frozen=True)
class ProofTrace:
    """A proof run on one instance: every line a value, every relation between lines checked."""

    title: str
    lines: tuple[Evidence, ...]

    def __repr__(self) -> str:
        lines = [f"  {i}. {one.what}: {one.finding} [{one.verdict.value}]" for i, one in enumerate(self.lines, 1)]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        rows = [(str(i), one.what, one.finding, one.verdict.value) for i, one in enumerate(self.lines, 1)]
        return table(self.title, ("line", "step of the proof", "on this instance", "verdict"), rows)


def trace(name: str | Claim) -> ProofTrace:
    """The traces of a claim's proof, line by line."""
    claim = name if isinstance(name, Claim) else find_claim(name)
    if not claim.traces:
        raise KeyError(f"{claim.id} has no trace of its proof: give its claim one with @claim.trace")
    lines = tuple(one for run in claim.traces.values() for one in _collected(run()))
    return ProofTrace(f"{claim.entry.title}: {'; '.join(claim.traces)}", lines)


def table(caption: str, header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    """An HTML table in the look of a verdict; the last cell of a row is its verdict."""
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in header)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[:-1])
        + f'<td class="{html.escape(row[-1])}">{html.escape(row[-1])}</td></tr>'
        for row in rows
    )
    return (
        f'<table class="mcbook-verdict"><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
