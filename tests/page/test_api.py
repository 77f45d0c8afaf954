"""Playing over the JSON API."""

import random

import pytest

from evocheckers import Board, read_pdn
from evocheckers.networks.shipped import shipped_network
from evocheckers.page.games.levels import level_of
from evocheckers.page.games.service import DRAW_FROM_PLY
from tests.page.serving import Server

TWO_PATHS = "W:W27:B15,16,23,24"
HUMANS = {"black": {"player": "human"}, "white": {"player": "human"}}


def test_a_game_to_its_end_follows_the_rules(client, new_game, play, engine):
    game = new_game(white={"player": "champion", "limit": "2"}, person="Ada", rated=True)
    generator, board = random.Random(1), Board()
    while game["waiting_for"] != "nobody":
        if game["waiting_for"] == "human":
            assert sorted(move["text"] for move in game["legal"]) == sorted(map(str, board.legal_moves()))
            answer = play(game, generator.choice(game["legal"])["text"])
        else:
            answer = engine(game)
        assert answer.status_code == 200, answer.text
        game = answer.json()
        board.push(game["moves"][-1]["text"])
        assert game["fen"] == board.fen()
    assert game["ending"]["winner"] == "white"
    assert game["rating"]["games"] == 1
    opponent = level_of("champion", "2")
    assert opponent is not None
    assert game["rating"]["rating"] == round(1600 - 32 / (1 + 10 ** ((opponent.rating - 1600) / 400)))
    assert play(game, "11-15").json()["detail"] == "the game is over"
    saved = client.get(f"/api/games/{game['id']}/pdn").text
    (read,) = read_pdn(saved)
    assert [str(move) for move in read.moves] == [move["text"] for move in game["moves"]]
    assert (read.tags["Black"], read.tags["White"], read.result) == ("Ada", "Champion", "0-1")
    again = new_game(**HUMANS, pdn=saved)
    assert again["fen"] == game["fen"]


def test_moves_are_played_once_and_in_turn(client, new_game, play, engine):
    game = new_game()
    after = play(game, "11-15").json()
    twice = play(game, "11-15")
    assert (twice.status_code, twice.json()["detail"]) == (409, "the game has 1 plies, not 0")
    assert play(after, "22-18").status_code == 409
    replied = engine(after).json()
    assert replied["ply"] == 2
    assert engine(after).json() == {**replied, "searched": None}  # asked for again, by another tab: the same move
    assert engine(replied).json()["detail"] == "it is a person's turn"
    illegal = play(replied, "1-2")
    assert illegal.status_code == 422
    assert "1-2" in illegal.json()["detail"]
    assert client.get(f"/api/games/{game['id']}").json() == {**replied, "searched": None}


def test_an_opening_has_its_name_until_it_is_taken_back(client, new_game, play):
    game = new_game(**HUMANS, opening="11-15 22-17")
    assert game["opening"] == ""
    for move in ("8-11", "23-19", "4-8"):
        game = play(game, move).json()
    assert game["opening"] == "Old Fourteenth"
    game = play(game, "17-13").json()
    assert game["opening"] == "Old Fourteenth"
    for ply in (6, 5):
        game = client.post(f"/api/games/{game['id']}/takeback", json={"ply": ply}).json()
    assert game["opening"] == ""


def test_a_pdn_names_the_opening_unless_its_moves_were_given(client, new_game):
    for given, name in (({"pdn": "1. 11-15 23-18 *"}, "Cross"), ({"opening": "11-15 23-18"}, "11-15 23-18")):
        game = new_game(**HUMANS, **given)
        saved = client.get(f"/api/games/{game['id']}/pdn").text
        assert f'[Opening "{name}"]' in saved
        assert [move["text"] for move in new_game(**HUMANS, pdn=saved)["moves"]] == ["11-15", "23-18"]


def test_taking_back_leads_to_the_persons_turn(client, new_game, play, engine):
    game = engine(play(new_game(), "9-14").json()).json()
    back = client.post(f"/api/games/{game['id']}/takeback", json={"ply": 2}).json()
    assert (back["ply"], back["waiting_for"], back["scores"]) == (0, "human", {})
    assert client.post(f"/api/games/{game['id']}/takeback", json={"ply": 0}).status_code == 409


