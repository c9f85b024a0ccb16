"""What a change of a statement touches: the results that use it, and the files that name it or its functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mcbook.claims import find_claim
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.uses import direct_uses, used_by

# Where a function or a label may be named; records and built pages follow from these.
_PLACES = (
    "book/*.ipynb",
    "book/*.md",
    "book/*.toml",
    "book/explorers/*.js",
    "mcbook/**/*.py",
    "mcbook/**/*.toml",
    "tests/**/*.py",
)


def affected(label: str, root: Path) -> Iterator[str]:
    """The statements that use it, then every file that names it or a function on trial for it, with the lines.

    >>> from mcbook.foundation.pages import checkout
    >>> next(affected("thm-top-down-induction-boosts", checkout()))
    'used by no other statement'
    """
    claim = find_claim(label)
    users = used_by(direct_uses(read_book(root / "book")))[label]
    yield f"used by {', '.join(users)}" if users else "used by no other statement"
    functions = [getattr(one, "__name__", type(one).__name__) for one in claim.implements]
    yield f"on trial for it: {', '.join(functions)}"
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, (label, *functions)))})(?![\w-])")
    for path in sorted({path for place in _PLACES for path in root.glob(place)}):
        lines = path.read_text(encoding="utf-8").splitlines()
        if found := [str(number) for number, line in enumerate(lines, 1) if named.search(line)]:
            yield f"{path.relative_to(root).as_posix()}: {', '.join(found)}"
