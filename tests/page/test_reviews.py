"""Games looked over: what moves cost, kept with the game, bounded."""

import time

import pytest

from evocheckers.analysis.mistakes import MARKED_FROM, Mark, accuracy
from evocheckers.analysis.values import chance_of
from evocheckers.page.analysis import reviews

BLUNDER = '[FEN "B:W22,32:B14,3,4"] 1. 14-17 22x13 2. 3-7 32-27 *'  # Black gives a man away
PEOPLE = {"black": {"player": "human"}, "white": {"player": "human"}}


def looked_over(client, game: dict) -> dict:
    review = client.post(f"/api/reviews/{game['id']}", json={}).json()
    end = time.monotonic() + 60
    while review["running"] and time.monotonic() < end:
        time.sleep(0.05)
        review = client.get(f"/api/reviews/{game['id']}").json()
    return review


def test_a_blunder_is_marked_with_the_better_move(client, new_game, server):
    game = new_game(pdn=BLUNDER, **PEOPLE)
    review = looked_over(client, game)
    assert (review["plies"], review["done"], review["running"]) == (4, 4, False)
    first, second = review["moves"][:2]
    assert (first["move"], first["mark"], first["side"]) == ("14-17", "blunder", "black")
    assert first["best"] != "14-17"
    assert first["line"][0] == first["best"]
    assert first["cost_men"] > 0.7
    assert first["cost_chance"] == pytest.approx(first["best_chance"] - first["chance"], abs=2e-4)
    assert (second["choices"], second["mark"], second["cost_chance"]) == (1, None, 0)  # a jump that must be taken
    assert review["marks"]["black"]["blunder"] == 1
    assert review["accuracy"]["black"] < 100
    with server.games() as games:
        assert games.execute("SELECT COUNT(*) FROM reviews WHERE game = ?", (game["id"],)).fetchone() == (1,)
    assert client.post(f"/api/reviews/{game['id']}", json={}).json() == review  # kept, not searched again


def test_what_another_network_reviewed_is_reviewed_again(client, new_game, monkeypatch):
    game = new_game(pdn=BLUNDER, **PEOPLE)
    monkeypatch.setattr(reviews, "VALUE_STANDARD", "es-190")
    assert looked_over(client, game)["done"] == 4
    monkeypatch.undo()
    assert client.get(f"/api/reviews/{game['id']}").json()["done"] == 0
    assert looked_over(client, game)["done"] == 4


def test_a_review_follows_the_game(client, new_game, play):
    game = new_game(fen="B:W22,32:B14,3,4", **PEOPLE)
    played = play(game, "14-17").json()
    assert looked_over(client, game)["done"] == 1
    play(played, "22x13")
    assert looked_over(client, game)["done"] == 2
    back = client.post(f"/api/games/{game['id']}/takeback", json={"ply": 2}).json()
    assert client.get(f"/api/reviews/{game['id']}").json()["done"] == len(back["moves"])


def test_no_help_while_an_engine_is_played(client, new_game, play):
    game = new_game(white={"player": "random"})
    play(game, "11-15")
    refused = client.post(f"/api/reviews/{game['id']}", json={})
    assert refused.status_code == 409
    assert "once it has ended" in refused.json()["detail"]
    assert client.post("/api/reviews/nothing-here", json={}).status_code == 404


def test_accuracy_and_marks():
    blunder = chance_of(1.0) - 0.5
    assert MARKED_FROM[Mark.BLUNDER] == blunder
    assert accuracy([]) is None
    assert accuracy([(0.3, 1)]) is None  # no choice
    assert accuracy([(0.0, 2), (0.0, 5)]) == 100
    assert accuracy([(0.0, 2), (blunder, 2)]) == 50
    assert accuracy([(10 * blunder, 2), (0.0, 2)]) == 50
