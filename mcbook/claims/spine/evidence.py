"""One comparison of two known numbers, and its verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mcbook.foundation.proof import Known, Tier, Verdict, known
from mcbook.foundation.proof.rigorous import Proof
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Real

# What a part of a claim yields: lines, or a single one.
Lines: TypeAlias = "Iterable[Evidence] | Evidence"

# The widest accuracy within which numbers may be called equal: this much, or this share of the larger of them.
_CLOSE = 1e-2
_CLOSE_SHARE = 1 / 20


@dataclass(frozen=True)
class Evidence:
    """One line of a trial: what was compared, how it came out, and how strongly that is known.

    ``what`` names what is compared, both sides if both have names: "updates ≤ R²/γ²".  ``at`` is the instance: "k = 3".
    A line has numbers on both sides of a relation, or a note in words.  ``statement`` marks the line that compares the
    two sides of the statement itself.
    """

    what: str
    verdict: Verdict
    tier: Tier
    left: Known | None = None
    relation: str = ""
    right: Known | None = None
    note: str = ""
    at: str = ""
    statement: bool = False

    @property
    def holds(self) -> bool:
        return self.verdict is Verdict.HOLDS

    @property
    def refuted(self) -> bool:
        return self.verdict is Verdict.REFUTED

    def __str__(self) -> str:
        return f"{self.what}{f' ({self.at})' if self.at else ''}: {self.finding}"

    @property
    def finding(self) -> str:
        """The two numbers and their relation, or the note."""
        return self.note or f"{self.left} {self.relation} {self.right}"

    @property
    def tightness(self) -> float | None:
        """The smaller side by the larger, as the relation has it; None where a side is negative or infinite."""
        if self.left is None or self.right is None:
            return None
        lower, upper = self.left.middle, self.right.middle
        if self.relation == "≥":
            lower, upper = upper, lower
        if lower == upper:
            return 1.0
        return lower / upper if lower >= 0 and 0 < upper < math.inf else None

    @property
    def shows_equality(self) -> bool:
        """Whether an exact line has equal sides, or a proof for all inputs holds, which need not have sides."""
        return self.holds and (self.tier is Tier.RIGOROUS or (self.tier is Tier.EXACT and self.tightness == 1))


def at_most(what: str, lhs: Real, rhs: Real, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence on lhs <= rhs."""
    left, right = known(lhs), known(rhs)
    verdict = _verdict(left.upper <= right.lower, left.lower > right.upper)
    return _compared(what, left, "≤", right, verdict, at, statement)


def at_least(what: str, lhs: Real, rhs: Real, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence on lhs >= rhs."""
    left, right = known(lhs), known(rhs)
    verdict = _verdict(left.lower >= right.upper, left.upper < right.lower)
    return _compared(what, left, "≥", right, verdict, at, statement)


def less_than(what: str, lhs: Real, rhs: Real, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence on lhs < rhs."""
    left, right = known(lhs), known(rhs)
    verdict = _verdict(left.upper < right.lower, left.lower >= right.upper)
    return _compared(what, left, "<", right, verdict, at, statement)


def equal(what: str, lhs: Real, rhs: Real, within: float = 0.0, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence on lhs = rhs, or on |lhs - rhs| <= within where a number can only be known to some accuracy.

    What agrees only within an accuracy is at best certified, however the two numbers came about; and an accuracy that
    is large beside the numbers would make any two of them agree.
    """
    left, right = known(lhs), known(rhs)
    widest = max(_CLOSE, _CLOSE_SHARE * max(abs(left.middle), abs(right.middle)))
    if not 0 <= within <= widest:
        raise ValueError(f"{what}: expected an accuracy from 0 to {widest:g} for {left} = {right}, got {within}")
    farthest = max(left.upper - right.lower, right.upper - left.lower)
    nearest = max(left.lower - right.upper, right.lower - left.upper)
    verdict = _verdict(farthest <= within, nearest > within)
    best = Tier.CERTIFIED if within else Tier.RIGOROUS
    return _compared(what, left, "≈" if within else "=", right, verdict, at, statement, best)


def holds(what: str, value: bool, tier: Tier, note: str = "", *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence on a yes-or-no question, and by how strong means it was answered: nobody but the caller can know."""
    verdict = Verdict.HOLDS if value else Verdict.REFUTED
    return Evidence(what, verdict, tier, note=note or ("yes" if value else "no"), at=at, statement=statement)


def proved(what: str, proof: Proof, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence from a proof for all inputs."""
    note = f"{proof.method}: {proof.detail}"
    return Evidence(what, proof.verdict, Tier.RIGOROUS, note=note, at=at, statement=statement)


def covered(what: str, coverage: Coverage, *, at: str = "", statement: bool = False) -> Evidence:
    """Evidence that a statement fails with probability at most delta."""
    note = f"{coverage.n_failures} failures in {coverage.n_trials} trials, allowed {coverage.delta:g} of them"
    share = Known(*2 * (coverage.n_failures / coverage.n_trials,), Tier.STATISTICAL)
    allowed = Known(coverage.delta, coverage.delta, Tier.STATISTICAL)
    return Evidence(what, coverage.verdict, Tier.STATISTICAL, share, "≤", allowed, note, at, statement)


def _verdict(true: bool, false: bool) -> Verdict:
    return Verdict.HOLDS if true else Verdict.REFUTED if false else Verdict.UNDECIDED


def _compared(
    what: str,
    left: Known,
    relation: str,
    right: Known,
    verdict: Verdict,
    at: str,
    statement: bool,
    best: Tier = Tier.RIGOROUS,
) -> Evidence:
    tier = min(left.tier, right.tier, best)
    return Evidence(what, verdict, tier, left, relation, right, at=at, statement=statement)
