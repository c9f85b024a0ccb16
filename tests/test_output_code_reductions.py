"""Reductions by codes as they are asked for: code matrices by name, decoders, ties."""

from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.losses import CATALOGUE, exponential, hinge
from mcbook.output_codes import (
    all_pairs_code,
    check_code,
    complete_code,
    decode,
    decoding_distances,
    decoding_scores,
    hadamard_code,
    minimal_distance,
    one_vs_rest_code,
    random_dense_code,
    random_sparse_code,
    repetition_code,
    row_distances,
)
from mcbook.output_codes.algorithm import codes

seeds = st.integers(0, 2**32 - 1)


def distance_by_definition(u, v):
    return sum(
        Fraction(1) if a * b < 0 else Fraction(1, 2) if a * b == 0 else Fraction(0) for a, b in zip(u, v, strict=True)
    )


class TestCodes:
    @pytest.mark.parametrize("k", range(3, 9))
    def test_minimal_distances_of_the_standard_codes(self, k):
        pairs = k * (k - 1) // 2
        assert minimal_distance(one_vs_rest_code(k)) == 2
        assert minimal_distance(all_pairs_code(k)) == Fraction(pairs - 1, 2) + 1
        assert minimal_distance(complete_code(k)) == 2 ** (k - 2)
        n = 2 ** (k - 1).bit_length()
        assert hadamard_code(k).shape == (k, n - 1)
        assert set(np.unique(row_distances(hadamard_code(k))[np.triu_indices(k, 1)])) == {n / 2}

    @settings(deadline=None, max_examples=30)
    @given(seeds)
    def test_distances_against_their_definition(self, seed):
        M = np.random.default_rng(seed).integers(-1, 2, (4, 7))
        found = row_distances(M)
        for i, j in itertools.combinations(range(4), 2):
            assert found[i, j] == found[j, i] == distance_by_definition(M[i], M[j])
        assert minimal_distance(M) == min(distance_by_definition(*rows) for rows in itertools.combinations(M, 2))

    def test_all_pairs_puts_the_first_class_on_the_positive_side(self):
        assert all_pairs_code(3).tolist() == [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]

    @pytest.mark.parametrize("k", range(2, 9))
    def test_the_complete_code_has_every_split_once(self, k):
        M = complete_code(k)
        splits = {tuple(column * column[0]) for column in M.T}
        assert len(splits) == M.shape[1] == 2 ** (k - 1) - 1
        assert check_code(M) is not None

    def test_the_complete_code_of_many_classes_is_refused(self):
        with pytest.raises(ValueError, match="random_dense_code"):
            complete_code(40)

    def test_repetition_multiplies_the_distance(self):
        M = repetition_code(np.array([[1], [-1]]), 3)
        assert minimal_distance(M) == 3
        with pytest.raises(ValueError, match="equal"):
            check_code(M)
        assert check_code(M, repeated_columns=True).shape == (2, 3)

    @pytest.mark.parametrize("make", [random_dense_code, random_sparse_code])
    @pytest.mark.parametrize("k", [2, 3, 4, 6, 10])
    def test_random_codes_can_serve(self, make, k):
        M = make(k, n_candidates=50, random_state=1)
        check_code(M, k)
        assert (make(k, n_candidates=50, random_state=1) == M).all()

    @pytest.mark.parametrize("block", [1, 2**21])
    def test_the_best_of_all_candidates_is_returned(self, monkeypatch, block):
        drawn = []
        original = codes._Draw.__call__

        def recorded(draw, rng, count):
            drawn.extend(found := original(draw, rng, count))
            return found

        monkeypatch.setattr(codes._Draw, "__call__", recorded)
        monkeypatch.setattr(codes, "_BLOCK_ENTRIES", block)
        best = random_dense_code(8, 20, 200, random_state=3)
        assert len(drawn) == 200
        assert minimal_distance(best) == max(minimal_distance(M) for M in drawn) > minimal_distance(drawn[0])

    def test_the_search_of_the_paper_finds_good_codes(self):
        M = random_dense_code(26, 48, random_state=0)
        assert M.shape == (26, 48)
        assert 16 <= minimal_distance(M) <= 18
        assert minimal_distance(random_dense_code(4, 20, random_state=0, repeated_columns=True)) in (11, 12)

    @pytest.mark.parametrize(("k", "dense", "sparse"), [(5, 15, 35), (6, 26, 39), (26, 48, 71)])
    def test_lengths_of_the_paper(self, k, dense, sparse):
        assert random_dense_code(k, n_candidates=1, random_state=0).shape == (k, dense)
        assert random_sparse_code(k, n_candidates=1, random_state=0).shape == (k, sparse)

    def test_half_of_the_entries_of_a_sparse_code_are_zero(self):
        M = random_sparse_code(26, 200, 1, random_state=0)
        assert (M == 0).mean() == pytest.approx(0.5, abs=0.02)
        assert (M == 1).mean() == pytest.approx(0.25, abs=0.02)

    def test_too_many_columns_are_refused(self):
        with pytest.raises(ValueError, match="14 different columns"):
            random_dense_code(4, 20)

    @pytest.mark.parametrize(
        ("M", "says"),
        [
            ([[1, 1], [1, 1]], "no negative entry"),
            ([[1, 0], [-1, 0]], "column 1 has no positive"),
            ([[1, 1], [0, -1]], "column 0 has no negative"),
            ([[0, 1], [-1, -1]], "column 0 has no positive"),
            ([[1, 1], [-1, -1]], "columns 0 and 1 are equal"),
            ([[1, 1], [1, 1], [-1, -1]], "rows 0 and 1 are equal"),
            ([[0, 0], [1, -1], [-1, 1]], "row 0 is empty"),
            ([[1, -1]], "at least 2 rows"),
            ([1, -1], "shape"),
            ([[1.0], [np.nan]], "finite"),
            ([["a"], ["b"]], "numbers"),
        ],
    )
    def test_a_bad_code_is_told_what_is_wrong(self, M, says):
        with pytest.raises(ValueError, match=says):
            check_code(M)

    def test_one_row_for_each_class(self):
        with pytest.raises(ValueError, match="3 rows and there are 4 classes"):
            check_code(one_vs_rest_code(3), 4)

    def test_real_codes_pass(self):
        M = check_code([[0.5, 1.0], [-2.0, 0.0], [1.0, -1.0]])
        assert M.dtype == float
        assert check_code([[0.25, 0.5], [-0.25, 0.75], [0.0, -0.25]]).tolist()[0] == [0.25, 0.5]

    @pytest.mark.parametrize(
        "make", [one_vs_rest_code, all_pairs_code, complete_code, hadamard_code, random_dense_code, random_sparse_code]
    )
    def test_one_class_is_no_problem(self, make):
        with pytest.raises(ValueError, match="at least 2"):
            make(1)


