"""Runs the whole suite on every supported Python of this machine, each in a throwaway environment from the lock.

Static checks, notebooks and pages are part of it, as in `make test`: what a reader sees must not depend on the Python.

make test-pythons                         all that are found
python tools/test_pythons.py 3.12 3.13    only these
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# Called by its path, with a Python that knows nothing of the checkout.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import bootstrap

ROOT = Path(__file__).resolve().parent.parent
SUPPORTED = [f"3.{minor}" for minor in range(bootstrap.OLDEST[1], bootstrap.NEWEST[1] + 1)]
IDENTIFY = "import platform, sys; print(platform.python_version(), sys.executable, sep='|')"


class Interpreter(NamedTuple):
    version: str
    path: str


class Outcome(NamedTuple):
    passed: bool
    closing_line: str
    seconds: float


def candidates() -> list[Path]:
    """Paths that may be supported Pythons: on the PATH, under pyenv, and in the places of the system and Homebrew."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    folders += [Path("/usr/bin"), Path("/usr/local/bin"), Path("/opt/homebrew/bin")]
    suffix = ".exe" if os.name == "nt" else ""
    names = [f"python{version}{suffix}" for version in SUPPORTED] + [f"python{suffix}"]
    return [folder / name for folder in folders for name in names if (folder / name).is_file()]


def identify(path: Path) -> Interpreter | None:
    """What the path turns out to be when it is run; None for one that fails, or is a virtual environment's."""
    probe = subprocess.run([path, "-I", "-c", IDENTIFY], capture_output=True, text=True, check=False)
    if probe.returncode:
        return None
    version, executable = probe.stdout.strip().split("|")
    if (Path(executable).parent.parent / "pyvenv.cfg").exists():
        return None
    return Interpreter(version, executable)


def supported_interpreters(wanted: list[str]) -> list[Interpreter]:
    """One interpreter for each version, oldest first."""
    by_version: dict[str, Interpreter] = {}
    for path in candidates():
        interpreter = identify(path)
        if interpreter and interpreter.version.rpartition(".")[0] in wanted:
            by_version.setdefault(interpreter.version, interpreter)
    return sorted(by_version.values(), key=lambda found: [int(part) for part in found.version.split(".")])


def try_out(interpreter: Interpreter) -> Outcome:
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        python = Path(directory) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip = [python, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        steps = [
            [interpreter.path, "-I", "-m", "venv", directory],
            [*pip, "--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements.lock"],
            [*pip, "--no-deps", "--no-build-isolation", "-e", ROOT],
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        ]
        for step in steps:
            run = subprocess.run(step, cwd=ROOT, env=bootstrap.clean_environment(), capture_output=True, text=True)
            if run.returncode:
                print(run.stdout + run.stderr, file=sys.stderr)
                break
    last_line = ["", *(run.stdout + run.stderr).strip().splitlines()][-1]
    return Outcome(run.returncode == 0, last_line.strip("= "), time.monotonic() - started)


def main(wanted: list[str]) -> int:
    if unknown := set(wanted) - set(SUPPORTED):
        print(f"Expected versions among {', '.join(SUPPORTED)}; got {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    interpreters = supported_interpreters(wanted or SUPPORTED)
    if not interpreters:
        print(f"No Python {' or '.join(wanted or SUPPORTED)} was found on this machine: install one.", file=sys.stderr)
        return 1
    absent = [version for version in SUPPORTED if not any(i.version.startswith(version + ".") for i in interpreters)]
    outcomes = {}
    for interpreter in interpreters:
        print(f"Python {interpreter.version}: installing the lock, then running the suite ...", flush=True)
        outcomes[interpreter] = try_out(interpreter)
    print(f"\n{'Python':<9} {'result':<7} {'time':>6}  closing line")
    for interpreter, outcome in outcomes.items():
        verdict = "passed" if outcome.passed else "FAILED"
        print(f"{interpreter.version:<9} {verdict:<7} {outcome.seconds:>4.0f} s  {outcome.closing_line}")
    if absent and not wanted:
        print(f"Not on this machine: {', '.join(absent)}.")
    return 0 if all(outcome.passed for outcome in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
