"""How the time of reading sequences grows with their length, with the labels and with the features.

The record is for a figure of the chapter on structured prediction, as what a notebook measures differs in every run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks import structured
from benchmarks.harness import measure_growth
from benchmarks.report import machine
from mcbook.foundation.blas import limited_blas

RECORD = Path(__file__).parents[1] / "results" / "structured_growth.json"
NAME = "structured, reading: growth"


def record(path: Path = RECORD, rounds: int = 3) -> str:
    """Measure and write it down; returns the name of the file."""
    with limited_blas(1):
        entry = {
            "machine": machine(),
            "growths": {growth.name: _measured(growth, rounds) for growth in structured.growths()},
        }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path.name


def _measured(growth: structured.Growth, rounds: int) -> dict[str, Any]:
    found = measure_growth(growth, rounds)[0]
    return {"sizes": growth.sizes, "seconds": found["seconds"], "exponent": found["exponent"], "stated": growth.stated}
