"""Import contracts that are read from the tree: who stands where follows from names and from _toc.yml, from no list.

foundation < chapters < claims < exercises < experiments < commands; a chapter imports only chapters before it in
``_toc.yml``; within a chapter kernels < theory < algorithm < instances < estimator < figures.
"""

from collections.abc import Iterator
from pathlib import Path

import yaml
from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

LAYERS = ("foundation", "chapter", "claims", "exercises", "experiments", "commands")
CHAPTER_LAYERS = ("kernels", "theory", "algorithm", "instances", "estimator", "figures")
PACKAGE = "mcbook"
CONTENTS = Path("_toc.yml")


class _Forbidding(Contract):
    """A contract that is kept when it finds nothing to say."""

    def forbidden(self, graph: ImportGraph) -> Iterator[str]:
        raise NotImplementedError

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        found = list(self.forbidden(graph))
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["found"]:
            output.print_error(line)
        output.new_line()


class LayersContract(_Forbidding):
    """Imports flow one way through the floors of the house, the chapters in their order, and a chapter's rooms."""

    type_name = "package_layers"

    def forbidden(self, graph: ImportGraph) -> Iterator[str]:
        layers = Layers(chapters_in_order(CONTENTS))
        for importer, imported in imports_within(graph):
            reason = layers.reason_against(importer, imported)
            if reason:
                lines = [
                    detail["line_number"] for detail in graph.get_import_details(importer=importer, imported=imported)
                ]
                yield f"{importer} (line {', '.join(map(str, lines))}) imports {imported}: {reason}"
        for module in sorted(graph.modules):
            if layers.is_misplaced(module):
                yield f"{module}: expected one of the layers {', '.join(CHAPTER_LAYERS)} in a chapter"


class KernelsContract(_Forbidding):
    """Modules in the rooms called ``kernels`` import, besides kernels, nothing but what is ``allowed``."""

    type_name = "kernels"

    allowed = fields.SetField(subfield=fields.StringField())

    def forbidden(self, graph: ImportGraph) -> Iterator[str]:
        allowed = {str(name) for name in self.allowed}
        for importer in sorted(graph.modules):
            if not _is_kernel(importer):
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                if imported.split(".")[0] not in allowed and not _is_kernel(imported):
                    yield f"{importer} imports {imported}: kernels take only kernels and {', '.join(sorted(allowed))}"


def _is_kernel(module: str) -> bool:
    return module.split(".")[2:3] == ["kernels"]


class Layers:
    """Where a module stands, told from its name and the order of the chapters."""

    def __init__(self, chapters: list[str]) -> None:
        self.chapters = chapters

    def layer(self, path: list[str]) -> int:
        if path[1] == "__main__":
            return LAYERS.index("commands")
        return LAYERS.index(path[1]) if path[1] in LAYERS else LAYERS.index("chapter")

    def reason_against(self, importer: str, imported: str) -> str:
        above, below = importer.split("."), imported.split(".")
        if len(above) < 2 or len(below) < 2 or (above[1] == below[1] and self.layer(above) != LAYERS.index("chapter")):
            return ""
        if self.layer(above) != self.layer(below):
            wrong = self.layer(above) < self.layer(below)
            return f"{LAYERS[self.layer(above)]} stands below {LAYERS[self.layer(below)]}" if wrong else ""
        if above[1] != below[1]:
            return self._chapter_reason(above[1], below[1])
        return self._layer_reason(above[2:], below[2:])

    def _chapter_reason(self, above: str, below: str) -> str:
        # A chapter that the contents leave out is no part of this course's order.
        if above not in self.chapters or below not in self.chapters:
            return ""
        wrong = self.chapters.index(above) < self.chapters.index(below)
        return f"the chapter {below} comes later in {CONTENTS}" if wrong else ""

    def _layer_reason(self, above: list[str], below: list[str]) -> str:
        if not above:
            return ""
        # The top room may take what the chapter shows to all.
        if not below:
            return "" if above[0] == CHAPTER_LAYERS[-1] else "inside a chapter, import from the module itself"
        if above[0] not in CHAPTER_LAYERS or below[0] not in CHAPTER_LAYERS:
            return ""
        wrong = CHAPTER_LAYERS.index(above[0]) < CHAPTER_LAYERS.index(below[0])
        return f"within a chapter, {above[0]} stands before {below[0]}" if wrong else ""

    def is_misplaced(self, module: str) -> bool:
        path = module.split(".")
        in_chapter = len(path) > 2 and self.layer(path) == LAYERS.index("chapter")
        return in_chapter and path[2] not in CHAPTER_LAYERS


def imports_within(graph: ImportGraph) -> Iterator[tuple[str, str]]:
    """Every import of one module of the package by another."""
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            if importer.split(".")[0] == PACKAGE == imported.split(".")[0]:
                yield importer, imported


def chapters_in_order(contents: Path) -> list[str]:
    """The chapters that ``_toc.yml`` lists, in its order."""
    parts = yaml.safe_load(contents.read_text(encoding="utf-8"))["parts"]
    return [Path(entry["file"]).stem for part in parts for entry in part["chapters"]]
