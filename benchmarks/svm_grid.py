"""The Crammer–Singer SVM beside LIBLINEAR on a grid of data: separable to noisy, small to large, dense and sparse.

Both are brought to the same relative duality gap.  LIBLINEAR's tolerance is no gap: it runs at smaller and smaller ones
until its weights are good enough, judged against a certified dual value, and the last run is the one that is timed.
It runs in a process of its own that is ended after ``CAP`` seconds; then the ratio is a lower bound.

Compared are processor seconds of ``solve_multiclass``, from arrays of numpy or scipy to certified weights with all its
checks, and of LIBLINEAR's ``train`` alone: what its wrapper takes to copy the data into its own form is left out.

The constants of our solver were chosen with the first part of the grid in view; the second was drawn after the last of
these choices.
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.preprocessing import StandardScaler

from mcbook.foundation.blas import limited_blas
from mcbook.svm_solvers import Problem, solve_multiclass

NAME = "svm_grid"
CAP = 30.0
_TOLERANCES = tuple(10 ** (-0.5 * step) for step in range(21))
# Runs shorter than this are repeated until they add up to it.
_MEASURABLE, _MOST_RUNS = 0.1, 1000


class GridPoint(NamedTuple):
    """A set of data, the cost of slack and the gap that is asked for."""

    name: str
    make: Callable[[], tuple[Any, np.ndarray]]
    C: float = 1.0
    gap: float = 1e-6
    held_out: bool = False


def gaussians(m: int, d: int, k: int, distance: float, noise: float = 0.0, seed: int = 0) -> tuple[np.ndarray, Any]:
    """Unit Gaussians around k random centres at a distance from the origin; a share of the labels is drawn anew."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(k, d))
    centres *= distance / np.linalg.norm(centres, axis=1, keepdims=True)
    y = rng.integers(0, k, m)
    X = centres[y] + rng.normal(size=(m, d))
    return X, np.where(rng.random(m) < noise, rng.integers(0, k, m), y)


def made(m: int, d: int, k: int, informative: int, sep: float, seed: int = 0, **options: Any) -> tuple[np.ndarray, Any]:
    """scikit-learn's clusters on the corners of a cube, standardised."""
    options = {"n_redundant": 0, "n_clusters_per_class": 2} | options
    X, y = make_classification(
        m, d, n_informative=informative, n_classes=k, class_sep=sep, random_state=seed, **options
    )
    return StandardScaler().fit_transform(X), y


