"""A clock for compiled code, on systems whose C library has one (POSIX)."""

import time
from typing import Any

from numba import types

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, i64

IS_HERE = hasattr(time, "clock_gettime_ns")
WORDS = 2
"""The 64-bit words of scratch that ``nanoseconds`` needs."""

_MONOTONIC = time.CLOCK_MONOTONIC if IS_HERE else 0
_clock_gettime: Any = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))


@inner
def nanoseconds(room: Pointer) -> i64:
    """The time since a fixed moment, the same as for ``now``."""
    _clock_gettime(_MONOTONIC, room)
    return room[0] * 1_000_000_000 + room[1]


def now() -> int:
    """The same in Python."""
    return time.clock_gettime_ns(_MONOTONIC)
