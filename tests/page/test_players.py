"""The page's players are those of the command line, as far as they are safe there."""

from contextlib import closing

import numpy as np
import pytest

from evocheckers import Board, Limit, Network
from evocheckers.page.games.players import Catalogue, UnknownPlayerError
from evocheckers.page.store import Seat, Store, StoredGame
from evocheckers.players.make import make_contestant


@pytest.fixture
def catalogue(tmp_path) -> Catalogue:
    (tmp_path / "networks").mkdir()
    Network.random(np.random.default_rng(1)).save(tmp_path / "networks" / "mine@2.safetensors")
    Network.random(np.random.default_rng(1)).save(tmp_path / "outside.safetensors")
    return Catalogue(tmp_path / "networks", tmp_path / "runs")


@pytest.mark.parametrize(
    "words", ["champion", "anaconda-840", "material", "material:noise", "material:K=1.3", "random"]
)
def test_a_word_means_the_same_player_as_on_the_command_line(catalogue, words):
    here = catalogue.get(words, Limit(plies=6))
    there = make_contestant(words if words == "random" else f"{words}@6")
    assert (here.name, here.limit) == (there.name, there.limit)
    assert here.batch_evaluator.rules == there.batch_evaluator.rules
    assert here.batch_evaluator.weights.tobytes() == there.batch_evaluator.weights.tobytes()


def test_piece_counting_chooses_among_equals_at_random(new_game, engine):
    games = [new_game(black={"player": "material", "limit": "2"}, white={"player": "human"}) for _ in range(12)]
    replies = [engine(game).json() for game in games]
    assert len({reply["moves"][0]["text"] for reply in replies}) > 1
    assert replies[0]["black"]["title"] == "Piece counting"


def test_who_has_no_rule_of_extension_takes_the_opponents(server, monkeypatch, new_game, engine):
    from evocheckers.page.games import searches

    seen = []
    search = searches.Searches.search

    def watched(searches, contestant, *rest):
        seen.append(contestant)
        return search(searches, contestant, *rest)

    monkeypatch.setattr(searches.Searches, "search", watched)
    material = {"player": "material", "limit": "2"}
    engine(new_game(black=material, white={"player": "champion", "limit": "2"}))
    engine(new_game(black=material, white={"player": "human"}))
    champion = make_contestant("champion").batch_evaluator.rules
    assert seen[0].batch_evaluator.rules.extensions == champion.extensions is not None
    assert seen[1].batch_evaluator.rules.extensions is None


@pytest.mark.parametrize(
    "words",
    [
        "",
        "human",
        "engine:sh",
        "champion@8",
        "champion:x",
        "material:K",
        "net:",
        "net:outside",
        "net:../outside",
        "net:/etc/passwd",
        "run:x#y",
        "run:../x#1",
        "greedy",
        "greedy:x",
    ],
)
def test_other_words_are_refused(catalogue, words):
    with pytest.raises(UnknownPlayerError) as error:
        catalogue.get(words, Limit(plies=2))
    assert error.value.player == words.partition("#1")[0]


def test_network_files_are_listed_by_name_whatever_it_is(catalogue):
    assert [player.id for player in catalogue.entries()][-1] == "net:mine@2"
    assert catalogue.get("net:mine@2", Limit(plies=3)).limit == Limit(plies=3)
    assert catalogue.title("net:mine@2") == "mine@2"


def test_players_of_other_packages(example_players, catalogue, client, new_game, engine):
    entries = {player.id: player.note for player in catalogue.entries()}
    assert entries["greedy"] == entries["centre"] == "of example-players"
    with pytest.raises(UnknownPlayerError):
        catalogue.get("greedy:x", Limit(plies=2))
    for words in ("greedy", "centre"):
        game = new_game(black={"player": words, "limit": "2"}, white={"player": "human"})
        replied = engine(game).json()
        assert (replied["ply"], replied["black"]["title"]) == (1, words)
    assert replied["searched"] == 2
    wanted = {"fen": Board().fen(), "player": "centre", "limit": "2"}
    assert len(client.post("/api/analysis", json=wanted).json()["moves"]) == 7
    refused = client.post("/api/analysis", json={**wanted, "player": "greedy"})
    assert (refused.status_code, "does not evaluate positions" in refused.json()["detail"]) == (422, True)


def test_games_that_were_saved_before_go_on(serve, tmp_path):
    saved = [StoredGame(Board().fen(), Seat(player, "2"), Seat("human", "4")) for player in ("material", "champion")]
    saved += [StoredGame(Board().fen(), Seat("human", "4"), Seat("net:gone", "2"))]
    with closing(Store(tmp_path / "games.sqlite")) as store:
        for game in saved:
            store.insert(game)
    with serve(tmp_path, tmp_path).client() as client:
        for game in saved[:2]:
            assert client.post(f"/api/games/{game.id}/engine", json={"ply": 0}).json()["ply"] == 1
        assert client.get(f"/api/games/{saved[2].id}").json()["white"]["title"] == "gone"


def test_a_file_that_takes_a_players_place_is_the_player(catalogue, tmp_path):
    path = tmp_path / "networks" / "mine@2.safetensors"
    first = catalogue.get("net:mine@2", Limit(plies=3))
    assert catalogue.get("net:mine@2", Limit(plies=3)) is first
    Network.random(np.random.default_rng(2)).save(tmp_path / "networks" / "other.safetensors")
    (tmp_path / "networks" / "other.safetensors").replace(path)
    second = catalogue.get("net:mine@2", Limit(plies=3))
    assert not np.array_equal(first.network.weights, second.network.weights)


def test_players_of_our_own_wait_for_no_file(catalogue):
    """Or whoever floods the queue of files would keep the champion waiting."""
    entries = [player.id for player in catalogue.entries()]
    assert [words for words in entries if not catalogue.is_own(words)] == ["net:mine@2"]
