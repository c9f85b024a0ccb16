"""One-vs-rest: its rule and cost, its error, what its scores mean, and training them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from sklearn.linear_model import RidgeClassifier

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.one_vs_rest_and_pairs.stated import winner_of_one
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.losses import hinge, square
from mcbook.one_vs_rest_and_pairs import (
    Meter,
    Metered,
    OutputsLaw,
    balanced_sample,
    bayes_error,
    changing_scales,
    collinear_classes,
    error_of_scores,
    highest_score,
    least_squares_scores,
    one_vs_rest_bound,
    one_vs_rest_extremal_law,
    random_law,
    rescaling_interval,
    separable_from_rest,
)
from mcbook.output_codes import OutputCode, decode, one_vs_rest_code
from mcbook.perceptron import separability

Found = Iterator[Evidence]


def fractions(rows: object) -> np.ndarray:
    """An array of exact numbers, from nested lists of what `Fraction` reads."""
    return np.vectorize(Fraction, otypes=[object])(np.array(rows, dtype=object))


# --- O.ova: the rule and its cost ------------------------------------------------------------------------------------


rest_rule = Claim(
    "O.ova", implements=(highest_score, one_vs_rest_code), formula=Formula("eq-one-vs-rest", winner_of_one)
)


@rest_rule.check("k trainings on all m points, k evaluations for a prediction, counted")
def k_trainings_on_all_m_points_k_evaluations(rng: np.random.Generator) -> Found:
    for k in (3, 4, 6):
        X, y = balanced_sample(k, 5)
        meter = Meter()
        model = OutputCode(Metered(RidgeClassifier(), meter)).fit(X, y)
        yield equal(f"trainings, k = {k}", len(meter.fits), k)
        yield holds(
            f"all points in each of them, k = {k}", {sum(sizes) for sizes in meter.fits} == {len(X)}, Tier.EXACT
        )
        model.predict(X[:7])
        yield equal(f"evaluations for 7 predictions, k = {k}", meter.evaluations, 7 * k)


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
            yield equal("predictions that agree, of 10", int((labels == highest_score(F)).sum()), 10)


@rest_rule.control("2 trainings for k = 2, whose two problems are one with the signs exchanged")
def two_trainings_for_two_classes() -> Found:
    k, meter = 2, Meter()
    OutputCode(Metered(RidgeClassifier(), meter)).fit(*balanced_sample(k, 5))
    yield equal(f"trainings, columns of the code, k = {k}", len(meter.fits), one_vs_rest_code(k).shape[1])


@rest_rule.control("Hamming decoding that breaks ties for the smaller label")
def hamming_decoding_that_breaks_ties() -> Found:
    F = np.array([[-3, -2, -1]], dtype=object)
    yield equal("label", int(decode(F, one_vs_rest_code(3))[0]), int(highest_score(F)[0]))


@rest_rule.control("the ramp, whose decrease stops, in place of a loss with L(z) − L(−z) strictly decreasing")
def ramp_stops_decreasing() -> Found:
    F = np.array([[2, 3, -1]], dtype=object)

    def ramp(z: np.ndarray) -> np.ndarray:
        return np.minimum(1, hinge(z))

    yield equal("label", int(decode(F, one_vs_rest_code(3), ramp)[0]), int(highest_score(F)[0]))


# --- O.ova-err: the error of one-vs-rest -----------------------------------------------------------------------------

rest_error = Claim(
    "O.ova-err", implements=one_vs_rest_bound, formula=Formula("eq-one-vs-rest-error", one_vs_rest_bound)
)


@rest_error.check("random finite laws with ties and zeros, errors in fractions")
def random_laws_with_ties_and_zeros(rng: np.random.Generator) -> Found:
    for _ in range(300):
        k = int(rng.integers(2, 7))
        law = random_law(rng, k, k, largest=2)
        errors = law.binary_errors(one_vs_rest_code(k))
        error = law.error(highest_score(law.outputs))
        yield at_most("error, Σ r_l", error, one_vs_rest_bound(errors))
        yield at_most("Σ r_l, k max r_l", one_vs_rest_bound(errors), k * max(errors))


@rest_error.extremal("equality for every k: every mistake is one false positive with a large score", attained=True)
def equality_for_every_k() -> Found:
    for k in range(2, 9):
        for r in (Fraction(1, k), Fraction(1, 3 * k)):
            law = one_vs_rest_extremal_law(k, r)
            errors = law.binary_errors(one_vs_rest_code(k))
            yield holds(f"every binary error is r, k = {k}", set(errors) == {r}, Tier.EXACT)
            error = law.error(highest_score(law.outputs))
            yield equal(f"error and Σ r_l, k = {k}", error, one_vs_rest_bound(errors))
            yield equal(f"error and k r, k = {k}", error, k * r)


@rest_error.strengthened("Σ r_l", by=Fraction(99, 100))
def bound_on_the_extremal_law(factor: Fraction) -> Found:
    for k, r in ((4, Fraction(1, 8)), (3, Fraction(1, 3))):
        law = one_vs_rest_extremal_law(k, r)
        bound = factor * one_vs_rest_bound(law.binary_errors(one_vs_rest_code(k)))
        yield at_most(f"error, Σ r_l, k = {k}", law.error(highest_score(law.outputs)), bound)


@rest_error.control("a score of 0 counted as right")
def a_score_of_0_counted_as_right() -> Found:
    law = OutputsLaw(np.array([1]), np.array([1]), np.array([[0, 0]]))
    entries = one_vs_rest_code(2)[law.labels]
    errors = [law.probability(column.astype(bool)) for column in (entries * law.outputs < 0).T]
    yield at_most("error, Σ r_l", law.error(highest_score(law.outputs)), one_vs_rest_bound(errors))


# --- O.calib: scores are not comparable ------------------------------------------------------------------------------

no_calibration = Claim("O.calib", implements=changing_scales, no_formula="that there are factors: no value is stated")


def scores_without_zero(rng: np.random.Generator) -> np.ndarray:
    k = int(rng.integers(2, 7))
    return np.array([int(v) for v in rng.integers(1, 9, k) * rng.choice([-1, 1], k)], dtype=object)


@no_calibration.check("factors that keep all signs and change the prediction, unless exactly one score is positive")
def factors_that_keep_all_signs_and_change(rng: np.random.Generator) -> Found:
    for _ in range(300):
        scores = scores_without_zero(rng)
        before = int(highest_score(scores[None])[0])
        factors = changing_scales(scores)
        if int((scores > 0).sum()) != 1:
            scaled = scores * np.array(factors, dtype=object)
            yield holds("factors are positive and signs stay", bool((scaled * scores > 0).all()), Tier.EXACT)
            yield holds("another label wins", int(highest_score(scaled[None])[0]) != before, Tier.EXACT)
        else:
            random_factors = fractions(rng.integers(1, 10**6, (20, len(scores))).tolist())
            same = highest_score(scores * random_factors) == before
            yield equal("predictions that stay, of 20", int(same.sum()), 20)
            yield holds("no factors are offered", factors is None, Tier.EXACT)


@no_calibration.control("one factor for all scores: the largest of those that change the prediction")
def one_factor_for_all_scores() -> Found:
    for scores in (np.array([1, 2], dtype=object), np.array([-3, -1, -2], dtype=object)):
        factors = changing_scales(scores)
        assert factors is not None
        common = max(factors)
        changed = highest_score(common * scores[None])[0] != highest_score(scores[None])[0]
        yield holds("another label wins", bool(changed), Tier.EXACT)


@no_calibration.control("factors also where exactly one score is positive")
def factors_where_one_score_is_positive() -> Found:
    for scores in ([1, -1], [-5, -3, 2], [-1, 7, -2, -9]):
        yield holds("some are found", changing_scales(np.array(scores, dtype=object)) is not None, Tier.EXACT)


@no_calibration.control("a score of 0 among negative ones, with the factors for −1/1000 in its place")
def a_score_of_0_among_negative_ones() -> Found:
    factors = np.array(changing_scales(np.array([Fraction(-1, 1000), Fraction(-1)], dtype=object)))
    with_zero = np.array([[0, -1]], dtype=object)
    yield holds("another label wins", bool(highest_score(with_zero * factors)[0] != 0), Tier.EXACT)


# --- O.just: when the argmax is optimal ------------------------------------------------------------------------------

argmax_is_optimal = Claim(
    "O.just", implements=(error_of_scores, bayes_error), no_formula="the least error of all rules, and one example"
)

INCREASING: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "p": lambda p: p,
    "2p − 1": lambda p: 2 * p - 1,
    "p³": lambda p: p**3,
    "p / (2 − p)": lambda p: p / (2 - p),
}


def random_joint(rng: np.random.Generator, k: int, n_points: int, equal_priors: bool) -> np.ndarray:
    """Pr[l, x] in fractions, every point with positive probability."""
    conditional = fractions(rng.integers(1, 30, (k, n_points)).tolist())
    conditional = conditional / conditional.sum(axis=1, keepdims=True)
    weights = fractions([1] * k if equal_priors else rng.integers(1, 30, k).tolist())
    return (weights / weights.sum())[:, None] * conditional


@argmax_is_optimal.check("increasing functions of Pr[l | x], and Pr[x | l] under equal priors, reach the Bayes error")
def increasing_functions_reach_the_bayes_error(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k, n = int(rng.integers(2, 6)), int(rng.integers(2, 7))
        joint = random_joint(rng, k, n, equal_priors=False)
        posterior = (joint / joint.sum(axis=0)).T
        for name, increasing in INCREASING.items():
            yield equal(
                f"error with {name}, Bayes error", error_of_scores(joint, increasing(posterior)), bayes_error(joint)
            )
        joint = random_joint(rng, k, n, equal_priors=True)
        likelihood = (joint / joint.sum(axis=1, keepdims=True)).T
        yield equal("error with Pr[x | l], Bayes error", error_of_scores(joint, likelihood), bayes_error(joint))


def skewed_joint() -> tuple[np.ndarray, np.ndarray]:
    """Pr[l, x] and Pr[x | l] of the example with priors 0.9 and 0.1."""
    likelihood = fractions([["3/10", "7/10"], ["6/10", "4/10"]])
    return fractions([["9/10"], ["1/10"]]) * likelihood, likelihood.T


@argmax_is_optimal.check("the example with priors 0.9 and 0.1: 0.31 against 0.10")
def example_with_unequal_priors(rng: np.random.Generator) -> Found:
    joint, likelihood = skewed_joint()
    yield equal("error with Pr[x | l]", error_of_scores(joint, likelihood), Fraction(31, 100))
    yield equal("Bayes error", bayes_error(joint), Fraction(1, 10))


@argmax_is_optimal.control("Pr[x | l] under unequal priors")
def likelihoods_under_unequal_priors() -> Found:
    joint, likelihood = skewed_joint()
    yield equal("error with Pr[x | l], Bayes error", error_of_scores(joint, likelihood), bayes_error(joint))


@argmax_is_optimal.control("a different increasing function for each class")
def a_different_increasing_function_for_each_class() -> Found:
    joint, _ = skewed_joint()
    posterior = (joint / joint.sum(axis=0)).T
    yield equal("error, Bayes error", error_of_scores(joint, posterior * np.array([1, 10])), bayes_error(joint))


# --- O.fit: classes that are not separable from the rest -------------------------------------------------------------

middle_class = Claim(
    "O.fit", implements=(separable_from_rest, collinear_classes), no_formula="separability, and one example"
)


@middle_class.check("classes in a row: ends separable from the rest, middle ones not, all of them by an argmax")
def classes_in_a_row(rng: np.random.Generator) -> Found:
    for k in range(3, 7):
        X, y = collinear_classes(k)
        for label in range(k):
            separable = separable_from_rest(X, y, label).solvable
            yield holds(
                f"class {label} of {k} separable from the rest just if at an end",
                separable == (label in (0, k - 1)),
                Tier.EXACT,
            )
        with_constant = np.c_[X, np.ones(len(X), dtype=int)].astype(object)
        yield holds(f"an argmax separates all {k}", separability(with_constant, y, k).separable, Tier.EXACT)


@middle_class.check("by least squares one-vs-rest loses every point of the middle class and no other, in fractions")
def least_squares_loses_the_middle_class(rng: np.random.Generator) -> Found:
    X, y = collinear_classes(3)
    predicted = highest_score(least_squares_scores(X, y, 3))
    for label, right in ((0, 2), (1, 0), (2, 2)):
        yield equal(f"points of class {label} predicted right", int((predicted[y == label] == label).sum()), right)


@middle_class.check("where every class is separable from the rest, the argmax of the separating scores is right")
def where_every_class_is_separable_from_the_rest(rng: np.random.Generator) -> Found:
    found = 0
    while found < 20:
        X, y = rng.integers(-9, 10, (6, 2)).astype(object), np.repeat([0, 1, 2], 2)
        parts = [separable_from_rest(X, y, label) for label in range(3)]
        if all(part.solvable for part in parts):
            found += 1
            F = np.c_[X, np.ones(6, dtype=int)].astype(object) @ np.array([p.solution for p in parts], dtype=object).T
            yield equal("points predicted right, of 6", int((highest_score(F) == y).sum()), 6)


@middle_class.control("three classes at the corners of a triangle instead of in a row")
def three_classes_at_the_corners_of_a_triangle() -> Found:
    X, y = np.array([[0, 0], [3, 0], [0, 3]], dtype=object), np.arange(3)
    for label in range(3):
        yield holds("the class cannot be separated", not separable_from_rest(X, y, label).solvable, Tier.EXACT)


@middle_class.control("classes in a row are beyond any argmax of linear scores")
def classes_in_a_row_are_beyond_any_argmax_of_linear() -> Found:
    X, y = collinear_classes(3)
    with_constant = np.c_[X, np.ones(len(X), dtype=int)].astype(object)
    yield holds("no argmax separates them", not separability(with_constant, y, 3).separable, Tier.EXACT)


# --- O.calprob: rescaling does not calibrate -------------------------------------------------------------------------

rescaling = Claim("O.calprob", implements=rescaling_interval, no_formula="an example is exhibited")

POINTS = np.array([[1, 2], [3, 4]], dtype=object)
POINT_LABELS = np.array([0, 1])


@rescaling.check("two points that ask for c > 2 and for c < 4/3; a monotone table for one score repairs both")
def two_points_that_no_factor_suits(rng: np.random.Generator) -> Found:
    lower, upper = rescaling_interval(POINTS, POINT_LABELS)
    yield equal("c = c₁/c₂ must be above", lower, 2)
    assert upper is not None
    yield equal("and below", upper, Fraction(4, 3))
    yield at_least("so no c is left: lower end, upper end", lower, upper)
    for c in [Fraction(n, 12) for n in range(1, 60)]:
        scaled = POINTS * np.array([c, 1], dtype=object)
        yield at_least(f"points wrong at c = {c}", int((highest_score(scaled) != POINT_LABELS).sum()), 1)
    table = {1: Fraction(5, 2), 3: Fraction(7, 2)}
    yield holds("the table increases", table[1] < table[3], Tier.EXACT)
    repaired = np.array([[table[first], second] for first, second in POINTS], dtype=object)
    yield equal("points right after recalibration, of 2", int((highest_score(repaired) == POINT_LABELS).sum()), 2)


@rescaling.check("the interval is right on random points, at its ends and between them")
def the_interval_is_right_on_random_points(rng: np.random.Generator) -> Found:
    for _ in range(100):
        F, labels = rng.integers(-4, 5, (3, 2)).astype(object), rng.integers(0, 2, 3)
        lower, upper = rescaling_interval(F, labels)
        top = lower + 2 if upper is None else upper
        for c in {c for c in (lower, (lower + top) / 2, top, top + 1, lower / 2) if c > 0}:
            scaled = F * np.array([c, 1], dtype=object)
            gaps = np.where(labels == 0, 1, -1) * (scaled[:, 0] - scaled[:, 1])
            inside = lower < c and (upper is None or c < upper)
            yield holds(
                f"right everywhere at c = {c} just if c is inside", bool((gaps > 0).all()) == inside, Tier.EXACT
            )


@rescaling.control("both scores scaled to the same largest value: c = (1/3) / (1/4)")
def both_scores_scaled_to_the_same_largest_value() -> Found:
    lower, upper = rescaling_interval(POINTS, POINT_LABELS)
    assert upper is not None
    c = Fraction(POINTS[:, 1].max(), POINTS[:, 0].max())
    yield holds("c lies between the ends, and both points are right", lower < c < upper, Tier.EXACT)


@rescaling.control("the same points with the labels exchanged cannot be repaired either")
def the_same_points_with_the_labels_exchanged_cannot() -> Found:
    lower, upper = rescaling_interval(POINTS, 1 - POINT_LABELS)
    assert upper is not None
    yield at_least("lower end, upper end", lower, upper)
