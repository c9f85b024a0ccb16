"""What came out, for people: a line per mutant, the survivors, and the score of each part against its target."""

from __future__ import annotations

from dataclasses import dataclass

from tools.mutation.operators import Mutant
from tools.mutation.parts import TARGETS


@dataclass(frozen=True)
class Outcome:
    """How one mutant fared: who noticed it, empty where nobody did."""

    part: str
    mutant: Mutant
    noticed_by: str
    unplaced: bool = False


def progress(outcome: Outcome, done: int, total: int) -> None:
    word = "not placed" if outcome.unplaced else "noticed" if outcome.noticed_by else "SURVIVES"
    by = f"  [{outcome.noticed_by}]" if outcome.noticed_by else ""
    print(f"{done:4}/{total} {outcome.part:10} {word:10} {outcome.mutant}{by}", flush=True)


def summary(outcomes: list[Outcome]) -> tuple[str, bool]:
    """The survivors and the scores, and whether every part reaches its target."""
    lines = ["", "Survivors:"]
    tried = [one for one in outcomes if not one.unplaced]
    for one in sorted(
        (one for one in tried if not one.noticed_by), key=lambda one: (one.part, one.mutant.path, one.mutant.line)
    ):
        lines += [f"  {one.part}: {one.mutant}", f"      in: {one.mutant.text}"]
    lines += ["", f"{'part':12} {'mutants':>8} {'noticed':>8} {'by evidence':>12} {'score':>7} {'target':>7}"]
    reached = True
    for part in dict.fromkeys(one.part for one in tried):
        mine = [one for one in tried if one.part == part]
        noticed = sum(bool(one.noticed_by) for one in mine)
        by_evidence = sum(one.noticed_by.endswith("by its evidence") for one in mine)
        score = noticed / len(mine)
        below = score < TARGETS[part]
        reached &= not below
        lines.append(
            f"{part:12} {len(mine):8} {noticed:8} {by_evidence:12} {score:7.1%} {TARGETS[part]:7.0%}"
            + ("  below" if below else "")
        )
    unplaced = len(outcomes) - len(tried)
    if unplaced:
        lines.append(f"{unplaced} more could not be put into the running package, and count for nothing.")
    return "\n".join(lines), reached
