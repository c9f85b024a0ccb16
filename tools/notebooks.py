"""Execute the notebooks of the book and save them in one fixed form (`make notebooks`).

    python tools/notebooks.py                       all of book/*.ipynb, in parallel
    python tools/notebooks.py book/perceptron.ipynb only this one
    python tools/notebooks.py --check               say which would change; write nothing
    python tools/notebooks.py --ids                 only give readable ids to cells that have none; execute nothing

A cell without a readable id is named after its heading. A notebook is written only if its text changed or a figure
differs by more than the tolerance of tools/pictures.py; a figure within it keeps its old bytes. A notebook with an
error or with output on stderr is not written, and the exit code is 1.
"""

import argparse
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import joblib
import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

from tools import pictures

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_CELL = 600
TRACEBACK_LINES = 12

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# What editors leave in a cell's metadata: times, folds and scroll states, of no use to a reader and new at every run.
EDITOR_METADATA = {"execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "vscode", "id", "outputId"}

READABLE_ID = re.compile(r"(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
RANDOM_ID = re.compile(r"(?=.*[0-9])[0-9a-f]{8,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def is_readable_id(cell_id: str | None) -> bool:
    return bool(cell_id and READABLE_ID.fullmatch(cell_id) and not RANDOM_ID.fullmatch(cell_id))


def book_notebooks() -> list[Path]:
    return sorted((ROOT / "book").glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    """The notebook as it stands in the file: nbformat.read would quietly invent the ids that a cell lacks."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        message = f"{path}: expected a notebook, which is JSON, and found {error}; repair it or take it from git"
        raise ValueError(message) from error
    version = raw.get("nbformat") if isinstance(raw, dict) else "something else"
    if version != 4:
        raise ValueError(f"{path}: expected nbformat 4, found {version}; open and save it in Jupyter")
    return nbformat.v4.rwbase.strip_transient(nbformat.v4.rwbase.rejoin_lines(nbformat.from_dict(raw)))


def serialise(nb: NotebookNode) -> str:
    return nbformat.writes(nb, indent=1) + "\n"


def save(path: Path, text: str) -> None:
    """Write beside the file and rename, so that nobody reads half of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, path.stat().st_mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# --- one fixed form ---------------------------------------------------------------------------------------------------


def normalise(nb: NotebookNode) -> NotebookNode:
    nb.metadata = nbformat.from_dict(METADATA)
    nb.nbformat_minor = 5
    for cell in nb.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k not in EDITOR_METADATA})
        if cell.cell_type == "code":
            cell.outputs = normalised_outputs(cell)
    return nb


def normalised_outputs(cell: NotebookNode) -> list[NotebookNode]:
    """Streams merged where one follows itself, since how a kernel cuts them into pieces is chance."""
    outputs: list[NotebookNode] = []
    for output in cell.outputs:
        follows_itself = outputs and output.output_type == "stream" and outputs[-1].get("name") == output.name
        if follows_itself:
            outputs[-1].text += output.text
            continue
        if "metadata" in output:
            # Jupyter shows a picture at the width and height given here; nothing else in it matters to the page.
            output.metadata = nbformat.from_dict({k: v for k, v in output.metadata.items() if k == "image/png" and v})
        if output.output_type == "execute_result":
            output.execution_count = cell.execution_count
        outputs.append(output)
    return outputs


def keep_figures_within_tolerance(nb: NotebookNode, old: NotebookNode) -> None:
    before = {cell.get("id"): cell for cell in old.cells if cell.cell_type == "code"}
    for cell in nb.cells:
        if cell.cell_type != "code" or cell.get("id") not in before:
            continue
        for output, old_output in zip(cell.outputs, before[cell.id].outputs, strict=False):
            new_png, old_png = (x.get("data", {}).get("image/png") for x in (output, old_output))
            if new_png and old_png and is_same_figure(old_png, new_png):
                output.data["image/png"] = old_png


def is_same_figure(old_png: str, new_png: str) -> bool:
    try:
        return pictures.compare(pictures.from_base64(old_png), pictures.from_base64(new_png)).within_tolerance
    except (ValueError, OSError):  # a committed picture that cannot be read is one to replace
        return False


# --- ids --------------------------------------------------------------------------------------------------------------


def slug(heading: str) -> str:
    text = re.sub(r"\{[^}]*\}|\$[^$]*\$", " ", heading.lower())  # MyST roles and formulas make no readable id
    words = re.findall(r"[a-z0-9]+", text)
    joined = "-".join(words)[:40].strip("-")
    return joined if joined[:1].isalpha() else f"cell-{joined}".strip("-")


def give_readable_ids(nb: NotebookNode) -> int:
    """Name cells without a readable id, or with one already used, after the nearest heading above; returns how many."""
    kept: set[str] = set()
    nameless = []
    for cell in nb.cells:
        if is_readable_id(cell.get("id")) and cell.id not in kept:
            kept.add(cell.id)
        else:
            nameless.append(id(cell))
    stem = "start"
    for cell in nb.cells:
        heading = re.search(r"^#{1,6}\s+(.+)$", cell.source, re.MULTILINE) if cell.cell_type == "markdown" else None
        stem = slug(heading[1]) if heading else stem
        if id(cell) in nameless:
            cell["id"] = next(name for name in numbered(stem) if name not in kept)
            kept.add(cell["id"])
    nb.nbformat_minor = 5
    return len(nameless)


def numbered(stem: str) -> Iterator[str]:
    yield stem
    count = 2
    while True:
        yield f"{stem}-{count}"
        count += 1


# --- execution --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    path: Path
    problem: str = ""
    changed: bool = False


class ExecutionProblem(Exception):
    """A cell that failed or wrote on stderr; the message names it and shows the end of what it wrote."""


class OwnPythonManager(AsyncKernelManager):
    """Starts the Python that runs this, whatever kernel of the name python3 the user has installed."""

    def _kernel_spec_manager_default(self) -> KernelSpecManager:
        return KernelSpecManager(kernel_dirs=[])


def execute(nb: NotebookNode, folder: Path) -> None:
    """Run all cells in place, in a fresh kernel."""
    started: list[NotebookNode] = []
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        nb,
        kernel_name="python3",
        kernel_manager_class=OwnPythonManager,
        resources={"metadata": {"path": str(folder)}},
        timeout=SECONDS_PER_CELL,
        force_raise_errors=True,
        record_timing=False,
        on_cell_start=lambda cell, cell_index: started.append(cell),
    )
    try:
        # What cells write on stderr comes as messages; here the kernel only remarks on its own start and sockets.
        client.execute(stderr=subprocess.DEVNULL)
    except Exception as error:
        where = f"cell {started[-1].get('id')!r}" if started else "the kernel did not start"
        raise ExecutionProblem(f"{where}:\n{last_lines(str(error))}") from error
    for cell in nb.cells:
        warnings = "".join(output.text for output in cell.get("outputs", []) if output.get("name") == "stderr")
        if warnings:
            raise ExecutionProblem(f"cell {cell.id!r} wrote on stderr; remove the cause:\n{last_lines(warnings)}")


def last_lines(text: str) -> str:
    lines = ANSI_COLOUR.sub("", text).rstrip().splitlines()[-TRACEBACK_LINES:]
    return "\n".join(f"    {line}" for line in lines)


def refresh(path: Path, write: bool) -> Outcome:
    try:
        old_text = path.read_text(encoding="utf-8")
        old, nb = read(path), read(path)
        give_readable_ids(nb)
        execute(nb, path.parent)
    except (ExecutionProblem, ValueError, OSError) as error:
        return Outcome(path, problem=str(error))
    normalise(nb)
    keep_figures_within_tolerance(nb, old)
    text = serialise(nb)
    changed = text != old_text
    if changed and write:
        save(path, text)
    return Outcome(path, changed=changed)


def refresh_all(paths: list[Path], write: bool) -> list[Outcome]:
    # Processes and not threads, as a kernel client wants an event loop to itself; spawned and not forked, as the tests
    # call this from a process that has threads.
    workers = min(len(paths), joblib.cpu_count())
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(refresh, paths, [write] * len(paths)))


