"""The command: where it listens, and what a kill leaves."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import httpx

from evocheckers import Board


@contextmanager
def serving(data, *options: str, **environment: str):
    command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--data", str(data), *options]
    surroundings = {**os.environ, **environment}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()  # it listens before it tells where, so that no request is refused
        url = re.findall(r"http://\S+", line)[0]
        with httpx.Client(base_url=url, timeout=120) as client:
            yield process, client
    finally:
        process.kill()
        process.communicate()


def ask(client: httpx.Client, method: str, path: str, body: bytes = b"") -> socket.socket:
    """A request whose answer nobody waits for."""
    host, port = client.base_url.host, client.base_url.port
    assert port is not None
    asking = socket.create_connection((host, port), timeout=60)
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
    asking.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    assert client.get("/api/options").status_code == 200  # asked later, answered: now the server is at work
    return asking


def test_a_kill_in_mid_move_loses_nothing(tmp_path):
    with serving(tmp_path, "--port", "0") as (process, client):
        game = client.post("/api/games", json={"white": {"player": "champion", "limit": "5s"}}).json()
        game = client.post(f"/api/games/{game['id']}/moves", json={"move": "11-15", "ply": 0}).json()
        with ask(client, "POST", f"/api/games/{game['id']}/engine", b'{"ply": 1}') as asking:
            process.send_signal(signal.SIGKILL)
            with suppress(ConnectionResetError):
                assert asking.recv(1) == b""
    with serving(tmp_path, "--port", "0") as (_, client):
        found = client.get(f"/api/games/{game['id']}").json()
        assert {**found, "compiling": False} == {**game, "compiling": False}
        quick = client.post("/api/games", json={"pdn": client.get(f"/api/games/{game['id']}/pdn").text}).json()
        replied = client.post(f"/api/games/{quick['id']}/engine", json={"ply": 1}).json()
        assert Board().push_all(move["text"] for move in replied["moves"]).fen() == replied["fen"]


def test_a_taken_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--data", str(tmp_path), "--port", port]
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert refused.stderr.count("\n") == 1
        assert f"cannot listen on 127.0.0.1 port {port}" in refused.stderr


def test_ctrl_c_ends_it_while_it_thinks_and_tells_a_run(tmp_path, small_run, server):
    with serving(tmp_path, "--port", "0", "--runs", str(server.runs)) as (process, client):
        game = client.post("/api/games", json={"black": {"player": "champion", "limit": "9s"}}).json()
        path = f"/api/games/{game['id']}"
        with ask(client, "POST", f"{path}/engine", b'{"ply": 0}'), ask(client, "GET", f"/api/runs/{small_run}/events"):
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) in (0, 130, -2)
            assert time.monotonic() - began < 6  # of the nine seconds that it would think
            printed = process.stderr.read()
            assert printed.count("\n") <= 2, printed  # that it compiles, that it was interrupted; no traceback
    with serving(tmp_path, "--port", "0") as (_, client):
        assert client.get(path).json()["ply"] == 0  # no move in haste


def test_another_port_where_the_usual_one_is_taken(tmp_path):
    with serving(tmp_path) as (_, first), serving(tmp_path / "other") as (_, second):
        assert first.base_url.port != second.base_url.port
        assert second.get("/").status_code == 200


def test_the_first_move_is_as_deep_with_an_empty_cache(tmp_path):
    with serving(tmp_path, "--port", "0", EVOCHECKERS_CACHE=str(tmp_path / "cache")) as (_, client):
        wanted = {"white": {"player": "champion", "limit": "800ms"}}
        game = client.post("/api/games", json=wanted).json()
        path = f"/api/games/{game['id']}"
        depths = []
        for is_first in (True, False):
            moved = client.post(f"{path}/moves", json={"move": "11-15", "ply": 0}).json()
            assert moved["compiling"] is is_first
            replied = client.post(f"{path}/engine", json={"ply": 1}).json()
            assert not replied["compiling"]
            depths.append(replied["searched"])
            client.post(f"{path}/takeback", json={"ply": 2})
        assert depths[0] >= max(4, depths[1] - 4)  # it was 2, however deep the later ones were