def test_hint_score_draw_and_resignation(client, new_game):
    game = new_game()
    hint = client.post(f"/api/games/{game['id']}/hint", json={}).json()
    assert hint["line"][0] in [move["text"] for move in game["legal"]]
    scored = client.post(f"/api/games/{game['id']}/score", json={"ply": 0}).json()
    assert abs(scored["scores"]["0"]["score"]) < 1
    offered = client.post(f"/api/games/{game['id']}/draw", json={}).json()
    assert offered["ending"] is None
    assert offered["note"] == f"not before move {DRAW_FROM_PLY // 2}"
    lost = client.post(f"/api/games/{game['id']}/resign", json={"side": "black"}).json()
    assert lost["ending"] == {"winner": "white", "reason": "resignation", "text": "White wins: Black resigned"}
    assert client.post(f"/api/games/{game['id']}/resign", json={"side": "white"}).status_code == 409


def test_an_engine_takes_a_draw_only_when_it_is_not_ahead(client, new_game):
    shuffle = '[FEN "B:WK32,K31:BK1"] 1. 1-6 32-28 2. 6-2 28-32 3. 2-7 31-27 *'
    seats = {"black": {"player": "human"}, "white": {"player": "champion", "limit": "4"}}
    short = new_game(**seats, pdn=shuffle)
    assert client.post(f"/api/games/{short['id']}/draw", json={}).json()["note"].startswith("not before")
    kings = (
        "1-6 32-28 6-10 28-32 10-15 32-28 15-11 28-32 11-7 31-26 7-2 26-31 2-6 32-27 6-1 27-32 1-5 31-27 5-9 27-31 "
        "9-13 32-27 13-9 31-26 9-6 27-32 6-9 26-31 9-14 32-28 14-17 28-24 17-13 24-28 13-17 28-24 "
        "17-21 31-27 21-17 24-28 *"
    )
    ahead = new_game(**seats, pdn=f'[FEN "B:WK32,K31:BK1"] {kings}')
    assert ahead["ply"] == DRAW_FROM_PLY
    assert client.post(f"/api/games/{ahead['id']}/draw", json={}).json()["note"].startswith("declined")
    seats = {"black": {"player": "champion", "limit": "4"}, "white": {"player": "human"}}
    behind = new_game(**seats, pdn=f'[FEN "B:WK32,K31:BK1"] {kings}')
    ended = client.post(f"/api/games/{behind['id']}/draw", json={}).json()
    assert ended["ending"]["text"] == "Draw: agreed"


def test_two_ways_to_one_square_are_two_moves(new_game):
    game = new_game(**HUMANS, fen=TWO_PATHS)
    assert game["must_capture"]
    ends = [move["path"][-1] for move in game["legal"]]
    assert len(ends) > len(set(ends))


def test_limits_are_the_servers(client, new_game):
    game = new_game(black={"player": "champion", "limit": "40"})
    assert game["note"] == "this server looks at most 12 plies ahead"
    assert new_game(black={"player": "champion", "limit": "1000s"})["note"] == "this server thinks at most 10 seconds"
    assert client.post("/api/games", json={"white": {"limit": "soon"}}).status_code == 422


def test_analysis_has_values_and_activations(client):
    fen = "W:W22,K30,15:B9,K7"
    found = client.post("/api/analysis", json={"fen": fen, "limit": "4"}).json()
    board = Board(fen)
    assert sorted(item["text"] for item in found["moves"]) == sorted(map(str, board.legal_moves()))
    assert found["moves"][0]["score"] == min(item["score"] for item in found["moves"])  # White's best, to Black
    assert found["value"]["score"] == found["moves"][0]["score"]
    activations = found["activations"]
    assert (len(activations["nodes"]), len(activations["wide"])) == (0, shipped_network("champion").width)
    assert all(0 <= activation <= 1 for activation in activations["wide"])
    assert sorted(map(int, activations["squares"])) == [7, 9, 15, 22, 30]
    assert activations["squares"]["30"] > 0 > activations["squares"]["7"]
    activations = client.post("/api/analysis", json={"fen": fen, "player": "self-play-220", "limit": "4"}).json()[
        "activations"
    ]
    assert (len(activations["nodes"]), len(activations["wide"])) == (91, 0)
    assert all(-1 <= node["activation"] <= 1 for node in activations["nodes"])
    assert client.post("/api/analysis", json={"fen": fen, "player": "material"}).json()["activations"] is None
    assert client.post("/api/analysis", json={"fen": fen, "player": "random"}).status_code == 422


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ({"fen": "X"}, 422, "three fields"),
        ({"pdn": "1. 11-15 11-15 *"}, 422, "11-15"),
        ({"pdn": ""}, 422, "holds 0 games"),
        ({"opening": "11-15 1-2"}, 422, "1-2"),
        ({"white": {"player": "net:../../etc/passwd"}}, 404, "no player"),
        ({"white": {"player": "run:../x"}}, 404, "no player"),
        ({"white": {"player": "engine:sh"}}, 404, "no player"),
        ({"unknown": 1}, 422, "unknown"),
        ({"person": "x" * 41}, 422, "person"),
    ],
)
def test_bad_input_gets_one_line(client, wanted, status, part):
    answer = client.post("/api/games", json=wanted)
    assert answer.status_code == status
    assert part in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


