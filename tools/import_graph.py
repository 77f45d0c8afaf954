"""Print which folders of the package import which, and report what the design forbids.

Forbidden are cycles between modules, and modules that only forward the names of others.
Imports inside functions count; those only for type checkers do not. import-linter checks the direction between folders.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

PACKAGE = "evocheckers"
SOURCES = Path(__file__).resolve().parent.parent / "src"


def folder_of(module: str) -> str:
    """The folder of a module, or its own name at the top of the package."""
    return module.split(".")[1] if "." in module else module


def print_folders(graph: grimp.ImportGraph) -> None:
    """Print a line per folder, below those that it imports."""
    imports: dict[str, set[str]] = {}
    for module in graph.modules:
        found = imports.setdefault(folder_of(module), set())
        found |= {folder_of(other) for other in graph.find_modules_directly_imported_by(module)}
    others = {folder: found - {folder} for folder, found in imports.items()}
    for folder in TopologicalSorter(others).static_order():
        modules = sum(folder_of(module) == folder for module in graph.modules)
        print(
            f"{folder:<12} {modules:>3} modules, imports {', '.join(sorted(others[folder])) or 'nothing'}", flush=True
        )


def cycle_fault(graph: grimp.ImportGraph) -> Iterator[str]:
    """The first cycle between modules, if any."""
    try:
        TopologicalSorter({m: graph.find_modules_directly_imported_by(m) for m in graph.modules}).prepare()
    except CycleError as error:
        yield f"cycle: {' -> '.join(reversed(error.args[1]))}"


def source_faults(path: Path) -> Iterator[str]:
    """What is wrong with one source file."""
    text = path.read_text(encoding="utf-8")
    if only_forwards(ast.parse(text)):
        yield f"{path}: only forwards names of other modules"


def only_forwards(tree: ast.Module) -> bool:
    """Whether a module consists of imports, apart from a docstring and ``__all__``."""

    def is_forwarding(node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            return all(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        return is_docstring or isinstance(node, ast.Import | ast.ImportFrom)

    has_imports = any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)
    return has_imports and all(map(is_forwarding, tree.body))


def main() -> int:
    """Print the graph, then the faults; the exit status says whether there are any."""
    sys.path.insert(0, str(SOURCES))
    graph = grimp.build_graph(PACKAGE, cache_dir=None, exclude_type_checking_imports=True)
    print_folders(graph)
    faults = list(cycle_fault(graph))
    for path in sorted((SOURCES / PACKAGE).rglob("*.py")):
        faults += source_faults(path)
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
