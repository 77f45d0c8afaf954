"""The decorators behind every compiled function.

``@inner`` and ``@pasted`` mark functions that only compiled code calls. ``@entry`` marks those that Python calls; their
machine code is kept on disk (see ``native.cache``), so that only the first start on a machine compiles.
"""

import inspect
from collections.abc import Callable, Mapping
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


def switch(
    name: str,
    parameters: str,
    functions: Mapping[int, Callable[..., R] | None],
    otherwise: Callable[..., R] | None = None,
    is_pasted: bool = False,
) -> Callable[..., R]:
    """Make one compiled function of several: its first argument is a number that says which of them to call.

    Each function gets those of the ``parameters`` that it names. A number without a function calls ``otherwise``, which
    is the last function if it is not given. The optimiser must see which functions may be called, so the tests are
    written out as text, as one would write them by hand.
    """
    cases = [(number, function) for number, function in functions.items() if function is not None]
    last = otherwise or cases.pop()[1]
    lines = [f"def {name}(number, {parameters}):", "    if False:", "        pass"]
    for number, function in cases:
        lines += [f"    elif number == {number}:", f"        found = {_call(f'case_{number}', function)}"]
    lines += ["    else:", f"        found = {_call('last', last)}", "    return found"]
    namespace: dict[str, Any] = {"__name__": __name__, "last": last}
    namespace |= {f"case_{number}": function for number, function in cases}
    exec("\n".join(lines), namespace)  # noqa: S102 - of names and numbers in the package's own source
    compiled = pasted if is_pasted else inner
    return compiled(cast(Callable[..., R], namespace[name]))


def _call(name: str, function: Callable[..., Any]) -> str:
    return f"{name}({', '.join(inspect.signature(function).parameters)})"
