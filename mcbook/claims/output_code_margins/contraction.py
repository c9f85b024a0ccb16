"""The margin bound with one logarithm, by contraction for vectors."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, at_most, equal
from mcbook.claims.output_code_margins.coverage import (
    HALF,
    THETA,
    a_fair_coin_for_labels,
    falls_on_memorisers,
    memorisers_are_what_they_are_said_to_be,
)
from mcbook.claims.output_code_margins.samples import Found, random_fractions, random_sign_code
from mcbook.claims.rademacher.generalisation import LOG_DELTA, THROWS, log_fair_tail
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import Array, Ball, Scalar
from mcbook.output_code_margins import (
    contraction_margin_excess,
    decoding_margins,
    fixed_eta_margin_excess,
    grid_size,
)
from mcbook.rademacher import confidence_term, contraction_bound, generalisation_bound, sauer_power_bound

sharper = Claim(
    "thm-code-margin-contraction-bound",
    "upper bound",
    "certified",
    source=("maurer2016", "allwein2000"),
    where=(
        "this book; the contraction for vectors is Maurer's, the theorem that it sharpens is Theorem 3 of "
        "Allwein et al."
    ),
    errata=("E43",),
    implements=(contraction_margin_excess, fixed_eta_margin_excess),
    formula=(
        Formula("eq-code-margin-contraction", contraction_margin_excess, where=r"\ell m\ge d", numbers="balls"),
        Formula("eq-code-margin-fixed-eta", fixed_eta_margin_excess, where=r"\ell m\ge d", numbers="balls"),
    ),
)
# A class of dimension 1 on the examples of the coin, and theta divided for the grid at its hundredth.
COIN: dict[str, Any] = {"dimension": 1, "theta": THETA}
SHARE = Fraction(1, 100)


@sharper.check("labels by 10⁹ throws of a fair coin, δ = exp(−200001): an excess below the risk, which may fail")
def the_bound_may_fail(rng: np.random.Generator) -> Found:
    for n_columns in (2, 7):
        yield from a_fair_coin_for_labels(coin_excess(n_columns), n_columns, Fraction(1))
    yield from a_fair_coin_for_labels(fixed_coin_excess, 1, Fraction(1))


def coin_excess(n_columns: int) -> Callable[[Ball], Ball]:
    """The excess for all eta on the coin's examples, as a function of delta."""
    return lambda delta: contraction_margin_excess(THROWS, n_columns, delta=delta, share=SHARE, **COIN)


def fixed_coin_excess(delta: Ball) -> Ball:
    """The excess for one eta and one column."""
    return fixed_eta_margin_excess(THROWS, 1, delta=delta, **COIN)


