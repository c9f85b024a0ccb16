"""The votes of a code and their margin, and how both depend on the parameter of the soft average."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds, proved
from mcbook.claims.output_code_margins.samples import Found, random_fractions, random_sign_code
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.foundation.types import Array, Ball, Scalar, Values
from mcbook.output_code_margins import (
    decoding_margins,
    eta_grid,
    grid_size,
    margin_shift_bound,
    nearest_eta,
    soft_average,
    soft_average_growth,
    soft_average_slope,
    soft_votes,
)
from mcbook.output_code_margins.instances import close_functions

# --- votes and margins -----------------------------------------------------------------------------------------------

votes = Claim(
    "prp-code-margin",
    "identity",
    "exact",
    source="allwein2000",
    where="§5, (15)–(18)",
    implements=(soft_votes, decoding_margins),
    formula=Formula("eq-code-vote", soft_votes, over="ir", numbers="balls"),
)


def exponential_losses(F: Array, M: Array, eta: Fraction) -> Array:
    """sum_s exp(-eta M_rs f_s), in balls."""
    powers = np.frompyfunc(lambda z: ball(-eta * z).exp(), 1, 1)
    return np.stack([powers(F * row).sum(axis=1) for row in M], axis=1)


@votes.check(
    "random codes of signs, answers and η from 1/10 to 30: the best class, the range and the sign of the margin"
)
def best_vote_is_the_smallest_loss(rng: np.random.Generator) -> Found:
    for _ in range(60):
        M, eta = random_sign_code(rng), Fraction(int(rng.integers(1, 301)), 10)
        F = random_fractions(rng, (3, M.shape[1]))
        y = rng.integers(0, len(M), 3)
        nu, losses = soft_votes(F, M, eta), exponential_losses(F, M, eta)
        margins = decoding_margins(F, M, y, eta)
        for i in range(3):
            # By a decreasing function of the losses, which keeps every comparison that balls can decide.
            alike = all(
                (nu[i, r] > nu[i, q]) == (losses[i, r] < losses[i, q]) for r in range(len(M)) for q in range(len(M))
            )
            yield holds("votes are ordered as the exponential losses are, upside down", alike, Tier.EXACT)
            yield at_most("|ν| ≤ 1", max(abs(v) for v in nu[i]), 1 + ball(Fraction(1, 2**40)))
            alone = all(losses[i, y[i]] < losses[i, r] for r in range(len(M)) if r != y[i])
            yield holds(
                "the margin is positive exactly where the label alone is best", (margins[i] > 0) == alone, Tier.EXACT
            )


@votes.check("two classes and one column: the margin is y f(x), for every η")
def two_classes_and_one_column(rng: np.random.Generator) -> Found:
    M = np.array([[-1], [1]])
    for _ in range(20):
        f, label = random_fractions(rng, (1, 1)), int(rng.integers(2))
        margin = decoding_margins(f, M, np.array([label]), Fraction(int(rng.integers(1, 50)), 7))[0]
        off = abs(margin - ball(f[0, 0] * int(M[label, 0])))
        yield at_most("|𝓜 − y f(x)| ≤ 10⁻¹²", off, Fraction(1, 10**12))


@votes.check("for small η the vote is the mean of M f, for large η the smallest of them")
def between_mean_and_smallest(rng: np.random.Generator) -> Found:
    for _ in range(20):
        M = random_sign_code(rng)
        F = random_fractions(rng, (1, M.shape[1]))
        z = (F * M[:1])[0]
        tiny, huge = Fraction(1, 10**6), Fraction(10**6)
        from_mean = abs(soft_votes(F, M, tiny)[0, 0] - ball(Fraction(sum(z)) / len(z)))
        yield at_most("distance of a vote from the mean ≤ η/2", from_mean, tiny / 2, at="η = 10⁻⁶")
        from_smallest = abs(soft_votes(F, M, huge)[0, 0] - ball(min(z)))
        yield at_most(
            "distance of a vote from the smallest ≤ (ln ℓ)/η", from_smallest, allowed(huge, len(z)), at="η = 10⁶"
        )


def allowed(eta: Fraction, n_columns: int) -> Ball:
    """(ln l) / eta, with a little for one column, where nothing is to be averaged."""
    return ball(n_columns).log() / ball(eta) + ball(Fraction(1, 10**12))


@votes.control(
    "Without its half the margin can exceed 1: with two opposite rows and answers that agree with the "
    "label, its vote leads by {left}, more than {right}.",
)
def without_the_half() -> Found:
    M = np.array([[1, 1], [-1, -1]])
    margin = decoding_margins(np.array([[Fraction(1), Fraction(1)]], dtype=object), M, np.array([0]), Fraction(2))[0]
    yield at_most("ν_y − max ν_r ≤ 1", 2 * margin, 1)


@votes.control(
    "The sum must be divided by ℓ: without it a vote is smaller by $\\frac{\\ln\\ell}\\eta$, so with two columns and "
    "$\\eta=\\frac1{10}$ answers that agree with the label have a vote of size {left}, more than {right}.",
)
def sum_in_place_of_the_mean() -> Found:
    M, eta = np.array([[1, 1], [-1, -1]]), Fraction(1, 10)
    vote = soft_votes(np.array([[Fraction(1), Fraction(1)]], dtype=object), M, eta)[0, 0]
    yield at_most("|ν| ≤ 1", abs(vote - allowed(eta, 2)), 1)


# --- how the soft average grows --------------------------------------------------------------------------------------

growth = Claim(
    "lem-soft-minimum-in-eta",
    "upper bound",
    "rigorous",
    source="allwein2000",
    where="Lemma 4, (19)–(20)",
    implements=(soft_average, soft_average_slope, soft_average_growth),
    formula=(
        Formula("eq-soft-average", soft_average, numbers="balls"),
        Formula("eq-soft-average-growth", soft_average_growth, given={r"\eta_2": r"\eta_1+c"}, numbers="balls"),
    ),
)


@growth.check("the derivative for two and three columns, and the inequalities for the entropy")
def derivative_is_what_the_entropy_lacks(rng: np.random.Generator) -> Found:
    import sympy

    eta, x = sympy.Symbol("eta", positive=True), sympy.Symbol("x", positive=True)
    for names in ("a b", "a b c"):
        z = np.array(sympy.symbols(names, real=True), dtype=object)
        slope = sympy.diff(soft_average(z, eta), eta)
        yield proved("dA/dη = (ln ℓ − H(p))/η²", prove_identity(slope, soft_average_slope(z, eta)), at=f"ℓ = {len(z)}")
    # x - 1 - ln x has its only minimum, 0, at 1; so -sum p ln p <= ln l + sum (1/l - p) = ln l.
    gap = x - 1 - sympy.log(x)
    yield proved("(x − 1 − ln x)′ has the sign of x − 1", prove_sign(sympy.diff(gap, x) * (x - 1), (x - 1) ** 2 / x))
    yield proved("x − 1 − ln x is 0 at x = 1", prove_identity(gap.subs(x, 1), sympy.Integer(0)))
    # Shares are at most 1: with p = 1 / (1 + x) a term -p ln p of the entropy is ln(1 + x) / (1 + x).
    term = sympy.log(1 + x) / (1 + x)
    yield proved("−p ln p ≥ 0 for p = 1/(1 + x)", prove_sign(term, term))


def change(z: Array, smaller: Fraction, larger: Fraction) -> Values:
    return soft_average(z, larger) - soft_average(z, smaller)


def vector(*values: int) -> Array:
    return np.array([Fraction(value) for value in values], dtype=object)


@growth.extremal("below: equality for equal entries; above: one entry that stands out, 0.9999 of the bound")
def both_ends_of_the_growth() -> Found:
    yield equal(
        "change of A from η = 1 to 9 ≈ 0",
        change(vector(1, 1, 1) / 2, Fraction(1), Fraction(9)),
        ball(0),
        within=1e-15,
        at="z = (1/2, 1/2, 1/2)",
    )
    for n_columns in (2, 8, 64):
        z = vector(1, *[-1] * (n_columns - 1))
        found, allowed = change(z, Fraction(5), Fraction(10)), soft_average_growth(Fraction(5), Fraction(10), n_columns)
        what = "change of A from η = 5 to 10 ≤ (1/5 − 1/10) ln ℓ"
        yield at_most(what, found, allowed, at=f"ℓ = {n_columns}", statement=True)


@growth.control(
    "The mean in the logarithm must not be a sum: three equal entries would have an average that changes by {left} "
    "from $\\eta=1$ to $\\eta=9$, less than {right}.",
)
def average_of_a_sum() -> Found:
    z = vector(1, 1, 1) / 2
    # A sum in the place of the mean adds (ln 3) / eta.
    added = allowed(Fraction(9), 3) - allowed(Fraction(1), 3)
    yield at_least(
        "change of the average ≥ 0", change(z, Fraction(1), Fraction(9)) + added, 0, at="z = (1/2, 1/2, 1/2)"
    )


@growth.strengthened(
    "One per cent less is too little: for the two entries 1 and $-1$ the soft average grows by {left} "
    "from $\\eta=5$ to $\\eta=10$, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_growth_is_not_enough(factor: Fraction) -> Found:
    for n_columns in (2, 8):
        z = vector(1, *[-1] * (n_columns - 1))
        allowed = soft_average_growth(Fraction(5), Fraction(10), n_columns)
        yield at_most(
            "change of A ≤ bound", change(z, Fraction(5), Fraction(10)), float(factor) * allowed, at=f"ℓ = {n_columns}"
        )


# --- a finite grid ---------------------------------------------------------------------------------------------------

grid = Claim(
    "lem-finite-grid-of-eta",
    "existence",
    "rigorous",
    source="allwein2000",
    where="Lemma 4, (21)",
    implements=(grid_size, eta_grid, nearest_eta),
    formula=Formula("eq-eta-grid-size", grid_size),
)


@grid.check("both cases of the proof, for every η, θ and ℓ: the steps of 1/η̂, and beyond the last step")
def both_cases_of_the_grid(rng: np.random.Generator) -> Found:
    import sympy

    theta, log, i = (sympy.Symbol(name, positive=True) for name in ("theta", "L", "i"))
    tau, more = sympy.Symbol("tau", nonnegative=True), sympy.Symbol("e", nonnegative=True)
    # 1/eta = (i - 1 + tau) theta / ln l lies in the step that ends at 1/eta' = i theta / ln l.
    step = (i * theta / log - (i - 1 + tau) * theta / log) * log
    yield proved("(1/η̂ − 1/η) ln ℓ ≤ θ within a step", prove_sign(theta - step, tau * theta))
    size = log / (2 * theta**2) + more
    left = theta - log / (size * theta) / 2
    yield proved(
        "η̂/2 ≤ θ at the end of I ≥ ln ℓ/(2θ²) steps",
        prove_sign(left, 2 * more * theta**3 / (log + 2 * more * theta**2)),
    )


@grid.extremal("answers and η at random, the tightest of them: balanced signs, η near 0")
def distance_to_the_grid() -> Found:
    rng = np.random.default_rng(1)
    for theta, n_columns in ((Fraction(1, 2), 3), (Fraction(1, 4), 6), (Fraction(1, 10), 2), (Fraction(1, 10), 64)):
        grid_ = eta_grid(theta, n_columns)
        yield equal(
            "members of the grid = I", len(grid_), grid_size(theta, n_columns), at=f"ℓ = {n_columns}, θ = {theta}"
        )
        balanced = vector(*[1, -1] * (n_columns // 2))
        for eta in (Fraction(1, 1000), Fraction(1), Fraction(2), Fraction(7), Fraction(1000)):
            chosen = nearest_eta(eta, theta, n_columns)
            for z in (balanced, random_fractions(rng, (n_columns,)), vector(1, *[-1] * (n_columns - 1))):
                yield at_most(
                    "|A(η, z) − A(η̂, z)| ≤ θ",
                    abs(soft_average(z, eta) - soft_average(z, chosen)),
                    ball(theta),
                    at=f"ℓ = {n_columns}, η = {eta}",
                )


@grid.control(
    "Half as many parameters are too few: for 64 balanced answers and a small $\\eta$ even the nearest "
    "of them is off by {left}, and $\\theta$ is {right}.",
    story=True,
)
def half_a_grid() -> Found:
    theta, n_columns = Fraction(1, 10), 64
    half = eta_grid(theta, n_columns)[: grid_size(theta, n_columns) // 2]
    z = vector(*[1, -1] * (n_columns // 2))
    off = min(abs(float(soft_average(z, Fraction(1, 1000)) - soft_average(z, eta))) for eta in half[-1:])
    yield at_most("|A(η, z) − A(η̂, z)| ≤ θ", ball(off), theta, at="nearest η̂")


# --- close functions -------------------------------------------------------------------------------------------------

close = Claim(
    "lem-margins-of-close-functions",
    "upper bound",
    "exact",
    source="allwein2000",
    where="Lemma 5",
    implements=margin_shift_bound,
    formula=Formula("eq-code-margin-shift", margin_shift_bound),
)


def shift(f: Array, g: Array, M: Array, y: Array, eta: Fraction, theta: Fraction) -> Scalar:
    """|M_(f, eta) - M_(g, eta')| for the eta' of the grid that stands for eta."""
    chosen = nearest_eta(eta, theta, M.shape[1])
    return abs(decoding_margins(f, M, y, eta)[0] - decoding_margins(g, M, y, chosen)[0])


@close.check("random codes, answers, η and θ; g moved at random, and against the label")
def margins_stay_close(rng: np.random.Generator) -> Found:
    while_many = 0
    while while_many < 60:
        M = random_sign_code(rng)
        if M.shape[1] < 2:
            continue
        while_many += 1
        theta, eta = Fraction(int(rng.integers(1, 9)), 8), Fraction(int(rng.integers(1, 200)), 10)
        y = rng.integers(0, len(M), 1)
        f = random_fractions(rng, (1, M.shape[1]))
        for moved in (f + theta * random_fractions(rng, f.shape), f - theta * M[y]):
            g = np.clip(moved, -1, 1)
            yield at_most("|𝓜(f, η) − 𝓜(g, η̂)| ≤ 3θ/2", shift(f, g, M, y, eta, theta), ball(margin_shift_bound(theta)))


@close.extremal("one answer of 1023 for the label, and large η: 1.4999 θ")
def nearly_three_halves() -> Found:
    for n_columns in (15, 127, 1023):
        made = close_functions(n_columns, Fraction(1, 5), Fraction(10**6))
        found = shift(made.f, made.g, made.M, np.array([made.label]), made.eta, made.theta)
        yield at_most(
            "|𝓜(f, η) − 𝓜(g, η̂)| ≤ 3θ/2",
            found,
            ball(margin_shift_bound(made.theta)),
            at=f"ℓ = {n_columns}",
            statement=True,
        )


@close.strengthened(
    "No smaller constant will do: with 1.45 in place of $\\frac32$ the margins at $\\theta=\\frac15$ and "
    "1023 columns could be at most {right} apart, and they are {left} apart.",
    by=Fraction(29, 30),
    story=True,
)
def constant_below_three_halves(factor: Fraction) -> Found:
    made = close_functions(1023, Fraction(1, 5), Fraction(10**6))
    found = shift(made.f, made.g, made.M, np.array([made.label]), made.eta, made.theta)
    yield at_most("|𝓜(f, η) − 𝓜(g, η̂)| ≤ 3θ/2", found, ball(factor * margin_shift_bound(made.theta)))


@close.control(
    "The change of $\\eta$ has its cost, too: for the change of the functions alone $\\theta$ would be "
    "enough, which is {right}, but the margins are {left} apart.",
)
def functions_alone() -> Found:
    made = close_functions(1023, Fraction(1, 5), Fraction(10**6))
    found = shift(made.f, made.g, made.M, np.array([made.label]), made.eta, made.theta)
    yield at_most("|𝓜(f, η) − 𝓜(g, η̂)| ≤ θ", found, ball(margin_shift_bound(made.theta) * Fraction(2, 3)))
