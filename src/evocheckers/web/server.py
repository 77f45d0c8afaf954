"""The web server around the application: bounded, and gone within a moment of Ctrl-C."""

import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

CONNECTIONS = 2000
"""More at once are refused."""


class PageServer(uvicorn.Server):
    """Ends searches and streams at the first signal; the library alone would wait for them."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=3,
                limit_concurrency=CONNECTIONS,
            )
        )
        self._end: Callable[[], None] = app.state.end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._end()
        super().handle_exit(sig, frame)


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve on a listening socket until a signal comes."""
    PageServer(app).run(sockets=[listening])