def test_games_are_unguessable_and_survive_the_server(serve, tmp_path):
    first = serve(tmp_path, tmp_path)
    with first.client() as client:
        ids = [client.post("/api/games", json={}).json()["id"] for _ in range(3)]
        assert len(set(ids)) == 3
        assert all(len(game_id) >= 22 for game_id in ids)
        assert client.get("/api/games/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404
        shown = client.get(f"/api/games/{ids[0]}").json()
    first.stop()
    with serve(tmp_path, tmp_path).client() as client:
        assert client.get(f"/api/games/{ids[0]}").json() == shown


def test_every_answer_is_described(client):
    """No answer is just an object: programs can read off the description what they get."""
    described = client.get("/openapi.json").json()
    answers = [
        content["schema"]
        for operations in described["paths"].values()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        for kind, content in answer.get("content", {}).items()
        if status.startswith("2") and kind == "application/json"
    ]
    assert len(answers) > 10
    for schema in answers:
        item = schema.get("items", schema)
        assert all("$ref" in option for option in item.get("anyOf", [item])), schema
    for name, model in described["components"]["schemas"].items():
        for field, schema in model.get("properties", {}).items():
            assert schema.get("additionalProperties") is not True, f"{name}.{field}"


def test_runs_match_their_description(client, small_run, server):
    (server.runs / "broken.sqlite").write_bytes(b"no run")
    broken, listed = client.get("/api/runs").json()
    assert broken["name"] == "broken"
    assert broken["fault"]
    assert listed["name"] == small_run
    run = client.get("/api/runs/small").json()
    assert run["generation"] == run["generations"] == 1
    assert [row["number"] for row in run["curve"]] == [1]
    assert len(client.get("/api/runs/small/games/1").json()) == run["curve"][0]["games"]
    assert client.get("/api/runs/small/games/7").status_code == 422
    shares = client.get("/api/runs/small/matrix").json()
    assert shares["generations"] == [0, 1]
    assert shares["shares"][0][0] is None
    assert shares["shares"][0][1] + shares["shares"][1][0] == pytest.approx(1)


TO_AND_FRO = '[FEN "B:WK32:BK1"] 1-5 32-27 5-1 27-32 1-5 32-27 5-1 27-32 *'


def test_the_third_occurrence_is_a_draw(client, new_game):
    game = new_game(pdn=TO_AND_FRO, white={"player": "human"})
    assert game["ending"] == {
        "winner": "draw",
        "reason": "repetition",
        "text": "Draw: the same position for the third time",
    }
    assert '[Termination "repetition"]' in client.get(f"/api/games/{game['id']}/pdn").text
    assert client.get("/api/options").json()["repetition"] is True


def test_a_server_may_play_without_that_rule(tmp_path):
    ended = []
    for repetition in (False, True):
        server = Server(tmp_path, tmp_path, repetition)
        with server.client() as client:
            assert client.get("/api/options").json()["repetition"] is repetition
            game = client.post("/api/games", json={"pdn": TO_AND_FRO, "white": {"player": "human"}}).json()
            ended.append((game["id"], game["ending"]))
            first = client.get(f"/api/games/{ended[0][0]}").json()
            assert first["ending"] is None  # a game keeps the rule that it began with
        server.stop()
    assert [ending is None for _, ending in ended] == [True, False]
