"""Where work waits its turn: a few threads for each sort of it, so that no sort keeps the others waiting.

Quick moves come first: the page's own process does them and next to nothing else. What is long, or reads what may come
from anywhere, is done in the office, a process of its own (``office``).
"""

import asyncio
import enum
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
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
    niceness: int = 0
    """How far its threads stand back, by the operating system's measure of 0 to 19; in the office, further than all of
    it does. Not in the page's own process, where one would stand back with the interpreter in its hands."""


class Lane(enum.Enum):
    """The sorts of work."""

    QUICK = Rule(threads=None, waiting=1000)
    """Moves that take a fraction of a second."""
    FOREIGN = Rule(threads=2, waiting=100)
    """Players of other packages, and the list of players."""
    LONG = Rule(threads=None, waiting=100, niceness=2)
    """Moves that take seconds, hints, values and analyses."""
    GAMES = Rule(threads=1, waiting=500)
    """Reading PDN, playing through long games, looking into folders: milliseconds each."""
    FILES = Rule(threads=2, waiting=200)
    """Reading files that may come from anywhere."""
    MATCHES = Rule(threads=1, waiting=10, niceness=4)
    """Matches between generations."""
    REVIEWS = Rule(threads=1, waiting=50, niceness=4)
    """Moves of games that are looked over, and positions through the generations."""


HERE = (Lane.QUICK, Lane.FOREIGN)
OFFICE = (Lane.LONG, Lane.GAMES, Lane.FILES, Lane.MATCHES, Lane.REVIEWS)


class Waiting:
    """How much waits in each lane."""

    def __init__(self) -> None:
        self._counts: Counter[Lane] = Counter()

    @contextmanager
    def place(self, lane: Lane) -> Iterator[None]:
        """A place in a lane, if there is one."""
        if self._counts[lane] >= lane.value.waiting:
            raise BusyError("too many requests are waiting; try again in a moment")
        self._counts[lane] += 1
        try:
            yield
        finally:
            self._counts[lane] -= 1


class Lanes:
    """The threads of a process for some lanes."""

    def __init__(self, lanes: Iterable[Lane], workers: int | None = None) -> None:
        self._pools = {
            lane: ThreadPoolExecutor(
                lane.value.threads or workers or os.cpu_count() or 1,
                thread_name_prefix=lane.name.lower(),
                initializer=stand_back,
                initargs=(lane.value.niceness,),
            )
            for lane in lanes
        }
        self._waiting = Waiting()

    def submit(self, lane: Lane, work: Callable[[], T]) -> "Future[T]":
        """Begin work on one of a lane's threads."""
        return self._pools[lane].submit(work)

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """Do work on one of a lane's threads, if there is a place."""
        with self._waiting.place(lane):
            return await asyncio.wrap_future(self.submit(lane, work))

    def close(self) -> None:
        """Wait for what is in progress; what waits is given up."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown()


def stand_back(niceness: int, number: int | None = None) -> None:
    """Let this thread, or one of that number, and those that it starts, yield to others.

    Elsewhere than on Linux, threads have no niceness.
    """
    if niceness and sys.platform == "linux":
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, number or threading.get_native_id(), min(19, own + niceness))
