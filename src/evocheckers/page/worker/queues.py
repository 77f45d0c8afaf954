"""Queues for work, each with a few threads of its own, so that no kind of work holds up another.

Quick moves come first: the page's own process does them and next to nothing else. Whatever takes long, or reads files
of unknown origin, is done by the worker, a separate process (``worker.client``).
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

from evocheckers.native.threads import thread_count
from evocheckers.page.responses import BusyError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """How a kind of work is done."""

    threads: int | None
    """None for one per core."""
    capacity: int
    """Maximum number waiting or in progress; more are refused."""
    niceness: int = 0
    """Nice value of its threads, from 0 to 19, on Linux; in the worker, added to that of the process. Not used in the
    page's own process, where a thread would yield while it holds the interpreter lock."""


class Queue(enum.Enum):
    """The kinds of work."""

    QUICK = QueueSettings(threads=None, capacity=1000)
    """Moves that take a fraction of a second."""
    PLUGINS = QueueSettings(threads=2, capacity=100)
    """Players from other packages, the list of players, and the evolution process."""
    LONG = QueueSettings(threads=None, capacity=100, niceness=2)
    """Moves that take seconds, hints, values and analyses."""
    GAMES = QueueSettings(threads=1, capacity=500)
    """Reading PDN, replaying long games, listing folders: milliseconds each."""
    FILES = QueueSettings(threads=2, capacity=200)
    """Reading files of unknown origin."""
    MATCHES = QueueSettings(threads=1, capacity=10, niceness=4)
    """Matches between generations."""
    REVIEWS = QueueSettings(threads=1, capacity=50, niceness=4)
    """Moves of games under review, and positions through the generations."""


PAGE_QUEUES = (Queue.QUICK, Queue.PLUGINS)
WORKER_QUEUES = (Queue.LONG, Queue.GAMES, Queue.FILES, Queue.MATCHES, Queue.REVIEWS)


class QueueCounts:
    """How much work is waiting or in progress in each queue."""

    def __init__(self) -> None:
        self._counts: Counter[Queue] = Counter()

    @contextmanager
    def enter(self, queue: Queue) -> Iterator[None]:
        """Count one more in a queue while the context lasts; raises an error if it is full."""
        if self._counts[queue] >= queue.value.capacity:
            raise BusyError("too many requests are waiting; try again in a moment")
        self._counts[queue] += 1
        try:
            yield
        finally:
            self._counts[queue] -= 1


class Queues:
    """A process's threads for some queues."""

    def __init__(self, queues: Iterable[Queue], workers: int | None = None) -> None:
        """``workers`` is the number of threads of a queue that has no fixed number, None for one per core."""
        self._pools = {
            queue: ThreadPoolExecutor(
                queue.value.threads or thread_count(workers),
                thread_name_prefix=queue.name.lower(),
                initializer=lower_priority,
                initargs=(queue.value.niceness,),
            )
            for queue in queues
        }
        self._queued = QueueCounts()

    def submit(self, queue: Queue, work: Callable[[], T]) -> "Future[T]":
        """Start work on one of a queue's threads."""
        return self._pools[queue].submit(work)

    async def run(self, queue: Queue, work: Callable[[], T]) -> T:
        """Do work on one of a queue's threads, unless the queue is full."""
        with self._queued.enter(queue):
            return await asyncio.wrap_future(self.submit(queue, work))

    def close(self) -> None:
        """Wait for work in progress and cancel the rest."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown()


def lower_priority(niceness: int, number: int | None = None) -> None:
    """Lower the priority of this thread, or of thread ``number``, and of those that it starts.

    Only on Linux: elsewhere threads have no nice value.
    """
    if niceness and sys.platform == "linux":
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, number or threading.get_native_id(), min(19, own + niceness))
