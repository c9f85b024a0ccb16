"""Chains beside python-crfsuite: training to the same objective, reading new sequences, and how the time grows.

The peer trains on prepared item sequences, with all pairs of features and labels as we have them, and with features for
the first and last position in place of our end weights, so both minimise the same function.

Reading begins on both sides with what is prepared for it: item sequences there, arrays here.  To make them from names
or dictionaries of features is in neither time.  An item sequence has names still, and the peer looks each one up while
it reads; it has no form without names.  It returns strings where we return numbers.  It has one thread, we have two.
"""

from __future__ import annotations

import itertools
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from benchmarks.harness import Case, Contender, Growth
from mcbook.structured import best_labelling, chains, sum_over_labellings
from mcbook.structured.algorithm.decode import decode_labels
from mcbook.structured.algorithm.features import JointFeatures, Structures
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.training import SequenceLoss, fit_likelihood

# Both objectives: ours is half of the peer's |w|^2 + sum of -ln p.
C, PENALTY = 0.5, 1.0
# The second is no share at all; it tells these comparisons from those of other chapters.
_EXCESS, _MISREAD = 1e-3, 1e-9


class Corpus(NamedTuple):
    """Observations with labels, and the weights that new sequences are read with."""

    data: Structures
    y: Any
    n_labels: int
    name: str

    @property
    def features(self) -> JointFeatures:
        return JointFeatures(self.data.n_features, self.n_labels)


def cases() -> list[Case]:
    work = {
        "OCR-like 2000x128x26": (partial_ocr(2000), partial_ocr(60), 8),
        "tagging 2500x30000x12": (partial_tags(2500), partial_tags(60), 5),
    }
    training = (
        Contender("mcbook", _train, (1e-1, 5e-2, 4e-2, 3e-2, 2e-2, 1e-2, 5e-3, 1e-3, 1e-4)),
        Contender("python-crfsuite", _train_peer, (25, 30, 35, 40, 45, 50, 55, 60, 80, 100, 200), needs="pycrfsuite"),
    )
    reading = (Contender("mcbook", _read), Contender("python-crfsuite", _read_peer, needs="pycrfsuite"))
    return [
        Case(f"structured, training: {name}", data, smoke, training, excess, _EXCESS, target)
        for name, (data, smoke, target) in work.items()
    ] + [
        Case(f"structured, reading: {name}", data, smoke, reading, misread, _MISREAD, 20)
        for name, (data, smoke, _) in work.items()
    ]


def growths() -> list[Growth]:
    """Processor time of reading against n (k^2 + d k) for n positions in all, k labels and d features."""
    ours = (Contender("mcbook", _read_alone),)

    def corpus(length: int = 32, n_labels: int = 26, n_features: int = 128) -> Corpus:
        return ocr_like(100, n_labels=n_labels, n_features=n_features, length=length)

    def growth(name: str, data: Any, sizes: tuple[int, ...], formula: Any) -> Growth:
        return Growth(f"structured, reading: {name}", data, sizes, ours, misread, _MISREAD, formula)

    # Where labels grow there are few features, and the other way round, so that each is seen at its own rate.
    return [
        growth("length", lambda n: corpus(length=n), (16, 64, 256), lambda n: n),
        growth("labels", lambda k: corpus(n_labels=k, n_features=16), (16, 32, 64, 128), lambda k: k * k + 16 * k),
        growth("features", lambda d: corpus(n_labels=8, n_features=d), (128, 256, 512, 1024), lambda d: 8 + d),
    ]


def partial_ocr(n_words: int) -> Any:
    return lambda: ocr_like(n_words)


def partial_tags(n_sentences: int) -> Any:
    return lambda: tag_like(n_sentences)


