"""The rigorous tier: statements about all inputs, by symbolic algebra and by ball arithmetic."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mcbook.foundation.proof.known import Verdict
from mcbook.foundation.types import Ball

# An expression of sympy, which carries no types.
Expression = Any


@dataclass(frozen=True)
class Proof:
    """The outcome of an attempt to prove a statement for all inputs."""

    verdict: Verdict
    method: str
    detail: str


def prove_identity(left: Expression, right: Expression) -> Proof:
    """Whether two sympy expressions agree for all values of their symbols.

    Refuted only by a point at which they differ; if algebra finds neither a proof nor such a point, undecided.
    """
    import sympy

    raw = sympy.expand(left - right)
    # Tried before all algebra, because simplifying what is not 0 may take minutes.
    point = _disagreement(raw, n_points=12)
    difference = sympy.simplify(raw) if point is None else raw
    if difference == 0:
        return Proof(Verdict.HOLDS, "symbolic algebra", "the difference of both sides simplifies to 0")
    point = _disagreement(difference, n_points=200) if point is None else point
    if point is not None:
        return Proof(Verdict.REFUTED, "symbolic algebra", f"the sides differ at {point}")
    return Proof(Verdict.UNDECIDED, "symbolic algebra", f"{difference} was neither reduced to 0 nor seen to differ")


def _disagreement(difference: Expression, n_points: int) -> dict[Expression, Expression] | None:
    """One of a handful of rational points at which the difference is not 0, by sympy's guarded evaluation."""
    import sympy

    symbols = sorted(difference.free_symbols, key=str)
    for point in itertools.islice(itertools.product(_PROBES, repeat=len(symbols)), n_points):
        values = {symbol: sympy.Rational(v) for symbol, v in zip(symbols, point, strict=True) if _allowed(symbol, v)}
        if len(values) < len(symbols):
            continue
        value = difference.subs(values)
        # The numerical look is quick; only what it finds is worth the exact question.
        if value.is_number and abs(sympy.N(value, 20)) > 1e-12 and value.equals(0) is False:
            return values
    return None


_PROBES = ("1/3", "2", "-3/5", "5/7", "-4", "0")


def _allowed(symbol: Expression, value: str) -> bool:
    """Whether the value fits what the symbol is assumed to be."""
    import sympy

    number = sympy.Rational(value)
    if (symbol.is_positive and number <= 0) or (symbol.is_nonnegative and number < 0):
        return False
    return not (symbol.is_integer and not number.is_integer)


def prove_sign(expression: Expression, form: Expression | None = None, *, strict: bool = False) -> Proof:
    """Whether a sympy expression is >= 0 (``strict``: > 0) for all values of its symbols, by a form that shows it.

    The form must equal the expression, and sympy must read its sign from what the symbols are assumed to be: squares,
    sums of non-negative terms, products of positive ones.  Without a form, the factored expression is tried.
    """
    import sympy

    form = sympy.factor(sympy.simplify(expression)) if form is None else sympy.sympify(form)
    identity = prove_identity(expression, form)
    if identity.verdict is not Verdict.HOLDS:
        return Proof(Verdict.UNDECIDED, identity.method, f"{form} is not seen to be equal: {identity.detail}")
    sign = "> 0" if strict else ">= 0"
    if form.is_positive if strict else form.is_nonnegative:
        return Proof(Verdict.HOLDS, "symbolic algebra", f"equal to {form}, which is {sign}")
    if form.is_nonpositive if strict else form.is_negative:
        return Proof(Verdict.REFUTED, "symbolic algebra", f"equal to {form}, which is never {sign}")
    return Proof(Verdict.UNDECIDED, "symbolic algebra", f"equal to {form}, whose sign does not show")


def prove_nonnegative(
    function: Callable[..., Ball], box: Sequence[tuple[float, float]], max_boxes: int = 20_000, precision: int = 80
) -> Proof:
    """Whether ``function(x_1, ..., x_n) >= 0`` on the whole box, by ball arithmetic with adaptive subdivision.

    The function gets python-flint balls and must return one (or anything else with the same end points).  A box on
    which the enclosure lies above 0 is done, one on which it lies below 0 refutes, any other is halved along its
    longest side.  A function that touches 0 inside the box cannot be decided like this, and the answer then says
    'undecided' with the place: factor the zero out, or treat its neighbourhood by a Taylor bound.
    """
    import flint

    with flint.ctx.workprec(precision):
        return _subdivide(function, [(float(lower), float(upper)) for lower, upper in box], max_boxes)


def _subdivide(function: Callable[..., Ball], box: list[tuple[float, float]], max_boxes: int) -> Proof:
    # The box with the longest side is halved first: the search then closes in on a zero from all sides.
    queue = [(-_longest(box)[1], 0, box)]
    for n_boxes in range(1, max_boxes + 1):
        _, _, current = heapq.heappop(queue)
        value = function(*(_ball(*side) for side in current))
        if value < 0:
            return Proof(Verdict.REFUTED, "ball arithmetic", f"negative on all of {_text(current)}")
        if not value >= 0:
            axis = _longest(current)[0]
            for serial, half in enumerate(_halves(current, axis)):
                heapq.heappush(queue, (-_longest(half)[1], 2 * n_boxes + serial, half))
        if not queue:
            return Proof(Verdict.HOLDS, "ball arithmetic", f"{n_boxes} boxes cover the domain")
    worst = queue[0][2]
    return Proof(Verdict.UNDECIDED, "ball arithmetic", f"not decided near {_text(worst)} after {max_boxes} boxes")


def _ball(lower: float, upper: float) -> Ball:
    import flint

    return flint.arb(lower).union(flint.arb(upper))


def _longest(box: list[tuple[float, float]]) -> tuple[int, float]:
    widths = [upper - lower for lower, upper in box]
    axis = max(range(len(box)), key=widths.__getitem__)
    return axis, widths[axis]


def _halves(box: list[tuple[float, float]], axis: int) -> list[list[tuple[float, float]]]:
    lower, upper = box[axis]
    middle = (lower + upper) / 2
    return [[*box[:axis], side, *box[axis + 1 :]] for side in ((lower, middle), (middle, upper))]


def _text(box: list[tuple[float, float]]) -> str:
    return " × ".join(f"[{lower:.6g}, {upper:.6g}]" for lower, upper in box)
