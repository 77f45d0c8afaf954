"""The disk cache of machine code: never stale, private to the user, and never a reason to fail.

Numba keys its own cache by the one file that holds a function, and so misses edits in imported files. Here the key is a
digest of every source file that machine code can depend on: those with compiled functions, and all files that these
import. They are found by reading the package, so a new one cannot be forgotten. Imports are found by searching the
text, not by running or parsing it, which takes about ten milliseconds at every start; a false match does no harm.

The cache is in the user's cache folder, or where ``EVOCHECKERS_CACHE`` says. A damaged, missing or unwritable cache
only means compiling again.
"""

import atexit
import functools
import hashlib
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from evocheckers.native.private_folders import intrusion, make_private

PACKAGE = Path(__file__).resolve().parent.parent

compile_listeners: list[Callable[[], None]] = []
"""Called once, before the first function that is not in the cache is compiled."""

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


@functools.cache
def _digest() -> str:
    return source_digest(PACKAGE)


@functools.cache
def cache_folder() -> Path | None:
    """The first usable folder for machine code: ``EVOCHECKERS_CACHE``, the user's cache, or one for this process only.

    The cache holds code: anyone who can write to it can act as the user. So only the user may have access.
    """
    own = f"kernel-{hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]}"
    roots: list[Path] = []
    if chosen := os.environ.get("EVOCHECKERS_CACHE"):
        roots.append(Path(chosen))
    if user := os.environ.get("XDG_CACHE_HOME"):
        roots.append(Path(user) / "evocheckers")
    elif home := os.environ.get("HOME") or os.environ.get("LOCALAPPDATA"):
        roots.append(Path(home) / ".cache" / "evocheckers")
    faults: list[str] = []
    for root in roots:
        try:
            make_private(root / own)
            folder = (root / own).resolve()
            fault = intrusion(folder)
            if not fault:
                tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            fault = (error.strerror or "is not a folder").lower()
        if not fault:
            if faults:
                warnings.warn(f"{'; '.join(faults)}: compiled code is kept in {folder}", stacklevel=2)
            return folder
        faults.append(f"{root / own} {fault}")
    try:
        alone = tempfile.mkdtemp(prefix="evocheckers-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, alone, ignore_errors=True)
    reason = "; ".join(faults) or "there is no home folder"
    warnings.warn(f"{reason}: compiled code is cached for this process only", stacklevel=2)
    return Path(alone)


class _Locator(_CacheLocator):
    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._py_file = file  # also named in Numba's warning about code that it cannot cache

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        file = Path(self._py_file).resolve()
        if file.is_relative_to(PACKAGE) or not file.is_file():
            return _digest()
        return f"{_digest()} {hashlib.sha256(file.read_bytes()).hexdigest()}"

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator":
        return cls(function, file)


class _CacheImplementation(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class SourceKeyedCache(FunctionCache):
    """Numba's cache under our key. An unreadable cache is a miss; an unwritable one is not an error."""

    _impl_class = _CacheImplementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a damaged file of pickled code can raise anything
            self._cache_file.flush()
            found = None
        if found is None:
            while compile_listeners:
                compile_listeners.pop()()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()
