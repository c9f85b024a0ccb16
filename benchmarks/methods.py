"""How long the methods of the book take on the handwritten digits, recorded for the table at its end."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.report import machine
from mcbook.foundation.blas import limited_blas
from mcbook.output_code_errors import digits_in_halves
from mcbook.replication import digit_methods

RECORD = Path(__file__).parents[1] / "results" / "methods_on_digits.json"
NAME = "methods on the digits"
_ROUNDS = 5


def record(path: Path = RECORD, rounds: int = _ROUNDS) -> str:
    """Fit and ask every method some times and write the medians down; returns the name of the file."""
    X, y, X_test, _ = digits_in_halves()
    entry: dict[str, Any] = {"machine": machine(), "rounds": rounds}
    with limited_blas(1):
        entry["seconds"] = {
            name: _seconds(method.estimator, X, y, X_test, rounds) for name, method in digit_methods().items()
        }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path.name


def _seconds(method: Any, X: Any, y: Any, X_test: Any, rounds: int) -> dict[str, float]:
    """Medians over the rounds, after a first one that compiles kernels and loads libraries."""
    times = [_once(method, X, y, X_test) for _ in range(rounds + 1)][1:]
    fit, predict = (statistics.median(column) for column in zip(*times, strict=True))
    return {"fit": float(f"{fit:.2g}"), "predict": float(f"{predict:.2g}")}


def _once(method: Any, X: Any, y: Any, X_test: Any) -> tuple[float, float]:
    begun = time.perf_counter()
    method.fit(X, y)
    fitted = time.perf_counter()
    method.predict(X_test)
    return fitted - begun, time.perf_counter() - fitted
