"""Hamming decoding, the share of ignored entries, earlier bounds, and BrownBoost's loss."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, proved
from mcbook.claims.output_code_errors.page_formulas import potential_at
from mcbook.claims.output_codes.samples import (
    EXACT_LOSSES,
    Found,
    at_zero,
    not_positive,
    random_code,
    random_sample,
    sign_codes,
    unsafe_line,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof.exact import ball, rational
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.types import Array, Ball
from mcbook.losses import hinge
from mcbook.losses.theory.catalogue import zero_one
from mcbook.output_code_errors import (
    brownboost_potential,
    hamming_bound_with_ignored,
    hamming_decoding_bound,
    ignored_share,
    loss_bound_with_ignored,
    loss_decoding_bound,
    restricted_loss,
    training_error,
)
from mcbook.output_code_errors.algorithm.measures import restricted_error
from mcbook.output_code_errors.instances import closest_rows, tied_outputs
from mcbook.output_codes import (
    all_pairs_code,
    average_loss,
    minimal_distance,
    one_vs_rest_code,
)

# --- Hamming decoding ------------------------------------------------------------------------------------------------

hamming = Claim(
    "cor-hamming-decoding",
    "upper bound",
    "exact",
    source="allwein2000",
    where="Corollary 2",
    errata=("E15",),
    implements=hamming_decoding_bound,
    formula=(
        Formula(
            "eq-code-hamming-bound",
            hamming_decoding_bound,
            where=r"\rho\le\ell",
            fixed={"at_zero": 1},
            arguments={"average_loss": r"\frac1{m\ell}\sum_{i=1}^m\sum_{s=1}^\ell H(M(y_i,s)f_s(x_i))"},
        ),
        Formula("eq-code-hamming-loss-bound", hamming_decoding_bound, where=r"\rho\le\ell"),
    ),
)


@hamming.check("both forms on random codes with zeros, in fractions")
def both_forms_on_random_codes_with_zeros(rng: np.random.Generator) -> Found:
    losses = {**EXACT_LOSSES, "1 where z ≤ 0": not_positive}
    del losses["zero-one"]
    for _ in range(40):
        M = random_code(rng)
        F, y = random_sample(rng, M)
        error, size = training_error(F, M, y), (M.shape[1], minimal_distance(M))
        first = hamming_decoding_bound(average_loss(F, M, y, zero_one), *size)
        yield at_most("error ≤ Σ (1 − sign) / (ρ m)", error, first, at="first form")
        for name, loss in losses.items():
            second = hamming_decoding_bound(average_loss(F, M, y, loss), *size, at_zero(loss))
            yield at_most("first form ≤ bound", first, second, at=f"second form, {name}")


@hamming.extremal("codes of signs: half of the ρ columns wrong where ρ is even, all of them undecided where it is odd")
def ties_at_the_least_cost() -> Found:
    for name, M in sign_codes(5):
        F, y = hamming_tie(M)
        first = hamming_decoding_bound(average_loss(F, M, y, zero_one), M.shape[1], minimal_distance(M))
        yield equal("error = first form", training_error(F, M, y), first, at=name, statement=True)
        if minimal_distance(M) % 2 == 0:
            paid = average_loss(F, M, y, not_positive)
            second = hamming_decoding_bound(paid, M.shape[1], minimal_distance(M))
            yield equal("error = second form", 1, second, at=f"{name}, loss 1 where z ≤ 0", statement=True)


def hamming_tie(M: Array) -> tuple[Array, Array]:
    """One example that Hamming decoding mistakes at the least cost."""
    label, rival = closest_rows(M)
    f = tied_outputs(M, label, rival)
    apart = np.flatnonzero(M[label] != M[rival])
    if len(apart) % 2 == 0:
        half = len(apart) // 2
        f[apart[:half]], f[apart[half:]] = -M[label][apart[:half]], M[label][apart[half:]]
    return rational(f[None, :]), np.array([label])


@hamming.trace("one-vs-rest, four classes, one missed positive; and a code with zeros")
def proof_of_the_corollary() -> Found:
    for M, f, y, r in (
        (one_vs_rest_code(4), rational([-2, -1, -1, -3]), 0, 1),
        (all_pairs_code(3), rational(["-1/2", 1, 2]), 0, 1),
    ):
        z = M[y] * f
        flips = zero_one(z).sum()
        yield at_least("Σ H(M_y f) ≥ Σ H(M_r f)", flips, zero_one(M[r] * f).sum(), at="r is no farther")
        for value in sorted(set(z)):
            yield equal(
                "(H(z) + H(−z))/2 = H(0)", (zero_one(value) + zero_one(-value)) / 2, zero_one(0), at=f"z = {value}"
            )
        rho = minimal_distance(M)
        yield at_least("Σ H(M_y f) ≥ ρ/2", flips, rho / 2, at="the theorem with L = H")
        for value in sorted(set(z)):
            yield at_most("H(z) ≤ hinge(z)", zero_one(value), hinge(value), at=f"z = {value}")
        yield at_most("mistakes ≤ Σ (1 − sign) / ρ", 1, hamming_decoding_bound(flips / len(f), len(f), rho))
        yield at_most(
            "Σ (1 − sign) / ρ ≤ 2 Σ L / (ρ L(0))",
            2 * flips / rho,
            hamming_decoding_bound(hinge(z).sum() / len(f), len(f), rho),
        )


@hamming.strengthened(
    "One per cent less than the first form is too little: on a tie at the least cost of one-vs-rest "
    "with four classes the training error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def first_form_on_a_tie(factor: Fraction) -> Found:
    for M in (one_vs_rest_code(4), one_vs_rest_code(5)):
        F, y = hamming_tie(M)
        bound = hamming_decoding_bound(average_loss(F, M, y, zero_one), M.shape[1], minimal_distance(M))
        yield at_most("error ≤ bound", training_error(F, M, y), factor * bound)


@hamming.control(
    "The factor 2 of the second form is needed: on a tie of one-vs-rest with four classes the training "
    "error is {left}, and without the factor {right} would be allowed."
)
def the_factor_2_of_the_second_form_left_out() -> Found:
    M = one_vs_rest_code(4)
    F, y = hamming_tie(M)
    yield at_most(
        "error ≤ ℓ ε / (ρ L(0))",
        training_error(F, M, y),
        hamming_decoding_bound(average_loss(F, M, y, not_positive), 4, 2) / 2,
    )


@hamming.control(
    r"The second form needs $L\ge0$: with $L(z)=1-z$ and the outputs $-1,-1,-3$ of one-vs-rest the "
    "training error is {left}, and the bound would be {right}."
)
def a_loss_that_pays_for_right_signs() -> Found:
    M = one_vs_rest_code(3)
    F, y = rational([[-1, -1, -3]]), np.array([0])
    bound = hamming_decoding_bound(average_loss(F, M, y, unsafe_line), 3, minimal_distance(M))
    yield at_most("error ≤ 2 ℓ ε / (ρ L(0))", training_error(F, M, y), bound)


# --- the share of ignored entries ------------------------------------------------------------------------------------

refined = Claim(
    "prp-bounds-with-ignored-share",
    "identity",
    "exact",
    source="allwein2000",
    where="§4, (10)–(12)",
    errata=("E15", "E37"),
    implements=(loss_bound_with_ignored, hamming_bound_with_ignored),
    formula=(
        Formula("eq-code-ignored", loss_bound_with_ignored, where=r"\rho\le\ell"),
        Formula("eq-code-hamming-ignored", hamming_bound_with_ignored, where=r"\rho\le\ell"),
    ),
)


@refined.check("random codes with zeros: the first form is the theorem's bound, the second is above the corollary's")
def random_codes_with_zeros(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng)
        F, y = random_sample(rng, M)
        q, size = ignored_share(M, y), (M.shape[1], minimal_distance(M))
        if q == 1:
            continue
        for name, loss in EXACT_LOSSES.items():
            plain = loss_decoding_bound(average_loss(F, M, y, loss), *size, at_zero(loss))
            parts = loss_bound_with_ignored(q, restricted_loss(F, M, y, loss), *size, at_zero(loss))
            yield equal("bound = form with q", plain, parts, at=name)
        first = hamming_decoding_bound(average_loss(F, M, y, zero_one), *size)
        second = hamming_bound_with_ignored(q, restricted_error(F, M, y), *size)
        yield at_most("Σ (1 − sign) / (ρ m) ≤ form with q", first, second, at="Hamming")


@refined.check("with no output 0 the second form is an equality too")
def equality_without_outputs_of_0(rng: np.random.Generator) -> Found:
    for k in (3, 4, 5):
        M, y = all_pairs_code(k), np.arange(k)
        F = rational(np.where(rng.random(M.shape) < 0.5, 1, -1))
        size = (M.shape[1], minimal_distance(M))
        first = hamming_decoding_bound(average_loss(F, M, y, zero_one), *size)
        second = hamming_bound_with_ignored(ignored_share(M, y), restricted_error(F, M, y), *size)
        yield equal("first form = form with q", first, second, at=f"k = {k}")


@refined.check("all entries zero: the factor is 2, q = 1, the bound 2")
def all_entries_zero(rng: np.random.Generator) -> Found:
    M = np.zeros((3, 4), dtype=int)
    yield equal("(ℓ/ρ) q = 2", loss_bound_with_ignored(ignored_share(M, np.arange(3)), 0, 4, minimal_distance(M)), 2)


@refined.control(
    "Only the share of zero entries will do as $q$: for all pairs of four classes the bound is {left}, "
    r"but with a share that is larger by $\frac1{100}$ the form gives {right}."
)
def q_read_as_the_share_of_non_zero_entries() -> Found:
    M, y = all_pairs_code(4), np.arange(4)
    F = rational(M)
    size = (6, minimal_distance(M))
    plain = loss_decoding_bound(average_loss(F, M, y, hinge), *size)
    share = Fraction(int((M != 0).sum()), M.size) + Fraction(1, 100)
    yield equal("bound = form with the wrong q", plain, loss_bound_with_ignored(share, 0, *size))


@refined.control(
    "The Hamming form is no identity where an output is 0: the corollary counts that output half and "
    "gives {left}, and the form with $q$ counts it fully and gives {right}."
)
def the_hamming_form_is_an_identity_as_well() -> Found:
    M, y = all_pairs_code(3), np.array([0])
    F = rational([[0, 1, 1]])
    size = (3, minimal_distance(M))
    first = hamming_decoding_bound(average_loss(F, M, y, zero_one), *size)
    yield equal(
        "first form = form with q",
        first,
        hamming_bound_with_ignored(ignored_share(M, y), restricted_error(F, M, y), *size),
    )


# --- earlier bounds --------------------------------------------------------------------------------------------------

earlier = Claim(
    "cor-earlier-code-bounds",
    "identity",
    "exact",
    source=("allwein2000", "mohri2018"),
    where="§4; §9.6",
    implements=loss_decoding_bound,
    formula=Formula(
        "eq-code-earlier",
        loss_decoding_bound,
        where=r"\rho\le\ell",
        fixed={"average_loss": 1, "at_zero": Fraction(1, 2)},
    ),
)


@earlier.check("L = H and a code of signs: 2ℓ/ρ times the average binary error, in fractions")
def hamming_loss_on_codes_of_signs(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng, (-1, 1))
        F, y = random_sample(rng, M)
        F = rational(np.where(F == 0, 1, F))
        size = (M.shape[1], minimal_distance(M))
        errors = restricted_error(F, M, y)
        bound = loss_decoding_bound(average_loss(F, M, y, zero_one), *size, zero_one(0))
        yield equal("bound of the theorem = 2ℓ/ρ times the errors", bound, 2 * size[0] * errors / size[1])
        yield equal("bound of the theorem = bound of the corollary", bound, hamming_decoding_bound(errors, *size))


@earlier.control(
    "A code with zeros is another matter: for all pairs of three classes the binary errors are "
    "{right}, but the theorem's bound is {left}."
)
def for_codes_with_zeros_as_well() -> Found:
    M, y = all_pairs_code(3), np.arange(3)
    F = rational(np.where(M == 0, 1, M))
    bound = loss_decoding_bound(average_loss(F, M, y, zero_one), 3, 2, zero_one(0))
    yield equal("bound of the theorem = 2ℓ/ρ times the errors", bound, 3 * restricted_error(F, M, y))


brown = Claim(
    "prp-brownboost-loss",
    "lower bound",
    "rigorous",
    source="allwein2000",
    where="§4",
    implements=brownboost_potential,
    formula=Formula("eq-brownboost", potential_at, numbers="balls"),
    symbols=(
        Reading("s", "nonnegative", arguments={"s": "s"}),
        Reading("c", "positive", arguments={"c": "c"}),
    ),
)


def brown_excess(z: Ball, s: Ball, c: Ball) -> Ball:
    potential = brownboost_potential(s, c)
    return (potential(z) + potential(-z)) / 2 - potential(0 * z)


@brown.check("by algebra: the excess is 0 at z = 0, even, and grows with z")
def excess_grows(rng: np.random.Generator) -> Found:
    import sympy

    z, s, c = sympy.symbols("z s c", positive=True)
    excess = brown_excess(z, s, c)
    slope = 2 * sympy.exp(-(s**2 + z**2) / c) * sympy.sinh(2 * s * z / c) / sympy.sqrt(sympy.pi * c)
    growth = sympy.diff(excess, z).rewrite(sympy.exp) - slope.rewrite(sympy.exp)
    yield proved("excess at z = 0 is 0", prove_identity(excess.subs(z, 0), 0))
    yield proved("excess(−z) = excess(z)", prove_identity(brown_excess(-z, s, c), excess))
    yield proved("its slope is 2 e^(−(s² + z²)/c) sinh(2sz/c) / √(πc)", prove_identity(growth, 0))
    yield proved("this slope > 0", prove_sign(slope, slope, strict=True))
    yield proved("for s = 0 the excess is 0", prove_identity(brown_excess(z, sympy.Integer(0), c), 0))


@brown.check("in ball arithmetic, z and s from 1/2 to 2, c = 1; and L(0) > 0")
def in_ball_arithmetic_z_and_s_from_1_2_to_2_c_1(rng: np.random.Generator) -> Found:
    import flint

    one = flint.arb(1)

    def floor(s: Ball) -> Ball:
        return brownboost_potential(s, one)(0 * s) - flint.arb("1e-5")

    box = [(0.5, 2.0), (0.5, 2.0)]
    yield proved("excess ≥ 0", prove_nonnegative(lambda z, s: brown_excess(z, s, one), box))
    yield proved("L(0) ≥ 10⁻⁵ for 10⁻⁶ ≤ s ≤ 3", prove_nonnegative(floor, [(1e-6, 3.0)]))


@brown.extremal("s = 0: equality for every z")
def s_0_equality_for_every_z() -> Found:
    import sympy

    z, c = sympy.symbols("z c", positive=True)
    potential = brownboost_potential(sympy.Integer(0), c)
    yield proved(
        "L(z) + L(−z) = 2 L(0)", prove_identity(potential(z) + potential(-z), 2 * potential(0 * z)), statement=True
    )
    yield proved("L(0) = 1", prove_identity(potential(0 * z), 1))


@brown.control(
    r"The condition $s\ge0$ is needed: for $s=-\frac12$, $c=1$ and $z=1$ the mean of $L(z)$ and $L(-z)$ "
    "less $L(0)$ is {left}, and not at least {right}."
)
def time_left_below_0() -> Found:
    # With s = −1/2 the potential at z is that of s = 1/2 at z − 1.
    potential = brownboost_potential(ball(Fraction(1, 2)), ball(1))
    right, wrong, at_zero_margin = (potential(ball(z - 1)) for z in (1, -1, 0))
    yield at_least("excess ≥ 0", (right + wrong) / 2 - at_zero_margin, 0)


@brown.strengthened(
    r"One per cent more than $L(0)$ is too much: for $s=\frac1{1000}$, $c=1$ and $z=1$ the mean of "
    "$L(z)$ and $L(-z)$ is {left}, less than {right}.",
    by=Fraction(101, 100),
)
def condition_at_a_margin(factor: Fraction) -> Found:
    # The excess is so small here that a hundredth of L(0) is more.
    potential = brownboost_potential(ball(Fraction(1, 1000)), ball(1))
    mean = (potential(ball(1)) + potential(ball(-1))) / 2
    yield at_least("mean of L(z) and L(−z) ≥ L(0)", mean, ball(Fraction(factor)) * potential(ball(0)), at="z = 1")
