"""Sequences on which the chapter is tried and shown: rows of digits that count, and sentences of a small grammar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.foundation.types import Floats, Labels
from mcbook.structured.algorithm.features import Scores


class Rows(NamedTuple):
    """Rows of digits: one array of pixels (length, n_pixels) and one of labels for each.

    >>> rows = counting_rows(np.random.default_rng(0), np.eye(10), np.arange(10), 2, 3)
    >>> [X.shape for X in rows.X], all((X.argmax(axis=1) == y).all() for X, y in zip(*rows, strict=True))
    ([(3, 10), (3, 10)], True)
    """

    X: list[Floats]
    y: list[Labels]


def counting_rows(
    rng: np.random.Generator, images: Floats, labels: Labels, n_rows: int, length: int = 8, *, order: float = 0.9
) -> Rows:
    """Rows of handwritten digits: with probability ``order`` a digit is followed by the next one, else by any.

    Images are drawn from those given, with replacement.

    >>> rows = counting_rows(np.random.default_rng(0), np.eye(10), np.arange(10), 1, 4, order=1.0)
    >>> (np.diff(rows.y[0]) % 10).tolist()
    [1, 1, 1]
    """
    by_digit = [np.flatnonzero(labels == digit) for digit in range(10)]
    X, y = [], []
    for _ in range(n_rows):
        row = [int(rng.integers(10))]
        while len(row) < length:
            row.append((row[-1] + 1) % 10 if rng.random() < order else int(rng.integers(10)))
        X.append(np.array([images[rng.choice(by_digit[digit])] for digit in row]))
        y.append(np.array(row))
    return Rows(X, y)


# A grammar of our own.  Many of its words have two tags, and only the neighbours tell which one is meant.
_WORDS = {
    "det": ["the", "a", "every", "this"],
    "adj": ["old", "light", "quick", "still", "green", "open", "wild", "calm"],
    "noun": [
        "fish",
        "watch",
        "play",
        "light",
        "ship",
        "cook",
        "saw",
        "can",
        "guard",
        "park",
        "storm",
        "river",
        "plan",
        "answer",
        "old",
    ],
    "verb": [
        "fish",
        "watch",
        "play",
        "light",
        "ship",
        "cook",
        "saw",
        "can",
        "guard",
        "park",
        "plan",
        "answer",
        "open",
        "calm",
        "still",
    ],
    "pron": ["they", "we", "you", "she", "it", "her"],
    "prep": ["by", "near", "over", "before", "like", "past"],
    "adv": ["still", "often", "here", "fast", "past", "well"],
}
_PHRASES = {
    "subject": ("det noun", "det adj noun", "pron", "det noun prep det noun", "det adj adj noun"),
    "verb": ("verb", "adv verb", "verb adv"),
    "object": ("det noun", "pron", "det adj noun", "adj noun", "prep det noun", "", "det noun prep det adj noun"),
}


def tagged_sentences(rng: np.random.Generator, count: int) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences as lists of words, and the parts of speech of their words.

    >>> words, tags = tagged_sentences(np.random.default_rng(0), 1)
    >>> len(words[0]) == len(tags[0])
    True
    """
    sentences, all_tags = [], []
    for _ in range(count):
        tags = [tag for part in _PHRASES.values() for tag in str(rng.choice(part)).split()]
        sentences.append([str(rng.choice(_WORDS[tag])) for tag in tags])
        all_tags.append(tags)
    return sentences, all_tags


def word_features(sentence: list[str], place: int, *, neighbours: bool = False) -> dict[str, str]:
    """What is seen of a word: itself and its last two letters, with ``neighbours`` also the words beside it.

    >>> word_features(["they", "fish"], 1)
    {'word': 'fish', 'ends in': 'sh'}
    """
    word = sentence[place]
    seen = {"word": word, "ends in": word[-2:]}
    if neighbours:
        seen["before"] = sentence[place - 1] if place else "-"
        seen["after"] = sentence[place + 1] if place + 1 < len(sentence) else "-"
    return seen


def small_trellis() -> tuple[Scores, list[str]]:
    """Four words, three tags, and scores with which the best tag of every word alone is not the best labelling.

    >>> from mcbook.structured import best_labelling, chains
    >>> scores, words = small_trellis()
    >>> scores.E.argmax(axis=1).tolist(), best_labelling(scores, chains([len(words)])).labels.tolist()
    ([0, 1, 1, 0], [0, 1, 2, 0])
    """
    E = np.array([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, 2.0, 1.5], [1.0, 0.5, 0.0]])
    T = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 2.0], [2.0, 0.0, -1.0]])
    return Scores(E, T), ["the", "old", "man", "the"]
