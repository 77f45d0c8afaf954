"""Queues for work: a few threads for each kind, so that no kind keeps the others waiting.

Quick moves come first: the page's own process does them and next to nothing else. Whatever takes long, or reads files
of unknown origin, is done in the office, a separate process (``office``).
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
from evocheckers.native.threads import thread_count

T = TypeVar("T")


class BusyError(EvocheckersError):
    """Too much work is waiting, or the server is ending."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a kind of work is done."""

    threads: int | None
    """None for one per core."""
    waiting: int
    """Maximum number waiting or in progress; more are refused."""
    niceness: int = 0
    """Nice value of its threads, from 0 to 19, on Linux; in the office, added to that of the process. Not used in the
    page's own process, where a thread would yield while it holds the interpreter lock."""


class Lane(enum.Enum):
    """The kinds of work."""

    QUICK = Rule(threads=None, waiting=1000)
    """Moves that take a fraction of a second."""
    FOREIGN = Rule(threads=2, waiting=100)
    """Players from other packages, and the list of players."""
    LONG = Rule(threads=None, waiting=100, niceness=2)
    """Moves that take seconds, hints, values and analyses."""
    GAMES = Rule(threads=1, waiting=500)
    """Reading PDN, replaying long games, listing folders: milliseconds each."""
    FILES = Rule(threads=2, waiting=200)
    """Reading files of unknown origin."""
    MATCHES = Rule(threads=1, waiting=10, niceness=4)
    """Matches between generations."""
    REVIEWS = Rule(threads=1, waiting=50, niceness=4)
    """Moves of games under review, and positions through the generations."""


HERE = (Lane.QUICK, Lane.FOREIGN)
OFFICE = (Lane.LONG, Lane.GAMES, Lane.FILES, Lane.MATCHES, Lane.REVIEWS)


class Waiting:
    """Counts the work waiting in each lane."""

    def __init__(self) -> None:
        self._counts: Counter[Lane] = Counter()

    @contextmanager
    def place(self, lane: Lane) -> Iterator[None]:
        """Hold a place in a lane; raises an error if it is full."""
        if self._counts[lane] >= lane.value.waiting:
            raise BusyError("too many requests are waiting; try again in a moment")
        self._counts[lane] += 1
        try:
            yield
        finally:
            self._counts[lane] -= 1


class Lanes:
    """A process's threads for some lanes."""

    def __init__(self, lanes: Iterable[Lane], workers: int | None = None) -> None:
        self._pools = {
            lane: ThreadPoolExecutor(
                lane.value.threads or thread_count(workers),
                thread_name_prefix=lane.name.lower(),
                initializer=stand_back,
                initargs=(lane.value.niceness,),
            )
            for lane in lanes
        }
        self._waiting = Waiting()

    def submit(self, lane: Lane, work: Callable[[], T]) -> "Future[T]":
        """Start work on one of a lane's threads."""
        return self._pools[lane].submit(work)

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """Do work on one of a lane's threads, if it has a place."""
        with self._waiting.place(lane):
            return await asyncio.wrap_future(self.submit(lane, work))

    def close(self) -> None:
        """Wait for work in progress and cancel the rest."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown()


def stand_back(niceness: int, number: int | None = None) -> None:
    """Lower the priority of this thread, or of thread ``number``, and of those that it starts.

    Only on Linux: elsewhere threads have no nice value.
    """
    if niceness and sys.platform == "linux":
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, number or threading.get_native_id(), min(19, own + niceness))
