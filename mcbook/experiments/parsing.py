"""From the files of a data set to arrays; what has to be known about a file stands with the function that reads it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.foundation.types import Array, Floats, Integers, Labels


class Words(NamedTuple):
    """Sequences: ``X (n_positions, n_features)`` and labels ``y``, their ``lengths`` and the fold of each sequence.

    >>> words = Words(np.zeros((3, 2)), np.array([0, 1, 1]), np.array([2, 1]), np.array([0, 0]), np.array(["a", "b"]))
    >>> ["".join(word) for word in np.split(words.classes[words.y], np.cumsum(words.lengths)[:-1])]
    ['ab', 'b']
    """

    X: Floats
    y: Labels
    lengths: Integers
    folds: Integers
    classes: Array


def read_words(content: bytes) -> Words:
    """The handwritten words: a line for each letter, with tabs between its fields.

    They are: number of the line, letter, number of the line with the next letter or -1 at the end of a word, number of
    the word, place in it, fold from 0 to 9, and 128 pixels row by row.  Words are not numbered one after the other, and
    equal numbers in different folds are different words: the -1 is what ends a word.
    """
    rows = [line.split("\t") for line in content.decode("ascii").splitlines()]
    letters = np.array([row[1] for row in rows])
    X = np.array([row[6:134] for row in rows], dtype=float)
    last = np.array([row[2] for row in rows], dtype=np.int64) == -1
    ends = np.flatnonzero(last)
    classes, y = np.unique(letters, return_inverse=True)
    folds = np.array([rows[end][5] for end in ends], dtype=np.int64)
    return Words(X, y.astype(np.int64), np.diff(np.r_[-1, ends]), folds, classes)
