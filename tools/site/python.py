"""The public names of the package, for mkdocstrings to describe."""

import re
from pathlib import Path

import evocheckers

_NAME = re.compile(r"^from \.(\S+) import (\w+) as \2$", re.MULTILINE)


def homes() -> dict[str, str]:
    """For every public name its module in the package."""
    stub = Path(evocheckers.__path__[0], "__init__.pyi").read_text(encoding="utf-8")
    return {name: module for module, name in _NAME.findall(stub)}


def text() -> str:
    """A section per folder, with its public names in alphabetical order."""
    folders: dict[str, list[str]] = {}
    for name, module in sorted(homes().items()):
        folders.setdefault(module.partition(".")[0], []).append(f"::: evocheckers.{module}.{name}")
    return "\n\n".join("\n\n".join([f"## {folder}", *names]) for folder, names in sorted(folders.items()))
