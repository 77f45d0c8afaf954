"""Threads that share compiled work and end at once when interrupted."""

import os
import threading
from collections.abc import Callable

import numpy as np


def thread_count(threads: int | None) -> int:
    """As many threads as asked for, or as there are cores."""
    return threads or os.cpu_count() or 1


def run_threads(work: Callable[[int, np.ndarray, np.ndarray], None], count: int) -> None:
    """Call ``work(thread, next_item, stop)`` on each of ``count`` threads; both arrays hold one zero at first.

    An interrupt (Ctrl-C) sets ``stop``, ends all threads and goes on as ``KeyboardInterrupt``. Events are waited for,
    not ``join``, since Python 3.11 takes a thread for ended once an interrupt has met it there.
    """
    next_item = np.zeros(1, np.int64)
    stop = np.zeros(1, np.int64)
    finished = [threading.Event() for _ in range(count)]
    failures: list[BaseException] = []

    def guarded(thread: int) -> None:
        try:
            work(thread, next_item, stop)
        except BaseException as failure:
            failures.append(failure)
        finally:
            finished[thread].set()

    threads = [threading.Thread(target=guarded, args=(i,), daemon=True, name="evocheckers") for i in range(count)]
    try:
        for thread in threads:
            thread.start()
        for event in finished:
            event.wait()
    except BaseException:
        stop[0] = 1
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        raise
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