def texts(m: int, d: int, k: int, words: int, own: float, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Counts of words, a share ``own`` of which is drawn from the few words of the class; rows of norm 1, sparse."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, m)
    common = np.minimum((rng.pareto(1.0, (m, words)) * d / 50).astype(np.int64), d - 1)
    topics = rng.integers(0, d, (k, max(d // 20, 4)))
    special = topics[y[:, None], rng.integers(0, topics.shape[1], (m, words))]
    drawn = np.where(rng.random((m, words)) < own, special, common)
    X = sparse.csr_matrix((np.ones(m * words), (np.repeat(np.arange(m), words), drawn.ravel())), shape=(m, d))
    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1))).ravel()
    return sparse.csr_matrix(sparse.diags(1 / norms) @ X), y


def bundled(load: Callable[..., Any], form: Callable[[Any], Any] = lambda X: X) -> tuple[Any, np.ndarray]:
    X, y = load(return_X_y=True)
    return form(StandardScaler().fit_transform(X) if load is not load_digits else X / 16), y


def whole_numbers(m: int, d: int, k: int, noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Features 0 .. 3 and the class that a random linear score names, of which a share is drawn anew."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (m, d)).astype(float)
    y = ((X - 1.5) @ rng.normal(size=(d, k))).argmax(axis=1)
    return X, np.where(rng.random(m) < noise, rng.integers(0, k, m), y)


def held_out() -> list[GridPoint]:
    """Sets drawn after the last choice of a constant: other seeds, shapes, costs, and one other kind of data."""
    csr = sparse.csr_matrix
    found = [
        GridPoint("iris, C = 0.1", partial(bundled, load_iris), 0.1),
        GridPoint("wine, C = 10", partial(bundled, load_wine), 10.0),
        GridPoint("breast cancer, C = 30", partial(bundled, load_breast_cancer), 30.0),
        GridPoint("digits, C = 0.1, sparse", partial(bundled, load_digits, csr), 0.1),
        GridPoint("5 Gaussians, 700x8, noise 0.1", partial(gaussians, 700, 8, 5, 3.5, 0.1, 113), 0.3),
        GridPoint("15 Gaussians, 6000x30", partial(gaussians, 6000, 30, 15, 5.0, 0.0, 111), 1.0),
        GridPoint("50 Gaussians, 3000x80", partial(gaussians, 3000, 80, 50, 5.0, 0.0, 112), 3.0),
        GridPoint("3 Gaussians, 40000x12", partial(gaussians, 40_000, 12, 3, 2.0, 0.0, 114), 0.3, 1e-5),
        GridPoint("2 Gaussians, 12000x90, noise 0.15", partial(gaussians, 12_000, 90, 2, 2.5, 0.15, 115), 0.1),
        GridPoint("7 Gaussians, 300x1200", partial(gaussians, 300, 1200, 7, 6.0, 0.0, 116), 1.0),
        GridPoint("clusters 7000x60x8", partial(made, 7000, 60, 8, 20, 1.4, 117), 0.3),
        GridPoint("clusters 25000x15x4", partial(made, 25_000, 15, 4, 8, 0.9, 118), 3.0),
        GridPoint("clusters 900x30x5", partial(made, 900, 30, 5, 8, 1.3, 119), 1.0),
        GridPoint("texts 4000x3000x15, sparse", partial(texts, 4000, 3000, 15, 50, 0.2, 120), 1.0),
        GridPoint("texts 6000x800x40, sparse", partial(texts, 6000, 800, 40, 30, 0.25, 121), 0.3),
        GridPoint("whole numbers 8000x20x5", partial(whole_numbers, 8000, 20, 5, 0.08, 122), 1.0),
    ]
    return [point._replace(held_out=True) for point in found]


def points() -> list[GridPoint]:
    """The grid, the three sets that were slowest first."""
    csr = sparse.csr_matrix
    return [
        GridPoint("30 Gaussians in 40 dimensions", partial(gaussians, 12_000, 40, 30, 5.5), 0.1),
        GridPoint("60 classes in 300 dimensions", partial(gaussians, 6000, 300, 60, 4.0), 1.0),
        GridPoint("W = 0", partial(made, 10_000, 50, 10, 20, 1.0, 7, flip_y=0.3), 1.0),
        GridPoint("iris", partial(bundled, load_iris), 1.0),
        GridPoint("iris, C = 1000", partial(bundled, load_iris), 1000.0),
        GridPoint("wine, C = 0.01", partial(bundled, load_wine), 0.01),
        GridPoint("wine, C = 100", partial(bundled, load_wine), 100.0),
        GridPoint("breast cancer", partial(bundled, load_breast_cancer), 1.0),
        GridPoint("digits, C = 0.01", partial(bundled, load_digits), 0.01),
        GridPoint("digits", partial(bundled, load_digits), 1.0),
        GridPoint("digits, C = 100", partial(bundled, load_digits), 100.0),
        GridPoint("digits, sparse", partial(bundled, load_digits, csr), 1.0),
        GridPoint("2 Gaussians, 100x2, apart", partial(gaussians, 100, 2, 2, 4.0), 1.0),
        GridPoint("2 Gaussians, 100x2, close", partial(gaussians, 100, 2, 2, 0.5), 10.0),
        GridPoint("3 Gaussians, 1000x2", partial(gaussians, 1000, 2, 3, 2.0), 1.0),
        GridPoint("5 Gaussians, 100x2000", partial(gaussians, 100, 2000, 5, 4.0), 1.0),
        GridPoint("10 Gaussians, 1000x2000", partial(gaussians, 1000, 2000, 10, 6.0), 0.01),
        GridPoint("20 Gaussians, 2000x500, C = 0.001", partial(gaussians, 2000, 500, 20, 8.0), 0.001),
        GridPoint("100 Gaussians, 5000x100, apart", partial(gaussians, 5000, 100, 100, 8.0), 1.0),
        GridPoint("100 Gaussians, 5000x100, close", partial(gaussians, 5000, 100, 100, 4.0), 0.1),
        GridPoint("100 Gaussians, 10000x20", partial(gaussians, 10_000, 20, 100, 6.0), 1.0),
        GridPoint("10 Gaussians, 20000x10", partial(gaussians, 20_000, 10, 10, 4.0), 1.0),
        GridPoint("10 Gaussians, 20000x10, far apart", partial(gaussians, 20_000, 10, 10, 12.0), 1.0),
        GridPoint("10 Gaussians, 20000x30, noise 0.1", partial(gaussians, 20_000, 30, 10, 5.0, 0.1), 0.1),
        GridPoint("26 Gaussians, 10000x16, noise 0.05", partial(gaussians, 10_000, 16, 26, 6.0, 0.05), 10.0),
        GridPoint("2 Gaussians, 20000x50", partial(gaussians, 20_000, 50, 2, 1.0), 1.0),
        GridPoint("2 Gaussians, 5000x200", partial(gaussians, 5000, 200, 2, 3.0), 0.1),
        GridPoint("6 Gaussians, 3000x100, C = 1e-4", partial(gaussians, 3000, 100, 6, 3.0), 1e-4),
        GridPoint("6 Gaussians, 3000x100, C = 100", partial(gaussians, 3000, 100, 6, 3.0), 100.0),
        GridPoint("4 Gaussians, 100000x10", partial(gaussians, 100_000, 10, 4, 3.0), 0.1, 1e-5),
        GridPoint("clusters 15000x50x10", partial(made, 15_000, 50, 10, 20, 1.6), 1.0),
        GridPoint("clusters 100000x50x10", partial(made, 100_000, 50, 10, 20, 1.6), 1.0, 1e-4),
        GridPoint("clusters 12800x16x26", partial(made, 12_800, 16, 26, 12, 1.4, n_clusters_per_class=1), 1.0),
        GridPoint("clusters 3000x30x4, C = 0.01", partial(made, 3000, 30, 4, 10, 1.0), 0.01),
        GridPoint("clusters 3000x30x4, C = 100", partial(made, 3000, 30, 4, 10, 1.0), 100.0),
        GridPoint("clusters 1000x500x3", partial(made, 1000, 500, 3, 50, 1.0), 1.0),
        GridPoint("clusters 5000x20x2, label noise", partial(made, 5000, 20, 2, 5, 1.0, flip_y=0.2), 10.0),
        GridPoint("texts 2000x2000x5, sparse", partial(texts, 2000, 2000, 5, 50, 0.3), 1.0),
        GridPoint("texts 5000x2000x20, sparse", partial(texts, 5000, 2000, 20, 60, 0.2), 1.0),
        GridPoint("texts 5000x2000x20, sparse, C = 100", partial(texts, 5000, 2000, 20, 60, 0.2), 100.0),
        GridPoint("texts 10000x1000x20, sparse, faint", partial(texts, 10_000, 1000, 20, 30, 0.1), 0.1),
        GridPoint("texts 5000x2000x100, sparse", partial(texts, 5000, 2000, 100, 80, 0.3), 10.0),
        GridPoint("texts 20000x300x10, sparse", partial(texts, 20_000, 300, 10, 20, 0.3), 1.0),
    ]


def measure(rounds: int, words: tuple[str, ...] = (), known: dict[str, float] | None = None) -> list[dict[str, Any]]:
    """A row for each point: processor seconds of both and their ratio, the median over the rounds.

    ``known`` tolerances of LIBLINEAR from an earlier run save the search for them: it begins one before.
    """
    chosen = [p for p in (*points(), *held_out()) if not words or any(word in p.name for word in words)]
    with limited_blas(1):
        return [_row(point, rounds, (known or {}).get(point.name, 1.0)) for point in chosen]


def _row(point: GridPoint, rounds: int, known: float) -> dict[str, Any]:
    X, y = point.make()
    k = int(y.max()) + 1
    reference = solve_multiclass(X, y, k, point.C, tol=point.gap / 10)
    good_enough = reference.primal / (1 - point.gap)
    peer, tolerance, capped = _calibrated(X, y, point.C, good_enough, known)
    ours, theirs = [], [] if capped else [peer]
    for number in range(rounds):
        seconds, found = _timed(lambda: solve_multiclass(X, y, k, point.C, tol=point.gap))
        ours.append(seconds)
        if not capped and peer * number < CAP / 4:
            theirs.append(_peer(X, y, point.C, tolerance)[0])
    times = float(np.median(ours)), peer if capped else float(np.median(theirs))
    return {
        "name": point.name,
        "held_out": point.held_out,
        "shape": [*X.shape, k],
        "sparse": sparse.issparse(X),
        "C": point.C,
        "gap": point.gap,
        "reached": found.gap,
        "solver": found.solver,
        "n_iter": found.n_iter,
        "tolerance": tolerance,
        "seconds": times[0],
        "peer_seconds": times[1],
        "at_least": capped,
        "ratio": times[1] / times[0],
    }


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    begun, runs = time.process_time(), 0
    while runs == 0 or (runs < _MOST_RUNS and time.process_time() - begun < _MEASURABLE):
        found = work()
        runs += 1
    return (time.process_time() - begun) / runs, found


def _calibrated(X: Any, y: np.ndarray, C: float, good_enough: float, known: float) -> tuple[float, float, bool]:
    """Processor seconds at the largest tolerance that is good enough, or at least those when the time was over."""

    def is_good(found: tuple[float, np.ndarray] | None) -> bool:
        return found is not None and Problem.checked(X, y, len(found[1]), C).primal(found[1]) <= good_enough

    begin = max(int(np.argmin(np.abs(np.log(_TOLERANCES) - np.log(known)))) - 1, 0)
    while begin > 0 and is_good(_peer(X, y, C, _TOLERANCES[begin])):
        begin -= 1
    for tolerance in _TOLERANCES[begin:]:
        found = _peer(X, y, C, tolerance)
        if found is None:
            return CAP, tolerance, True
        if is_good(found):
            return found[0], tolerance, False
    return found[0], tolerance, True


def _peer(X: Any, y: np.ndarray, C: float, tolerance: float) -> tuple[float, np.ndarray] | None:
    """Processor seconds of LIBLINEAR's training alone, and its weights; None where it took too long."""
    context = multiprocessing.get_context("fork")
    end, far_end = context.Pipe(duplex=False)
    process = context.Process(target=_train, args=(far_end, X, y, C, tolerance))
    process.start()
    far_end.close()
    try:
        found: tuple[float, np.ndarray] | None = end.recv()
    except EOFError:
        found = None
    process.join()
    if found is None and process.exitcode not in (-signal.SIGKILL, -signal.SIGXCPU):
        raise RuntimeError(f"LIBLINEAR's process ended with {process.exitcode}, not at its limit: its time is unknown")
    return found


def _train(end: Any, X: Any, y: np.ndarray, C: float, tolerance: float) -> None:
    from liblinear.liblinearutil import parameter, problem, train

    prepared = problem(y.astype(float), X)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + CAP) + 1,) * 2)
    options = parameter(f"-s 4 -c {C} -e {tolerance} -B -1 -q")
    seconds, model = _timed(lambda: train(prepared, options))
    k = model.get_nr_class()
    stored = np.ctypeslib.as_array(model.w, (k * X.shape[1],)).reshape(-1, k).T
    W = np.empty_like(stored)
    W[model.label[:k]] = stored
    end.send((seconds, W))
