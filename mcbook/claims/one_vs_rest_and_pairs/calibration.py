"""What scores mean beside each other: no calibration from signs, when the arg max is optimal, rescaling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, equal, holds
from mcbook.claims.one_vs_rest_and_pairs.one_vs_rest import fractions
from mcbook.foundation.proof import Tier
from mcbook.one_vs_rest_and_pairs import (
    bayes_error,
    changing_scales,
    error_of_scores,
    highest_score,
    rescaling_interval,
)

Found = Iterator[Evidence]


# --- scores are not comparable ---------------------------------------------------------------------------------------

no_calibration = Claim(
    "prp-scores-are-not-comparable",
    "existence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.1; Remark 15",
    implements=changing_scales,
    no_formula="that there are factors: no value is stated",
)


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


# --- when the argmax is optimal --------------------------------------------------------------------------------------

argmax_is_optimal = Claim(
    "prp-when-argmax-is-optimal",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.1; Remark 13",
    errata=("E22",),
    implements=(error_of_scores, bayes_error),
    no_formula="the least error of all rules, and one example",
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


# --- rescaling does not calibrate ------------------------------------------------------------------------------------

rescaling = Claim(
    "prp-rescaling-does-not-calibrate",
    "existence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.1; Remark 15",
    implements=rescaling_interval,
    no_formula="an example is exhibited",
)

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
