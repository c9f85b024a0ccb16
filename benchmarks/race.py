"""How near the optimum the solvers of the support vector machine are after so much time.

The record is for a figure of the chapter on solvers: what a notebook measures itself differs in every run.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from benchmarks.data import Sample, digits, tiny
from benchmarks.report import machine
from mcbook.foundation.blas import limited_blas
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.svm import primal_objective
from mcbook.svm_solvers import multiclass_subgradient, random_draws, solve_multiclass
from mcbook.svm_solvers.algorithm.objective import SVMSolution

RECORD = Path(__file__).parents[1] / "results" / "svm_gap_against_time.json"
NAME = "svm: gap against time"
_N_SAMPLES, C = 400, 0.2
_PASSES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_GAP = 1e-9

Curve = dict[str, list[float]]


def record(path: Path = RECORD, data: Sample | None = None, passes: tuple[int, ...] = _PASSES) -> str:
    """Run the race and write it down; returns the name of the file."""
    data = first_digits() if data is None else data
    _warm_up()
    with limited_blas(1):
        shape = [*data.X.shape, data.n_classes]
        entry: dict[str, object] = {"machine": machine(), "shape": shape, "C": C, "curves": curves(data, passes)}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path.name


def _warm_up() -> None:
    """Kernels compiled and libraries loaded: what a second run in the same process finds."""
    small = tiny()
    for solver in ("coordinate", "newton"):
        solve_multiclass(*small, C, solver=solver)  # type: ignore[arg-type]  # a tuple of words is a tuple of str
    solve_multiclass_svm(*small, C)
    multiclass_subgradient(*small, C, random_draws(np.random.default_rng(0), len(small.y), 1))


def first_digits() -> Sample:
    """As many digits as the generic solver handles in seconds."""
    X, y, n_classes = digits()
    return Sample(X[:_N_SAMPLES], y[:_N_SAMPLES], n_classes)


def curves(data: Sample, passes: tuple[int, ...]) -> dict[str, Curve]:
    """For each solver, seconds since its start and the excess over the dual bound, relative to that."""
    bound = solve_multiclass(*data, C, tol=1e-11).dual
    ascent = solve_multiclass(*data, C, tol=_GAP, solver="coordinate", max_iter=max(passes))
    newton = solve_multiclass(*data, C, tol=_GAP, solver="newton")
    return {
        "sub-gradient steps, mean weights": _of([_subgradient(data, p) for p in passes], bound),
        "dual coordinate ascent": _of(_history(ascent), bound),
        "second-order steps": _of(_history(newton), bound),
        "generic solver": _of([_generic(data)], bound),
    }


def _subgradient(data: Sample, passes: int) -> tuple[float, float]:
    draws = random_draws(np.random.default_rng(0), len(data.y), passes)
    begun = time.perf_counter()
    mean = multiclass_subgradient(*data, C, draws).mean
    return time.perf_counter() - begun, primal_objective(mean, data.X, data.y, C)


def _generic(data: Sample) -> tuple[float, float]:
    """One point only: before its end it has no weights to show."""
    begun = time.perf_counter()
    found = solve_multiclass_svm(*data, C)
    return time.perf_counter() - begun, primal_objective(found.point, data.X, data.y, C)


def _history(solution: SVMSolution) -> list[tuple[float, float]]:
    return [(point.seconds, point.primal) for point in solution.history]


def _of(points: list[tuple[float, float]], bound: float) -> Curve:
    """The best value so far against time; below the gap that was asked for nothing is claimed."""
    seconds, values = np.array(points).T
    excess = np.maximum(np.minimum.accumulate(values) / bound - 1, _GAP)
    return {"seconds": [float(f"{s:.3g}") for s in seconds], "excess": [float(f"{e:.3g}") for e in excess]}
