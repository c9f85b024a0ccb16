"""The parts of the package that are sampled apart, told by their paths, with the share that each must notice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from tools.mutation.operators import Mutant, mutants

TARGETS = {"theory": 0.98, "kernels": 0.98, "spine": 0.98, "claims": 0.90, "estimators": 0.95}
# They show and they are driven by hand: what is wrong there is seen in pictures and at the command line.
LEFT_OUT = {"figures", "plotting", "commands", "experiments", "pages", "__main__", "__init__"}


def part_of(path: str) -> str | None:
    """The part of a module of the package; None for those that are left out.

    >>> part_of("mcbook/perceptron/theory.py"), part_of("mcbook/claims/perceptron/linear.py")
    ('theory', 'claims')
    """
    words = PurePosixPath(path).with_suffix("").parts[1:]
    if words[-1] == "__init__" and "kernels" in words:
        words = words[:-1]
    if LEFT_OUT & set(words):
        return None
    if words[0] == "claims":
        return "spine" if words[1] == "spine" else "claims"
    if "proof" in words:
        return "spine"
    for room in ("theory", "kernels"):
        if room in words:
            return room
    # Algorithms, instances, the foundation's other helpers and the estimators themselves.
    return "estimators"


def sample(
    root: Path,
    parts: Iterable[str],
    share: int,
    seed: int,
    usable: Callable[[Mutant], bool],
    under: Iterable[str] = (),
) -> dict[str, list[Mutant]]:
    """So many mutants from each part, drawn evenly over the lines and then over the changes of a line.

    With ``under``, only of the modules whose paths begin with one of these.
    """
    begins = tuple(under)
    found: dict[str, list[Mutant]] = {}
    for part in parts:
        lines: dict[tuple[str, int], list[Mutant]] = {}
        for file in sorted(root.glob("mcbook/**/*.py")):
            path = file.relative_to(root).as_posix()
            if part_of(path) == part and path.startswith(begins or ""):
                for mutant in mutants(file.read_text(encoding="utf-8"), path):
                    lines.setdefault((path, mutant.line), []).append(mutant)
        # A part's draws do not depend on which other parts are asked for.
        rng = random.Random(f"{seed} {part}")
        places = list(lines.values())
        rng.shuffle(places)
        drawn = (rng.choice(place) for place in places)
        found[part] = [mutant for mutant, _ in zip(filter(usable, drawn), range(share), strict=False)]
    return found
