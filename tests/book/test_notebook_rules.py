"""Each rule of notebook_rules.py is broken by hand, in a notebook that obeyed it; the book obeys them all."""

import json

import nbformat
import notebook_rules
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import notebooks

ALT = {"mystnb": {"image": {"alt": "A grey square."}}}


def good_notebook():
    figure = new_output("display_data", data={"text/plain": "<Figure>", "image/png": "aGVsbG8="})
    value = new_output("execute_result", data={"text/plain": "2"}, execution_count=2)
    words = new_output("stream", name="stdout", text="one\n")
    return new_notebook(
        metadata=notebooks.METADATA,
        nbformat_minor=5,
        cells=[
            new_markdown_cell("# A title", id="a-title"),
            new_code_cell("print('one')", id="words", execution_count=1, outputs=[words]),
            new_code_cell("1 + 1", id="a-sum", execution_count=2, outputs=[value]),
            new_code_cell("", id="nothing"),
            new_code_cell("draw()", id="fig-square", execution_count=3, metadata=ALT, outputs=[figure]),
        ],
    )


def problems_of(nb, tmp_path):
    path = tmp_path / "chapter.ipynb"
    path.write_text(json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    return notebook_rules.problems(path)


def saved(nb):
    """As the tool saves it, with the lines of each source split."""
    return json.loads(notebooks.serialise(nb))


def test_good_notebook_has_no_problems(tmp_path):
    assert problems_of(saved(good_notebook()), tmp_path) == []


def changed(position, **changes):
    return lambda nb: nb["cells"][position].update(changes)


def add_output(position, **output):
    return lambda nb: nb["cells"][position]["outputs"].append(nbformat.from_dict(output))


def add_metadata(position, **metadata):
    return lambda nb: nb["cells"][position]["metadata"].update(metadata)


SWITCHED_OFF = "cell 'words' has a comment or tag that switches nbval's comparison off"
OTHER_FORM = "the file is not in the form in which the project's tool saves it"
NO_ALT = "cell 'fig-square' shows a figure without alt text"
DARKER = {"image": {"alt": "A square."}, "figure": {"caption": "The darker, the more weight."}}
LAB = "b3f2a9c0-1d2e-4f5a-8b9c-0d1e2f3a4b5c"
BROKEN = [
    (changed(1, execution_count=None), "cell 'words' was never executed: run make notebooks"),
    (changed(4, execution_count=7), "cell 'fig-square' was executed as number 7, not 3"),
    (lambda nb: nb["cells"].insert(1, nb["cells"].pop(2)), "cell 'a-sum' was executed as number 2, not 1"),
    (
        add_output(1, output_type="error", ename="ValueError", evalue="no", traceback=[]),
        "cell 'words' holds an error, ValueError: no",
    ),
    (
        add_output(1, output_type="stream", name="stderr", text="UserWarning: hm\n"),
        "cell 'words' holds output on stderr, 'UserWarning: hm'",
    ),
    (
        add_output(1, output_type="display_data", metadata={}, data={"image/svg+xml": "<svg/>"}),
        "cell 'words' shows ['image/svg+xml'], which no test compares",
    ),
    (changed(4, metadata={}), NO_ALT),
    (changed(4, metadata={"mystnb": {"image": {"alt": " "}}}), NO_ALT),
    (add_metadata(4, mystnb=DARKER), "cell 'fig-square' has a caption that speaks of ['darker'], which is false in"),
    (changed(1, source="# NBVAL_IGNORE_OUTPUT\nprint('one')"), SWITCHED_OFF),
    (add_metadata(1, tags=["nbval-skip"]), SWITCHED_OFF),
    (add_metadata(1, tags=["raises-exception"]), SWITCHED_OFF),
    (lambda nb: nb["metadata"]["kernelspec"].update(display_name="Mine"), "the notebook's metadata are"),
    (lambda nb: nb["metadata"]["language_info"].update(version="3.11.7"), "the notebook's metadata are"),
    (lambda nb: nb["cells"][0].pop("id"), "cell number 0 has no id: run make notebooks"),
    (changed(2, id="words"), "cell id 'words' is used 2 times"),
    # Eight hexadecimal digits, those of Jupyter Lab and of Colab.
    *((changed(1, id=name), f"cell '{name}' has no readable id") for name in ("3f2a9c01", "c03f2a9b", LAB, "Xy7_qLm2")),
    (lambda nb: nb.update(nbformat_minor=4), "nbformat 4.4, expected 4.5"),
    (add_metadata(1, execution={"iopub.status.busy": "now"}), OTHER_FORM),
    (add_output(1, output_type="stream", name="stdout", text=["two\n"]), OTHER_FORM),
]


def test_broken_notebooks_are_named(tmp_path):
    for change, message in BROKEN:
        nb = saved(good_notebook())
        change(nb)
        found = problems_of(nb, tmp_path)
        assert any(message in problem for problem in found), (message, found)
        assert all(problem.startswith("chapter.ipynb: ") for problem in found)
    path = tmp_path / "chapter.ipynb"
    path.write_text("<<<<<<< HEAD", encoding="utf-8")
    (problem,) = notebook_rules.problems(path)
    assert "expected a notebook, which is JSON" in problem


def test_the_committed_notebooks_obey_the_rules():
    assert notebooks.book_notebooks(), "no book/*.ipynb found: the tests of the notebooks would pass on nothing"
    found = [problem for path in notebooks.book_notebooks() for problem in notebook_rules.problems(path)]
    assert not found, "\n" + "\n".join(found)
