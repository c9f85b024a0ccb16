"""The estimators of sequences and trees: input in three forms, distributions, saving, clear errors."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from mcbook.structured import (
    ChainCRF,
    StructuredPerceptron,
    word_features,
)

WORDS = [["they", "fish"], ["the", "fish"], ["they", "watch", "the", "light"]]
TAGS = [["pron", "verb"], ["det", "noun"], ["pron", "verb", "det", "noun"]]


def described(sentences):
    return [[word_features(sentence, t) for t in range(len(sentence))] for sentence in sentences]


@pytest.mark.parametrize("model", [ChainCRF(C=10), ChainCRF(C=10, loss="softmax-margin"), StructuredPerceptron()])
def test_dictionaries_tables_and_sparse_tables_are_the_same(model):
    from_dictionaries = clone(model).set_params(**_seed(model)).fit(described(WORDS), TAGS)
    assert [labels.tolist() for labels in from_dictionaries.predict(described(WORDS))] == TAGS
    rows = [from_dictionaries.vectorizer_.transform(one) for one in described(WORDS)]
    dense = [one.toarray() for one in rows]
    for tables in (rows, [sp.csr_array(one) for one in rows], dense, [dense[0], *rows[1:]]):
        other = clone(model).set_params(**_seed(model)).fit(tables, TAGS)
        assert other.coef_ == pytest.approx(from_dictionaries.coef_, abs=2e-2)
        assert [labels.tolist() for labels in other.predict(tables)] == TAGS
        assert other.score(tables, TAGS) == 1
    assert from_dictionaries.classes_.tolist() == ["det", "noun", "pron", "verb"]
    # A word that was never seen is read by its neighbours.
    assert from_dictionaries.predict([[{"word": "the"}, {"word": "unheard"}]])[0].tolist() == ["det", "noun"]


def _seed(model):
    return {"random_state": 0} if "random_state" in model.get_params() else {"tol": 1e-9}


def test_marginals_scores_and_probabilities_are_those_of_the_distribution():
    model = ChainCRF(C=1).fit(described(WORDS), TAGS)
    (distributions,) = model.predict_marginals(described(WORDS[:1]))
    labellings = [[a, b] for a in model.classes_ for b in model.classes_]
    p = np.exp([model.log_probability(described(WORDS[:1]), [labels])[0] for labels in labellings])
    assert p.sum() == pytest.approx(1)
    assert p.reshape(4, 4).sum(axis=1) == pytest.approx(distributions[0])
    assert p.reshape(4, 4).sum(axis=0) == pytest.approx(distributions[1])
    scores = [model.joint_score(described(WORDS[:1]), [labels])[0] for labels in labellings]
    assert np.argmax(scores) == np.argmax(p)
    assert np.diff(scores) == pytest.approx(np.diff(np.log(p)))


def test_a_label_that_was_not_in_training_is_refused_and_in_the_score_an_error():
    model = ChainCRF(C=1).fit(described(WORDS), TAGS)
    strange = [["pron", "adverb"], *TAGS[1:]]
    for asked in (model.joint_score, model.log_probability):
        with pytest.raises(ValueError, match=r"got also \['adverb'\]: they were not in training"):
            asked(described(WORDS), strange)
    assert model.score(described(WORDS), TAGS) - model.score(described(WORDS), strange) == pytest.approx(1 / 8)


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
        (lambda: fitted.predict([]), "at least one sequence"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(NotFittedError):
        ChainCRF().predict([x])
