"""The bound on the risk that may be used after training: for weights of any length at once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, less_than, proved
from mcbook.claims.binary_svm.samples import Found
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Number
from mcbook.losses import hinge
from mcbook.rademacher.algorithm.distributions import bound_failure_probability
from mcbook.svm import any_norm_margin_bound, norm_octave

any_length = Claim(
    "cor-svm-bound-after-training",
    "upper bound",
    "exact",
    source="mohri2018",
    where="this book; (9.12) there has one Λ",
    implements=(any_norm_margin_bound, norm_octave),
    formula=Formula("eq-svm-bound-octaves", any_norm_margin_bound, numbers="balls"),
    symbols=(Reading("j", "count", arguments={"octave": "j"}),),
)


def bound(mean_slack: Number, octave: int, n_classes: int, delta: Fraction, m: int) -> Number:
    """The bound as a ball."""
    return any_norm_margin_bound(ball(mean_slack), octave, n_classes, ball(delta), m)


@any_length.check(
    "opposite rows of two lengths, j = 1 and 2, every sample of 1296: both promises together, which do fail"
)
def failures_for_two_lengths(rng: np.random.Generator) -> Found:
    m, wrong, delta = 1296, Fraction(19, 20), Fraction(1, 2)
    failures = []
    for length in (Fraction(1, 2), Fraction(2)):
        # The rows (length) and (-length) on the input 1, for which both labels occur: |W|^2 = 2 length^2.
        j, losses = norm_octave(1, 2 * length**2), hinge(np.array([[2 * length, -2 * length]], dtype=object))

        def limit(slack: Number, j: int = j) -> Number:
            return bound(slack, j, 2, delta, m)

        yield less_than(f"j = {j}: bound without slack, risk", limit(0), wrong)
        failures.append(bound_failure_probability(losses, [1 - wrong, wrong], m, limit, [wrong]))
        yield less_than(f"0, failure for j = {j}", 0, failures[-1])
    yield at_most("failure for one j or the other, δ", sum(failures), delta)


@any_length.check("the parts δ/(j(j+1)) sum to δ, by algebra")
def parts_of_delta(rng: np.random.Generator) -> Found:
    import sympy

    j = sympy.Symbol("j", positive=True)
    yield proved("1/(j(j+1)) = 1/j − 1/(j+1)", prove_identity(1 / (j * (j + 1)), 1 / j - 1 / (j + 1)))
    for n in (1, 10, 1000):
        parts = sum((Fraction(1, i * (i + 1)) for i in range(1, n + 1)), Fraction(0))
        yield equal(f"the first {n} parts of 1, with 1/(n + 1)", parts + Fraction(1, n + 1), 1)


@any_length.check("2^j is at least r |W|, and more than max(2, 2 r |W|) never, on random fractions")
def octaves_of_norms(rng: np.random.Generator) -> Found:
    for _ in range(60):
        squared_radius, squared_norm = (Fraction(int(n), int(d)) for n, d in rng.integers(1, 400, (2, 2)))
        j = norm_octave(squared_radius, squared_norm)
        yield at_least("4^j, r² ‖W‖²", 4**j, squared_radius * squared_norm)
        yield at_most("4^j, max(4, 4 r² ‖W‖²)", 4**j, max(Fraction(4), 4 * squared_radius * squared_norm))


@any_length.extremal("W = 0, for which every example is a tie and pays 1: the bound falls to the risk, 1, as m grows")
def no_weights() -> Found:
    for m in (10**6, 10**12):
        value = bound(1, norm_octave(1, 0), 2, Fraction(1, 20), m)
        yield at_most(f"risk, bound; m = {m}", 1, value)
        yield at_most("bound, 1 + 20/√m", value, 1 + Fraction(20, round(m**0.5)))


@any_length.strengthened("the mean slack, for W = 0", by=Fraction(99, 100))
def less_than_the_mean_slack(factor: Fraction) -> Found:
    yield at_most("risk, bound", 1, bound(factor, norm_octave(1, 0), 2, Fraction(1, 20), 10**8))


@any_length.strengthened("4k, for a sample of two classes learnt by heart: a sixth is not enough", by=Fraction(1, 6))
def a_sixth_of_4k(factor: Fraction) -> Found:
    # Orthonormal inputs, rows ± half the sum of all: every lead is 1, and |W|^2 = m / 2 = 4^9.
    m, n_atoms = 2 * 4**9, 10**12
    j = norm_octave(1, Fraction(m, 2))
    middle = 8 * 2**j / ball(m).sqrt()
    yield at_most(
        "1 − m/N, bound", 1 - Fraction(m, n_atoms), bound(0, j, 2, Fraction(1, 20), m) - ball(1 - factor) * middle
    )


@any_length.control("j from ‖W‖ alone, for inputs of length 8: a sample of two classes learnt by heart")
def the_length_of_inputs_left_out() -> Found:
    m, n_atoms = 2 * 4**9, 10**12
    j = norm_octave(1, Fraction(m, 2 * 64))
    yield at_most("1 − m/N, bound", 1 - Fraction(m, n_atoms), bound(0, j, 2, Fraction(1, 20), m))
