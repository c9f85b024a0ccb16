"""The suite does not depend on what a machine reports about itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="joblib asks lscpu on Linux alone")
def test_nobody_asks_for_the_physical_cores(tmp_path):
    """Where /sys is not mounted, lscpu says nothing; so does this one."""
    silent = tmp_path / "lscpu"
    silent.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    silent.chmod(0o755)
    variables = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    variables["PATH"] = f"{tmp_path}{os.pathsep}{variables['PATH']}"
    program = """
import conftest
from sklearn.metrics import pairwise_distances_argmin
pairwise_distances_argmin([[0.0]], [[0.0], [1.0]])
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    assert run.stderr == ""