class TestDecoding:
    # Figure 2 of Allwein, Schapire and Singer.
    OUTPUTS = np.array([[0.5, -7, -1, -2, -10, -12, 9]])
    ROWS = np.array([[" -0+".index(c) - 2 for c in row] for row in ("-0--+--", "+-0+++-", "+0---++", "--+0--+")])

    def test_figure_two(self):
        assert decoding_distances(self.OUTPUTS, self.ROWS).tolist() == [[3.5, 4.5, 1.5, 2.5]]
        distances = decoding_distances(self.OUTPUTS, self.ROWS, exponential)
        assert distances == pytest.approx(np.array([[30132.70, 192893.34, 162756.90, 5.368]]), rel=1e-4)
        chosen = {name: int(decode(self.OUTPUTS, self.ROWS, name)[0]) + 1 for name in CATALOGUE}
        assert chosen == {"hinge": 4, "exponential": 4, "logistic": 4, "square": 4, "sigmoid": 3, "zero-one": 3}

    @settings(deadline=None, max_examples=40)
    @given(seeds, st.sampled_from(sorted(CATALOGUE)), st.booleans())
    def test_distances_against_the_definition(self, seed, name, real):
        rng = np.random.default_rng(seed)
        M = rng.normal(size=(3, 5)) if real else rng.integers(-1, 2, (3, 5))
        F = rng.normal(size=(6, 5))
        expected = [[sum(CATALOGUE[name](m * f) for m, f in zip(row, x, strict=True)) for row in M] for x in F]
        assert decoding_distances(F, M, name) == pytest.approx(np.array(expected))

    @settings(deadline=None, max_examples=20)
    @given(seeds)
    def test_fractions_are_decoded_exactly(self, seed):
        rng = np.random.default_rng(seed)
        F = np.array([[Fraction(int(a), int(b)) for a, b in rng.integers(1, 50, (4, 2))]], dtype=object)
        found = decoding_distances(F, np.array([[1, 0, -1, 1], [1, 1, 0, -1]]), hinge)
        exact = [
            sum(max(1 - m * f, Fraction(0)) for m, f in zip(row, F[0], strict=True))
            for row in ([1, 0, -1, 1], [1, 1, 0, -1])
        ]
        assert found[0].tolist() == exact

    def test_integers_of_dtype_object_stay_exact_when_margins_break_ties(self):
        scores = decoding_scores(np.array([[2, 3]], dtype=object), one_vs_rest_code(2), ties="margin")
        assert all(isinstance(score, Fraction) for score in scores[0])

    def test_scores_of_a_code_of_other_numbers_by_hand(self):
        # Margins 6 and -1, and -3 and -2: 5 and -5 of 2 * (3 + 1) at most, of which a fifth is added.
        scores = decoding_scores(np.array([[3, -1]], dtype=object), np.array([[2, 1], [-1, 2]]), ties="margin")
        assert scores.tolist() == [[-1 + Fraction(1, 8), -2 - Fraction(1, 8)]]

    def test_the_three_rules_for_ties(self):
        F = np.array([[1.0, 2.0, -1.0]])
        M = one_vs_rest_code(3)
        assert decode(F, M)[0] == 0
        assert decode(F, M, ties="margin")[0] == 1
        assert decode(F, M, ties="mark")[0] == -1
        assert decode(np.array([[1.0, -2.0, -1.0]]), M, ties="mark")[0] == 0
        with pytest.raises(ValueError, match="first"):
            decode(F, M, ties="coin")

    def test_relative_margins_never_change_the_order_of_distances(self):
        F = np.random.default_rng(0).normal(size=(500, 6)) * 10.0 ** np.arange(6)
        M = all_pairs_code(4)
        distances, scores = decoding_distances(F, M), decoding_scores(F, M, ties="margin")
        closer = distances[:, :, None] < distances[:, None, :]
        assert (scores[:, :, None] > scores[:, None, :])[closer].all()

    @settings(deadline=None, max_examples=25)
    @given(seeds, st.sampled_from(["hamming", *sorted(CATALOGUE)]), st.sampled_from(["first", "margin", "mark"]))
    def test_no_label_depends_on_the_other_examples(self, seed, loss, ties):
        rng = np.random.default_rng(seed)
        M = [complete_code(5), all_pairs_code(5), rng.normal(size=(5, 7))][seed % 3]
        F = rng.choice([-3, -1, 1, 3], (60, M.shape[1])) / 3
        alone = np.concatenate([decode(f[None], M, loss, ties) for f in F])
        assert (decode(F, M, loss, ties) == alone).all()
        if ties != "mark":
            scores = decoding_scores(F, M, loss, ties)
            assert (scores == np.concatenate([decoding_scores(f[None], M, loss, ties) for f in F])).all()
            assert (scores.argmax(axis=1) == alone).all()

    @pytest.mark.parametrize("loss", ["hamming", "hinge", "square"])
    @pytest.mark.parametrize("ties", ["first", "margin", "mark"])
    def test_floats_tie_where_fractions_do(self, loss, ties):
        thirds = np.random.default_rng(0).choice([-3, -1, 1, 3], (300, 15))
        exact = np.frompyfunc(lambda n: Fraction(int(n), 3), 1, 1)(thirds)
        M = complete_code(5)
        labels = decode(exact, M, loss, ties)
        assert (decode(thirds / 3, M, loss, ties) == labels).all()
        assert ties != "mark" or (labels == -1).sum() > 20

    @pytest.mark.parametrize("loss", [lambda z: -z, lambda z: z * z - z])
    def test_ties_of_losses_below_zero_are_marked_too(self, loss):
        thirds = np.random.default_rng(1).choice([-3, -1, 1, 3], (300, 7))
        exact = np.frompyfunc(lambda n: Fraction(int(n), 3), 1, 1)(thirds)
        for M in (complete_code(4), 2 * complete_code(4)):
            labels = decode(exact, M, loss, "mark")
            assert (decode(thirds / 3, M, loss, "mark") == labels).all()
            assert (labels == -1).any()

    @pytest.mark.parametrize("n_columns", [1, 2])
    def test_rounding_is_relative_to_the_smallest_distance_where_no_loss_is_below_zero(self, n_columns):
        # The third class is so far away that the others would tie if its distance were the measure.
        M = np.array([[1.0], [1 + 1e-12], [1e3]]) * np.ones(n_columns)
        assert decode(np.ones((1, n_columns)), M, np.square, ties="mark").tolist() == [0]
        M = np.array([[2.0, 0.5], [0.5, 2.0]])
        assert decode([[-1.0, -1.0]], M, lambda z: z, ties="mark").tolist() == [-1]
        assert decode([[-1.0, -1.5]], M, lambda z: z, ties="mark").tolist() == [1]

    @pytest.mark.parametrize("scale", [5e-324, 1e-300, 2e-17, 1e-9, 1.0, 2e15, 1e300])
    def test_margins_break_ties_at_every_scale(self, scale):
        F = np.array([[-2.0, -3.0, -1.0], [-1.0, -3.0, -2.0], [-3.0, -1.0, -1.0]]) * scale
        assert decode(F, one_vs_rest_code(3), ties="margin").tolist() == [2, 0, 1]
        assert decoding_scores(F, one_vs_rest_code(3), ties="margin").argmax(axis=1).tolist() == [2, 0, 1]

    @pytest.mark.parametrize("loss", ["hinge", "square"])
    def test_a_tie_of_thousands_of_columns_is_one_in_whatever_order_they_are_summed(self, loss):
        # The first two rows pay L(a) + L(1) + L(-a), each in an order of its own.
        M, a = np.repeat(complete_code(3), 4000, axis=1), np.arange(1, 10) / 10
        F = np.repeat(np.c_[a, np.ones(9), -a], 4000, axis=1)
        assert (decode(F, M, loss, "mark") == -1).all()

    def test_scores_bear_outputs_of_very_different_sizes(self):
        scores = decoding_scores([[1e-200, -3e200, -1e200]], one_vs_rest_code(3), ties="margin")
        assert scores[0] == pytest.approx([0.2, -2.1, -1.9])

    def test_one_large_output_does_not_hide_which_of_the_others_is_larger(self):
        F = np.array([[-1e20, -2.0, -1.0]])
        assert decode(F, one_vs_rest_code(3), ties="margin")[0] == 2

    def test_distances_that_differ_by_more_than_rounding_do_not_tie(self):
        F = np.array([[1.0, 1.0 + 1e-12, -1.0], [1e-8, 2e-8, -1e-8]])
        assert decode(F, one_vs_rest_code(3), "exponential", "mark").tolist() == [1, 1]
        assert decode(np.array([[-800.0, 800.0, 1.0]]), one_vs_rest_code(3), np.abs, "mark").tolist() == [-1]

    def test_an_infinite_loss_ties_only_with_another(self):
        def wall(z):
            return np.where(z < 0, np.inf, 0.0)

        M = one_vs_rest_code(3)
        assert decode(np.array([[1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]), M, wall, "mark").tolist() == [0, -1]

    def test_blocks_give_what_the_whole_gives(self, monkeypatch):
        F = np.random.default_rng(1).normal(size=(100, 6))
        whole = decode(F, all_pairs_code(4), "hinge"), decoding_distances(F, all_pairs_code(4), "hinge")
        monkeypatch.setattr("mcbook.output_codes.algorithm.decoding._BLOCK_ENTRIES", 42)
        assert (decode(F, all_pairs_code(4), "hinge") == whole[0]).all()
        assert decoding_distances(F, all_pairs_code(4), "hinge") == pytest.approx(whole[1])

    def test_decoding_needs_little_memory(self):
        F = np.random.default_rng(2).normal(size=(100_000, 48))
        M = random_dense_code(26, 48, 10, random_state=0)
        tracemalloc.start()
        decode(F, M, "hinge")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # All the losses of f and of -f at once would take twice the size of the outputs.
        assert peak < F.nbytes

    def test_no_examples_no_labels(self):
        assert decode(np.empty((0, 3)), one_vs_rest_code(3)).shape == (0,)
        assert decoding_distances(np.empty((0, 3)), one_vs_rest_code(3)).shape == (0, 3)

    @pytest.mark.parametrize(
        ("F", "says"),
        [(np.ones((2, 4)), "as many columns"), (np.ones(3), "n_samples"), (np.full((1, 3), np.nan), "finite")],
    )
    def test_bad_outputs_are_named(self, F, says):
        with pytest.raises(ValueError, match=says):
            decode(F, one_vs_rest_code(3))

    @pytest.mark.parametrize("loss", ["hing", 3])
    def test_an_unknown_loss_is_named(self, loss):
        with pytest.raises(ValueError, match=r"hing|function"):
            decode(np.ones((1, 3)), one_vs_rest_code(3), loss)
