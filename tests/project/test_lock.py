"""One list of dependencies: pyproject.toml, the lock, environment.yml and the environment do not drift apart."""

import itertools
import os
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from closure import closure
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("book", "test")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK_TEXT = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = [Requirement(line.rstrip("\\ ")) for line in LOCK_TEXT.splitlines() if re.match(r"[a-z0-9]", line)]
RANGES = [
    Requirement(text)
    for texts in [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in EXTRAS)]
    for text in texts
]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
}


def applies(requirement, environment):
    return requirement.marker is None or requirement.marker.evaluate({"extra": "", **environment})


def version_of(pin):
    (specifier,) = pin.specifier
    return specifier.version


def pinned_versions(environment):
    """Package name to the version that the lock gives it there."""
    pins = [pin for pin in PINS if applies(pin, environment)]
    names = [canonicalize_name(pin.name) for pin in pins]
    assert len(names) == len(set(names)), "the lock gives one package two versions"
    return {name: version_of(pin) for name, pin in zip(names, pins, strict=True)}


def test_lock_satisfies_every_range():
    for python, system in itertools.product(PYTHONS, SYSTEMS):
        environment = {"python_version": python, "python_full_version": f"{python}.9", **SYSTEMS[system]}
        pinned = pinned_versions({**default_environment(), **environment})
        for requirement in (one for one in RANGES if applies(one, environment)):
            version = pinned.get(canonicalize_name(requirement.name), "")
            assert requirement.specifier.contains(version, prereleases=True), f"{requirement}: run `make lock`"


def test_one_version_serves_every_python():
    """Readers on two Pythons see the same numbers only if the same numpy, and the same everything, computes them."""
    names = [canonicalize_name(pin.name) for pin in PINS]
    assert {name for name in names if names.count(name) > 1} == set(), "run `make lock UPGRADE=1`, or narrow a range"


def test_every_dependency_of_the_package_is_used_by_it():
    """What mcbook does not import yet is no dependency yet."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("mcbook/**/*.py"))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, flags=re.MULTILINE))
    provided = metadata.packages_distributions()
    used = {canonicalize_name(name) for module in imported for name in provided.get(module, [])}
    assert {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]} <= used


def test_the_lock_pins_exactly_with_hashes_and_the_ranges_pin_nothing():
    assert len(PINS) > 100
    assert {specifier.operator for pin in PINS for specifier in pin.specifier} == {"=="}
    entries = re.split(r"^(?=[a-z0-9])", LOCK_TEXT, flags=re.MULTILINE)[1:]
    assert [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|--trusted-host", LOCK_TEXT), "no package index"
    every_extra = [Requirement(text) for texts in PROJECT["optional-dependencies"].values() for text in texts]
    pinned = [r for r in RANGES + every_extra if any(specifier.operator in ("==", "===") for specifier in r.specifier)]
    assert pinned == [], "exact versions belong into requirements.lock alone"


@pytest.mark.locked
def test_environment_holds_what_the_lock_says():
    pinned = pinned_versions(default_environment())
    installed = {canonicalize_name(d.metadata["Name"]): d.version for d in metadata.distributions()}
    different = {
        name: (version, installed.get(name)) for name, version in pinned.items() if installed.get(name) != version
    }
    assert not different, "package: (in the lock, in this environment); run `make env`"


@pytest.mark.locked
def test_lock_holds_all_that_is_needed_and_nothing_else():
    """Follows the installed packages' own requirements from the ranges, on this Python and system."""
    assert closure(RANGES) == set(pinned_versions(default_environment()))


def test_conda_environment_repeats_nothing():
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    *from_conda, pip_section = yaml.safe_load(text)["dependencies"]
    python, pip = from_conda
    assert pip == "pip"
    assert pip_section == {"pip": ["--require-hashes", "--only-binary :all:", "-r requirements.lock"]}
    name, _, version = python.partition("=")
    assert name == "python"
    assert SpecifierSet(PROJECT["requires-python"]).contains(version)


def test_supported_pythons_are_the_same_everywhere():
    classifiers = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if "Python :: 3." in text]
    supported = SpecifierSet(PROJECT["requires-python"])
    assert [f"3.{minor}" for minor in range(30) if f"3.{minor}" in supported] == classifiers == PYTHONS
    jobs = [job for name in ("tests", "weekly") for job in workflow(name)["jobs"].values() if "strategy" in job]
    assert len(jobs) == 5
    assert all(job["strategy"]["matrix"]["python"] == PYTHONS for job in jobs)
    # New examples are tried each week alone.
    assert "MCBOOK_SWEEP" in workflow("weekly")["env"]
    assert not any("MCBOOK_SWEEP" in str(workflow(name)) for name in ("tests", "pages"))


def test_a_python_that_does_not_serve_is_refused_in_a_sentence():
    for named in ("false", "no-such-python"):
        command = ["sh", "tools/python.sh", "-c", ""]
        run = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHON": named}, capture_output=True, text=True)
        assert run.returncode == 1
        sentence = f"Expected a Python from 3.11 to 3.14 with its module venv, got {named}: install one"
        assert run.stderr.startswith(sentence)


def workflow(name):
    return yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
