"""What a page says of a trial: the sentences of the story, one quiet line, and behind it a sentence for each part."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from mcbook.claims.spine.evidence import Evidence
from mcbook.foundation.proof import Known
from mcbook.foundation.typesetting import formula, typeset

if TYPE_CHECKING:
    from mcbook.claims.spine.trial import Part, Trial

_SIGNS = {"≤": r"\le", "≥": r"\ge", "<": r"\lt", "=": "=", "≈": r"\approx"}

ROLES = {
    "check": "Checked",
    "extremal": "Tightest",
    "trace": "The proof, line by line",
    "control": "Refuted, as it must be",
}
_FAILED = {"control": "Should be refuted, and is not"}


def verdict_line(trial: Trial) -> str:
    """The quiet line: how many checks of what tier, how tight the statement is, what was refuted."""
    number = Counter(part.role for part in trial.parts)
    said = [f"{_counted(number['check'], 'check')}, {trial.tier.word}"]
    if number["extremal"]:
        said.append(_tightness(trial))
    if number["trace"]:
        said.append("proof run on an instance")
    if number["control"]:
        said.append(f"{_counted(number['control'], 'stronger version')} refuted")
    return " · ".join(said)


def _tightness(trial: Trial) -> str:
    if trial.tightness is None:
        return "tightest case worked out"
    if trial.tightness < 100:
        return f"reaches {trial.tightness} % of the bound"
    return "attained with equality" if trial.attained else "attained within rounding"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}" if n else f"no {what}"


def story(trial: Trial) -> Iterator[str]:
    """The sentences of the story, as HTML."""
    for part in trial.parts:
        if part.what in trial.claim.story:
            yield typeset(filled(part))


def filled(part: Part) -> str:
    """The sentence of a control with the values that it found in the place of {left} and {right}."""
    sentence, one = part.what, part.shown
    if one is not None and one.left is not None and one.right is not None:
        left, right = in_tex(one)
        sentence = sentence.replace("{left}", f"${left}$").replace("{right}", f"${right}$")
    return sentence


def part_sentence(part: Part) -> str:
    """One part of a trial as a sentence or two, in HTML."""
    role = ROLES[part.role] if part.passed else _FAILED.get(part.role, "Should hold, and does not")
    one = part.shown
    if one is None:
        return f"<strong>{role}:</strong> {typeset(part.what)}; there is no evidence."
    if part.role == "control" and part.passed:
        return f"<strong>{role}:</strong> {typeset(filled(part))}"
    n = len(part.evidence)
    which = f"{'Closest' if part.passed else 'Worst'} of {n} comparisons" if n > 1 else "Found"
    return f"<strong>{role}:</strong> {typeset(filled(part).rstrip('.'))}. <span>{which}: {line_of(one)}.</span>"


def line_of(one: Evidence) -> str:
    """One line of evidence, in HTML: "updates ≤ R²/γ² (k = 3): 13 ≤ 35.36"."""
    named = f"{typeset(one.what)} ({typeset(one.at)})" if one.at else typeset(one.what)
    if one.note in ("yes", "no"):
        return f"{named}{'' if one.holds else ': this is not so'}"
    if one.note:
        return f"{named}: {typeset(one.note)}"
    left, right = in_tex(one)
    return f"{named}: {formula(f'{left} {_SIGNS[one.relation]} {right}')}"


def in_tex(one: Evidence) -> tuple[str, str]:
    """Both numbers of a comparison in TeX, with few digits unless these would make the two look alike."""
    if one.left is None or one.right is None:
        raise ValueError(f"expected a line with numbers on both sides, got {one}")
    short = _number(one.left, 4), _number(one.right, 4)
    alike = short[0] == short[1] and str(one.left) != str(one.right)
    return (_number(one.left, 6), _number(one.right, 6)) if alike else short


def _number(value: Known, digits: int) -> str:
    """Short fractions stacked, powers of ten raised, so many digits of all else."""
    shown = str(value)
    if isinstance(value.lower, int) or "/" in shown:
        exact = Fraction(value.lower)
        sign, over, under = "-" * (exact < 0), abs(exact.numerator), exact.denominator
        stacked = rf"\tfrac{{{over}}}{{{under}}}" if max(over, under) < 10_000 else f"{over}/{under}"
        return f"{sign}{stacked}" if under > 1 else f"{sign}{over}"
    mantissa, _, exponent = f"{float(shown):.{digits}g}".partition("e")
    return (rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa).replace("inf", r"\infty")


def as_html(trial: Trial, notes: list[str]) -> str:
    """The story's sentences, the quiet line, and folded behind it what was tried; loud and open where it falls."""
    sentences = "".join(f'<p class="mcbook-story">{sentence}</p>' for sentence in story(trial))
    rows = "".join(f'<li class="{part.role}">{part_sentence(part)}</li>' for part in trial.parts)
    rows += "".join(f"<li>{typeset(note)}</li>" for note in notes)
    inside = f'<ul class="mcbook-parts">{rows}</ul>'
    if trial.stands:
        return f'{sentences}<details class="mcbook-trial"><summary>{_line(trial)}</summary>{inside}</details>'
    title = html.escape(trial.claim.label)
    complaints = "".join(f"<li>{typeset(line)}</li>" for line in trial.complaints)
    return f'<div class="mcbook-trial-fails"><p>✗ does not stand: {title}</p><ul>{complaints}</ul>{inside}</div>'


def _line(trial: Trial) -> str:
    return f'<span class="mcbook-holds" aria-hidden="true">✓</span> on trial: {verdict_line(trial)}'
