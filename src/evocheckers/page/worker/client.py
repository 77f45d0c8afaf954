"""The office: a separate process for everything that takes long or reads files of unknown origin (``desk``).

Its work uses neither the page's interpreter nor its memory. If it dies, pending requests fail with a message to try
again, and the next request starts another.
"""

import asyncio
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from evocheckers.errors import EvocheckersError
from evocheckers.page.worker.queues import BusyError, Lane, Waiting, stand_back
from evocheckers.page.worker.server import ABSENT, BROKEN, BUSY, LENGTH_BYTES, Desk

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 15
"""Nice value of the whole process from its first moment on: it takes seconds to start."""


class AbsentError(EvocheckersError):
    """No such player or run."""


class OfficeError(Exception):
    """A bug that showed in the office."""


class Office:
    """The process, started when it is first needed."""

    def __init__(
        self, networks: Path, runs: Path, workers: int | None = None, threads: int = 1, repetition: bool = True
    ) -> None:
        """``threads`` and ``repetition`` apply to its searches by time (``thinking``)."""
        self._words = [str(networks), str(runs), str(workers or 0), str(threads), str(int(repetition))]
        self._waiting = Waiting()
        self._numbers = count()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    async def ask(self, lane: Lane, method: Callable[Concatenate[Desk, P], T], *values: P.args, **_: P.kwargs) -> T:
        """Call a method of the desk, if its lane has a place."""
        with self._waiting.place(lane):
            writer = await self._start()
            number = next(self._numbers)
            answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._asked[number] = answer
            try:
                data = pickle.dumps((number, lane.name, method.__name__, values))
                with suppress(OSError):  # if the process has just died, ``answer`` raises
                    writer.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
                    await writer.drain()
                return await answer
            finally:
                del self._asked[number]

    async def _start(self) -> asyncio.StreamWriter:
        """The stream for requests; starts the process if there is none."""
        async with self._starting:
            if self._is_closed:
                raise BusyError("the server is shutting down")
            if self._process is None:
                self._process = await self._begin()
                stand_back(NICENESS, self._process.pid)
                self._reading = asyncio.ensure_future(self._read(self._process))
                if self._is_closed:
                    self.end()
            return cast(asyncio.StreamWriter, self._process.stdin)

    async def _begin(self) -> asyncio.subprocess.Process:
        path = os.pathsep.join(place for place in sys.path if place)  # only our own modules
        try:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "evocheckers.page.worker.server", *self._words),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError as error:
            raise BusyError(f"the server cannot do this now: {error.strerror}; try again") from None

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Deliver answers until the process ends."""
        answers = cast(asyncio.StreamReader, process.stdout)
        try:
            while True:
                length = await answers.readexactly(LENGTH_BYTES)
                data = await answers.readexactly(int.from_bytes(length, "big"))
                number, kind, value = pickle.loads(data)  # noqa: S301 the process is our own
                answer = self._asked.get(number)
                if answer is not None and not answer.done():
                    if kind is None:
                        answer.set_result(value)
                    else:
                        answer.set_exception(_error(kind, value))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self._process = None
            for answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(BusyError("the server is shutting down, or the work failed; try again"))
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def end(self) -> None:
        """Kill the process at once and start no other."""
        self._is_closed = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """Wait until the process has ended."""
        self.end()
        async with self._starting:
            if self._reading is not None:
                await self._reading


def _error(kind: int, text: str) -> Exception:
    if kind == BROKEN:
        return OfficeError(text)
    return {ABSENT: AbsentError, BUSY: BusyError}.get(kind, EvocheckersError)(text)
