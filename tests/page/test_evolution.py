"""Evolutions that the page starts, positions through the generations, puzzles: over HTTP."""

import time

import pytest

from evocheckers import Board
from evocheckers.page.runs import process, routes
from evocheckers.page.runs.process import EvolutionOffError, EvolutionProcess, PagePreset, most_generations
from evocheckers.runs.file import Run

TINY = {"tiny": PagePreset("small", 2, 10_000, {"plies": "1", "pairs": "1", "moves_per_side": "5"})}


@pytest.fixture
def tiny(monkeypatch):
    """A preset that takes no time; it is the evolution strategy under another name."""
    monkeypatch.setattr(process, "PAGE_PRESETS", {"es": TINY["tiny"]})
    monkeypatch.setattr(routes, "PAGE_PRESETS", {"es": TINY["tiny"]})


def settled(client) -> dict:
    end = time.monotonic() + 120
    while (state := client.get("/api/evolution").json())["running"] and time.monotonic() < end:
        time.sleep(0.1)
    return state


def test_start_follow_stop_and_go_on(client, server, tiny):
    wanted = {"preset": "es", "seed": 3, "generations": 10_000}
    started = client.post("/api/evolution", json=wanted)
    assert started.status_code == 201, started.text
    name = started.json()["running"]
    assert name == "page-es-1"
    again = client.post("/api/evolution", json=wanted)
    assert (again.status_code, "one run at a time" in again.json()["detail"]) == (409, True)
    end = time.monotonic() + 120
    while time.monotonic() < end:
        run = client.get(f"/api/runs/{name}")
        if run.status_code == 200 and run.json()["generation"] > 0:
            break
        time.sleep(0.2)
    stopped = client.post("/api/evolution/stop", json={}).json()
    assert (stopped["running"], stopped["message"]) == (None, "")
    with Run.open(server.runs / f"{name}.sqlite") as file:
        reached, seed = file.generation, file.seed
    assert 0 < reached < 10_000
    assert seed == 3
    resumed = client.post("/api/evolution/resume", json={"run": name, "generations": reached + 1})
    assert resumed.json()["running"] == name
    assert settled(client)["message"] == ""
    with Run.open(server.runs / f"{name}.sqlite") as file:
        assert file.generation == reached + 1


def test_what_is_not_evolved(client, small_run):
    for body in ({"preset": "anaconda", "generations": 100_000}, {"preset": "nothing"}, {"preset": "es", "seed": -1}):
        assert client.post("/api/evolution", json=body).status_code == 422
    assert client.post("/api/evolution/resume", json={"run": "nothing"}).status_code == 404
    finished = client.post("/api/evolution/resume", json={"run": small_run})
    assert (finished.status_code, "it can go on to" in finished.json()["detail"]) == (422, True)
    other = client.post("/api/evolution", json={}, headers={"Origin": "http://elsewhere"})
    assert other.status_code == 403


def test_a_server_open_to_others_evolves_nothing(tmp_path):
    evolution = EvolutionProcess(tmp_path, allowed=False)
    with pytest.raises(EvolutionOffError):
        evolution.start("es", 1, 1)
    with pytest.raises(EvolutionOffError):
        evolution.resume("x", tmp_path / "x.sqlite", 2)
    assert evolution.running is None
    assert list(tmp_path.iterdir()) == []


def test_how_far_a_run_may_go():
    assert most_generations("self-play", 10, 60) == 70
    assert most_generations("anaconda", 0, 840) == 840
    assert most_generations("of another package", 5, 7) == 7


def test_a_position_through_the_generations(client, small_run):
    found = client.post(f"/api/runs/{small_run}/position", json={"fen": Board().fen()}).json()
    assert [view["generation"] for view in found["views"]] == [0, 1]
    for view in found["views"]:
        assert view["move"] in [str(move) for move in Board().legal_moves()]
        assert len(view["activations"]["nodes"]) == 91
    assert found["turn"] == "black"
    path = f"/api/runs/{small_run}/position"
    assert client.post(path, json={"fen": "no position"}).status_code == 422
    assert client.post(path, json={"fen": "B:W5:B"}).status_code == 422  # nobody can move
    assert client.post("/api/runs/nothing/position", json={"fen": Board().fen()}).status_code == 404


def test_puzzles_by_number(client):
    puzzles = client.get("/api/puzzles").json()
    assert [puzzle["number"] for puzzle in puzzles] == list(range(1, len(puzzles) + 1))
    assert len({puzzle["key"] for puzzle in puzzles}) == len(puzzles)
    assert all(
        sum(puzzle["difficulty"] == difficulty for puzzle in puzzles) > 10 for difficulty in ("easy", "medium", "hard")
    )
    first = client.get("/api/puzzles/1").json()
    board = Board(first["line"][0]["fen"])
    for step in first["line"]:
        assert board.fen() == step["fen"]
        assert step["move"]["text"] in [move["text"] for move in step["legal"]]
        board.push(step["move"]["text"])
        assert board.fen() == step["after"]
        if step["reply"]:
            board.push(step["reply"]["text"])
            assert board.fen() == step["reply_after"]
    assert first["line"][-1]["reply"] is None
    assert client.get(f"/api/puzzles/{len(puzzles) + 1}").status_code == 404
    assert client.get("/api/puzzles/0").status_code == 422
