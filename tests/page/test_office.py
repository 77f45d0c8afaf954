"""The process for what takes long or reads what may come from anywhere: it may die, and nobody else does."""

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
from evocheckers.page.worker import server as desk
from evocheckers.page.worker.client import NICENESS, AbsentError, Office
from evocheckers.page.worker.queues import BusyError, Lane
from evocheckers.page.worker.server import Desk
from evocheckers.players.make import make_contestant

PDN = "1. 11-15 23-19 2. 8-11 *"
NAUGHTY = "open('owned', 'w')"


class Asking:
    """An office, for tests that wait."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.office = Office(folder / "networks", folder / "runs", 1)

    def begin(self, *words) -> Future:
        return asyncio.run_coroutine_threadsafe(self.office.ask(*words), self._loop)

    def ask(self, *words):
        return self.begin(*words).result(60)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.office.close(), self._loop).result(60)

    def end(self) -> None:
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("office")


@pytest.fixture(scope="module")
def asking(folder) -> Iterator[Asking]:
    made = Asking(folder)
    yield made
    made.end()


def test_nothing_of_the_working_folder_is_run(asking, folder, monkeypatch):
    (folder / "pydantic.py").write_text(NAUGHTY)
    monkeypatch.chdir(folder)
    assert asking.ask(Lane.FILES, Desk.run_lines) == b"[]"
    assert not (folder / "owned").exists()


def test_what_is_asked_comes_back(asking):
    reading = asking.begin(Lane.GAMES, Desk.read_pdn, PDN)
    found = asking.ask(Lane.LONG, Desk.search, make_contestant("champion@2"), Board(), 7)
    assert found.move in Board().legal_moves()
    assert [str(move) for move in reading.result(60).moves] == ["11-15", "23-19", "8-11"]


def test_refusals_keep_their_kind_and_their_line(asking):
    with pytest.raises(EvocheckersError, match="the PDN holds 0 games, not one"):
        asking.ask(Lane.GAMES, Desk.read_pdn, "")
    with pytest.raises(AbsentError, match="no player 'run:gone'"):
        asking.ask(Lane.FILES, Desk.describe_run, "gone")


def test_who_waits_when_it_dies_is_told_and_the_next_one_is_served(asking):
    asking.ask(Lane.FILES, Desk.run_lines)
    long = asking.begin(Lane.LONG, Desk.search, make_contestant("champion@9s"), Board(), 1)
    asking.ask(Lane.FILES, Desk.run_lines)  # asked later, answered: now the long one is there
    asking.office._process.kill()
    with pytest.raises(BusyError, match="try again"):
        long.result(60)
    assert asking.ask(Lane.FILES, Desk.run_lines) == b"[]"


def test_a_closed_one_starts_no_more(tmp_path):
    asking = Asking(tmp_path)
    asking.close()
    with pytest.raises(BusyError, match="the server is shutting down"):
        asking.ask(Lane.FILES, Desk.run_lines)
    asking.end()


def test_it_ends_with_whoever_started_it(tmp_path):
    """Also if that is killed: nobody tells it, but its input ends."""
    command = [sys.executable, "-m", "evocheckers.page.worker.server", *Office(tmp_path, tmp_path, 1)._words]
    assert subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit")
def test_its_memory_has_a_limit():
    program = "from evocheckers.page.worker import server; server._limit_memory(); bytearray(1 << 31)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "MemoryError" in ended.stderr


@pytest.mark.parametrize(
    ("error", "kind"),
    [(MemoryError(), desk.REFUSED), (EvocheckersError("x"), desk.REFUSED), (ZeroDivisionError(), desk.BROKEN)],
)
def test_whatever_goes_wrong_is_answered(error, kind):
    done: Future = Future()
    done.set_exception(error)
    out = io.BytesIO()
    desk._Answers(out).give(5, done)
    assert pickle.loads(out.getvalue()[desk.LENGTH_BYTES :])[:2] == (5, kind)  # noqa: S301


@pytest.mark.skipif(sys.platform != "linux", reason="no niceness of threads")
def test_it_stands_back_from_its_first_moment_on(asking):
    asking.ask(Lane.FILES, Desk.run_lines)
    asking.ask(Lane.LONG, Desk.prepare)
    base = os.getpriority(os.PRIO_PROCESS, 0)
    tasks = Path(f"/proc/{asking.office._process.pid}/task")
    found = {os.getpriority(os.PRIO_PROCESS, int(task.name)) - base for task in tasks.iterdir()}
    assert min(found) == NICENESS
    assert NICENESS + Lane.LONG.value.niceness in found
