"""Long compiled work ends at once when interrupted, and what was interrupted works on."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from evocheckers import Board, Limit, Searcher, perft, piece_differential
from evocheckers.native.threads import NAME, run_interruptibly, thread_count

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")

SOON = 0.5
"""Seconds: several times what is promised, since other tests may be running."""


def is_working() -> bool:
    return any(thread.name == NAME for thread in threading.enumerate())


def wait_until_idle() -> None:
    deadline = time.monotonic() + SOON
    while is_working():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@contextmanager
def interrupt_when(condition: Callable[[], bool]) -> Iterator[list[float]]:
    """Interrupt this process once the condition holds; yields a list that gets the time of that."""
    sent: list[float] = []
    over = threading.Event()

    def watch() -> None:
        while not condition():
            if over.wait(0.001):
                return
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield sent
    finally:
        over.set()
        watcher.join()


def test_perft_is_interrupted():
    perft(Board(), 7)
    with interrupt_when(is_working) as sent, pytest.raises(KeyboardInterrupt):
        perft(Board(), 20)
    assert time.perf_counter() - sent[0] < SOON
    wait_until_idle()
    assert perft(Board(), 7) == 179740


@pytest.mark.parametrize("limit", [Limit(plies=30), Limit(seconds=3600), Limit(nodes=2**40)], ids=str)
@pytest.mark.parametrize("deepening", [True, False])
def test_a_search_is_interrupted(limit, deepening):
    """Also in the midst of its first depth, where ``stop`` is not heeded."""
    searcher = Searcher(piece_differential())
    expected = searcher.search(Board(), Limit(plies=7))
    searcher.forget()
    with interrupt_when(is_working) as sent, pytest.raises(KeyboardInterrupt):
        searcher.search(Board(), limit, deepening=deepening)
    assert time.perf_counter() - sent[0] < SOON
    wait_until_idle()
    searcher.forget()
    again = searcher.search(Board(), Limit(plies=7))
    assert (again.move, again.score, again.line) == (expected.move, expected.score, expected.line)


def test_other_threads_work_themselves():
    found: list[str] = []
    thread = threading.Thread(
        target=lambda: found.append(run_interruptibly(lambda: threading.current_thread().name, lambda: None)),
        name="mine",
    )
    thread.start()
    thread.join()
    assert found == ["mine"]


def test_a_failure_is_raised_where_the_work_was_asked_for():
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0, lambda: None)


def test_as_many_threads_as_this_process_may_use_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 3, 5}, raising=False)
    assert thread_count(None) == 3
    assert thread_count(7) == 7
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count(None) == 1
