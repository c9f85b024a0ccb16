"""The trial of a claim: run its parts, reach a verdict, show the outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from mcbook.claims.spine.calls import tracked_calls
from mcbook.claims.spine.claim import BOUNDS, Claim, find_claim
from mcbook.claims.spine.evidence import Evidence, Lines
from mcbook.claims.spine.report import as_html, filled
from mcbook.claims.spine.session import once_in_a_session
from mcbook.foundation.proof import Tier, Verdict

# Ratios of certified numbers are the same from machine to machine to this.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Part:
    """One part of a trial: a check, an extremal instance, a trace or a control."""

    role: str
    what: str
    evidence: tuple[Evidence, ...]
    # The factor of a strengthened statement, and what it yields at its own strength, where it has to hold.
    by: str = ""
    unstrengthened: tuple[Evidence, ...] = ()
    # The places in the claim's `implements` of those that ran.
    called: frozenset[int] = frozenset()

    @property
    def wanted(self) -> Verdict:
        return Verdict.REFUTED if self.role == "control" else Verdict.HOLDS

    @property
    def verdict(self) -> Verdict:
        """Holds if all evidence holds; refuted if, for a control, all of it and, elsewhere, any of it is refuted."""
        if self.evidence and all(one.holds for one in self.evidence):
            return Verdict.HOLDS
        quantifier = all if self.role == "control" else any
        refuted = bool(self.evidence) and quantifier(one.refuted for one in self.evidence)
        return Verdict.REFUTED if refuted else Verdict.UNDECIDED

    @property
    def passed(self) -> bool:
        # A strengthened statement has to yield the same lines at its own strength and at its factor.
        same_lines = not self.by or len(self.unstrengthened) == len(self.evidence)
        return self.verdict is self.wanted and same_lines and all(one.holds for one in self.unstrengthened)

    @property
    def tier(self) -> Tier:
        return min((one.tier for one in self.evidence), default=Tier.SAMPLED)

    @property
    def shown(self) -> Evidence | None:
        """The evidence to show: the first that fails the part, else the tightest."""
        failing = [one for one in self.unstrengthened if not one.holds]
        failing += [one for one in self.evidence if one.verdict is not self.wanted]
        if failing:
            return failing[0]
        ratios = [-1.0 if one.tightness is None else one.tightness for one in self.evidence]
        # Of lines that only rounding tells apart the first, so that every machine shows the same.
        blur = 0.0 if self.tier >= Tier.EXACT else ROUNDING
        return next(
            (one for one, ratio in zip(self.evidence, ratios, strict=True) if ratio >= max(ratios) - blur), None
        )

    @property
    def complaint(self) -> str:
        one = self.shown
        if one is None:
            return f"{self.role} '{self.what}' yielded no evidence"
        if one.verdict is self.wanted and len(self.unstrengthened) != len(self.evidence):
            lines = f"{len(self.unstrengthened)} lines at the factor 1 and {len(self.evidence)} at {self.by}"
            return f"{self.role} '{self.what}' yields {lines}: expected the same lines at both"
        wanted = "should be refuted" if self.role == "control" else "should hold"
        return f"{self.role} '{self.what}' {wanted}, but: {one} is {one.verdict.value}"

    @property
    def row(self) -> tuple[str, str, str, str]:
        one = self.shown
        finding = "no evidence" if one is None else str(one)
        if len(self.evidence) > 1:
            finding = f"{len(self.evidence)} comparisons; {'tightest' if self.passed else 'worst'}: {finding}"
        return (self.role, self.what, finding, self.verdict.value)


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
    def statement_lines(self) -> list[Evidence]:
        """The lines of the extremal instances that compare the two sides of the statement itself."""
        return [one for part in self.parts if part.role == "extremal" for one in part.evidence if one.statement]

    @property
    def attained(self) -> bool:
        """Whether the statement holds with equality on an extremal instance."""
        return any(one.shows_equality for one in self.statement_lines)

    @property
    def tightness(self) -> int | None:
        """What percentage of its bound the statement reaches; 100 stands for equality, exact or within rounding."""
        if self.attained or any(one.relation == "≈" for one in self.statement_lines):
            return 100
        ratios = [one.tightness for one in self.statement_lines if one.tightness is not None]
        # A ratio that rounding puts just below a whole percentage is that percentage.
        return min(99, int(100 * max(ratios) + ROUNDING)) if ratios else None

    @property
    def complaints(self) -> tuple[str, ...]:
        """Why the claim does not stand; empty when it does."""
        failed = (part.complaint for part in self.parts if not part.passed)
        about = (*self._about_parts(), *self._about_statement(), *self._about_tier())
        return (*failed, *about, *self._about_calls(), *self._about_sentences())

    def _about_parts(self) -> Iterator[str]:
        for role, (present, reason) in self.claim.parts.items():
            if present and reason:
                yield f"it has a part '{role}' and a reason why it has none: take the reason out"
            elif role in self.claim.required and not present and not reason:
                yield f"it has no {role}, and no reason why not"

    def _about_statement(self) -> Iterator[str]:
        if self.claim.extremals and self.claim.kind in BOUNDS and not self.statement_lines:
            yield "no line of its extremal instances is the statement itself: mark it with statement=True"

    def _about_tier(self) -> Iterator[str]:
        asked, permitted = self.claim.tier, self.claim.weaker_tier
        reaches = f"its check reaches the tier '{self.tier.word}', the claim asks for '{asked.word}'"
        if permitted is None:
            if self.tier < asked:
                yield f"{reaches} and no reason is written down"
        elif permitted[0] is not self.tier or not self.tier < asked:
            yield f"{reaches} and the exception is written for '{permitted[0].word}': bring it up to date"

    def _about_calls(self) -> Iterator[str]:
        names = [getattr(one, "__name__", repr(one)) for one in self.claim.implements]
        for part in self.parts:
            if part.role == "control" and not part.called:
                yield f"control '{part.what}' calls none of {', '.join(names)}: what does it try?"
        called = frozenset[int]().union(*(part.called for part in self.parts if part.role != "control"))
        for place, name in enumerate(names):
            if place not in called:
                yield f"{name} is said to implement it, and no check, extremal instance or trace calls it"

    def _about_sentences(self) -> Iterator[str]:
        for part in self.parts:
            if part.role == "control" and re.search(r"\{(left|right)\}", filled(part)):
                yield f"control '{part.what}' compares no two values: its sentence cannot show them"

    @property
    def stands(self) -> bool:
        return not self.complaints

    def __repr__(self) -> str:
        claim = self.claim
        rows = [claim.label]
        rows += ["  " + " | ".join(part.row) for part in self.parts]
        rows += [f"  complaint: {line}" for line in self.complaints]
        rows.append(f"  {'stands' if self.stands else 'DOES NOT STAND'}, tier: {self.tier.word}")
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        claim = self.claim
        reasons = {"Weaker tier": claim.weaker_tier[1] if claim.weaker_tier else ""}
        reasons |= {"No extremal instance": claim.no_extremal, "No control": claim.no_control}
        reasons |= {"No trace": claim.no_trace}
        return as_html(self, [f"{what}: {reason}" for what, reason in reasons.items() if reason])


def verify(name: str | Claim, seed: int = 0) -> Trial:
    """Put a claim on trial, by the label of its statement.

    >>> trial = verify("thm-top-down-induction-boosts")
    >>> trial.stands, trial.tier.word
    (True, 'exact')
    """
    claim = name if isinstance(name, Claim) else find_claim(name)
    return Trial(claim, once_in_a_session(claim, seed, lambda: tuple(_parts(claim, seed))))


def _parts(claim: Claim, seed: int) -> Iterator[Part]:
    for what, check in claim.checks.items():
        yield _tried(claim, "check", what, check, np.random.default_rng(seed))
    for role, functions in (("extremal", claim.extremals), ("trace", claim.traces), ("control", claim.controls)):
        for what, function in functions.items():
            yield _tried(claim, role, what, function)
    for what, (by, strengthened) in claim.strengthenings.items():
        found = _tried(claim, "control", what, strengthened, by)
        yield replace(found, by=str(by), unstrengthened=collected(strengthened(1)))


def _tried(claim: Claim, role: str, what: str, function: Callable[..., Lines], *arguments: object) -> Part:
    with tracked_calls(claim.implements) as called:
        evidence = collected(function(*arguments))
    return Part(role, what, evidence, called=frozenset(called))


def collected(evidence: Lines) -> tuple[Evidence, ...]:
    return (evidence,) if isinstance(evidence, Evidence) else tuple(evidence)
