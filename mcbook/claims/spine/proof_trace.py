"""A proof run on one instance, shown line by line."""

from __future__ import annotations

from dataclasses import dataclass

from mcbook.claims.spine.claim import Claim, find_claim
from mcbook.claims.spine.evidence import Evidence
from mcbook.claims.spine.report import line_of
from mcbook.claims.spine.trial import collected
from mcbook.foundation.proof import Verdict
from mcbook.foundation.typesetting import typeset


@dataclass(frozen=True)
class ProofTrace:
    """A proof run on one instance: every line a value, every relation between lines checked."""

    label: str
    instance: str
    lines: tuple[Evidence, ...]

    def __repr__(self) -> str:
        lines = [f"  {i}. {one} [{one.verdict.value}]" for i, one in enumerate(self.lines, 1)]
        return "\n".join([f"{self.label}: {self.instance}", *lines])

    def _repr_html_(self) -> str:
        failed = [one for one in self.lines if not one.holds]
        mark = '<span class="mcbook-holds" aria-hidden="true">✓</span> '
        n = len(self.lines)
        verdict = f"{len(failed)} of {n} lines do not hold" if failed else f"{n} lines, all hold"
        summary = f"{'✗ ' if failed else mark}the proof run on an instance: {typeset(self.instance)}; {verdict}"
        rows = "".join(f"<li{_class(one.verdict)}>{line_of(one)}</li>" for one in self.lines)
        lines = f'<summary>{summary}</summary><ol class="mcbook-parts">{rows}</ol>'
        return f'<details class="mcbook-trial"{" open" if failed else ""}>{lines}</details>'


def _class(verdict: Verdict) -> str:
    return "" if verdict is Verdict.HOLDS else f' class="{verdict.value}"'


def trace(name: str | Claim) -> ProofTrace:
    """The traces of a claim's proof, line by line.

    >>> trace("thm-top-down-induction-boosts")
    thm-top-down-induction-boosts: edge 3/10, eight leaves
      1. error ≤ half the potential: 13/125 ≤ 32/125 [holds]
      2. half the potential ≤ half λ^3: 32/125 ≤ 32/125 [holds]
      3. half λ^3 ≤ 8^(−2γ²/ln 2): 32/125 ≤ 0.582748 [holds]
    """
    claim = name if isinstance(name, Claim) else find_claim(name)
    if not claim.traces:
        raise KeyError(f"{claim.label} has no trace of its proof: give its claim one with @claim.trace(what)")
    lines = tuple(one for run in claim.traces.values() for one in collected(run()))
    return ProofTrace(claim.label, "; ".join(claim.traces), lines)
