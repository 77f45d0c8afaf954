"""Clocks, and what becomes of games that are lost by them; links that only show."""

import sqlite3
from contextlib import closing

from evocheckers.page.games.clock import Clock

HUMANS = {"black": {"player": "human"}, "white": {"player": "human"}}


def test_a_persons_clock_runs_while_it_is_their_turn():
    clock = Clock.of(60, 5)
    assert clock.left("black", lambda: 1000.0) == 60  # the first turn is free
    clock = clock.moved("black", 60, person_next=True, now=lambda: 1000.0)
    assert (clock.black, clock.left("white", lambda: 1020.0)) == (65, 40)
    clock = clock.moved("white", 40, person_next=False, now=lambda: 1020.0)
    assert (clock.white, clock.left("black", lambda: 9999.0)) == (45, 65)  # an engine's runs while it thinks
    assert clock.resumed(True, lambda: 2000.0).left("black", lambda: 2099.0) == 0


def test_who_has_no_time_left_loses(client, new_game, play, server):
    game = play(new_game(**HUMANS, clock={"initial": 10, "increment": 0}), "11-15").json()
    path = f"/api/games/{game['id']}"
    assert game["clock"]["running"]
    early = client.post(f"{path}/flag", json={})
    assert (early.status_code, early.json()["detail"]) == (409, "there is time left")
    with closing(sqlite3.connect(server.data / "games.sqlite", timeout=20, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET game = json_set(game, '$.clock.since', 0) WHERE id = ?", (game["id"],))
    late = play(game, "22-18").json()  # a move after the time
    assert late["ending"] == {"winner": "black", "reason": "time", "text": "Black wins: White ran out of time"}
    assert late["ply"] == 1


def test_an_engines_clock_counts_its_thinking_only(new_game, play, engine):
    game = play(
        new_game(white={"player": "champion", "limit": "2"}, clock={"initial": 10, "increment": 2}), "11-15"
    ).json()
    assert (game["clock"]["running"], game["clock"]["black"]) == (False, 12)
    game = engine(game).json()
    assert game["clock"]["running"]
    assert 11 < game["clock"]["white"] < 12


def test_a_link_that_only_shows(client, new_game, play):
    game = play(new_game(), "11-15").json()
    shown = client.get(f"/api/shared/{game['view']}").json()
    assert (shown["id"], shown["fen"], shown["view"]) == ("", game["fen"], game["view"])
    assert game["id"] not in str(shown)
    assert "11-15" in client.get(f"/api/shared/{game['view']}/pdn").text
    for path in (f"/api/games/{game['view']}", "/api/shared/AAAAAAAAAAAAAAAA", f"/api/shared/{game['id']}"):
        assert client.get(path).status_code == 404
    assert client.post(f"/api/games/{game['view']}/moves", json={"move": "22-18", "ply": 1}).status_code == 404
