"""Where the losses come from, and what their best value in a leaf costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, equal, proved
from mcbook.claims.spine.formulas.formula import Formula, Numbers
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.losses import (
    CATALOGUE,
    best_leaf_value,
    leaf_loss,
    least_slack,
    logistic,
    negative_log_likelihood,
    probability_of_plus,
    random_answer_error,
    splitting_criterion,
    squared_error,
)
from mcbook.losses.theory.catalogue import exponential, sigmoid, square

Found = Iterator[Evidence]

f = sympy.Symbol("f", real=True)
p, q, u = sympy.symbols("p q u", positive=True)
t = sympy.Symbol("t", nonnegative=True)

MARGIN = {"z": "yf"}

origins = Claim(
    "prp-what-learners-minimise",
    "identity",
    "rigorous",
    source="allwein2000",
    where="§2",
    errata=("E57",),
    implements=(negative_log_likelihood, random_answer_error, squared_error, least_slack, probability_of_plus),
    formula=(
        Formula("eq-hinge", least_slack, given=MARGIN),
        Formula("eq-exponential", exponential, numbers="balls"),
        Formula("eq-sigmoid", random_answer_error, given=MARGIN, numbers="balls"),
        Formula("eq-square-loss", squared_error, given=MARGIN, side="left"),
        Formula("eq-square-loss", squared_error, given=MARGIN),
        Formula("eq-logistic", negative_log_likelihood, given=MARGIN, numbers="balls"),
    ),
    symbols=(
        Reading("y", "sign", arguments={"y": "y"}),
        Reading("f", "real", arguments={"f": "f"}),
    ),
)

LEARNERS = {
    "hinge": least_slack,
    "sigmoid": random_answer_error,
    "square": squared_error,
    "logistic": negative_log_likelihood,
}


@origins.check("what the learner minimises is the loss at z = y f, for y = 1 and y = -1 and every f")
def minimised_quantity_is_the_loss(rng: np.random.Generator) -> Found:
    for name, minimised in LEARNERS.items():
        for y in (1, -1):
            same = prove_identity(minimised(y, f), CATALOGUE[name](y * f))
            yield proved(f"what is minimised = {name} loss", same, at=f"y = {y}")


@origins.check("the least slack is feasible, and what is smaller by any w > 0 is not")
def least_slack_is_least(rng: np.random.Generator) -> Found:
    w = sympy.Symbol("w", positive=True)
    for y in (1, -1):
        slack = least_slack(y, y * (1 + t))
        yield proved(f"y = {y}, y f ≥ 1: ξ ≥ 0", prove_sign(slack))
        yield proved("y f - (1 - ξ) ≥ 0", prove_sign((1 + t) - (1 - slack)))
        yield proved("ξ - w < 0", prove_sign(w - slack, strict=True))
        slack = least_slack(y, y * (1 - u))
        yield proved(f"y = {y}, y f < 1: ξ > 0", prove_sign(slack, strict=True))
        yield proved("y f - (1 - ξ) ≥ 0", prove_sign((1 - u) - (1 - slack)))
        yield proved("y f - (1 - (ξ - w)) < 0", prove_sign(1 - (slack - w) - (1 - u), strict=True))


@origins.check("the weight that AdaBoost gives an example is a product over its rounds, and the exponential of the sum")
def weight_of_adaboost(rng: np.random.Generator) -> Found:
    steps = sympy.symbols("a1:5", real=True)
    for y in (1, -1):
        factors = sympy.prod([exponential(y * step) for step in steps])
        yield proved(
            "product of the weights = exp(-y f)", prove_identity(factors, exponential(y * sum(steps))), at=f"y = {y}"
        )


@origins.check("the two probabilities of the logistic model sum to 1, and their log odds are 2 f")
def probabilities_of_the_logistic_model(rng: np.random.Generator) -> Found:
    plus = probability_of_plus(f)
    yield proved("Pr[1 | x] + Pr[-1 | x] = 1", prove_identity(plus + probability_of_plus(-f), 1))
    yield proved("Pr[1 | x] / Pr[-1 | x] = exp(2 f)", prove_identity(plus / (1 - plus), sympy.exp(2 * f)))
    yield proved("sigmoid loss = 1 - Pr[y | x]", prove_identity(sigmoid(f), 1 - plus))


@origins.control(
    "The 2 in the exponent cannot go: with $\\Pr[+1\\mid x]=1/(1+e^{-f})$ the negative log-likelihood is "
    "$\\ln(1+e^{-z})$, which is not the logistic loss.",
)
def logistic_model_without_factor_2() -> Found:
    halved = -sympy.log(probability_of_plus(f / 2))
    yield proved("-ln Pr[1 | x] = L(f)", prove_identity(halved, logistic(f)))


@origins.control(
    "The 1 in the hinge loss cannot go: with the slack $\\max(0,-z)$ the constraint at $f=0$ asks $yf$ to be at "
    "least {right}, and it is {left}.",
)
def slack_without_the_1() -> Found:
    for y in (1, -1):
        # At f + y the hinge loss is max(0, -y f).
        yield at_least("y f ≥ 1 - ξ", 0, 1 - least_slack(y, 0 + y), at=f"y = {y}, f = 0")


@origins.control(
    "The labels have to be the signs: with the labels 0 and 1 a negative example pays $(0-f)^2$, which "
    "is not $(1-z)^2=(1+f)^2$.",
)
def least_squares_with_labels_0_and_1() -> Found:
    yield proved("(0 - f)² = (1 + f)²", prove_identity(squared_error(-1, f - 1), square(-f)))


@origins.control(
    "The 2 in the exponent cannot go: if the answer is $+1$ with probability $1/(1+e^{-f})$ and $y=1$, "
    "it is wrong with probability $1/(1+e^f)$, not $1/(1+e^{2f})$.",
)
def random_answer_without_factor_2() -> Found:
    yield proved("1 - Pr[+1] = L(f)", prove_identity(1 - probability_of_plus(f / 2), sigmoid(f)))


# Where the hinge's best value jumps, and for the square, exact numbers; balls where logarithms and roots occur.
LEAF_NUMBERS: dict[str, Numbers] = {
    "logistic": "balls",
    "square": "exact",
    "exponential": "balls",
    "hinge": "exact",
}

leaf = Claim(
    "thm-leaf-loss-is-splitting-criterion",
    "identity",
    "rigorous",
    source="allwein2000",
    where="§2, (2)",
    errata=("E57",),
    implements=(splitting_criterion, best_leaf_value, leaf_loss),
    formula=tuple(
        Formula(f"thm-leaf-loss-is-splitting-criterion[{loss}, {column}]", of, fixed={"loss": loss}, numbers=numbers)
        for loss, numbers in LEAF_NUMBERS.items()
        for column, of in (("best f", best_leaf_value), ("minimum", splitting_criterion))
    ),
)

# The fractions ordered either way, and f in pieces that cover the line but for ±1 and on which the hinge is straight.
ORDERS = {"p⁺ > p⁻": (q + u, q), "p⁺ = p⁻": (q, q), "p⁺ < p⁻": (p, p + u)}
OFF_THE_ENDS = {"f > 1": 1 + u, "-1 < f < 1": (1 - u) / (1 + u), "f < -1": -1 - u}


@leaf.check("the loss at the best value is the criterion, for all p⁺, p⁻ > 0")
def loss_at_the_best_value(rng: np.random.Generator) -> Found:
    for name in ("logistic", "square", "exponential"):
        value = leaf_loss(name, p, q, best_leaf_value(name, p, q))
        yield proved(f"{name}: loss at the best f = criterion", prove_identity(value, splitting_criterion(name, p, q)))
    for order, (plus, minus) in ORDERS.items():
        value = leaf_loss("hinge", plus, minus, best_leaf_value("hinge", plus, minus))
        same = prove_identity(value, splitting_criterion("hinge", plus, minus))
        yield proved(f"hinge, {order}: loss at the best f = criterion", same)


@leaf.check("no other f does better: what is lost is a square that vanishes once (square, exponential)")
def what_is_lost_is_a_square(rng: np.random.Generator) -> Found:
    squares = {
        "square": (p + q) * (f - best_leaf_value("square", p, q)) ** 2,
        "exponential": (sympy.sqrt(p) * sympy.exp(-f / 2) - sympy.sqrt(q) * sympy.exp(f / 2)) ** 2,
    }
    for name, form in squares.items():
        lost = leaf_loss(name, p, q, f) - splitting_criterion(name, p, q)
        yield proved(f"{name}: loss - criterion ≥ 0", prove_sign(lost, form))


@leaf.check("no other f does better: the slope vanishes at the best one and rises everywhere (logistic)")
def only_one_best_value_of_the_logistic_loss(rng: np.random.Generator) -> Found:
    loss = leaf_loss("logistic", p, q, f)
    slope = sympy.diff(loss, f).subs(f, best_leaf_value("logistic", p, q))
    yield proved("slope at ½ ln(p⁺/p⁻) = 0", prove_identity(slope, 0))
    bend = 4 * (p + q) * probability_of_plus(f) * probability_of_plus(-f)
    yield proved("second derivative > 0 for all f", prove_sign(sympy.diff(loss, f, 2), bend, strict=True))


@leaf.check("hinge: what is lost is positive everywhere but at the best f, and for p⁺ = p⁻ 0 on all of [-1, 1]")
def where_the_hinge_loses(rng: np.random.Generator) -> Found:
    for order, (plus, minus) in ORDERS.items():
        criterion = splitting_criterion("hinge", plus, minus)
        for piece, value in OFF_THE_ENDS.items():
            lost = leaf_loss("hinge", plus, minus, value) - criterion
            flat = plus == minus and piece == "-1 < f < 1"
            what = f"{order}, {piece}: loss - criterion {'=' if flat else '>'} 0"
            yield proved(what, prove_identity(lost, 0) if flat else prove_sign(lost, strict=True))
        for end in (-1, 1):
            lost = leaf_loss("hinge", plus, minus, sympy.Integer(end)) - criterion
            best = plus == minus or end == best_leaf_value("hinge", plus, minus)
            what = f"{order}, f = {end}: loss - criterion {'=' if best else '>'} 0"
            yield proved(what, prove_identity(lost, 0) if best else prove_sign(lost, strict=True))


@leaf.check("the criteria are the usual impurities times s: entropy, twice Gini, twice the root, twice the error")
def criteria_as_impurities(rng: np.random.Generator) -> Found:
    s = p + q
    share = p / s
    usual = {
        "logistic": -share * sympy.log(share) - (1 - share) * sympy.log(1 - share),
        "square": 2 * (1 - share**2 - (1 - share) ** 2),
        "exponential": 2 * sympy.sqrt(share * (1 - share)),
    }
    for name, impurity in usual.items():
        yield proved(f"{name}: criterion = s × impurity", prove_identity(splitting_criterion(name, p, q), s * impurity))
    for order, (plus, minus) in ORDERS.items():
        error = 1 - sympy.Max(plus, minus) / (plus + minus)
        same = prove_identity(splitting_criterion("hinge", plus, minus), 2 * (plus + minus) * error)
        yield proved(f"hinge, {order}: criterion = s × impurity", same)


@leaf.trace("p⁺ = 1/2, p⁻ = 1/8, so that p⁺/p⁻ = 4 and exp f = 2 for the exponential and the logistic loss")
def one_leaf_under_four_losses() -> Found:
    plus, minus = Fraction(1, 2), Fraction(1, 8)
    best = best_leaf_value("square", plus, minus)
    yield equal("best f = (p⁺ - p⁻)/s", best, Fraction(3, 5), at="square")
    yield equal(
        "its loss = 4 p⁺p⁻/s",
        leaf_loss("square", plus, minus, best),
        splitting_criterion("square", plus, minus),
        at="square",
    )
    for other in (Fraction(1, 2), Fraction(7, 10)):
        lost = leaf_loss("square", plus, minus, other) - leaf_loss("square", plus, minus, best)
        yield equal(
            "loss above the least = s (f - 3/5)²", lost, (plus + minus) * (other - best) ** 2, at=f"square, f = {other}"
        )
    odds = sympy.exp(best_leaf_value("exponential", sympy.Rational(1, 2), sympy.Rational(1, 8)))
    yield equal("exp f = 2", Fraction(str(odds)), 2, at="exponential, best f")
    yield equal("p⁺/2 + 2 p⁻ = 2 √(p⁺p⁻)", plus / 2 + minus * 2, Fraction(1, 2), at="exponential")
    for other in (Fraction(3, 2), Fraction(3)):
        yield at_least("loss ≥ ½", plus / other + minus * other, Fraction(1, 2), at=f"exponential, exp f = {other}")
    chance = odds**2 / (1 + odds**2)
    yield equal("Pr[1 | leaf] = p⁺/s", Fraction(str(chance)), plus / (plus + minus), at="logistic, exp f = 2")
    yield equal("loss = 2 min(p⁺, p⁻)", leaf_loss("hinge", plus, minus, 1), 2 * minus, at="hinge, f = 1")
    for wrong in (-1, 0, 2):
        yield at_least(
            "loss ≥ 2 min(p⁺, p⁻)", leaf_loss("hinge", plus, minus, wrong), 2 * minus, at=f"hinge, f = {wrong}"
        )


@leaf.strengthened(
    "Without the 2 in $\\ln(1+e^{-2z})$ the best value of the table is wrong: at "
    "$f=\\frac12\\ln\\frac{p^+}{p^-}$ the slope of $p^+L(f)+p^-L(-f)$ does not vanish for all $p^+$ and "
    "$p^-$.",
    by=Fraction(1, 2),
)
def factor_within_the_logistic_loss(factor: Fraction | int) -> Found:
    loss = leaf_loss("logistic", p, q, sympy.Rational(factor.numerator, factor.denominator) * f)
    slope = sympy.diff(loss, f).subs(f, best_leaf_value("logistic", p, q))
    yield proved("slope at ½ ln(p⁺/p⁻) = 0", prove_identity(slope, 0))


@leaf.control(
    "The minimum of the square loss is not $2p^+p^-/s$, the Gini impurity itself: at the best $f$ the "
    "loss is twice as large.",
)
def gini_in_place_of_twice_gini() -> Found:
    best = best_leaf_value("square", p, q)
    yield proved("loss at the best f = 2 p⁺p⁻/s", prove_identity(leaf_loss("square", p, q, best), 2 * p * q / (p + q)))


@leaf.control(
    "The best $f$ of the square loss is not the best for the hinge: for $p^+=\\frac12$ and "
    "$p^-=\\frac18$ the hinge costs {left} there, and its minimum is {right}.",
)
def hinge_at_the_best_value_of_the_square() -> Found:
    plus, minus = Fraction(1, 2), Fraction(1, 8)
    value = leaf_loss("hinge", plus, minus, best_leaf_value("square", plus, minus))
    yield equal("hinge loss at (p⁺ - p⁻)/s = 2 min(p⁺, p⁻)", value, splitting_criterion("hinge", plus, minus))
