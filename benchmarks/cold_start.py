"""Starting up: the import, the first compiled call on a fresh install, and the same in a second process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

IMPORT, FIRST_FIT, ALL_KERNELS = 0.25, 0.5, 20.0

_IMPORT = "import time; t = time.perf_counter(); import mcbook; print(time.perf_counter() - t)"
_FIT = """
import numpy as np
import sklearn.linear_model, scipy.linalg
from {module} import {name}
X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 3
import time
t = time.perf_counter()
{name}().fit(X, y)
print(time.perf_counter() - t)
"""
_WARM = """
import time
t = time.perf_counter()
from mcbook.commands.warm import warm
for _ in warm(): pass
print(time.perf_counter() - t)
"""


def measure(rounds: int, estimators: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
    """Import; all kernels cold; and for each estimator (module, name) its first fit with no cache and with one."""
    rows = [_row("import mcbook", [_seconds(_IMPORT, None) for _ in range(rounds)], IMPORT)]
    with tempfile.TemporaryDirectory() as cache:
        rows.append(_row("build of all kernels, no cache", [_seconds(_WARM, cache)], ALL_KERNELS))
        rows.append(_row("all kernels, second process", [_seconds(_WARM, cache) for _ in range(rounds)], None))
    for module, name in estimators:
        code = _FIT.format(module=module, name=name)
        with tempfile.TemporaryDirectory() as cache:
            rows.append(_row(f"first fit of {name}, no cache", [_seconds(code, cache)], None))
            later = [_seconds(code, cache) for _ in range(rounds)]
            rows.append(_row(f"first fit of {name}, second process", later, FIRST_FIT))
    return rows


def _seconds(code: str, cache: str | None) -> float:
    """What a fresh Python prints for the code, with its compiled kernels in a directory of its own."""
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a fresh Python failed on the start-up code:\n{done.stderr}")
    return float(done.stdout.split()[-1])


def _row(name: str, seconds: list[float], most: float | None) -> dict[str, Any]:
    low, high = np.quantile(seconds, [0.25, 0.75])
    return {
        "name": name,
        "seconds": float(np.median(seconds)),
        "quartiles": [float(low), float(high)],
        "rounds": len(seconds),
        "most": most,
    }
