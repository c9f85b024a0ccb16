"""One round of AdaBoost and many: coordinate descent, the equaliser, the weights unwrapped, log-odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import (
    FinitePool,
    all_stumps,
    coordinate_descent,
    normaliser,
    normaliser_at,
    run_adaboost,
    squared_votes,
    step_size,
    stump_pool,
    ten_points,
    vote_odds,
)
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.boosting.instances import independent_errors
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Array, Ball, Scalar

Found = Iterator[Evidence]

HALF = Fraction(1, 2)
# What rounding may do to floats.
HAIR = Fraction(1, 10**12)


def random_pool(rng: np.random.Generator, n_samples: int, n_hypotheses: int, *, closed: bool = True) -> Array:
    """Agreements of a pool; of every hypothesis the negative is there too, unless the pool is not ``closed``."""
    H = rng.choice([-1, 1], (n_hypotheses, n_samples))
    return np.vstack([H, -H]) if closed else H


def exact_run(H: Array, n_rounds: int, weights: Array | None = None) -> BoostingRun:
    """AdaBoost over a pool of agreements in fractions, for labels that are all +1."""
    given = np.array([Fraction(1)] * H.shape[1]) if weights is None else weights
    ones = np.ones(H.shape[1], dtype=int)
    return run_adaboost(FinitePool(H), ones, n_rounds, weights=given, keep_history=True)


def balls(values: Iterable[Scalar]) -> list[Ball]:
    return [ball(value) for value in values]


def agreements(run: BoostingRun) -> Array:
    """The outputs of a run that kept them, ``(n_rounds, n_samples)``; for labels +1 they are agreements."""
    assert run.history is not None
    return np.asarray(run.history[:, :, 0])


def weights_before(run: BoostingRun, start: Array) -> Iterator[Array]:
    """The weights before each round, from the record of what was right: products of fractions, no run needed."""
    D = start
    for agrees, odds in zip(agreements(run), run.odds, strict=True):
        yield D
        D = D * np.where(agrees > 0, np.array(1, dtype=object), odds)
        D = D * Fraction(1, 1) / D.sum()


# --- AdaBoost is coordinate descent ----------------------------------------------------------------------------------

descent = Claim(
    "thm-adaboost-is-coordinate-descent",
    "equivalence",
    "exact",
    source=("mohri2018", "allwein2000", "roth-cis519"),
    where="§7.2.2; §2; additive logistic regression slide",
    implements=(coordinate_descent, run_adaboost, step_size),
    formula=Formula("eq-adaboost-line-search", step_size, numbers="balls"),
    no_extremal="an equality has no slack",
)


@descent.check("random pools closed under negation: the same choices, steps and losses in fractions")
def same_run(rng: np.random.Generator) -> Found:
    for _ in range(40):
        H = random_pool(rng, int(rng.integers(4, 12)), int(rng.integers(2, 8)))
        yield from compared(H, 6)


@descent.check("all stumps on the ten points of the picture")
def same_run_on_stumps(rng: np.random.Generator) -> Found:
    X, y = ten_points()
    yield from compared(stump_pool(X) * y, 10)


def compared(H: Array, n_rounds: int) -> Found:
    run, path = exact_run(H, n_rounds), coordinate_descent(H, np.ones(H.shape[1], dtype=int), n_rounds)
    if run.ending == "perfect":
        # Both stop there: AdaBoost with its last hypothesis, descent because the line has no lowest point.
        run = exact_run(H, len(path.coordinates)) if len(path.coordinates) else run
    made = len(path.coordinates)
    yield holds("the same choices", run.hypotheses[:made] == tuple(path.coordinates.tolist()), Tier.EXACT)
    squared = Fraction(1)
    for t in range(made):
        squared *= 4 * run.errors[t] * (1 - run.errors[t])
        yield equal("e^(2α) = (1 − ε)/ε", path.squared_steps[t], run.odds[t], at=f"step {t + 1}")
        yield equal("(F/m)² = ∏ 4ε(1 − ε)", path.squared_losses[t], squared, at=f"step {t + 1}")


@descent.trace("the first two steps on the ten points")
def two_steps() -> Found:
    X, y = ten_points()
    H = stump_pool(X) * y
    run, path = exact_run(H, 2), coordinate_descent(H, np.ones(10, dtype=int), 2)
    for t, D in enumerate(weights_before(run, np.array([Fraction(1, 10)] * 10))):
        slopes = -(H.astype(object) @ D)
        yield equal("steepest slope / F = −2γ", min(slopes), 2 * run.errors[t] - 1, at=f"step {t + 1}")
        yield equal(
            "steepest coordinate = hypothesis of least error",
            path.coordinates[t],
            run.hypotheses[t],
            at=f"step {t + 1}",
        )
        growth = ball(run.odds[t]).sqrt()
        lowest = normaliser_at(ball(run.errors[t]), growth)
        for factor in (Fraction(9, 10), Fraction(11, 10)):
            other = normaliser_at(ball(run.errors[t]), growth * ball(factor))
            yield at_most("F after / F before at α ≤ at another step", lowest, other, at=f"step {t + 1}")
        yield equal("slope at the end = 0", slope_after(H[run.hypotheses[t]], D, run.odds[t]), 0, at=f"step {t + 1}")


def slope_after(agrees: Array, D: Array, squared_step: Fraction) -> Fraction:
    """The slope along the coordinate after the step, up to a positive factor."""
    new = np.where(agrees > 0, D, D * squared_step)
    return -sum(new * agrees)


@descent.control(
    r"The step needs its factor $\frac12$: with the whole logarithm the second hypothesis of the descent "
    "on the ten points has the error {left}, and AdaBoost's has {right}.",
    story=True,
)
def whole_logarithm() -> Found:
    X, y = ten_points()
    H = stump_pool(X) * y
    first = coordinate_descent(H, np.ones(10, dtype=int), 1)
    # Squared once more: a step twice as long. Coefficients that are 1 were not moved and stay so.
    start = first.coefficients**2
    second = coordinate_descent(H, np.ones(10, dtype=int), 1, start=start)
    error = 1 / (1 + second.squared_steps[0])
    yield equal("second error = AdaBoost's", error, exact_run(H, 2).errors[1])


@descent.control(
    "The pool has to contain the negatives: without them AdaBoost's first step has e^(2α) = {left}, and "
    "the steepest step, backwards along another hypothesis, has {right}."
)
def not_closed() -> Found:
    H = np.array([[-1] * 9 + [1], [1] * 6 + [-1] * 4])
    run, both = exact_run(H, 1), coordinate_descent(np.vstack([H, -H]), np.ones(10, dtype=int), 1)
    yield equal("e^(2α) of AdaBoost's step = of the steepest", run.odds[0], both.squared_steps[0])


@descent.control(
    "A descent that compares only the sizes of the slopes, and may step backwards, chooses otherwise: of "
    "its first three choices on the ten points {left} agree with AdaBoost's, not {right}."
)
def backwards_too() -> Found:
    X, y = ten_points()
    H = stump_pool(X) * y
    run, common = exact_run(H, 3), 0
    for t, D in enumerate(weights_before(run, np.array([Fraction(1, 10)] * 10))):
        common += int(np.argmax(np.abs(H.astype(object) @ D)) == run.hypotheses[t])
    yield equal("choices in common = rounds", common, run.n_rounds)


# --- the update and its equaliser ------------------------------------------------------------------------------------

update = Claim(
    "alg-adaboost",
    "identity",
    "exact",
    source="roth-cis519",
    where="AdaBoost slides",
    implements=(run_adaboost, step_size, vote_odds),
    formula=(
        Formula("eq-adaboost-step", step_size, side=1, numbers="balls"),
        Formula("eq-adaboost-odds", vote_odds),
        Formula(
            "eq-adaboost-odds", vote_odds, side="left", given={r"\alpha_t": "eq-adaboost-step 0 1"}, numbers="balls"
        ),
    ),
    no_extremal="an equality has no slack",
    no_trace="the proof is two sums, and the checks are they",
    symbols=(Reading(r"\alpha_t", "positive"),),
)


@update.check("random pools: weights fall where the hypothesis was right, rise elsewhere, and its error becomes 1/2")
def equalised(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m = int(rng.integers(4, 12))
        H, start = random_pool(rng, m, 5), random_probabilities(rng, m)
        run = exact_run(H, 5, start)
        if run.ending == "rounds":
            yield from checked_rounds(run, start)


def checked_rounds(run: BoostingRun, start: Array) -> Found:
    states = [*weights_before(run, start), run.D[:, 0]]
    for t in range(run.n_rounds):
        right = agreements(run)[t] > 0
        before, after = states[t], states[t + 1]
        yield equal("error under the new weights = 1/2", after[~right].sum(), HALF, at=f"round {t + 1}")
        yield less_than("growth of the right ones < 1", max(after[right] / before[right]), 1, at=f"round {t + 1}")
        yield less_than("1 < growth of the wrong ones", 1, min(after[~right] / before[~right]), at=f"round {t + 1}")
        yield less_than("1 < (1 − ε)/ε", 1, vote_odds(run.errors[t]), at=f"round {t + 1}")


@update.check("in floats, edges from 1/10 to a millionth: no round is left out, and the errors are those in fractions")
def small_edges(rng: np.random.Generator) -> Found:
    for edge in (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10**6)):
        sample = independent_errors(HALF - edge, 4)
        ones = np.ones(len(sample.weights), dtype=int)
        run = run_adaboost(GivenSequence(sample.H), ones, 4, weights=sample.weights.astype(float))
        yield equal("rounds made = 4", run.n_rounds, 4, at=f"edge {edge}")
        if not run.n_rounds:
            continue
        # A float is the fraction that it is.
        farthest = max(abs(Fraction(error) - (HALF - edge)) for error in run.errors.tolist())
        yield at_most("largest distance of an error from 1/2 − edge ≤ 10⁻¹²", farthest, HAIR, at=f"edge {edge}")
        distances = [abs(ball(step) - step_size(ball(HALF - edge))) for step in run.steps.tolist()]
        yield at_most("largest distance of a step from α ≤ 10⁻¹²", max(distances), HAIR, at=f"edge {edge}")
    coin = run_adaboost(GivenSequence(np.array([[1, -1]])), np.ones(2, dtype=int), 1)
    yield equal("rounds made without an edge = 0", coin.n_rounds, 0)


@update.control(
    "The step needs its factor 1/2: with the whole logarithm the first hypothesis on the ten points has "
    "the error {left} under the new weights, not {right}."
)
def too_long_a_step() -> Found:
    X, y = ten_points()
    run = exact_run(stump_pool(X) * y, 1)
    wrong = agreements(run)[0] < 0
    D = np.array([vote_odds(run.errors[0]) ** 2 if each else Fraction(1) for each in wrong])
    yield equal("error under the new weights = 1/2", D[wrong].sum() / D.sum(), HALF)


@update.control(
    "The error has to be less than 1/2: at ε = 3/5 the odds (1 − ε)/ε are {right}, not more than {left}, "
    "so that an update would lower the weights of the mistakes."
)
def no_edge() -> Found:
    yield less_than("1 < (1 − ε)/ε", 1, vote_odds(Fraction(3, 5)), at="ε = 3/5")


# --- the weights unwrapped -------------------------------------------------------------------------------------------

unwrapped = Claim(
    "lem-adaboost-unwrapped",
    "identity",
    "exact",
    source="roth-cis519",
    where="proof of the training-error theorem",
    implements=(run_adaboost, normaliser, normaliser_at, squared_votes),
    formula=(
        Formula("eq-adaboost-normaliser", normaliser, side=1, numbers="balls"),
        Formula("eq-adaboost-normaliser", normaliser, numbers="balls"),
        Formula("eq-adaboost-any-step", normaliser_at, arguments={"growth": r"e^{\alpha}"}, numbers="balls"),
    ),
    no_extremal="equalities have no slack",
    no_trace="each line of the proof is one of the equalities that are checked",
    symbols=(
        Reading(r"\gamma_t", means=r"\frac12-\epsilon_t"),
        Reading(r"\alpha", "real"),
    ),
)


@unwrapped.check("random pools: D² (m ∏Z)² = e^(−2yf), the squares of both sides being fractions")
def squares_agree(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m = int(rng.integers(4, 10))
        run = exact_run(random_pool(rng, m, 5), 6)
        if run.ending != "rounds":
            continue
        squared_product = Fraction(1)
        for error in run.errors:
            squared_product *= 4 * error * (1 - error)
        votes = squared_votes(run.odds, agreements(run))
        for i in range(m):
            left = run.D[i, 0] ** 2 * m**2 * squared_product
            yield equal("D² m² ∏Z² = e^(−2yf)", left, 1 / votes[i])


@unwrapped.check("Z for all step sizes: the excess over 2√(ε(1 − ε)) is a square")
def excess_is_a_square(rng: np.random.Generator) -> Found:
    import sympy

    e, g = sympy.symbols("e g", positive=True)
    u = sympy.symbols("u", positive=True)
    excess = (1 - e) / g + e * g - 2 * sympy.sqrt(e) * u
    form = (u / sympy.sqrt(g) - sympy.sqrt(e * g)) ** 2
    yield proved("Z at any step − 2√(ε(1 − ε)) is a square", prove_identity(excess.subs(1 - e, u**2), form))
    for _ in range(30):
        error, growth = Fraction(int(rng.integers(1, 50)), 100), Fraction(int(rng.integers(1, 60)), 10)
        yield at_least("Z at another step ≥ at α", ball(normaliser_at(error, growth)), normaliser(ball(error)))
        square = 1 - 4 * (HALF - error) ** 2
        yield equal("Z² = 1 − 4γ²", 4 * error * (1 - error), square)


@unwrapped.control(
    r"Any other step has a larger $Z$: for $\epsilon=\frac1{10}$ the step with $e^\alpha=2$ has {left}, "
    "and AdaBoost's has {right}.",
    story=True,
)
def another_step() -> Found:
    yield equal("Z at another step = Z at the best", normaliser_at(Fraction(1, 10), 2), normaliser(Fraction(1, 10)))


@unwrapped.control(
    "The normalisers are needed: without them the square of m times the weight of an example is {left} "
    "after two rounds, while e^(−2yf) is {right}."
)
def no_normalisers() -> Found:
    X, y = ten_points()
    run = exact_run(stump_pool(X) * y, 2)
    votes = squared_votes(run.odds, agreements(run))
    yield equal("D² m² = e^(−2yf)", run.D[0, 0] ** 2 * 100, 1 / votes[0])


# --- the first round of the slides -----------------------------------------------------------------------------------

toy = Claim(
    "obs-toy-round-one",
    "identity",
    "exact",
    source="roth-cis519",
    where="toy example, round 1",
    implements=(ten_points, run_adaboost, step_size, all_stumps),
    no_formula="one number; its formula is that of the step",
    no_extremal="one number has no slack",
    no_trace="one number: there is nothing between the lines",
)


@toy.check("error 3/10 on our ten points, its vote in balls, rounded as on the slides")
def first_round(rng: np.random.Generator) -> Found:
    X, y = ten_points()
    H = stump_pool(X) * y
    run = exact_run(H, 3)
    yield equal("first error = 3/10", run.errors[0], Fraction(3, 10))
    least = min(Fraction(int((row < 0).sum()), 10) for row in H)
    yield equal("least error of all stumps = 3/10", least, Fraction(3, 10))
    vote = step_size(ball(run.errors[0]))
    yield equal("e^(2α) = 7/3", run.odds[0], Fraction(7, 3))
    yield less_than("0.4236 < α", Fraction(4236, 10000), vote)
    yield less_than("α < 0.4237", vote, Fraction(4237, 10000))
    for t, error in enumerate((Fraction(3, 14), Fraction(3, 22)), start=1):
        yield equal(f"error of round {t + 1} = {error}", run.errors[t], error)


@toy.control("The vote needs its factor 1/2: the whole logarithm is {left}, which does not round to 0.42.")
def slide_without_half() -> Found:
    yield equal("2α ≈ 0.42", 2 * step_size(ball(Fraction(3, 10))), Fraction(42, 100), within=5e-3)


def given_run(H: Array, weights: Array, n_rounds: int) -> BoostingRun:
    """The run over given hypotheses in their order, for labels that are all +1."""
    ones = np.ones(H.shape[1], dtype=int)
    return run_adaboost(GivenSequence(H), ones, n_rounds, weights=weights, keep_history=True)


def training_error(run: BoostingRun, weights: Array) -> Fraction:
    """The weight of the examples with y f <= 0, in fractions."""
    votes = squared_votes(run.odds, agreements(run))
    return weights[np.array([bool(vote <= 1) for vote in votes])].sum() + Fraction(0)
