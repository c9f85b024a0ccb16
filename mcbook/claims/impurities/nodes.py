"""One node: its best label, the three impurities, their order, and their slopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than, proved
from mcbook.claims.impurities.grids import balls, is_uniform_on, known_entropy, shown, simplex_points, vanishes
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import Proof, prove_identity, prove_sign
from mcbook.foundation.types import Number, Values
from mcbook.impurities import entropy, entropy_slope, gini, gini_slope, leaf_error, majority_label, misclassification
from mcbook.impurities.instances import uniform_shares
from mcbook.impurities.theory.impurity import Weights, class_shares
from mcbook.losses import splitting_criterion

Found = Iterator[Evidence]

# a, b, c: class weights; t from 0 to 1 as u / (1 + u), which sympy knows to be there.
a, b, c, s, t, u = sympy.symbols("a b c s t u", positive=True)
WITHIN = u / (1 + u)
# Two classes with the shares (1 + t) / 2 and (1 - t) / 2.
TWO = (1 + t, 1 - t)
LN2 = sympy.log(2)

majority = Claim(
    "prp-majority-leaf-label",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.1",
    implements=(majority_label, leaf_error, misclassification),
    formula=Formula("eq-misclassification", misclassification),
)


@majority.check("every node of the rational simplices, every label")
def errors_of_all_labels(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        least = misclassification(counts)
        errors = [leaf_error(counts, label) for label in range(len(counts))]
        yield at_most("1 − max p, error of the best label", least, min(errors))
        yield equal("error of the majority label, 1 − max p", errors[majority_label(counts)], least)
        for label, error in enumerate(errors):
            if counts[label] == max(counts):
                yield equal("error of any label as frequent, 1 − max p", error, least)


@majority.strengthened("the least error", by=Fraction(101, 100))
def one_per_cent_more(by: Fraction) -> Found:
    yield at_least("error of the majority label, 1 − max p", leaf_error([3, 2], 0), by * misclassification([3, 2]))


@majority.control("the second most frequent label is as good")
def second_label() -> Found:
    yield equal("error of the second label of (3, 2), 1 − max p", leaf_error([3, 2], 1), misclassification([3, 2]))


def largest_misclassification(n_classes: int) -> Number:
    return misclassification(uniform_shares(n_classes))


def largest_gini_of_all(n_classes: int) -> Number:
    return gini(uniform_shares(n_classes))


def largest_entropy(n_classes: int) -> Number:
    return entropy(balls(uniform_shares(n_classes)))


ends = Claim(
    "prp-impurities",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Definition 1.4",
    implements=(misclassification, gini, entropy),
    formula=(
        Formula("eq-gini", gini),
        Formula("eq-entropy", entropy, numbers="balls"),
        Formula("prp-impurities[misclassification, largest]", largest_misclassification),
        Formula("prp-impurities[Gini, largest]", largest_gini_of_all),
        Formula("prp-impurities[entropy, largest]", largest_entropy),
    ),
)


@ends.check("every point of the rational simplices: 0 at the vertices, below the value at the uniform vector elsewhere")
def zero_and_largest(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        k, pure = len(counts), is_uniform_on(counts, 1)
        even = is_uniform_on(counts, k)
        for name, measure in (("misclassification", misclassification), ("Gini", gini)):
            found, largest = measure(counts), Fraction(k - 1, k)
            yield equal(f"{name} of one class, 0", found, 0) if pure else less_than(f"0, {name}", 0, found)
            compare = equal if even else less_than
            yield compare(f"{name}, 1 − 1/k", found, largest)
        found = known_entropy(counts)
        yield equal("entropy of one class, 0", found, 0) if pure else less_than("0, entropy", 0, found)
        if not even:
            yield less_than("entropy, log₂ k", found, ball(k).log() / ball(2).log())


@ends.check("entropy of k equal weights is log₂ k, k = 2 … 9")
def entropy_of_equal_weights(rng: np.random.Generator) -> Found:
    for k in range(2, 10):
        yield proved(f"k = {k}", prove_identity(entropy([a] * k), sympy.log(k) / LN2))


@ends.extremal("the uniform vector, k = 2 … 9")
def uniform_vectors() -> Found:
    for k in range(2, 10):
        shares = uniform_shares(k)
        for name, measure in (("misclassification", misclassification), ("Gini", gini)):
            yield equal(f"{name}, 1 − 1/k, k = {k}", measure(shares), 1 - Fraction(1, k))
        yield equal(f"entropy, log₂ k, k = {k}", entropy(balls(shares)), ball(k).log() / ball(2).log(), within=1e-12)


@ends.strengthened("the largest values", by=Fraction(99, 100))
def one_per_cent_less(by: Fraction) -> Found:
    yield at_most("misclassification of (1, 1, 1, 1), largest", misclassification([1] * 4), by * Fraction(3, 4))
    yield at_most("Gini of (1, 1, 1, 1), largest", gini([1] * 4), by * Fraction(3, 4))
    yield at_most("entropy of (1, 1, 1, 1), largest", entropy([1] * 4), by * 2)


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
    yield proved("excess, t(1 − t)/2", prove_identity(excess, t * (1 - t) / 2))
    yield proved("excess > 0 for 0 < t < 1", prove_sign(excess.subs(t, WITHIN), strict=True))


@curves.check("half the entropy exceeds 2p(1 − p): the excess starts and ends at 0, its slope rises first, then falls")
def entropy_above_gini(rng: np.random.Generator) -> Found:
    excess = bend()
    for shares in ([a, a], [a, sympy.Integer(0)]):
        yield proved(f"entropy and 2 Gini of {shown(shares)}", prove_identity(entropy(shares), 2 * gini(shares)))
    yield proved("its slope at t = 0, 0", prove_identity(sympy.diff(excess, t).subs(t, 0), 0))
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
        yield proved(f"{name} at p = ½", prove_identity(measure([a, a]) / scale, sympy.Rational(1, 2)))
        yield proved(f"{name} at p = 1", prove_identity(measure([a, sympy.Integer(0)]) / scale, 0))


@curves.check(
    "they are splitting criteria of margin losses, up to a factor: of the hinge, the square and the logistic loss"
)
def criteria_of_margin_losses(rng: np.random.Generator) -> Found:
    share = 1 / (1 + a)
    hinge = splitting_criterion("hinge", (1 + t) / 2, (1 - t) / 2)
    yield proved("hinge, 2 misclassification", prove_identity(hinge, 2 * misclassification(TWO)))
    yield proved("square, 2 Gini", prove_identity(splitting_criterion("square", share, a * share), 2 * gini([1, a])))
    logistic = splitting_criterion("logistic", share, a * share)
    yield proved("logistic, entropy in nats", prove_identity(logistic, LN2 * entropy([1, a])))


@curves.extremal("equality at p = 0, ½ and 1", attained=True)
def where_the_curves_meet() -> Found:
    for p in (Fraction(0), Fraction(1, 2), Fraction(1)):
        yield equal(f"misclassification and Gini, p = {p}", misclassification_of_two(p), gini_of_two(p))
        yield equal(f"Gini and half the entropy, p = {p}", gini_of_two(p), Fraction(of_two(entropy, p)) / 2)


@curves.strengthened("Gini below half the entropy", by=Fraction(101, 100))
def gini_one_per_cent_larger(by: Fraction) -> Found:
    yield at_most("Gini, half the entropy, p = ½", by * gini([1, 1]), Fraction(entropy([1, 1])) / 2)


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
        yield compare("misclassification, Gini", error, impurity)
        compare = equal if is_uniform_on(counts, 1, 2) else less_than
        yield compare("2 Gini, entropy", 2 * impurity, uncertainty)


@order.check("the step from k − 1 to k classes: merging two of them, for all class weights")
def merging_two_classes(rng: np.random.Generator) -> Found:
    share = (b + c) / (a + b + c)
    split = entropy([a, b + c]) + share * entropy([b, c])
    yield proved("entropy, that of the merged plus q × that of the pair", vanishes(entropy([a, b, c]) - split))
    split = gini([a, b + c]) + share**2 * gini([b, c])
    yield proved("Gini, that of the merged plus q² × that of the pair", vanishes(gini([a, b, c]) - split))


@order.check("two classes, for all shares: the third derivative of the excess of entropy over 2 Gini is negative")
def two_classes(rng: np.random.Generator) -> Found:
    yield proved("for 0 < t < 1", third_derivative_is_negative())


@order.extremal("uniform on its support, a vertex, two equal classes")
def equality_in_the_order() -> Found:
    for counts in ((1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)):
        yield equal(f"misclassification and Gini of {shown(counts)}", misclassification(counts), gini(counts))
    for few in ((1, 0, 0), (1, 1, 0)):
        yield equal(f"2 Gini and entropy of {shown(few)}", 2 * gini(few), entropy(few))


@order.trace("the shares (1/2, 1/4, 1/8, 1/8), whose entropies are fractions")
def proof_on_four_classes() -> Found:
    p = [4, 2, 1, 1]
    largest = max(class_shares(p))
    terms = [share * (1 - share) for share in class_shares(p)]
    for share, term in zip(class_shares(p), terms, strict=True):
        yield at_least(f"p(1 − p), p(1 − max p), p = {share}", term, share * (1 - largest))
    yield at_least("their sum: Gini, misclassification", gini(p), misclassification(p))
    for merged, (first, second) in (([4, 2, 2], (1, 1)), ([4, 4], (2, 2))):
        before, q = ([*merged[:-1], first, second]), Fraction(first + second, 8)
        yield equal(
            f"merging {first} and {second}: entropy, merged + q × pair",
            entropy(before),
            entropy(merged) + q * entropy([first, second]),
        )
        yield equal(
            f"merging {first} and {second}: Gini, merged + q² × pair",
            gini(before),
            gini(merged) + q**2 * gini([first, second]),
        )
        yield at_least(
            f"what entropy loses, twice what Gini loses, q = {q}",
            q * entropy([first, second]),
            2 * q**2 * gini([first, second]),
        )
    yield equal("two classes: entropy, 2 Gini", entropy([4, 4]), 2 * gini([4, 4]))
    yield at_least("entropy, 2 Gini", entropy(p), 2 * gini(p))


@order.strengthened(
    "twice Gini below entropy",
    by=Fraction(201, 200),
    told="The factor 2 is the best: with 2.01 two equal classes would need {left} to be at most {right}.",
)
def factor_slightly_larger(by: Fraction) -> Found:
    yield at_most("2 Gini of (1, 1), its entropy", by * 2 * gini([1, 1]), entropy([1, 1]))


@order.strengthened("misclassification below Gini", by=Fraction(101, 100))
def misclassification_slightly_larger(by: Fraction) -> Found:
    yield at_most("misclassification of (1, 1), its Gini", by * misclassification([1, 1]), gini([1, 1]))


smoothness = Claim(
    "prp-impurity-smoothness",
    "identity",
    "rigorous",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.2",
    implements=(gini_slope, entropy_slope, gini, entropy),
    formula=(
        Formula("eq-impurity-slopes", gini_slope, piece=0),
        Formula("eq-impurity-slopes", entropy_slope, piece=1, numbers="balls"),
    ),
    symbols=(
        Reading(r"\alpha", "probability", arguments={"gaining": r"\alpha"}),
        Reading(r"\beta", "probability", arguments={"losing": r"\beta"}),
    ),
)


def moved(measure: Callable[[Weights], Values]) -> Number:
    """The measure of the shares a, b and the rest, after s has moved from the second class to the first."""
    return measure(sympy.Matrix([a + s, b - s, 1 - a - b]).T.tolist()[0])


@smoothness.check("the derivative along every edge of the simplex, for all shares inside it")
def slopes_along_edges(rng: np.random.Generator) -> Found:
    for name, measure, slope in (("Gini", gini, gini_slope), ("entropy", entropy, entropy_slope)):
        yield proved(f"slope of {name}", prove_identity(sympy.diff(moved(measure), s).subs(s, 0), slope(a, b)))
    degree = sympy.Poly(sympy.expand(moved(gini)), s).degree()
    yield holds("Gini is a polynomial of degree 2", degree == 2, Tier.RIGOROUS)


@smoothness.check(
    "as the share of the gaining class tends to 0, the slope of entropy grows without limit, that of Gini does not"
)
def slopes_at_the_boundary(rng: np.random.Generator) -> Found:
    limit = sympy.limit(entropy_slope(a, b), a, 0, "+")
    yield holds("entropy: the limit is infinite", limit == sympy.oo, Tier.RIGOROUS, str(limit))
    yield proved("Gini: the limit, 2 p_j", prove_identity(sympy.limit(gini_slope(a, b), a, 0, "+"), 2 * b))


@smoothness.control("the slope of entropy is at most 100")
def bounded_slope() -> Found:
    yield at_most("slope at p_i = 2⁻¹⁰², p_j = ½", entropy_slope(Fraction(1, 2**102), Fraction(1, 2)), 100)
