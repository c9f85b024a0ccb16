"""How many runs make a lucky learner a reliable one, and how many fresh examples choose among them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Scalar
from mcbook.weak_learning import (
    all_runs_fail,
    choice_fails,
    fewest_mistakes,
    fewest_runs,
    runs_for_confidence,
    selection_base,
    selection_bound,
    selection_failure,
    selection_size,
    simple_selection_size,
    validation_size,
    worse_is_kept,
)

Found = Iterator[Evidence]

HALF, TENTH, TWENTIETH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 20)

# --- boosting the confidence -----------------------------------------------------------------------------------------

confidence = Claim(
    "thm-boosting-the-confidence",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="boosting the confidence",
    errata=("E32",),
    implements=(all_runs_fail, runs_for_confidence, validation_size, choice_fails, selection_failure, fewest_mistakes),
    formula=(
        Formula("eq-all-runs-fail", all_runs_fail, side=0),
        Formula("eq-number-of-runs", runs_for_confidence),
        Formula("eq-validation-size", validation_size),
    ),
    symbols=(Reading(r"\gamma", "probability", arguments={"gamma": r"\gamma"}),),
)


@confidence.check("numbers of runs: all fail with probability at most δ/2, the number not being larger than it must")
def numbers_of_runs(rng: np.random.Generator) -> Found:
    for success, delta in itertools.product((Fraction(1, 100), TENTH, HALF, Fraction(9, 10)), (HALF, TWENTIETH)):
        k = runs_for_confidence(success, delta)
        context = f"δ₀ = {success}, δ = {delta}, k = {k}"
        yield at_most("(Pr[all runs fail]) ≤ δ/2", all_runs_fail(success, k), delta / 2, at=context)
        yield at_least("runs ≥ ln(2/δ)/δ₀", k, ball(2 / delta).log() / ball(success), at=context)


@confidence.check("runs that err independently: the exact probability that the choice fails against δ")
def exact_failures(rng: np.random.Generator) -> Found:
    grid = [
        (HALF, TENTH, Fraction(1, 5), TENTH),
        (Fraction(1, 3), Fraction(0), Fraction(1, 4), TWENTIETH),
        (Fraction(1, 5), Fraction(1, 3), Fraction(1, 3), Fraction(1, 5)),
        (Fraction(9, 10), HALF, Fraction(1, 4), TENTH),
    ]
    for success, epsilon, gamma, delta in grid:
        k = runs_for_confidence(success, delta)
        n = validation_size(gamma, k, delta)
        context = f"δ₀ = {success}, ε = {epsilon}, γ = {gamma}, k = {k}, n = {n}"
        fails = choice_fails(success, k, n, epsilon, epsilon + gamma)
        yield at_most("(Pr[the choice fails]) ≤ δ", fails, delta, at=context)
        yield at_least("(Pr[the choice fails]) ≥ (Pr[all runs fail])", fails, all_runs_fail(success, k), at=context)


@confidence.check(
    "small distributions, error sets in any dependence, all validation samples: fewest mistakes against the union bound"
)
def any_dependence(rng: np.random.Generator) -> Found:
    for _ in range(12):
        distribution, n = FiniteDistribution(random_probabilities(rng, 4)), int(rng.integers(3, 12))
        wrong = rng.random((3, 4)) < 0.4
        best = min(distribution.probability(wrong))
        fails = selection_failure(distribution, wrong, n, best + HALF)
        yield at_most("(Pr[the choice is worse by 1/2]) ≤ union bound", fails, 6 * (-ball(n) / 8).exp(), at=f"n = {n}")


def counted_failures(success: Fraction, k: int, n: int, good: Fraction, bad: Fraction) -> Fraction:
    """What `choice_fails` says, by going through what every run can be and how many mistakes it can make."""
    total = Fraction(0)
    for runs in itertools.product(((success, good, True), (1 - success, bad, False)), repeat=k):
        for mistakes in itertools.product(range(n + 1), repeat=k):
            fewest = min(mistakes)
            if any(c == fewest and not is_good for c, (_, _, is_good) in zip(mistakes, runs, strict=True)):
                total += math.prod(
                    chance * math.comb(n, c) * error**c * (1 - error) ** (n - c)
                    for c, (chance, error, _) in zip(mistakes, runs, strict=True)
                )
    return total


@confidence.check("the exact probabilities themselves: by counting all cases, and with ties that go to the worst run")
def ties_go_to_the_worst(rng: np.random.Generator) -> Found:
    for k, n in ((1, 2), (2, 2), (3, 1), (2, 0)):
        case = (Fraction(1, 3), k, n, TENTH, HALF)
        yield equal(
            "(Pr[the choice fails]) = by count", choice_fails(*case), counted_failures(*case), at=f"k, n = {k}, {n}"
        )
    # On one example of two both runs make no mistake; on the other one only the run without errors is right.
    distribution, wrong = FiniteDistribution(np.array([HALF, HALF])), np.array([[False, False], [False, True]])
    for n in (0, 1, 3):
        fails = selection_failure(distribution, wrong, n, TENTH)
        yield equal("(Pr[the choice is the worse of two]) = 2^(−n)", fails, HALF**n, at=f"n = {n}")


@confidence.extremal("a learner that succeeds once in a thousand runs: hardly a run too many")
def rare_success() -> Found:
    for success in (Fraction(1, 10), Fraction(1, 1000)):
        k = runs_for_confidence(success, TWENTIETH)
        fails = all_runs_fail(success, k)
        where = f"δ₀ = {success}, k = {k}"
        yield at_most("(Pr[all runs fail]) ≤ δ/2", fails, TWENTIETH / 2, at=where, statement=True)


@confidence.trace("δ₀ = 1/2, ε = 1/10, γ = 1/5, δ = 1/10: six runs, 275 fresh examples")
def six_runs() -> Found:
    success, epsilon, gamma, delta = HALF, TENTH, Fraction(1, 5), TENTH
    k = runs_for_confidence(success, delta)
    yield equal("runs = 6", k, 6)
    no_good_one = (-ball(k) * ball(success)).exp()
    yield at_most("(Pr[all runs fail]) ≤ e^(−kδ₀)", all_runs_fail(success, k), no_good_one)
    yield at_most("e^(−kδ₀) ≤ δ/2", no_good_one, delta / 2)
    n = validation_size(gamma, k, delta)
    yield equal("fresh examples = 275", n, 275)
    tail = 2 * (-ball(n) * ball(gamma) ** 2 / 2).exp()
    for error in (epsilon, epsilon + gamma):
        yield at_most(
            "(Pr[the error is missed by more than γ/2]) ≤ 2 e^(−nγ²/2)",
            missed(n, error, gamma / 2),
            tail,
            at=f"error {error}",
        )
    yield at_most("k × 2 e^(−nγ²/2) ≤ δ/2", k * tail, delta / 2)
    fails = choice_fails(success, k, n, epsilon, epsilon + gamma)
    yield at_most("(Pr[the choice fails]) ≤ both together", fails, ball(all_runs_fail(success, k)) + k * tail)
    yield at_most("both together ≤ δ", ball(all_runs_fail(success, k)) + k * tail, delta)


def missed(n: int, error: Fraction, distance: Fraction) -> Fraction:
    """Pr[|Bin(n, error) / n - error| > distance]."""
    terms = (
        math.comb(n, c) * error**c * (1 - error) ** (n - c)
        for c in range(n + 1)
        if abs(Fraction(c, n) - error) > distance
    )
    return sum(terms, Fraction(0))


@confidence.control(
    "With $\\delta_0$ read as the probability of failure it is false: at $\\delta_0=\\frac9{10}$ and "
    "$\\delta=\\frac1{20}$ all runs fail with probability {left}, which should be at most {right}.",
    story=True,
)
def failure_for_success() -> Found:
    literal = Fraction(9, 10)
    k = runs_for_confidence(literal, TWENTIETH)
    yield at_most("(Pr[all runs fail]) ≤ δ/2", all_runs_fail(1 - literal, k), TWENTIETH / 2)


@confidence.strengthened(
    "Ten per cent fewer runs are too few: at $\\delta_0=\\frac1{100}$ and $\\delta=\\frac1{20}$ all of them "
    "fail with probability {left}, and {right} would be allowed.",
    by=Fraction(9, 10),
)
def fewer_runs(factor: Fraction) -> Found:
    for success in (TENTH, Fraction(1, 100)):
        k = math.ceil(factor * runs_for_confidence(success, TWENTIETH))
        yield at_most("(Pr[all runs fail]) ≤ δ/2", all_runs_fail(success, k), TWENTIETH / 2, at=f"δ₀ = {success}")


def two_answers(k: int, n: int) -> Fraction:
    """The probability that the choice fails for a learner with two answers, each with probability 1/2.

    Their errors are 2/5 and 3/5, and every example is missed by exactly one of them.
    """
    none = all_runs_fail(HALF, k)
    return none + (1 - 2 * none) * worse_is_kept(n, Fraction(3, 5), Fraction(2, 5))


@confidence.strengthened(
    "A fifth fewer fresh examples are too few: for two answers of errors $\\frac25$ and $\\frac35$, never wrong "
    "together, the choice at $\\gamma=\\frac15$ fails with probability {left}, and {right} would be allowed.",
    by=Fraction(4, 5),
)
def fewer_fresh_examples(factor: Fraction) -> Found:
    delta = Fraction(1, 10**30)
    k = runs_for_confidence(HALF, delta)
    n = int(factor * validation_size(Fraction(1, 5), k, delta))
    yield at_most("(Pr[the choice fails]) ≤ δ", ball(two_answers(k, n)), ball(delta))


@confidence.control(
    "The choice needs fresh examples: where all runs are perfect on those that trained them, and ties "
    "go to the worst, the choice fails with probability {left}, which should be at most {right}.",
)
def choice_on_training_examples() -> Found:
    k = runs_for_confidence(HALF, TENTH)
    # On no fresh example at all every run has as many mistakes: none.
    yield at_most("(Pr[the choice fails]) ≤ δ", choice_fails(HALF, k, 0, TENTH, Fraction(3, 10)), TENTH)


# --- how many fresh examples -----------------------------------------------------------------------------------------

selection = Claim(
    "thm-choice-on-fresh-examples",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="this book; the number of fresh examples that boosting the confidence there leaves open",
    implements=(selection_base, selection_bound, fewest_runs, selection_size, simple_selection_size, worse_is_kept),
    formula=(
        Formula("eq-selection-base", selection_base, numbers="balls"),
        Formula("eq-selection-bound", selection_bound, numbers="balls"),
        Formula("eq-fewest-runs", fewest_runs),
        Formula("eq-selection-size", selection_size, side=1),
        Formula("eq-selection-size", simple_selection_size),
    ),
    symbols=(
        Reading(r"\gamma", "probability", arguments={"gamma": r"\gamma"}),
        Reading("q", means=r"1-(\sqrt{\varepsilon+\gamma}-\sqrt{\varepsilon})^2"),
    ),
)


def base(epsilon: Fraction, gamma: Fraction) -> Scalar:
    """q, as a ball where it has a root."""
    return selection_base(ball(epsilon), ball(gamma)) if epsilon else selection_base(epsilon, gamma)


@selection.check("two hypotheses, all ways to err together or apart on a grid: the exact trinomial sum against q^n")
def pairs_on_a_grid(rng: np.random.Generator) -> Found:
    for a, b, n in itertools.product(range(1, 11), range(6), (1, 2, 7, 30)):
        only_worse, only_better = Fraction(a, 15), Fraction(b, 15)
        if not only_better < only_worse <= 1 - only_better:
            continue
        # Where both err together the better one errs more; ε is its error, and γ the difference.
        epsilon = only_better + (1 - only_worse - only_better) * Fraction(b % 3, 3)
        kept = worse_is_kept(n, only_worse, only_better)
        gamma = only_worse - only_better
        context = f"a = {only_worse}, b = {only_better}, n = {n}"
        yield at_most("(Pr[the worse one is kept]) ≤ qⁿ", kept, base(epsilon, gamma) ** n, at=context)
        yield at_most("(Pr[the worse one is kept]) ≤ (1 − γ²)^(n/2)", kept, ball(1 - gamma**2).sqrt() ** n, at=context)


@selection.check("runs that err independently: the exact probability that the choice fails against the bound")
def exact_failures_of_all_runs(rng: np.random.Generator) -> Found:
    for success, epsilon, gamma in (
        (HALF, TENTH, Fraction(1, 5)),
        (Fraction(1, 4), Fraction(0), TENTH),
        (HALF, HALF, HALF),
    ):
        for k, n in itertools.product((2, 5), (1, 10, 40)):
            fails = choice_fails(success, k, n, epsilon, epsilon + gamma)
            bound = selection_bound(ball(success), k, ball(epsilon), ball(gamma), n)
            yield at_most("(Pr[the choice fails]) ≤ bound", fails, bound, at=f"δ₀ = {success}, k = {k}, n = {n}")


@selection.check(
    "the numbers: δ is met, one run or one example fewer would not meet its half, and the simpler size is larger"
)
def numbers_of_runs_and_examples(rng: np.random.Generator) -> Found:
    for success, delta in itertools.product((Fraction(1, 100), TENTH, HALF), (HALF, TWENTIETH)):
        k = fewest_runs(success, delta)
        yield at_most("(Pr[all runs fail]) ≤ δ/2", all_runs_fail(success, k), delta / 2, at=f"k = {k}")
        yield less_than(
            "δ/2 < (Pr[all of one run fewer fail])", delta / 2, all_runs_fail(success, k - 1), at=f"k = {k}"
        )
    for epsilon, gamma, k, delta in (
        (TENTH, TENTH, 50, TWENTIETH),
        (TWENTIETH, TWENTIETH, 50, TWENTIETH),
        (Fraction(1, 100), Fraction(1, 100), 100, Fraction(1, 100)),
    ):
        n, q = selection_size(epsilon, gamma, k, delta), base(epsilon, gamma)
        yield at_most("(k − 1) qⁿ ≤ δ/2", (k - 1) * q**n, delta / 2, at=f"n = {n}")
        yield less_than("δ/2 < (k − 1) qⁿ of one example fewer", delta / 2, (k - 1) * q ** (n - 1), at=f"n = {n}")
        simple = simple_selection_size(epsilon, gamma, k, delta)
        yield at_most("n ≤ simpler n", n, simple, at=f"n = {n}")
        yield less_than(
            "simpler n < n of the union of two-sided tails",
            simple,
            validation_size(gamma, k, delta),
            at=f"n = {n}",
        )


@selection.extremal("a better hypothesis without error: the worse one is kept with probability qⁿ exactly")
def nothing_wrong_with_the_better_one() -> Found:
    for gamma, n in ((TENTH, 5), (HALF, 20)):
        yield at_most(
            "(Pr[the worse one is kept]) ≤ qⁿ",
            worse_is_kept(n, gamma, Fraction(0)),
            selection_base(0, gamma) ** n,
            at=f"γ = {gamma}, n = {n}",
        )
        fails, bound = choice_fails(HALF, 2, n, Fraction(0), gamma), selection_bound(HALF, 2, Fraction(0), gamma, n)
        where = f"δ₀ = 1/2, k = 2, ε = 0, γ = {gamma}, n = {n}"
        yield at_most("(Pr[the choice fails]) ≤ bound", fails, bound, at=where, statement=True)


@selection.extremal("disjoint errors, an even number of examples: at least qⁿ/(n + 1), so no smaller base can do")
def disjoint_errors() -> Found:
    for epsilon, gamma, n in ((TENTH, TENTH, 40), (TENTH, HALF, 400), (Fraction(1, 4), Fraction(1, 4), 100)):
        kept, q = worse_is_kept(n, epsilon + gamma, epsilon), base(epsilon, gamma)
        yield at_least(
            "(Pr[the worse one is kept]) ≥ qⁿ/(n + 1)", kept, q**n / (n + 1), at=f"ε = {epsilon}, γ = {gamma}, n = {n}"
        )
        yield at_most("(Pr[the worse one is kept]) ≤ qⁿ", kept, q**n, at=f"ε = {epsilon}, γ = {gamma}, n = {n}")


@selection.trace("ε = 1/10, γ = 3/10, twelve examples, errors on different examples")
def twelve_examples() -> Found:
    epsilon, gamma, n = TENTH, Fraction(3, 10), 12
    a, b = epsilon + gamma, epsilon
    kept = worse_is_kept(n, a, b)
    growth = ball(a / b).sqrt()
    moment = ball(1 - a - b) + ball(a) / growth + ball(b) * growth
    yield at_most("(Pr[the worse one is kept]) ≤ E e^(−sΣ)", kept, moment**n)
    yield equal("E e^(−sξ) ≈ 1 − (√a − √b)²", moment, 1 - (ball(a).sqrt() - ball(b).sqrt()) ** 2, within=1e-12)
    yield equal("1 − (√a − √b)² ≈ q", 1 - (ball(a).sqrt() - ball(b).sqrt()) ** 2, base(epsilon, gamma), within=1e-12)
    together = choice_fails(HALF, 2, n, epsilon, a)
    yield at_most(
        "(Pr[the choice among two fails]) ≤ bound",
        together,
        selection_bound(ball(HALF), 2, ball(epsilon), ball(gamma), n),
    )


@selection.strengthened(
    "A larger exponent is false: with $\\varepsilon=\\frac1{10}$, $\\gamma=\\frac12$ and 400 examples the worse "
    "one is kept with probability {left}, and ten per cent more in the exponent would allow {right}.",
    by=Fraction(11, 10),
    story=True,
)
def a_larger_exponent(factor: Fraction) -> Found:
    kept = worse_is_kept(400, Fraction(3, 5), TENTH)
    yield at_most("(Pr[the worse one is kept]) ≤ qⁿ", kept, base(TENTH, HALF) ** int(400 * factor))


@selection.strengthened(
    "The base cannot be one per cent smaller: for $\\varepsilon=0$, $\\gamma=\\frac12$ and ten examples "
    "the worse one is kept with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def a_smaller_base(factor: Fraction) -> Found:
    yield at_most(
        "(Pr[the worse one is kept]) ≤ qⁿ",
        worse_is_kept(10, HALF, Fraction(0)),
        (factor * selection_base(0, HALF)) ** 10,
    )
