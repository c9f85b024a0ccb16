"""Bounds on the risk from a margin: by compression, and from the mistakes of the run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.constraint_classification import (
    compression_bound,
    constraint_gaps,
    constraints_from_classes,
    risk_budget,
    risk_budget_limit,
    run_constraints,
    violated_examples,
)
from mcbook.constraint_classification.instances import orthonormal_sample, separable_rankings
from mcbook.constraint_classification.theory.constraints import Constraints
from mcbook.foundation.distributions import FiniteDistribution, uniform_distribution
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.exact import ball
from mcbook.perceptron import mistake_bound, squared_margin

Found = Iterator[Evidence]


# --- distributions on orthonormal atoms, all of the first of two labels: each costs one update, and is wrong until then


def distribution_of_seen(distribution: FiniteDistribution, m: int) -> Iterator[tuple[frozenset[int], Fraction]]:
    """Which atoms a sample of m sees, with probabilities, by inclusion and exclusion."""
    for size in range(1, distribution.n_atoms + 1):
        for seen in itertools.combinations(range(distribution.n_atoms), size):
            terms = [
                (-1) ** (size - len(part))
                * sum((Fraction(distribution.probabilities[a]) for a in part), Fraction(0)) ** m
                for n in range(size + 1)
                for part in itertools.combinations(seen, n)
            ]
            yield frozenset(seen), sum(terms, Fraction(0))


def compression_failure(
    distribution: FiniteDistribution, m: int, delta: Fraction, factor: int | Fraction = 1
) -> Fraction:
    """The exact probability that the risk of the last hypothesis exceeds factor times the bound."""
    failure = Fraction(0)
    for seen, probability in distribution_of_seen(distribution, m):
        risk = sum((Fraction(p) for a, p in enumerate(distribution.probabilities) if a not in seen), Fraction(0))
        if len(seen) < m and ball(risk) > factor * compression_bound(m, len(seen), ball(delta)):
            failure += probability
    return failure


def rare_atoms(n_rare: int, mass: Fraction) -> FiniteDistribution:
    """One atom of the rest, and so many rare ones that share the mass."""
    return FiniteDistribution(rational([1 - mass] + [mass / n_rare] * n_rare))


def learnt_risk(distribution: FiniteDistribution, atoms: tuple[int, ...]) -> tuple[int, Fraction]:
    """Examples with an update, and the risk of the last hypothesis, from a run of the book's algorithm."""
    axes, _ = orthonormal_sample(distribution.n_atoms)
    X = axes[list(atoms)]
    run = run_constraints(X, constraints_from_classes(np.zeros(len(X), dtype=int), 2))
    wrong = violated_examples(run.W, axes, constraints_from_classes(np.zeros(distribution.n_atoms, dtype=int), 2))
    return run.n_updates, distribution.probability(wrong)


# --- by sample compression -------------------------------------------------------------------------------------------

by_compression = Claim(
    "thm-constraint-margin-bound",
    "upper bound",
    "statistical",
    source="roth-cis519",
    where="margin bound slide",
    errata=("E31",),
    implements=(compression_bound, run_constraints),
    formula=Formula("eq-compression-bound", compression_bound, numbers="balls", where="q<m"),
)


@by_compression.check("the last weights follow from the examples that had updates, in the order drawn: rankings")
def the_rest_may_go(rng: np.random.Generator) -> Found:
    for _ in range(15):
        X, constraints = separable_rankings(rng, 3, 3, 20)
        run = run_constraints(X, constraints)
        used = np.unique(constraints.examples[run.pairs])
        kept = np.isin(constraints.examples, used)
        parts = (
            np.searchsorted(used, constraints.examples[kept]),
            constraints.preferred[kept],
            constraints.rivals[kept],
        )
        again = run_constraints(X[used], Constraints(*parts, len(used), 3))
        yield equal("entries of W that differ without the others", int((again.W != run.W).sum()), 0)
        yield equal("examples with a violated pair at the end", int(violated_examples(run.W, X, constraints).sum()), 0)
        limit = mistake_bound(max(x @ x for x in X), smallest_margin(run.W, X, constraints))
        yield at_most("examples with updates ≤ R²/γ(W)²", len(used), limit)


