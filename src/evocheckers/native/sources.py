"""The source files that machine code depends on: those with compiled functions, and all files that these import.

The files are found by reading the package, so a new one cannot be forgotten. Imports are found by searching the text,
not by running or parsing it: this takes about ten milliseconds at every start. A false match does no harm.
"""

import hashlib
import os
import re
from pathlib import Path

_COMPILES = re.compile(
    r"^[ \t]*(?:(?:from|import) (?:numba|llvmlite)\b|import evocheckers\.native\b|"
    r"from evocheckers\.native(?:\.compile|\.intrinsics)? import "
    r"(?:[^(\n]*|\([^)]*)\b(?:entry|inner|pasted|intrinsic|compile|intrinsics)\b)",
    re.MULTILINE,
)
_FROM = re.compile(r"^[ \t]*from (evocheckers[.\w]*) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import (evocheckers\.[.\w]+)", re.MULTILINE)


def compiled_sources(package: Path) -> list[Path]:
    """The files that machine code can depend on, sorted."""
    modules = _modules(package)
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules.items()}
    found: set[str] = set()
    waiting = [name for name, text in texts.items() if _COMPILES.search(text)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imported(texts[name]) & modules.keys()
    return sorted(modules[name] for name in found)


def source_digest(package: Path) -> str:
    """A digest of all sources that machine code can depend on."""
    digest = hashlib.sha256()
    for path in compiled_sources(package):
        digest.update(f"{path.relative_to(package).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _modules(package: Path) -> dict[str, Path]:
    """All files of a package by module name."""
    modules = {}
    for folder, _, files in os.walk(package):
        parts = ("evocheckers", *Path(folder).relative_to(package).parts)
        for file in files:
            if file.endswith(".py"):
                inside = () if file == "__init__.py" else (file.removesuffix(".py"),)
                modules[".".join(parts + inside)] = Path(folder, file)
    return modules


def _imported(text: str) -> set[str]:
    """The modules that a text may import: those it imports from, and every imported name as a submodule of them."""
    names = set(_IMPORT.findall(text))
    for module, listed in _FROM.findall(text):
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", listed))}
    return names
