"""What came out, for people: a line per mutant, the survivors, and the score of each part against its target."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(frozen=True)
class Score:
    """What came out for one part; ``by_evidence`` is how many of the noticed only a claim's record told."""

    part: str
    mutants: int
    noticed: int
    by_evidence: int

    @property
    def share(self) -> float:
        return self.noticed / self.mutants

    @property
    def reached(self) -> bool:
        return self.share >= TARGETS[self.part]


def scores(outcomes: list[Outcome]) -> list[Score]:
    """The scores in the order of the parts, without what could not be put in place."""
    tried = [one for one in outcomes if not one.unplaced]
    found = []
    for part in dict.fromkeys(one.part for one in tried):
        noticed = [one.noticed_by for one in tried if one.part == part]
        by_evidence = sum(name.endswith("by its evidence") for name in noticed)
        found.append(Score(part, len(noticed), sum(map(bool, noticed)), by_evidence))
    return found


def summary(outcomes: list[Outcome]) -> str:
    """The survivors and the scores."""
    survivors = [one for one in outcomes if not one.unplaced and not one.noticed_by]
    lines = ["", "Survivors:" if survivors else "No survivors."]
    for one in sorted(survivors, key=lambda one: (one.part, one.mutant.path, one.mutant.line)):
        lines += [f"  {one.part}: {one.mutant}", f"      in: {one.mutant.text}"]
    lines += ["", f"{'part':12} {'mutants':>8} {'noticed':>8} {'by evidence':>12} {'score':>7} {'target':>7}"]
    for one in scores(outcomes):
        lines.append(
            f"{one.part:12} {one.mutants:8} {one.noticed:8} {one.by_evidence:12} {one.share:7.1%}"
            f" {TARGETS[one.part]:7.0%}{'' if one.reached else '  below'}"
        )
    unplaced = sum(one.unplaced for one in outcomes)
    if unplaced:
        lines.append(f"{unplaced} more could not be put into the running package, and count for nothing.")
    return "\n".join(lines)


def write_record(file: Path, outcomes: list[Outcome], seed: int, n_equivalent: int) -> None:
    """Keep the scores of these parts, for the page of the ledger; what is listed as equivalent was not drawn."""
    before = json.loads(file.read_text(encoding="utf-8"))["parts"] if file.exists() else {}
    now = {
        one.part: {"seed": seed, "mutants": one.mutants, "noticed": one.noticed, "by_evidence": one.by_evidence}
        for one in scores(outcomes)
    }
    parts = {part: {**before, **now}[part] | {"target": TARGETS[part]} for part in TARGETS if part in {**before, **now}}
    file.write_text(json.dumps({"equivalent": n_equivalent, "parts": parts}, indent=1) + "\n", encoding="utf-8")
