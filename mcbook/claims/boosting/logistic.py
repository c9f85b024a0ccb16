"""AdaBoost beside logistic regression: the minimiser of the exponential loss is half the log-odds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import (
    expected_exponential_loss,
    half_log_odds,
)
from mcbook.boosting.theory import least_exponential_loss
from mcbook.claims import Claim, Evidence, at_most, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_sign

Found = Iterator[Evidence]

HALF = Fraction(1, 2)


# --- additive logistic regression ------------------------------------------------------------------------------------

logistic = Claim(
    "prp-boosting-as-logistic-regression",
    "identity",
    "exact",
    source=("roth-cis519", "friedman2000"),
    where="perspectives on boosting; §2",
    implements=(half_log_odds, expected_exponential_loss, least_exponential_loss),
    formula=(
        Formula("eq-half-log-odds", half_log_odds, numbers="balls"),
        Formula("eq-exponential-risk", expected_exponential_loss, numbers="balls"),
    ),
    no_extremal="an equality at one place: the excess is a square",
    no_trace="the proof is the identity that is proved",
    symbols=(
        Reading("p", "probability", arguments={"probability": "p"}),
        Reading("f", "real", arguments={"score": "f"}),
    ),
)


@logistic.check("for all p and f: the excess over 2√(p(1 − p)) is a square that vanishes at half the log-odds alone")
def excess_at_every_score(rng: np.random.Generator) -> Found:
    import sympy

    a, b, g = sympy.symbols("a b g", positive=True)
    # a = √p, b = √(1 − p), g = e^f.
    excess = a**2 / g + b**2 * g - 2 * a * b
    yield proved("p e^(−f) + (1 − p) e^f − 2√(p(1 − p)) ≥ 0", prove_sign(excess, (a - b * g) ** 2 / g))
    for _ in range(20):
        p = ball(Fraction(int(rng.integers(1, 100)), 100))
        best = half_log_odds(p)
        # A trillionth for the rounding of logarithm and exponential.
        yield at_most(
            "loss at the best score ≤ 2√(p(1 − p))",
            expected_exponential_loss(p, best),
            least_exponential_loss(p) * ball(1 + Fraction(1, 10**12)),
        )
        other = best + ball(Fraction(int(rng.integers(1, 20)), 10)) * int(rng.choice([-1, 1]))
        yield less_than("least loss < at another score", least_exponential_loss(p), expected_exponential_loss(p, other))


@logistic.check("leaf by leaf: votes of half the log-odds on the leaves of random partitions, against other votes")
def leaves(rng: np.random.Generator) -> Found:
    for _ in range(20):
        counts = [(int(up), int(down)) for up, down in rng.integers(1, 9, (int(rng.integers(2, 5)), 2))]
        shares = [Fraction(up, up + down) for up, down in counts]
        best = [half_log_odds(ball(p)) for p in shares]
        other = [score + ball(Fraction(int(rng.integers(1, 9)), 10)) * int(rng.choice([-1, 1])) for score in best]
        sizes = [up + down for up, down in counts]
        losses = [
            sum(expected_exponential_loss(ball(p), f) * n for p, f, n in zip(shares, scores, sizes, strict=True))
            for scores in (best, other)
        ]
        yield less_than("loss on all leaves < with other votes", *losses)
        yield at_most(
            "2 Σ √(up · down) ≤ with other votes", sum(2 * (ball(up) * down).sqrt() for up, down in counts), losses[1]
        )


@logistic.control(
    "The log-odds have to be halved: for p = 4/5 the whole log-odds have the expected loss {left}, more "
    "than the least one, {right}."
)
def whole_log_odds() -> Found:
    p = ball(Fraction(4, 5))
    yield at_most(
        "loss at ln(p/(1 − p)) ≤ least loss",
        expected_exponential_loss(p, 2 * half_log_odds(p)),
        least_exponential_loss(p),
    )
