"""One list of dependencies: pyproject.toml, the lock, environment.yml and the environment do not drift apart."""

import re
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

from tools import lock

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK_TEXT = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = [Requirement(line.rstrip("\\ ")) for line in LOCK_TEXT.splitlines() if re.match(r"[a-z0-9]", line)]
RANGES = [
    Requirement(text)
    for texts in [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in lock.EXTRAS)]
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


def test_lock_was_made_from_the_present_ranges():
    assert LOCK_TEXT.startswith(f"{lock.DIGEST_LABEL}{lock.ranges_digest()}\n"), (
        "the ranges in pyproject.toml changed after requirements.lock was made: run `make lock`"
    )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_lock_satisfies_every_range(python, system):
    environment = {"python_version": python, "python_full_version": f"{python}.9", **SYSTEMS[system]}
    pinned = pinned_versions({**default_environment(), **environment})
    unsatisfied = [
        str(requirement)
        for requirement in RANGES
        if applies(requirement, environment)
        and not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), ""), prereleases=True)
    ]
    assert not unsatisfied, "run `make lock`"


def test_one_version_serves_every_python():
    """Readers on two Pythons see the same numbers only if the same numpy, and the same everything, computes them."""
    assert lock.split_packages(LOCK_TEXT) == set(lock.UNAVOIDABLE_SPLITS), (
        "expected one version of each package but those in UNAVOIDABLE_SPLITS of tools/lock.py: run `make lock`; "
        "where no version has wheels for every supported Python, add the package and the reason there"
    )
    assert all(len(reason.split()) > 3 for reason in lock.UNAVOIDABLE_SPLITS.values())


def test_what_is_split_is_noticed_and_resolved_anew():
    def entry(pin):
        return f"{pin} \\\n    --hash=sha256:a\n    # via mcbook\n"

    kept = ["# head\n", entry("attrs==1.0"), entry("zipp==3.0 ; sys_platform == 'win32'")]
    older, newer = entry("numpy==2.0 ; python_version < '3.12'"), entry("numpy==2.1 ; python_version >= '3.12'")
    text = "".join([*kept[:2], older, newer, *kept[2:]])
    assert lock.split_packages(text) == {"numpy"}
    assert lock.without({"numpy"}, text) == "".join(kept)


def test_every_dependency_of_the_package_is_used_by_it():
    """What mcbook does not import yet is no dependency yet."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("mcbook/**/*.py"))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, flags=re.MULTILINE))
    provided = metadata.packages_distributions()
    used = {canonicalize_name(name) for module in imported for name in provided.get(module, [])}
    assert {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]} <= used


def test_lock_pins_exactly_with_hashes():
    assert len(PINS) > 100
    for pin in PINS:
        assert [specifier.operator for specifier in pin.specifier] == ["=="], pin
    entries = re.split(r"^(?=[a-z0-9])", LOCK_TEXT, flags=re.MULTILINE)[1:]
    assert [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_lock_names_no_package_index():
    assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|--trusted-host", LOCK_TEXT)


def test_ranges_pin_nothing():
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
    from tools import bootstrap

    spelled = [f"3.{minor}" for minor in range(bootstrap.OLDEST[1], bootstrap.NEWEST[1] + 1)]
    classifiers = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if "Python :: 3." in text]
    assert spelled == PYTHONS == classifiers
    assert [
        version for version in map("3.{}".format, range(30)) if version in SpecifierSet(PROJECT["requires-python"])
    ] == spelled
    for job in workflow("tests")["jobs"].values():
        assert job["strategy"]["matrix"]["python"] == spelled


def test_every_python_runs_the_whole_suite_each_week_on_new_examples():
    weekly = workflow("weekly")
    locked, newest = weekly["jobs"]["locked"], weekly["jobs"]["newest"]
    _, setup, whole_suite = locked["steps"]
    assert setup["with"]["python-version"].split() == newest["strategy"]["matrix"]["python"] == PYTHONS
    assert whole_suite["run"] == "make test-pythons"
    assert {"make book NEWEST=1", "make test NEWEST=1"} <= {step.get("run") for step in newest["steps"]}
    assert "MCBOOK_SWEEP" in weekly["env"]
    assert not any("MCBOOK_SWEEP" in str(workflow(name)) for name in ("tests", "pages"))


def workflow(name):
    return yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
