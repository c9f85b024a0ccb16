"""The vocabulary of colours: what means different things looks different, and can be seen."""

import colorsys
import itertools
import re
from pathlib import Path

import pytest

from mcbook.foundation.figures import COLOURS, MINUS, NEITHER, OURS, PEER, PLUS, RIGHT, WRONG

STYLE = Path(__file__).resolve().parents[2] / "book" / "_static" / "book.css"


def luminance(colour: str) -> float:
    """The relative luminance of the guidelines on accessible contents (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def hls(colour: str) -> tuple[float, float, float]:
    return colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))


def test_meanings_have_colours_of_their_own() -> None:
    meanings = {"+1": PLUS, "-1": MINUS, "0": NEITHER, "right": RIGHT, "wrong": WRONG, "ours": OURS, "a peer": PEER}
    for (one, colour), (other, another) in itertools.combinations(meanings.items(), 2):
        assert colour.upper() != another.upper(), f"{one} looks like {other}"
    assert COLOURS[:2] == (PLUS, MINUS), "with two classes, the first is the sign +1"


def test_verdicts_have_the_colours_of_the_page() -> None:
    style = STYLE.read_text(encoding="utf-8")
    on_page = {name: re.search(rf"--book-{name}: (#\w+);", style) for name in ("holds", "refuted")}
    # Words need more contrast than areas: the page's colours are those of the figures, a shade darker.
    for found, colour in zip(on_page.values(), (RIGHT, WRONG), strict=True):
        assert found is not None
        hue, lightness, _ = hls(found[1])
        assert hue == pytest.approx(hls(colour)[0], abs=0.01)
        assert lightness <= hls(colour)[1] <= lightness + 0.05


def test_signs_and_verdicts_are_seen_on_white() -> None:
    for colour in (PLUS, MINUS, RIGHT, WRONG, OURS):
        assert 1.05 / (luminance(colour) + 0.05) >= 3, f"{colour} is too light on white"
