"""The record: what the trials of the book's claims found, and on what texts and code, in ``results/claims.json``.

``python -m mcbook verify --record`` writes it; the suite is red where a run, a page, a function or the ledger differs
from it.  What depends on the machine is not in it.  Of parts all of whose evidence is rigorous or exact, ratios and
digests are kept; of the others the sums of what is compared, to an accuracy that every machine reaches; of all, with
what arguments they call the book's functions, where these are exact or short.  Another sample, instance or constant is
told by these.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mcbook.claims.spine import fingerprint
from mcbook.claims.spine.book import BookText
from mcbook.claims.spine.claim import claims
from mcbook.claims.spine.evidence import Evidence
from mcbook.claims.spine.trial import Part, Trial
from mcbook.foundation.proof import Tier

PLACE = Path("results") / "claims.json"
RENEW = "python -m mcbook verify {} --record"

Record = dict[str, Any]

# Sums of what floating point found are the same from machine to machine to this share of them, or to so much.
_SHARE = 1e-5
_ROOM = 1e-5

_TEXTS = {"statement": "the statement on the page has changed", "proof": "its proof on the page has changed"}


def read_records(root: Path) -> dict[str, Record]:
    """The records of a checkout by the ids of their claims; none where nothing has been recorded."""
    path = root / PLACE
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_records(root: Path, new: Mapping[str, Record]) -> None:
    """Put the new records beside those of other claims, in the ledger's order; claims that are gone are taken out."""
    records = read_records(root) | dict(new)
    ordered = {name: records[name] for name in claims() if name in records}
    path = root / PLACE
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(path)


def record(trial: Trial, book: BookText) -> Record:
    """What is kept of one trial."""
    claim = trial.claim
    statement, proof = book.statements.get(claim.label), book.proofs.get(claim.label)
    texts = {
        "statement": fingerprint.of_text(f"{statement.title}\n{statement.text}") if statement else "",
        "proof": fingerprint.of_text(proof) if proof else "",
    }
    return {
        "chapter": claim.entry.chapter,
        "label": claim.label,
        "kind": claim.entry.kind,
        "required": claim.required_tier.word,
        "permitted": claim.weaker_tier[0].word if claim.weaker_tier else claim.required_tier.word,
        "reached": trial.tier.word,
        "owed": list(claim.entry.owed),
        "excused": [role for role, (_, reason) in claim.parts.items() if reason],
        "comparisons": sum(len(part.evidence) for part in trial.parts),
        # A chapter that the table of contents leaves out has no texts to compare.
        **(texts if claim.entry.chapter in book.chapters else {}),
        "formulas": [formula.name for formula in claim.formulas],
        "implements": {_name(one): fingerprint.of_code(one) for one in claim.implements},
        "parts": [record_part(part) for part in trial.parts],
    }


def _name(implementation: object) -> str:
    return f"{implementation.__module__}.{getattr(implementation, '__qualname__', type(implementation).__qualname__)}"


def record_part(part: Part) -> Record:
    """What is kept of one of its parts."""
    kept: Record = {"role": part.role, "what": part.what, "verdict": part.verdict.value, "tier": part.tier.word}
    if part.by:
        kept["by"] = part.by
    if part.arguments:
        kept["arguments"] = part.arguments
    if part.size_of_floats:
        kept["argument sums"] = [_shortened(part.size_of_floats)]
    kept["comparisons"] = len(part.evidence)
    lines = (*part.unstrengthened, *part.evidence)
    # Among weaker lines an exact one may be about a point that floating point found.
    if lines and all(one.tier >= Tier.EXACT for one in lines):
        ratios = [one.tightness for one in part.evidence if one.tightness is not None]
        if ratios:
            kept["tightest"] = float(f"{max(ratios):.3g}")
        kept["digest"] = fingerprint.of_evidence(lines)
    elif any(one.sides for one in lines):
        kept["sums"] = sums(lines)
    return kept


def sums(lines: Iterable[Evidence]) -> list[float]:
    """Over all lines, the sizes of the left sides and those of the right sides, where they are finite."""
    pairs = [one.sides for one in lines if one.sides]
    sides = zip(*pairs, strict=True)
    return [_shortened(math.fsum(abs(one) for one in side if math.isfinite(one))) for side in sides]


def _shortened(value: float) -> float:
    return float(f"{value:.6g}")


def differences(before: Record | None, now: Record) -> list[str]:
    """What is not as it is recorded, one sentence each."""
    if before is None:
        return ["nothing is recorded of it"]
    old, new = _flat(before), _flat(now)
    old = {name: value for name, value in old.items() if name in new or name not in _TEXTS}
    return [
        _said(name, old.get(name), new.get(name))
        for name in {**old, **new}
        if not _is_as_recorded(name, old.get(name), new.get(name))
    ]


def _is_as_recorded(name: str, old: Any, new: Any) -> bool:
    if name.endswith("sums") and old and new:
        return all(math.isclose(one, other, rel_tol=_SHARE, abs_tol=_ROOM) for one, other in zip(old, new, strict=True))
    return bool(old == new)


def _flat(one: Record) -> Record:
    """The record with one name for each of its values."""
    flat = {name: value for name, value in one.items() if name not in ("implements", "parts")}
    flat |= {f"code of {name}": value for name, value in one["implements"].items()}
    for part in one["parts"]:
        flat |= {
            f"{part['role']} '{part['what']}', {name}": part[name] for name in part if name not in ("role", "what")
        }
    return flat


def _said(name: str, old: object, new: object) -> str:
    if name in _TEXTS:
        return _TEXTS[name]
    if name.startswith("code of ") and old and new:
        return f"the {name} has changed"
    if name.endswith(", digest") and old and new:
        return f"{name.removesuffix(', digest')}: its exact lines are not those recorded"
    if name.endswith((", arguments", ", argument sums")) and old and new:
        return f"{name.rpartition(',')[0]}: it calls the book's functions with other arguments"
    return f"{name}: {_value(old)} is recorded, now it is {_value(new)}"


def _value(value: object) -> str:
    return "nothing" if value in (None, "", []) else str(value)
