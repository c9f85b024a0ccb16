"""Cutting planes: what the run ends with, and how many planes it takes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.structured_margins import (
    EnumeratedProblem,
    cut_planes,
    enumerated_problem,
    one_slack,
    orthogonal_planes,
    planes_bound,
    planes_needed,
    rounds_bound,
    solve_enumerated,
)
from mcbook.structured_margins.algorithm.cutting import SingleSlackOracle
from mcbook.structured_margins.instances import random_problem
from mcbook.structured_margins.theory import Rescaling, fewer_rounds_bound

Found = Iterator[Evidence]
RESCALINGS: tuple[Rescaling, ...] = ("margin", "slack")
# C, R, Delta, epsilon.
PARAMETERS = (
    (Fraction(1), Fraction(1), Fraction(1), Fraction(1, 12)),
    (Fraction(2), Fraction(1), Fraction(3), Fraction(1, 5)),
    (Fraction(1, 2), Fraction(2), Fraction(5), Fraction(3, 20)),
    (Fraction(3), Fraction(1, 2), Fraction(1), Fraction(1, 10)),
    (Fraction(1), Fraction(1), Fraction(40), Fraction(1, 3)),
)


# --- n slacks --------------------------------------------------------------------------------------------------------

training = Claim(
    "alg-cutting-planes",
    "existence",
    "certified",
    source=("mohri2018", "tsochantaridis2005"),
    where="§9.5; the number of steps is Theorem 18 of the latter",
    implements=(cut_planes, rounds_bound),
    formula=Formula("eq-rounds-bound", rounds_bound),
)


@training.check(
    "chains of three positions and three labels, 27 labellings: against the certified full quadratic program"
)
def ends_within_epsilon(rng: np.random.Generator) -> Found:
    for rescaling in RESCALINGS:
        problem = random_problem(rng, (3, 3), 3, Fraction(1, 4), rescaling=rescaling)
        listed, epsilon = problem.listed(), Fraction(1, 10)
        run, full = cut_planes(problem, epsilon, exact=True), solve_enumerated(listed).value
        yield at_most("value of the run's planes ≤ full optimum", run.dual, full)
        yield at_most("full optimum ≤ value with every slack raised", full, run.dual + problem.C * 2 * epsilon)
        yield at_most("largest violation ≤ ε", run.history[-1].violation, epsilon)
        point = listed.primal(run.last)
        yield at_most(
            "primal value of the last point ≤ value with every slack raised", point, run.dual + problem.C * 2 * epsilon
        )
        sizes = (problem.C, 2, listed.largest_offset, listed.squared_radius, epsilon)
        yield at_most("rounds ≤ bound", run.n_rounds, rounds_bound(*sizes))
        yield at_most("rounds ≤ bound of first order", run.n_rounds, fewer_rounds_bound(*sizes))


@training.check("the same optimum is found with a slack for each example and with a single one")
def one_or_many_slacks(rng: np.random.Generator) -> Found:
    for rescaling in RESCALINGS:
        problem = random_problem(rng, (2, 1, 2), 2, Fraction(1, 3), rescaling=rescaling)
        each, epsilon = cut_planes(problem, Fraction(1, 50), exact=True), Fraction(1, 50)
        single = cut_planes(SingleSlackOracle(problem), 3 * epsilon, exact=True)
        for lower, upper in itertools.product((each.dual, single.dual), (each.primal, single.primal)):
            yield at_most("value of the planes ≤ primal value", lower, upper)
        yield at_most("distance of the values ≤ 3Cε", single.primal - each.dual, problem.C * 3 * epsilon)


@training.strengthened(
    "A seventeenth of $16CmR^2/\\varepsilon$ is too little: with one example, $C=R=\\Delta=1$ and "
    "$\\varepsilon=\\frac1{12}$ a run adds {left} planes, and {right} would be allowed.",
    by=Fraction(1, 17),
)
def fewer_rounds(by: Fraction) -> Found:
    C, R, most, epsilon = PARAMETERS[0]
    run = cut_planes(orthogonal_planes(C, R, most, planes_needed(C, R * R, epsilon) + 1), epsilon, exact=True)
    allowed = fewer_rounds_bound(C, 1, most, R * R, epsilon)
    yield at_most("rounds that add a plane ≤ bound", run.n_planes, by * allowed)


@training.strengthened(
    "The run does not end with a violation of $\\varepsilon/10^4$: with planes along twelve axes and "
    "$\\varepsilon=\\frac1{10}$ the largest violation is {left}, and {right} would be allowed.",
    by=Fraction(1, 10**4),
)
def no_violation_left(by: Fraction) -> Found:
    problem = orthogonal_planes(Fraction(1), Fraction(1), Fraction(1), 12)
    epsilon = Fraction(1, 10)
    yield at_most("largest violation ≤ ε", cut_planes(problem, epsilon, exact=True).history[-1].violation, by * epsilon)


@training.control(
    "The slack has to be raised: with $\\varepsilon=\\frac1{10}$ the run leaves a plane that is violated "
    "by {left}, not by {right}.",
    story=True,
)
def slacks_not_raised() -> Found:
    run = cut_planes(orthogonal_planes(Fraction(1), Fraction(1), Fraction(1), 12), Fraction(1, 10), exact=True)
    yield at_most("largest violation ≤ 0", run.history[-1].violation, 0)


@training.control(
    "A single added plane is not enough: with planes along twelve axes the next violation is {left}, "
    "more than $\\varepsilon$, which is {right}.",
)
def one_round() -> Found:
    problem = orthogonal_planes(Fraction(1), Fraction(1), Fraction(1), 12)
    run = cut_planes(problem, Fraction(1, 10), exact=True, max_rounds=2)
    yield at_most("largest violation ≤ ε", run.history[-1].violation, Fraction(1, 10))


# --- one slack -------------------------------------------------------------------------------------------------------

counting = Claim(
    "thm-one-slack-planes",
    "upper bound",
    "exact",
    source=("joachims2009", "teo2010"),
    where=(
        "this book; the upper bounds are theirs, that the order is necessary is shown by Zhang, Saha and Vishwanathan"
    ),
    implements=(planes_bound, planes_needed, cut_planes),
    formula=(
        Formula("eq-planes-bound", planes_bound, where=r"\varepsilon\le4CR^2", n_draws=200),
        Formula("eq-planes-needed", planes_needed),
        Formula("eq-planes-needed-gap", planes_needed, fixed={"rule": "gap"}),
    ),
)


def small_problem(rng: np.random.Generator) -> EnumeratedProblem:
    """Two examples with four whole planes each, under a single slack."""
    offsets = [np.array([0, *rng.integers(1, 5, 3)], dtype=object) for _ in range(2)]
    gradients = [np.vstack([np.zeros((1, 3), int), rng.integers(-2, 3, (3, 3))]).astype(object) for _ in range(2)]
    return one_slack(enumerated_problem(offsets, gradients, Fraction(1, 2)))


@counting.check("random planes under both rules, every restricted optimum exact")
def planes_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(5):
        problem = small_problem(rng)
        for epsilon in (Fraction(1, 2), Fraction(1, 20)):
            for rule in ("violation", "gap"):
                made = cut_planes(problem, epsilon, rule=rule, exact=True).n_planes
                size = (problem.C, problem.squared_radius, problem.largest_offset, epsilon)
                yield at_most("planes ≤ bound", made, planes_bound(*size, rule), at=f"rule of the {rule}")


@counting.check("planes along different axes need exactly as many as stated, under both rules")
def orthogonal_instances(rng: np.random.Generator) -> Found:
    for C, R, most, epsilon in PARAMETERS:
        for rule in ("violation", "gap"):
            needed = planes_needed(C, R * R, epsilon, rule)
            problem = orthogonal_planes(C, R, most, planes_needed(C, R * R, epsilon) + 1)
            run = cut_planes(problem, epsilon, rule=rule, exact=True)
            yield equal("planes = planes needed", run.n_planes, needed, at=f"ε = {epsilon}, rule of the {rule}")


@counting.extremal("the fewest planes that are known to be needed: a sixteenth of the bound")
def sixteenth() -> Found:
    for C, R, most, epsilon in PARAMETERS[:3]:
        problem = orthogonal_planes(C, R, most, planes_needed(C, R * R, epsilon) + 1)
        made = cut_planes(problem, epsilon, exact=True).n_planes
        yield at_most(
            "planes ≤ bound", made, planes_bound(C, R * R, most, epsilon), at=f"ε = {epsilon}", statement=True
        )


@counting.trace("ten planes along different axes, C = R = Δ = 1 and ε = 1/10")
def run_line_by_line() -> Found:
    problem, epsilon = orthogonal_planes(Fraction(1), Fraction(1), Fraction(1), 11), Fraction(1, 10)
    run = cut_planes(problem, epsilon, exact=True)
    Q = 4 * problem.C**2 * problem.squared_radius
    best = cut_planes(problem, Fraction(1, 1000), exact=True).dual
    for t, (now, then) in enumerate(itertools.pairwise(run.history)):
        gap = problem.C * now.violation
        yield equal("C times the violation = P(w) - D", gap, now.primal - now.dual, at=f"{t} planes")
        gain = gap**2 / (2 * Q) if gap < Q else gap / 2
        yield at_least("rise of D ≥ G²/2Q or G/2", then.dual - now.dual, gain, at=f"{t} planes")
        yield at_most("distance of D from the optimum ≤ G", best - now.dual, gap, at=f"{t} planes")
    yield at_most("violation at the end ≤ ε", run.history[-1].violation, epsilon)
    yield at_most("planes ≤ bound", run.n_planes, planes_bound(1, 1, 1, epsilon))


@counting.strengthened(
    "A seventeenth of the bound is too little: with $C=R=\\Delta=1$ and $\\varepsilon=\\frac1{12}$ planes "
    "along different axes need {left} rounds, and {right} would be allowed.",
    by=Fraction(1, 17),
)
def seventeenth(by: Fraction) -> Found:
    C, R, most, epsilon = PARAMETERS[0]
    problem = orthogonal_planes(C, R, most, planes_needed(C, R * R, epsilon) + 1)
    made = cut_planes(problem, epsilon, exact=True).n_planes
    yield at_most("planes ≤ bound", made, by * planes_bound(C, R * R, most, epsilon))


@counting.control(
    "One plane fewer than $CR^2/\\varepsilon$ is not enough: with $C=R=1$ and $\\varepsilon=\\frac1{12}$ a "
    "run adds {left}, and after {right} some plane is still violated by more than $\\varepsilon$.",
    story=True,
)
def one_plane_fewer() -> Found:
    C, R, most, epsilon = PARAMETERS[0]
    needed = planes_needed(C, R * R, epsilon)
    run = cut_planes(orthogonal_planes(C, R, most, needed + 1), epsilon, exact=True)
    yield at_most("planes ≤ planes needed - 1", run.n_planes, needed - 1)


@counting.control(
    "The rule of the gap does not need as many planes: on the instance on which the rule of the "
    "violation needs more than {left}, it adds {right}.",
)
def rules_alike() -> Found:
    C, R, most, epsilon = PARAMETERS[0]
    problem = orthogonal_planes(C, R, most, planes_needed(C, R * R, epsilon) + 1)
    by_gap = cut_planes(problem, epsilon, rule="gap", exact=True).n_planes
    yield less_than(
        "planes needed by the violation - 1 < planes by the gap", planes_needed(C, R * R, epsilon) - 1, by_gap
    )
