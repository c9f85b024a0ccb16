"""Log-sum-exp, the softmax-margin, and what the conditional random field bounds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.types import Array, Ball, Exact, Scalar
from mcbook.structured import (
    Scores,
    chains,
    hamming_cost,
    log_sum_exp,
    margin_rescaled,
    softmax_margin,
    softmax_margin_factor,
)
from mcbook.structured.algorithm.inference import every_score, loss_of

Found = Iterator[Evidence]

balls = np.frompyfunc(ball, 1, 1)
# Rounding of logarithms of a few terms, as a share.
ROUNDING = Fraction(1, 10**12)


def nearly(value: Scalar) -> Ball:
    """The number less the share that rounding may take: what an equality in balls is compared with."""
    return ball(1 - ROUNDING) * (value if hasattr(value, "log") else ball(value))


def soft(losses: Array | Sequence[Scalar], gaps: Array | Sequence[Scalar]) -> Ball:
    """The softmax-margin of exact losses and gaps, as a ball."""
    return softmax_margin(balls(np.array(losses, dtype=object)), balls(np.array(gaps, dtype=object)))


def factor(most: int | Fraction) -> Ball:
    return softmax_margin_factor(ball(most))


smooth = Claim(
    "lem-log-sum-exp",
    "upper bound",
    "rigorous",
    source="mohri2018",
    where="§9.5, footnotes 15–16",
    errata=("E50",),
    implements=log_sum_exp,
    formula=Formula("eq-log-sum-exp", log_sum_exp, numbers="balls"),
)


@smooth.check("convex: the Hessian's quadratic form is half the sum of p_i p_j (v_i - v_j)², for k = 2 and 3")
def hessian_is_a_sum_of_squares(rng: np.random.Generator) -> Found:
    for k in (2, 3):
        x, v = sympy.symbols(f"x:{k}", real=True), sympy.symbols(f"v:{k}", real=True)
        t = sympy.symbols(f"t:{k}", positive=True)
        H = sympy.hessian(log_sum_exp(x), x).subs({sympy.exp(a): b for a, b in zip(x, t, strict=True)})
        form = sum(v[i] * H[i, j] * v[j] for i, j in itertools.product(range(k), repeat=2))
        squares = sum(t[i] * t[j] * (v[i] - v[j]) ** 2 for i, j in itertools.combinations(range(k), 2)) / sum(t) ** 2
        yield proved("v'Hv as a sum of squares", prove_identity(form, squares), at=f"k = {k}")
        yield proved("the sum of squares ≥ 0", prove_sign(squares, squares), at=f"k = {k}")


@smooth.check("between the largest entry and ln k more, for k = 2 … 4 and all arguments")
def between_both_bounds(rng: np.random.Generator) -> Found:
    for k in (2, 3, 4):
        top = sympy.Symbol("x", real=True)
        below = sympy.symbols(f"w:{k - 1}", nonnegative=True)
        # Every entry below the largest one is x - ln(1 + w) for some w >= 0.
        value = log_sum_exp([top, *(top - sympy.log(1 + w) for w in below)])
        ratio = sympy.simplify(sympy.exp(value - top))
        others = sum(1 / (1 + w) for w in below)
        yield proved("e^(lse − max) − 1 ≥ 0", prove_sign(ratio - 1, others), at=f"k = {k}")
        yield proved("k − e^(lse − max) ≥ 0", prove_sign(k - ratio, sum(w / (1 + w) for w in below)), at=f"k = {k}")


@smooth.extremal("equal entries: lse is ln k above them")
def equal_entries() -> Found:
    x = sympy.Symbol("x", real=True)
    for k in (2, 3, 7):
        proof = prove_identity(log_sum_exp([x] * k), x + sympy.log(k))
        yield proved("lse(x, …, x) = x + ln k", proof, at=f"k = {k}", statement=True)


@smooth.strengthened(
    r"One thousandth less than $\ln k$ is too little: for three nearly equal entries the log-sum-exp "
    "exceeds the largest entry by {left}, which is more than {right}.",
    by=Fraction(999, 1000),
)
def smaller_distance(by: Fraction) -> Found:
    x = balls(np.array([0, Fraction(-1, 10**6), Fraction(-1, 10**6)], dtype=object))
    yield at_most("lse ≤ max + ln k", log_sum_exp(x), ball(by) * ball(3).log())


@smooth.control(
    "The largest entry alone is no upper bound: for the entries 0 and 0 the log-sum-exp is {left}, more than {right}."
)
def no_more_than_the_maximum() -> Found:
    yield at_most("lse ≤ max", log_sum_exp(balls(np.array([0, 0], dtype=object))), 0)


objectives = Claim(
    "prp-softmax-margin-and-crf",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.5, (9.24)",
    errata=("E23",),
    implements=(softmax_margin, margin_rescaled),
    formula=Formula("eq-softmax-margin", softmax_margin, numbers="balls"),
)


def enumerated(rng: np.random.Generator, count: int) -> Iterator[tuple[Exact, Exact, Exact, int]]:
    """Of random chains with rational scores: losses, gaps and scores of all labellings, and the predicted one."""
    for _ in range(count):
        n, k = int(rng.integers(1, 4)), int(rng.integers(2, 4))
        E, T = (rational(rng.integers(-40, 41, shape)) * Fraction(1, 13) for shape in ((n, k), (k, k)))
        forest, y = chains([n]), rng.integers(0, k, n)
        ((Y, totals),) = every_score(Scores(E, T), forest)
        truth = int(np.flatnonzero((y == Y).all(axis=1))[0])
        cost = hamming_cost(k).astype(int)
        losses = np.array([int(loss_of(y, z, cost, forest)[0]) for z in Y], dtype=object)
        yield losses, totals[truth] - totals, np.array(totals), int(np.argmax(totals))


@objectives.check("all labellings of random chains, Hamming loss, balls around rational scores")
def three_objectives(rng: np.random.Generator) -> Found:
    for losses, gaps, _, predicted in enumerated(rng, 40):
        value, hard = soft(losses, gaps), margin_rescaled(losses, gaps)
        yield at_least("softmax-margin ≥ margin-rescaled maximum", value, hard)
        apart = nearly(value - ball(hard))
        yield at_most("their difference ≤ ln |Y|", apart, ball(len(gaps)).log())
        yield at_least("softmax-margin ≥ loss of the prediction", value, losses[predicted])
        bits, wrong = soft(0 * losses, gaps) / ball(2).log(), int(losses[predicted] > 0)
        yield at_least("−log₂ p(y | x) ≥ 0-1 loss of the prediction", bits, nearly(wrong))


@objectives.check("with L = 0 it is −ln p(y | x) of the distribution proportional to e^score")
def is_the_likelihood(rng: np.random.Generator) -> Found:
    for losses, gaps, totals, _ in enumerated(rng, 12):
        weights = [ball(score).exp() for score in totals - totals.min()]
        truth = next(i for i, gap in enumerate(gaps) if gap == 0 and losses[i] == 0)
        log_p = (weights[truth] / sum(weights)).log()
        yield at_most("|softmax-margin + ln p| ≤ rounding", abs(soft(0 * losses, gaps) + log_p), ROUNDING, at="L = 0")


def one_position(a: Fraction, loss: int) -> Ball:
    """1/2 |w|^2 + softmax-margin of one position with two labels and weights (a, -a)."""
    return ball(a * a) + soft([0, loss], [0, 2 * a])


@objectives.check("on one position with two labels the minima of the two objectives lie on different sides of 2/5")
def different_minima(rng: np.random.Generator) -> Found:
    middle = Fraction(2, 5)
    yield less_than("likelihood at 3/10 < at 2/5", one_position(Fraction(3, 10), 0), one_position(middle, 0))
    yield less_than("softmax-margin at 1/2 < at 2/5", one_position(Fraction(1, 2), 1), one_position(middle, 1))


@objectives.extremal("weights 0 and loss 0: the difference is ln |Y| = n ln k")
def difference_attained() -> Found:
    for k, n in ((2, 1), (3, 2), (2, 5)):
        zeros = np.zeros(k**n, dtype=object)
        apart = soft(zeros, zeros) - ball(margin_rescaled(zeros, zeros))
        at, largest = f"k = {k}, n = {n}", n * ball(k).log()
        yield at_least("difference ≥ (1 − 10⁻¹²) n ln k", apart, nearly(largest), at=at)
        yield at_most("(1 − 10⁻¹²) difference ≤ ln |Y|", nearly(apart), largest, at=at, statement=True)


@objectives.strengthened(
    r"One thousandth less than $\ln|\mathcal Y|$ is too little: for nine labellings with nearly equal "
    "scores the softmax-margin exceeds the maximum by {left}, which is more than {right}.",
    by=Fraction(999, 1000),
)
def smaller_difference(by: Fraction) -> Found:
    gaps = np.array([0, *[Fraction(1, 10**6)] * 8], dtype=object)
    apart = soft(0 * gaps, gaps) - ball(margin_rescaled(0 * gaps, gaps))
    yield at_most("difference ≤ ln |Y|", apart, ball(by) * ball(9).log())


@objectives.control(
    "The likelihood does not bound the Hamming loss: with two tied labellings that differ in four places,"
    r" and all others far below, $-\log_2p$ is {left}, but the Hamming loss may be {right}.",
    story=True,
)
def likelihood_against_hamming() -> Found:
    gaps = np.array([0, 0, *[60] * 14], dtype=object)
    yield at_least("−log₂ p ≥ Hamming loss", soft(0 * gaps, gaps) / ball(2).log(), 4)


best_factor = Claim(
    "prp-softmax-margin-factor",
    "upper bound",
    "exact",
    source="gimpel-smith2010",
    where="this book; the objective is theirs",
    errata=("E23",),
    implements=(softmax_margin_factor, softmax_margin),
    formula=Formula("eq-softmax-margin-factor", softmax_margin_factor, numbers="balls"),
)


@best_factor.check("all labellings of random chains: at least ln(1 + e^L), and so at most the factor times it")
def more_than_the_loss(rng: np.random.Generator) -> Found:
    for losses, gaps, _, predicted in enumerated(rng, 60):
        loss = losses[predicted]
        if loss:
            value = soft(losses, gaps)
            yield at_least("softmax-margin ≥ ln(1 + e^L)", value, nearly((1 + ball(loss).exp()).log()))
            yield at_most("L ≤ factor · softmax-margin", nearly(loss), factor(max(losses)) * value)


@best_factor.check("L / ln(1 + e^L) grows: the numerator of its slope is positive from 0 to 12")
def factor_grows(rng: np.random.Generator) -> Found:
    proof = prove_nonnegative(lambda loss: (1 + (-loss).exp()).log() + loss / (1 + loss.exp()), [(0, 12)])
    yield proved("ln(1 + e^−L) + L / (1 + e^L) > 0", proof)
    for small, large in ((Fraction(1, 9), Fraction(1, 8)), (1, 2), (10, 11)):
        yield less_than("factor at a smaller Λ < at a larger one", factor(small), factor(large))


@best_factor.extremal("two tied labels: the loss is the factor times the softmax-margin, for every Λ")
def tie_of_two() -> Found:
    for most in (Fraction(1, 3), 1, 4, 20):
        product = factor(most) * soft([0, most], [0, 0])
        yield at_least("L ≥ (1 − 10⁻¹²) factor · softmax-margin", ball(most), nearly(product), at=f"Λ = {most}")
        yield at_most(
            "(1 − 10⁻¹²) L ≤ factor · softmax-margin", nearly(most), product, at=f"Λ = {most}", statement=True
        )


@best_factor.strengthened(
    "No smaller factor will do: if it were one thousandth smaller, the loss at a near tie of two labels "
    "would be {left}, and the bound would allow only {right}.",
    by=Fraction(999, 1000),
    story=True,
)
def smaller_factor(by: Fraction) -> Found:
    # The rival a little ahead leaves room for rounding.
    yield at_most("L ≤ factor · softmax-margin", ball(1), ball(by) * factor(1) * soft([0, 1], [0, Fraction(-1, 10**6)]))


@best_factor.control(
    "The factor does not serve the margin-rescaled maximum: at a tie of two labels the loss is {left}, "
    "but the factor times the maximum is only {right}."
)
def of_the_maximum() -> Found:
    yield at_most("L ≤ factor · maximum", ball(1), factor(1) * ball(margin_rescaled([0, 1], [0, 0])))
