"""Both ways of letting the loss rescale the margin: what they bound, what finds their maxima, and how they compare."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_sign
from mcbook.foundation.types import Array
from mcbook.structured import Scores, hamming_cost, margin_rescaled
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured_margins import (
    ScoredChain,
    cut_planes,
    hidden_chain,
    loss_multiples,
    mixed_difference,
    most_violated_margin,
    most_violated_slack,
    multiclass_problem,
    slack_rescaled,
    solve_enumerated,
)
from mcbook.structured_margins.instances import random_chain, tied_chain
from mcbook.svm import noisy_sample
from mcbook.svm_solvers import solve_multiclass

Found = Iterator[Evidence]


def small_chains(rng: np.random.Generator, count: int) -> Iterator[ScoredChain]:
    """Chains of one to four positions with two or three labels, whole scores."""
    for _ in range(count):
        yield random_chain(rng, int(rng.integers(1, 5)), int(rng.integers(2, 4)))


def losses_of(chain: ScoredChain, cost: Array) -> np.ndarray:
    """L(y, z) of all labellings z."""
    Y, _, _ = chain.cloud()
    return np.array([cost[chain.y, z].sum() for z in Y], dtype=object)


# --- the multi-class SVM -----------------------------------------------------------------------------------------

special_case = Claim(
    "prp-joint-features-contain-multiclass",
    "equivalence",
    "certified",
    source="mohri2018",
    where="§9.5, (9.20)–(9.21)",
    implements=(multiclass_problem, cut_planes),
    no_formula="an equivalence of two problems",
)


@special_case.check("certified optima of both problems, and of both rescalings, which are the same for unit losses")
def same_optima(rng: np.random.Generator) -> Found:
    for k, m in ((2, 6), (3, 9), (4, 12)):
        X, y = noisy_sample(rng, k, 2, m)
        svm = solve_multiclass_svm(X.astype(float), y, k, 0.25)
        for rescaling in ("margin", "slack"):
            ours = solve_enumerated(multiclass_problem(X, y, k, 0.25, rescaling))
            yield equal("structured optimum ≈ multi-class optimum", ours.value, svm.value, within=1e-6)


@special_case.check("cutting planes and the multi-class solver: values that bracket the same optimum within 1e-9")
def same_to_nine_digits(rng: np.random.Generator) -> Found:
    for k, m in ((3, 9), (5, 15)):
        X, y = noisy_sample(rng, k, 3, m)
        found = solve_multiclass(X.astype(float), y, k, 0.1, tol=1e-12)
        run = cut_planes(multiclass_problem(X, y, k, 0.1).as_floats(), 1e-11)
        for ours in (run.primal, run.dual):
            yield holds(
                "distance from the multi-class optimum ≤ 10⁻⁹ of it",
                abs(float(ours - found.primal)) <= 1e-9 * found.primal,
                Tier.CERTIFIED,
            )


@special_case.strengthened(
    "Both have to ask for the same margin: with 1.01 in place of 1 the structured optimum is {left}, "
    "and that of the multi-class SVM is {right}.",
    by=Fraction(101, 100),
)
def wider_margin(by: Fraction) -> Found:
    X, y = noisy_sample(np.random.default_rng(1), 3, 2, 8)
    problem = multiclass_problem(X, y, 3, Fraction(1, 4))
    scaled = solve_enumerated(problem.with_offsets([by * b for b in problem.offsets]))
    yield equal(
        "structured optimum ≈ multi-class optimum",
        scaled.value,
        solve_multiclass_svm(X.astype(float), y, 3, 0.25).value,
        within=1e-6,
    )


@special_case.control(
    "The joint features have to know the label: with $\\Psi(x,y)=x$ the structured optimum is {left}, "
    "and that of the multi-class SVM is {right}.",
)
def features_without_the_label() -> Found:
    X, y = noisy_sample(np.random.default_rng(2), 3, 2, 8)
    problem = multiclass_problem(X, y, 3, Fraction(1, 4))
    blind = solve_enumerated(problem.with_gradients([0 * G for G in problem.gradients]))
    yield equal(
        "structured optimum ≈ multi-class optimum",
        blind.value,
        solve_multiclass_svm(X.astype(float), y, 3, 0.25).value,
        within=1e-6,
    )


# --- margin rescaling ------------------------------------------------------------------------------------------------

margin = Claim(
    "prp-margin-rescaling",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.5, (9.22)",
    errata=("E24", "E47"),
    implements=(margin_rescaled, most_violated_margin),
    formula=Formula("eq-margin-rescaled", margin_rescaled),
)


@margin.check("random chains: at least the loss of every highest-scoring labelling, y_i among the labels or not")
def margin_bounds_the_loss(rng: np.random.Generator) -> Found:
    for chain in small_chains(rng, 60):
        _, errors, leads = chain.cloud()
        value, rivals = margin_rescaled(errors, leads), errors > 0
        for loss in errors[leads == leads.min()]:
            yield at_least("MR(w) ≥ loss", value, loss)
        yield equal("MR(w) over the wrong labellings = over all", margin_rescaled(errors[rivals], leads[rivals]), value)


@margin.check("Viterbi with the loss added against all labellings, Hamming loss and random costs")
def viterbi_with_the_loss(rng: np.random.Generator) -> Found:
    for chain in small_chains(rng, 60):
        k = chain.scores.E.shape[1]
        cost = rng.integers(0, 6, (k, k)).astype(object)
        np.fill_diagonal(cost, 0)
        for table in (hamming_cost(k).astype(int).astype(object), cost):
            found = most_violated_margin(chain.scores, chain.forest, chain.y, table)
            _, _, leads = chain.cloud()
            value = margin_rescaled(losses_of(chain, table), leads)
            yield equal("value found = largest of all", found.values[0], value)


@margin.extremal("equality where all scores are equal, for every length and number of labels tried")
def margin_attained() -> Found:
    for length in range(1, 6):
        for k in (2, 3):
            _, errors, leads = tied_chain(length, k).cloud()
            yield at_least(
                "MR(w) ≥ largest loss of a best labelling",
                margin_rescaled(errors, leads),
                errors.max(),
                statement=True,
            )


@margin.strengthened(
    "One per cent more is too much: on a chain of three positions with equal scores $\\mathrm{MR}(w)$ is "
    "{left}, and 1.01 times the loss would be {right}.",
    by=Fraction(101, 100),
    story=True,
)
def margin_bounds_more(by: Fraction) -> Found:
    _, errors, leads = tied_chain(3, 2).cloud()
    yield at_least("MR(w) ≥ 1.01 × loss", margin_rescaled(errors, leads), by * errors.max())


@margin.control(
    "The loss has to be added to the scores: without it Viterbi's algorithm finds a labelling of value "
    "{left} on the chain with the hidden labelling, and the largest value is {right}.",
)
def viterbi_without_the_loss() -> Found:
    chain = hidden_chain()
    plain = most_violated_margin(chain.scores, chain.forest, chain.y, 0 * hamming_cost(2).astype(object))
    _, errors, leads = chain.cloud()
    yield equal("value found = largest of all", plain.labels.sum() + plain.values[0], margin_rescaled(errors, leads))


@margin.control(
    "The right label has to be the first argument of an asymmetric loss: with the two exchanged the "
    "maximum is {left}, and the loss is {right}.",
)
def arguments_exchanged() -> Found:
    # Calling label 0 by the name 1 costs 5, the reverse 1; all scores are equal.
    cost, chain = np.array([[0, 5], [1, 0]], dtype=object), tied_chain(1, 2)
    found = most_violated_margin(chain.scores, chain.forest, chain.y, cost.T)
    yield at_least("largest L(y, y_i) - m ≥ loss L(y_i, y)", found.values[0], cost[0, 1])


# --- slack rescaling -------------------------------------------------------------------------------------------------

slack = Claim(
    "prp-slack-rescaling",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.5, (9.23)",
    errata=("E24", "E47"),
    implements=(slack_rescaled, most_violated_slack, loss_multiples, mixed_difference),
    formula=Formula("eq-slack-rescaled", slack_rescaled),
)


@slack.check("random chains: at least the loss of every highest-scoring labelling")
def slack_bounds_the_loss(rng: np.random.Generator) -> Found:
    for chain in small_chains(rng, 60):
        _, errors, leads = chain.cloud()
        for loss in errors[leads == leads.min()]:
            yield at_least("SR(w) ≥ loss", slack_rescaled(errors, leads), loss)


@slack.check("Viterbi with counted errors against all labellings, in fractions and in floats")
def counted_errors(rng: np.random.Generator) -> Found:
    for chain in small_chains(rng, 60):
        _, errors, leads = chain.cloud()
        value, each_one = slack_rescaled(errors, leads), hamming_cost(chain.scores.E.shape[1])
        found = most_violated_slack(chain.scores, chain.forest, chain.y, each_one)
        yield equal("value found = largest of all", found.values[0], value)
        compiled = Scores(*(np.asarray(table, dtype=float) for table in chain.scores))
        floats = most_violated_slack(compiled, chain.forest, chain.y, each_one)
        yield equal("compiled = in fractions", int(floats.values[0]), value)


@slack.check("trees and costs that are multiples of a third, against all labellings, in fractions and in floats")
def counted_costs(rng: np.random.Generator) -> Found:
    for _ in range(20):
        n, k = int(rng.integers(1, 5)), int(rng.integers(2, 4))
        given = random_chain(rng, n, k)
        tree = ScoredChain(given.scores, rooted_trees([[-1, *(int(rng.integers(0, t)) for t in range(1, n))]]), given.y)
        Y, _, leads = tree.cloud()
        cost = as_integers(rng.integers(0, 4, (k, k))) * Fraction(1, 3)
        np.fill_diagonal(cost, 0)
        losses = np.array([cost[tree.y, z].sum() for z in Y], dtype=object)
        value = slack_rescaled(losses, leads)
        yield equal("value found = largest of all", most_violated_slack(*tree, cost).values[0], value)
        compiled = Scores(*(np.asarray(table, dtype=float) for table in tree.scores))
        floats = most_violated_slack(compiled, tree.forest, tree.y, cost.astype(float)).values[0]
        yield equal("compiled = in fractions", Fraction(float(floats)).limit_denominator(3), value)


@slack.check("the hidden labelling: no multiple of the loss makes Viterbi find it, and L (1 - m) is no sum of terms")
def hidden_labelling(rng: np.random.Generator) -> Found:
    chain = hidden_chain()
    _, errors, leads = chain.cloud()
    values = errors * (1 - leads)
    best = values.tolist().index(values.max())
    least, largest = loss_multiples(errors, leads, best)
    yield equal("labellings with the largest value = 1", int((values == values.max()).sum()), 1)
    yield less_than("largest multiple c < least multiple c", largest, least)
    table = values.reshape(2, 2, 2)
    yield less_than("mixed difference of L (1 - m) at the ends < 0", mixed_difference(table), 0)
    yield equal("mixed difference of L - m at the ends = 0", mixed_difference((errors - leads).reshape(2, 2, 2)), 0)


@slack.extremal("equality where all scores are equal, for every length and number of labels tried")
def slack_attained() -> Found:
    for length in range(1, 6):
        for k in (2, 3):
            _, errors, leads = tied_chain(length, k).cloud()
            yield at_least(
                "SR(w) ≥ largest loss of a best labelling",
                slack_rescaled(errors, leads),
                errors.max(),
                statement=True,
            )


@slack.strengthened(
    "One per cent more is too much: on a chain of three positions with equal scores $\\mathrm{SR}(w)$ is "
    "{left}, and 1.01 times the loss would be {right}.",
    by=Fraction(101, 100),
)
def slack_bounds_more(by: Fraction) -> Found:
    _, errors, leads = tied_chain(3, 2).cloud()
    yield at_least("SR(w) ≥ 1.01 × loss", slack_rescaled(errors, leads), by * errors.max())


@slack.control(
    "Viterbi's algorithm with the loss added does not solve slack rescaling: on the chain with the "
    "hidden labelling it finds a labelling of value {left}, and the largest value is {right}.",
    story=True,
)
def viterbi_for_slack() -> Found:
    chain = hidden_chain()
    _, errors, leads = chain.cloud()
    found = most_violated_margin(chain.scores, chain.forest, chain.y, hamming_cost(2).astype(int).astype(object))
    lead = found.losses[0] - found.values[0]
    yield equal("value found = largest of all", found.losses[0] * (1 - lead), slack_rescaled(errors, leads))


# --- one against the other -------------------------------------------------------------------------------------------

comparison = Claim(
    "prp-margin-against-slack",
    "upper bound",
    "exact",
    source="tsochantaridis2005",
    where="this book; both ways of rescaling are theirs",
    implements=(margin_rescaled, slack_rescaled),
    no_formula="both sides are the maxima of the two propositions before it, whose formulas are tested there",
)


@comparison.check("each label's inequality for all losses from 1 to Λ and all leads, by algebra")
def termwise(rng: np.random.Generator) -> Found:
    import sympy

    p, q, r, t = sympy.symbols("p q r t", nonnegative=True)
    L, most = 1 + p, 1 + p + q
    inside = r / (1 + r)  # a lead from 0 to 1
    yield proved("0 ≤ m < 1: L(1 - m) ≤ Λ(L - m)", prove_sign(most * (L - inside) - L * (1 - inside)))
    yield proved("m < 0: L(1 + |m|) ≤ Λ(L + |m|)", prove_sign(most * (L + t) - L * (1 + t)))
    yield proved("0 ≤ m < 1: L - Λm ≤ ΛL(1 - m)", prove_sign(most * L * (1 - inside) - (L - most * inside)))
    yield proved("m < 0: L + Λ|m| ≤ ΛL(1 + |m|)", prove_sign(most * L * (1 + t) - (L + most * t)))
    yield proved("m ≥ 1: 0 ≥ L - Λm", prove_sign(most * (1 + t) - L))


@comparison.check("random rational losses and leads of up to six rivals, and constant losses")
def maxima(rng: np.random.Generator) -> Found:
    for _ in range(150):
        n = int(rng.integers(1, 7))
        losses = np.array([1 + Fraction(int(a), 4) for a in rng.integers(0, 20, n)], dtype=object)
        leads = np.array([Fraction(int(a), 4) for a in rng.integers(-12, 13, n)], dtype=object)
        most = losses.max()
        by_margin, by_slack = margin_rescaled(losses, leads), slack_rescaled(losses, leads)
        yield at_most("SR(w) ≤ Λ MR(w)", by_slack, most * by_margin)
        yield at_most("MR(Λw) ≤ Λ SR(w)", margin_rescaled(losses, most * leads), most * by_slack)
        same = np.full(n, most)
        yield equal(
            "MR(Λw) = SR(w)", margin_rescaled(same, most * leads), slack_rescaled(same, leads), at="constant loss"
        )


@comparison.extremal("one rival far ahead: both quotients come as near to 1 as one likes")
def far_ahead() -> Found:
    for most in (2, 5):
        lead = np.array([-(10**9)], dtype=object)
        costly, cheap = np.array([most], dtype=object), np.array([1, most], dtype=object)
        by_margin = margin_rescaled(costly, lead)
        yield at_most(
            "SR(w) ≤ Λ MR(w)", slack_rescaled(costly, lead), most * by_margin, at=f"Λ = {most}", statement=True
        )
        # The costly rival is far behind and says nothing but what Λ is.
        leads = np.array([lead[0], 10**9], dtype=object)
        by_slack = slack_rescaled(cheap, leads)
        faster = margin_rescaled(cheap, most * leads)
        yield at_most("MR(Λw) ≤ Λ SR(w)", faster, most * by_slack, at=f"Λ = {most}", statement=True)


@comparison.strengthened(
    "The first factor cannot be one per cent below $\\Lambda$: for a rival of loss 3 that is ahead by "
    "1000, $\\mathrm{SR}(w)$ is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def smaller_factor(by: Fraction) -> Found:
    losses, leads = np.array([3], dtype=object), np.array([-1000], dtype=object)
    yield at_most("SR(w) ≤ Λ MR(w)", slack_rescaled(losses, leads), by * 3 * margin_rescaled(losses, leads))


@comparison.strengthened(
    "The second factor cannot be one per cent below $\\Lambda$: for a rival of loss 1 that is ahead by "
    "1000, and one of loss 3 far behind, $\\mathrm{MR}(\\Lambda w)$ is {left}, and {right} would be "
    "allowed.",
    by=Fraction(99, 100),
)
def smaller_second_factor(by: Fraction) -> Found:
    losses, leads = np.array([1, 3], dtype=object), np.array([-1000, 1000], dtype=object)
    yield at_most("MR(Λw) ≤ Λ SR(w)", margin_rescaled(losses, 3 * leads), by * 3 * slack_rescaled(losses, leads))


@comparison.control(
    "Every wrong label has to cost at least 1: for a rival of loss 0 that is ahead by 1, and one of "
    "loss 2 behind by 1, $\\mathrm{MR}(\\Lambda w)$ is {left}, and $\\Lambda\\,\\mathrm{SR}(w)$ is {right}.",
)
def free_rival() -> Found:
    losses, leads = np.array([0, 2], dtype=object), np.array([-1, 1], dtype=object)
    yield at_most("MR(Λw) ≤ Λ SR(w)", margin_rescaled(losses, 2 * leads), 2 * slack_rescaled(losses, leads))


@comparison.control(
    "Without the factor on $w$ no constant will do: for a rival of loss 2 that trails by 1, "
    "$\\mathrm{MR}(w)$ is {left}, and even 1000 times $\\mathrm{SR}(w)$ is {right}.",
    story=True,
)
def without_rescaling() -> Found:
    losses, leads = np.array([2], dtype=object), np.array([1], dtype=object)
    yield at_most("MR(w) ≤ 1000 SR(w)", margin_rescaled(losses, leads), 1000 * slack_rescaled(losses, leads))
