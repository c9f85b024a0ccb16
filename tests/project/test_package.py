"""mcbook by itself: what its wheel holds, what it needs, and what importing it costs."""

import importlib
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
import yaml
from closure import closure
from packaging.requirements import Requirement

import mcbook
from mcbook.replication import read_runs, read_seconds

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOC = set(re.findall(r"file: book/(\w+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))) & {
    path.stem for path in ROOT.glob("book/*.ipynb")
}
LOADED_ONLY_WHEN_USED = ["cvxpy", "flint", "matplotlib", "mcbook.svm.kernels", "numba", "sklearn", "sympy"]


def python(program, folder=ROOT):
    finished = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_import_loads_nothing_heavy():
    loaded = python("import mcbook, sys; print(*sys.modules, sep='\\n')").splitlines()
    assert "mcbook" in loaded
    assert [name for name in LOADED_ONLY_WHEN_USED if name in loaded] == []


def test_import_is_quick():
    """Processor time of `import mcbook` alone, without Python's own start; the best of three."""
    program = "from time import process_time as now; start = now(); import mcbook; print(now() - start)"
    assert min(float(python(program)) for _ in range(3)) < 0.25


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_holds_the_package_with_types_and_data(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    data = {str(path.relative_to(ROOT)) for path in ROOT.glob("mcbook/**/*.toml")}
    assert {"mcbook/__init__.py", "mcbook/py.typed", *data} <= inside
    assert {name.split("/")[0] for name in inside} == {"mcbook", f"mcbook-{mcbook.__version__}.dist-info"}


def test_notebooks_find_their_measurements_without_a_checkout(wheel, tmp_path):
    """Every record that a notebook reads is in the wheel, and is read in a folder that holds nothing."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("book/*.ipynb")))
    names = sorted(set(re.findall(r'\bmeasured\(\\"(\w+)\\"\)', text)))
    assert {"benchmarks", "letters"} <= set(names)
    installed, empty = tmp_path / "installed", tmp_path / "empty"
    empty.mkdir()
    zipfile.ZipFile(wheel).extractall(installed)
    program = f"""
import sys
sys.path.insert(0, {str(installed)!r})
import mcbook
from mcbook.foundation.pages import measured
from mcbook.replication import read_runs, read_seconds
assert mcbook.__file__.startswith({str(installed)!r}), mcbook.__file__
for name in {names!r}:
    assert measured(name), name
print(len(read_runs()), len(read_seconds()))
"""
    assert python(program, empty).split() == [str(len(read_runs())), str(len(read_seconds()))]


def test_wheel_requires_the_package_dependencies_alone(wheel):
    text = zipfile.ZipFile(wheel).read(f"mcbook-{mcbook.__version__}.dist-info/METADATA").decode()
    required = map(Requirement, Parser().parsestr(text).get_all("Requires-Dist"))
    assert {r.name for r in required if r.marker is None} == {Requirement(t).name for t in PROJECT["dependencies"]}


def test_every_module_of_the_wheel_imports_without_the_tools_of_the_book(wheel, tmp_path):
    """The wheel is unpacked and imported where all that mcbook itself does not need is hidden."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    needed = closure(Requirement(text) for text in PROJECT["dependencies"])
    program = f"""
import importlib.metadata, pkgutil, re, sys

visible = {needed | {"mcbook"}!r}
hidden = {{
    module
    for module, distributions in importlib.metadata.packages_distributions().items()
    if not visible & {{re.sub("[-_.]+", "-", name).lower() for name in distributions}}
}}

class Hiding:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(name + " is hidden", name=name)

sys.meta_path.insert(0, Hiding)
sys.path.insert(0, {str(tmp_path)!r})
import mcbook
assert mcbook.__file__.startswith({str(tmp_path)!r}), mcbook.__file__
for found in pkgutil.walk_packages(mcbook.__path__, "mcbook."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
        print(found.name)
"""
    assert "mcbook.perceptron.kernels" in python(program, tmp_path).split()


CHAPTERS = sorted(path.parent.name for path in ROOT.glob("mcbook/*/__init__.pyi") if path.parent.name in TOC)


def test_no_public_name_hides_a_chapter():
    hiding = {chapter: sorted(set(importlib.import_module(f"mcbook.{chapter}").__all__) & TOC) for chapter in CHAPTERS}
    assert len(CHAPTERS) == len(TOC)
    assert {chapter: names for chapter, names in hiding.items() if names} == {}
    assert all(getattr(mcbook, chapter) is importlib.import_module(f"mcbook.{chapter}") for chapter in CHAPTERS)


def test_chapters_are_modules_for_a_type_checker(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("".join(f"from mcbook import {name}\nreveal_type({name})\n" for name in CHAPTERS))
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(program)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    assert len(said) == len(CHAPTERS)
    assert [line for line in said if not line.endswith('Revealed type is "types.ModuleType"')] == []


def test_version_is_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == mcbook.__version__
    assert citation["title"] == yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
