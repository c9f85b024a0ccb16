"""One-vs-rest: its rule and cost, its error, what its scores mean, and training them together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.linear_model import RidgeClassifier

from mcbook.claims import Claim, Evidence, at_most, equal, holds
from mcbook.claims.one_vs_rest_and_pairs.page_formulas import winner_of_one
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.losses import hinge
from mcbook.losses.theory.catalogue import square
from mcbook.one_vs_rest_and_pairs import (
    Meter,
    Metered,
    balanced_sample,
    collinear_classes,
    highest_score,
    one_vs_rest_bound,
    one_vs_rest_extremal_distribution,
    separable_from_rest,
)
from mcbook.one_vs_rest_and_pairs.algorithm.scores import least_squares_scores
from mcbook.one_vs_rest_and_pairs.instances import OutputsDistribution, random_distribution
from mcbook.output_codes import OutputCode, decode, one_vs_rest_code
from mcbook.perceptron import separability

Found = Iterator[Evidence]


def fractions(rows: object) -> np.ndarray:
    """An array of exact numbers, from nested lists of what `Fraction` reads."""
    return np.vectorize(Fraction, otypes=[object])(np.array(rows, dtype=object))


# --- the rule and its cost -------------------------------------------------------------------------------------------


rest_rule = Claim(
    "prp-one-vs-rest-as-code",
    "identity",
    "exact",
    source=("mohri2018", "lecture13", "roth-cis519"),
    where="§9.4.1, (9.16); Definition 2.1",
    errata=("E46",),
    implements=(highest_score, one_vs_rest_code),
    formula=Formula("eq-one-vs-rest", winner_of_one),
    symbols=(Reading("f_l(x)", "real", slots=("l",), shape=("k",), arguments={"f": "f_l(x)"}),),
)


@rest_rule.check("k trainings on all m points, k evaluations for a prediction, counted")
def k_trainings_on_all_m_points_k_evaluations(rng: np.random.Generator) -> Found:
    for k in (3, 4, 6):
        X, y = balanced_sample(k, 5)
        meter = Meter()
        model = OutputCode(Metered(RidgeClassifier(), meter)).fit(X, y)
        yield equal("trainings = k", len(meter.fits), k, at=f"k = {k}")
        yield holds(
            "every training has all points", {sum(sizes) for sizes in meter.fits} == {len(X)}, Tier.EXACT, at=f"k = {k}"
        )
        model.predict(X[:7])
        yield equal("evaluations for 7 predictions = 7 k", meter.evaluations, 7 * k, at=f"k = {k}")


@rest_rule.check(
    "the argmax of the scores is the decoding of the one-vs-rest code, by Hamming with margins or by a loss"
)
def the_argmax_of_the_scores_is_the_decoding(rng: np.random.Generator) -> Found:
    for _ in range(40):
        k = int(rng.integers(3, 7))
        # Without equal scores nothing depends on a rule for ties.
        F = np.array([rng.permutation(13)[:k] - 6 for _ in range(10)], dtype=object)
        M = one_vs_rest_code(k)
        for labels in (decode(F, M, ties="margin"), decode(F, M, square)):
            yield equal("predictions that agree = all 10", int((labels == highest_score(F)).sum()), 10)


@rest_rule.control(
    "For two classes the count is different: the two problems are one with its signs exchanged, so "
    "{left} training takes place, not {right}."
)
def two_trainings_for_two_classes() -> Found:
    k, meter = 2, Meter()
    OutputCode(Metered(RidgeClassifier(), meter)).fit(*balanced_sample(k, 5))
    yield equal("trainings = columns of the code", len(meter.fits), one_vs_rest_code(k).shape[1], at=f"k = {k}")


@rest_rule.control(
    "Hamming decoding that breaks ties for the smaller label is not one-vs-rest: with labels from 0 "
    "on, the scores $-3,-2,-1$ are decoded as {left}, and their arg max is {right}."
)
def hamming_decoding_that_breaks_ties() -> Found:
    F = np.array([[-3, -2, -1]], dtype=object)
    yield equal("decoded label = arg max", int(decode(F, one_vs_rest_code(3))[0]), int(highest_score(F)[0]))


@rest_rule.control(
    "The loss has to keep decreasing: with the ramp, which is flat beyond 1, and labels from 0 on, the "
    "scores $2,3,-1$ are decoded as {left}, and their arg max is {right}."
)
def ramp_stops_decreasing() -> Found:
    F = np.array([[2, 3, -1]], dtype=object)

    def ramp(z: np.ndarray) -> np.ndarray:
        return np.minimum(1, hinge(z))

    yield equal("decoded label = arg max", int(decode(F, one_vs_rest_code(3), ramp)[0]), int(highest_score(F)[0]))


# --- the error of one-vs-rest ----------------------------------------------------------------------------------------

rest_error = Claim(
    "prp-one-vs-rest-error",
    "upper bound",
    "exact",
    source=("mohri2018", "roth-cis519"),
    where="implied in §9.4.1",
    implements=one_vs_rest_bound,
    formula=Formula("eq-one-vs-rest-error", one_vs_rest_bound),
)


@rest_error.check("random finite distributions with ties and zeros, errors in fractions")
def random_distributions_with_ties_and_zeros(rng: np.random.Generator) -> Found:
    for _ in range(300):
        k = int(rng.integers(2, 7))
        distribution = random_distribution(rng, k, k, largest=2)
        errors = distribution.binary_errors(one_vs_rest_code(k))
        error = distribution.error(highest_score(distribution.outputs))
        yield at_most("error ≤ Σ r_l", error, one_vs_rest_bound(errors))
        yield at_most("Σ r_l ≤ k max r_l", one_vs_rest_bound(errors), k * max(errors))


@rest_error.extremal("equality for every k: every mistake is one false positive with a large score")
def equality_for_every_k() -> Found:
    for k in range(2, 9):
        for r in (Fraction(1, k), Fraction(1, 3 * k)):
            distribution = one_vs_rest_extremal_distribution(k, r)
            errors = distribution.binary_errors(one_vs_rest_code(k))
            yield holds("every binary error is r", set(errors) == {r}, Tier.EXACT, at=f"k = {k}")
            error = distribution.error(highest_score(distribution.outputs))
            yield equal("error = Σ r_l", error, one_vs_rest_bound(errors), at=f"k = {k}, r = {r}", statement=True)
            yield equal("error = k r", error, k * r, at=f"k = {k}, r = {r}", statement=True)


@rest_error.strengthened(
    r"One per cent less than $\sum_lr_l$ is too little: on the extremal distribution of four classes with "
    r"$r_l=\frac18$ one-vs-rest errs with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_on_the_extremal_distribution(factor: Fraction) -> Found:
    for k, r in ((4, Fraction(1, 8)), (3, Fraction(1, 3))):
        distribution = one_vs_rest_extremal_distribution(k, r)
        bound = factor * one_vs_rest_bound(distribution.binary_errors(one_vs_rest_code(k)))
        yield at_most("error ≤ Σ r_l", distribution.error(highest_score(distribution.outputs)), bound, at=f"k = {k}")


@rest_error.control(
    "A score of 0 must count as wrong: with two classes and both scores 0 the arg max can err with "
    "probability {left}, and the binary errors would sum to {right}."
)
def a_score_of_0_counted_as_right() -> Found:
    distribution = OutputsDistribution(np.array([1]), np.array([1]), np.array([[0, 0]]))
    entries = one_vs_rest_code(2)[distribution.labels]
    errors = [distribution.probability(column.astype(bool)) for column in (entries * distribution.outputs < 0).T]
    yield at_most("error ≤ Σ r_l", distribution.error(highest_score(distribution.outputs)), one_vs_rest_bound(errors))


# --- classes that are not separable from the rest --------------------------------------------------------------------

middle_class = Claim(
    "prp-one-vs-rest-needs-more",
    "existence",
    "exact",
    source="roth-cis519",
    where="one-vs-all slides",
    implements=(separable_from_rest, collinear_classes),
    no_formula="separability, and one example",
)


@middle_class.check("classes in a row: ends separable from the rest, middle ones not, all of them by an argmax")
def classes_in_a_row(rng: np.random.Generator) -> Found:
    for k in range(3, 7):
        X, y = collinear_classes(k)
        for label in range(k):
            separable = separable_from_rest(X, y, label).solvable
            yield holds(
                "separable from the rest just if at an end",
                separable == (label in (0, k - 1)),
                Tier.EXACT,
                at=f"class {label} of {k}",
            )
        with_constant = np.c_[X, np.ones(len(X), dtype=int)].astype(object)
        yield holds(
            "an arg max separates all classes", separability(with_constant, y, k).separable, Tier.EXACT, at=f"k = {k}"
        )


@middle_class.check("by least squares one-vs-rest loses every point of the middle class and no other, in fractions")
def least_squares_loses_the_middle_class(rng: np.random.Generator) -> Found:
    X, y = collinear_classes(3)
    predicted = highest_score(least_squares_scores(X, y, 3))
    for label, right in ((0, 2), (1, 0), (2, 2)):
        yield equal(
            f"points predicted right = {right}", int((predicted[y == label] == label).sum()), right, at=f"class {label}"
        )


@middle_class.check("where every class is separable from the rest, the argmax of the separating scores is right")
def where_every_class_is_separable_from_the_rest(rng: np.random.Generator) -> Found:
    found = 0
    while found < 20:
        X, y = rng.integers(-9, 10, (6, 2)).astype(object), np.repeat([0, 1, 2], 2)
        parts = [separable_from_rest(X, y, label) for label in range(3)]
        if all(part.solvable for part in parts):
            found += 1
            F = np.c_[X, np.ones(6, dtype=int)].astype(object) @ np.array([p.solution for p in parts], dtype=object).T
            yield equal("points predicted right = all 6", int((highest_score(F) == y).sum()), 6)


@middle_class.control(
    "The row is what matters: of three classes at the corners of a triangle every one can be separated from the rest."
)
def three_classes_at_the_corners_of_a_triangle() -> Found:
    X, y = np.array([[0, 0], [3, 0], [0, 3]], dtype=object), np.arange(3)
    for label in range(3):
        yield holds("the class cannot be separated", not separable_from_rest(X, y, label).solvable, Tier.EXACT)


@middle_class.control(
    "Classes in a row are not beyond linear scores: an arg max of three of them separates the classes, "
    "although no linear score separates the middle class from the rest."
)
def classes_in_a_row_are_beyond_any_argmax_of_linear() -> Found:
    X, y = collinear_classes(3)
    with_constant = np.c_[X, np.ones(len(X), dtype=int)].astype(object)
    yield holds("no arg max separates them", not separability(with_constant, y, 3).separable, Tier.EXACT)
