"""A teacher's own chapter, with a claim of its own, in a checkout of its own; and a chapter left out of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

THEORY = """

from fractions import Fraction


def half() -> Fraction:
    return Fraction(1, 2)
"""

CLAIMS = """
from mcbook.boxes.theory import half
from mcbook.claims import Claim, less_than

between = Claim(
    "thm-boxes", "identity", "exact", source="nobody2000", implements=half, no_formula="a number and no formula"
)


@between.check("in fractions")
def in_fractions(rng):
    yield less_than("0, 1/2", 0, half())
    yield less_than("1/2, 1", half(), 1)


@between.control("twice of it")
def twice_of_it():
    yield less_than("1, 1", 2 * half(), 1)
"""

CODE = "from mcbook import verify\\nfrom mcbook.boxes.theory import half\\nprint(half())\\nverify('thm-boxes')"
REASON = "The double of it is one, which is larger than nought, and half of anything that is larger is smaller than it."


@pytest.fixture
def checkout(tmp_path):
    """The package with the first chapter of the book, which needs no other, and its page."""
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("foundation", "commands", "exercises", "problem", "claims/spine", "claims/problem"):
        shutil.copytree(ROOT / "mcbook" / part, tmp_path / "mcbook" / part, ignore=ignored)
    for file in ("__init__.py", "__init__.pyi", "__main__.py", "claims/__init__.py"):
        shutil.copy(ROOT / "mcbook" / file, tmp_path / "mcbook" / file)
    for folder in ("book", "tests"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "book" / "problem.ipynb", tmp_path / "book")
    (tmp_path / "_toc.yml").write_text("chapters:\n  - file: book/problem\n", encoding="utf-8")
    return tmp_path


def run(checkout, *words, python=()):
    environment = os.environ | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *(python or ("-m", "mcbook")), *words]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def write_chapter(checkout):
    """What a teacher writes after `new-chapter`."""
    package = checkout / "mcbook"
    for path, text in (
        (package / "boxes" / "theory.py", THEORY),
        (package / "claims" / "boxes" / "results.py", CLAIMS),
    ):
        path.write_text(path.read_text(encoding="utf-8").rstrip() + "\n" + text, encoding="utf-8")
    page = checkout / "book" / "boxes.ipynb"
    notebook = json.loads(page.read_text(encoding="utf-8"))
    (statement,) = (cell for cell in notebook["cells"] if "{prf:proof}" in "".join(cell["source"]))
    statement["source"] = "".join(statement["source"]).replace("{prf:proof}\n", f"{{prf:proof}}\n{REASON}\n")
    code = {"cell_type": "code", "id": "half", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].append(code | {"source": CODE.replace("\\n", "\n")})
    page.write_text(json.dumps(notebook), encoding="utf-8")


DISCREPANCIES = (
    "from pathlib import Path; from mcbook.claims import discrepancies; "
    "from mcbook.claims.spine.book import read_book; print(*discrepancies(read_book(Path('book'))), sep='\\n')"
)


def test_from_the_first_file_to_a_whole_chapter(checkout):
    made = run(checkout, "new-chapter", "boxes")
    assert made.returncode == 0, made.stderr
    lacking = run(checkout, "check-chapter", "boxes")
    assert lacking.returncode == 1
    assert "boxes states thm-boxes, and no claim has that label" in lacking.stdout, lacking.stderr

    write_chapter(checkout)
    assert "the record is not up to date" in run(checkout, "check-chapter", "boxes").stdout
    recorded = run(checkout, "verify", "thm-boxes", "--record")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    whole = run(checkout, "check-chapter", "boxes")
    # What the claims need is there; the page itself has no exercises and no explorer yet.
    missing = whole.stdout.splitlines()[:-1]
    assert missing, whole.stderr
    assert all(
        "exercise" in line or "Python" in line or "explorer" in line or "not built" in line or "coding" in line
        for line in missing
    ), whole.stdout

    shown = run(checkout, "ledger")
    assert re.search(r"^boxes +exact +done +thm-boxes$", shown.stdout, re.M), shown.stdout
    assert "boxes" not in run(checkout, python=("-c", DISCREPANCIES)).stdout

    # Left out of the contents it is no part of the book, and nobody complains of that.
    contents = checkout / "_toc.yml"
    contents.write_text(contents.read_text(encoding="utf-8").replace("  - file: book/boxes\n", ""), encoding="utf-8")
    left_out = run(checkout, python=("-c", DISCREPANCIES))
    assert left_out.returncode == 0, left_out.stderr
    assert "thm-boxes" not in left_out.stdout
    assert run(checkout, "verify", "thm-boxes").returncode == 0
