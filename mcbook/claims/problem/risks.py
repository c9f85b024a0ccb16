"""The claims of the chapter on the problem: one risk, margins and ties, unbalanced classes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import probabilities_from_counts, random_probabilities
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array, Number
from mcbook.problem import (
    balanced_risk,
    best_labels,
    class_errors,
    constant_balanced_risk,
    hamming_distances,
    majority_risk,
    margin_error_bounds,
    one_hot,
    predict_from_scores,
    risk,
    score_margins,
)

Found = Iterator[Evidence]


# --- one risk for single and for several labels ----------------------------------------------------------------------


def distance_of_two(a: Array, b: Array) -> int:
    """The Hamming distance of two words."""
    return int(hamming_distances(a[None, :], b[None, :])[0])


risks = Claim(
    "prp-risk-is-hamming-distance",
    "identity",
    "exact",
    source=("mohri2018", "tao-perceptron", "roth-cis519"),
    where="§9.1, (9.1)–(9.4); the slides' definitions of error",
    implements=(risk, hamming_distances, one_hot),
    formula=Formula("eq-hamming-distance", distance_of_two),
    symbols=(
        Reading("a_l", "label", slots=("l",), shape=("k",), arguments={"a": "a_l"}),
        Reading("b_l", "label", slots=("l",), shape=("k",), arguments={"b": "b_l"}),
    ),
)


@risks.check("single labels: the probability of an error, on finite distributions and on samples")
def single_labels(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, distribution = rng.integers(0, k, n), rng.integers(0, k, n), random_probabilities(rng, n)
        wrong = [i for i in range(n) if h[i] != y[i]]
        yield equal(
            "E d_H = Pr[h(x) ≠ y]", risk(h, y, distribution), sum((distribution[i] for i in wrong), Fraction(0))
        )
        yield equal("empirical risk = share of errors", risk(h, y), Fraction(len(wrong), n))


@risks.check("several labels: the expected number of wrong answers")
def several_labels(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, distribution = rng.integers(0, 2, (n, k)), rng.integers(0, 2, (n, k)), random_probabilities(rng, n)
        by_label = [sum((distribution[i] for i in range(n) if h[i, z] != y[i, z]), Fraction(0)) for z in range(k)]
        yield equal("E d_H = Σ_l Pr[h(x)_l ≠ y_l]", risk(h, y, distribution), sum(by_label))


@risks.check("one-hot coding of a single label doubles the distance, and so the risk")
def one_hot_doubles_the_risk(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, distribution = rng.integers(0, k, n), rng.integers(0, k, n), random_probabilities(rng, n)
        coded = risk(one_hot(h, k), one_hot(y, k), distribution)
        yield equal("risk of the codes = 2 · risk", coded, 2 * risk(h, y, distribution))


@risks.control(
    "One-hot coding does not keep the risk: with one of two labels wrong, the risk of the codes is {left} "
    "and that of the labels is {right}."
)
def one_hot_leaves_the_risk() -> Found:
    h, y = np.array([0, 1]), np.array([0, 2])
    yield equal("risk of the codes = risk", risk(one_hot(h, 3), one_hot(y, 3)), risk(h, y))


@risks.control(
    "The risk for several labels can exceed 1: with all three answers wrong it is {left}, more than {right}."
)
def multi_label_risk_at_most_1() -> Found:
    yield at_most("risk of the opposite answers ≤ 1", risk(np.array([[0, 1, 1]]), np.array([[1, 0, 0]])), 1)


# --- margin, ties and errors -----------------------------------------------------------------------------------------


def score_margin_of_one(h: Array, y: int) -> Number:
    """The margin of one row of scores."""
    return score_margins(h[None, :], [y])[0]


margin = Claim(
    "prp-margin-and-error",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.2; §1.1",
    errata=("E15", "E28"),
    implements=(score_margins, margin_error_bounds, predict_from_scores),
    formula=Formula("eq-score-margin", score_margin_of_one),
    symbols=(
        Reading("y", "label", arguments={"y": "y"}),
        Reading("h(x,z)", "real", slots=("z",), shape=("k",), arguments={"h": "h(x,z)"}),
    ),
)


def tie_rules(scores: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Every prediction that some way of breaking ties makes."""
    yield from itertools.product(*(np.flatnonzero(row).tolist() for row in best_labels(scores)))


