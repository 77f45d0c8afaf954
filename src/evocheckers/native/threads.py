"""Compiled work on threads, which ends at once when interrupted.

Python handles an interrupt (Ctrl-C) only on its main thread, and not while that thread is inside compiled code. So long
work runs on other threads while the calling thread waits.
"""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from evocheckers.errors import whole_number

T = TypeVar("T")

MAX_THREADS = 1024
NAME = "evocheckers"
"""The name of the threads."""
_POLL_SECONDS = 0.05
"""How often a waiting thread wakes up, since Python misses a signal that arrives just before it begins to wait."""


def thread_count(threads: int | None) -> int:
    """The requested number of threads, by default the number of cores that this process may use."""
    if threads is not None:
        return whole_number("threads", threads, 1, MAX_THREADS, hint="; None is one for each core")
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def run_threads(work: Callable[[int, np.ndarray, np.ndarray], None], count: int) -> None:
    """Call ``work(thread, next_item, stop)`` on each of ``count`` threads; both arrays hold one zero at first.

    An interrupt sets ``stop``, ends all threads and is raised again as ``KeyboardInterrupt``.
    """
    next_item = np.zeros(1, np.int64)
    stop = np.zeros(1, np.int64)

    def interrupt() -> None:
        stop[0] = 1

    def job(thread: int) -> Callable[[], None]:
        return lambda: work(thread, next_item, stop)

    _run([job(thread) for thread in range(count)], interrupt)


def run_interruptibly(work: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """The result of ``work``; an interrupt meanwhile calls ``interrupt`` and is raised again as ``KeyboardInterrupt``.

    On the main thread, where interrupts arrive, this costs a thread, some tenths of a millisecond: use it for work that
    may be long.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: list[T] = []
    _run([lambda: results.append(work())], interrupt)
    return results[0]


def _run(jobs: Sequence[Callable[[], None]], interrupt: Callable[[], None]) -> None:
    """Run each job on its own thread. An exception while waiting interrupts the jobs and is raised once they end.

    If it arrives while a thread is being started, that thread does not begin its job. We wait on events, not on
    ``join``, since Python 3.11 considers a thread ended once an interrupt has hit its ``join``.
    """
    finished = [threading.Event() for _ in jobs]
    begun: list[threading.Event] = []
    beginning = threading.Lock()
    disturbed = threading.Event()
    failures: list[BaseException] = []

    def guarded(job: Callable[[], None], end: threading.Event) -> None:
        with beginning:
            if disturbed.is_set():
                return
            begun.append(end)
        try:
            job()
        except BaseException as failure:
            failures.append(failure)
        finally:
            end.set()

    pairs = list(zip(jobs, finished, strict=True))
    threads = [threading.Thread(target=guarded, args=pair, daemon=True, name=NAME) for pair in pairs]
    try:
        for thread in threads:
            thread.start()
        _wait(finished)
    except BaseException:
        _end_all(beginning, disturbed, begun, interrupt)
        raise
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _end_all(
    beginning: threading.Lock,
    disturbed: threading.Event,
    begun: Sequence[threading.Event],
    interrupt: Callable[[], None],
) -> None:
    """Interrupt all jobs and wait for their ends, however often the user interrupts meanwhile."""
    while True:
        try:
            with beginning:
                disturbed.set()
            interrupt()
            _wait(begun)
            return
        except KeyboardInterrupt:
            continue


def _wait(events: Sequence[threading.Event]) -> None:
    for event in events:
        while not event.wait(_POLL_SECONDS):
            pass
