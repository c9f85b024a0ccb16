"""LaTeX as a list of tokens in one fixed form: braces around every argument, no spacing, no sizes."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s\\]|\\\n", re.S)

# Sizes and spaces say nothing about the value.
_SILENT = {
    *(rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")),
    *(r"\left", r"\right", r"\displaystyle", r"\limits", r"\,", r"\;", r"\:", r"\!", r"\ ", "&", "~"),
}
_SYNONYMS = {
    r"\tfrac": r"\frac",
    r"\dfrac": r"\frac",
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\|": r"\Vert",
    r"\lVert": r"\Vert",
    r"\rVert": r"\Vert",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\times": r"\cdot",
    r"\longrightarrow": r"\to",
    r"\rightarrow": r"\to",
    r"\colon": ":",
}
_ARGUMENTS = {
    **dict.fromkeys((r"\frac", r"\binom"), 2),
    **dict.fromkeys((r"\sqrt", r"\text", r"\mathcal", r"\mathfrak", r"\mathbb", r"\mathbf", r"\mathrm"), 1),
    **dict.fromkeys((r"\widehat", r"\hat", r"\bar", r"\widetilde", r"\tilde", r"\operatorname"), 1),
    **dict.fromkeys((r"\begin", r"\end"), 1),
    **dict.fromkeys(("_", "^"), 1),
}


class TexError(ValueError):
    """What the reader of formulas cannot take, with the place."""


def tokens_of(tex: str) -> tuple[str, ...]:
    """The tokens of a formula.

    >>> tokens_of(r"\\tfrac12\\,x_i^{10}")
    ('\\\\frac', '{', '1', '}', '{', '2', '}', 'x', '_', '{', 'i', '}', '^', '{', '10', '}')
    >>> tokens_of("R^*")
    ('R', '^', '{', '*', '}')
    """
    raw = [_SYNONYMS.get(token, token) for token in _TOKEN.findall(tex)]
    # The star of a command, as in \operatorname*, says nothing; one by itself, as in R^*, is a part of a name.
    said = [token.removesuffix("*") if token.startswith("\\") else token for token in raw if token not in _SILENT]
    braced, rest = _braced(said, 0, closer="")
    if rest != len(said):
        raise TexError(f"expected as many opening braces as closing ones in {tex!r}")
    return _with_names_and_numbers(braced)


def _braced(raw: list[str], start: int, closer: str) -> tuple[list[str], int]:
    """The tokens up to the closing brace, with braces put around arguments that have none."""
    found: list[str] = []
    position = start
    while position < len(raw) and raw[position] != closer:
        part, position = _piece(raw, position)
        found += part
    return found, position


def _piece(raw: list[str], position: int) -> tuple[list[str], int]:
    """One token with its arguments, or one group."""
    token = raw[position]
    position += 1
    if token == "}":
        raise TexError(f"a brace is closed that was not opened, after {' '.join(raw[:position])}")
    if token == "{":
        inner, position = _braced(raw, position, "}")
        if position == len(raw):
            raise TexError(f"a brace is not closed in {' '.join(raw)}")
        return ["{", *inner, "}"], position + 1
    found = [token]
    for _ in range(_ARGUMENTS.get(token, 0)):
        if position == len(raw):
            raise TexError(f"{token} lacks an argument at the end of {' '.join(raw)}")
        argument, position = _piece(raw, position)
        found += argument if argument[0] == "{" else ["{", *argument, "}"]
    return found, position


def _with_names_and_numbers(tokens: list[str]) -> tuple[str, ...]:
    r"""Digits in a row become one number, and \operatorname{sign} becomes \sign."""
    text = "\0".join(tokens)
    text = re.sub(r"\\operatorname\0\{\0([A-Za-z\0]+?)\0\}", lambda match: "\\" + match[1].replace("\0", ""), text)
    joined = re.sub(r"\d(?:\0\d)*(?:\0\.\0\d(?:\0\d)*)?", lambda match: match[0].replace("\0", ""), text)
    return tuple(token for token in joined.split("\0") if token)


def literals(tokens: tuple[str, ...]) -> list[int]:
    """Where the numbers stand."""
    return [place for place, token in enumerate(tokens) if token[0].isdigit()]
