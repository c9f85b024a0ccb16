"""nbval, with what the book needs beyond it; registered by the conftest.py at the root.

nbval runs each cell of a notebook as a test and compares text outputs exactly. Here it also

- compares figures as pictures, with the tolerance of tools/pictures.py, where nbval skips them;
- compares the order of a cell's outputs;
- fails a cell that writes on stderr, or that was never executed (nbval would not compare it);
- compares every cell: nbval's comments and tags that switch the comparison off have no effect;
- skips what follows a cell that could not be run: its failures would only repeat the first.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile

from tools import notebooks, pictures

ALWAYS_COMPARE = {"check": True, "skip": False, "check_exception": False}


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector):
    collectors = yield
    return [
        BookNotebook.from_parent(parent, path=file_path) if isinstance(collector, IPyNbFile) else collector
        for collector in collectors
    ]


class BookNotebook(IPyNbFile):
    unrunnable_cell = ""

    def collect(self) -> Iterator["BookCell"]:
        try:
            self.nb = notebooks.read(self.path)
        except ValueError as error:
            raise self.CollectError(str(error)) from error
        code = (cell for cell in self.nb.cells if cell.cell_type == "code")
        for number, cell in enumerate(code):
            name = f"{number} {cell.get('id', 'without id')}"
            yield BookCell.from_parent(self, name=name, cell_num=number, cell=cell, options=ALWAYS_COMPARE)


class BookCell(IPyNbCell):
    def setup(self) -> None:
        if self.parent.unrunnable_cell:
            pytest.skip(f"cell '{self.parent.unrunnable_cell}' of this notebook could not be run")

    def runtest(self) -> None:
        try:
            super().runtest()
        except Exception:
            if self._could_not_be_run():
                self.parent.unrunnable_cell = self.name
            raise
        if self.cell.source.strip() and self.cell.execution_count is None:
            self.raise_cell_error("The cell was never executed: run make notebooks")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}: cell {self.name}"

    def compare_outputs(self, test: list, ref: list, skip_compare: tuple | None = None) -> bool:
        on_stderr = [output.text for output in test if output.get("name") == "stderr"]
        if on_stderr:
            self.comparison_traceback = ["The cell wrote on stderr:", *on_stderr]
            return False
        if not super().compare_outputs(test, ref, skip_compare):
            return False
        self.comparison_traceback = list(self._differences_nbval_skips(test, ref))
        return not self.comparison_traceback

    def _could_not_be_run(self) -> bool:
        raised = any(output.output_type == "error" for output in self.test_outputs or [])
        return raised or self.parent.timed_out or not self.parent.kernel.is_alive()

    def _differences_nbval_skips(self, test: list, ref: list) -> Iterator[str]:
        committed, new = [kind(output) for output in ref], [kind(output) for output in test]
        if committed != new:
            yield f"The committed outputs are {committed}, the new ones {new}"
            return
        for number, (old_output, new_output) in enumerate(zip(ref, test, strict=True)):
            old_png, new_png = (output.get("data", {}).get("image/png") for output in (old_output, new_output))
            if old_png and new_png:
                yield from self._figure_difference(number, pictures.from_base64(old_png), pictures.from_base64(new_png))

    def _figure_difference(self, number: int, old: bytes, new: bytes) -> Iterator[str]:
        try:
            difference = pictures.compare(old, new)
        except (OSError, ValueError) as error:
            yield f"Figure (output {number}) cannot be read as a PNG: {error}"
            return
        if not difference.within_tolerance:
            yield f"Figure (output {number}) is not the committed one: {difference}"
            yield from self._keep_for_the_eye(number, old, new)

    def _keep_for_the_eye(self, number: int, old: bytes, new: bytes) -> Iterator[str]:
        cache = getattr(self.config, "cache", None)
        if cache is None:
            return
        folder = cache.mkdir("figures")
        stem = re.sub(r"\W+", "-", f"{self.path.stem} {self.name} {number}")
        shown = {"committed": old, "new": new, "difference": pictures.difference_image(old, new)}
        for which, png in shown.items():
            if png is not None:
                (folder / f"{stem}-{which}.png").write_bytes(png)
        yield f"To look at: {folder / stem}-*.png"


def kind(output: NotebookNode) -> str:
    """What an output is, without its content."""
    if output.output_type == "stream":
        return output.name
    return " + ".join([output.output_type, *sorted(output.get("data", {}))])
