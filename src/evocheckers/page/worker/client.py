"""The page's side of the worker: starts the process, sends it calls and returns its results.

The worker's work uses neither the page's interpreter nor its memory. If the process dies, pending calls fail with a
message to try again, and the next call starts another.

A pipe and a few lines of protocol do this, and not a ``ProcessPoolExecutor``, whose process performs one call at a
time, so that each queue would need processes of its own with their own memory. Its processes also outlive a killed
server, and before Python 3.14 there is no public way to kill one or to lower its priority as it starts.
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
from evocheckers.page.responses import BusyError, NotFoundError
from evocheckers.page.worker.queues import Queue, QueueCounts, lower_priority
from evocheckers.page.worker.server import LENGTH_BYTES, SERVER_ERROR, Tasks

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 15
"""Nice value of the whole process from its first moment on: it takes seconds to start."""


class WorkerError(Exception):
    """A bug that showed in the worker."""


class WorkerClient:
    """The worker process, started when it is first needed."""

    def __init__(
        self, networks: Path, runs: Path, workers: int | None = None, threads: int = 1, repetition: bool = True
    ) -> None:
        """``workers`` is the number of threads of a queue that has no fixed number, None for one per core.

        ``threads`` and ``repetition`` apply to searches by time.
        """
        self._arguments = [str(networks), str(runs), str(workers or 0), str(threads), str(int(repetition))]
        self._queued = QueueCounts()
        self._numbers = count()
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    async def call(self, queue: Queue, task: Callable[Concatenate[Tasks, P], T], *values: P.args, **_: P.kwargs) -> T:
        """Perform one of the ``Tasks`` in the worker, unless its queue is full."""
        with self._queued.enter(queue):
            writer = await self._writer()
            number = next(self._numbers)
            result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._pending[number] = result
            try:
                data = pickle.dumps((number, queue.name, task.__name__, values))
                with suppress(OSError):  # if the process has just died, ``result`` raises
                    writer.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
                    await writer.drain()
                return await result
            finally:
                del self._pending[number]

    async def _writer(self) -> asyncio.StreamWriter:
        """The stream for calls; starts the process if there is none."""
        async with self._starting:
            if self._is_closed:
                raise BusyError("the server is shutting down")
            if self._process is None:
                self._process = await self._start()
                lower_priority(NICENESS, self._process.pid)
                self._reading = asyncio.ensure_future(self._read(self._process))
                if self._is_closed:
                    self.end()
            return cast(asyncio.StreamWriter, self._process.stdin)

    async def _start(self) -> asyncio.subprocess.Process:
        path = os.pathsep.join(folder for folder in sys.path if folder)  # without the working folder
        try:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "evocheckers.page.worker.server", *self._arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError as error:
            raise BusyError(f"the server cannot do this now: {error.strerror}; try again") from None

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Deliver results until the process ends."""
        results = cast(asyncio.StreamReader, process.stdout)
        try:
            while True:
                length = await results.readexactly(LENGTH_BYTES)
                data = await results.readexactly(int.from_bytes(length, "big"))
                number, status, value = pickle.loads(data)  # noqa: S301 the process is our own
                result = self._pending.get(number)
                if result is not None and not result.done():
                    if status is None:
                        result.set_result(value)
                    else:
                        result.set_exception(_error(status, value))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self._process = None
            for result in self._pending.values():
                if not result.done():
                    result.set_exception(BusyError("the server is shutting down, or the work failed; try again"))
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


def _error(status: int, text: str) -> Exception:
    if status == SERVER_ERROR:
        return WorkerError(text)
    return next((kind(text) for kind in (NotFoundError, BusyError) if kind.status == status), EvocheckersError(text))
