"""The claims of the chapter on the problem: risks, ties, priors, costs, and how many answers a task has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.problem import (
    Task,
    answers,
    as_law,
    balanced_risk,
    best_labels,
    best_prediction,
    class_errors,
    constant_balanced_risk,
    count_answers,
    expected_costs,
    hamming_distances,
    majority_risk,
    margin_error_bounds,
    one_hot,
    predict_from_scores,
    risk,
    score_margins,
    tree_distances,
    zero_one_costs,
)

Found = Iterator[Evidence]


def random_law(rng: np.random.Generator, n_atoms: int) -> np.ndarray:
    return as_law(rng.integers(1, 10, n_atoms))


# --- D9.1-D9.4: one risk for single and for several labels -----------------------------------------------------------


def distance_of_two(a: Any, b: Any) -> int:
    """The Hamming distance of two words."""
    return int(hamming_distances(a[None, :], b[None, :])[0])


risks = Claim(
    "D9.1-D9.4", implements=(risk, hamming_distances, one_hot), formula=Formula("eq-hamming-distance", distance_of_two)
)


@risks.check("single labels: the probability of an error, on finite laws and on samples")
def single_labels_the_probability_of_an_error(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, law = rng.integers(0, k, n), rng.integers(0, k, n), random_law(rng, n)
        wrong = [i for i in range(n) if h[i] != y[i]]
        yield equal("E d_H, Pr[h(x) ≠ y]", risk(h, y, law), sum((law[i] for i in wrong), Fraction(0)))
        yield equal("its average on the sample, share of errors", risk(h, y), Fraction(len(wrong), n))


@risks.check("several labels: the expected number of wrong answers")
def several_labels_the_expected_number_of_wrong(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, law = rng.integers(0, 2, (n, k)), rng.integers(0, 2, (n, k)), random_law(rng, n)
        by_label = [sum((law[i] for i in range(n) if h[i, z] != y[i, z]), Fraction(0)) for z in range(k)]
        yield equal("E d_H, Σ_l Pr[h(x)_l ≠ y_l]", risk(h, y, law), sum(by_label))


@risks.check("one-hot coding of a single label doubles the distance, and so the risk")
def one_hot_coding_of_a_single_label_doubles(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        h, y, law = rng.integers(0, k, n), rng.integers(0, k, n), random_law(rng, n)
        coded = risk(one_hot(h, k), one_hot(y, k), law)
        yield equal("risk of the codes, 2 · risk", coded, 2 * risk(h, y, law))


@risks.control("one-hot coding leaves the risk as it is")
def one_hot_coding_leaves_the_risk_as_it() -> Found:
    h, y = np.array([0, 1]), np.array([0, 2])
    yield equal("risk of the codes, risk", risk(one_hot(h, 3), one_hot(y, 3)), risk(h, y))


@risks.control("the multi-label risk is at most 1")
def the_multi_label_risk_is_at_most_1() -> Found:
    yield at_most("risk of the opposite answers, 1", risk(np.array([[0, 1, 1]]), np.array([[1, 0, 0]])), 1)


# --- D.margin: margin, ties and errors -------------------------------------------------------------------------------


def score_margin_of_one(h: Any, y: int) -> Any:
    """The margin of one row of scores."""
    return score_margins(h[None, :], [y])[0]


margin = Claim(
    "D.margin",
    implements=(score_margins, margin_error_bounds, predict_from_scores),
    formula=Formula("eq-score-margin", score_margin_of_one),
)


def tie_rules(scores: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Every prediction that some way of breaking ties makes."""
    yield from itertools.product(*(np.flatnonzero(row).tolist() for row in best_labels(scores)))


