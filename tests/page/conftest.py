"""A server for the tests of a module, runs for it to show, and a browser where there is one."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.recorder import carry_on, open_run
from tests.page.browsing import Page
from tests.page.serving import CHROMIUM, Server


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


@pytest.fixture
def page(browser, server) -> Iterator[Page]:
    """A page at 1200 by 900 that must not complain."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(60_000)
    made = Page(context.new_page(), server.url)
    yield made
    assert made.faults == []
    context.close()
