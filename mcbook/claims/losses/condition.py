"""The condition (L(z) + L(-z)) / 2 >= L(0) > 0, for every real z.

The half line z >= 0 is covered by pieces on which sympy knows the signs; the symbol of each piece runs over all
numbers >= 0, or over all > 0.  The other half needs nothing of its own, because what is compared is even in z.  Where
exponentials meet, z is written as a logarithm, which turns them into rational functions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, equal, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof.rigorous import Expression, prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.types import Function, Number
from mcbook.losses import (
    CATALOGUE,
    MarginLoss,
    excess_formula,
    hinge,
    ramp,
    rise_above_zero,
    symmetric_excess,
    symmetrised,
)
from mcbook.losses.theory.catalogue import sigmoid

Found = Iterator[Evidence]

z = sympy.Symbol("z", real=True)
t = sympy.Symbol("t", nonnegative=True)
u = sympy.Symbol("u", positive=True)
a, b = sympy.symbols("a b", real=True)
m = sympy.Symbol("m", nonnegative=True)
AT_LOG = sympy.log(u)
BEFORE_ZERO = -sympy.log(1 + u)

# The half line, cut where a piecewise linear loss or its mirror image has a kink.
PIECES = {"z ≥ 1": 1 + t, "0 < z ≤ 1": 1 / (1 + t), "z = 0": sympy.Integer(0)}
WHOLE = {"all z": z}
SMOOTH = ("exponential", "logistic", "square")


def pieces(name: str) -> dict[str, Expression]:
    return PIECES if name == "hinge" else WHOLE


def sign_kept(name: str, excess: Expression) -> Expression:
    """For the logistic loss exp(2 excess) - 1, which has the sign of the excess and no logarithm; else the excess."""
    return sympy.exp(2 * excess) - 1 if name == "logistic" else excess


condition = Claim(
    "prp-margin-loss-condition",
    "upper bound",
    "rigorous",
    source="allwein2000",
    where="§4, (7)",
    errata=("E2",),
    implements=(symmetrised, symmetric_excess, excess_formula),
    formula=(
        Formula("eq-loss-condition", symmetric_excess, side="excess", numbers="balls"),
        Formula("eq-loss-condition", excess_formula, side="excess", numbers="balls"),
    ),
)


@condition.check(
    "by algebra, for every z: the excess is a square, a positive part, the logarithm of 1 plus a square, or 0"
)
def excess_for_every_z(rng: np.random.Generator) -> Found:
    for name in CATALOGUE:
        for where, point in pieces(name).items():
            excess = sign_kept(name, symmetric_excess(name, point))
            form = sign_kept(name, excess_formula(name, point))
            yield proved(f"{name}, {where}: excess ≥ 0", prove_sign(excess, form))


@condition.check("the excess is even in z, so that z ≥ 0 is enough")
def the_excess_is_even(rng: np.random.Generator) -> Found:
    for name in CATALOGUE:
        even = prove_identity(symmetric_excess(name, -z), symmetric_excess(name, z))
        yield proved(f"{name}: excess at -z = excess at z", even)


@condition.check("L(0) > 0")
def positive_at_zero(rng: np.random.Generator) -> Found:
    for name, loss in CATALOGUE.items():
        at_zero = loss(sympy.Integer(0))
        yield proved(f"{name}: L(0) > 0", prove_sign(at_zero, at_zero, strict=True))


@condition.check("a second way for the smooth convex losses, near 0: L'' ≥ 0 on [-1, 1], in ball arithmetic")
def convex_near_0(rng: np.random.Generator) -> Found:
    for name in SMOOTH:
        yield proved(f"{name}: L''(z) ≥ 0 for |z| ≤ 1", prove_nonnegative(curvature(CATALOGUE[name]), [(-1, 1)]))


@condition.check("... and far from 0: L ≥ 0, L falls to the left of -1, and L(-1) ≥ 2 L(0) already")
def tail_of_smooth_losses(rng: np.random.Generator) -> Found:
    for name in SMOOTH:
        loss = CATALOGUE[name]
        yield proved(f"{name}: L(z) ≥ 0 for all z", prove_sign(loss(z), loss(z)))
        slope = sympy.diff(loss(z), z).subs(z, -1 - t)
        yield proved(f"{name}: L'(z) ≤ 0 for all z ≤ -1", prove_sign(-slope))
        yield proved(
            f"{name}: L(-1) - 2 L(0) ≥ 0", prove_nonnegative(lambda x, loss=loss: loss(x) - 2 * loss(0 * x), [(-1, -1)])
        )


@condition.check("convexity suffices: the excess of a line with one kink at s is m (|z| - |s|)₊, whatever the line")
def excess_of_a_kink(rng: np.random.Generator) -> Found:
    for where, (kink, point, excess) in {"|z| ≤ |s|": (t + u, t, 0 * m), "|z| ≥ |s|": (t, t + u, m * u)}.items():
        for side, sign in itertools.product((1, -1), repeat=2):
            found = symmetric_excess(bent_line(side * kink), sign * point)
            yield proved(f"s = {side * kink}, z = {sign * point}: {where}", prove_sign(found, excess))


@condition.check("... and the excess is linear in the loss, so that sums of kinks, all convex polygons, have it too")
def excess_is_linear(rng: np.random.Generator) -> Found:
    F, G = (sympy.Function(name, real=True) for name in "FG")
    together = symmetric_excess(loss_of(lambda z: a * F(z) + m * G(z)), z)
    apart = a * symmetric_excess(loss_of(F), z) + m * symmetric_excess(loss_of(G), z)
    yield proved("excess of a F + m G = a (excess of F) + m (excess of G)", prove_identity(together, apart))


@condition.check("the convex losses of the catalogue are convex: a second derivative > 0, or one kink upwards")
def convex_by_their_second_derivative(rng: np.random.Generator) -> Found:
    for name in SMOOTH:
        second = sympy.diff(CATALOGUE[name](z), z, 2).subs(z, AT_LOG)
        yield proved(f"{name}: L''(ln u) > 0 for all u > 0", prove_sign(second, strict=True))
    kink = (1 - z + sympy.Abs(z - 1)) / 2
    yield proved("hinge = (1 - z)/2 + |z - 1|/2", prove_identity(hinge(z).rewrite(sympy.Abs), kink))


def loss_of(function: Function) -> MarginLoss:
    """A loss with this value, for symbols; nobody asks for its slope."""
    return MarginLoss("of a function", "", "", convex=False, value=lambda _, z: function(z), slope=lambda _, z: 0 * z)


def bent_line(kink: Expression) -> MarginLoss:
    """a + b z + m |z - s|, m ≥ 0: every convex polygon is a sum of such."""
    return loss_of(lambda z: a + b * z + m * sympy.Abs(z - kink))


@condition.check("convexity is not necessary: where the sigmoid loss is concave")
def convexity_is_not_necessary(rng: np.random.Generator) -> Found:
    second = sympy.diff(sigmoid(z), z, 2).subs(z, BEFORE_ZERO)
    bend = 4 * u * (u + 1) ** 2 * (u + 2) / ((u + 1) ** 2 + 1) ** 3
    yield proved("sigmoid: L''(z) < 0 for all z < 0", prove_sign(-second, bend, strict=True))


def curvature(loss: MarginLoss) -> Function:
    """L'' on a ball: twice the second coefficient of the Taylor series, which flint computes."""
    import flint

    return lambda ball: 2 * loss(flint.arb_series([ball, 1], prec=3))[2]


@condition.extremal(
    "equality for all z for the sigmoid and for counting errors, on [-1, 1] for the hinge, at 0 for the rest",
)
def where_the_excess_is_0() -> Found:
    for name in ("sigmoid", "zero-one"):
        yield proved(f"{name}: excess = 0", prove_identity(symmetric_excess(name, z), 0), statement=True)
    for where in ("0 < z ≤ 1", "z = 0"):
        yield proved(
            f"hinge, {where}: excess = 0", prove_identity(symmetric_excess("hinge", PIECES[where]), 0), statement=True
        )
    for name in SMOOTH:
        yield proved(
            f"{name}, z = 0: excess = 0", prove_identity(symmetric_excess(name, sympy.Integer(0)), 0), statement=True
        )


@condition.control(
    "The ramp does not satisfy the condition: already at $z=\\frac1{1000}$ the mean of $L(z)$ and "
    "$L(-z)$ minus $L(0)$ is {left}, which is below {right}.",
)
def ramp_fails() -> Found:
    for point in (Fraction(1, 1000), 1, 5):
        yield at_least("excess ≥ 0", symmetric_excess(ramp(), point), 0, at=f"z = {point}")


@condition.strengthened(
    "Nothing can be added to $L(0)$: for the hinge at $z=\\frac12$ the mean of $L(z)$ and $L(-z)$ is "
    "{left}, less than {right}, which exceeds $L(0)$ by a thousandth.",
    by=Fraction(1001, 1000),
)
def larger_level(factor: Fraction) -> Found:
    yield at_least("(L(½) + L(-½))/2 ≥ L(0)", symmetrised(hinge, Fraction(1, 2)), factor * hinge.at_zero)


@condition.control(
    "Convexity alone does not make $L(0)$ positive: the Perceptron's loss $\\max(0,-z)$ is convex, and "
    "its value at 0 is {right}.",
)
def convexity_without_positive_value_at_0() -> Found:
    yield less_than("0 < L(0)", 0, symmetrised(PERCEPTRON, 0))


PERCEPTRON = MarginLoss(
    "perceptron",
    r"\max(0,-z)",
    "Perceptron",
    convex=True,
    value=lambda a, margin: a.maximum(-margin, 0),
    slope=lambda a, margin: a.step(margin) - 1,
)


above = Claim(
    "prp-losses-above-value-at-zero",
    "lower bound",
    "rigorous",
    source="allwein2000",
    where="§4, Corollary 2",
    implements=rise_above_zero,
    formula=Formula("eq-loss-wrong-side", rise_above_zero, side="excess", numbers="balls"),
)

# z < 0 is written as -u, or as -ln(1 + u) where the loss has exponentials.
NEGATIVE = {"hinge": -u, "square": -u, "zero-one": -u}


@above.check("by algebra, for every z < 0: L(z) - L(0) > 0; for the logistic loss, exp(L(z) - L(0)) > 1")
def rise_for_every_negative_z(rng: np.random.Generator) -> Found:
    for name in CATALOGUE:
        margin = NEGATIVE.get(name, BEFORE_ZERO)
        rise = rise_above_zero(name, margin)
        rise = sympy.exp(rise) - 1 if name == "logistic" else rise
        yield proved(f"{name} at z = {margin}", prove_sign(rise, strict=True))


@above.extremal("as z rises to 0, L(z) falls to L(0) for all but the count of errors, which stays at 2 L(0)")
def limits_at_0() -> Found:
    for name in CATALOGUE:
        limit = sympy.limit(rise_above_zero(name, -u), u, 0, "+")
        expected = sympy.Rational(1, 2) if name == "zero-one" else 0
        yield proved(f"{name}: limit of L(z) - L(0) = {expected}", prove_identity(limit, expected))
    point = Fraction(-1, 1000)
    value = hinge.at_zero + rise_above_zero(hinge, point)
    yield at_least("L(z) ≥ L(0)", value, hinge.at_zero, at=f"hinge, z = {point}", statement=True)


@above.control(
    "It is false for positive margins: at $z=\\frac12$ the hinge has $L(z)-L(0)$ equal to {left}, less "
    "than {right}, and the other four losses fall below $L(0)$ as well.",
)
def rise_for_positive_z() -> Found:
    for name in ("hinge", "exponential", "logistic", "square", "sigmoid"):
        yield at_least("L(½) - L(0) ≥ 0", rise_above_zero(name, Fraction(1, 2)), 0, at=name)


@above.strengthened(
    "Not even 0.2 per cent can be added to $L(0)$: at $z=-\\frac1{1000}$ the hinge exceeds $L(0)$ by "
    "{left}, and {right} would be asked for.",
    by=Fraction(1002, 1000),
)
def larger_value_at_zero(factor: Fraction) -> Found:
    rise = rise_above_zero(hinge, Fraction(-1, 1000))
    yield at_least("L(z) - L(0) ≥ what is added to L(0)", rise, (factor - 1) * hinge.at_zero)


graphs = Claim(
    "prp-symmetrised-loss-graphs",
    "lower bound",
    "rigorous",
    source="allwein2000",
    where="Figure 1",
    implements=symmetrised,
    formula=Formula("eq-symmetrised-loss", symmetrised, numbers="balls"),
)

# The excess where it is not 0, with u > 0; exp(2 excess) - 1 for the logistic loss.
HEIGHTS = {"exponential": 2 * sympy.sinh(u / 2) ** 2, "logistic": sympy.sinh(u) ** 2, "square": u**2}


@graphs.check("above the level for all z ≠ 0: exponential, logistic, square; at the level for z = 0")
def above_the_level_but_at_0(rng: np.random.Generator) -> Found:
    for name, height in HEIGHTS.items():
        excess = symmetrised(name, u) - at_zero(name)
        yield proved(f"{name}, z = u > 0: above L(0)", prove_sign(sign_kept(name, excess), height, strict=True))
        yield proved(f"{name}: at the level", prove_identity(symmetrised(name, sympy.Integer(0)), at_zero(name)))


@graphs.check("hinge: at the level exactly on |z| ≤ 1")
def hinge_at_the_level(rng: np.random.Generator) -> Found:
    for where in ("0 < z ≤ 1", "z = 0"):
        yield proved(f"{where}: at L(0)", prove_identity(symmetrised("hinge", PIECES[where]), at_zero("hinge")))
    beyond = symmetrised("hinge", 1 + u) - at_zero("hinge")
    yield proved("z > 1: above L(0)", prove_sign(beyond, u / 2, strict=True))


@graphs.check("the symmetrised form is even in z, so that z ≥ 0 is enough")
def the_symmetrised_form_is_even(rng: np.random.Generator) -> Found:
    for name in CATALOGUE:
        even = prove_identity(symmetrised(name, -z), symmetrised(name, z))
        yield proved(f"{name}: value at -z = value at z", even)


@graphs.check("sigmoid and the count of errors: at the level for all z")
def sigmoid_and_the_count_of_errors(rng: np.random.Generator) -> Found:
    for name in ("sigmoid", "zero-one"):
        yield proved(f"{name}: at L(0)", prove_identity(symmetrised(name, z), at_zero(name)))


def at_zero(name: str) -> Number:
    return CATALOGUE[name](sympy.Integer(0))


@graphs.extremal("the graph of the sigmoid is the level itself")
def sigmoid_is_the_level() -> Found:
    yield proved(
        "(L(z) + L(-z))/2 = L(0)", prove_identity(symmetrised("sigmoid", z), at_zero("sigmoid")), statement=True
    )


@graphs.control(
    "The hinge leaves the level as soon as $|z|>1$: at $z=1.01$ its symmetrised form is {left}, and the "
    "level is {right}.",
)
def hinge_at_the_level_beyond_1() -> Found:
    yield equal("(L(z) + L(-z))/2 = L(0)", symmetrised(hinge, Fraction(101, 100)), hinge.at_zero, at="z = 1.01")


@graphs.control(
    "The hinge is not above the level for all $z\\ne0$: at $z=0.99$ its symmetrised form is {right}, and "
    "the level is {left}.",
)
def hinge_above_the_level_inside() -> Found:
    yield less_than("L(0) < (L(z) + L(-z))/2", hinge.at_zero, symmetrised(hinge, Fraction(99, 100)), at="z = 0.99")


@graphs.control(
    "The ramp cannot be added to the list: at $z=\\frac12$ its symmetrised form is {left}, below the level {right}.",
)
def ramp_on_or_above_the_level() -> Found:
    yield at_least("(L(z) + L(-z))/2 ≥ L(0)", symmetrised(ramp(), Fraction(1, 2)), ramp().at_zero, at="z = 1/2")
