"""Makes requirements.lock, with hashes and for every supported Python, from the ranges in pyproject.toml (`make lock`).

Versions already in the lock stay where the ranges allow them; `--upgrade` takes the newest. One version serves every
Python, because all readers must see the same numbers: where the newest release has left the oldest Python behind, the
newest that still serves it is taken. The resolver, uv, lives in a throwaway environment. The lock's head keeps a digest
of the ranges, by which a test sees a lock that is out of date.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "requirements.lock"
EXTRAS = ("book", "test")
DIGEST_LABEL = "# Made from the ranges with the digest "
COMPILE = [
    "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--fork-strategy", "fewest",
    "--only-binary", ":all:", "--no-emit-build-options", "--generate-hashes", "--no-emit-index-url",
    "--no-emit-find-links", "--custom-compile-command", "make lock",
]  # fmt: skip
# Package to the reason why no version of it has wheels for every supported Python; a test refuses any other split.
UNAVOIDABLE_SPLITS: dict[str, str] = {}


def ranges_digest() -> str:
    """The digest of everything in pyproject.toml that decides what is in the lock."""
    tables = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    ranges = {
        "python": tables["requires-python"],
        "package": sorted(tables["dependencies"]),
        **{extra: sorted(tables["optional-dependencies"][extra]) for extra in EXTRAS},
    }
    return hashlib.sha256(json.dumps(ranges, sort_keys=True).encode()).hexdigest()


def uv_in(directory: str) -> Path:
    """The path of uv, installed into a fresh environment in the directory."""
    venv.create(directory, with_pip=True)
    scripts = Path(directory) / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(scripts / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "uv"]
    subprocess.run(pip, check=True)
    return scripts / "uv"


def split_packages(text: str) -> set[str]:
    """The packages to which the text of a lock gives several versions."""
    times = Counter(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", text, flags=re.MULTILINE))
    return {package for package, count in times.items() if count > 1}


def without(packages: set[str], text: str) -> str:
    """The text of a lock without some packages."""
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)
    return "".join(entry for entry in entries if entry.partition("==")[0] not in packages)


def compiled(uv: Path, upgrade: bool, directory: str) -> str:
    """The text of the lock as uv makes it, beginning from the present one."""
    draft = Path(directory) / LOCK.name
    if LOCK.exists():
        # uv would keep what is split, so what is split is resolved anew.
        present = LOCK.read_text(encoding="utf-8")
        draft.write_text(without(split_packages(present), present), encoding="utf-8")
    extras = [argument for extra in EXTRAS for argument in ("--extra", extra)]
    options = [*extras, *(["--upgrade"] if upgrade else []), "--output-file", str(draft)]
    subprocess.run([str(uv), *COMPILE, *options, PROJECT.name], cwd=ROOT, check=True)
    return draft.read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--upgrade"]):
        print(f"Expected nothing or --upgrade; got {' '.join(arguments)}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as directory:
        try:
            text = compiled(uv_in(directory), "--upgrade" in arguments, directory)
        except subprocess.CalledProcessError:
            print(
                "requirements.lock was left as it is. The lines above say why: either the ranges in pyproject.toml "
                "contradict each other, or the package index cannot be reached.",
                file=sys.stderr,
            )
            return 1
        draft = LOCK.with_suffix(".part")
        draft.write_text(f"{DIGEST_LABEL}{ranges_digest()}\n{text}", encoding="utf-8")
        draft.replace(LOCK)
    print(f"{LOCK.name} is made; `make book` and `make test` will bring .venv up to date with it.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