def smallest_margin(W: np.ndarray, X: np.ndarray, constraints: Constraints) -> Fraction:
    """(smallest gap)² / (2 |W|²): the squared margin of W, which the best margin exceeds."""
    gap = constraint_gaps(W, X, constraints).min()
    return Fraction(gap * gap) / (2 * Fraction((W * W).sum()))


@by_compression.check("exact probability of failure on orthonormal atoms, with risks on both sides of the bound")
def failure_on_atoms(rng: np.random.Generator) -> Found:
    for n_rare, m, delta in ((1, 40, Fraction(1, 100)), (3, 60, Fraction(1, 20)), (2, 80, Fraction(1, 1000))):
        bound = compression_bound(m, 1, ball(delta))
        mass = Fraction(int(float(bound) * 1010), 1000)
        distribution = rare_atoms(n_rare, mass)
        yield less_than("bound for one update < risk of that sample", bound, ball(mass))
        failure = compression_failure(distribution, m, delta)
        yield less_than("0 < probability of failure", 0, failure)
        yield at_most("probability of failure ≤ δ", failure, delta)


@by_compression.check("updates and risks of the book's runs are those of the atoms seen")
def runs_are_as_said(rng: np.random.Generator) -> Found:
    distribution = rare_atoms(3, Fraction(1, 3))
    for atoms in itertools.product(range(4), repeat=3):
        n_updates, risk = learnt_risk(distribution, atoms)
        unseen = sum((Fraction(p) for a, p in enumerate(distribution.probabilities) if a not in atoms), Fraction(0))
        yield equal("updates = atoms seen", n_updates, len(set(atoms)))
        yield equal("risk = probability of the atoms not seen", risk, unseen)
    yield from several_constraints_for_each_atom(distribution)


def several_constraints_for_each_atom(distribution: FiniteDistribution) -> Found:
    """Rankings of three labels, and sets of two among three: several constraints for each axis, one example."""
    axes, _ = orthonormal_sample(distribution.n_atoms)
    for name, asked in (("rankings", [(0, 1), (1, 2), (0, 2)]), ("label sets", [(0, 2), (1, 2)])):
        examples, preferred, rivals = np.array([(a, i, j) for a in range(distribution.n_atoms) for i, j in asked]).T
        constraints = Constraints(examples, preferred, rivals, distribution.n_atoms, 3)
        for atoms in itertools.product(range(distribution.n_atoms), repeat=3):
            X, sample = drawn(axes, constraints, atoms)
            run = run_constraints(X, sample)
            wrong = violated_examples(run.W, axes, constraints)
            used = len(np.unique(sample.examples[run.pairs]))
            yield equal("examples with an update = atoms seen", used, len(set(atoms)), at=name)
            unseen = [a not in atoms for a in range(distribution.n_atoms)]
            yield equal("wrong atoms = atoms not seen", int((wrong != unseen).sum()), 0, at=name)


def one_rare_atom(factor: int | Fraction) -> Evidence:
    """m = 10⁶ and δ = 10⁻³⁰⁰: the rare atom's mass is just above factor times the bound, and seen with what is left."""
    m, delta = 10**6, ball(Fraction(1, 10**300))
    mass = factor * compression_bound(m, 1, delta) * ball(Fraction(1_000_001, 1_000_000))
    return at_least("ln(1/Pr[failure]) ≥ ln(1/δ)", -m * (1 - mass).log(), -delta.log(), statement=True)


@by_compression.extremal("one atom of nearly all the mass and a rare one: ln Pr[failure] against ln δ")
def nearly_attained() -> Found:
    yield one_rare_atom(1)
    yield equal("updates on the frequent atom = 1", learnt_risk(rare_atoms(1, Fraction(1, 9)), (0, 0, 0))[0], 1)
    # On orthonormal axes of one label every example gets its update, and all gaps are equal.
    axes, _ = orthonormal_sample(4)
    constraints = constraints_from_classes(np.zeros(4, dtype=int), 2)
    run = run_constraints(axes, constraints)
    used = len(np.unique(constraints.examples[run.pairs]))
    limit = mistake_bound(1, smallest_margin(run.W, axes, constraints))
    yield equal("examples with updates = R²/γ(W)²", used, limit, at="orthonormal axes")


