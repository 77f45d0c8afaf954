"""Names of files that are not UTF-8, or that control something: shown, read and played on the page all the same."""

import os
import shutil
from urllib.parse import quote

import numpy as np
import pytest

from evocheckers import Network

NAMES = {b"caf\xe9": r"caf\udce9", b"a\nb": "a b", b"\xff\xfe": r"\udcff\udcfe", "größe".encode(): "größe"}


@pytest.mark.parametrize(("name", "shown"), NAMES.items())
def test_a_run_of_any_name(server, client, small_run, name, shown, new_game, engine):
    folder = os.fsencode(server.runs)
    shutil.copy(os.path.join(folder, b"small.sqlite"), os.path.join(folder, name + b".sqlite"))
    lines = {line["name"]: line for line in client.get("/api/runs").json()}
    assert lines[shown]["preset"] == "es"
    path = f"/api/runs/{quote(shown)}"
    assert client.get(path).json()["name"] == shown
    assert len(client.get(f"{path}/games/1").json()) == 2
    assert client.get(f"{path}/games/1/0/pdn").text.startswith("[Event")
    with client.stream("GET", f"{path}/events") as events:
        sent = (line for line in events.iter_lines() if line.startswith("data"))
        assert next(sent) == 'data: {"generation": 1, "measurements": 0}'
    game = new_game(black={"player": f"run:{shown}#1", "limit": "2"}, white={"player": "human"})
    assert engine(game).json()["black"]["title"] == f"{shown}, generation 1"
    assert f"run:{shown}" in [player["id"] for player in client.get("/api/options").json()["players"]]


def test_a_file_that_is_no_run_is_listed_by_name(server, client):
    with open(os.path.join(os.fsencode(server.runs), b"no\xe9.sqlite"), "wb") as file:
        file.write(b"nothing")
    lines = {line["name"]: line for line in client.get("/api/runs").json()}
    assert "not a run" in lines[r"no\udce9"]["fault"]
    refused = client.get(f"/api/runs/{quote(chr(92) + 'udce9')}")
    assert (refused.status_code, refused.json()["detail"]) == (404, r"no player 'run:\\udce9'")


def test_a_network_of_any_name(server, new_game, engine):
    (server.data / "networks").mkdir(exist_ok=True)
    path = server.data / "networks" / "net.safetensors"
    Network.random(np.random.default_rng(1)).save(path)
    os.rename(path, os.path.join(os.fsencode(path.parent), b"\xe9.safetensors"))
    game = new_game(black={"player": r"net:\udce9", "limit": "2"}, white={"player": "human"})
    assert engine(game).json()["ply"] == 1
