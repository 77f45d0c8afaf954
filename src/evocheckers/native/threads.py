"""Compiled work on threads, which ends at once when interrupted.

Python takes an interrupt (Ctrl-C) on its main thread alone, and not while that is inside of compiled code. So long work
runs on other threads, and the one that asked for it waits.
"""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

NAME = "evocheckers"
"""Of the threads."""


def thread_count(threads: int | None) -> int:
    """As many threads as asked for, or as there are cores."""
    return threads or os.cpu_count() or 1


def run_threads(work: Callable[[int, np.ndarray, np.ndarray], None], count: int) -> None:
    """Call ``work(thread, next_item, stop)`` on each of ``count`` threads; both arrays hold one zero at first.

    An interrupt sets ``stop``, ends all threads and goes on as ``KeyboardInterrupt``.
    """
    next_item = np.zeros(1, np.int64)
    stop = np.zeros(1, np.int64)

    def interrupt() -> None:
        stop[0] = 1

    def job(thread: int) -> Callable[[], None]:
        return lambda: work(thread, next_item, stop)

    _run([job(thread) for thread in range(count)], interrupt)


def run_interruptibly(work: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """The result of ``work``, during which an interrupt calls ``interrupt`` and goes on as ``KeyboardInterrupt``.

    It takes a thread, some tenths of a millisecond, where an interrupt may come: for work that may be long.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: list[T] = []
    _run([lambda: results.append(work())], interrupt)
    return results[0]


def _run(jobs: Sequence[Callable[[], None]], interrupt: Callable[[], None]) -> None:
    """Do each job on a thread of its own. Whatever disturbs the waiting interrupts them and is raised at their end.

    Events are waited for, not ``join``, since Python 3.11 takes a thread for ended once an interrupt has met it there.
    """
    finished = [threading.Event() for _ in jobs]
    failures: list[BaseException] = []

    def guarded(job: Callable[[], None], end: threading.Event) -> None:
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
        for event in finished:
            event.wait()
    except BaseException:
        interrupt()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        raise
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
