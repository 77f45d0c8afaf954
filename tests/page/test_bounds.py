"""Whatever is asked of the server, or lies in its folders, has a bound and keeps nobody else waiting."""

import asyncio
import shutil
import socket
import threading
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from starlette.requests import ClientDisconnect

from evocheckers import Board, EvocheckersError, read_pdn
from evocheckers.analysis.generations import cross_matrix
from evocheckers.cli.play import EVERYWHERE
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.page import server as page_server
from evocheckers.page.middleware.limits import MAX_BODY
from evocheckers.page.responses import BusyError
from evocheckers.page.runs import matrix, recorded
from evocheckers.page.runs.events import MAX_STREAMS, Streams
from evocheckers.page.runs.recorded import Runs
from evocheckers.players.grammar import parse_limit, parse_player
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from tests.page.test_server import serving
from tools.attack.page_hostile import CRAFTED, DEEP, PDN, make_crafted_run, make_deep_run


def make_run(path: Path, seed: int) -> None:
    with open_run("es", path, 1, seed, {"plies": 1, "pairs": 1, "moves_per_side": 5}) as run:
        for _ in carry_on(run, ThreadExecutor(1), 0):
            pass


def quick_move(client: httpx.Client) -> float:
    """How long a quick engine's move takes, in seconds."""
    game = client.post("/api/games", json={"black": {"player": "champion", "limit": "4"}}).json()
    began = time.monotonic()
    assert client.post(f"/api/games/{game['id']}/engine", json={"ply": 0}).status_code == 200
    return time.monotonic() - began


class Asking:
    """Requests on threads of their own, whose answers are waited for at the end."""

    def __init__(self, server) -> None:
        self._server = server
        self._threads: list[threading.Thread] = []
        self.answers: list[httpx.Response] = []

    def ask(self, method: str, path: str, body: dict | None = None) -> None:
        def run() -> None:
            with self._server.client() as client:
                self.answers.append(client.request(method, path, json=body))

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def __enter__(self) -> "Asking":
        return self

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join()


def test_a_deep_runs_matrix_is_bounded_and_stops_no_engine(server, client):
    make_deep_run(server.runs)
    quick_move(client)
    with Asking(server) as asking:
        asking.ask("GET", f"/api/runs/{DEEP}/matrix")
        assert max(quick_move(client) for _ in range(5)) < 3
    (answer,) = asking.answers
    assert answer.json()["plies"] == matrix.MATRIX_PLIES


def test_a_matrix_that_takes_too_long_is_refused_by_name(tmp_path, monkeypatch):
    make_run(tmp_path / "slow.sqlite", 1)
    monkeypatch.setattr(matrix, "MATRIX_SECONDS", -1)
    with pytest.raises(matrix.SlowRunError, match="run slow: "):
        Runs().matrix(tmp_path / "slow.sqlite", lambda: None)


def test_game_by_game_is_the_same_as_all_at_once(tmp_path):
    make_run(tmp_path / "run.sqlite", 1)
    with Run.open(tmp_path / "run.sqlite") as run:
        here = cross_matrix(run, matrix.GameByGame(lambda: None))
        there = cross_matrix(run, ThreadExecutor(2))
    assert here[0] == there[0]
    assert np.array_equal(here[1], there[1], equal_nan=True)


def test_a_run_that_takes_too_long_to_read_is_refused_by_name(tmp_path, monkeypatch):
    make_run(tmp_path / "long.sqlite", 1)
    monkeypatch.setattr(recorded, "READ_SECONDS", -1)
    with pytest.raises(matrix.SlowRunError, match="run long: "):
        Runs().describe(tmp_path / "long.sqlite")


def test_a_crafted_run_is_refused_and_keeps_nobody_waiting(server, client):
    make_crafted_run(server.runs)
    quick_move(client)
    try:
        with Asking(server) as asking:
            for path in (f"/api/runs/{CRAFTED}", "/api/runs", f"/api/runs/{CRAFTED}/matrix"):
                asking.ask("GET", path)
            wanted = {"white": {"player": f"run:{CRAFTED}"}}
            asking.ask("POST", "/api/games", wanted)
            assert max(quick_move(client) for _ in range(5)) < 3
        assert sorted(answer.status_code for answer in asking.answers) == [200, 422, 422, 422]
    finally:
        (server.runs / f"{CRAFTED}.sqlite").unlink()


def test_a_run_that_takes_anothers_place_is_shown_and_played(server, client, tmp_path):
    make_run(server.runs / "same.sqlite", 1)
    path = "/api/runs/same"
    game = {"white": {"player": "run:same", "limit": "1"}, "black": {"player": "human"}}

    def read() -> tuple:
        weights = client.post("/api/analysis", json={"fen": Board().fen(), "player": "run:same", "limit": "1"}).json()
        assert client.post("/api/games", json=game).status_code == 201
        curve = client.get(path).json()["curve"]
        return weights["activations"]["value"], curve[0]["digest"], str(client.get(f"{path}/matrix").json())

    first = read()
    assert read() == first
    make_run(tmp_path / "other.sqlite", 2)
    shutil.move(tmp_path / "other.sqlite", server.runs / "same.sqlite")
    second = read()
    assert second[0] != first[0]
    assert second[1] != first[1]


