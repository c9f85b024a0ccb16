"""The objective of exercise 9.3, which bounds no Hamming error."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import flint
import numpy as np
import sympy

from mcbook.boosting import FinitePool, exponential_bound
from mcbook.boosting_many_labels import (
    mean_margin_bound,
    mean_margin_objective,
    one_label_wrong,
    pair_objective,
    run_mean_margin,
    wrong_pairs,
)
from mcbook.boosting_many_labels.algorithm.mean_margin import MeanMarginRun
from mcbook.claims import Claim, Evidence, at_most, equal, less_than, proved
from mcbook.claims.boosting_many_labels.exact_runs import HAIR, balls, log_two, product
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball, quotient
from mcbook.foundation.proof.rigorous import prove_sign
from mcbook.foundation.types import Scalar
from mcbook.losses.theory.catalogue import exponential

Found = Iterator[Evidence]


# --- the mean margin -------------------------------------------------------------------------------------------------

mean_margin = Claim(
    "prp-mean-margin-objective",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Exercise 9.3",
    errata=("E8",),
    implements=(mean_margin_objective, mean_margin_bound, run_mean_margin),
    formula=(
        Formula("eq-mean-margin-objective", mean_margin_objective, numbers="balls"),
        Formula("eq-mean-margin-bound", mean_margin_bound, numbers="balls"),
    ),
    symbols=(
        Reading("y_i[l]", "sign", slots=("i", "l"), shape=("m", "k"), arguments={"signs": "y_i[l]"}),
        Reading("f(x_i,l)", "real", slots=("i", "l"), shape=("m", "k"), arguments={"scores": "f(x_i,l)"}),
        Reading("r_t", "probability", slots=("t",), shape=("T",), arguments={"edges": "r_t"}),
    ),
)


@mean_margin.check("scores that are whole multiples of ln 2: between the examples with a mean margin ≤ 0 and F/k")
def between_its_neighbours(rng: np.random.Generator) -> Found:
    for _ in range(60):
        m, k = (int(n) for n in rng.integers((1, 2), (5, 6)))
        scores, Y = rng.integers(-3, 4, (m, k)), rng.choice([-1, 1], (m, k))
        G = mean_margin_objective(log_two(scores), Y)
        yield at_most("G ≤ F/k", G - ball(HAIR), pair_objective(log_two(scores), Y) / k)
        yield at_most(
            "examples with a mean margin of at most 0 ≤ G", int(((scores * Y).sum(axis=1) <= 0).sum()), G + ball(HAIR)
        )


@mean_margin.check("convex: the second derivative along any line is a sum of squares times exponentials")
def no_line_bends_down(rng: np.random.Generator) -> Found:
    s = sympy.Symbol("s", real=True)
    f, h = (sympy.symbols(f"{letter}0:2", real=True) for letter in "fh")
    for signs in itertools.product((-1, 1), repeat=2):
        G = mean_margin_objective(np.array([[f[0] + s * h[0], f[1] + s * h[1]]], dtype=object), np.array([signs]))
        margin = sum(y * (a + s * b) for y, a, b in zip(signs, f, h, strict=True)) / 2
        bend = (sum(y * b for y, b in zip(signs, h, strict=True)) / 2) ** 2 * exponential(margin)
        yield proved("d²G/ds² ≥ 0", prove_sign(sympy.diff(G, s, 2), bend), at=f"signs {signs[0]}, {signs[1]}")


@mean_margin.check("runs in balls: edges and steps by their definition, and G/m within its bound after every round")
def runs_on_the_mean(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m, k = (int(n) for n in rng.integers(2, 5, 2))
        Y = rng.choice([-1, 1], (m, k))
        H = np.where(rng.random((8, m, k)) < 0.6, Y, -Y)
        run = run_mean_margin(FinitePool(H), Y, 5, weights=np.array([ball(1)] * m, dtype=object))
        scores, before = np.full((m, k), ball(0)), ball(1)
        for t, (step, j) in enumerate(zip(run.steps, run.hypotheses, strict=True)):
            D = np.array([(-margin / k).exp() for margin in (scores * Y).sum(axis=1)])
            edge = (D * (Y * H[j]).sum(axis=1)).sum() / (k * D.sum())
            yield at_most("|edge − mean of u| ≤ 10⁻¹⁰", abs(run.edges[t] - edge), HAIR)
            yield at_most("|2α − ln((1 + r)/(1 − r))| ≤ 10⁻¹⁰", abs(2 * step - ((1 + edge) / (1 - edge)).log()), HAIR)
            scores = scores + step * H[j].astype(object)
            G, Z = mean_margin_objective(scores, Y) / m, product(run.normalisers[: t + 1])
            yield at_most("|G/m − ∏ Z| ≤ 10⁻¹⁰", abs(G - Z), HAIR)
            yield less_than("G/m < G/m before", G, before)
            yield at_most("G/m ≤ ∏ √(1 − r²)", G, mean_margin_bound(run.edges[: t + 1]) + ball(HAIR))
            before = G
        if run.n_rounds:
            simpler = exponential_bound(run.edges / 2)
            yield at_most("∏ √(1 − r²) ≤ e^(−½ Σ r²)", mean_margin_bound(run.edges), simpler)


@mean_margin.extremal("equality in F/k where all margins of an example are the same")
def equal_margins() -> Found:
    for k in (2, 5):
        scores, Y = np.full((1, k), sympy.log(2)), np.ones((1, k), dtype=int)
        yield equal(
            "G = F/k",
            mean_margin_objective(scores, Y),
            quotient(pair_objective(scores, Y), k),
            at=f"k = {k}",
            statement=True,
        )


def all_or_none(kind: Callable[[int], Scalar]) -> MeanMarginRun:
    """One round on five examples of three labels, with a hypothesis that is wrong about one example alone."""
    Y = np.ones((5, 3), dtype=int)
    H = Y.copy()
    H[0] = -1
    return run_mean_margin(FinitePool(H[None]), Y, 1, weights=np.array([kind(1)] * 5, dtype=object))


@mean_margin.extremal("equality in √(1 − r²) where each hypothesis is right on all labels of an example or on none")
def right_on_all_or_none() -> Found:
    run = all_or_none(Fraction)
    yield equal("edge = 3/5", run.edges[0], Fraction(3, 5))
    # Two fifths of 2, and 1/2 of four fifths: e^alpha = 2.
    yield equal(
        "G/m = √(1 − r²)", Fraction(1, 5) * 2 + Fraction(4, 5) / 2, mean_margin_bound(run.edges), statement=True
    )
    run = all_or_none(ball)
    distance = abs(run.normalisers[0] - mean_margin_bound(run.edges))
    yield at_most("|G/m of the run − √(1 − r²)| ≤ 10⁻¹⁰", distance, HAIR)


@mean_margin.strengthened(
    r"One per cent less than $\sqrt{1-r^2}$ would be too little: with a hypothesis that is right about four of five "
    r"examples, $\frac Gm$ is {left} after one round, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_the_root(by: Fraction) -> Found:
    run = all_or_none(ball)
    yield at_most("G/m ≤ √(1 − r²)", run.normalisers[0], ball(by) * mean_margin_bound(run.edges) + ball(HAIR))


@mean_margin.control(
    r"The step needs its factor $\frac12$: with the whole logarithm and a hypothesis that is right about four of five "
    r"examples, $\frac Gm$ is {left} after one round, and $\sqrt{1-r^2}$ is {right}."
)
def whole_logarithm() -> Found:
    run = all_or_none(ball)
    scores = 2 * run.steps[0] * np.array([[-1] * 3] + [[1] * 3] * 4, dtype=object)
    G = mean_margin_objective(scores, np.ones((5, 3), dtype=int)) / 5
    yield at_most("G/m ≤ √(1 − r²)", G, mean_margin_bound([Fraction(3, 5)]))


@mean_margin.strengthened(
    r"One per cent less than $\frac Fk$ would be too little: where all margins of an example are equal, "
    "$G$ is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_the_mean(by: Fraction) -> Found:
    scores, Y = np.full((1, 3), sympy.log(2)), np.ones((1, 3), dtype=int)
    yield at_most("G ≤ F/k", mean_margin_objective(scores, Y), by * quotient(pair_objective(scores, Y), 3))


@mean_margin.control(
    "$G$ does not bound the share of wrong pairs: with two labels whose margins are $-3$ and $7$, the "
    "share {left} of the pairs is wrong, but $G$ is only {right}.",
    story=True,
)
def two_margins() -> Found:
    # The votes 5 and 2 of a hypothesis that is right on the second label alone, and of one that is right on both.
    scores, Y = 5 * np.array([[-1, 1]]) + 2 * np.array([[1, 1]]), np.array([[1, 1]])
    yield at_most("wrong pairs ≤ G", wrong_pairs(scores, Y), mean_margin_objective(balls(scores), Y))


@mean_margin.control(
    r"A whole run shows the same: after 120 rounds $\frac Gm$ is at most {right}, but {left} of all "
    "pairs are as wrong as they were at the start.",
    story=True,
)
def a_run_that_never_learns() -> Found:
    Y, H = one_label_wrong(4, 3)
    # Balls widen from round to round; with so many digits they stay narrow.
    with flint.ctx.workprec(400):
        run = run_mean_margin(FinitePool(H), Y, 120, weights=np.array([ball(1)] * 4, dtype=object))
        bound = mean_margin_bound(run.edges)
    yield at_most("wrong pairs ≤ G/m", wrong_pairs(run.votes, Y), bound)
