"""Changes of one game from many sides at once: each that was acknowledged is kept, in one order."""

import asyncio
import subprocess
import sys
from dataclasses import replace

import httpx
import pytest

from evocheckers import Board
from evocheckers.page.store import Seat, StaleGameError, Store, StoredGame, StoreError
from tests.page.test_server import serving
from tools.attack.page_races import run_races

RACES = 20


def test_a_resignation_while_an_engine_thinks_is_kept(server):
    """It was lost where others had waited for the engine's move before: 20 of 20."""
    found = asyncio.run(run_races(server.url, RACES, seed=1))
    assert found.acknowledged >= RACES // 2  # of the others, the game was over before
    assert found.lost == []


def test_an_engines_move_asked_for_twice_is_one_move(server):
    async def run() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            wanted = {"black": {"player": "champion", "limit": "200ms"}, "white": {"player": "human"}}
            game = (await client.post("/api/games", json=wanted)).json()
            asking = [client.post(f"/api/games/{game['id']}/engine", json={"ply": 0}) for _ in range(5)]
            return await asyncio.gather(*asking)

    answers = asyncio.run(run())
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["moves"][0]["text"] for answer in answers}) == 1


def test_a_move_taken_back_meanwhile_is_not_answered(server):
    async def run() -> tuple[httpx.Response, httpx.Response, dict]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            game = (await client.post("/api/games", json={"white": {"player": "champion", "limit": "500ms"}})).json()
            path = f"/api/games/{game['id']}"
            await client.post(f"{path}/moves", json={"move": "11-15", "ply": 0})
            moving = asyncio.ensure_future(client.post(f"{path}/engine", json={"ply": 1}))
            await asyncio.sleep(0.1)
            back = await client.post(f"{path}/takeback", json={"ply": 1})
            return back, await moving, (await client.get(path)).json()

    back, moved, game = asyncio.run(run())
    assert (back.status_code, moved.status_code, game["ply"]) == (200, 409, 0)


def test_a_change_overwrites_only_its_own_version(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    game = StoredGame(Board().fen(), Seat("human", "4"), Seat("human", "4"))
    store.insert(game)
    first = store.update(game.played("11-15"))
    with pytest.raises(StaleGameError):
        store.update(replace(game, ended=("white", "resignation")))
    assert store.load(game.id) == first
    assert first.moves == ("11-15",)
    store.close()


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    game = StoredGame(Board().fen(), Seat("human", "4"), Seat("human", "4"))
    store.insert(game)
    store._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="cannot keep the game: database or disk is full"):
        store.update(replace(game, names=("x" * 100_000, "")))
    assert store.load(game.id) == game
    assert store.update(game.played("11-15")).version == 1
    store.close()


def test_a_second_server_on_the_same_games_is_refused(tmp_path):
    with serving(tmp_path, "--port", "0"):
        command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--data", str(tmp_path), "--port", "0"]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 2
        assert refused.stderr.count("\n") == 1
        assert "another server has them open" in refused.stderr
    with serving(tmp_path, "--port", "0") as (_, client):  # however the first one ended
        assert client.get("/api/options").status_code == 200


def test_results_stand_in_the_order_in_which_they_came(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    for result in ((1.0, 2000.0), (0.0, 1500.0), (0.5, 1700.0)):
        game = StoredGame(Board().fen(), Seat("human", "4"), Seat("champion", "4"), "Ada", counts=True)
        store.insert(game)
        store.update(game, result)
    store._connection.execute("UPDATE results SET finished = 2000 - rowid")  # a clock that is set back
    assert store.results("Ada") == [(1.0, 2000.0), (0.0, 1500.0), (0.5, 1700.0)]
    store.close()


HUMAN = {"player": "human"}
GIVEN = "1. 11-15 22-18 *"


@pytest.mark.parametrize("how", [{"pdn": GIVEN}, {"fen": Board().fen()}, {"opening": "9-13 22-18 13-17"}])
def test_only_games_played_from_the_first_move_on_count(client, how):
    refused = client.post("/api/games", json={**how, "person": "Bob", "rated": True})
    assert (refused.status_code, "a rated game begins" in refused.json()["detail"]) == (422, True)


def test_a_whole_game_from_an_opening_counts(client, new_game):
    game = new_game(person="Cleo", opening="9-13 22-18", rated=True)
    assert client.post(f"/api/games/{game['id']}/resign", json={"side": "black"}).json()["rating"]["games"] == 1


@pytest.mark.parametrize("seats", [{"black": HUMAN, "white": HUMAN}, {"white": {"player": "material", "limit": "9"}}])
def test_only_levels_are_played_for_a_rating(client, seats):
    refused = client.post("/api/games", json={**seats, "person": "Bob", "rated": True})
    assert (refused.status_code, "one of the levels" in refused.json()["detail"]) == (422, True)
    assert "needs your name" in client.post("/api/games", json={"rated": True, "person": " "}).json()["detail"]


def test_a_rated_game_has_no_help(client, new_game, play):
    game = play(new_game(person="Eve", rated=True), "11-15").json()
    path = f"/api/games/{game['id']}"
    for what, body in (("takeback", {"ply": 1}), ("hint", {}), ("threat", {}), ("score", {"ply": 0})):
        refused = client.post(f"{path}/{what}", json=body)
        assert (refused.status_code, "rated game" in refused.json()["detail"]) == (409, True)
    assert client.post(f"{path}/resign", json={"side": "black"}).json()["rating"]["games"] == 1
    assert client.post(f"{path}/score", json={"ply": 0}).json()["scores"]["0"]


def test_a_game_that_is_not_rated_does_not_count(client, new_game):
    game = new_game(person="Flo")
    assert client.post(f"/api/games/{game['id']}/resign", json={"side": "black"}).json()["rating"] is None


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"no database at all, but more than a few bytes of something else" * 99)
    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path / "games.sqlite")
