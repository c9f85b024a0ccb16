"""Output codes: matrices by name and drawn, errors that are corrected, decoding and its ties."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook import output_codes as oc
from mcbook.losses import CATALOGUE
from mcbook.output_codes.algorithm.codes import check_code
from mcbook.output_codes.algorithm.decoding import decoding_scores
from mcbook.output_codes.algorithm.single_call import TableLearner

CODES = (
    oc.one_vs_rest_code,
    oc.all_pairs_code,
    oc.complete_code,
    oc.hadamard_code,
    oc.random_dense_code,
    oc.random_sparse_code,
)
REFUSED = [
    (lambda: oc.plotkin_bound(3, 1), "n_classes"),
    (lambda: oc.standard_distance("spiral", 3), "'one-vs-rest'"),
    (lambda: oc.standard_columns("complete", 1), "2 classes"),
    (lambda: oc.correction_radius(2.5), "whole number distance"),
    (lambda: oc.correction_radius(0), "distance"),
    (lambda: oc.least_columns(1), "2 classes"),
    (lambda: oc.separable_labellings_bound(0, 1), "n_points"),
    (lambda: oc.separable_labellings_bound(3, 0), "n_features"),
    (lambda: oc.separable_dichotomies(np.zeros((1, 2))), "n_points"),
    (lambda: oc.corrected_errors(oc.all_pairs_code(3)), "entries of the code"),
    (lambda: oc.share_corrected(oc.complete_code(6), 10), "cases"),
    (lambda: oc.boost(np.zeros(3), np.array([1, -1]), 1), "pool"),
    (lambda: oc.complete_code(40), "random_dense_code"),
    (lambda: oc.random_dense_code(4, 20), "14 different columns"),
    (lambda: oc.random_dense_code(3, 7), "6 different columns"),
    (lambda: oc.random_sparse_code(3, 13), "12 different columns"),
    *((lambda make=make: make(1), "at least 2") for make in CODES),
    (lambda: check_code([[1, 1], [1, 1]]), "no negative entry"),
    (lambda: check_code([[1, 0], [-1, 0]]), "column 1 has no positive"),
    (lambda: check_code([[1, 1], [-1, -1]]), "columns 0 and 1 are equal"),
    (lambda: check_code([[1, 1], [1, 1], [-1, -1]]), "rows 0 and 1 are equal"),
    (lambda: check_code([[0, 0], [1, -1], [-1, 1]]), "row 0 is empty"),
    (lambda: check_code([[1, -1]]), "at least 2 rows"),
    (lambda: check_code([1, -1]), "shape"),
    (lambda: check_code([[1.0], [np.nan]]), "finite"),
    (lambda: check_code([["a"], ["b"]]), "numbers"),
    (lambda: check_code(oc.one_vs_rest_code(3), 4), "3 rows and there are 4 classes"),
    (lambda: oc.decode(np.ones((1, 3)), oc.one_vs_rest_code(3), ties="coin"), "first"),
    (lambda: oc.decode(np.ones((2, 4)), oc.one_vs_rest_code(3)), "as many columns"),
    (lambda: oc.decode(np.ones(3), oc.one_vs_rest_code(3)), "n_samples"),
    (lambda: oc.decode(np.full((1, 3), np.nan), oc.one_vs_rest_code(3)), "finite"),
    (lambda: oc.decode(np.ones((1, 3)), oc.one_vs_rest_code(3), "hing"), "hing"),
    (lambda: oc.decode(np.ones((1, 3)), oc.one_vs_rest_code(3), 3), "function"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


seeds = st.integers(0, 2**32 - 1)


class TestCodes:
    def test_drawn_codes_have_both_signs_in_every_column_and_none_twice(self):
        for draw, k, seed in itertools.product(
            (oc.random_dense_code, oc.random_sparse_code), (2, 3, 4, 5, 10), range(3)
        ):
            M = check_code(draw(k, n_candidates=20, random_state=seed), k)
            assert (M.max(axis=0) == 1).all()
            assert (M.min(axis=0) == -1).all()
            assert oc.minimal_distance(M) > 0
            assert (draw(k, n_candidates=20, random_state=seed) == M).all()

    def test_default_numbers_of_columns(self):
        """10 log2 k and 15 log2 k, rounded up, or half of what different columns there are."""
        wanted = {3: (3, 6), 4: (7, 25), 5: (15, 35), 6: (26, 39), 8: (30, 45), 26: (48, 71)}
        for k, (dense, sparse) in wanted.items():
            assert oc.random_dense_code(k, n_candidates=1, random_state=0).shape == (k, dense)
            assert oc.random_sparse_code(k, n_candidates=1, random_state=0).shape == (k, sparse)

    def test_real_codes_pass(self):
        assert check_code([[0.5, 1.0], [-2.0, 0.0], [1.0, -1.0]]).dtype == check_code([[2, 1], [-1, -1]]).dtype == float
        M = np.array([[Fraction(1, 2), Fraction(1)], [Fraction(-1), Fraction(-1, 3)]])
        assert check_code(M).tolist() == M.tolist()
        assert check_code(M).dtype == object


class TestSingleCall:
    def test_the_table_learner_keeps_columns_apart(self):
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 3, (50, 2)).astype(float), np.arange(50) % 4
        many, one = (
            oc.OutputCode(TableLearner(), "all-pairs", "hinge", column_as_feature=joined).fit(X, y)
            for joined in (False, True)
        )
        assert (many.outputs(X) == one.outputs(X)).all()
        learner = TableLearner().fit([[0.0], [1.0], [1.0], [1.0]], [1, 1, -1, -1])
        assert learner.decision_function([[1.0], [5.0]]).tolist() == [-1 / 3, 0]
        assert learner.predict([[0.0], [1.0], [5.0]]).tolist() == [1, -1, -1]


class TestDecoding:
    def test_the_three_rules_for_ties(self):
        F = np.array([[1.0, 2.0, -1.0]])
        M = oc.one_vs_rest_code(3)
        assert oc.decode(F, M)[0] == 0
        assert oc.decode(F, M, ties="margin")[0] == 1
        assert oc.decode(F, M, ties="mark")[0] == -1
        assert oc.decode(np.array([[1.0, -2.0, -1.0]]), M, ties="mark")[0] == 0
        with pytest.raises(ValueError, match="first"):
            oc.decode(F, M, ties="coin")

    @settings(deadline=None, max_examples=25)
    @given(seeds, st.sampled_from(["hamming", *sorted(CATALOGUE)]), st.sampled_from(["first", "margin", "mark"]))
    def test_no_label_depends_on_the_other_examples(self, seed, loss, ties):
        rng = np.random.default_rng(seed)
        M = [oc.complete_code(5), oc.all_pairs_code(5), rng.normal(size=(5, 7))][seed % 3]
        F = rng.choice([-3, -1, 1, 3], (60, M.shape[1])) / 3
        alone = np.concatenate([oc.decode(f[None], M, loss, ties) for f in F])
        assert (oc.decode(F, M, loss, ties) == alone).all()
        if ties != "mark":
            scores = decoding_scores(F, M, loss, ties)
            assert (scores == np.concatenate([decoding_scores(f[None], M, loss, ties) for f in F])).all()
            assert (scores.argmax(axis=1) == alone).all()

    @pytest.mark.parametrize("loss", ["hamming", "hinge", "square"])
    @pytest.mark.parametrize("ties", ["first", "margin", "mark"])
    def test_floats_tie_where_fractions_do(self, loss, ties):
        thirds = np.random.default_rng(0).choice([-3, -1, 1, 3], (300, 15))
        exact = np.frompyfunc(lambda n: Fraction(int(n), 3), 1, 1)(thirds)
        M = oc.complete_code(5)
        labels = oc.decode(exact, M, loss, ties)
        assert (oc.decode(thirds / 3, M, loss, ties) == labels).all()
        assert ties != "mark" or (labels == -1).sum() > 20

    @pytest.mark.parametrize("loss", [lambda z: -z, lambda z: z * z - z])
    def test_ties_of_losses_below_zero_are_marked_too(self, loss):
        thirds = np.random.default_rng(1).choice([-3, -1, 1, 3], (300, 7))
        exact = np.frompyfunc(lambda n: Fraction(int(n), 3), 1, 1)(thirds)
        for M in (oc.complete_code(4), 2 * oc.complete_code(4)):
            labels = oc.decode(exact, M, loss, "mark")
            assert (oc.decode(thirds / 3, M, loss, "mark") == labels).all()
            assert (labels == -1).any()

    @pytest.mark.parametrize("n_columns", [1, 2])
    def test_rounding_is_relative_to_the_smallest_distance_where_no_loss_is_below_zero(self, n_columns):
        # The third class is so far away that the others would tie if its distance were the measure.
        M = np.array([[1.0], [1 + 1e-12], [1e3]]) * np.ones(n_columns)
        assert oc.decode(np.ones((1, n_columns)), M, np.square, ties="mark").tolist() == [0]
        M = np.array([[2.0, 0.5], [0.5, 2.0]])
        assert oc.decode([[-1.0, -1.0]], M, lambda z: z, ties="mark").tolist() == [-1]
        assert oc.decode([[-1.0, -1.5]], M, lambda z: z, ties="mark").tolist() == [1]

    @pytest.mark.parametrize("scale", [5e-324, 1e-300, 2e-17, 1e-9, 1.0, 2e15, 1e300])
    def test_margins_break_ties_at_every_scale(self, scale):
        F = np.array([[-2.0, -3.0, -1.0], [-1.0, -3.0, -2.0], [-3.0, -1.0, -1.0]]) * scale
        assert oc.decode(F, oc.one_vs_rest_code(3), ties="margin").tolist() == [2, 0, 1]
        assert decoding_scores(F, oc.one_vs_rest_code(3), ties="margin").argmax(axis=1).tolist() == [2, 0, 1]

    @pytest.mark.parametrize("loss", ["hinge", "square"])
    def test_a_tie_of_thousands_of_columns_is_one_in_whatever_order_they_are_summed(self, loss):
        # The first two rows pay L(a) + L(1) + L(-a), each in an order of its own.
        M, a = np.repeat(oc.complete_code(3), 4000, axis=1), np.arange(1, 10) / 10
        F = np.repeat(np.c_[a, np.ones(9), -a], 4000, axis=1)
        assert (oc.decode(F, M, loss, "mark") == -1).all()

    def test_distances_that_differ_by_more_than_rounding_do_not_tie(self):
        F = np.array([[1.0, 1.0 + 1e-12, -1.0], [1e-8, 2e-8, -1e-8]])
        assert oc.decode(F, oc.one_vs_rest_code(3), "exponential", "mark").tolist() == [1, 1]
        assert oc.decode(np.array([[-800.0, 800.0, 1.0]]), oc.one_vs_rest_code(3), np.abs, "mark").tolist() == [-1]

    def test_an_infinite_loss_ties_only_with_another(self):
        def wall(z):
            return np.where(z < 0, np.inf, 0.0)

        M = oc.one_vs_rest_code(3)
        assert oc.decode(np.array([[1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]), M, wall, "mark").tolist() == [0, -1]

    def test_blocks_give_what_the_whole_gives(self, monkeypatch):
        F = np.random.default_rng(1).normal(size=(100, 6))
        whole = oc.decode(F, oc.all_pairs_code(4), "hinge"), oc.decoding_distances(F, oc.all_pairs_code(4), "hinge")
        monkeypatch.setattr("mcbook.output_codes.algorithm.decoding._BLOCK_ENTRIES", 42)
        assert (oc.decode(F, oc.all_pairs_code(4), "hinge") == whole[0]).all()
        assert oc.decoding_distances(F, oc.all_pairs_code(4), "hinge") == pytest.approx(whole[1])
