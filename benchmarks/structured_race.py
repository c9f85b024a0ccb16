"""How small the gap of the structured solvers is after so much time.

The record is for a figure of the chapter on structured margins: what a notebook measures itself differs in every run.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from benchmarks.report import machine
from mcbook.foundation.blas import limited_blas
from mcbook.structured_margins import chain_problem, cut_planes, digit_sequences
from mcbook.structured_margins.algorithm.block_steps import solve_block_steps
from mcbook.structured_margins.algorithm.chains import ChainProblem
from mcbook.structured_margins.algorithm.cutting import CuttingPoint, SingleSlackOracle
from mcbook.structured_margins.algorithm.working_set import solve_working_set

RECORD = Path(__file__).parents[1] / "results" / "structured_gap_against_time.json"
NAME = "structured margins: gap against time"
N_SEQUENCES, C, GAP = 200, 0.05, 1e-4

Curve = dict[str, list[float]]


def record(path: Path = RECORD, n_sequences: int = N_SEQUENCES, gap: float = GAP) -> str:
    """Run the race and write it down; returns the name of the file."""
    curves(problem(4), 0.5)
    with limited_blas(1):
        entry = {"machine": machine(), "sequences": n_sequences, "C": C, "curves": curves(problem(n_sequences), gap)}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path.name


def problem(n_sequences: int) -> ChainProblem:
    sequences = digit_sequences(np.random.default_rng(0), n_sequences, 6)
    return chain_problem(sequences.data, sequences.y, 10, C)


def curves(chains: ChainProblem, gap: float) -> dict[str, Curve]:
    """For each solver, seconds since its start and the least relative gap so far."""
    steps = solve_block_steps(chains, tol=gap, max_iter=5000).history
    kept = solve_working_set(chains, tol=gap).history
    return {
        "Frank–Wolfe, one sequence at a time": _curve([(p.seconds, p.primal, p.dual) for p in steps]),
        "cutting planes, one slack": _curve(_cut(chains, gap)),
        "cutting planes, a slack for each": _curve([(p.seconds, p.primal, p.dual) for p in kept]),
    }


def _cut(chains: ChainProblem, gap: float) -> list[tuple[float, float, float]]:
    points, begun = list[tuple[float, float, float]](), time.perf_counter()

    def watch(point: CuttingPoint) -> None:
        points.append((time.perf_counter() - begun, float(point.primal), float(point.dual)))

    cut_planes(SingleSlackOracle(chains), gap, rule="relative", watch=watch)
    return points


def _curve(points: list[tuple[float, float, float]]) -> Curve:
    seconds, primal, dual = np.array(points).T
    lowest = np.minimum.accumulate(primal)
    gaps = (lowest - np.maximum.accumulate(dual)) / lowest
    return {"seconds": [float(f"{s:.3g}") for s in seconds], "gap": [float(f"{g:.3g}") for g in gaps]}
