"""Structured prediction: inference and joint features against brute force, forests, losses of whole sequences."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from benchmarks import structured as structured_benchmarks
from benchmarks.harness import growth_exponent
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.pages import measured
from mcbook.structured import (
    Scores,
    best_labelling,
    best_with_whole_loss,
    chains,
    score_of,
    structures,
    sum_over_labellings,
    whole_loss,
)
from mcbook.structured.algorithm.decode import decode_labels
from mcbook.structured.algorithm.features import JointFeatures, indicators, pair_counts
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import every_score


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


# --- forests ---------------------------------------------------------------------------------------------------------


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


def test_labels_that_are_no_numbers_or_too_large_are_refused_with_what_to_do():
    strings, forest = ["b", "a"], chains([2])
    for count in (lambda y: indicators(y, 2), lambda y: pair_counts(y, forest, 2)):
        with pytest.raises(ValueError, match=r"expected labels 0 \.\. 1 as integers, got strings such as 'b': encode"):
            count(strings)
        with pytest.raises(ValueError, match=r"expected labels 0 \.\. 1 as integers, got .*2"):
            count([0, 2])
    with pytest.raises(ValueError, match="positions"):
        pair_counts([0, 1, 1], forest, 2)


def test_the_growth_of_reading_is_recorded_for_the_chapter():
    kept = measured("structured_growth")["growths"]
    for name, growth in kept.items():
        assert name.startswith("structured, reading: ")
        assert growth["exponent"] == pytest.approx(growth_exponent(growth["sizes"], growth["seconds"])[0])
    assert {growth.name: growth.stated for growth in structured_benchmarks.growths()} == pytest.approx(
        {name: growth["stated"] for name, growth in kept.items()}
    )
