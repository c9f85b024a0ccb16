"""The handwritten words: test error per letter with and without the chain.

    python -m mcbook.experiments.letters [METHOD ...] [PROTOCOL ...]

What is named on the line is run, cell by cell, and put in place of what the record has of it; without names all is run.

Two protocols.  "one fold": train on each of the ten folds, test on the other nine, as Taskar et al. (2003) did; "nine
folds": the other way round.  C is chosen among the `GRIDS` of the method by the error on a third of the training words,
before the test words are looked at; where the largest is the best, larger ones are tried until one is worse.  The
weights are then learnt from all training words; the Perceptron makes `PASSES` passes, and the methods with a margin are
trained to the relative gap `GAP`.  A letter by itself is wrong or right, so there margin and slack rescaling are one
method; it is listed under "margin".

Each cell keeps the C that were tried.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from mcbook.experiments.data import load
from mcbook.experiments.parsing import Words
from mcbook.experiments.sources import DATASETS
from mcbook.foundation.pages import checkout
from mcbook.foundation.types import Booleans, Floats, Json, Labels
from mcbook.structured import best_labelling, chains, hamming_cost
from mcbook.structured.algorithm.features import JointFeatures, Structures
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.algorithm.training import fit_likelihood
from mcbook.structured_margins import chain_problem
from mcbook.structured_margins.algorithm.working_set import solve_working_set
from mcbook.structured_margins.theory import Rescaling
from mcbook.svm_solvers import solve_multiclass

RECORD = "letters"
_LIKELIHOOD_GRID = 0.03, 0.1, 0.3, 1.0
# Slack rescaling charges a bad word by the square of its errors, and so wants a smaller C.
GRIDS = {
    "log-likelihood": _LIKELIHOOD_GRID,
    "softmax-margin": _LIKELIHOOD_GRID,
    "margin": (0.03, 0.1, 0.3, 1.0),
    "slack": (0.0003, 0.001, 0.003, 0.01, 0.03),
}
PASSES, GAP = 10, 1e-2
MARGIN_METHODS: tuple[Rescaling, ...] = ("margin", "slack")
METHODS = (*GRIDS, "Perceptron")
PROTOCOLS = ("one fold", "nine folds")


class Choice(NamedTuple):
    """The C that was chosen, and all that were tried; the Perceptron has none."""

    C: float | None
    tried: list[float]


def errors_on(words: Words, training: Booleans, method: str, *, chain: bool) -> Json:
    """The share of wrong letters, and of words with one, among the words that are not for training."""
    C, tried = _chosen(words, training, method, chain)
    letters, whole = _wrong(words, _learnt(words, training, method, chain, C), ~training, chain)
    return {"method": method, "chain": chain, "C": C, "tried": tried, "letters": letters, "words": whole}


def _chosen(words: Words, training: Booleans, method: str, chain: bool) -> Choice:
    """The C that makes fewest mistakes on every third word of those for training, of equals the smallest."""
    if method not in GRIDS:
        return Choice(None, [])
    held = np.zeros(len(training), dtype=bool)
    held[np.flatnonzero(training)[::3]] = True

    def wrong(C: float) -> tuple[float, float]:
        return _wrong(words, _learnt(words, training & ~held, method, chain, C), held, chain)

    return least(wrong, GRIDS[method])


def least(wrong: Callable[[float], tuple[float, float]], grid: Sequence[float]) -> Choice:
    """The first C of the grid with the least error; while that is its largest one, the grid is continued.

    >>> least(lambda C: (abs(C - 8), 0.0), (0.03, 0.1))
    Choice(C=10.0, tried=[0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0])
    """
    found = {C: wrong(C) for C in grid}
    while (best := min(found, key=lambda C: found[C])) == (last := max(found)):
        larger = larger_than(last)
        found[larger] = wrong(larger)
    return Choice(best, list(found))


def larger_than(C: float) -> float:
    """The next of the numbers …, 0.1, 0.3, 1, 3, 10, …"""
    return float(f"{C * (3 if f'{C:e}'.startswith('1') else 10 / 3):.0e}")


def _learnt(words: Words, part: Booleans, method: str, chain: bool, C: float | None) -> Floats:
    """The weights that the method learns from these words; the Perceptron has no C."""
    if C is None:
        return _perceptron(words, part, chain)
    data, y = _part(words, part, chain)
    k = len(words.classes)
    if method in MARGIN_METHODS and not chain:
        return _multiclass(data, y, k, C)
    if method in MARGIN_METHODS:
        return solve_working_set(chain_problem(data, y, k, C, rescaling=method), tol=GAP).w
    cost = hamming_cost(k) if method == "softmax-margin" else None
    return fit_likelihood(data, y, k, C, cost=cost, tol=1e-3).w


def _multiclass(data: Structures, y: Labels, k: int, C: float) -> Floats:
    """For sequences of one position it is the multi-class SVM: their ends are two features that are always 1."""
    X = np.hstack([data.X, np.ones((len(y), 2))])
    W = np.asarray(solve_multiclass(X, y, k, C, tol=GAP).W).T
    return np.vstack([W[:-2], np.zeros((k, k)), W[-2:]]).ravel()


def _perceptron(words: Words, part: Booleans, chain: bool) -> Floats:
    data, y = _part(words, part, chain)
    rng = np.random.default_rng(0)
    run = run_structured_perceptron(
        data, y, len(words.classes), order=lambda epoch: rng.permutation(data.forest.n_sequences), max_epochs=PASSES
    )
    return np.asarray(run.w_average)


def _part(words: Words, part: Booleans, chain: bool) -> tuple[Structures, Labels]:
    """The words chosen, or without the chain their letters as words of one letter."""
    at = np.repeat(part, words.lengths)
    forest = chains(words.lengths[part] if chain else np.ones(int(at.sum()), dtype=int))
    return Structures(words.X[at], forest), words.y[at]


def _wrong(words: Words, w: Floats, part: Booleans, chain: bool) -> tuple[float, float]:
    data, y = _part(words, part, chain)
    features = JointFeatures(words.X.shape[1], len(words.classes))
    wrong = best_labelling(features.scores(w, data), data.forest).labels != y
    by_word = np.add.reduceat(wrong, np.r_[0, np.cumsum(words.lengths[part])[:-1]])
    return float(wrong.mean()), float((by_word > 0).mean())


def _cell(words: Words, protocol: str, fold: int, method: str, chain: bool) -> Json:
    chosen = words.folds == fold
    training = chosen if protocol == "one fold" else ~chosen
    return {"protocol": protocol, "fold": fold} | errors_on(words, training, method, chain=chain)


Place = tuple[str, int, str, bool]


def listed(methods: Sequence[str], protocols: Sequence[str] = PROTOCOLS, folds: int = 10) -> list[Place]:
    """The cells of these methods: protocol, fold, method, and whether there is a chain."""
    return [
        (protocol, fold, method, chain)
        for protocol in protocols
        for fold in range(folds)
        for method in methods
        for chain in ((True,) if method == "slack" else (False, True))
    ]


def record(methods: Sequence[str] = METHODS, protocols: Sequence[str] = PROTOCOLS) -> str:
    """Run all cells of the methods and write down each one as it comes; returns the name of the file."""
    words, path = load("letters"), checkout() / "results" / f"{RECORD}.json"
    for place in tqdm(listed(methods, protocols), "cells"):
        one = _cell(words, *place)
        cell = {key: round(v, 6) if isinstance(v, float) else v for key, v in one.items()}
        _write(path, cell)
    return path.name


def _write(path: Path, cell: Json) -> None:
    """Put the cell into the record, in place of what was there before."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []
    cells = sorted([one for one in cells if _order(one) != _order(cell)] + [cell], key=_order)
    data = {source.path: source.sha256 for source in DATASETS["letters"].files}
    kept = {"data": data, "passes": PASSES, "gap": GAP, "cells": cells}
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)


def _order(cell: Json) -> tuple[int, int, int, bool]:
    return PROTOCOLS.index(cell["protocol"]), METHODS.index(cell["method"]), cell["fold"], cell["chain"]


if __name__ == "__main__":
    given = sys.argv[1:]
    unknown = set(given) - {*METHODS, *PROTOCOLS}
    if unknown:
        sys.exit(
            f"expected methods among {', '.join(METHODS)} and protocols among {', '.join(PROTOCOLS)}, "
            f"got {', '.join(sorted(unknown))}"
        )
    methods, protocols = ([name for name in allowed if name in given] or allowed for allowed in (METHODS, PROTOCOLS))
    print(f"written: results/{record(methods, protocols)}", file=sys.stderr)
