"""Where work waits its turn: a few threads for each sort of it, so that no sort keeps the others waiting.

Quick moves come first: they have threads of their own, and all other threads yield the processor to them.
"""

import asyncio
import enum
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from evocheckers.errors import EvocheckersError

T = TypeVar("T")


class BusyError(EvocheckersError):
    """Too much waits already, or the server ends."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a sort of work is done."""

    threads: int | None
    """None for one a core."""
    waiting: int
    """As many may wait or be in progress; more are refused."""
    niceness: int
    """How far its threads stand back, by the operating system's measure of 0 to 19."""


class Lane(enum.Enum):
    """The sorts of work."""

    QUICK = Rule(threads=None, waiting=1000, niceness=0)
    """Moves that take a fraction of a second."""
    LONG = Rule(threads=None, waiting=100, niceness=5)
    """Moves that take seconds, hints, values and analyses."""
    GAMES = Rule(threads=1, waiting=500, niceness=0)
    """Reading PDN, playing through long games, looking into folders: milliseconds each."""
    FILES = Rule(threads=2, waiting=200, niceness=0)
    """Reading files that may come from anywhere."""
    MATCHES = Rule(threads=1, waiting=10, niceness=10)
    """Matches between generations."""
    REVIEWS = Rule(threads=1, waiting=50, niceness=10)
    """Moves of games that are looked over, and positions through the generations."""


class Lanes:
    """The threads of a server."""

    def __init__(self, workers: int | None = None) -> None:
        self._pools = {
            lane: ThreadPoolExecutor(
                lane.value.threads or workers or os.cpu_count() or 1,
                thread_name_prefix=lane.name.lower(),
                initializer=_stand_back,
                initargs=(lane.value.niceness,),
            )
            for lane in Lane
        }
        self._waiting: Counter[Lane] = Counter()

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """Do work on one of a lane's threads."""
        if self._waiting[lane] >= lane.value.waiting:
            raise BusyError("too many requests are waiting; try again in a moment")
        self._waiting[lane] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[lane], work)
        finally:
            self._waiting[lane] -= 1

    def close(self) -> None:
        """Wait for what is in progress; what waits is given up."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown()


def _stand_back(niceness: int) -> None:
    """Let this thread, and those that it starts, yield to others; elsewhere than on Linux, threads have no niceness."""
    if niceness and sys.platform == "linux":
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(19, own + niceness))
