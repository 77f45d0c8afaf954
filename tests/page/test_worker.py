"""The worker: it may die without harm to the page, ends with it, and stays within its memory and priority."""

import asyncio
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from evocheckers import Board, EvocheckersError
from evocheckers.page.responses import BusyError, NotFoundError, PageError
from evocheckers.page.worker import server
from evocheckers.page.worker.client import NICENESS, WorkerClient
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.players.make import make_contestant

PDN = "1. 11-15 23-19 2. 8-11 *"
NAUGHTY = "open('owned', 'w')"


class Caller:
    """Calls a worker and waits for it."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.worker = WorkerClient(folder / "networks", folder / "runs", 1)

    def begin(self, *values) -> Future:
        return asyncio.run_coroutine_threadsafe(self.worker.call(*values), self._loop)

    def call(self, *values):
        return self.begin(*values).result(60)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.worker.close(), self._loop).result(60)

    def end(self) -> None:
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("worker")


@pytest.fixture(scope="module")
def caller(folder) -> Iterator[Caller]:
    made = Caller(folder)
    yield made
    made.end()


def test_no_module_of_the_working_folder_is_run(caller, folder, monkeypatch):
    (folder / "pydantic.py").write_text(NAUGHTY)
    monkeypatch.chdir(folder)
    assert caller.call(Queue.FILES, Tasks.run_lines) == b"[]"
    assert not (folder / "owned").exists()


def test_results_come_back(caller):
    reading = caller.begin(Queue.GAMES, Tasks.read_pdn, PDN)
    found = caller.call(Queue.LONG, Tasks.search, make_contestant("champion@2"), Board(), 7)
    assert found.move in Board().legal_moves()
    assert [str(move) for move in reading.result(60).moves] == ["11-15", "23-19", "8-11"]


def test_errors_keep_their_kind_and_their_line(caller):
    with pytest.raises(EvocheckersError, match="the PDN holds 0 games, not one"):
        caller.call(Queue.GAMES, Tasks.read_pdn, "")
    with pytest.raises(NotFoundError, match="no player 'run:gone'"):
        caller.call(Queue.FILES, Tasks.describe_run, "gone")


def test_a_dead_worker_is_reported_and_replaced(caller):
    caller.call(Queue.FILES, Tasks.run_lines)
    long = caller.begin(Queue.LONG, Tasks.search, make_contestant("champion@9s"), Board(), 1)
    caller.call(Queue.FILES, Tasks.run_lines)  # asked later, answered: now the long one is there
    caller.worker._process.kill()
    with pytest.raises(BusyError, match="try again"):
        long.result(60)
    assert caller.call(Queue.FILES, Tasks.run_lines) == b"[]"


def test_a_closed_client_starts_no_worker(tmp_path):
    caller = Caller(tmp_path)
    caller.close()
    with pytest.raises(BusyError, match="the server is shutting down"):
        caller.call(Queue.FILES, Tasks.run_lines)
    caller.end()


def test_the_worker_ends_with_its_input(tmp_path):
    """Also if that is killed: nobody tells it, but its input ends."""
    command = [sys.executable, "-m", "evocheckers.page.worker.server", *WorkerClient(tmp_path, tmp_path)._arguments]
    assert subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit")
def test_the_workers_memory_is_limited():
    program = "from evocheckers.page.worker import server; server._limit_memory(); bytearray(1 << 31)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "MemoryError" in ended.stderr


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MemoryError(), PageError.status),
        (EvocheckersError("x"), PageError.status),
        (ZeroDivisionError(), server.SERVER_ERROR),
    ],
)
def test_every_error_is_answered(error, status):
    done: Future = Future()
    done.set_exception(error)
    out = io.BytesIO()
    server._Results(out).send(5, done)
    assert pickle.loads(out.getvalue()[server.LENGTH_BYTES :])[:2] == (5, status)  # noqa: S301


@pytest.mark.skipif(sys.platform != "linux", reason="no niceness of threads")
def test_the_worker_has_low_priority_from_the_start(caller):
    caller.call(Queue.FILES, Tasks.run_lines)
    caller.call(Queue.LONG, Tasks.prepare)
    base = os.getpriority(os.PRIO_PROCESS, 0)
    tasks = Path(f"/proc/{caller.worker._process.pid}/task")
    found = {os.getpriority(os.PRIO_PROCESS, int(task.name)) - base for task in tasks.iterdir()}
    assert min(found) == NICENESS
    assert NICENESS + Queue.LONG.value.niceness in found
