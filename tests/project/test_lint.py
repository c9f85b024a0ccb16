"""The static checks of tools/lint.py are green, and the rules of the layers can go red."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tools import lint

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", lint.CHECKS)
def test_static_check_is_green(name):
    finished = lint.run(name, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.fixture
def package_copy(tmp_path):
    """A copy of the package, for tests that spoil it."""
    shutil.copytree(ROOT / "mcbook", tmp_path / "mcbook", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "_toc.yml", "tools/__init__.py", "tools/import_contracts.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def imports_verdict(folder):
    command = [lint.SCRIPTS / "lint-imports", "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


AGAINST_THE_LAYERS = [
    ("perceptron/forgotten.py", "", "mcbook.perceptron.forgotten: expected one of the layers"),
    ("perceptron/kernels.py", "import scipy\n", "mcbook.perceptron.kernels imports scipy"),
    ("foundation/proof/exact.py", "import mcbook.perceptron\n", "foundation stands below chapter"),
    ("perceptron/theory.py", "import mcbook.claims\n", "chapter stands below claims"),
    ("claims/__init__.py", "import mcbook.commands\n", "claims stands below commands"),
    ("winnow/theory.py", "import mcbook.svm\n", "the chapter svm comes later in _toc.yml"),
    ("losses/theory.py", "import mcbook.losses.figures\n", "theory stands before figures"),
    ("problem/theory.py", "import mcbook.problem\n", "import from the module itself"),
]


def test_imports_against_the_layers_are_noticed(package_copy):
    for module, text, _ in AGAINST_THE_LAYERS:
        path = package_copy / "mcbook" / module
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")
    verdict = imports_verdict(package_copy)
    assert verdict.returncode != 0
    said = " ".join((verdict.stdout + verdict.stderr).split())
    assert [complaint for *_, complaint in AGAINST_THE_LAYERS if complaint not in said] == []
