"""What the multi-class SVM minimises of a bound on its risk, and the bound that may be used after training."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import binary_primal, soft_margin_path, solve_binary_primal
from mcbook.claims import Claim, at_least, at_most, equal, less_than, proved
from mcbook.claims.binary_svm.samples import Found, agree, squared, trade_offs
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.svm.multiclass import crowd
from mcbook.claims.svm.samples import samples
from mcbook.foundation.numbers import as_given, ball
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Number
from mcbook.losses import hinge, ramp
from mcbook.rademacher.algorithm.distributions import bound_failure_probability
from mcbook.svm import (
    any_norm_margin_bound,
    hinge_against_ramp,
    least_on_line,
    norm_octave,
    slacks,
    solve_least_slack,
)

minimised_bound = Claim(
    "prp-svm-and-its-bound",
    "equivalence",
    "certified",
    source=("mohri2018", "lecture13"),
    where="§9.3.1; §1.1",
    errata=("E2",),
    implements=(solve_least_slack, least_on_line),
    no_formula="the solution of an optimisation problem, and one example",
)


@minimised_bound.check("no W as short as the optimum has a smaller sum of slacks")
def least_slack_among_short_weights(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        # Small, so that some example pays: with none paying, the only W allowed is W_C, and no solver likes that.
        C = float(trade_offs(rng)) / 20
        W = as_given(solve_multiclass_svm(X, y, k, C).point)
        least = solve_least_slack(X, y, k, float(squared(W)) ** 0.5)
        yield equal("Σξ at W_C ≈ least Σξ", slacks(W, X, y).sum(), least.value, within=1e-4, at="|W| ≤ |W_C|")


@minimised_bound.check("on x = (1, 1, 1, −4), C = ½: hinge −¼, ramp 1, in rationals")
def hinge_and_ramp_on_the_line(rng: np.random.Generator) -> Found:
    x, C = hinge_against_ramp(), Fraction(1, 2)
    yield equal("choice of the hinge = −1/4", least_on_line(x, C)[0], Fraction(-1, 4))
    yield equal("choice of the ramp = 1", least_on_line(x, C, ramp())[0], 1)
    yield agree(
        "optimum for the hinge ≈ least on the line",
        solve_binary_primal(x[:, None], np.ones(4), 0.5),
        least_on_line(x, C)[1],
    )
    for _ in range(30):
        z, C = rng.integers(-5, 6, 5).astype(object), Fraction(int(rng.integers(1, 40)), 200)
        ones = np.ones(5, dtype=int)
        w = soft_margin_path(z[:, None], ones).w(C)
        yield equal("least on the line = exact path", least_on_line(z, C)[1], binary_primal(w, z[:, None], ones, C))


@minimised_bound.control(
    r"The hinge does not choose as the ramp does: at its choice $w=-\frac14$ the ramp objective is {left},"
    " above the minimum {right}."
)
def one_choice_for_both_losses() -> Found:
    x, C = hinge_against_ramp(), Fraction(1, 2)
    w = least_on_line(x, C)[0]
    yield at_most("ramp objective ≤ its minimum", w * w / 2 + C * ramp()(w * x).sum(), least_on_line(x, C, ramp())[1])


@minimised_bound.strengthened(
    r"A longer $W$ can do better: if $\lVert W\rVert$ may exceed $\lVert W_C\rVert$ by one per cent, the "
    "least sum of slacks falls from {left} to {right}.",
    by=1.01,
)
def longer_weights_have_no_less_slack(factor: float) -> Found:
    X, y, k = crowd()
    W = as_given(solve_multiclass_svm(X, y, k, 0.1).point)
    least = solve_least_slack(X, y, k, factor * float(squared(W)) ** 0.5)
    yield equal("Σξ at W_C ≈ least Σξ within the length", slacks(W, X, y).sum(), least.value, within=1e-4)


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

        yield less_than("bound without slack < risk", limit(0), wrong, at=f"j = {j}")
        failures.append(bound_failure_probability(losses, [1 - wrong, wrong], m, limit, [wrong]))
        yield less_than("0 < failure", 0, failures[-1], at=f"j = {j}")
    yield at_most("failure for one j or the other ≤ δ", sum(failures), delta)


@any_length.check("the parts δ/(j(j+1)) sum to δ, by algebra")
def parts_of_delta(rng: np.random.Generator) -> Found:
    import sympy

    j = sympy.Symbol("j", positive=True)
    yield proved("1/(j(j+1)) = 1/j − 1/(j+1)", prove_identity(1 / (j * (j + 1)), 1 / j - 1 / (j + 1)))
    for n in (1, 10, 1000):
        parts = sum((Fraction(1, i * (i + 1)) for i in range(1, n + 1)), Fraction(0))
        yield equal("first n parts + 1/(n + 1) = 1", parts + Fraction(1, n + 1), 1, at=f"n = {n}")


@any_length.check("2^j is at least r |W|, and more than max(2, 2 r |W|) never, on random fractions")
def octaves_of_norms(rng: np.random.Generator) -> Found:
    for _ in range(60):
        squared_radius, squared_norm = (Fraction(int(n), int(d)) for n, d in rng.integers(1, 400, (2, 2)))
        j = norm_octave(squared_radius, squared_norm)
        yield at_least("4^j ≥ r² ‖W‖²", 4**j, squared_radius * squared_norm)
        yield at_most("4^j ≤ max(4, 4 r² ‖W‖²)", 4**j, max(Fraction(4), 4 * squared_radius * squared_norm))


@any_length.extremal("W = 0, for which every example is a tie and pays 1: the bound falls to the risk, 1, as m grows")
def no_weights() -> Found:
    for m in (10**6, 10**12):
        value = bound(1, norm_octave(1, 0), 2, Fraction(1, 20), m)
        yield at_most("risk ≤ bound", 1, value, at=f"m = {m}", statement=True)
        yield at_most("bound ≤ 1 + 20/√m", value, 1 + Fraction(20, round(m**0.5)), at=f"m = {m}")


@any_length.extremal(
    "for each j the bound is that for one Λ with rΛ = 2^j and the part δ/(j(j+1)), for 2 to 12 classes"
)
def one_length_at_a_time() -> Found:
    delta = Fraction(1, 20)
    for j, k, m in itertools.product((1, 2, 9), (2, 3, 12), (100, 2 * 4**9)):
        part = ball(delta / (j * (j + 1)))
        confidence = (-part.log() / (2 * m)).sqrt()
        middle = 4 * k * 2**j / ball(m).sqrt()
        yield equal(
            "bound ≈ ½ + 4k 2^j/√m + confidence with δ/(j(j+1))",
            bound(Fraction(1, 2), j, k, delta, m),
            middle + confidence + ball(Fraction(1, 2)),
            within=1e-9,
            at=f"j = {j}, k = {k}",
        )


@any_length.strengthened(
    "One per cent less than the mean slack is too little: for $W=0$ every example is a tie, so the risk "
    "is {left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def less_than_the_mean_slack(factor: Fraction) -> Found:
    yield at_most("risk ≤ bound", 1, bound(factor, norm_octave(1, 0), 2, Fraction(1, 20), 10**8))


@any_length.strengthened(
    "A sixth of $4k$ is too little: a sample of two classes learnt by heart leaves a risk of nearly 1 "
    "without any slack, and the bound would be {right}.",
    by=Fraction(1, 6),
)
def a_sixth_of_4k(factor: Fraction) -> Found:
    # Orthonormal inputs, rows ± half the sum of all: every lead is 1, and |W|^2 = m / 2 = 4^9.
    m, n_atoms = 2 * 4**9, 10**12
    j = norm_octave(1, Fraction(m, 2))
    middle = 8 * 2**j / ball(m).sqrt()
    yield at_most(
        "risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), bound(0, j, 2, Fraction(1, 20), m) - ball(1 - factor) * middle
    )


@any_length.control(
    r"The number $j$ has to come from $r\lVert W\rVert$: with $\lVert W\rVert$ alone and inputs of length "
    "8, a sample learnt by heart leaves a risk of nearly 1, and the bound would be {right}."
)
def the_length_of_inputs_left_out() -> Found:
    m, n_atoms = 2 * 4**9, 10**12
    j = norm_octave(1, Fraction(m, 2 * 64))
    yield at_most("risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), bound(0, j, 2, Fraction(1, 20), m))