@sharper.check("the excess is what the steps of the proof add up to, for 200 settings; for one η c is 0 and the grid 1")
def sum_of_the_steps(rng: np.random.Generator) -> Found:
    for _ in range(200):
        n_columns, d = int(rng.integers(2, 80)), int(rng.integers(1, 40))
        m = -(-d // n_columns) * int(10 ** rng.uniform(0, 7))
        theta, delta = Fraction(int(rng.integers(1, 101)), 100), Fraction(1, int(rng.integers(2, 10**6)))
        share = Fraction(int(rng.integers(1, 100)), 100)
        margins = loss_complexity(m, n_columns, d, (1 - share) * theta)
        members = grid_size(share * theta, n_columns)
        yield equal(
            "excess ≈ 2 R(φ∘𝓜) + confidence with δ/I",
            contraction_margin_excess(m, n_columns, d, theta, delta, share),
            generalisation_bound(ball(0), margins, ball(delta / members), m),
            within=1e-9,
            at=f"ℓ = {n_columns}, d = {d}, m = {m}",
        )
        yield equal(
            "excess for one η ≈ 2 R(φ∘𝓜) + confidence with δ",
            fixed_eta_margin_excess(m, n_columns, d, theta, delta),
            generalisation_bound(ball(0), loss_complexity(m, n_columns, d, theta), ball(delta), m),
            within=1e-9,
            at=f"ℓ = {n_columns}, d = {d}, m = {m}",
        )


def loss_complexity(m: int, n_columns: int, dimension: int, width: Fraction) -> Ball:
    """√2 / width times the complexity of (e ℓ m / d)^d patterns of length √(ℓ m), by the lemma on finite classes."""
    log_patterns = sauer_power_bound(ball(n_columns * m), ball(dimension), ball(1).exp()).log()
    return contraction_bound((2 * n_columns * m * log_patterns).sqrt() / m, ball(2).sqrt() / ball(width))


def mean_of_suprema(table: Array) -> Fraction:
    """E sup over the rows of sum_i sigma_i table[f, i], by all signs."""
    total = [max((table @ np.array(signs, dtype=object)).tolist()) for signs in sign_vectors(table.shape[1])]
    return Fraction(sum(total)) / len(total)


@sharper.check("contraction for vectors: all signs, random classes of up to 6 vectors at up to 3 points, four maps")
def contraction_for_vectors(rng: np.random.Generator) -> Found:
    maps: dict[str, Callable[[Array], Scalar]] = {
        "largest entry": max,
        "smallest entry": min,
        "first entry": lambda v: v[0],
        "largest size": lambda v: max(abs(u) for u in v),
    }
    for _ in range(12):
        m, K = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        F = random_fractions(rng, (int(rng.integers(2, 7)), m, K))
        right = mean_of_suprema(F.reshape(len(F), -1))
        for name, psi in maps.items():
            left = mean_of_suprema(np.array([[psi(point.tolist()) for point in f] for f in F], dtype=object))
            yield at_most("E sup Σ σ ψ(f) ≤ √2 E sup Σ ε f", left, ball(2).sqrt() * ball(right), at=name)


@sharper.check("the margin moves by no more than the Euclidean distance of the answers; codes with zeros too")
def margin_is_lipschitz(rng: np.random.Generator) -> Found:
    for _ in range(60):
        M = random_sign_code(rng)
        M = M * rng.integers(0, 2, M.shape) if rng.random() < 0.5 else M
        f, g = (random_fractions(rng, (1, M.shape[1])) for _ in range(2))
        y, eta = rng.integers(0, len(M), 1), Fraction(int(rng.integers(1, 200)), 10)
        apart = abs(decoding_margins(f, M, y, eta)[0] - decoding_margins(g, M, y, eta)[0])
        yield at_most("|𝓜(f) − 𝓜(g)| ≤ ‖f − g‖", apart, ball(((f - g) ** 2).sum()).sqrt() + ball(Fraction(1, 10**12)))


@sharper.extremal(
    "contraction: two vectors at one point, equality; the bound itself: a quarter on memorisers. The signs, the "
    "contraction and the patterns cost 2, √2 and √2; each is attained by itself, and whether together is open"
)
def two_vectors_at_one_point() -> Found:
    yield from root_of_two(Fraction(1))
    yield from memorisers_are_what_they_are_said_to_be(n_columns=1)
    yield falls_on_memorisers(memoriser_excess(10**6), "excess")


def root_of_two(factor: Fraction) -> Found:
    """The contraction that the excess has in it, for the length as the map, √2 at (1, 1) and 0 at (0, 0)."""
    m, d = 10**6, 10
    excess = fixed_eta_margin_excess(m, 1, d, 1, HALF) - confidence_term(ball(HALF), m)
    constant = ball(factor) * excess / (2 * loss_complexity(m, 1, d, Fraction(1)) / ball(2).sqrt())
    right = constant * ball(mean_of_suprema(np.array([[1, 1], [0, 0]], dtype=object)))
    yield at_most("E sup σ ‖f‖ ≤ √2 E sup Σ ε f", ball(2).sqrt() / 2, right + ball(Fraction(1, 10**12)))


def memoriser_excess(m: int) -> Ball:
    """The excess for functions that may be right on m inputs, one column and one eta: a class of dimension m."""
    return fixed_eta_margin_excess(m, n_columns=1, dimension=m, theta=THETA, delta=Fraction(1, 20))


@sharper.trace("a class of four functions on three examples, two columns, η̂ = 3, θ = 1, c = 1/5")
def proof_of_the_excess() -> Found:
    M, y, eta, theta, share = (
        np.array([[1, 1], [-1, -1]]),
        np.array([0, 1, 0]),
        Fraction(3),
        Fraction(1),
        Fraction(1, 5),
    )
    pool = np.array(
        [[[a, b], [b, a], [a, a]] for a, b in itertools.product((Fraction(-1), Fraction(1)), repeat=2)], dtype=object
    )
    hull = [*pool, pool[0] / 2 + pool[1] / 2, pool[1] / 3 + 2 * pool[2] / 3]
    low, high = share * theta / 2, theta - share * theta / 2

    def loss(margin: Ball) -> int | Ball:
        """1 up to c theta / 2, 0 from theta - c theta / 2, linear between."""
        if margin <= ball(low) or margin > ball(high):
            return int(margin <= ball(low))
        return (ball(high) - margin) / ball(high - low)

    margins = [decoding_margins(f, M, y, eta) for f in hull]
    table = np.array([[loss(margin) for margin in row] for row in margins], dtype=object)
    for row, of_margin in zip(table, margins, strict=True):
        for value, margin in zip(row, of_margin, strict=True):
            wrong = 1 if margin <= ball(low) else 0
            right = 0 if margin > ball(high) else 1
            yield at_most("⟦margin ≤ cθ/2⟧ ≤ φ(margin)", wrong, value)
            yield at_most("φ(margin) ≤ ⟦margin ≤ θ − cθ/2⟧", value, right)
    yield equal("slope of φ = 1/((1 − c)θ)", 1 / (high - low), 1 / ((1 - share) * theta))
    sums = [(table * np.array(signs)).sum(axis=1) for signs in sign_vectors(3)]
    left = sum((max_of(row.tolist()) for row in sums), start=ball(0)) / 8
    of_answers = mean_of_suprema(np.array([f.ravel() for f in hull], dtype=object))
    yield at_most(
        "E sup Σ σ φ(margin) ≤ √2/((1 − c)θ) E sup Σ ε f", left, ball(2).sqrt() * ball(of_answers / (high - low))
    )
    vertices = mean_of_suprema(pool.reshape(len(pool), -1))
    yield equal("supremum over the hull = supremum over the pool", of_answers, vertices)
    yield at_most("E sup Σ ε h ≤ √(2 mℓ ln of 4 patterns)", vertices, (2 * 6 * ball(4).log()).sqrt())
    yield at_most("patterns ≤ (eℓm/d)^d", 4, (ball(1).exp() * 6 / 2) ** 2)
    yield equal("members of the grid = ⌈ln ℓ/(2c²θ²)⌉", grid_size(share * theta, 2), 9)


def max_of(values: list[Ball]) -> Ball:
    largest = ball(0) + values[0]
    for value in values[1:]:
        largest = largest.max(ball(0) + value)
    return largest


@sharper.strengthened(
    "Less than a quarter of 4 is too little: a class that memorises $10^6$ examples has risk {left} and no small "
    "margin on the sample, and with 0.99 in place of 4 {right} would be allowed.",
    by=Fraction(99, 400),
    story=True,
)
def below_a_quarter_of_four(factor: Fraction) -> Found:
    yield falls_on_memorisers(ball(factor) * memoriser_excess(10**6), "excess")


@sharper.strengthened(
    "With $1.4$ in place of $\\sqrt2$ the contraction for vectors is false: for the length on $(0,0)$ and $(1,1)$ "
    "the left side is {left}, and {right} would be allowed.",
    by=Fraction(98_995, 100_000),
)
def a_root_below_that_of_two(factor: Fraction) -> Found:
    yield from root_of_two(factor)


@sharper.strengthened(
    "A tenth less is too little: if $10^9$ throws of a fair coin give the labels and $\\delta=e^{-200001}$, the bound "
    "for one $\\eta$ fails with a probability whose logarithm is {left}, more than {right}.",
    by=Fraction(9, 10),
)
def a_tenth_less(factor: Fraction) -> Found:
    allowed = ball(factor) * fixed_coin_excess(ball(LOG_DELTA).exp())
    yield at_most("ln of the failure probability ≤ ln δ", log_fair_tail(allowed, THROWS)[0], LOG_DELTA)