@by_compression.trace("three atoms, a sample of five")
def proof_on_three_atoms() -> Found:
    distribution, m, delta = rare_atoms(2, Fraction(2, 5)), 5, Fraction(1, 10)
    axes, _ = orthonormal_sample(3)
    X = axes[[0, 1, 0, 0, 1]]
    run = run_constraints(X, constraints_from_classes(np.zeros(m, dtype=int), 2))
    q = len(np.unique(run.pairs))
    gamma2 = squared_margin(run.W, axes[:2], np.zeros(2, dtype=int))
    yield at_most("1. q ≤ R²/γ²", q, mistake_bound(1, gamma2))
    again = run_constraints(X[:2], constraints_from_classes(np.zeros(2, dtype=int), 2))
    yield equal("2. entries of W that the other examples change", int((again.W != run.W).sum()), 0)
    bound = compression_bound(m, q, ball(delta))
    risk = Fraction(distribution.probabilities[2])
    yield at_most(
        "3. Pr[3 fresh examples agree] ≤ e^(−3 · risk)", ball(1 - risk) ** (m - q), (-ball(risk) * (m - q)).exp()
    )
    value = comb(m, q) * (-bound * (m - q)).exp()
    yield equal("4. subsets times e^(−(m − q) bound) ≈ δ/m", value, delta / m, within=1e-12)
    total = sum(comb(m, s) * (-compression_bound(m, s, ball(delta)) * (m - s)).exp() for s in range(m))
    yield equal("5. sum over all q below m ≈ δ", total, delta, within=1e-12)


@by_compression.strengthened(
    r"Five per cent less is too little: with one frequent atom and a rare one $\ln\frac1p$ for the probability $p$ of "
    r"a failure is {left}, below $\ln\frac1\delta$, which is {right}.",
    by=Fraction(19, 20),
)
def a_smaller_bound(factor: Fraction) -> Found:
    assert learnt_risk(rare_atoms(1, Fraction(1, 9)), (0, 0))[0] == 1, "one atom costs one update"
    yield one_rare_atom(ball(Fraction(factor)))


@by_compression.control(
    r"The margin must be measured with $\lVert v\rVert=1$: with ten times that $v$ the bound on the "
    "updates would be {right}, but the Perceptron makes {left}."
)
def without_normalisation() -> Found:
    X, y = orthonormal_sample(4)
    run = run_constraints(X, constraints_from_classes(y, 2))
    v = 10 * run.W
    gap = int(constraint_gaps(v, X, constraints_from_classes(y, 2)).min())
    # √2 γ is read as the smallest gap itself.
    yield at_most("updates ≤ 2 R² / (smallest gap)²", run.n_updates, Fraction(2, gap * gap))


# --- without a logarithm ---------------------------------------------------------------------------------------------

online = Claim(
    "thm-online-margin-bound",
    "upper bound",
    "exact",
    source=("roth-cis519", "cesa-bianchi2008"),
    where="margin bound slide; constants and Poisson form not in the sources",
    errata=("E31",),
    implements=(risk_budget, risk_budget_limit, run_constraints),
    formula=Formula(
        "eq-risk-budget-limit",
        risk_budget_limit,
        numbers="balls",
        arguments={"log_chance": r"\ln\frac1\delta", "mistake_bound": "B"},
    ),
)


def risk_sums(distribution: FiniteDistribution, m: int) -> dict[Fraction, Fraction]:
    """The exact distribution of the sum of the risks of the m hypotheses, on atoms of which each costs one update.

    A state is how many atoms of each mass have been seen, with the sum so far; all in whole multiples of a common unit.
    """
    whole = lcm(*(Fraction(p).denominator for p in distribution.probabilities))
    units = [int(p * whole) for p in distribution.probabilities]
    masses = sorted(set(units))
    totals = [units.count(mass) for mass in masses]
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(0 for _ in masses), 0): 1}
    for _ in range(m):
        following: dict[tuple[tuple[int, ...], int], int] = {}
        for (seen, total), weight in states.items():
            fresh = [(t - s) * mass for t, s, mass in zip(totals, seen, masses, strict=True)]
            risk = sum(fresh)
            moves = [(seen, whole - risk)]
            moves += [(tuple(s + (i == j) for i, s in enumerate(seen)), p) for j, p in enumerate(fresh)]
            for now, chance in moves:
                if chance:
                    key = (now, total + risk)
                    following[key] = following.get(key, 0) + weight * chance
        states = following
    sums: dict[Fraction, Fraction] = {}
    for (_, total), weight in states.items():
        value = Fraction(total, whole)
        sums[value] = sums.get(value, Fraction(0)) + Fraction(weight, whole**m)
    return sums


