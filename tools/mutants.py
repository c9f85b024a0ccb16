"""Whether claims and tests notice small errors: `python tools/mutants.py [--n N] [--seed S] [--part NAME ...]`.

A seeded sample of mutants of the package, as many from each part, is put on trial in processes forked from this one.
The exit code is 1 where a part's score is below its target (`TARGETS` in mutation/parts.py).
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Before numpy is loaded: two processes with as many threads as there are cores would stand in each other's way.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


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
    given = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        print("Expected a system that can fork processes, such as Linux or macOS.", file=sys.stderr)
        return 2
    from tools.mutation.run import Settings, run

    parts, tests = tuple(given.part or TARGETS), tuple(given.tests)
    return run(Settings(ROOT, parts, given.n, given.seed, given.workers, given.keep, given.record, tests))


if __name__ == "__main__":
    os.environ.update(dict.fromkeys(THREADS, "1"))
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
