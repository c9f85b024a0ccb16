"""`make notebooks` and the plug-in, on notebooks made here and then spoilt cell by cell.

Kernels are slow to start, so the tests share them: `book` is a folder executed once by the tool; no test changes it.
"""

import base64
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from tools import notebooks

HERE = Path(__file__).parent
PICTURE = """
import io
from IPython.display import Image as Figure, display
from PIL import Image

def show(level):
    out = io.BytesIO()
    Image.new("RGB", (200, 100), (level, level, level)).save(out, format="PNG")
    display(Figure(data=out.getvalue()))
"""
SOURCES = {
    "setup": PICTURE,
    "words": "print('one')\nprint('two')",
    "number": "6 * 7",
    "fig-same": "show(100)",
    "fig-altered": "show(100)",
    "never-run": "print('never run')",
    "swapped": "print('before')\nshow(50)",
    "silent": "import sys",
    "closing": "undefined_name = 1",
    "after": "print('after')",
}
ALT = {"mystnb": {"image": {"alt": "A grey square."}}}


def square(level):
    out = io.BytesIO()
    Image.new("RGB", (200, 100), (level,) * 3).save(out, format="PNG")
    return base64.b64encode(out.getvalue()).decode()


def make(path, sources):
    cells = [new_code_cell(source, id=name, metadata=ALT) for name, source in sources.items()]
    path.write_text(notebooks.serialise(new_notebook(cells=[new_markdown_cell("# Squares", id="squares"), *cells])))


def edit(path, change):
    nb = notebooks.read(path)
    change({cell.id: cell for cell in nb.cells})
    path.write_text(notebooks.serialise(nb))


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    make(folder / "chapter.ipynb", SOURCES)
    make(folder / "raises.ipynb", {"fine": "print(1)", "wrong": "1 / 0"})
    make(folder / "warns.ipynb", {"warning": "import warnings\nwarnings.warn('hm')"})
    before = {path: path.read_bytes() for path in folder.iterdir()}
    outcomes = notebooks.refresh_all(sorted(folder.glob("*.ipynb")), write=True)
    return folder, before, {outcome.path.stem: outcome for outcome in outcomes}


def spoil(cells):
    cells["words"].outputs[0].text = "one\ntoo\n"
    cells["fig-altered"].outputs[0].data["image/png"] = square(110)
    cells["never-run"].update(execution_count=None, outputs=[])
    cells["swapped"].outputs.reverse()
    cells["silent"].source += "\nprint('hm', file=sys.stderr)"
    cells["silent"].outputs = [new_output("stream", name="stderr", text="hm\n")]
    cells["closing"].source = "undefined_name"