def random_scores(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whole scores between 0 and 2, so that ties are common."""
    n, k = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    return rng.integers(0, 3, (n, k)), rng.integers(0, k, n), random_probabilities(rng, n)


@margin.check("every way of breaking the ties of integer scores, one after the other")
def every_way_of_breaking_ties(rng: np.random.Generator) -> Found:
    for _ in range(60):
        scores, y, distribution = random_scores(rng)
        lowest, highest = margin_error_bounds(score_margins(scores, y), distribution)
        for predicted in tie_rules(scores):
            error = risk(np.array(predicted), y, distribution)
            yield at_least("error ≥ Pr[ρ < 0]", error, lowest)
            yield at_most("error ≤ Pr[ρ ≤ 0]", error, highest)


@margin.check("equality throughout where no two best scores tie")
def equality_without_ties(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k = int(rng.integers(2, 5))
        scores, y = np.array([rng.permutation(k) for _ in range(6)]), rng.integers(0, k, 6)
        distribution = random_probabilities(rng, 6)
        for bound in margin_error_bounds(score_margins(scores, y), distribution):
            yield equal("error = end of the interval", risk(predict_from_scores(scores), y, distribution), bound)


@margin.check("the margin against its definition, and the two rules for ties against all of them")
def margins_and_tie_rules_by_definition(rng: np.random.Generator) -> Found:
    for _ in range(40):
        scores, y, _ = random_scores(rng)
        expected = [row[label] - max(np.delete(row, label)) for row, label in zip(scores, y, strict=True)]
        yield holds("margins by their definition", score_margins(scores, y).tolist() == expected, Tier.EXACT)
        possible = list(tie_rules(scores))
        yield holds("first of the best labels", tuple(predict_from_scores(scores)) == min(possible), Tier.EXACT)
        yield holds("last of the best labels", tuple(predict_from_scores(scores, "last")) == max(possible), Tier.EXACT)


@margin.extremal("a rule that favours the truth errs with Pr[ρ < 0], one that avoids it with Pr[ρ ≤ 0]")
def rules_that_attain_the_ends() -> Found:
    scores, y = np.array([[1, 1, 0], [0, 2, 2], [3, 0, 0], [0, 1, 0]]), np.array([0, 1, 0, 2])
    distribution = probabilities_from_counts([1, 2, 3, 4])
    lowest, highest = margin_error_bounds(score_margins(scores, y), distribution)
    errors = [risk(np.array(predicted), y, distribution) for predicted in tie_rules(scores)]
    yield equal("least error of a rule = Pr[ρ < 0]", min(errors), lowest, statement=True)
    yield equal("largest error of a rule = Pr[ρ ≤ 0]", max(errors), highest, statement=True)


@margin.strengthened(
    "The threshold 0 cannot be raised to 1: on three examples of the margins 1, −1 and 0 the error is "
    "{left}, less than Pr[ρ < 1], which is {right}.",
    by=2,
)
def threshold_moved_up(factor: int) -> Found:
    scores, y = np.array([[2, 1], [1, 2], [1, 1]]), np.zeros(3, dtype=int)
    moved = score_margins(scores, y) - (factor - 1)
    yield at_least(f"error ≥ Pr[ρ < {factor - 1}]", risk(predict_from_scores(scores), y), margin_error_bounds(moved)[0])


@margin.control(
    "A tie need not be an error: if ties go to the first label, and that is the true one, a tied example "
    "gives the error {left}, while Pr[ρ ≤ 0] is {right}."
)
def error_exactly_when_rho_at_most_0() -> Found:
    scores, y = np.array([[1, 1]]), np.array([0])
    yield equal(
        "error = Pr[ρ ≤ 0]", risk(predict_from_scores(scores), y), margin_error_bounds(score_margins(scores, y))[1]
    )


@margin.control(
    "A tie can be an error: if ties go to the first label, and another is the true one, a tied example "
    "gives the error {left}, while Pr[ρ < 0] is {right}."
)
def error_exactly_when_rho_below_0() -> Found:
    scores, y = np.array([[1, 1]]), np.array([1])
    yield equal(
        "error = Pr[ρ < 0]", risk(predict_from_scores(scores), y), margin_error_bounds(score_margins(scores, y))[0]
    )


@margin.control(
    "The margin needs the score of the true label: with the best score minus the second in its place, a "
    "clear mistake gives the error {left}, more than {right}."
)
def best_minus_second_as_margin() -> Found:
    scores, y = np.array([[-1, -3]]), np.array([1])
    *_, second, best = np.sort(scores, axis=1).T
    error = risk(predict_from_scores(scores), y)
    yield at_most("error ≤ Pr[best − second ≤ 0]", error, margin_error_bounds(best - second)[1])


# --- the largest class -----------------------------------------------------------------------------------------------

imbalance = Claim(
    "prp-majority-class-risk",
    "identity",
    "exact",
    source="mohri2018",
    where="§9.1",
    implements=(majority_risk, balanced_risk, class_errors, constant_balanced_risk),
    formula=(Formula("eq-majority-risk", majority_risk), Formula("eq-constant-balanced-risk", constant_balanced_risk)),
)


@imbalance.check("risk and balanced risk of the constant prediction, from the priors")
def risks_of_the_constant_prediction(rng: np.random.Generator) -> Found:
    for _ in range(100):
        k = int(rng.integers(2, 9))
        priors, y = random_probabilities(rng, k), np.arange(k)
        always = np.full(k, int(np.argmax(priors)))
        yield equal("risk = 1 - max π", risk(always, y, priors), majority_risk(priors))
        errors = class_errors(always, y, k, priors)
        yield equal("balanced risk = 1 - 1/k", balanced_risk(errors), constant_balanced_risk(k))
        yield equal(
            "Σ π_l · error of class l = risk", sum(priors * np.array(errors, dtype=object)), risk(always, y, priors)
        )


@imbalance.check("no other constant prediction has a smaller risk; the balanced risk is the same for all of them")
def all_constant_predictions(rng: np.random.Generator) -> Found:
    for _ in range(40):
        k = int(rng.integers(2, 7))
        priors, y = random_probabilities(rng, k), np.arange(k)
        for label in range(k):
            constant = np.full(k, label)
            yield at_least("risk ≥ 1 - max π", risk(constant, y, priors), majority_risk(priors))
            balanced = balanced_risk(class_errors(constant, y, k, priors))
            yield equal("balanced risk = 1 - 1/k", balanced, constant_balanced_risk(k))


@imbalance.check("priors 0.95 and 0.05: risk 0.05, balanced risk one half")
def one_in_twenty(rng: np.random.Generator) -> Found:
    priors = probabilities_from_counts([95, 5])
    yield equal("risk = 1/20", majority_risk(priors), Fraction(5, 100))
    yield equal("balanced risk = 1/2", constant_balanced_risk(2), Fraction(1, 2))


@imbalance.control(
    "A label drawn from the priors is not the best guess: for the priors 0.95 and 0.05 its risk, 1 − Σ π², is "
    "{right}, and that of the largest class is {left}."
)
def label_drawn_from_the_priors() -> Found:
    priors = probabilities_from_counts([95, 5])
    yield equal("risk = 1 − Σ π²", majority_risk(priors), 1 - Fraction(priors @ priors))


@imbalance.control(
    "The balanced risk can be much larger than the risk: for the priors 0.95 and 0.05 it is {left}, and "
    "the risk is {right}."
)
def balanced_risk_as_small_as_risk() -> Found:
    priors = probabilities_from_counts([95, 5])
    errors = class_errors(np.zeros(2, dtype=int), np.arange(2), 2, priors)
    yield at_most("balanced risk ≤ risk", balanced_risk(errors), majority_risk(priors))


@imbalance.control(
    "The risk depends on the priors: for three classes with the priors 1/2, 1/4 and 1/4 it is {left}, not {right}."
)
def risk_whatever_the_priors() -> Found:
    yield equal("risk = 1 - 1/k", majority_risk(probabilities_from_counts([2, 1, 1])), constant_balanced_risk(3))
