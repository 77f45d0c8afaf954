"""A real server on a free port, and a browser where there is one."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.recording import carry_on, open_run
from evocheckers.web.app import ServerSettings, create_app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Server:
    """A server in a thread."""

    def __init__(self, data: Path, runs: Path) -> None:
        self.data, self.runs = data, runs
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(create_app(ServerSettings(data, runs, workers=2)), log_level="warning")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[[Path, Path], Server]]:
    """Starts servers, and ends them after the tests of the module."""
    servers: list[Server] = []

    def start(data: Path, runs: Path) -> Server:
        servers.append(Server(data, runs))
        return servers[-1]

    yield start
    for made in servers:
        made.stop()


@pytest.fixture(scope="module")
def server(serve, tmp_path_factory) -> Server:
    folder = tmp_path_factory.mktemp("web")
    (folder / "runs").mkdir()
    return serve(folder / "data", folder / "runs")


@pytest.fixture(scope="module")
def small_run(server) -> str:
    """The name of a run of one generation in the server's folder."""
    with open_run("es", server.runs / "small.sqlite", 1, 1, {"plies": 1, "pairs": 1, "moves_per_side": 5}) as run:
        for _ in carry_on(run, ThreadExecutor(1), 0):
            pass
    return "small"


@pytest.fixture
def client(server) -> Iterator[httpx.Client]:
    with server.client() as made:
        yield made


@pytest.fixture
def new_game(client) -> Callable[..., dict]:
    def make(**wanted) -> dict:
        answer = client.post("/api/games", json=wanted)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return make


@pytest.fixture
def play(client) -> Callable[[dict, str], httpx.Response]:
    """A person's move."""
    return lambda game, move: client.post(f"/api/games/{game['id']}/moves", json={"move": move, "ply": game["ply"]})


@pytest.fixture
def engine(client) -> Callable[[dict], httpx.Response]:
    """The engine's move."""
    return lambda game: client.post(f"/api/games/{game['id']}/engine", json={"ply": game["ply"]})


@pytest.fixture(scope="module")
def browser():
    """Chromium; skipped with the reason where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as started:
        options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            chromium = started.chromium.launch(executable_path=CHROMIUM, args=options)
        except playwright.Error as error:
            pytest.skip(f"Chromium does not start on this machine: {error}")
        yield chromium
        chromium.close()