@cache
def ocr_like(n_words: int, *, n_labels: int = 26, n_features: int = 128, length: int | None = None) -> Corpus:
    """Words of a Markov chain of letters: black and white pixels that vary together, a fifth of them black."""
    rng = np.random.default_rng(0)
    forest = chains(rng.integers(3, 13, n_words) if length is None else np.full(n_words, length))
    y, n = _markov(rng, forest, n_labels, 0.15), forest.n_positions
    shared = rng.normal(size=(n, 12)) @ rng.normal(size=(12, n_features)) / 4
    ink = 0.35 * rng.normal(size=(n_labels, n_features))[y] + shared + 0.6 * rng.normal(size=(n, n_features))
    X = (ink > 0.9).astype(float)
    return Corpus(Structures(X, forest), y, n_labels, f"ocr {n_words} {n_labels} {n_features} {length}")


@cache
def tag_like(n_sentences: int, n_words: int = 10_000, n_labels: int = 12) -> Corpus:
    """Sentences of words from Zipf's distribution; a word and its neighbours are three ones of 30 000 features."""
    rng = np.random.default_rng(1)
    forest = chains(rng.integers(5, 20, n_sentences))
    y = _markov(rng, forest, n_labels, 0.3)
    rank = np.minimum(rng.zipf(1.4, forest.n_positions), n_words // n_labels) - 1
    word = np.where(rng.random(forest.n_positions) < 0.8, rank * n_labels + y, rank)
    roots, leaves = (np.isin(np.arange(forest.n_positions), at) for at in (forest.roots, forest.leaves))
    before, after = np.where(roots, 0, np.roll(word, 1)), np.where(leaves, 0, np.roll(word, -1))
    columns = np.stack([word, n_words + before, 2 * n_words + after], axis=1)
    begin = 3 * np.arange(forest.n_positions + 1)
    X = sp.csr_array((np.ones(columns.size), columns.ravel(), begin), shape=(forest.n_positions, 3 * n_words))
    return Corpus(Structures(X, forest), y, n_labels, f"tags {n_sentences}")


def _markov(rng: np.random.Generator, forest: Forest, n_labels: int, evenness: float) -> Any:
    distribution = rng.dirichlet(np.full(n_labels, evenness), n_labels).cumsum(axis=1)
    y, draws = np.zeros(forest.n_positions, dtype=np.int64), rng.random(forest.n_positions)
    for t, parent in enumerate(forest.parents.tolist()):
        y[t] = (
            int(draws[t] * n_labels)
            if parent < 0
            else min(np.searchsorted(distribution[y[parent]], draws[t]), n_labels - 1)
        )
    return y


# --- training --------------------------------------------------------------------------------------------------------


def _train(corpus: Corpus, tol: float) -> Any:
    return fit_likelihood(corpus.data, corpus.y, corpus.n_labels, C, tol=tol, n_jobs=2).w


def _train_peer(corpus: Corpus, most: int) -> Any:
    trainer, path = _prepared(corpus.name, corpus), _model(corpus)
    trainer.set_params({"c1": 0, "c2": PENALTY, "max_iterations": most, "epsilon": 1e-9, "delta": 1e-9})
    trainer.train(path)
    return path


def excess(corpus: Corpus, result: Any) -> float:
    """By which share the objective of the weights is above the least."""
    w = _weights_of(result, corpus) if isinstance(result, str) else result
    return _objective(corpus, w) / _least(corpus.name, corpus) - 1


def _objective(corpus: Corpus, w: Any) -> float:
    return float(w @ w / 2 + C * SequenceLoss(corpus.data, corpus.y, corpus.features)(w).value)


_KEPT: dict[tuple[str, str], Any] = {}


def _kept(kind: str, name: str, make: Any) -> Any:
    if (kind, name) not in _KEPT:
        _KEPT[kind, name] = make()
    return _KEPT[kind, name]


def _least(name: str, corpus: Corpus) -> float:
    """A number that no weights are below: the value of a good solution less its gap."""

    def make() -> float:
        found = fit_likelihood(corpus.data, corpus.y, corpus.n_labels, C, tol=1e-5, n_jobs=2)
        return found.objective * (1 - found.gap)

    return float(_kept("least", name, make))


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(corpus: Corpus, setting: Any) -> Any:
    return decode_labels(corpus.features, _weights(corpus), corpus.data, n_jobs=2)


def _read_alone(corpus: Corpus, setting: Any) -> Any:
    return decode_labels(corpus.features, _weights(corpus), corpus.data)


def _read_peer(corpus: Corpus, setting: Any) -> Any:
    tagger, sequences = _kept("tagger", corpus.name, lambda: _tagger(corpus)), _items(corpus)
    return [tagger.tag(items) for items in sequences]


def misread(corpus: Corpus, result: Any) -> float:
    """The share of labels that are not those of the labelling with the largest score; ties aside it is 0."""
    if isinstance(result, list):
        result = np.array([int(label) for labels in result for label in labels])
    scores = corpus.features.scores(_weights(corpus), corpus.data)
    sure = sum_over_labellings(scores, corpus.data.forest).P.max(axis=1) > 1 - 1e-9
    return float((result != best_labelling(scores, corpus.data.forest).labels)[sure].mean()) if sure.any() else 0.0


def _weights(corpus: Corpus) -> Any:
    """The weights that both read with: the peer's, where it is there, after a few steps."""

    def make() -> Any:
        if not Contender("python-crfsuite", _read_peer, needs="pycrfsuite").present:
            return fit_likelihood(corpus.data, corpus.y, corpus.n_labels, C, tol=0.1).w
        return _weights_of(_train_peer(corpus, 25), corpus)

    return _kept("weights", corpus.name, make)


# --- the peer --------------------------------------------------------------------------------------------------------


def _named(corpus: Corpus) -> Any:
    """The names of the features of every position, one list of lists for each sequence."""

    def make() -> Any:
        X = sp.csr_array(corpus.data.X)
        names = [[f"f{j}" for j in X.indices[a:b]] for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)]
        for root, leaf in zip(corpus.data.forest.roots, corpus.data.forest.leaves, strict=True):
            names[root].append("first")
            names[leaf].append("last")
        offsets = corpus.data.forest.offsets
        return [names[a:b] for a, b in itertools.pairwise(offsets)]

    return _kept("names", corpus.name, make)


