"""The web server around the application: bounded, and stopped within a moment of Ctrl-C."""

import asyncio
import gc
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

CONNECTIONS = 2000
"""Maximum number of simultaneous connections; more are refused."""
SPARE_FILES = 200
"""Open files of the process reserved for things other than connections."""
REQUEST_SECONDS = 10.0
"""A request's head must be complete within this time, or its connection is closed."""
SWITCH_SECONDS = 0.0005
"""How long a thread that reads a file may keep the others from running Python; 5 ms without this."""
GARBAGE = 2000, 10, 200
"""Thresholds of the garbage collector: new objects, and collections of younger generations, before a collection."""
READING_SECONDS = 30.0
"""A client that reads nothing of a response for this long is disconnected."""


class TimedProtocol(H11Protocol):
    """HTTP for clients that take their time, but not for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._asking = _Timer(self.loop, REQUEST_SECONDS, self._end_asking)
        self._reading = _Timer(self.loop, READING_SECONDS, transport.abort)
        self._asking.start()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._asking.stop()
        else:  # the beginning of a request
            self._asking.start()

    def _end_asking(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._asking.stop()
        self._reading.stop()
        super().connection_lost(exc)


class _Timer:
    """Does something after a while, unless stopped first."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, action: Callable[[], None]) -> None:
        self._loop, self._seconds, self._action = loop, seconds, action
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start the timer, unless it is running already."""
        if self._handle is None:
            self._handle = self._loop.call_later(self._seconds, self._act)

    def stop(self) -> None:
        """Stop the timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _act(self) -> None:
        self._handle = None
        self._action()


class PageServer(uvicorn.Server):
    """Ends searches and streams at the first signal; uvicorn alone would wait for them."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=TimedProtocol,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=3,
                limit_concurrency=_room(),
            )
        )
        self._end: Callable[[], None] = app.state.end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._end()
        super().handle_exit(sig, frame)


def _room() -> int:
    """How many connections the process has file descriptors for; raises the limit if the system allows it."""
    if sys.platform == "win32":
        return CONNECTIONS
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_FILES
    if now != resource.RLIM_INFINITY and now < wanted:
        now = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
    return CONNECTIONS if now == resource.RLIM_INFINITY else max(1, min(CONNECTIONS, now - SPARE_FILES))


def _settle(await_code: Callable[[], None]) -> None:
    """Collect garbage rarely, and never among the libraries' objects, since all threads pause meanwhile."""
    await_code()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve on a listening socket until a signal arrives."""
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.Thread(target=_settle, args=[app.state.await_code], name="settling", daemon=True).start()
    PageServer(app).run(sockets=[listening])
