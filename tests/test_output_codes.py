"""Output codes: counts, errors that are corrected, printed examples, boosting in one call and in many."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.colors import to_hex

from mcbook.foundation.figures import MINUS, NEITHER, PLUS
from mcbook.losses import hinge
from mcbook.output_codes import (
    OutputCode,
    TableLearner,
    all_pairs_code,
    best_hypothesis,
    binary_code,
    boost,
    boosting_instance,
    complete_code,
    corrected_errors,
    correction_radius,
    curve_points,
    decode,
    decoding_distances,
    dichotomies,
    eight_class_example,
    four_class_example,
    hadamard_code,
    least_columns,
    minimal_distance,
    plotkin_bound,
    product_pool,
    random_code_tail,
    separable_dichotomies,
    separable_labellings_bound,
    share_corrected,
    spoiling_errors,
    standard_columns,
    standard_distance,
)
from mcbook.output_codes.figures import gallery_figure


class TestCounts:
    @pytest.mark.parametrize(
        ("call", "names"),
        [
            (lambda: plotkin_bound(4, 1), "n_classes >= 2"),
            (lambda: standard_distance("spiral", 3), "'one-vs-rest'"),
            (lambda: standard_columns("complete", 1), "2 classes"),
            (lambda: correction_radius(2.5), "whole number distance"),
            (lambda: correction_radius(0), "distance >= 1"),
            (lambda: least_columns(1), "2 classes"),
            (lambda: separable_labellings_bound(3, 0), "n_features >= 1"),
        ],
    )
    def test_what_makes_no_sense_is_refused_by_name(self, call, names):
        with pytest.raises(ValueError, match=names):
            call()

    def test_counts(self):
        assert [least_columns(k) for k in (2, 3, 4, 5, 8, 9)] == [1, 2, 2, 3, 3, 4]
        assert [correction_radius(d) for d in (1, 2, 3, 4, 5)] == [0, 0, 1, 1, 2]
        assert [dichotomies(k) for k in (2, 3, 4)] == [1, 3, 7]
        assert separable_labellings_bound(4, 2) == 14
        assert plotkin_bound(3, 3) == Fraction(9, 4)


class TestDesign:
    def test_the_binary_code_has_distinct_rows(self):
        for k in range(2, 20):
            assert len({tuple(row) for row in binary_code(k).tolist()}) == k

    @pytest.mark.parametrize("M", [complete_code(4), hadamard_code(8), complete_code(5)[:, :9]])
    def test_errors_corrected_and_spoiled(self, M):
        reach = corrected_errors(M)
        assert reach == correction_radius(int(minimal_distance(M)))
        assert spoiling_errors(M, reach) is None
        label, columns = spoiling_errors(M, reach + 1)
        outputs = M[label].copy()
        outputs[list(columns)] *= -1
        assert decode(outputs[None, :], M, ties="mark")[0] != label
        assert share_corrected(M, reach) == 1 > share_corrected(M, reach + 1)

    def test_zeros_and_too_many_cases_are_refused(self):
        with pytest.raises(ValueError, match="entries of the code"):
            corrected_errors(all_pairs_code(3))
        with pytest.raises(ValueError, match="cases"):
            share_corrected(complete_code(6), 10)

    def test_dichotomies_of_the_square(self):
        columns = separable_dichotomies(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
        assert columns.shape == (4, 6)
        assert [1, -1, -1, 1] not in columns.T.tolist()

    def test_points_of_the_curve(self):
        assert curve_points(3, 2).tolist() == [[-1, 1], [0, 0], [1, 1]]
        with pytest.raises(ValueError, match="n_points >= 2"):
            separable_dichotomies(np.zeros((1, 2)))

    def test_the_law_of_the_minimal_distance_of_three_random_rows(self):
        codes = itertools.product((-1, 1), repeat=9)
        distances = [minimal_distance(np.array(code).reshape(3, 3)) for code in codes]
        for rho in (Fraction(1, 2), 1, 2):
            assert random_code_tail(3, rho) == Fraction(sum(d < rho for d in distances), 512)

    def test_that_of_four_rows(self):
        codes = itertools.product((-1, 1), repeat=12)
        distances = [minimal_distance(np.array(code).reshape(4, 3)) for code in codes]
        for rho in (1, 2):
            assert random_code_tail(3, rho, 4) == Fraction(sum(d < rho for d in distances), 4096)


class TestExamples:
    def test_the_printed_examples_against_the_printed_numbers(self):
        outputs, M = four_class_example()
        printed = [30132.701665, 192893.337640, 162756.901333, 5.368090]
        assert decoding_distances(outputs.astype(float), M, "exponential")[0] == pytest.approx(printed, abs=1e-6)
        outputs, M = eight_class_example()
        assert decoding_distances(outputs, M)[0].tolist() == [5, 5, 1, 4, 3, 3, 3, 4]


class TestSingleCall:
    def test_boosting_against_floats(self):
        rng = np.random.default_rng(8)
        X, signs = np.arange(12.0), rng.choice([-1, 1], 12)
        stumps = np.array([np.where(t > X, a, -a) for t in np.arange(-0.5, 12) for a in (1, -1)])
        run = boost(stumps, signs, 4)
        weights, f = np.full(12, 1 / 12), np.zeros(12)
        for chosen, error in zip(run.chosen, run.errors, strict=True):
            assert float(error) == pytest.approx(min((stumps != signs) @ weights))
            assert weights @ (stumps[chosen] != signs) == pytest.approx(float(error))
            alpha = math.log((1 - error) / error) / 2
            f += alpha * stumps[chosen]
            weights = np.exp(-signs * f) / np.exp(-signs * f).sum()
        assert len(run.errors) == 4
        assert [float(odds) for odds in run.odds(stumps)] == pytest.approx(np.exp(2 * f))

    def test_boosting_stops_at_a_perfect_and_at_a_useless_hypothesis(self):
        signs = np.array([1, -1])
        assert boost(np.array([[1, -1]]), signs, 5).chosen == ()
        assert boost(np.array([[1, 1]]), signs, 5).chosen == ()
        with pytest.raises(ValueError, match="pool"):
            boost(np.zeros(3), signs, 1)

    def test_the_product_pool_and_its_minimiser(self):
        pools, signs = boosting_instance()
        together = product_pool(pools)
        assert together.shape == (9, 12)
        chosen, least = best_hypothesis(together, np.concatenate(signs), hinge)
        parts = [best_hypothesis(pool, sign, hinge) for pool, sign in zip(pools, signs, strict=True)]
        assert least == (parts[0][1] + parts[1][1]) / 2
        assert chosen == 3 * parts[0][0] + parts[1][0]

    def test_the_table_learner_keeps_columns_apart(self):
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 3, (50, 2)).astype(float), np.arange(50) % 4
        many, one = (
            OutputCode(TableLearner(), "all-pairs", "hinge", column_as_feature=joined).fit(X, y)
            for joined in (False, True)
        )
        assert (many.outputs(X) == one.outputs(X)).all()
        learner = TableLearner().fit([[0.0], [1.0], [1.0], [1.0]], [1, 1, -1, -1])
        assert learner.decision_function([[1.0], [5.0]]).tolist() == [-1 / 3, 0]
        assert learner.predict([[0.0], [1.0], [5.0]]).tolist() == [1, -1, -1]


def test_a_code_is_drawn_in_the_colours_of_the_signs() -> None:
    (image,) = gallery_figure({"all pairs": all_pairs_code(3)}).axes[0].images
    drawn = [to_hex(image.cmap(image.norm(entry))) for entry in (-1, 0, 1)]
    assert drawn == [colour.lower() for colour in (MINUS, NEITHER, PLUS)]
