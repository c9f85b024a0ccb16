"""Each rule of notebook_rules.py is broken by hand, in a notebook that obeyed it; no kernel is started."""

import json

import nbformat
import notebook_rules
import pytest
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


def spoil(position, **changes):
    return lambda nb: nb["cells"][position].update(changes)


def add_output(position, **output):
    return lambda nb: nb["cells"][position]["outputs"].append(nbformat.from_dict(output))


def add_metadata(position, **metadata):
    return lambda nb: nb["cells"][position]["metadata"].update(metadata)


SPOILT = {
    "count null": (spoil(1, execution_count=None), "cell 'words' was never executed: run make notebooks"),
    "count skipped": (spoil(4, execution_count=7), "cell 'fig-square' was executed as number 7, not 3"),
    "order swapped": (
        lambda nb: nb["cells"].insert(1, nb["cells"].pop(2)),
        "cell 'a-sum' was executed as number 2, not 1",
    ),
    "error": (
        add_output(1, output_type="error", ename="ValueError", evalue="no", traceback=[]),
        "cell 'words' holds an error, ValueError: no",
    ),
    "stderr": (
        add_output(1, output_type="stream", name="stderr", text="UserWarning: hm\n"),
        "cell 'words' holds output on stderr, 'UserWarning: hm'",
    ),
    "figure of another kind": (
        add_output(1, output_type="display_data", metadata={}, data={"image/svg+xml": "<svg/>"}),
        "cell 'words' shows ['image/svg+xml'], which no test compares",
    ),
    "no alt text": (spoil(4, metadata={}), "cell 'fig-square' shows a figure without alt text"),
    "blank alt text": (
        spoil(4, metadata={"mystnb": {"image": {"alt": " "}}}),
        "cell 'fig-square' shows a figure without alt text",
    ),
    "caption false in the dark": (
        add_metadata(4, mystnb={"image": {"alt": "A square."}, "figure": {"caption": "The darker, the more weight."}}),
        "cell 'fig-square' has a caption that speaks of ['darker'], which is false in dark mode",
    ),
    "comparison off by comment": (
        spoil(1, source="# NBVAL_IGNORE_OUTPUT\nprint('one')"),
        "cell 'words' has a comment or tag that switches nbval's comparison off",
    ),
    "comparison off by tag": (
        add_metadata(1, tags=["nbval-skip"]),
        "cell 'words' has a comment or tag that switches nbval's comparison off",
    ),
    "error announced by tag": (
        add_metadata(1, tags=["raises-exception"]),
        "cell 'words' has a comment or tag that switches nbval's comparison off",
    ),
    "other kernel": (
        lambda nb: nb["metadata"]["kernelspec"].update(display_name="Python (mine)"),
        "the notebook's metadata are",
    ),
    "version of the language": (
        lambda nb: nb["metadata"]["language_info"].update(version="3.11.7"),
        "the notebook's metadata are",
    ),
    "id missing": (lambda nb: nb["cells"][0].pop("id"), "cell number 0 has no id: run make notebooks"),
    "id doubled": (spoil(2, id="words"), "cell id 'words' is used 2 times"),
    "id of eight hex digits": (spoil(1, id="3f2a9c01"), "cell '3f2a9c01' has no readable id"),
    "id starting with a letter": (spoil(1, id="c03f2a9b"), "cell 'c03f2a9b' has no readable id"),
    "id of Jupyter Lab": (
        spoil(1, id="b3f2a9c0-1d2e-4f5a-8b9c-0d1e2f3a4b5c"),
        "cell 'b3f2a9c0-1d2e-4f5a-8b9c-0d1e2f3a4b5c' has no readable id",
    ),
    "id of Colab": (spoil(1, id="Xy7_qLm2PzRt"), "cell 'Xy7_qLm2PzRt' has no readable id"),
    "old format": (lambda nb: nb.update(nbformat_minor=4), "nbformat 4.4, expected 4.5"),
    "times of execution": (
        add_metadata(1, execution={"iopub.status.busy": "now"}),
        "the file is not in the form in which the project's tool saves it",
    ),
    "stream in pieces": (
        add_output(1, output_type="stream", name="stdout", text=["two\n"]),
        "the file is not in the form in which the project's tool saves it",
    ),
}


@pytest.mark.parametrize(("spoiler", "message"), SPOILT.values(), ids=SPOILT.keys())
def test_spoilt_notebook_is_named(spoiler, message, tmp_path):
    nb = saved(good_notebook())
    spoiler(nb)
    found = problems_of(nb, tmp_path)
    assert any(message in problem for problem in found), found
    assert all(problem.startswith("chapter.ipynb: ") for problem in found)


def test_file_that_is_no_notebook_is_named(tmp_path):
    path = tmp_path / "chapter.ipynb"
    path.write_text("<<<<<<< HEAD", encoding="utf-8")
    (problem,) = notebook_rules.problems(path)
    assert "expected a notebook, which is JSON" in problem
