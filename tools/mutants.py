"""Whether claims and tests notice small errors: `python tools/mutants.py [--n N] [--seed S] [--part NAME ...]`.

A seeded sample of mutants of the package, as many from each part, is put on trial in processes forked from this one.
Kernels are tried as plain Python, in a process of their own: to compile each mutant would take most of the time, and
where compiled code reads beyond the end of an array plain Python says so.
The exit code is 1 where a part's score is below its target (`TARGETS` in mutation/parts.py).
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Before numpy is loaded: two processes with as many threads as there are cores would stand in each other's way.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
PLAIN = "NUMBA_DISABLE_JIT"


def main(arguments: list[str]) -> int:
    from tools.mutation.parts import TARGETS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=300, help="how many mutants, over all parts (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which sample (%(default)s)")
    parser.add_argument("--part", nargs="*", choices=TARGETS, default=[], help="only these parts")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (%(default)s)")
    parser.add_argument("--keep", type=Path, help="keep what is measured of claims and tests in this file")
    parser.add_argument("--record", type=Path, help="write the scores to this file")
    parser.add_argument("--tests", nargs="*", default=[], help="only these tests, and no claims; otherwise all")
    parser.add_argument("--under", nargs="*", default=[], help="only mutants of these modules or folders")
    given = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        print("Expected a system that can fork processes, such as Linux or macOS.", file=sys.stderr)
        return 2
    from tools.mutation.run import Settings, run

    parts = given.part or list(TARGETS)
    share = -(-given.n // len(parts))
    results = []
    if "kernels" in parts and PLAIN not in os.environ:
        parts = [part for part in parts if part != "kernels"]
        again = [sys.executable, __file__, *arguments, "--part", "kernels", "--n", str(share)]
        results.append(subprocess.run(again, env={**os.environ, PLAIN: "1"}).returncode)
    if parts:
        files = (
            (None if given.keep is None else given.keep.with_suffix(f".{PLAIN}")) if PLAIN in os.environ else given.keep
        )
        under, tests = tuple(given.under), tuple(given.tests)
        results.append(
            run(Settings(ROOT, tuple(parts), share, given.seed, given.workers, files, given.record, under, tests))
        )
    return max(results)


if __name__ == "__main__":
    os.environ.update(dict.fromkeys(THREADS, "1"))
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