def run_risks(
    distribution: FiniteDistribution, X: np.ndarray, constraints: Constraints, atoms: tuple[int, ...]
) -> tuple[list[Fraction], int]:
    """The risks p_1 … p_m of the hypotheses along one pass over these atoms, and the examples with an update."""
    risks, used = [], 0
    W = np.zeros((constraints.n_classes, X.shape[1]), dtype=object)
    for t in range(len(atoms)):
        wrong = violated_examples(W, X, constraints)
        risks.append(distribution.probability(wrong))
        used += int(wrong[atoms[t]])
        W = run_constraints(*drawn(X, constraints, atoms[: t + 1]), max_epochs=1).W
    return risks, used


def drawn(X: np.ndarray, constraints: Constraints, atoms: tuple[int, ...]) -> tuple[np.ndarray, Constraints]:
    """The sample of these atoms."""
    pairs = [(t, i, j) for t, a in enumerate(atoms) for i, j in constraints.of(a)]
    examples, preferred, rivals = np.array(pairs).T
    return X[list(atoms)], Constraints(examples, preferred, rivals, len(atoms), constraints.n_classes)


@online.check("rankings on three atoms, all sequences: E Σ p_t = E (examples with an update) ≤ R²/γ²")
def all_sequences(rng: np.random.Generator) -> Found:
    X, constraints = separable_rankings(rng, 3, 2, 3)
    distribution, m = FiniteDistribution(rational([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])), 4
    W = run_constraints(X, constraints).W
    limit = mistake_bound(max(x @ x for x in X), smallest_margin(W, X, constraints))
    mean_risk, mean_used = Fraction(0), Fraction(0)
    for atoms, probability in distribution.sequences(m):
        risks, used = run_risks(distribution, X, constraints, atoms)
        yield at_most("examples with an update ≤ R²/γ²", used, limit)
        mean_risk += probability * sum(risks)
        mean_used += probability * used
    yield equal("E Σ p_t = E of the examples with an update", mean_risk, mean_used)


@online.check("exact probability that Σ p_t exceeds P, on equal and on rare atoms: positive, and at most δ")
def exact_failure(rng: np.random.Generator) -> Found:
    cases = [
        (uniform_distribution(4), 25, Fraction(1, 5)),
        (uniform_distribution(3), 30, Fraction(1, 50)),
        (rare_atoms(2, Fraction(1, 4)), 30, Fraction(1, 10)),
    ]
    for distribution, m, delta in cases:
        budget = risk_budget(distribution.n_atoms, delta)
        sums = risk_sums(distribution, m)
        yield equal("total probability = 1", sum(sums.values(), Fraction(0)), 1)
        failure = sum((p for total, p in sums.items() if float(total) > budget), Fraction(0))
        yield less_than("0 < probability of failure", 0, failure)
        yield at_most("probability of failure ≤ δ", failure, delta)


@online.check("P solves its equation, is above B, and at most its closed form")
def budget_and_limit(rng: np.random.Generator) -> Found:
    for B, delta in itertools.product((1, 5, 100, 10**6), (Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**9))):
        P, L = ball(risk_budget(B, delta)), -ball(delta).log()
        yield less_than("B < P", B, P, at=f"B = {B}")
        missed = P - B - B * (P / B).log() - L
        yield at_most("|P − B − B ln(P/B) − ln(1/δ)| ≤ P/10⁹", abs(missed), P / 10**9)
        yield at_most("P ≤ closed form", P, risk_budget_limit(B, L), at=f"B = {B}")
        if B == 10**6:
            yield at_least("P ≥ 0.9999 of the closed form", P, risk_budget_limit(B, L) * 9999 / 10000, at=f"B = {B}")


