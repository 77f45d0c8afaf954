"""The decorators behind every compiled function.

``@inner`` and ``@pasted`` mark functions that only compiled code calls. ``@entry`` marks those that Python calls; their
machine code is kept on disk (see ``native.cache``), so that only the first start on a machine compiles.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

from evocheckers.native.cache import SourceKeyedCache, cache_folder

P = ParamSpec("P")
R = TypeVar("R")
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


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


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function for calls from Python, on first use, through the disk cache."""
    dispatcher = numba.njit(**OPTIONS)(function)
    if cache_folder() is not None:
        dispatcher._cache = SourceKeyedCache(function)
    return cast(Callable[P, R], dispatcher)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile for calls from compiled code only. Numba's disk cache cannot hold recursion: use an explicit stack."""
    return cast(Callable[P, R], numba.njit(**OPTIONS)(function))


def pasted(function: Callable[P, R]) -> Callable[P, R]:
    """As ``inner``, but inlined into each caller before optimisation: for the few hot functions where that pays."""
    return cast(Callable[P, R], numba.njit(inline="always", **OPTIONS)(function))
