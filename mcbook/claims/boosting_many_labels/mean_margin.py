"""The objective of exercise 9.3, which bounds no Hamming error."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import flint
import numpy as np
import sympy

from mcbook.boosting import FinitePool
from mcbook.boosting_many_labels import (
    mean_margin_bound,
    mean_margin_objective,
    one_label_wrong,
    pair_objective,
    run_mean_margin,
    wrong_pairs,
)
from mcbook.claims import Claim, Evidence, at_most, equal
from mcbook.claims.boosting_many_labels.exact_runs import HAIR, balls, log_two, product
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball, quotient

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
        yield at_most("G, F/k", G - ball(HAIR), pair_objective(log_two(scores), Y) / k)
        yield at_most("examples with a mean margin ≤ 0, G", int(((scores * Y).sum(axis=1) <= 0).sum()), G + ball(HAIR))


@mean_margin.check("runs in balls: G/m is the product of the normalisers, and within its bound")
def runs_on_the_mean(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m, k = (int(n) for n in rng.integers(2, 5, 2))
        Y = rng.choice([-1, 1], (m, k))
        H = np.where(rng.random((8, m, k)) < 0.6, Y, -Y)
        run = run_mean_margin(FinitePool(H), Y, 5, weights=np.array([ball(1)] * m, dtype=object))
        if run.n_rounds:
            scores = sum(step * H[j].astype(object) for step, j in zip(run.steps, run.hypotheses, strict=True))
            G, Z = mean_margin_objective(scores, Y) / m, product(run.normalisers)
            yield at_most("|G/m − ∏ Z|, 10⁻⁹", abs(G - Z), Fraction(1, 10**9))
            yield at_most("G/m, ∏ √(1 − r²)", G, mean_margin_bound(run.edges) + ball(HAIR))


@mean_margin.extremal("equality in F/k where all margins of an example are the same", attained=True)
def equal_margins() -> Found:
    for k in (2, 5):
        scores, Y = np.full((1, k), sympy.log(2)), np.ones((1, k), dtype=int)
        yield equal(f"G, F/k, k = {k}", mean_margin_objective(scores, Y), quotient(pair_objective(scores, Y), k))


@mean_margin.extremal(
    "equality in √(1 − r²) where each hypothesis is right on all labels of an example or on none", attained=True
)
def all_or_none() -> Found:
    Y = np.ones((5, 3), dtype=int)
    H = Y.copy()
    H[0] = -1
    run = run_mean_margin(FinitePool(H[None]), Y, 1, weights=np.array([Fraction(1)] * 5, dtype=object))
    yield equal("edge", run.edges[0], Fraction(3, 5))
    # Two fifths of 2, and 1/2 of four fifths: e^alpha = 2.
    yield equal("G/m, √(1 − r²)", Fraction(1, 5) * 2 + Fraction(4, 5) / 2, mean_margin_bound(run.edges))


@mean_margin.strengthened("F/k", by=Fraction(99, 100))
def less_than_the_mean(by: Fraction) -> Found:
    scores, Y = np.full((1, 3), sympy.log(2)), np.ones((1, 3), dtype=int)
    yield at_most("G, F/k", mean_margin_objective(scores, Y), by * quotient(pair_objective(scores, Y), 3))


@mean_margin.control(
    "G/m bounds the share of wrong pairs, as the exercise has it",
    told="Two labels with the margins $-3$ and $7$: the share {left} of the pairs is wrong, and $G$ is {right}.",
)
def two_margins() -> Found:
    # The votes 5 and 2 of a hypothesis that is right on the second label alone, and of one that is right on both.
    scores, Y = 5 * np.array([[-1, 1]]) + 2 * np.array([[1, 1]]), np.array([[1, 1]])
    yield at_most("wrong pairs, G", wrong_pairs(scores, Y), mean_margin_objective(balls(scores), Y))


@mean_margin.control(
    "driving G to 0 drives the Hamming error down",
    told="And a run does the same: after 120 rounds $\\frac Gm$ is at most {right}, and {left} of all pairs are as "
    "wrong as they were.",
)
def a_run_that_never_learns() -> Found:
    Y, H = one_label_wrong(4, 3)
    # Balls widen from round to round; with so many digits they stay narrow.
    with flint.ctx.workprec(400):
        run = run_mean_margin(FinitePool(H), Y, 120, weights=np.array([ball(1)] * 4, dtype=object))
        bound = mean_margin_bound(run.edges)
    yield at_most("wrong pairs, G/m", wrong_pairs(run.votes, Y), bound)
