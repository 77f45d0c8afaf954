"""The decorators behind every compiled function, and a disk cache that never serves stale code.

``@inner`` and ``@pasted`` mark functions that only compiled code calls. ``@entry`` marks those that Python calls; their
machine code is kept on disk, so that only the first start on a machine compiles.

Numba keys its own cache by the one file that holds the function, and so misses edits in imported files. Here the key is
a digest of every source file of the package that machine code can depend on (see ``sources``), and of the function's
own file if it belongs to another package.
"""

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from evocheckers.native.private import intrusion, make_private
from evocheckers.native.sources import source_digest

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parent.parent
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

compile_listeners: list[Callable[[], None]] = []
"""Called once, before the first function that is not in the cache is compiled."""


class _Compiling(event.Listener):
    """Counts the functions being compiled, nested ones included."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002
        self.depth += 1

    def on_end(self, event: event.Event) -> None:  # noqa: ARG002
        self.depth -= 1


compiling = _Compiling()
event.register("numba:compile", compiling)


@functools.cache
def _digest() -> str:
    return source_digest(PACKAGE)


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
    told = "; ".join(faults) or "there is no home folder"
    warnings.warn(f"{told}: compiled code is cached for this process only", stacklevel=2)
    return Path(alone)


_folder = functools.cache(cache_folder)


class _Locator(_CacheLocator):
    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._py_file = file  # also named in Numba's warning about code that it cannot cache

    def get_cache_path(self) -> str:
        return str(_folder())

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


class _SourceKeyedCache(FunctionCache):
    """Numba's cache under our key. An unreadable cache is a miss; an unwritable one is not an error."""

    _impl_class = _CacheImplementation

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


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function for calls from Python, on first use, through the disk cache."""
    dispatcher = numba.njit(**OPTIONS)(function)
    if _folder() is not None:
        dispatcher._cache = _SourceKeyedCache(function)
    return cast(Callable[P, R], dispatcher)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile for calls from compiled code only. Numba's disk cache cannot hold recursion: use an explicit stack."""
    return cast(Callable[P, R], numba.njit(**OPTIONS)(function))


def pasted(function: Callable[P, R]) -> Callable[P, R]:
    """As ``inner``, but inlined into each caller before optimisation: for the few hot functions where that pays."""
    return cast(Callable[P, R], numba.njit(inline="always", **OPTIONS)(function))
