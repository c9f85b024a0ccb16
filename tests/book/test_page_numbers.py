"""The numbers on the pages: relations between them are true, and solutions show what the marker accepts."""

import re
from fractions import Fraction

import pytest
from page_numbers import MATHEMATICS, chain, formulas, number, relations_of_numbers

from mcbook.exercises.source import exercises
from tools import notebooks

PAGES = {page.stem: notebooks.read(page).cells for page in notebooks.book_notebooks()}
SOLUTION = re.compile(r"^(?P<fence>`{3,}|:{3,})\{solution(-start)?\} (?P<label>\S+)\n", re.M)
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def said(cell):
    """What a reader sees of a cell in words: its text, or the caption of its figure."""
    if cell.cell_type == "markdown":
        return cell.source
    return cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")


def test_what_pages_say_of_numbers_is_true():
    texts = [(name, said(cell)) for name, cells in PAGES.items() for cell in cells]
    texts += [(page.stem, page.read_text(encoding="utf-8")) for page in (notebooks.ROOT / "book").glob("*.md")]
    found = [(name, *one) for name, text in texts for one in relations_of_numbers(text)]
    assert [(name, relation) for name, relation, true in found if not true] == []
    assert len(found) > 150


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"$4\ln20=11.98$", r"$4\ln20=11.99$"),
        (r"$\frac{14-2}{4-1}=4<5$", r"$\frac{14-2}{4-1}=4>5$"),
        (r"$$\sqrt{3^2+4^2}+\frac82=9$$", r"$$\sqrt{3^2+4^2}-\frac82=9$$"),
        (r"$\frac{698}{1480}=0.4716\dots$", r"$\frac{698}{1480}=0.4717\dots$"),
        (r"$2^{10}\ge1000$", r"$2^{10}\le1000$"),
        (r"$\ln2\approx0.69$", r"$\ln2\approx0.68$"),
    ],
)
def test_a_wrong_number_and_a_wrong_sign_are_noticed(right, wrong):
    assert [true for _, true in relations_of_numbers(right)] == [True] * (right.count("<") + 1)
    assert False in [true for _, true in relations_of_numbers(wrong)]


def test_what_has_symbols_is_left_alone():
    assert list(relations_of_numbers(r"$k=3$ and $\frac1k<2$")) == []


def solutions():
    """The solutions by the labels of their exercises: what stands on the page, and the code in between."""
    found = {}
    for cells in PAGES.values():
        page = "\n\n".join(cell.source for cell in cells) + "\n"
        for start in SOLUTION.finditer(page):
            close = "{solution-end}" if "{solution-start}" in start[0] else f"\n{start['fence']}\n"
            found[start["label"]] = page[start.end() : page.index(close, start.end())]
    return found


def numbers(text):
    """The numbers in a text, each between which numbers it lies: those of its formulas, in digits and in words."""
    sides = [side for piece in formulas(text) for side in chain(piece)[0]]
    fractions = re.findall(r"(-?)\\frac(\d|\{\d+\})(\d|\{\d+\})", text)
    exact = {Fraction(int(sign + a.strip("{}")), int(b.strip("{}"))) for sign, a, b in fractions}
    exact |= set(map(Fraction, re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"(?<=\d)\\,(?=\d)", "", text))))
    exact |= {Fraction(NAMES.index(word)) for word in re.findall(r"[a-z]+", text.lower()) if word in NAMES}
    return {value for side in sides if (value := number(side))} | {(one, one) for one in exact}


def test_a_solution_shows_the_number_that_the_marker_accepts():
    shown, missing = solutions(), []
    for label, exercise in exercises().items():
        for part in exercise.parts:
            if part.kind == "number" and f'check("{part.id}"' not in shown[label]:
                near = any(least <= part.number <= most for least, most in numbers(shown[label]))
                missing += [] if near else [f"{part.id}: {part.answer}"]
    assert not missing, f"expected these answers in their solutions: {missing}"


def decimals(text):
    """The numbers with a decimal point in plain words; what stands with a citation is somebody else's."""
    for paragraph in text.split("\n\n"):
        if "{cite" not in paragraph:
            plain = re.sub(r"\{[\w:]+\}`[^`]*`|`[^`]*`|\]\([^)]*\)", " ", MATHEMATICS.sub(" ", paragraph))
            yield from re.findall(r"(?<![\w.:-])\d+\.\d+(?![\w.])", plain)


def in_outputs(decimal, outputs):
    """Whether a cell shows the number, perhaps with more digits, or as a share where this one is in per cent."""
    half = Fraction(1, 2 * 10 ** len(decimal.split(".")[1]))
    return any(abs(Fraction(decimal) - scale * value) <= half for value in outputs for scale in (1, 100))


def shown_numbers(cells):
    """The numbers in the code and the outputs of a page."""
    for cell in cells:
        if cell.cell_type == "code":
            said = [cell.source, *(output.get("text", "") for output in cell.outputs)]
            said += [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
            yield from map(Fraction, re.findall(r"\d+(?:\.\d+)?", " ".join(said)))


@pytest.mark.parametrize("page", PAGES)
def test_a_decimal_in_the_story_comes_from_a_cell(page):
    outputs = set(shown_numbers(PAGES[page]))
    found = [one for cell in PAGES[page] for one in decimals(said(cell))]
    assert [one for one in found if not in_outputs(one, outputs)] == []


def test_a_decimal_from_nowhere_is_noticed():
    assert list(decimals("It errs on 12.4 per cent, $x=1.5$.\n\nThey say 13.1 {cite}`a2000`.")) == ["12.4"]
    assert in_outputs("12.4", {Fraction("0.12437")})
    assert not in_outputs("12.4", {Fraction("0.1247")})