def test_long_searches_keep_no_quick_move_waiting(server, client):
    quick_move(client)
    long = {"black": {"player": "champion", "limit": "2s"}}
    games = [client.post("/api/games", json=long).json() for _ in range(4)]
    with Asking(server) as asking:
        for game in games:
            asking.ask("POST", f"/api/games/{game['id']}/engine", {"ply": 0})
        assert max(quick_move(client) for _ in range(5)) < 1.5


def test_long_pdn_is_bounded(client):
    refused = client.post("/api/games", json={"pdn": "1-6 32-28 6-1 28-32 " * 2900})
    assert (refused.status_code, refused.json()["detail"]) == (422, "the PDN holds more than 2000 moves")
    game = client.post("/api/games", json={"pdn": PDN, "white": {"player": "human"}})
    assert (game.status_code, game.json()["ply"]) == (201, 396)


def test_streams_count_when_they_are_opened():
    async def send(_) -> None:
        raise OSError("gone")

    async def receive() -> dict:
        await asyncio.sleep(10)
        return {"type": "http.disconnect"}

    async def run() -> None:
        streams = Streams(lambda _: asyncio.sleep(0, (0, 0)))
        opened = [streams.follow("x") for _ in range(MAX_STREAMS)]
        with pytest.raises(BusyError):
            streams.follow("x")
        with pytest.raises(ClientDisconnect):
            await opened[0]({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)
        streams.follow("x")  # who has gone makes room

    asyncio.run(run())


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"GET /api/games/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n",
        b"GET /static/common/app-icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT",
    ],
)
def test_half_a_request_ends(server, monkeypatch, sent):
    monkeypatch.setattr(page_server, "REQUEST_SECONDS", 0.4)
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(sent)
        began = time.monotonic()
        try:
            while connection.recv(10_000):
                connection.sendall(b"x")
            while time.monotonic() < began + 8:  # a byte now and then buys no time
                connection.sendall(b"x")
                time.sleep(0.1)
        except OSError:
            pass
        assert time.monotonic() - began < 5


def test_who_reads_no_answer_does_not_get_the_rest(server, monkeypatch):
    monkeypatch.setattr(page_server, "READING_SECONDS", 0.5)
    host, port = server.url.removeprefix("http://").split(":")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(2)
        connection.connect((host, int(port)))
        asked, ended = f"GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), False
        until = time.monotonic() + page_server.REQUEST_SECONDS / 2
        while not ended and time.monotonic() < until:
            try:
                connection.sendall(asked * 100)
                time.sleep(0.05)
            except TimeoutError:  # nothing is taken any more, since nothing is read
                continue
            except OSError:
                ended = True
        assert ended


def test_whole_requests_are_answered_however_often(server, monkeypatch):
    monkeypatch.setattr(page_server, "REQUEST_SECONDS", 0.3)
    with server.client() as client:
        for _ in range(4):
            assert client.get("/api/options").status_code == 200
            time.sleep(0.15)


@pytest.mark.parametrize("digit", ["٣", "３", "²"])
def test_digits_are_ascii(digit):
    for text in (digit, f"{digit}s", f"{digit}kn", f"1.{digit}s"):
        with pytest.raises(EvocheckersError):
            parse_limit(text)
    with pytest.raises(EvocheckersError):
        parse_player(f"champion@{digit}")
    with pytest.raises(EvocheckersError):
        Board(f"B:W{digit}:B1")
    with pytest.raises(EvocheckersError):
        read_pdn(f"1. 11-15 22-1{digit} *")


def test_numbers_have_a_length():
    for text in ("9" * 5000, "9" * 5000 + "s", "9" * 5000 + "n"):
        with pytest.raises(EvocheckersError):
            parse_limit(text)


def test_a_length_that_is_no_number(server):
    host, port = server.url.removeprefix("http://").split(":")
    for length in ("²", "-1", "1_0", "9" * 100, str(MAX_BODY + 1)):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            kind = "Content-Type: application/json"
            head = f"POST /api/games HTTP/1.1\r\nHost: {host}\r\n{kind}\r\nContent-Length: {length}\r\n\r\n"
            connection.sendall(head.encode("latin-1"))
            assert connection.recv(100).split()[1] in (b"400", b"413")


def test_a_server_for_all_the_network_keeps_its_checks(tmp_path):
    with serving(tmp_path, "--host", EVERYWHERE[0], "--port", "0", "--name", "draughts.example") as (_, client):
        for host, status in (
            ("rebound.example", 400),
            ("192.0.2.7", 200),
            ("[2001:db8::1]", 200),
            ("", 400),
            ("draughts.example", 200),
            ("localhost", 200),
            (socket.gethostname(), 200),
            ("192.0.2.7.evil.example", 400),
        ):
            assert client.get("/api/options", headers={"host": host}).status_code == status, host
        headers = {"host": "192.0.2.7", "origin": "http://192.0.2.8"}
        assert client.post("/api/games", json={}, headers=headers).status_code == 403
        assert client.post("/api/games", json={}, headers={**headers, "origin": "http://192.0.2.7"}).status_code == 201
