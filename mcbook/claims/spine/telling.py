"""A trial told to the reader of a page: one quiet line, and behind it a sentence for each part.

A comparison is written in a claim as names and values, "updates, R² / γ²" and "13 ≤ 35.3589"; here it becomes
"updates ≤ R²/γ²: 13 ≤ 35.36".  A control says what it would need: "updates ≤ R²/γ² - 1, but 4 > 3".
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mcbook.claims.spine.evidence import Evidence
from mcbook.foundation.typesetting import formula, number, typeset

if TYPE_CHECKING:
    from mcbook.claims.spine.trial import Part, Trial

_SIGNS = {"≤": r"\le", "≥": r"\ge", "<": r"\lt", "=": "=", "≈": r"\approx"}
# What is so where the comparison is refuted.
_FALSE = {"≤": r"\gt", "≥": r"\lt", "<": r"\ge", "=": r"\ne", "≈": r"\not\approx"}
_COMPARED = re.compile(rf"(?P<left>\S+) (?P<sign>[{''.join(_SIGNS)}]) (?P<right>\S+)")
_INSTANCE = re.compile(r"[^\W\d_]\w{0,7} = [\w./∞⁰¹²³⁴⁵⁶⁷⁸⁹-]+|(?:of )?\d+(?: [a-z]{3,})?")

ROLES = {
    "check": "Checked",
    "extremal": "Tightest",
    "trace": "The proof, line by line",
    "control": "Refuted, as it must be",
}
_FAILED = {"control": "Should be refuted, and is not"}


class Compared(NamedTuple):
    """What a line of evidence compares: the names of both sides if it has them, and for which instance."""

    context: str
    left: str
    right: str
    instance: str


def verdict_line(trial: Trial) -> str:
    """The quiet line: how many checks of what tier, whether equality is attained, what was refuted."""
    number = Counter(part.role for part in trial.parts)
    said = [f"{_counted(number['check'], 'check')}, {trial.tier.word}"]
    if number["extremal"]:
        said.append("attained with equality" if trial.claim.attained else "tightest case worked out")
    if number["trace"]:
        said.append("proof run on an instance")
    if number["control"]:
        said.append(f"{_counted(number['control'], 'stronger version')} refuted")
    return " · ".join(said)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}" if n else f"no {what}"


def told(trial: Trial) -> Iterator[str]:
    """The sentences of the story, as HTML, with the values that the controls found."""
    for part in trial.parts:
        if sentence := trial.claim.told.get(part.what):
            yield typeset(filled(sentence, part))


def filled(sentence: str, part: Part) -> str:
    """The sentence with the values of the part's telling evidence in the place of {left} and {right}."""
    match = _COMPARED.fullmatch(part.telling.finding) if part.telling else None
    for name in ("left", "right"):
        if match:
            sentence = sentence.replace(f"{{{name}}}", f"${number(match[name])}$")
    return sentence


def part_sentence(part: Part) -> str:
    """One part of a trial as a sentence or two, in HTML."""
    role = ROLES[part.role] if part.passed else _FAILED.get(part.role, "Should hold, and does not")
    one = part.telling
    if one is None:
        return f"<strong>{role}:</strong> {typeset(part.what)}; there is no evidence."
    n = len(part.evidence)
    if part.role == "control" and one.refuted:
        found = needed(one)
    else:
        which = f"{'Closest' if part.passed else 'Worst'} of {n} comparisons" if n > 1 else "Found"
        found = f"{which}: {line_of(one)}"
    return f"<strong>{role}:</strong> {typeset(part.what)}. <span>{found}.</span>"


def line_of(one: Evidence) -> str:
    """One line of evidence, in HTML: "updates ≤ R²/γ²: 13 ≤ 35.36"."""
    if match := _COMPARED.fullmatch(one.finding):
        sign = _SIGNS[match["sign"]]
        return f"{_named(compared(one.what), sign)}: {_values(match, sign)}"
    if one.finding in ("yes", "no"):
        return f"{typeset(one.what)}{'' if one.holds else ': this is not so'}"
    return f"{typeset(one.what)}: {typeset(one.finding)}"


def needed(one: Evidence) -> str:
    """What a refuted line would need, in HTML: "It would need updates ≤ R²/γ² - 1, but 4 > 3"."""
    if match := _COMPARED.fullmatch(one.finding):
        sign, names = _SIGNS[match["sign"]], compared(one.what)
        if names.right:
            return f"It would need {_named(names, sign)}, but {_values(match, _FALSE[match['sign']])}"
        return f"It would need {_values(match, sign)} for {_named(names, sign)}"
    if one.finding in ("yes", "no"):
        return f"This is not so: {typeset(one.what)}"
    return f"Found: {typeset(one.what)}: {typeset(one.finding)}"


def _values(match: re.Match[str], sign: str) -> str:
    return formula(f"{_value(match, 'left')} {sign} {_value(match, 'right')}")


def _value(match: re.Match[str], side: str) -> str:
    """The number with few digits, unless these would make the two sides look alike."""
    short = {name: number(match[name]) for name in ("left", "right")}
    alike = short["left"] == short["right"] and match["left"] != match["right"]
    return match[side] if alike else short[side]


def _named(names: Compared, sign: str) -> str:
    said = typeset(names.left)
    if names.right:
        said = f"{said} {formula(sign)} {typeset(names.right)}"
    if names.context:
        said = f"{typeset(names.context)}: {said}"
    return f"{said}, for {typeset(names.instance)}" if names.instance else said


def compared(what: str) -> Compared:
    """The parts of what a line compares, as claims write it: 'context: left, right; instance', or 'left, k = 3'."""
    rest, _, instance = what.partition("; ")
    context, _, rest = rest.rpartition(": ")
    if match := re.fullmatch(r"(.+) \(([^()]*(?:=|atoms)[^()]*)\)", rest):
        rest, instance = match[1], instance or match[2]
    items = _split(rest)
    while len(items) > 1 and _INSTANCE.fullmatch(items[-1]):
        instance = ", ".join(filter(None, (items.pop(), instance)))
    if len(items) == 2:
        return Compared(context, items[0], items[1], instance)
    return Compared(context, ", ".join(items), "", instance)


def _split(text: str) -> list[str]:
    """At commas that stand in no brackets."""
    items, depth = [""], 0
    for piece in re.split(r"(, )", text):
        if piece == ", " and depth == 0:
            items.append("")
            continue
        depth += sum(piece.count(c) for c in "([{⟨⟦") - sum(piece.count(c) for c in ")]}⟩⟧")
        items[-1] += piece
    return items


def as_html(trial: Trial, notes: list[str]) -> str:
    """The story's sentences, the quiet line, and folded behind it what was tried; loud and open where it falls."""
    story = "".join(f'<p class="mcbook-told">{sentence}</p>' for sentence in told(trial))
    rows = "".join(f'<li class="{part.role}">{part_sentence(part)}</li>' for part in trial.parts)
    rows += "".join(f"<li>{typeset(note)}</li>" for note in notes)
    inside = f'<ul class="mcbook-parts">{rows}</ul>'
    if trial.stands:
        return f'{story}<details class="mcbook-trial"><summary>{_line(trial)}</summary>{inside}</details>'
    title = html.escape(trial.claim.label)
    complaints = "".join(f"<li>{typeset(line)}</li>" for line in trial.complaints)
    return f'<div class="mcbook-trial-fails"><p>✗ does not stand: {title}</p><ul>{complaints}</ul>{inside}</div>'


def _line(trial: Trial) -> str:
    return f'<span class="mcbook-holds" aria-hidden="true">✓</span> on trial: {verdict_line(trial)}'