def random_scores(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whole scores between 0 and 2, so that ties are common."""
    n, k = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    return rng.integers(0, 3, (n, k)), rng.integers(0, k, n), random_law(rng, n)


@margin.check("every way of breaking the ties of integer scores, one after the other")
def every_way_of_breaking_the_ties_of_integer_scores(rng: np.random.Generator) -> Found:
    for _ in range(60):
        scores, y, law = random_scores(rng)
        lowest, highest = margin_error_bounds(score_margins(scores, y), law)
        for predicted in tie_rules(scores):
            error = risk(np.array(predicted), y, law)
            yield at_least("error, Pr[ρ < 0]", error, lowest)
            yield at_most("error, Pr[ρ ≤ 0]", error, highest)


@margin.check("equality throughout where no two best scores tie")
def equality_throughout_where_no_two_best_scores_tie(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k = int(rng.integers(2, 5))
        scores, y = np.array([rng.permutation(k) for _ in range(6)]), rng.integers(0, k, 6)
        law = random_law(rng, 6)
        for bound in margin_error_bounds(score_margins(scores, y), law):
            yield equal("error, bound", risk(predict_from_scores(scores), y, law), bound)


@margin.check("the margin against its definition, and the two rules for ties against all of them")
def the_margin_against_its_definition_and_the_two(rng: np.random.Generator) -> Found:
    for _ in range(40):
        scores, y, _ = random_scores(rng)
        expected = [row[label] - max(np.delete(row, label)) for row, label in zip(scores, y, strict=True)]
        yield holds("margins", score_margins(scores, y).tolist() == expected, Tier.EXACT)
        possible = list(tie_rules(scores))
        yield holds("first", tuple(predict_from_scores(scores)) == min(possible), Tier.EXACT)
        yield holds("last", tuple(predict_from_scores(scores, "last")) == max(possible), Tier.EXACT)


@margin.extremal("a rule that favours the truth errs with Pr[ρ < 0], one that avoids it with Pr[ρ ≤ 0]")
def a_rule_that_favours_the_truth_errs_with_pr_rho_0() -> Found:
    scores, y = np.array([[1, 1, 0], [0, 2, 2], [3, 0, 0], [0, 1, 0]]), np.array([0, 1, 0, 2])
    law = as_law([1, 2, 3, 4])
    lowest, highest = margin_error_bounds(score_margins(scores, y), law)
    errors = [risk(np.array(predicted), y, law) for predicted in tie_rules(scores)]
    yield equal("least error of a rule, Pr[ρ < 0]", min(errors), lowest)
    yield equal("largest error of a rule, Pr[ρ ≤ 0]", max(errors), highest)


@margin.control("an example is misclassified exactly when ρ ≤ 0, with ties going to the first label")
def an_example_is_misclassified_exactly_when_rho() -> Found:
    scores, y = np.array([[1, 1]]), np.array([0])
    yield equal(
        "error, Pr[ρ ≤ 0]", risk(predict_from_scores(scores), y), margin_error_bounds(score_margins(scores, y))[1]
    )


@margin.control("... and exactly when ρ < 0")
def and_exactly_when_rho_0() -> Found:
    scores, y = np.array([[1, 1]]), np.array([1])
    yield equal(
        "error, Pr[ρ < 0]", risk(predict_from_scores(scores), y), margin_error_bounds(score_margins(scores, y))[0]
    )


@margin.control("with the difference of the two largest scores as the margin, Pr[ρ ≤ 0] bounds the error")
def with_the_difference_of_the_two_largest_scores() -> Found:
    scores, y = np.array([[3, 1]]), np.array([1])
    top = np.sort(scores, axis=1)
    yield at_most(
        "error, Pr[best - second ≤ 0]",
        risk(predict_from_scores(scores), y),
        margin_error_bounds(top[:, -1] - top[:, -2])[1],
    )


# --- S.imbalance: the largest class ----------------------------------------------------------------------------------

imbalance = Claim(
    "S.imbalance",
    implements=(majority_risk, balanced_risk, class_errors, constant_balanced_risk),
    formula=(Formula("eq-majority-risk", majority_risk), Formula("eq-constant-balanced-risk", constant_balanced_risk)),
)


@imbalance.check("risk and balanced risk of the constant prediction, from the priors")
def risk_and_balanced_risk_of_the_constant(rng: np.random.Generator) -> Found:
    for _ in range(100):
        k = int(rng.integers(2, 9))
        priors, y = random_law(rng, k), np.arange(k)
        always = np.full(k, int(np.argmax(priors)))
        yield equal("risk, 1 - max π", risk(always, y, priors), majority_risk(priors))
        errors = class_errors(always, y, k, priors)
        yield equal("balanced risk, 1 - 1/k", balanced_risk(errors), constant_balanced_risk(k))
        yield equal(
            "Σ π_l · error of class l, risk", sum(priors * np.array(errors, dtype=object)), risk(always, y, priors)
        )


@imbalance.check("no other constant prediction has a smaller risk; the balanced risk is the same for all of them")
def no_other_constant_prediction_has_a_smaller_risk(rng: np.random.Generator) -> Found:
    for _ in range(40):
        k = int(rng.integers(2, 7))
        priors, y = random_law(rng, k), np.arange(k)
        for label in range(k):
            constant = np.full(k, label)
            yield at_least("risk, 1 - max π", risk(constant, y, priors), majority_risk(priors))
            balanced = balanced_risk(class_errors(constant, y, k, priors))
            yield equal("balanced risk, 1 - 1/k", balanced, constant_balanced_risk(k))


@imbalance.check("priors 0.95 and 0.05: risk 0.05, balanced risk one half")
def priors_0_95_and_0_05(rng: np.random.Generator) -> Found:
    priors = as_law([95, 5])
    yield equal("risk", majority_risk(priors), Fraction(5, 100))
    yield equal("balanced risk", constant_balanced_risk(2), Fraction(1, 2))


@imbalance.control("the balanced risk is as small as the risk")
def the_balanced_risk_is_as_small_as_the_risk() -> Found:
    priors = as_law([95, 5])
    errors = class_errors(np.zeros(2, dtype=int), np.arange(2), 2, priors)
    yield at_most("balanced risk, risk", balanced_risk(errors), majority_risk(priors))


@imbalance.control("the risk is 1 - 1/k whatever the priors are")
def the_risk_is_1_1_k_whatever_the_priors_are() -> Found:
    yield equal("risk, 1 - 1/k", majority_risk(as_law([2, 1, 1])), constant_balanced_risk(3))


# --- S.cost: costs and hierarchies -----------------------------------------------------------------------------------

cost = Claim(
    "S.cost",
    implements=(best_prediction, expected_costs, tree_distances),
    no_formula="that there is a law is shown by exhibiting one: no value is stated",
)

ANIMALS_AND_A_CAR = (("vehicle", "car"), ("animal", "cat"), ("animal", "dog"))
LEAVES = [path[-1] for path in ANIMALS_AND_A_CAR]
LIKELY_A_CAR = as_law([40, 31, 29])


@cost.check("class-pair costs: an illness of probability 1/10 whose omission costs twenty times a false alarm")
def class_pair_costs(rng: np.random.Generator) -> Found:
    law, costs = as_law([9, 1]), np.array([[0, 1], [20, 0]], dtype=object)
    yield equal("most probable: healthy", best_prediction(law), 0)
    yield equal("least expected cost: ill", best_prediction(law, costs), 1)
    yield less_than("expected costs: ill, healthy", *expected_costs(law, costs)[::-1])


@cost.check("tree distance: a car is most probable, yet to say cat is nearer on average")
def tree_distance_a_car_is_most_probable_yet_to_say(rng: np.random.Generator) -> Found:
    distances = tree_distances(ANIMALS_AND_A_CAR)
    means = expected_costs(LIKELY_A_CAR, distances)
    yield equal("most probable: car", best_prediction(LIKELY_A_CAR), 0)
    yield equal("nearest on average: cat", best_prediction(LIKELY_A_CAR, distances), 1)
    for label, mean in zip(("car", "cat", "dog"), (Fraction(12, 5), Fraction(109, 50), Fraction(111, 50)), strict=True):
        yield equal(f"mean distance of {label}", means[LEAVES.index(label)], mean)
    yield less_than("mean distances: of cat, of car", means[1], means[0])
    yield less_than("mean distances: of cat, of dog", means[1], means[2])


@cost.check("the tree distance counts the edges that lie on one of the two ways from the root, but not on both")
def the_tree_distance_counts_the_edges_that_lie(rng: np.random.Generator) -> Found:
    for _ in range(40):
        depth = int(rng.integers(1, 5))
        paths = sorted({tuple(map(str, rng.integers(0, 2, depth))) for _ in range(5)})
        edges = [{path[:length] for length in range(1, depth + 1)} for path in paths]
        expected = [[len(one ^ other) for other in edges] for one in edges]
        yield holds("all pairs of leaves", tree_distances(paths).tolist() == expected, Tier.EXACT)


@cost.check("the chosen label has the least expected cost of all, by its definition, for random laws and costs")
def the_chosen_label_has_the_least_expected_cost(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k = int(rng.integers(2, 6))
        law, costs = random_law(rng, k), rng.integers(0, 9, (k, k)).astype(object)
        means = [sum(law[y] * costs[y, j] for y in range(k)) for j in range(k)]
        yield equal("expected cost of the choice, least of all", means[best_prediction(law, costs)], min(means))
        yield equal("without costs: probability of the choice, largest", law[best_prediction(law)], max(law))


@cost.control("equal costs for all errors change the best prediction")
def equal_costs_for_all_errors_change_the_best() -> Found:
    equal_costs = 7 * zero_one_costs(3)
    yield holds(
        "another label is best", best_prediction(LIKELY_A_CAR, equal_costs) != best_prediction(LIKELY_A_CAR), Tier.EXACT
    )


@cost.control("a tree distance overrules a label that has more than half of the probability")
def a_tree_distance_overrules_a_label_that_has_more() -> Found:
    for law in (as_law([51, 25, 24]), as_law([60, 39, 1])):
        best = best_prediction(law, tree_distances(ANIMALS_AND_A_CAR))
        yield holds("another label is nearer", best != best_prediction(law), Tier.EXACT)


# --- S.multicat: how many answers ------------------------------------------------------------------------------------

tasks = Claim(
    "S.multicat",
    implements=(count_answers, answers),
    formula=tuple(
        Formula("eq-answers", count_answers, piece=piece, fixed={"task": task})
        for piece, task in enumerate(("subset", "ranking", "sequence"))
    ),
)


@tasks.check("subsets, rankings and sequences, counted one by one")
def subsets_rankings_and_sequences_counted_one(rng: np.random.Generator) -> Found:
    for n_labels in range(1, 8):
        for task in ("subset", "ranking"):
            found = set(answers(task, n_labels))
            yield equal(f"{task}, K = {n_labels}: found, formula", len(found), count_answers(task, n_labels))
    for n_labels, length in itertools.product(range(1, 6), range(1, 6)):
        found = set(answers("sequence", n_labels, length))
        yield equal(f"K = {n_labels}, L = {length}: found, Kᴸ", len(found), count_answers("sequence", n_labels, length))


@tasks.check("a single label is a sequence of length 1, and a subset with one element")
def a_single_label_is_a_sequence_of_length_1(rng: np.random.Generator) -> Found:
    for n_labels in range(1, 9):
        yield holds(
            "sequences of length 1 are the labels",
            [(z,) for z in range(n_labels)] == list(answers("sequence", n_labels)),
            Tier.EXACT,
        )
        singletons = {subset for subset in answers("subset", n_labels) if sum(subset) == 1}
        codes = {tuple(row) for row in one_hot(np.arange(n_labels), n_labels).tolist()}
        yield holds("singletons are the one-hot codes", singletons == codes, Tier.EXACT)


@tasks.control("2ᴷ rankings")
def control_2k_rankings() -> Found:
    yield equal("rankings of 4 labels, 2⁴", len(set(answers("ranking", 4))), 2**4)


@tasks.control("K·L sequences")
def kl_sequences() -> Found:
    yield equal("sequences of length 3 over 2 labels, 2 · 3", len(set(answers("sequence", 2, 3))), 6)


@tasks.control("no more subsets than rankings")
def no_more_subsets_than_rankings() -> Found:
    task: Task = "subset"
    yield at_most("subsets of 3 labels, 3!", count_answers(task, 3), math.factorial(3))
