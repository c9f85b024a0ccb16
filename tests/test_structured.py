"""Structured prediction: inference against brute force, and everything that is built on it."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression

from mcbook.foundation.numbers import as_integers, rational
from mcbook.structured import (
    ChainCRF,
    JointFeatures,
    Scores,
    SequenceLoss,
    StructuredPerceptron,
    add_losses,
    all_labellings,
    best_labelling,
    best_with_whole_loss,
    chains,
    counting_rows,
    every_score,
    fit_likelihood,
    hamming_cost,
    loss_of,
    minimise,
    multiply_out,
    pair_counts,
    read_labels,
    run_structured_perceptron,
    score_of,
    softmax_margin,
    structures,
    sum_over_labellings,
    tagged_sentences,
    trees,
    whole_loss,
    word_features,
)


def random_forest(rng):
    """A few chains, or a few trees, of up to five positions."""
    sizes = rng.integers(1, 6, 4)
    if rng.random() < 0.5:
        return chains(sizes)
    return trees([[-1, *(int(rng.integers(0, i)) for i in range(1, n))] for n in sizes])


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
            monkeypatch.setattr("mcbook.structured.algorithm.reading._BLOCK", block)
            assert read_labels(features, w, data, n_jobs=jobs).tolist() == right


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
    forest = trees([[-1, 0, 0], [-1], [-1, 0, 1, 1]])
    part, positions = forest.only(np.array([2, 0]))
    assert part.parents.tolist() == [-1, 0, 1, 1, -1, 4, 4]
    assert positions.tolist() == [4, 5, 6, 7, 0, 1, 2]
    assert part.leaves.tolist() == [2, 3, 5, 6]
    assert [part.tolist() for part in forest.split(np.arange(8))] == [[0, 1, 2], [3], [4, 5, 6, 7]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: chains([2, 0]), r"in each at least one position, got lengths \[2, 0\]: leave empty sequences out"),
        (lambda: chains([]), "at least one sequence"),
        (lambda: chains([1.5]), "at least one sequence"),
        (lambda: trees([[-1, 1]]), "each further one an earlier node"),
        (lambda: trees([[-1], [0]]), "tree 1 to begin with -1"),
        (lambda: trees([[-1, -1]]), "each further one an earlier node"),
        (lambda: trees([]), "at least one tree"),
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
        forest, k, price = chains(rng.integers(1, 5, 3)), int(rng.integers(1, 4)), float(rng.normal())
        scores, y = random_scores(rng, forest, k), rng.integers(0, k, forest.n_positions)
        best = best_with_whole_loss(scores, forest, y, price)
        for number, (Y, totals) in enumerate(every_score(scores, forest)):
            own, positions = forest.only(np.array([number]))
            worst = max(t + price * whole_loss(y[positions], z, own)[0] for z, t in zip(Y, totals, strict=True))
            assert best.values[number] == pytest.approx(worst)
        reached = score_of(scores, forest, best.labels) + price * whole_loss(y, best.labels, forest)
        assert best.values == pytest.approx(reached)
    with pytest.raises(ValueError, match="expected chains, got a tree with branches"):
        best_with_whole_loss(Scores(np.zeros((3, 2)), np.zeros((2, 2))), trees([[-1, 0, 0]]), [0, 0, 0])


# --- training --------------------------------------------------------------------------------------------------------


def small_problem(seed=0, k=3, sparse=False):
    rng = np.random.default_rng(seed)
    forest = chains(rng.integers(1, 6, 12))
    X, y = rng.normal(size=(forest.n_positions, 4)), rng.integers(0, k, forest.n_positions)
    X[rng.random(X.shape) < 0.4] = 0
    return structures(sp.csr_array(X) if sparse else X, forest), y


@pytest.mark.parametrize("cost", [None, hamming_cost(3), 2.5 * hamming_cost(3)])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_gradient_is_the_slope_of_the_loss_and_both_are_enumeration(cost, sparse):
    data, y = small_problem(sparse=sparse)
    features = JointFeatures(4, 3)
    loss = SequenceLoss(data, y, features, cost=cost)
    rng = np.random.default_rng(1)
    w, step = rng.normal(size=features.size), rng.normal(size=features.size)
    scores = features.scores(w, data)
    total = 0.0
    for number, (Y, totals) in enumerate(every_score(scores, data.forest)):
        own, positions = data.forest.only(np.array([number]))
        truth = score_of(Scores(scores.E[positions], scores.T), own, y[positions])[0]
        losses = [0.0 if cost is None else loss_of(y[positions], z, cost, own)[0] for z in Y]
        total += float(softmax_margin(losses, truth - totals))
    found = loss(w)
    assert found.value == pytest.approx(total)
    slope = (loss(w + 1e-5 * step).value - loss(w - 1e-5 * step).value) / 2e-5
    assert found.gradient @ step == pytest.approx(slope, rel=1e-6)


def test_blocks_and_jobs_change_nothing(monkeypatch):
    data, y = small_problem()
    features = JointFeatures(4, 3)
    w = np.random.default_rng(2).normal(size=features.size)
    whole = SequenceLoss(data, y, features)(w)
    monkeypatch.setattr("mcbook.structured.algorithm.training._BLOCK", 21)
    losses = [SequenceLoss(data, y, features, n_jobs=jobs) for jobs in (1, 2)]
    assert len(losses[0].blocks) > 3
    apart, together = (loss(w) for loss in losses)
    assert apart.value == together.value
    assert (apart.gradient == together.gradient).all()
    assert apart.value == pytest.approx(whole.value, rel=1e-13)
    assert apart.gradient == pytest.approx(whole.gradient, abs=1e-11)


@pytest.mark.parametrize("sparse", [False, True])
def test_the_gap_bounds_how_far_the_optimum_is(sparse):
    data, y = small_problem(sparse=sparse)
    best = fit_likelihood(data, y, 3, 2.0, tol=1e-12)
    assert best.converged
    features = JointFeatures(4, 3)
    gradient = best.w + 2.0 * SequenceLoss(data, y, features)(best.w).gradient
    assert gradient @ gradient / 2 <= 1e-12 * best.objective * 1.001
    for most in (1, 3, 8):
        early = fit_likelihood(data, y, 3, 2.0, tol=1e-12, max_iter=most)
        assert not early.converged
        assert early.n_iter == most
        value = early.w @ early.w / 2 + 2.0 * SequenceLoss(data, y, features)(early.w).value
        assert early.objective == pytest.approx(value)
        assert best.objective <= early.objective
        assert early.objective - best.objective <= early.gap * early.objective


def test_single_positions_are_multinomial_logistic_regression():
    X, y = load_digits(return_X_y=True)
    X, y = X[:200] / 16, y[:200]
    data = structures(X, chains(np.ones(200, dtype=int)))
    ours = fit_likelihood(data, y, 10, 0.7, tol=1e-10)
    # Our two end weights are an intercept under half the penalty: a constant feature of weight sqrt(2).
    theirs = LogisticRegression(C=0.7, tol=1e-10, max_iter=5000, fit_intercept=False)
    theirs.fit(np.c_[X, np.full(200, math.sqrt(2))], y)
    assert pytest.approx(theirs.coef_[:, :64], abs=1e-4) == JointFeatures(64, 10).parts(ours.w).W.T


def test_softmax_margin_and_likelihood_end_at_different_weights():
    data, y = small_problem()
    plain, soft = (fit_likelihood(data, y, 3, 1.0, cost=cost, tol=1e-12) for cost in (None, hamming_cost(3)))
    # The objective is 1-strongly convex: weights are nearer to the optimum than the length of the gradient.
    apart = np.linalg.norm(plain.w - soft.w)
    assert apart > 0.1 + sum(math.sqrt(2 * one.gap * one.objective) for one in (plain, soft))


def test_minimise_solves_quadratics_and_stops_where_it_cannot_go_on():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(30, 30))
    H, b = A @ A.T + np.eye(30), rng.normal(size=30)
    found = minimise(
        lambda w: (float(w @ H @ w / 2 - b @ w), H @ w - b),
        np.zeros(30),
        is_good=lambda value, slope: np.linalg.norm(slope) < 1e-8,
        max_iter=500,
        memory=10,
    )
    assert found.converged
    assert found.w == pytest.approx(np.linalg.solve(H, b), abs=1e-7)
    stuck = minimise(lambda w: (0.0, np.ones(2)), np.zeros(2), is_good=lambda value, slope: False, max_iter=5)
    assert (stuck.converged, stuck.n_steps) == (False, 0)


# --- the structured Perceptron ---------------------------------------------------------------------------------------


def plain_perceptron(data, y, k, epochs):
    """The algorithm word for word: dense weights, Viterbi from the outside, every weight vector kept."""
    features = JointFeatures(data.n_features, k)
    w, seen, mistakes = np.zeros(features.size), [], []
    for _ in range(epochs):
        wrong = 0
        for number in range(data.forest.n_sequences):
            one = data.only([number])
            truth = y[data.forest.only([number])[1]]
            found = best_labelling(features.scores(w, one), one.forest).labels
            if (found != truth).any():
                w = w + features.vector(one, truth) - features.vector(one, found)
                wrong += 1
            seen.append(w)
        mistakes.append(wrong)
        if not wrong:
            break
    return w, np.mean(seen, axis=0), mistakes


@pytest.mark.parametrize("sparse", [False, True])
def test_the_perceptron_is_the_algorithm_word_for_word(sparse):
    for seed in range(4):
        data, y = small_problem(seed, sparse=sparse)
        run = run_structured_perceptron(data, y, 3, max_epochs=6)
        w, mean, mistakes = plain_perceptron(data, y, 3, 6)
        assert run.mistakes.tolist() == mistakes
        assert run.w == pytest.approx(w, abs=1e-12)
        assert run.w_average == pytest.approx(mean, abs=1e-12)
        assert run.n_updates == sum(mistakes)


def test_the_perceptron_of_trees_and_whole_numbers_is_exact():
    rng = np.random.default_rng(5)
    forest = trees([[-1, 0, 0, 1], [-1, 0], [-1]])
    X, y = rng.integers(-2, 3, (forest.n_positions, 3)), rng.integers(0, 2, forest.n_positions)
    exact = run_structured_perceptron(structures(as_integers(X), forest), y, 2, max_epochs=5)
    floats = run_structured_perceptron(structures(X.astype(float), forest), y, 2, max_epochs=5)
    assert exact.w.tolist() == floats.w.tolist()
    assert exact.w_average.astype(float) == pytest.approx(floats.w_average)
    assert all(isinstance(value, int | Fraction) for value in exact.w_average)


def test_the_perceptron_stays_within_its_mistake_bound():
    rng = np.random.default_rng(6)
    target = rng.normal(size=JointFeatures(3, 2).size)
    forest = chains(np.full(30, 3))
    data, features = structures(rng.normal(size=(90, 3)), forest), JointFeatures(3, 2)
    y = best_labelling(features.scores(target, data), forest).labels
    gaps, lengths = [], []
    for number in range(30):
        one, truth = data.only([number]), y[3 * number : 3 * number + 3]
        for z in all_labellings(2, 3):
            if (z != truth).any():
                apart = features.vector(one, truth) - features.vector(one, z)
                gaps.append(apart @ target / np.linalg.norm(target))
                lengths.append(apart @ apart)
    run = run_structured_perceptron(data, y, 2, max_epochs=3000)
    assert run.converged
    assert 0 < run.n_updates <= max(lengths) / min(gaps) ** 2


# --- estimators ------------------------------------------------------------------------------------------------------

WORDS = [["they", "fish"], ["the", "fish"], ["they", "watch", "the", "light"]]
TAGS = [["pron", "verb"], ["det", "noun"], ["pron", "verb", "det", "noun"]]


def described(sentences):
    return [[word_features(sentence, t) for t in range(len(sentence))] for sentence in sentences]


@pytest.mark.parametrize("model", [ChainCRF(C=10), ChainCRF(C=10, loss="softmax-margin"), StructuredPerceptron()])
def test_dictionaries_tables_and_sparse_tables_are_the_same(model):
    from_dictionaries = clone(model).set_params(**_seed(model)).fit(described(WORDS), TAGS)
    assert [labels.tolist() for labels in from_dictionaries.predict(described(WORDS))] == TAGS
    rows = [from_dictionaries.vectorizer_.transform(one) for one in described(WORDS)]
    for tables in (rows, [sp.csr_array(one) for one in rows], [one.toarray() for one in rows]):
        other = clone(model).set_params(**_seed(model)).fit(tables, TAGS)
        assert other.coef_ == pytest.approx(from_dictionaries.coef_, abs=2e-2)
        assert [labels.tolist() for labels in other.predict(tables)] == TAGS
        assert other.score(tables, TAGS) == 1
    assert from_dictionaries.classes_.tolist() == ["det", "noun", "pron", "verb"]
    # A word that was never seen is read by its neighbours.
    assert from_dictionaries.predict([[{"word": "the"}, {"word": "unheard"}]])[0].tolist() == ["det", "noun"]


def _seed(model):
    return {"random_state": 0} if "random_state" in model.get_params() else {"tol": 1e-9}


def test_marginals_scores_and_probabilities_are_those_of_the_law():
    model = ChainCRF(C=1).fit(described(WORDS), TAGS)
    (laws,) = model.predict_marginals(described(WORDS[:1]))
    labellings = [[a, b] for a in model.classes_ for b in model.classes_]
    p = np.exp([model.log_probability(described(WORDS[:1]), [labels])[0] for labels in labellings])
    assert p.sum() == pytest.approx(1)
    assert p.reshape(4, 4).sum(axis=1) == pytest.approx(laws[0])
    assert p.reshape(4, 4).sum(axis=0) == pytest.approx(laws[1])
    scores = [model.joint_score(described(WORDS[:1]), [labels])[0] for labels in labellings]
    assert np.argmax(scores) == np.argmax(p)
    assert np.diff(scores) == pytest.approx(np.diff(np.log(p)))


def test_estimators_save_and_load():
    for model in (ChainCRF(), StructuredPerceptron(random_state=0)):
        again = pickle.loads(pickle.dumps(model.fit(described(WORDS), TAGS)))
        assert [labels.tolist() for labels in again.predict(described(WORDS))] == [
            labels.tolist() for labels in model.predict(described(WORDS))
        ]


def test_trees_are_given_by_parents():
    rng = np.random.default_rng(7)
    X = [rng.normal(size=(4, 2)) for _ in range(30)]
    # What is seen at the first node decides, and every other one has the label of its parent.
    for x in X:
        x[1:] = 0
    parents = [[-1, 0, 0, 1] for _ in X]
    y = [np.full(4, int(x[0, 0] > 0)) for x in X]
    model = ChainCRF(C=10).fit(X, y, parents=parents)
    assert model.score(X, y, parents=parents) > 0.95
    assert np.diag(model.transitions_).min() > np.max(model.transitions_ - 99 * np.eye(2))


def test_what_cannot_be_learnt_or_read_is_said_clearly():
    x = np.ones((2, 3))
    fitted = ChainCRF().fit([x, -x], [["a", "b"], ["b", "b"]])
    for call, message in (
        (lambda: ChainCRF().fit([x, np.ones((0, 3))], [["a", "b"], []]), "sequence 1 is empty: leave it out"),
        (lambda: ChainCRF().fit([], []), "at least one sequence in X, got none"),
        (lambda: ChainCRF().fit([x], [["a"]]), r"one label for each of the 2 positions of sequence 0, got .* \(1,\)"),
        (lambda: ChainCRF().fit([x], [["a", "b"], ["a"]]), "labels for each of 1 sequences, got 2"),
        (lambda: ChainCRF().fit([x], [["a", "a"]]), "at least 2 classes, got 1 class only"),
        (lambda: ChainCRF().fit(x, ["a", "b"]), r"an array \(n_positions, n_features\) for sequence 0"),
        (lambda: ChainCRF().fit(sp.csr_array(x), ["a", "b"]), "put a single sequence into a list"),
        (lambda: ChainCRF().fit([x, np.ones((1, 2))], [["a", "b"], ["a"]]), "same number of features .* got 2, 3"),
        (lambda: ChainCRF().fit([[["p"]], [["q"]]], [["a"], ["b"]]), "expected numbers .* in sequence 0"),
        (lambda: ChainCRF().fit([np.full((2, 3), np.nan)], [["a", "b"]]), "NaN"),
        (lambda: ChainCRF(C=0).fit([x], [["a", "b"]]), "'C' parameter"),
        (lambda: ChainCRF().fit([x], [["a", "b"]], parents=[[-1]]), "as many parents as positions"),
        (lambda: fitted.predict([np.ones((2, 4))]), "as in training, got 3, 4"),
        (lambda: fitted.predict([[{"word": "a"}]]), "expected arrays, as in training, got dictionaries"),
        (lambda: fitted.joint_score([x], [["a", "c"]]), r"among \['a', 'b'\], got also \['c'\]"),
        (lambda: fitted.predict([]), "at least one sequence"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(NotFittedError):
        ChainCRF().predict([x])


def test_who_stops_early_says_so():
    data = described(WORDS)
    with pytest.warns(ConvergenceWarning, match="stopped by max_iter=1 at the relative duality gap"):
        ChainCRF(max_iter=1, tol=1e-9).fit(data, TAGS)
    rng = np.random.default_rng(8)
    with pytest.warns(ConvergenceWarning, match="3 passes ended with mistakes left"):
        StructuredPerceptron(max_iter=3, average=False).fit(
            [rng.normal(size=(9, 1)) for _ in range(9)], [rng.integers(0, 3, 9) for _ in range(9)]
        )


# --- instances -------------------------------------------------------------------------------------------------------


def test_rows_count_and_sentences_have_words_with_two_tags():
    rng = np.random.default_rng(0)
    rows = counting_rows(rng, np.arange(10.0)[:, None], np.arange(10), 200)
    assert all((x[:, 0] == y).all() for x, y in zip(rows.X, rows.y, strict=True))
    steps = np.concatenate([np.diff(y) % 10 for y in rows.y])
    assert 0.85 < (steps == 1).mean() < 0.96
    sentences, tags = tagged_sentences(rng, 200)
    of_word: dict[str, set[str]] = {}
    for sentence, own in zip(sentences, tags, strict=True):
        for word, tag in zip(sentence, own, strict=True):
            of_word.setdefault(word, set()).add(tag)
    assert sum(len(found) > 1 for found in of_word.values()) > 10
