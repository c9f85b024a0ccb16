"""Every static check of the project: `python tools/lint.py` runs all, `python tools/lint.py NAME ...` some.

`make lint`, the hooks of pre-commit and the tests in tests/project/ all take their commands from here.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))
WORKFLOWS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(".github/workflows/*.yml"))

CHECKS = {
    "ruff": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "mypy": ["mypy"],
    "imports": ["lint-imports"],
    "workflows": ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS],
    "citation": ["check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff"],
    "hooks": ["pre-commit", "validate-config", ".pre-commit-config.yaml"],
}


def run(name: str, **options) -> subprocess.CompletedProcess:
    """The finished process of one check, run in the project's root with the tools of the running environment."""
    program, *arguments = CHECKS[name]
    environment = os.environ | {"PYTHONUTF8": "1"}
    return subprocess.run([str(SCRIPTS / program), *arguments], cwd=ROOT, env=environment, **options)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"Expected names among {', '.join(CHECKS)}; got {', '.join(unknown)}.", file=sys.stderr)
        return 2
    failed = []
    for name in names or CHECKS:
        print(f"{name}: {' '.join(CHECKS[name])}", flush=True)
        if run(name).returncode:
            failed.append(name)
    if failed:
        print(f"Failed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