def _items(corpus: Corpus) -> Any:
    """The same as the peer's own sequences."""
    import pycrfsuite

    return _kept("items", corpus.name, lambda: [pycrfsuite.ItemSequence(names) for names in _named(corpus)])


def _prepared(name: str, corpus: Corpus) -> Any:
    import pycrfsuite

    def make() -> Any:
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({"feature.possible_states": True, "feature.possible_transitions": True})
        for items, labels in zip(_items(corpus), corpus.data.forest.split(corpus.y), strict=True):
            trainer.append(items, [str(label) for label in labels])
        return trainer

    return _kept("trainer", name, make)


def _model(corpus: Corpus) -> str:
    folder = _kept("folder", "", lambda: tempfile.mkdtemp(prefix="mcbook-crf-"))
    return str(Path(folder) / f"{corpus.name.replace(' ', '-')}.model")


def _tagger(corpus: Corpus) -> Any:
    import pycrfsuite

    _weights(corpus)
    tagger = pycrfsuite.Tagger()
    tagger.open(_model(corpus))
    return tagger


def _weights_of(path: str, corpus: Corpus) -> Any:
    """The peer's weights in our order."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    info, d, k = tagger.info(), corpus.data.n_features, corpus.n_labels
    table = np.zeros(corpus.features.shape)
    rows = {"first": d + k, "last": d + k + 1}
    for (name, label), weight in info.state_features.items():
        table[rows.get(name, d) if name in rows else int(name[1:]), int(label)] = weight
    for (before, after), weight in info.transitions.items():
        table[d + int(before), int(after)] = weight
    return table.ravel()
