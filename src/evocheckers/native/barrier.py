"""A barrier at which compiled threads wait for each other, many thousand times a second.

A waiting thread polls and now and then yields its core: that costs less than waking a sleeping thread, and does little
harm if cores are shared.
"""

import ctypes
import sys
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import I64_POINTER, Pointer, intrinsic

_ROUNDS = 200
"""Polls between two yields of the core."""

_YIELD = "evocheckers_offer_core"
_library = getattr(ctypes, "windll").kernel32 if sys.platform == "win32" else ctypes.CDLL(None)  # noqa: B009
_function = _library.SwitchToThread if sys.platform == "win32" else _library.sched_yield
llvmlite.binding.add_symbol(_YIELD, ctypes.cast(_function, ctypes.c_void_p).value)


def create_barrier() -> np.ndarray:
    """The counter of arrivals, alone on its cache line."""
    return np.zeros(16, np.int64)


@intrinsic
def _arrive(typing_context: Any, pointer: Any) -> Any:
    """Count one arrival. A thread that sees the new count also sees all writes made before it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", arguments[0], ir.Constant(ir.IntType(64), 1), "acq_rel")

    return types.int64(I64_POINTER), generate


@intrinsic
def _load(typing_context: Any, pointer: Any) -> Any:
    """The current value of a shared number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(arguments[0], "acquire", 8)

    return types.int64(I64_POINTER), generate


@intrinsic
def _offer_core(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        function = builder.module.globals.get(_YIELD) or ir.Function(builder.module, kind, _YIELD)
        return builder.call(function, [])

    return types.int32(), generate


@inner
def wait_for_all(arrivals: Pointer, threads: int, stop: Pointer) -> bool:
    """Wait until all ``threads`` have arrived as often as this one; False once ``stop`` is set."""
    if threads == 1:
        return _load(stop) == 0
    goal = (_arrive(arrivals) // threads + 1) * threads
    rounds = 0
    while _load(arrivals) < goal:
        if _load(stop) != 0:
            return False
        rounds += 1
        if rounds % _ROUNDS == 0:
            _offer_core()
    return _load(stop) == 0
