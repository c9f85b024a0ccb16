"""An import-linter contract for packages that may import only what is listed; the kernels are one."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """Modules in `source_packages` import, from outside themselves, nothing but the packages in `allowed`."""

    type_name = "only"

    source_packages = fields.ListField(subfield=fields.StringField())
    allowed = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        foreign = [
            (importer, imported)
            for package in self.source_packages
            if package in graph.modules
            for importer in sorted({package} | graph.find_descendants(package))
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._is_allowed(imported, package)
        ]
        return ContractCheck(kept=not foreign, metadata={"foreign": foreign})

    def _is_allowed(self, imported: str, package: str) -> bool:
        return any(imported == root or imported.startswith(root + ".") for root in {package, *self.allowed})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["foreign"]:
            output.print_error(f"{importer} imports {imported}; allowed are {', '.join(sorted(self.allowed))}")