@pytest.fixture(scope="module")
def verdicts(book, tmp_path_factory):
    """For each cell of the spoilt notebook, from a real run of pytest: passed, failure or skipped, and its message."""
    folder = tmp_path_factory.mktemp("spoilt")
    shutil.copy(book[0] / "chapter.ipynb", folder)
    edit(folder / "chapter.ipynb", spoil)
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\naddopts = --nbval --nbval-current-env\n")
    paths = [str(HERE), str(notebooks.ROOT)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-m", "pytest", "-p", "notebook_plugin", "--color=no", "--junitxml=verdicts.xml"]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout + run.stderr
    found = {}
    for case in ElementTree.parse(folder / "verdicts.xml").iter("testcase"):
        child = next(iter(case), None)
        text = "" if child is None else f"{child.get('message', '')} {child.text or ''}"
        found[case.get("name").split()[-1]] = ("passed" if child is None else child.tag, text)
    assert list(found) == list(SOURCES)
    return found, folder


def test_broken_cells_fail_and_others_pass(verdicts):
    for cell in ("setup", "number", "fig-same"):
        assert verdicts[0][cell][0] == "passed", verdicts[0][cell][1]
    for cell, message in (
        ("words", "one\\ntoo"),
        ("fig-altered", "is not the committed one: RMS 10.00 grey levels"),
        ("never-run", "The cell was never executed: run make notebooks"),
        ("swapped", "the new ones ['stdout', 'display_data + image/png + text/plain']"),
        ("silent", "The cell wrote on stderr"),
        ("closing", "NameError"),
    ):
        verdict, text = verdicts[0][cell]
        assert (verdict, message in text) == ("failure", True), (cell, text)
    verdict, text = verdicts[0]["after"]
    assert verdict == "skipped"
    assert "cell '8 closing' of this notebook could not be run" in text


def test_differing_figures_are_kept_to_look_at(verdicts):
    shown = sorted(path.name for path in verdicts[1].rglob("*fig-altered*.png"))
    assert shown == [f"chapter-4-fig-altered-0-{which}.png" for which in ("committed", "difference", "new")]


def test_executed_notebook_is_saved_in_the_fixed_form(book):
    nb = notebooks.read(book[0] / "chapter.ipynb")
    assert book[2]["chapter"].changed
    assert nb.metadata == notebooks.METADATA
    assert [cell.execution_count for cell in nb.cells[1:]] == list(range(1, len(SOURCES) + 1))
    assert (book[0] / "chapter.ipynb").read_text() == notebooks.serialise(notebooks.normalise(nb))


def test_notebook_with_an_error_or_warning_is_named_and_not_written(book):
    folder, before, outcomes = book
    for stem, messages in (
        ("raises", ["cell 'wrong':", "ZeroDivisionError: division by zero"]),
        ("warns", ["cell 'warning' wrote on stderr", "UserWarning: hm"]),
    ):
        assert all(message in outcomes[stem].problem for message in messages), outcomes[stem].problem
        assert (folder / f"{stem}.ipynb").read_bytes() == before[folder / f"{stem}.ipynb"]


def test_figure_within_the_tolerance_keeps_its_bytes_and_another_does_not(book, tmp_path, capsys):
    path = Path(shutil.copy(book[0] / "chapter.ipynb", tmp_path))

    def age(cells):
        cells["fig-same"].outputs[0].data["image/png"] = square(101)

    edit(path, age)
    aged = path.read_bytes()
    assert notebooks.main([str(path)]) == 0
    assert path.read_bytes() == aged
    assert "unchanged" in capsys.readouterr().out

    edit(path, lambda cells: cells["fig-altered"].outputs[0].data.update({"image/png": square(110)}))
    altered = path.read_bytes()
    assert notebooks.main(["--check", str(path)]) == 1
    assert path.read_bytes() == altered
    assert "would change" in capsys.readouterr().out

    assert notebooks.main([str(path)]) == 0
    outputs = {cell.id: cell.outputs for cell in notebooks.read(path).cells[1:]}
    assert outputs["fig-altered"][0].data["image/png"].strip() == square(100)
    assert outputs["fig-same"][0].data["image/png"].strip() == square(101)
    assert [child.name for child in tmp_path.iterdir()] == ["chapter.ipynb"]


def test_cells_without_a_readable_id_are_named_after_the_heading_above(tmp_path):
    path = tmp_path / "chapter.ipynb"
    nb = new_notebook(
        cells=[
            new_code_cell("1", id="3f2a9c01"),
            new_markdown_cell("(sec)=\n## The {term}`margin` of $W$, twice", id="9c013f2a"),
            new_code_cell("2", id="kept"),
            new_code_cell("3", id="to-be-doubled"),
            new_markdown_cell("# 2 classes", id="two"),
            new_code_cell("4", id="Xy7_qLm2PzRt"),
        ]
    )
    path.write_text(notebooks.serialise(nb).replace("to-be-doubled", "kept"))
    assert notebooks.main(["--ids", str(path)]) == 0
    names = [cell.id for cell in notebooks.read(path).cells]
    assert names == ["start", "the-margin-of-twice", "kept", "the-margin-of-twice-2", "two", "cell-2-classes"]
    saved = path.read_bytes()
    assert notebooks.main(["--ids", "--check", str(path)]) == 0
    assert path.read_bytes() == saved


def test_unknown_notebook_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        notebooks.main([str(tmp_path / "nowhere.ipynb")])
    assert "no such notebook" in capsys.readouterr().err
