"""The kernels' tests once more as plain Python: there an index beyond the end of an array is an error.

Compiled code reads on, and may find by chance what was to be expected.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_tests_of_kernels_pass_uncompiled():
    files = sorted(ROOT.glob("tests/*/test_kernels_of_*.py"))
    assert files
    # What overflows on purpose, or divides by 0 with a meaning, warns where it is not compiled.
    options = ["-q", "-n0", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", *options, *map(str, files)]
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr[-2000:]
