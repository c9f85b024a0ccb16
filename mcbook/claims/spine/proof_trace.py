"""A proof run on one instance, shown line by line."""

from __future__ import annotations

from dataclasses import dataclass

from mcbook.claims.spine.claim import Claim, find_claim
from mcbook.claims.spine.evidence import Evidence
from mcbook.claims.spine.trial import VERDICTS, collected
from mcbook.foundation.pages import table


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
        return table(
            self.title, ("line", "step of the proof", "on this instance", "verdict"), rows, **VERDICTS
        )._repr_html_()


def trace(name: str | Claim) -> ProofTrace:
    """The traces of a claim's proof, line by line."""
    claim = name if isinstance(name, Claim) else find_claim(name)
    if not claim.traces:
        raise KeyError(f"{claim.id} has no trace of its proof: give its claim one with @claim.trace(what)")
    lines = tuple(one for run in claim.traces.values() for one in collected(run()))
    return ProofTrace(f"{claim.entry.title}: {'; '.join(claim.traces)}", lines)
