"""One trial, one run: in a run of the suite a claim that a test tries and a page shows is tried once.

Where the environment names a folder in ``MCBOOK_TRIALS``, whoever tries a claim first leaves there what its parts
yielded, and whoever comes later judges that.  The suite makes such a folder for itself and throws it away at its end;
without it every trial is run.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mcbook.claims.spine.claim import REGISTRY, Claim

VARIABLE = "MCBOOK_TRIALS"

Outcome = TypeVar("Outcome")


def once_in_a_session(claim: Claim, seed: int, run: Callable[[], Outcome]) -> Outcome:
    """What the trial yields, or what the same trial by the same code yielded earlier in this session."""
    folder = os.environ.get(VARIABLE)
    # A claim that somebody made by hand is not what its label says.
    if not folder or REGISTRY.get(claim.label) is not claim:
        return run()
    place = Path(folder) / _key(claim, seed)
    if place.is_file():
        return pickle.loads(place.read_bytes())
    outcome = run()
    draft = place.with_name(f"{place.name}.{os.getpid()}")
    draft.write_bytes(pickle.dumps(outcome))
    draft.replace(place)
    return outcome


def _key(claim: Claim, seed: int) -> str:
    """The claim with its parts, the seed, and everything that the outcome may come from."""
    parts = [list(part) for part in (claim.checks, claim.extremals, claim.traces, claim.controls, claim.strengthenings)]
    said = repr((claim.label, parts, seed, sys.version, _sources()))
    return hashlib.sha256(said.encode()).hexdigest()


@functools.cache
def _sources() -> str:
    """A hash of everything in the package: code and data."""
    import mcbook

    digest = hashlib.sha256()
    root = Path(mcbook.__path__[0])
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(root)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
