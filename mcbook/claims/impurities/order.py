"""The three impurities in order: the curves of two classes, and any number of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.impurities.grids import is_uniform_on, known_entropy, shown, simplex_points, vanishes
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof.rigorous import Proof, prove_identity, prove_sign
from mcbook.foundation.types import Number, Values
from mcbook.impurities import entropy, gini, misclassification
from mcbook.impurities.theory.impurity import Weights, class_shares
from mcbook.losses import splitting_criterion

Found = Iterator[Evidence]

# a, b, c: class weights; t from 0 to 1 as u / (1 + u), which sympy knows to be there.
a, b, c, t, u = sympy.symbols("a b c t u", positive=True)
WITHIN = u / (1 + u)
# Two classes with the shares (1 + t) / 2 and (1 - t) / 2.
TWO = (1 + t, 1 - t)
LN2 = sympy.log(2)


def of_two(measure: Callable[[Weights], Values], p: Number) -> Number:
    return measure([p, 1 - p])


def misclassification_of_two(p: Number) -> Number:
    return of_two(misclassification, p)


def gini_of_two(p: Number) -> Number:
    return of_two(gini, p)


def half_entropy_of_two(p: Number) -> Number:
    return of_two(entropy, p) / 2


curves = Claim(
    "prp-impurity-curves",
    "upper bound",
    "rigorous",
    source="mohri2018",
    where="Figure 9.4",
    implements=(misclassification, gini, entropy),
    formula=(
        Formula("eq-impurity-curves", misclassification_of_two, side="left"),
        Formula("eq-impurity-curves", gini_of_two, side=1),
        Formula("eq-impurity-curves", half_entropy_of_two, numbers="balls"),
    ),
)


def bend() -> Number:
    """(entropy − 2 Gini) ln 2 of the shares (1 ± t) / 2."""
    return LN2 * (entropy(TWO) - 2 * gini(TWO))


def third_derivative_is_negative() -> Proof:
    """Of the above, -2t / (1 - t^2)^2, in terms of u."""
    third = sympy.cancel(sympy.diff(bend(), t, 3).subs(t, WITHIN))
    return prove_sign(-third, 2 * u * (1 + u) ** 3 / (1 + 2 * u) ** 2, strict=True)


@curves.check("2p(1 − p) exceeds min(p, 1 − p) by t(1 − t)/2, where p = (1 ± t)/2 and 0 < t < 1")
def gini_above_misclassification(rng: np.random.Generator) -> Found:
    excess = gini(TWO) - misclassification(TWO)
    yield proved("excess = t(1 − t)/2", prove_identity(excess, t * (1 - t) / 2))
    yield proved("excess > 0 for 0 < t < 1", prove_sign(excess.subs(t, WITHIN), strict=True))


@curves.check("half the entropy exceeds 2p(1 − p): the excess starts and ends at 0, its slope rises first, then falls")
def entropy_above_gini(rng: np.random.Generator) -> Found:
    excess = bend()
    for shares in ([a, a], [a, sympy.Integer(0)]):
        yield proved(
            "entropy = 2 Gini", prove_identity(entropy(shares), 2 * gini(shares)), at=f"weights {shown(shares)}"
        )
    yield proved("its slope at t = 0 is 0", prove_identity(sympy.diff(excess, t).subs(t, 0), 0))
    yield proved(
        "its second derivative at t = 0 is positive", prove_sign(sympy.diff(excess, t, 2).subs(t, 0), strict=True)
    )
    yield proved("its third derivative is negative for 0 < t < 1", third_derivative_is_negative())


@curves.check("all three are largest, 1/2, at p = 1/2, and 0 at the ends")
def common_maximum(rng: np.random.Generator) -> Found:
    yield proved("½ − Gini is a square", prove_sign(sympy.Rational(1, 2) - gini(TWO), t**2 / 2, strict=True))
    falling = -2 * LN2 * sympy.diff(entropy(TWO), t).subs(t, WITHIN)
    yield proved("slope of the entropy < 0 for 0 < t < 1", prove_sign(falling, sympy.log(1 + 2 * u), strict=True))
    scales = {"misclassification": (misclassification, 1), "Gini": (gini, 1), "½ entropy": (entropy, 2)}
    for name, (measure, scale) in scales.items():
        yield proved(f"{name} = ½", prove_identity(measure([a, a]) / scale, sympy.Rational(1, 2)), at="p = ½")
        yield proved(f"{name} = 0", prove_identity(measure([a, sympy.Integer(0)]) / scale, 0), at="p = 1")


@curves.check(
    "they are splitting criteria of margin losses, up to a factor: of the hinge, the square and the logistic loss"
)
def criteria_of_margin_losses(rng: np.random.Generator) -> Found:
    share = 1 / (1 + a)
    hinge = splitting_criterion("hinge", (1 + t) / 2, (1 - t) / 2)
    yield proved("criterion of the hinge = 2 misclassification", prove_identity(hinge, 2 * misclassification(TWO)))
    yield proved(
        "criterion of the square loss = 2 Gini",
        prove_identity(splitting_criterion("square", share, a * share), 2 * gini([1, a])),
    )
    logistic = splitting_criterion("logistic", share, a * share)
    yield proved("criterion of the logistic loss = entropy in nats", prove_identity(logistic, LN2 * entropy([1, a])))


@curves.extremal("equality at p = 0, ½ and 1")
def where_the_curves_meet() -> Found:
    for p in (Fraction(0), Fraction(1, 2), Fraction(1)):
        yield equal(
            "misclassification = Gini", misclassification_of_two(p), gini_of_two(p), at=f"p = {p}", statement=True
        )
        yield equal(
            "Gini = half the entropy", gini_of_two(p), Fraction(of_two(entropy, p)) / 2, at=f"p = {p}", statement=True
        )


@curves.strengthened(
    r"No more than the Gini impurity is below half the entropy: at $p=\frac12$ one per cent more is "
    "{left}, and half the entropy is {right}.",
    by=Fraction(101, 100),
)
def gini_one_per_cent_larger(by: Fraction) -> Found:
    yield at_most("Gini ≤ half the entropy", by * gini([1, 1]), Fraction(entropy([1, 1])) / 2, at="p = ½")


def half_entropy(weights: Weights) -> Number:
    return entropy(weights) / 2


order = Claim(
    "thm-impurity-order",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13", "hellman-raviv1970", "harremoes-topsoe2001"),
    where="§9.3.3; Remark 5; the factor 2 of misclassification and of Gini against entropy",
    implements=(misclassification, gini, entropy),
    formula=(
        Formula("eq-impurity-order", misclassification, side="left"),
        Formula("eq-impurity-order", gini, side=1),
        Formula("eq-impurity-order", half_entropy, numbers="balls"),
    ),
)


@order.check("every point of the rational simplices, k = 2 … 5, with the cases of equality")
def order_on_simplices(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        error, impurity, uncertainty = misclassification(counts), gini(counts), known_entropy(counts)
        compare = equal if is_uniform_on(counts) else less_than
        yield compare(f"misclassification {'=' if compare is equal else '<'} Gini", error, impurity)
        compare = equal if is_uniform_on(counts, 1, 2) else less_than
        yield compare(f"2 Gini {'=' if compare is equal else '<'} entropy", 2 * impurity, uncertainty)


@order.check("the step from k − 1 to k classes: merging two of them, for all class weights")
def merging_two_classes(rng: np.random.Generator) -> Found:
    share = (b + c) / (a + b + c)
    split = entropy([a, b + c]) + share * entropy([b, c])
    yield proved("entropy = that of the merged + q × that of the pair", vanishes(entropy([a, b, c]) - split))
    split = gini([a, b + c]) + share**2 * gini([b, c])
    yield proved("Gini = that of the merged + q² × that of the pair", vanishes(gini([a, b, c]) - split))


@order.check("two classes, for all shares: the third derivative of the excess of entropy over 2 Gini is negative")
def two_classes(rng: np.random.Generator) -> Found:
    yield proved("third derivative < 0 for 0 < t < 1", third_derivative_is_negative())


@order.extremal("uniform on its support, a vertex, two equal classes")
def equality_in_the_order() -> Found:
    for counts in ((1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)):
        yield equal(
            "misclassification = Gini",
            misclassification(counts),
            gini(counts),
            at=f"node {shown(counts)}",
            statement=True,
        )
    for few in ((1, 0, 0), (1, 1, 0)):
        yield equal("2 Gini = entropy", 2 * gini(few), entropy(few), at=f"node {shown(few)}", statement=True)


@order.trace("the shares (1/2, 1/4, 1/8, 1/8), whose entropies are fractions")
def proof_on_four_classes() -> Found:
    p = [4, 2, 1, 1]
    largest = max(class_shares(p))
    terms = [share * (1 - share) for share in class_shares(p)]
    for share, term in zip(class_shares(p), terms, strict=True):
        yield at_least("p(1 − p) ≥ p(1 − max p)", term, share * (1 - largest), at=f"p = {share}")
    yield at_least("Gini ≥ misclassification", gini(p), misclassification(p), at="their sum")
    for merged, (first, second) in (([4, 2, 2], (1, 1)), ([4, 4], (2, 2))):
        before, q = ([*merged[:-1], first, second]), Fraction(first + second, 8)
        yield equal(
            "entropy = merged + q × pair",
            entropy(before),
            entropy(merged) + q * entropy([first, second]),
            at=f"merging {first} and {second}",
        )
        yield equal(
            "Gini = merged + q² × pair",
            gini(before),
            gini(merged) + q**2 * gini([first, second]),
            at=f"merging {first} and {second}",
        )
        yield at_least(
            "what entropy loses ≥ twice what Gini loses",
            q * entropy([first, second]),
            2 * q**2 * gini([first, second]),
            at=f"q = {q}",
        )
    yield equal("entropy = 2 Gini", entropy([4, 4]), 2 * gini([4, 4]), at="two classes")
    yield at_least("entropy ≥ 2 Gini", entropy(p), 2 * gini(p))


@order.strengthened(
    "The factor 2 is the best possible: with 2.01 in its place two equal classes would need {left} to "
    "be at most {right}.",
    by=Fraction(201, 200),
    story=True,
)
def factor_slightly_larger(by: Fraction) -> Found:
    yield at_most("2 Gini ≤ entropy", by * 2 * gini([1, 1]), entropy([1, 1]), at="node (1, 1)")


@order.strengthened(
    "No more than the misclassification is below the Gini impurity: for two equal classes one per cent "
    "more is {left}, and their Gini impurity is {right}.",
    by=Fraction(101, 100),
)
def misclassification_slightly_larger(by: Fraction) -> Found:
    yield at_most("misclassification ≤ Gini", by * misclassification([1, 1]), gini([1, 1]), at="node (1, 1)")
