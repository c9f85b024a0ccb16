"""Relations between plain numbers on a page, as in "$4\\ln20=11.98$", computed again."""

import re
from fractions import Fraction

import flint

from mcbook.claims.spine.formulas.equations import pieces
from mcbook.claims.spine.formulas.notation import Scope
from mcbook.claims.spine.formulas.syntax import RELATIONS, parse
from mcbook.claims.spine.formulas.tokens import TexError, tokens_of
from mcbook.claims.spine.formulas.values import Surroundings, evaluate
from mcbook.foundation.proof import known

MATHEMATICS = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$]+?)\$", re.S)
_OPEN, _CLOSE = (("{", "(", "[", r"\{", r"\lfloor", r"\lceil"), ("}", ")", "]", r"\}", r"\rfloor", r"\rceil"))
_DOTS = (r"\dots", r"\ldots")
_PRECISION = 120
# What rounding in the computation may add.
_NOTHING = Fraction(1, 10**12)


def formulas(text):
    """The formulas of a text in tokens, divided at wide spaces and commas; what cannot be read is left out."""
    for match in MATHEMATICS.finditer(text):
        try:
            yield from pieces(tokens_of(match[1] or match[2]))
        except (TexError, ValueError, IndexError):
            continue


def chain(piece):
    """The sides of a chain of relations, and the relations between them."""
    sides, relations, depth = [[]], [], 0
    for token in piece:
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and token in (*RELATIONS, r"\approx"):
            sides.append([])
            relations.append(token)
        else:
            sides[-1].append(token)
    return [tuple(side) for side in sides], relations


def number(side):
    """Between which numbers a side without symbols lies, as it may be rounded; None for any other side."""
    shown = side[:-1] if side and side[-1] in _DOTS else side
    try:
        with flint.ctx.workprec(_PRECISION):
            value = known(evaluate(parse(shown, Scope(())), Surroundings({}, {}))).middle
    except Exception:  # of whatever kind: then it is no plain number
        return None
    decimals = re.fullmatch(r"\d+\.(\d+)", shown[-1]) if len(shown) <= 2 else None
    last = Fraction(1, 10 ** len(decimals[1])) if decimals else Fraction(0)
    return (Fraction(value), value + last) if shown != side else (value - last / 2, value + last / 2)


def relations_of_numbers(text):
    """Every relation of two plain numbers in a text, as it is written, and whether it is true."""
    for piece in formulas(text):
        sides, relations = chain(piece)
        for left, relation, right in zip(sides, relations, sides[1:], strict=False):
            a, b = number(left), number(right)
            if a and b:
                yield " ".join((*left, relation, *right)), _true(a, relation, b)


def _true(one, relation, other):
    (a, above_a), (b, above_b) = one, other
    # Of whole numbers and fractions nobody says how they were rounded.
    slack = abs(b) / 20 if relation == r"\approx" and (a, b) == (above_a, above_b) else _NOTHING * max(1, abs(a))
    return {
        "<": a < above_b,
        ">": above_a > b,
        r"\le": a <= above_b + _NOTHING,
        r"\ge": above_a >= b - _NOTHING,
        r"\ne": a != b,
        r"\to": True,
    }.get(relation, a <= above_b + slack and b <= above_a + slack)
