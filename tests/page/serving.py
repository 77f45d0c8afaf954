"""A real server on a free port, in a thread; and where the browser is."""

import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from evocheckers.page.app import ServerSettings, create_app
from evocheckers.page.server import PageServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Server:
    """A server in a thread."""

    def __init__(self, data: Path, runs: Path, repetition: bool = True) -> None:
        self.data, self.runs = data, runs
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._server = PageServer(create_app(ServerSettings(data, runs, workers=2, repetition=repetition)))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        with self.client() as client:
            client.get("/api/options")  # answered once it has started; until then the request waits

    @contextmanager
    def games(self) -> Iterator[sqlite3.Connection]:
        """The games as they lie in the file, to be read alone."""
        with closing(sqlite3.connect(f"file:{self.data / 'games.sqlite'}?mode=ro", uri=True)) as connection:
            yield connection

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