@online.extremal("N equal atoms: E Σ p_t = N (1 − (1 − 1/N)^m), which comes up to B = N")
def the_mean_is_attained() -> Found:
    for n in (1, 2, 3):
        m = 16 * n
        mean = sum((total * p for total, p in risk_sums(uniform_distribution(n), m).items()), Fraction(0))
        yield equal("E Σ p_t = N (1 − (1 − 1/N)^m)", mean, n * (1 - (1 - Fraction(1, n)) ** m), at=f"N = {n}")
        X, y = orthonormal_sample(n)
        W = run_constraints(X, constraints_from_classes(y, 2)).W
        yield at_most("E Σ p_t ≤ B", mean, mistake_bound(1, squared_margin(W, X, y)), at=f"N = {n}", statement=True)


@online.trace("two atoms, a sample of three")
def proof_on_two_atoms() -> Found:
    distribution, m, B, delta = uniform_distribution(2), 3, 2, Fraction(1, 10)
    X, y = orthonormal_sample(2)
    constraints = constraints_from_classes(y, 2)
    P = ball(risk_budget(B, delta))
    rate = (P / B).log()
    expected = ball(0)
    for atoms, probability in distribution.sequences(m):
        risks, used = run_risks(distribution, X, constraints, atoms)
        yield at_most("1. updates ≤ B", used, B, at=f"atoms {atoms}")
        exponent = -rate * used + (1 - (-rate).exp()) * ball(sum(risks, Fraction(0)))
        expected += ball(probability) * exponent.exp()
    for p in (Fraction(1), Fraction(1, 2)):
        share = 1 - (-rate).exp()
        yield at_most(
            "2. E e^(−λM + (1 − e^(−λ)) p) ≤ 1",
            (1 - ball(p) * share) * (ball(p) * share).exp(),
            ball(1),
            at=f"one step, p = {p}",
        )
    yield at_most("3. E of the product over the steps ≤ 1", expected, ball(1))
    yield equal("4. λ B + L ≈ P (1 − e^(−λ))", rate * B - ball(delta).log(), P * (1 - (-rate).exp()), within=1e-9)
    yield at_most("5. P ≤ closed form", P, risk_budget_limit(B, -ball(delta).log()))


@online.control(
    r"The square root cannot be left out: with four rare atoms $\sum_tp_t$ exceeds $B+\ln\frac1\delta$ "
    "with probability {left}, not at most {right}."
)
def without_the_root() -> Found:
    delta, m = Fraction(1, 20), 90
    distribution = rare_atoms(4, Fraction(1, 4))
    failure = sum(
        (p for total, p in risk_sums(distribution, m).items() if float(total) > 5 - float(ball(delta).log())),
        Fraction(0),
    )
    assert risk_budget(5, delta) > 8, "the budget is above B + ln(1/δ)"
    yield at_most("probability of failure ≤ δ", failure, delta)


@online.control(
    r"The examples must be drawn independently: if one of four equal atoms is drawn and then shown forty times, "
    r"$\sum_tp_t$ is {left}, and $P$ for $\delta=\frac1{20}$ is {right}."
)
def one_draw_forty_times() -> Found:
    X, y = orthonormal_sample(4)
    risks, _ = run_risks(uniform_distribution(4), X, constraints_from_classes(y, 2), (0,) * 40)
    yield at_most("Σ p_t ≤ P", sum(risks, Fraction(0)), ball(risk_budget(4, Fraction(1, 20))))


@online.strengthened(
    r"One per cent less than $B/m$ is too little for the mean risk: on two equal atoms the mean of $\sum_tp_t$ is, "
    "up to rounding, {left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def a_smaller_mean(factor: Fraction) -> Found:
    mean = sum((total * p for total, p in risk_sums(uniform_distribution(2), 32).items()), Fraction(0))
    X, y = orthonormal_sample(2)
    yield at_most("E Σ p_t ≤ B", mean, factor * run_constraints(X, constraints_from_classes(y, 2)).n_updates)
