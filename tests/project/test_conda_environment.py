"""What conda and Binder do with environment.yml and postBuild, with pip in a fresh environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tools import bootstrap

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["mcbook", "pyproject.toml", "requirements.lock", "README.md", "LICENSE", "postBuild"]


def run(command, folder, environment=None):
    finished = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if finished.returncode and bootstrap.explain(finished.stdout) == bootstrap.NO_INDEX:
        if os.environ.get("MCBOOK_REQUIRE_NETWORK"):
            pytest.fail(bootstrap.NO_INDEX)
        pytest.skip(f"environment.yml was not tried out: {bootstrap.NO_INDEX}")
    assert finished.returncode == 0, finished.stdout[-4000:]
    return finished.stdout


@pytest.mark.network
def test_pip_section_and_post_build_make_a_working_environment(tmp_path):
    """Everything is really unpacked; only the compilation to bytecode is left out, which would double the time.

    conda itself is not run: it writes the pip section as a requirements file beside environment.yml, and so does this.
    """
    checkout, fresh = tmp_path / "checkout", tmp_path / "fresh"
    checkout.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, checkout / part)
    section = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"][-1]["pip"]
    (checkout / "condaenv.requirements.txt").write_text("\n".join(section) + "\n", encoding="utf-8")

    run([sys.executable, "-m", "venv", fresh], checkout)
    environment = bootstrap.clean_environment() | {
        "PATH": f"{fresh / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_COMPILE": "1",
        "PIP_RETRIES": "2",
    }
    run(
        ["python", "-m", "pip", "install", "-U", "-r", "condaenv.requirements.txt", "--exists-action=b"],
        checkout,
        environment,
    )
    run(["./postBuild"], checkout, environment)
    run(["python", "-m", "pip", "check"], tmp_path, environment)
    where = run(["python", "-c", "import mcbook; print(mcbook.__file__)"], tmp_path, environment)
    assert Path(where.strip()) == checkout / "mcbook" / "__init__.py"
