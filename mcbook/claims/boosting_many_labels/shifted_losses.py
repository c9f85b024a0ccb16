"""The losses of AdaBoost.MH and of AdaBoost.MR: the same up to a shift."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.boosting import FinitePool, normaliser, run_adaboost, squared_training_error_bound, squared_votes
from mcbook.boosting_many_labels import (
    best_shift,
    label_signs,
    least_shifted_loss,
    pair_loss,
    ranking_loss,
)
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, proved
from mcbook.claims.boosting_many_labels.exact_runs import HAIR, product
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.problem import score_margins

Found = Iterator[Evidence]


# --- the same loss up to a shift -------------------------------------------------------------------------------------

shifted = Claim(
    "prp-mh-and-mr-up-to-a-shift",
    "upper bound",
    "rigorous",
    source="schapire-singer1999",
    where="this book; both losses are theirs",
    implements=(least_shifted_loss, pair_loss, ranking_loss, best_shift),
    formula=Formula("eq-mh-least-shifted", least_shifted_loss, numbers="balls"),
    symbols=(
        Reading("f_l", "real", slots=("l",), shape=("k",), arguments={"f": "f_l"}),
        Reading("y", "label", arguments={"y": "y"}),
        Reading("v", "positive", arguments={"own": "v"}),
        Reading("w", "positive", arguments={"rival": "w"}),
    ),
)

V, W, C = sympy.symbols("v w c", positive=True)


def symbolic_scores(k: int) -> tuple[np.ndarray, sympy.Expr]:
    """Scores ln u_l for positive u, in which both losses are rational, and the sum of the rivals' u."""
    u = sympy.symbols(f"u0:{k}", positive=True)
    return np.array([sympy.log(each) for each in u], dtype=object), sum(u[1:]) / u[0]


@shifted.check("by algebra, k = 2, 3: with a shift the loss exceeds 2 √(v w MR) by a square that vanishes once")
def excess_is_a_square(rng: np.random.Generator) -> Found:
    for k in (2, 3):
        f, ratio = symbolic_scores(k)
        yield proved(f"MR, Σ u_l / u_y, k = {k}", prove_identity(sympy.simplify(ranking_loss(f, 0)), ratio))
        # The shift is ln c; the loss is A / c + B c.
        A, B = V * sympy.exp(-f[0]), W * sum(sympy.exp(s) for s in f[1:])
        loss = sympy.simplify(pair_loss(f + sympy.log(C), 0, V, W))
        yield proved(f"the loss, A/c + B c, k = {k}", prove_identity(loss, A / C + B * C))
        least = least_shifted_loss(f, 0, V, W)
        yield proved(
            f"the least value squared, 4 A B, k = {k}", prove_identity(sympy.expand(least**2), sympy.expand(4 * A * B))
        )
        at_best = sympy.exp(2 * best_shift(f, 0, V, W))
        yield proved(
            f"c² at the best shift, A/B, k = {k}", prove_identity(sympy.simplify(at_best), sympy.simplify(A / B))
        )
    a, b = sympy.symbols("a b", positive=True)
    square = (a / sympy.sqrt(C) - b * sympy.sqrt(C)) ** 2
    yield proved("a²/c + b² c − 2 a b ≥ 0", prove_sign(a**2 / C + b**2 * C - 2 * a * b, square))


@shifted.extremal(
    "equality at the best shift: k = 3, with v = 2, w = 1, where both halves of the loss are 4", attained=True
)
def at_the_best_shift() -> Found:
    # e^(-f_y) = 2, the rivals' e^f are 1 and 3: both halves are 4.
    f = np.array([-sympy.log(2), sympy.Integer(0), sympy.log(3)], dtype=object)
    yield equal(
        "the loss, 2 √(v w MR)", int(pair_loss(f, 0, 2, 1)), int(sympy.simplify(least_shifted_loss(f, 0, 2, 1)))
    )


@shifted.extremal("runs of AdaBoost.MH in fractions: mistakes, the mean of min(1, √MR), k/2 ∏ Z")
def roots_within_the_bound() -> Found:
    rng = np.random.default_rng(0)
    for _ in range(40):
        m, k = (int(n) for n in rng.integers(2, 6, 2))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((12, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        weights = np.full((m, k), Fraction(1), dtype=object)
        run = run_adaboost(FinitePool(H), label_signs(y, k), 4, weights=weights, keep_history=True)
        if not run.n_rounds or run.ending == "perfect":
            continue
        f = np.frompyfunc(lambda square: ball(square).log() / 2, 1, 1)(
            squared_votes(list(run.odds), np.asarray(run.history))
        )
        roots = [min(ball(1), ranking_loss(row, label).sqrt(), key=float) for row, label in zip(f, y, strict=True)]
        mean = sum(roots[1:], roots[0]) / m
        mistakes = int((score_margins(squared_votes(list(run.odds), np.asarray(run.history)), y) <= 0).sum())
        yield at_most("mistakes, the mean root", Fraction(mistakes, m), mean + ball(HAIR))
        allowed = k * product(normaliser(ball(error)) for error in run.errors) / 2
        yield at_most("the mean root, k/2 ∏ Z", mean, allowed + ball(HAIR))
        assert squared_training_error_bound(list(run.errors)) <= 1


@shifted.strengthened("2 √(v w MR)", by=Fraction(101, 100))
def a_hundredth_more(by: Fraction) -> Found:
    f = np.array([-sympy.log(2), sympy.Integer(0), sympy.log(3)], dtype=object)
    least = int(sympy.simplify(least_shifted_loss(f, 0, 2, 1)))
    yield at_least("the loss, 2 √(v w MR)", int(pair_loss(f, 0, 2, 1)), by * least)


@shifted.control(
    "without the shift: the loss is at most 100 times the root of MR",
    told="Without the shift no factor will do: with the scores $f=(\\ln500,\\ln500)$ and weights 1 the loss is above "
    "{left}, and $100\\sqrt{\\mathrm{MR}}$ is {right}.",
)
def no_shift() -> Found:
    f = np.array([sympy.log(500), sympy.log(500)], dtype=object)
    paid = Fraction(str(pair_loss(f, 0)))
    yield at_most("the loss, 100 √MR", int(paid), 100 * int(sympy.sqrt(ranking_loss(f, 0))))
