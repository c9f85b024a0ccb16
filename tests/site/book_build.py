"""Building a book as `make book` does."""

import os
import subprocess
import sys
from pathlib import Path


def build_book(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the book below `root` as `make book` does; an unchanged book takes seconds."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", root, "-W", "-n", "--keep-going"]
    return subprocess.run(
        [str(word) for word in command],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
