"""Building a book as `make book` does, the book itself or a small one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_small_book(folder: Path, pages: dict[str, str], *more_folders: str) -> Path:
    """The book's settings around these pages, by the names of their files; the first one is the root."""
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_static", *more_folders):
        shutil.copytree(ROOT / "book" / name, folder / "book" / name)
    shutil.copy(ROOT / "book" / "references.bib", folder / "book")
    first, *others = (Path(name).stem for name in pages)
    listed = "".join(["chapters:\n", *(f"- file: book/{name}\n" for name in others)]) if others else ""
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: book/{first}\n{listed}", "utf8")
    for name, text in pages.items():
        (folder / "book" / name).write_text(text, "utf8")
    return folder


def pages_of(folder: Path) -> Path:
    """The folder of the built pages of the book in this one."""
    built = build_book(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "_build" / "html" / "book"


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
