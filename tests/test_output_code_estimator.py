"""The reduction protocol: code matrices, decoding, and the estimator that joins them to a learner."""

from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.losses import CATALOGUE, exponential, hinge
from mcbook.one_vs_rest_and_pairs import KnockOut
from mcbook.output_codes import (
    OutputCode,
    SquaredHingeClassifier,
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

    @pytest.mark.parametrize("scale", [5e-324, 1e-300, 2e-17, 1e-9, 1.0, 2e15, 1e300])
    def test_margins_break_ties_at_every_scale(self, scale):
        F = np.array([[-2.0, -3.0, -1.0], [-1.0, -3.0, -2.0], [-3.0, -1.0, -1.0]]) * scale
        assert decode(F, one_vs_rest_code(3), ties="margin").tolist() == [2, 0, 1]
        assert decoding_scores(F, one_vs_rest_code(3), ties="margin").argmax(axis=1).tolist() == [2, 0, 1]

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


@parametrize_with_checks(
    [
        OutputCode(LogisticRegression()),
        OutputCode(LinearSVC(dual=False, tol=1e-12), "all-pairs", "hinge"),
        OutputCode(DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=0), "complete", ties="first"),
        OutputCode(
            DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=0), "all-pairs", column_as_feature=True
        ),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


class OnlyPredicts(ClassifierMixin, BaseEstimator):
    """A learner with no scores."""

    def fit(self, X, y):
        self.learner_ = RidgeClassifier().fit(X, y)
        self.classes_ = self.learner_.classes_
        return self

    def predict(self, X):
        return self.learner_.predict(X)


class Shaped(RidgeClassifier):
    """A learner whose scores come in this shape."""

    def __init__(self, shape=(-1,), copies=1):
        super().__init__()
        self.shape, self.copies = shape, copies

    def decision_function(self, X):
        scores = super().decision_function(X).reshape(self.shape)
        return np.hstack([scores] * self.copies) if self.copies > 1 else scores


class OnePerColumn(ClassifierMixin, BaseEstimator):
    """A learner that separates the columns: one ridge classifier for each value of the column's attribute."""

    def __init__(self, n_columns=3):
        self.n_columns = n_columns

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        column = X[:, -self.n_columns :].argmax(axis=1)
        self.estimators_ = [
            RidgeClassifier().fit(X[column == s, : -self.n_columns], y[column == s]) for s in range(self.n_columns)
        ]
        return self

    def decision_function(self, X):
        column = X[:, -self.n_columns :].argmax(axis=1)
        table = np.array([learner.decision_function(X[:, : -self.n_columns]) for learner in self.estimators_])
        return table[column, np.arange(len(X))]

    def predict(self, X):
        return np.where(self.decision_function(X) > 0, 1, -1)


X_iris, y_iris = load_iris(return_X_y=True)
X_digits, y_digits = load_digits(return_X_y=True)


class TestEstimator:
    @pytest.mark.parametrize("learner", [RidgeClassifier(), GaussianNB(), OnlyPredicts()])
    def test_every_kind_of_learner_works(self, learner):
        for code in ("one-vs-rest", "all-pairs"):
            model = OutputCode(learner, code).fit(X_iris, y_iris)
            assert model.score(X_iris, y_iris) > 0.6
            assert set(np.unique(np.sign(model.outputs(X_iris)))) <= {-1, 0, 1}

    def test_outputs_of_probabilities_are_centred(self):
        model = OutputCode(GaussianNB(), "all-pairs").fit(X_iris, y_iris)
        pair = y_iris < 2
        probability = GaussianNB().fit(X_iris[pair], np.where(y_iris[pair] == 0, 1, -1)).predict_proba(X_iris)[:, 1]
        assert model.outputs(X_iris)[:, 0] == pytest.approx(2 * probability - 1)

    @pytest.mark.parametrize("learner", [LinearSVC(random_state=0), LogisticRegression(max_iter=500)])
    def test_one_vs_rest_is_that_of_scikit_learn(self, learner):
        X, y = X_digits[::3], y_digits[::3]
        theirs = OneVsRestClassifier(learner).fit(X, y)
        ours = OutputCode(learner).fit(X, y)
        assert ours.outputs(X_digits) == pytest.approx(theirs.decision_function(X_digits))
        for decoder in ("hamming", "square", "logistic"):
            model = clone(ours).set_params(decoder=decoder)
            model.__dict__.update({key: value for key, value in vars(ours).items() if key.endswith("_")})
            assert (model.predict(X_digits) == theirs.predict(X_digits)).all()

    def test_all_pairs_are_those_of_scikit_learn(self):
        X, y = X_digits[::3], y_digits[::3]
        # Closed form, so that exchanging the two sides, as their convention does, changes nothing but the sign.
        learner = RidgeClassifier()
        theirs, ours = OneVsOneClassifier(learner).fit(X, y), OutputCode(learner, "all-pairs").fit(X, y)
        assert (ours.predict(X_digits) == theirs.predict(X_digits)).all()
        # A won duel costs nothing, a lost one 1, one of others 1/2; theirs adds less than 1/3 to the votes.
        votes = 9 + (45 - 9) / 2 - decoding_distances(ours.outputs(X_digits), ours.code_)
        assert (votes == np.round(theirs.decision_function(X_digits))).all()

    def test_output_codes_are_those_of_scikit_learn(self):
        X, y = X_digits[::3], y_digits[::3]
        learner = RidgeClassifier()
        theirs = OutputCodeClassifier(learner, code_size=2, random_state=1).fit(X, y)
        code = np.where(theirs.code_book_ > 0, 1, -1)
        ours = OutputCode(learner, code).fit(X, y)
        # Theirs takes the row nearest to the outputs in Euclidean distance, which for rows of signs is the largest
        # product of both: decoding with the square loss.
        outputs = np.array([e.decision_function(X_digits) for e in theirs.estimators_]).T
        assert ours.outputs(X_digits) == pytest.approx(outputs)
        square = OutputCode(learner, code, "square").fit(X, y)
        assert (square.predict(X_digits) == theirs.predict(X_digits)).all()

    def test_single_call_is_multi_call_for_a_learner_that_separates_columns(self):
        for code, n_columns in (("one-vs-rest", 3), ("all-pairs", 3)):
            many = OutputCode(RidgeClassifier(), code).fit(X_iris, y_iris)
            single = OutputCode(OnePerColumn(n_columns), code, column_as_feature=True).fit(X_iris, y_iris)
            assert len(single.estimators_) == 1
            assert single.outputs(X_iris) == pytest.approx(many.outputs(X_iris))
            assert (single.predict(X_iris) == many.predict(X_iris)).all()

    def test_single_call_takes_sparse_features(self):
        dense = OutputCode(DecisionTreeClassifier(random_state=0), "all-pairs", column_as_feature=True).fit(
            X_iris, y_iris
        )
        sparse = clone(dense).fit(sp.csr_matrix(X_iris), y_iris)
        assert (sparse.predict(sp.csr_matrix(X_iris)) == dense.predict(X_iris)).all()

    def test_two_columns_at_a_time_give_the_same(self):
        one = OutputCode(RidgeClassifier(), "complete").fit(X_iris, y_iris)
        two = OutputCode(RidgeClassifier(), "complete", n_jobs=2).fit(X_iris, y_iris)
        assert (one.outputs(X_iris) == two.outputs(X_iris)).all()

    @pytest.mark.parametrize("code", ["one-vs-rest", "all-pairs", "complete", "hadamard", "dense", "sparse"])
    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_every_named_code_learns_strings_as_labels(self, code, k):
        X, y = X_digits[y_digits < k], np.array(["a", "b", "c", "d", "e"])[y_digits[y_digits < k]]
        model = OutputCode(RidgeClassifier(), code, random_state=0).fit(X, y)
        assert model.code_.shape[0] == k
        assert model.score(X, y) > 0.95
        assert model.decision_function(X).shape == ((len(X),) if k == 2 else (len(X), k))

    def test_of_two_classes_the_second_is_the_positive_side(self):
        X, y = X_iris[50:], np.array(["a", "b"])[y_iris[50:] - 1]
        model = OutputCode(RidgeClassifier(), "all-pairs").fit(X, y)
        bare = RidgeClassifier().fit(X, y)
        assert model.outputs(X)[:, 0] == pytest.approx(bare.decision_function(X))
        assert (np.sign(model.decision_function(X)) == np.sign(bare.decision_function(X))).all()
        assert (model.predict(X) == bare.predict(X)).all()

    def test_entries_of_zero_leave_their_classes_out(self):
        code = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
        model = OutputCode(KNeighborsClassifier(1), code).fit(X_iris, y_iris)
        assert [learner.n_samples_fit_ for learner in model.estimators_] == [100, 100, 100]

    def test_a_real_code_is_trained_by_signs_and_decoded_by_size(self):
        code = np.array([[0.5, 1.0], [-2.0, 0.25], [1.0, -1.0]])
        model = OutputCode(RidgeClassifier(), code, "square").fit(X_iris, y_iris)
        signs = OutputCode(RidgeClassifier(), np.sign(code), "square").fit(X_iris, y_iris)
        assert (model.outputs(X_iris) == signs.outputs(X_iris)).all()
        expected = ((1 - code[None] * model.outputs(X_iris)[:, None]) ** 2).sum(axis=2)
        assert model.decision_function(X_iris) == pytest.approx(-expected)

    def test_predictions_in_batches_are_the_same(self, monkeypatch):
        model = OutputCode(RidgeClassifier(), "all-pairs").fit(X_iris, y_iris)
        whole = model.predict(X_iris)
        monkeypatch.setattr("mcbook.output_codes.estimator.output_code._BLOCK_ENTRIES", 40)
        assert (model.predict(X_iris) == whole).all()

    def test_missing_values_pass_to_a_learner_that_takes_them(self):
        X = X_iris.copy()
        X[::7, 0] = np.nan
        model = OutputCode(HistGradientBoostingClassifier(max_iter=3)).fit(X, y_iris)
        assert model.score(X, y_iris) > 0.8
        with pytest.raises(ValueError, match="NaN"):
            OutputCode(RidgeClassifier()).fit(X, y_iris)

    @pytest.mark.parametrize(
        ("parameters", "says"),
        [
            ({"code": [[1, 1], [-1, -1]]}, "2 rows and there are 3 classes"),
            ({"code": np.ones((3, 2))}, "no negative entry"),
            ({"code": "one-vs-all"}, "one-vs-rest"),
            ({"decoder": "hing"}, "hing"),
            ({"ties": "coin"}, "margin"),
            ({"estimator": "svm"}, "fit"),
        ],
    )
    def test_bad_parameters_are_named(self, parameters, says):
        with pytest.raises(ValueError, match=says):
            OutputCode(RidgeClassifier()).set_params(**parameters).fit(X_iris, y_iris)

    def test_a_random_state_of_numpy_seeds_the_code(self):
        codes = [
            OutputCode(RidgeClassifier(), "dense", random_state=np.random.RandomState(3)).fit(X_digits, y_digits).code_
            for _ in range(2)
        ]
        assert (codes[0] == codes[1]).all()
        seeded = OutputCode(RidgeClassifier(), "dense", random_state=3).fit(X_digits, y_digits)
        assert (seeded.code_ == random_dense_code(10, random_state=3)).all()

    @pytest.mark.parametrize("shape", [(-1, 1), (-1,)])
    def test_scores_in_one_column_are_scores(self, shape):
        learner = Shaped(shape)
        model = OutputCode(learner, "all-pairs", "hinge").fit(X_iris, y_iris)
        assert (
            model.outputs(X_iris) == OutputCode(RidgeClassifier(), "all-pairs").fit(X_iris, y_iris).outputs(X_iris)
        ).all()

    def test_scores_for_both_classes_are_named(self):
        with pytest.raises(ValueError, match=r"one score for each.*Shaped.*\(150, 2\).*second class only"):
            OutputCode(Shaped((-1, 1), copies=2)).fit(X_iris, y_iris).predict(X_iris)

    @pytest.mark.parametrize("scale", [1e-10, 1e10])
    def test_one_vs_rest_is_that_of_scikit_learn_at_every_scale(self, scale):
        learner = LinearSVC(fit_intercept=False, random_state=0)
        X = X_digits[:400] * scale
        ours, theirs = (kind(learner).fit(X, y_digits[:400]) for kind in (OutputCode, OneVsRestClassifier))
        assert (ours.predict(X) == theirs.predict(X)).all()

    def test_one_class_only_is_named(self):
        with pytest.raises(ValueError, match="1 class only"):
            OutputCode(RidgeClassifier()).fit(X_iris, np.zeros(150))


REDUCTIONS = [
    OutputCode(LogisticRegression(max_iter=5000, tol=1e-8), "all-pairs", "hinge"),
    OutputCode(LogisticRegression(max_iter=5000, tol=1e-8), "complete", "hinge", column_as_feature=True),
    OutputCode(SquaredHingeClassifier(tol=1e-12), "one-vs-rest", "hinge"),
    KnockOut(LogisticRegression(max_iter=5000, tol=1e-8)),
]


class TestWeights:
    @pytest.mark.parametrize("model", REDUCTIONS)
    def test_a_weight_is_a_number_of_copies(self, model):
        weight = np.random.default_rng(0).integers(0, 4, 150)
        weighted = clone(model).fit(X_iris, y_iris, sample_weight=weight)
        copies = np.repeat(np.arange(150), weight)
        repeated = clone(model).fit(X_iris[copies], y_iris[copies])
        for one, other in zip(weighted.estimators_, repeated.estimators_, strict=True):
            assert one.coef_ == pytest.approx(other.coef_, abs=1e-3)
        assert (weighted.predict(X_iris) == repeated.predict(X_iris)).all()

    @pytest.mark.parametrize("model", REDUCTIONS)
    def test_weights_of_classes_are_those_of_their_examples(self, model):
        by_class = clone(model).set_params(class_weight={0: 1, 1: 5, 2: 0.5}).fit(X_iris, y_iris)
        by_example = clone(model).fit(X_iris, y_iris, np.array([1, 5, 0.5])[y_iris])
        unweighted = clone(model).fit(X_iris, y_iris)
        for one, other, plain in zip(by_class.estimators_, by_example.estimators_, unweighted.estimators_, strict=True):
            assert (one.coef_ == other.coef_).all()
            assert (one.coef_ != plain.coef_).any()

    def test_a_class_without_weight_is_as_if_it_were_not_there(self):
        model = OutputCode(LogisticRegression()).fit(X_iris, y_iris, y_iris > 0)
        assert model.classes_.tolist() == [1, 2]
        with pytest.raises(ValueError, match="1 class only"):
            OutputCode(LogisticRegression()).fit(X_iris, y_iris, y_iris == 0)

    def test_an_estimator_without_weights_is_named(self):
        with pytest.raises(ValueError, match="takes sample_weight, got KNeighborsClassifier"):
            OutputCode(KNeighborsClassifier()).fit(X_iris, y_iris, np.ones(150))


class TestRouting:
    @pytest.mark.parametrize("make", [OutputCode, KnockOut])
    def test_what_the_estimator_asks_for_reaches_it(self, make):
        weight = np.random.default_rng(0).random(150)
        plain = make(LogisticRegression()).fit(X_iris, y_iris, sample_weight=weight)
        with config_context(enable_metadata_routing=True):
            asked = make(LogisticRegression().set_fit_request(sample_weight=True))
            routed = clone(asked).fit(X_iris, y_iris, sample_weight=weight)
            scores = cross_val_score(asked, X_iris, y_iris, params={"sample_weight": weight})
            with pytest.raises(UnsetMetadataPassedError):
                make(LogisticRegression()).fit(X_iris, y_iris, sample_weight=weight)
        assert (routed.predict(X_iris) == plain.predict(X_iris)).all()
        for one, other in zip(routed.estimators_, plain.estimators_, strict=True):
            assert (one.coef_ == other.coef_).all()
        assert len(scores) == 5

    @pytest.mark.parametrize("joined", [False, True])
    def test_other_metadata_goes_along_column_by_column(self, joined):
        marks = np.arange(150)
        with config_context(enable_metadata_routing=True):
            learner = Marked().set_fit_request(marks=True)
            model = OutputCode(learner, "all-pairs", column_as_feature=joined).fit(X_iris, y_iris, marks=marks)
        assert sum(len(one.marks_) for one in model.estimators_) == 300
        assert model.estimators_[0].marks_[:50].tolist() == list(range(50))

    def test_without_routing_nothing_else_is_taken(self):
        with pytest.raises(ValueError, match="marks"):
            OutputCode(Marked()).fit(X_iris, y_iris, marks=np.arange(150))


class Marked(RidgeClassifier):
    """A learner that wants more than weights."""

    def fit(self, X, y, sample_weight=None, marks=None):
        self.marks_ = marks
        return super().fit(X, y, sample_weight)
