"""The dual of the structured problem, its form over marginals, and Frank–Wolfe's steps in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.distributions import random_probabilities
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Scalar
from mcbook.structured import structures
from mcbook.structured_margins import (
    EnumeratedProblem,
    chain_problem,
    distribution_from_marginals,
    enumerated_problem,
    frank_wolfe,
    frank_wolfe_bound,
    frank_wolfe_step,
    kernel_planes,
    marginals_of_distribution,
    one_slack,
    ring_chains,
    solve_enumerated,
    solve_enumerated_dual,
    solve_factored_dual,
    solve_gram_dual,
    solve_restricted_exactly,
)
from mcbook.structured_margins.instances import flat_blocks, random_problem
from mcbook.structured_margins.theory import Rescaling

Found = Iterator[Evidence]
RESCALINGS: tuple[Rescaling, ...] = ("margin", "slack")


def random_weights(rng: np.random.Generator, problem: EnumeratedProblem) -> list[np.ndarray]:
    """A point of the dual: a random distribution on the labels of each example, times C."""
    return [np.asarray(problem.C * random_probabilities(rng, len(b))) for b in problem.offsets]


# --- the dual and its kernels ----------------------------------------------------------------------------------------

dual = Claim(
    "prp-structured-dual",
    "identity",
    "certified",
    source="mohri2018",
    where="§9.5",
    implements=(EnumeratedProblem, solve_enumerated, solve_enumerated_dual, solve_gram_dual, kernel_planes),
    no_formula="two optima are compared, neither of which has a closed form",
)


@dual.check("certified optima of primal and dual, the latter also from inner products alone, both rescalings")
def same_value(rng: np.random.Generator) -> Found:
    for rescaling in RESCALINGS:
        for lengths in ((3, 1), (2, 2)):
            problem = random_problem(rng, lengths, 2, Fraction(1, 2), rescaling=rescaling)
            listed = problem.listed()
            primal = solve_enumerated(listed).value
            yield equal("primal ≈ dual", primal, solve_enumerated_dual(listed).value, within=1e-6)
            if rescaling == "margin":
                planes = kernel_planes(problem, lambda A, B: A @ B.T)
                by_kernel = solve_gram_dual(planes.gram, planes.offsets, planes.owners, 0.5)
                yield equal("primal ≈ dual by a kernel", primal, by_kernel.value, within=1e-6)


@dual.check("primal less dual is the sum of what every label lacks of the largest value, in fractions")
def gap_in_parts(rng: np.random.Generator) -> Found:
    for rescaling in RESCALINGS * 4:
        listed = random_problem(rng, (3, 2), 2, Fraction(1, 3), rescaling=rescaling).listed()
        alpha = random_weights(rng, listed)
        gap = listed.primal(listed.weights(alpha)) - listed.dual(alpha)
        yield equal("P(w(α)) − D(α) = sum over the examples", gap, sum(listed.block_gaps(alpha)))
        yield at_least("P(w(α)) − D(α) ≥ 0", gap, 0)


@dual.check("a kernel of degree 2 on points of two rings: the value is that of the features written out")
def quadratic_kernel(rng: np.random.Generator) -> Found:
    X, y, forest = ring_chains(rng, 3, 3)
    by_kernel = kernel_planes(chain_problem(structures(X, forest), y, 2, 1.0), lambda A, B: (A @ B.T) ** 2)
    value = solve_gram_dual(by_kernel.gram, by_kernel.offsets, by_kernel.owners, 1.0).value
    squares = np.c_[X**2, np.sqrt(2) * X[:, :1] * X[:, 1:]]
    written = chain_problem(structures(squares, forest), y, 2, 1.0).listed()
    yield equal("dual by the kernel ≈ primal with squares", value, solve_enumerated(written).value, within=1e-6)


@dual.strengthened(
    "One per cent more is too much: on two short chains the primal optimum is {left}, and 1.01 times "
    "the dual optimum is {right}.",
    by=Fraction(101, 100),
)
def larger_dual(by: Fraction) -> Found:
    listed = random_problem(np.random.default_rng(0), (2, 2), 2, Fraction(1, 2)).listed()
    yield equal("primal ≈ dual", solve_enumerated(listed).value, by * solve_enumerated_dual(listed).value, within=1e-6)


@dual.control(
    "The weights of an example have to sum to $C$: with the sum $2C$, and a rival that no $w$ can push "
    "away, the dual value is {left}, above the primal value {right}.",
)
def weights_without_a_limit() -> Found:
    # One rival of loss 1 that no weights can push away: the primal value is C.
    listed = enumerated_problem([np.array([0, 1], dtype=object)], [np.zeros((2, 1), dtype=object)], 1)
    yield at_most(
        "dual value ≤ primal value",
        listed.dual([np.array([0, 2], dtype=object)]),
        listed.primal(np.zeros(1, dtype=object)),
    )


# --- marginals -------------------------------------------------------------------------------------------------------

factored = Claim(
    "thm-factored-dual",
    "equivalence",
    "certified",
    source="taskar2003",
    where="§4, the factored dual",
    implements=(solve_factored_dual, distribution_from_marginals, marginals_of_distribution),
    formula=(),
    no_formula="two optima are compared; the distribution of given marginals is a product over edges",
)


@factored.check("certified optima over marginals and over all labellings, on chains of one to three positions")
def factored_value(rng: np.random.Generator) -> Found:
    for lengths, k in (((3, 2), 2), ((3, 1), 3), ((2, 2), 3)):
        problem = random_problem(rng, lengths, k, Fraction(1, 2))
        by_marginals = solve_factored_dual(problem).value
        yield equal(
            "over marginals ≈ over labellings", by_marginals, solve_enumerated_dual(problem.listed()).value, within=1e-6
        )


@factored.check("the Markov distribution of the marginals of a random distribution has these marginals, in fractions")
def marginals_kept(rng: np.random.Generator) -> Found:
    for length, k in ((1, 3), (2, 3), (3, 2), (4, 2), (3, 3)):
        for _ in range(3):
            given = marginals_of_distribution(random_probabilities(rng, k**length), length, k)
            distribution = distribution_from_marginals(*given)
            yield equal("total probability = 1", distribution.sum(), 1)
            again = marginals_of_distribution(distribution, length, k)
            same = all((a == b).all() for a, b in zip(given, again, strict=True))
            yield holds("the marginals are kept", same, Tier.EXACT)


@factored.strengthened(
    "One per cent more is too much: 1.01 times the optimum over marginals is {left}, and the optimum "
    "over all labellings is {right}.",
    by=Fraction(101, 100),
)
def larger_value(by: Fraction) -> Found:
    problem = random_problem(np.random.default_rng(3), (3, 2), 2, Fraction(1, 2))
    by_marginals = by * solve_factored_dual(problem).value
    yield equal(
        "over marginals ≈ over labellings", by_marginals, solve_enumerated_dual(problem.listed()).value, within=1e-6
    )


@factored.control(
    "On a ring it is false: marginals can say that the labels of all three pairs differ, but in the "
    "distribution that two of the pairs determine the third differs with probability {left}, not "
    "{right}.",
    story=True,
)
def ring() -> Found:
    half = Fraction(1, 2)
    apart = np.array([[0, half], [half, 0]], dtype=object)
    distribution = distribution_from_marginals(np.full((3, 2), half, dtype=object), np.array([apart, apart]))
    ends = distribution.reshape(2, 2, 2).sum(axis=1)
    yield equal("probability that the third pair differs = 1", ends[0, 1] + ends[1, 0], 1)


steps = Claim(
    "thm-block-frank-wolfe",
    "upper bound",
    "exact",
    source="lacoste-julien2013",
    where="§5 there, for a sum of losses with the cost C",
    implements=(frank_wolfe, frank_wolfe_bound, frank_wolfe_step),
    formula=(
        Formula("eq-frank-wolfe-bound", frank_wolfe_bound),
        Formula("eq-frank-wolfe-step", frank_wolfe_step),
    ),
)


def small_problem(rng: np.random.Generator) -> EnumeratedProblem:
    """Two examples with a few whole planes each."""
    offsets = [np.array([0, *rng.integers(1, 4, 2)], dtype=object) for _ in range(2)]
    gradients = [np.vstack([np.zeros((1, 2), int), rng.integers(-2, 3, (2, 2))]).astype(object) for _ in range(2)]
    return enumerated_problem(offsets, gradients, Fraction(1, 2))


def optimum(problem: EnumeratedProblem) -> Fraction:
    """The largest dual value, exactly."""
    whole = one_slack(problem)
    return solve_restricted_exactly(whole.gradients[0], whole.offsets[0], whole.C)[1]


def curvature(problem: EnumeratedProblem) -> Scalar:
    """Q, C^2 times the sum of the squared diameters."""
    return problem.C**2 * sum(problem.squared_diameters)


def mean_distances(problem: EnumeratedProblem, n_steps: int, best: Fraction) -> list[Scalar]:
    """The expected distance of the dual value from the best after 0, 1, .. steps: over all sequences of draws."""
    blocks = range(problem.n_blocks)
    runs = [frank_wolfe(problem, draws).duals for draws in itertools.product(blocks, repeat=n_steps)]
    return [sum((best - duals[t] for duals in runs), Fraction(0)) / len(runs) for t in range(n_steps + 1)]


@steps.check("the gaps of all blocks together are primal less dual, along runs, in fractions")
def gaps_add_up(rng: np.random.Generator) -> Found:
    for _ in range(6):
        problem = small_problem(rng)
        run = frank_wolfe(problem, rng.integers(0, 2, 5).tolist())
        gap = problem.primal(problem.weights(run.alpha)) - problem.dual(run.alpha)
        yield equal("P(w(α)) − D(α) = ΣG_i", gap, sum(problem.block_gaps(run.alpha)))
        yield at_least("gap ≥ distance from the optimum", gap, optimum(problem) - run.duals[-1])
        for before, after in itertools.pairwise(run.duals):
            yield at_least("dual value after a step ≥ before", after, before)


@steps.check("the expected distance over all sequences of draws, after up to five steps, in fractions")
def expected_distance(rng: np.random.Generator) -> Found:
    for _ in range(4):
        problem = small_problem(rng)
        distances = mean_distances(problem, 5, optimum(problem))
        for t, distance in enumerate(distances):
            allowed = frank_wolfe_bound(t, 2, curvature(problem), distances[0])
            yield at_most("expected distance ≤ bound", distance, allowed, at=f"t = {t}")


@steps.extremal("features so small that Q is nothing beside the distance: the start, and one step with many examples")
def nothing_but_the_start() -> Found:
    problem = flat_blocks(12, Fraction(1, 1000))
    best, size = optimum_of_axes(problem), curvature(problem)
    start = best - problem.dual(problem.start())
    yield at_most(
        "distance from the optimum ≤ bound", start, frank_wolfe_bound(0, 12, size, start), at="t = 0", statement=True
    )
    # Any of the twelve draws takes the same step.
    after = best - frank_wolfe(problem, [0]).duals[-1]
    yield at_most(
        "distance from the optimum ≤ bound", after, frank_wolfe_bound(1, 12, size, start), at="t = 1", statement=True
    )


def optimum_of_axes(problem: EnumeratedProblem) -> Scalar:
    """Of blocks along different axes each is best by itself: here with all its weight on the rival."""
    return problem.dual([np.array([0, problem.C], dtype=object)] * problem.n_blocks)


@steps.trace("two examples, the step from a point that three draws have reached")
def step_by_step() -> Found:
    problem = small_problem(np.random.default_rng(4))
    run = frank_wolfe(problem, [0, 1, 0])
    best, size, m = optimum(problem), curvature(problem), problem.n_blocks
    h, gaps = best - run.duals[-1], problem.block_gaps(run.alpha)
    yield at_least("sum of the gaps g ≥ distance h", sum(gaps), h)
    after = [best - frank_wolfe(problem, [0, 1, 0, i]).duals[-1] for i in range(m)]
    for fixed in (Fraction(1, 4), Fraction(1, 2), Fraction(1)):
        for i in range(m):
            reached = h - fixed * gaps[i] + fixed**2 * problem.C**2 * problem.squared_diameters[i] / 2
            yield at_most("distance after ≤ h - s g_i + s²Q_i/2", after[i], reached, at=f"s = {fixed}, block {i + 1}")
        mean = sum(after) / m
        yield at_most(
            "mean ≤ (1 - s/m) h + s²Q/2m", mean, (1 - fixed / m) * h + fixed**2 * size / (2 * m), at=f"s = {fixed}"
        )
    for t in range(4):
        s = Fraction(2 * m, t + 2 * m)
        now, then = frank_wolfe_bound(t, m, size, h), frank_wolfe_bound(t + 1, m, size, h)
        yield at_most("(1 - s/m) B_t + s²Q/2m ≤ B_t+1", (1 - s / m) * now + s * s * size / (2 * m), then, at=f"t = {t}")


@steps.strengthened(
    "Ten per cent less is too little: with twelve examples and features close to 0 the distance from "
    "the optimum after one step is {left}, and {right} would be allowed.",
    by=Fraction(9, 10),
)
def smaller_bound(by: Fraction) -> Found:
    problem = flat_blocks(12, Fraction(1, 1000))
    best = optimum_of_axes(problem)
    duals = frank_wolfe(problem, [0]).duals
    allowed = by * frank_wolfe_bound(1, 12, curvature(problem), best - duals[0])
    yield at_most("distance from the optimum ≤ bound", best - duals[-1], allowed, at="t = 1")


@steps.control(
    "The line search is needed: with full steps the dual value of one example swings to and fro, and "
    "after 61 of them it is {left} from the optimum, where the bound has come down to {right}.",
    story=True,
)
def full_steps() -> Found:
    problem = enumerated_problem([np.array([0, 1], dtype=object)], [np.array([[0], [2]], dtype=object)], 1)
    best = optimum(problem)
    run = frank_wolfe(problem, [0] * 61, step="full")
    allowed = frank_wolfe_bound(61, 1, curvature(problem), best - run.duals[0])
    yield at_most("distance from the optimum ≤ bound", best - run.duals[-1], allowed, at="t = 61")
