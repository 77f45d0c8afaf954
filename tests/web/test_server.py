"""The command: where it listens, and what a kill leaves."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx

from evocheckers import Board


@contextmanager
def serving(data, *options: str):
    command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--data", str(data), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = re.findall(r"http://\S+", line)[0]
        with httpx.Client(base_url=url, timeout=60) as client:
            for _ in range(100):
                try:
                    client.get("/api/options")
                    break
                except httpx.ConnectError:
                    time.sleep(0.1)
            yield process, client
    finally:
        process.kill()
        process.communicate()


def test_a_kill_in_mid_move_loses_nothing(tmp_path):
    with serving(tmp_path, "--port", "0") as (process, client):
        game = client.post("/api/games", json={"white": {"player": "champion", "limit": "5s"}}).json()
        game = client.post(f"/api/games/{game['id']}/moves", json={"move": "11-15", "ply": 0}).json()
        faults: list[BaseException] = []

        def think() -> None:
            try:
                httpx.post(client.base_url.join(f"/api/games/{game['id']}/engine"), json={"ply": 1}, timeout=60)
            except httpx.HTTPError as error:
                faults.append(error)

        thinking = threading.Thread(target=think)
        thinking.start()
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        thinking.join()
        assert faults
    with serving(tmp_path, "--port", "0") as (_, client):
        found = client.get(f"/api/games/{game['id']}").json()
        assert found == game
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


def test_ctrl_c_ends_it(tmp_path):
    with serving(tmp_path, "--port", "0") as (process, client):
        assert client.get("/").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130, -2)


def test_another_port_where_the_usual_one_is_taken(tmp_path):
    with serving(tmp_path) as (_, first), serving(tmp_path / "other") as (_, second):
        assert first.base_url.port != second.base_url.port
        assert second.get("/").status_code == 200
