"""One comparison of two known numbers, and its verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
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
    """One line of a trial: what was compared, how it came out, and how strongly that is known."""

    what: str
    finding: str
    verdict: Verdict
    tier: Tier
    tightness: float | None = None
    # The two numbers compared, without their uncertainty.
    sides: tuple[float, float] | None = None

    @property
    def holds(self) -> bool:
        return self.verdict is Verdict.HOLDS

    @property
    def refuted(self) -> bool:
        return self.verdict is Verdict.REFUTED


def at_most(what: str, lhs: Real, rhs: Real) -> Evidence:
    """Evidence on lhs <= rhs; tightness is lhs/rhs where that makes sense."""
    left, right = known(lhs), known(rhs)
    if left.upper <= right.lower:
        verdict = Verdict.HOLDS
    else:
        verdict = Verdict.REFUTED if left.lower > right.upper else Verdict.UNDECIDED
    return _compared(what, left, "≤", right, verdict, _ratio(left, right))


def at_least(what: str, lhs: Real, rhs: Real) -> Evidence:
    """Evidence on lhs >= rhs."""
    turned = at_most(what, rhs, lhs)
    left, right = known(lhs), known(rhs)
    return _compared(what, left, "≥", right, turned.verdict, turned.tightness)


def less_than(what: str, lhs: Real, rhs: Real) -> Evidence:
    """Evidence on lhs < rhs."""
    left, right = known(lhs), known(rhs)
    if left.upper < right.lower:
        verdict = Verdict.HOLDS
    else:
        verdict = Verdict.REFUTED if left.lower >= right.upper else Verdict.UNDECIDED
    return _compared(what, left, "<", right, verdict, _ratio(left, right))


def equal(what: str, lhs: Real, rhs: Real, within: float = 0.0) -> Evidence:
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
    verdict = Verdict.REFUTED if nearest > within else Verdict.UNDECIDED
    if farthest <= within:
        verdict = Verdict.HOLDS
    found = _compared(what, left, "≈" if within else "=", right, verdict, _ratio(left, right))
    return replace(found, tier=min(found.tier, Tier.CERTIFIED)) if within else found


def holds(what: str, value: bool, tier: Tier, finding: str = "") -> Evidence:
    """Evidence on a yes-or-no question, and by how strong means it was answered: nobody but the caller can know."""
    verdict = Verdict.HOLDS if value else Verdict.REFUTED
    return Evidence(what, finding or ("yes" if value else "no"), verdict, tier)


def proved(what: str, proof: Proof) -> Evidence:
    """Evidence from a proof for all inputs."""
    return Evidence(what, f"{proof.method}: {proof.detail}", proof.verdict, Tier.RIGOROUS)


def covered(what: str, coverage: Coverage) -> Evidence:
    """Evidence that a statement fails with probability at most delta."""
    finding = f"{coverage.n_failures} failures in {coverage.n_trials} trials, allowed {coverage.delta:g} of them"
    tightness = coverage.n_failures / coverage.n_trials / coverage.delta
    return Evidence(what, finding, coverage.verdict, Tier.STATISTICAL, tightness, (coverage.n_failures, coverage.delta))


def _compared(what: str, left: Known, sign: str, right: Known, verdict: Verdict, tightness: float | None) -> Evidence:
    sides = left.middle, right.middle
    return Evidence(what, f"{left} {sign} {right}", verdict, min(left.tier, right.tier), tightness, sides)


def _ratio(left: Known, right: Known) -> float | None:
    if right.middle == 0 or not math.isfinite(right.middle) or not math.isfinite(left.middle):
        return 1.0 if left.middle == right.middle else None
    return left.middle / right.middle
