"""The handwritten words: test error per letter with and without the chain.

    python -m mcbook.experiments.letters [margin|slack]

"margin" and "slack" run the machine with this rescaling in place of the others, to a duality gap of `GAP`, into a
file of its own and by the first of the two protocols only.

Two protocols.  "one fold": train on each of the ten folds, test on the other nine, as Taskar et al. (2003) did; "nine
folds": the other way round.  C is chosen among `GRID` by the error on a third of the training words, before the test
words are looked at, and the weights are then learnt from all of them; the Perceptron makes `PASSES` passes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from mcbook.experiments.data import load
from mcbook.experiments.parsing import Words
from mcbook.experiments.sources import DATASETS
from mcbook.foundation.pages import checkout
from mcbook.foundation.types import Booleans, Floats
from mcbook.structured import (
    JointFeatures,
    Structures,
    best_labelling,
    chains,
    fit_likelihood,
    hamming_cost,
    run_structured_perceptron,
)
from mcbook.structured_margins import (
    Rescaling,
    chain_problem,
    solve_kept_labellings,
)

RECORD = "letters"
GRID = (0.03, 0.1, 0.3, 1.0)
PASSES = 10
METHODS = {
    "log-likelihood": (True, False),
    "softmax-margin": (True, True),
    "Perceptron": (False, False),
}
GAP = 1e-2
MARGIN_METHODS: tuple[Rescaling, ...] = ("margin", "slack")
PROTOCOLS = ("one fold", "nine folds")


def errors_on(words: Words, training: Booleans, method: str, *, chain: bool) -> dict[str, Any]:
    """The share of wrong letters, and of words with one, among the words that are not for training."""
    learn, tried = _chosen(words, training, method, chain)
    w = learn(training)
    letters, whole = _wrong(words, w, ~training, chain)
    return {"method": method, "chain": chain, "C": tried, "letters": letters, "words": whole}


def _chosen(
    words: Words, training: Booleans, method: str, chain: bool
) -> tuple[Callable[[Booleans], Floats], float | None]:
    """How to learn, with the C that makes fewest mistakes on every third word of those for training."""
    with_C, with_loss = METHODS.get(method, (True, True))
    if not with_C:
        return lambda part: _perceptron(words, part, chain), None
    held = np.zeros(len(training), dtype=bool)
    held[np.flatnonzero(training)[::3]] = True

    def learn(part: Booleans, C: float) -> Floats:
        data, y = _part(words, part, chain)
        k = len(words.classes)
        if method in MARGIN_METHODS:
            return solve_kept_labellings(chain_problem(data, y, k, C, rescaling=method), tol=GAP).w
        return fit_likelihood(data, y, k, C, cost=hamming_cost(k) if with_loss else None, tol=1e-3).w

    C = min(GRID, key=lambda C: _wrong(words, learn(training & ~held, C), held, chain))
    return lambda part: learn(part, C), C


def _perceptron(words: Words, part: Booleans, chain: bool) -> Floats:
    data, y = _part(words, part, chain)
    rng = np.random.default_rng(0)
    run = run_structured_perceptron(
        data, y, len(words.classes), order=lambda epoch: rng.permutation(data.forest.n_sequences), max_epochs=PASSES
    )
    return np.asarray(run.w_average)


def _part(words: Words, part: Booleans, chain: bool) -> tuple[Structures, Any]:
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


def _cell(words: Words, protocol: str, fold: int, method: str, chain: bool) -> dict[str, Any]:
    chosen = words.folds == fold
    training = chosen if protocol == "one fold" else ~chosen
    return {"protocol": protocol, "fold": fold} | errors_on(words, training, method, chain=chain)


def record(jobs: int = 2, folds: tuple[int, ...] = tuple(range(10)), *, margin: Rescaling | None = None) -> str:
    """Run all cells and write them down; returns the name of the file."""
    words = load("letters")
    methods: Any = METHODS if margin is None else (margin,)
    protocols = PROTOCOLS if margin is None else PROTOCOLS[:1]
    cells = [(p, f, m, c) for p in protocols for f in folds for m in methods for c in (False, True)]
    found = Parallel(n_jobs=jobs, verbose=5)(delayed(_cell)(words, *cell) for cell in cells)
    rounded = [{key: round(v, 6) if isinstance(v, float) else v for key, v in one.items()} for one in found]
    data = {source.path: source.sha256 for source in DATASETS["letters"].files}
    spent = {"passes": PASSES} if margin is None else {"gap": GAP}
    kept = {"data": data, "grid": GRID} | spent | {"cells": rounded}
    path = checkout() / "results" / f"{RECORD if margin is None else f'{RECORD}_{margin}'}.json"
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)
    return path.name


if __name__ == "__main__":
    chosen = next((rescaling for rescaling in MARGIN_METHODS if rescaling in sys.argv[1:]), None)
    print(f"written: results/{record(margin=chosen)}", file=sys.stderr)
