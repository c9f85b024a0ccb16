"""Structured prediction: inference and joint features against brute force, forests, losses of whole sequences."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
import sympy

from benchmarks import structured as structured_benchmarks
from benchmarks.harness import growth_exponent
from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.pages import measured
from mcbook.structured import (
    Scores,
    add_losses,
    best_labelling,
    best_with_whole_loss,
    chains,
    counting_rows,
    hamming_cost,
    log_sum_exp,
    multiply_out,
    score_of,
    small_trellis,
    structures,
    sum_over_labellings,
    tagged_sentences,
    whole_loss,
)
from mcbook.structured.algorithm.decode import decode_labels
from mcbook.structured.algorithm.features import JointFeatures, indicators, pair_counts
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import all_labellings, every_score, loss_of
from mcbook.structured.kernels import read_scores


def random_forest(rng):
    """A few chains, or a few trees, of up to five positions."""
    sizes = rng.integers(1, 6, 4)
    if rng.random() < 0.5:
        return chains(sizes)
    return rooted_trees([[-1, *(int(rng.integers(0, i)) for i in range(1, n))] for n in sizes])


def random_scores(rng, forest, k, size=1.0):
    return Scores(size * rng.normal(size=(forest.n_positions, k)), size * rng.normal(size=(k, k)))


def cases(seed, count=40, size=1.0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        forest, k = random_forest(rng), int(rng.integers(1, 5))
        yield rng, forest, k, random_scores(rng, forest, k, size)


# --- inference -------------------------------------------------------------------------------------------------------


def test_viterbi_is_enumeration_on_chains_and_trees():
    for _, forest, _, scores in cases(0):
        best = best_labelling(scores, forest)
        assert best.values == pytest.approx(score_of(scores, forest, best.labels))
        for own, (Y, totals) in zip(forest.split(best.labels), every_score(scores, forest), strict=True):
            assert own.tolist() == Y[totals.argmax()].tolist()


def test_of_equally_good_labellings_the_first_in_dictionary_order_is_taken():
    for rng, forest, k, _ in cases(1, 60):
        E, T = rng.integers(0, 2, (forest.n_positions, k)), rng.integers(0, 2, (k, k))
        for scores in (Scores(E.astype(float), T.astype(float)), Scores(as_integers(E), as_integers(T))):
            best = best_labelling(scores, forest)
            for own, (Y, totals) in zip(forest.split(best.labels), every_score(scores, forest), strict=True):
                # argmax takes the first, and the labellings come in the order of a dictionary.
                assert own.tolist() == Y[totals.argmax()].tolist()


@pytest.mark.parametrize("size", [1.0, 30.0, 400.0])
def test_partition_function_and_marginals_are_enumeration(size):
    """Small scores are multiplied as factors, large ones added as logarithms."""
    for _, forest, k, scores in cases(2, 30, size):
        found = sum_over_labellings(scores, forest)
        P, pairs = np.zeros_like(scores.E), np.zeros((k, k))
        for number, (Y, totals) in enumerate(every_score(scores, forest)):
            log_z = totals.max() + math.log(np.exp(totals - totals.max()).sum())
            assert found.log_partition[number] == pytest.approx(log_z, rel=1e-12, abs=1e-12)
            own, positions = forest.only(np.array([number]))
            for y, p in zip(Y, np.exp(totals - log_z), strict=True):
                P[positions, y] += p
                pairs += p * pair_counts(y, own, k)
        assert pytest.approx(P, abs=1e-11) == found.P
        assert found.pairs == pytest.approx(pairs, abs=1e-11)


def test_both_ways_to_sum_agree(monkeypatch):
    for _, forest, _, scores in cases(3, 20):
        quick = sum_over_labellings(scores, forest)
        monkeypatch.setattr("mcbook.structured.algorithm.inference._RANGE", -1.0)
        slow = sum_over_labellings(scores, forest)
        monkeypatch.undo()
        for one, other in zip(quick, slow, strict=True):
            assert one == pytest.approx(other, rel=1e-12, abs=1e-12)


def test_factors_multiply_out_exactly():
    for rng, forest, k, _ in cases(4, 20):
        F = rational(rng.integers(0, 4, (forest.n_positions, k))) + Fraction(1, 3)
        M = rational(rng.integers(0, 3, (k, k)))
        M[0] += 1
        found = multiply_out(F.copy(), M, forest)
        # As logarithms the products of factors are sums of scores; here they are multiplied one by one.
        for number, scales in enumerate(forest.split(found.scales)):
            own, positions = forest.only(np.array([number]))
            total = 0
            for y in all_labellings(k, own.n_positions):
                at = own.children
                total += math.prod(F[positions, y].tolist()) * math.prod(M[y[own.parents[at]], y[at]].tolist())
            assert math.prod(scales.tolist()) == total
        assert (found.P.sum(axis=1) == 1).all()
        assert found.pairs.sum() == len(forest.children)


def test_forbidden_pairs_never_occur():
    for _, forest, k, scores in cases(5, 30):
        if k < 2:
            continue
        scores.T[0, 1] = -np.inf
        best, found = best_labelling(scores, forest).labels, sum_over_labellings(scores, forest)
        at = forest.children
        assert not ((best[forest.parents[at]] == 0) & (best[at] == 1)).any()
        assert found.pairs[0, 1] == 0
        assert found.P.sum(axis=1) == pytest.approx(1)


def test_many_children_that_disagree_do_not_make_factors_vanish():
    """Four children speak for each label of the root, by e^250 each: no product of all factors is a float."""
    forest = rooted_trees([[-1, *[0] * 8]])
    scores = Scores(np.array([[0.0, 0.0], *[[0.0, -250.0]] * 4, *[[-250.0, 0.0]] * 4]), -400 * (1 - np.eye(2)))
    _, values = next(every_score(scores, forest))
    found = sum_over_labellings(scores, forest)
    assert found.log_partition == pytest.approx([np.logaddexp.reduce(values)])
    assert found.P[0] == pytest.approx([0.5, 0.5])


def test_when_nothing_is_allowed_it_says_so():
    with pytest.raises(ValueError, match=r"at least one allowed labelling of every sequence, sequence 1 has none"):
        sum_over_labellings(Scores(np.zeros((3, 1)), np.full((1, 1), -np.inf)), chains([1, 2]))


def test_no_score_is_too_large():
    scores = Scores(np.array([[0.0, 5000.0], [9000.0, 0.0]]), np.array([[0.0, 0.0], [0.0, -1e6]]))
    found = sum_over_labellings(scores, chains([2]))
    assert found.log_partition[0] == 14000
    assert found.P.tolist() == [[0, 1], [1, 0]]


def test_losses_added_to_scores_are_found_by_viterbi():
    for rng, forest, k, scores in cases(6):
        y = rng.integers(0, k, forest.n_positions)
        cost, weights = rng.random((k, k)) * (1 - np.eye(k)), rng.random(forest.n_positions)
        for table, by in ((hamming_cost(k), None), (cost, None), (cost, weights)):
            best = best_labelling(add_losses(scores, y, table, by), forest)
            for number, (Y, totals) in enumerate(every_score(scores, forest)):
                own, positions = forest.only(np.array([number]))
                part = None if by is None else by[positions]
                worst = max(
                    total + loss_of(y[positions], z, table, own, part)[0] for z, total in zip(Y, totals, strict=True)
                )
                assert best.values[number] == pytest.approx(worst)


def test_reading_in_blocks_and_threads_finds_the_same_labels(monkeypatch):
    rng = np.random.default_rng(10)
    forest = chains(rng.integers(1, 9, 60))
    X = rng.normal(size=(forest.n_positions, 5))
    features = JointFeatures(5, 4)
    w = rng.normal(size=features.size)
    for data in (structures(X, forest), structures(sp.csr_array(X), forest)):
        right = best_labelling(features.scores(w, data), forest).labels.tolist()
        for block, jobs in ((1 << 16, 1), (1, 1), (60, 2), (200, 3)):
            monkeypatch.setattr("mcbook.structured.algorithm.decode._BLOCK", block)
            assert decode_labels(features, w, data, n_jobs=jobs).tolist() == right


# --- joint features --------------------------------------------------------------------------------------------------


def test_the_score_is_linear_in_the_joint_features():
    for rng, forest, k, _ in cases(7, 20):
        X = rng.integers(-2, 3, (forest.n_positions, 3))
        y = rng.integers(0, k, forest.n_positions)
        features = JointFeatures(3, k)
        w = rng.normal(size=features.size)
        for data in (structures(X.astype(float), forest), structures(sp.csr_array(X), forest)):
            scores, psi = features.scores(w, data), features.vector(data, y)
            assert psi @ w == pytest.approx(score_of(scores, forest, y).sum())
        exact = features.vector(structures(as_integers(X), forest), y)
        assert exact.tolist() == psi.tolist()
        assert features.join(features.parts(w)) == pytest.approx(w)


def test_expected_features_are_the_gradient_of_the_log_partition():
    for rng, forest, k, _ in cases(8, 6):
        data, features = structures(rng.normal(size=(forest.n_positions, 2)), forest), JointFeatures(2, k)
        w, step = rng.normal(size=features.size), rng.normal(size=features.size)

        up, down, found = (sum_over_labellings(features.scores(w + by * step, data), forest) for by in (1e-5, -1e-5, 0))
        slope = (up.log_partition - down.log_partition).sum() / 2e-5
        assert features.combine(data, found.P, found.pairs) @ step == pytest.approx(slope, rel=1e-6)


# --- forests ---------------------------------------------------------------------------------------------------------


def test_a_part_of_a_forest_keeps_its_edges():
    forest = rooted_trees([[-1, 0, 0], [-1], [-1, 0, 1, 1]])
    part, positions = forest.only(np.array([2, 0]))
    assert part.parents.tolist() == [-1, 0, 1, 1, -1, 4, 4]
    assert positions.tolist() == [4, 5, 6, 7, 0, 1, 2]
    assert part.leaves.tolist() == [2, 3, 5, 6]
    assert [part.tolist() for part in forest.split(np.arange(8))] == [[0, 1, 2], [3], [4, 5, 6, 7]]


@pytest.mark.parametrize(
    ("n_positions", "ends"), [(1, [2, 5, 6, 10]), (3, [2, 5, 6, 10]), (5, [5, 10]), (6, [6, 10]), (99, [10])]
)
def test_blocks_have_as_many_sequences_as_fit_and_one_at_least(n_positions, ends):
    forest = rooted_trees([[-1, 0], [-1, 0, 0], [-1], [-1, 0, 1, 1]])
    blocks = list(forest.blocks(n_positions))
    assert [at.stop for _, at in blocks] == ends
    assert [at.start for _, at in blocks] == [0, *ends[:-1]]
    for block, at in blocks:
        assert block.n_positions == at.stop - at.start
        own = np.flatnonzero(np.isin(forest.roots, np.arange(at.start, at.stop)))
        assert block.parents.tolist() == forest.only(own)[0].parents.tolist()
        assert block.offsets.tolist() == forest.only(own)[0].offsets.tolist()


def test_parents_within_their_trees_are_those_given():
    given = [[-1, 0, 0], [-1, 0], [-1, 0, 1]]
    assert rooted_trees(given).within.tolist() == [parent for tree in given for parent in tree]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: chains([2, 0]), r"in each at least one position, got lengths \[2, 0\]: leave empty sequences out"),
        (lambda: chains([]), "at least one sequence"),
        (lambda: chains([1.5]), "at least one sequence"),
        (lambda: rooted_trees([[-1, 1]]), "each further one an earlier node"),
        (lambda: rooted_trees([[-1], [0]]), "tree 1 to begin with -1"),
        (lambda: rooted_trees([[-1, -1]]), "each further one an earlier node"),
        (lambda: rooted_trees([]), "at least one tree"),
        (lambda: structures(np.zeros((2, 1)), chains([3])), "a row of X for each of 3 positions, got 2"),
        (lambda: best_labelling(Scores(np.zeros((3, 2)), np.zeros((3, 3))), chains([3])), "T .n_labels, n_labels."),
        (lambda: best_labelling(Scores([[np.nan]], [[0.0]]), chains([1])), "numbers or -inf, got NaN"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- losses of whole sequences ---------------------------------------------------------------------------------------


def test_the_loss_of_the_whole_sequence_is_found_with_an_error_state():
    rng = np.random.default_rng(9)
    for _ in range(30):
        forest, k, loss_weight = chains(rng.integers(1, 5, 3)), int(rng.integers(1, 4)), float(rng.normal())
        scores, y = random_scores(rng, forest, k), rng.integers(0, k, forest.n_positions)
        best = best_with_whole_loss(scores, forest, y, loss_weight)
        for number, (Y, totals) in enumerate(every_score(scores, forest)):
            own, positions = forest.only(np.array([number]))
            worst = max(t + loss_weight * whole_loss(y[positions], z, own)[0] for z, t in zip(Y, totals, strict=True))
            assert best.values[number] == pytest.approx(worst)
        reached = score_of(scores, forest, best.labels) + loss_weight * whole_loss(y, best.labels, forest)
        assert best.values == pytest.approx(reached)
    with pytest.raises(ValueError, match="expected chains, got a tree with branches"):
        best_with_whole_loss(Scores(np.zeros((3, 2)), np.zeros((2, 2))), rooted_trees([[-1, 0, 0]]), [0, 0, 0])


# --- instances -------------------------------------------------------------------------------------------------------


def test_rows_count_and_sentences_have_words_with_two_tags():
    rng = np.random.default_rng(0)
    rows = counting_rows(rng, np.arange(10.0)[:, None], np.arange(10), 200)
    assert all((x[:, 0] == y).all() for x, y in zip(rows.X, rows.y, strict=True))
    steps = np.concatenate([np.diff(y) % 10 for y in rows.y])
    assert 0.85 < (steps == 1).mean() < 0.96
    sentences, tags = tagged_sentences(rng, 200)
    assert len(sentences) == len(tags) == 200
    of_word: dict[str, set[str]] = {}
    for sentence, own in zip(sentences, tags, strict=True):
        for word, tag in zip(sentence, own, strict=True):
            of_word.setdefault(word, set()).add(tag)
    assert sum(len(found) > 1 for found in of_word.values()) > 10


def test_the_small_trellis_is_the_printed_one():
    E, T = small_trellis()[0]
    assert E.tolist() == [[2, 0, 1], [0, 2, 1], [0, 2, 1.5], [1, 0.5, 0]]
    assert T.tolist() == [[-1, 1, 0], [0, -1, 2], [2, 0, -1]]
    assert best_labelling(Scores(E, T), chains([4])).values.tolist() == [11.5]


def test_labels_that_are_no_numbers_or_too_large_are_refused_with_what_to_do():
    strings, forest = ["b", "a"], chains([2])
    for count in (lambda y: indicators(y, 2), lambda y: pair_counts(y, forest, 2)):
        with pytest.raises(ValueError, match=r"expected labels 0 \.\. 1 as integers, got strings such as 'b': encode"):
            count(strings)
        with pytest.raises(ValueError, match=r"expected labels 0 \.\. 1 as integers, got .*2"):
            count([0, 2])
    with pytest.raises(ValueError, match="positions"):
        pair_counts([0, 1, 1], forest, 2)


@pytest.mark.parametrize("n_labels", [1, 2, 4, 5, 9, 13])
def test_reading_finds_the_labelling_of_viterbi_the_first_of_equals(n_labels):
    rng = np.random.default_rng(n_labels)
    for forest in (chains(rng.integers(1, 9, 20)), rooted_trees([[-1, 0, 0, 1, 1, 2], [-1], [-1, 0, 0, 0]])):
        E = rng.integers(-2, 3, (forest.n_positions, n_labels)).astype(float)
        T = rng.integers(-1, 2, (n_labels, n_labels)).astype(float)
        labels = np.zeros(forest.n_positions, dtype=np.int64)
        read_scores(E.copy(), np.ascontiguousarray(T.T), forest.parents, labels)
        assert (labels == best_labelling(Scores(E, T), forest).labels).all()


@pytest.mark.parametrize("n_labels", [1, 2, 4, 5, 9, 13])
@pytest.mark.parametrize("n_sequences", [1, 2, 40, 300])
def test_chains_side_by_side_are_read_as_each_by_itself_and_ties_by_the_first(n_labels, n_sequences):
    rng = np.random.default_rng(n_labels)
    forest = chains(rng.integers(1, 9, n_sequences))
    X = rng.integers(-1, 2, (forest.n_positions, 6)).astype(float)
    features = JointFeatures(6, n_labels)
    w = rng.integers(-1, 2, features.size).astype(float)
    right = best_labelling(features.scores(w, structures(X, forest)), forest).labels
    for table in (X, sp.csr_array(X)):
        for jobs in (1, 3):
            assert (decode_labels(features, w, structures(table, forest), n_jobs=jobs) == right).all()


def test_the_growth_of_reading_is_recorded_for_the_chapter():
    kept = measured("structured_growth")["growths"]
    for name, growth in kept.items():
        assert name.startswith("structured, reading: ")
        assert growth["exponent"] == pytest.approx(growth_exponent(growth["sizes"], growth["seconds"])[0])
    assert {growth.name: growth.stated for growth in structured_benchmarks.growths()} == pytest.approx(
        {name: growth["stated"] for name, growth in kept.items()}
    )


def test_symbols_stay_in_the_sum_that_was_written():
    x, y = sympy.symbols("x y")
    assert log_sum_exp([x, y]) == sympy.log(sympy.exp(x) + sympy.exp(y))
    assert log_sum_exp([x]) == sympy.log(sympy.exp(x))
