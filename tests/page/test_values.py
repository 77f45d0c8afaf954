"""The values of positions: one scale, steady, and the same whoever plays."""

from itertools import pairwise

import pytest

from evocheckers import Board, Limit
from evocheckers.analysis.values import FORCED, chance_of, men_of, value_position
from evocheckers.networks.shipped import CHAMPION
from evocheckers.page.analysis import positions
from evocheckers.page.analysis.positions import VALUE_LIMITS, VALUED_BY
from evocheckers.page.games.levels import LEVELS, RATINGS, level_models, level_of
from evocheckers.players.make import make_contestant
from evocheckers.rules.move import Color

MOST_CHANGE = 0.25
"""Men, from ply to ply, where the best line goes on as it was expected; 20 games are measured by tools.page_values."""


def test_steady_where_the_line_goes_on_as_expected():
    searcher = make_contestant("champion@4").searcher(16)
    board, seen = Board().push_all(["9-13", "22-18"]), []
    for _ in range(24):
        results = [searcher.search(board, limit) for limit in VALUE_LIMITS]
        seen.append((value_position(results, board.turn), str(searcher.search(board, Limit(plies=4)).move)))
        board.push(seen[-1][1])
    changes = [
        abs(after.men - before.men)
        for (before, move), (after, _) in pairwise(seen)
        if str(before.line[0]) == move and after.line[0] == before.line[1]
    ]
    assert changes
    assert max(changes) < MOST_CHANGE


def test_men_and_chances_agree_and_are_blacks():
    searcher = make_contestant("champion@4").searcher(16)
    for fen, is_blacks in (("B:W32,31:BK1,K2,K3", True), ("W:WK32,K31,K30:B1,2", False)):
        board = Board(fen)
        value = value_position([searcher.search(board, limit) for limit in VALUE_LIMITS], board.turn)
        assert (value.men > 0) is is_blacks
        assert (value.chance > 0.5) is is_blacks
        assert value.chance == pytest.approx(chance_of(value.men))
    assert chance_of(0) == 0.5
    assert chance_of(1) + chance_of(-1) == pytest.approx(1)
    assert men_of(-950.0) == -950.0
    assert abs(men_of(50.0)) < FORCED


def test_a_forced_end_says_who_wins():
    board = Board("B:W29:BK21,22")
    value = value_position([make_contestant("champion@4").searcher(16).search(board, Limit(plies=4))], Color.BLACK)
    assert value.text == "Black wins in 1 plies"
    assert value.chance == pytest.approx(1)


def test_levels_rise():
    ratings = [level.rating for level in level_models()]
    assert ratings == sorted(ratings)
    assert len(set(ratings)) == len(LEVELS)
    assert "champion@8" in RATINGS.read_text()
    level = level_of("random", "7")
    assert level is not None
    assert level.name == "First steps"
    assert level_of("champion", "3") is None


def test_the_opponents_own_value_is_not_shown(client, new_game, engine):
    game = engine(new_game(black={"player": "material", "limit": "2"}, white={"player": "human"})).json()
    assert (game["scores"], game["searched"]) == ({}, 2)
    scored = client.post(f"/api/games/{game['id']}/score", json={"ply": 1}).json()["scores"]["1"]
    assert scored["by"] == VALUED_BY
    assert -1 < scored["score"] < 1


def test_another_networks_value_is_not_shown(client, new_game, monkeypatch):
    game = new_game(opening="9-13 22-18")
    monkeypatch.setattr(positions, "VALUE_STANDARD", "es-190")
    game = client.post(f"/api/games/{game['id']}/score", json={"ply": 2}).json()
    assert "2" in game["scores"]
    monkeypatch.undo()
    assert client.get(f"/api/games/{game['id']}").json()["scores"] == {}
    assert "2" in client.post(f"/api/games/{game['id']}/score", json={"ply": 2}).json()["scores"]


def test_the_analysis_agrees_with_the_values_of_the_game(client, new_game):
    game = new_game(opening="9-13 22-18")
    value = client.post(f"/api/games/{game['id']}/score", json={"ply": 2}).json()["scores"]["2"]
    found = client.post("/api/analysis", json={"fen": game["fen"], "limit": "10"}).json()
    assert found["value"] == value
    scores = [move["score"] for move in found["moves"]]
    assert scores == sorted(scores, reverse=True)  # Black is to move
    assert scores[0] == pytest.approx(value["score"], abs=0.2)


def test_the_champion_by_its_own_name_is_the_champion(client, new_game):
    fen = new_game(opening="9-13 22-18")["fen"]
    asked = [{"fen": fen, "limit": "10", "player": name} for name in ("champion", CHAMPION, "self-play-220")]
    champion, own, other = (client.post("/api/analysis", json=one).json()["value"] for one in asked)
    assert own == champion
    assert champion["by"] == VALUED_BY
    assert other["by"] == "self-play-220, 10 plies ahead"