def name_cells(path: Path, write: bool) -> Outcome:
    try:
        nb = read(path)
    except (ValueError, OSError) as error:
        return Outcome(path, problem=str(error))
    named = give_readable_ids(nb)
    if named and write:
        save(path, serialise(nb))
    return Outcome(path, changed=bool(named))


# --- the command ------------------------------------------------------------------------------------------------------


def report(outcome: Outcome, write: bool) -> None:
    if outcome.problem:
        print(f"{outcome.path}: FAILED, not written: {outcome.problem}")
    elif outcome.changed:
        print(f"{outcome.path}: {'saved' if write else 'would change: run make notebooks'}")
    else:
        print(f"{outcome.path}: unchanged")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of book/*.ipynb")
    parser.add_argument("--check", action="store_true", help="say which would change, exit 1 if any; write nothing")
    parser.add_argument("--ids", action="store_true", help="only give readable ids to the cells that have none")
    options = parser.parse_args(arguments)
    paths = options.notebooks or book_notebooks()
    if not paths:
        parser.error(f"found no notebook in {ROOT / 'book'}: name one")
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        parser.error(f"no such notebook: {', '.join(missing)}")
    write = not options.check
    outcomes = [name_cells(path, write) for path in paths] if options.ids else refresh_all(paths, write)
    for outcome in outcomes:
        report(outcome, write)
    return int(any(o.problem or (options.check and o.changed) for o in outcomes))


if __name__ == "__main__":
    sys.exit(main())
