"""The calls that people guess."""

import threading
from typing import Any

import numpy as np
import pytest

import evocheckers as ec
from evocheckers.rules.positions import PositionsError
from tests.helpers.waiting import wait_until

anything: Any = ec  # for calls that a type checker would refuse
SMALL: dict[str, Any] = {"parents": 2, "opponents": 1, "plies": 1}


def count(planes):
    return planes.sum(axis=2) @ np.array([1, 1.5, -1, -1.5], np.float32)


class First:
    """Plays the first legal move, and has no other method."""

    def choose(self, board):
        return board.legal_moves()[0]


def test_a_loaded_network_is_searched_as_it_was_bred():
    champion: Any = ec.load("champion")
    found = champion.search(ec.Board(), plies=8)
    assert found.nodes == ec.Searcher(champion.network.evaluator()).search(ec.Board(), ec.Limit(plies=8)).nodes
    assert found.depth_plies == 8
    assert champion.search(nodes=5000).nodes <= 5100
    assert str(found).startswith(str(found.move))


def test_values_of_boards_fens_and_rows_agree():
    boards = [ec.Board(), ec.Board("W:W32,K30:B1,2,3"), ec.Board("B:W32,K30:B1,K2")]
    rows = np.array([board.mover_words for board in boards])
    for player in ("champion", "anaconda-840", "material", count):
        found: Any = ec.load(player)
        values = found.values(boards)
        assert values.dtype == np.float32
        assert values.shape == (3,)
        assert np.array_equal(values, found.values([board.fen() for board in boards]))
        assert np.array_equal(values, found.values(rows))
        assert values[1] == found.values(boards[1])[0] == found.evaluator(boards[1])


@pytest.mark.parametrize(("view", "leaf"), [("fixed", "root"), ("own-side", "black"), ("fixed", "black")])
def test_values_see_the_board_as_the_network_does(view, leaf):
    evaluator = ec.Network.random(np.random.default_rng(1)).evaluator().with_rules(view=view, leaf=leaf)
    boards = [ec.Board("W:W32,K30:B1,2,3"), ec.Board(), ec.Board("W:W32:B1,2")]
    assert evaluator.values(boards).tolist() == [evaluator(board) for board in boards]


def test_many_values_are_those_of_one_by_one():
    network = ec.load("anaconda-840")
    rows = np.tile(np.array([ec.Board().mover_words, ec.Board("W:W32,K30:B1,2,3").mover_words]), (6000, 1))
    one, other = network.values(rows[:2])
    assert np.array_equal(network.values(rows), np.tile([one, other], 6000))


@pytest.mark.parametrize(
    "rows",
    [
        np.array([[1, 1, 0]]),
        np.array([[1, 2, 4]]),
        np.array([[0x1FFF, 0, 0]]),
        np.array([[-1, 0, 0]]),
        np.array([[1 << 32, 0, 0]]),
        np.zeros((2, 4), np.int64),
        np.zeros((2, 3)),
        np.array(3),
    ],
)
def test_rows_that_are_no_positions_are_refused(rows):
    with pytest.raises(PositionsError):
        ec.load("material").values(rows)


def test_positions_are_checked_where_they_are_made():
    for numbers in ((1, 1, 0), (1, 2, 4), (0x1FFF, 0, 0), (1 << 32, 0, 0), (-1, 0, 0), (1.0, 2, 0)):
        with pytest.raises(ec.EvocheckersError):
            ec.Board(ec.Position(ec.Color.BLACK, *numbers))


@pytest.mark.parametrize("player", ["material@2", ec.piece_differential(), count, First, First(), ec.load("random")])
def test_whatever_plays_can_play_a_match(player):
    match = ec.match(player, "random", "first-moves")
    assert match.score.games == 14
    assert len(match.to_pandas()) == 14
    assert match.score.wdl_text in str(match)


def test_a_match_is_the_same_for_any_number_of_threads():
    matches = [ec.match("material@2", "anaconda-840@2", ["11-15", "9-14"], threads=n) for n in (1, 2, None)]
    assert len({match.digest for match in matches}) == 1


def test_a_tournament_prints_its_table():
    tournament = ec.tournament(["material@2", ec.load("champion@1"), "random"], "first-moves")
    assert len(str(tournament).splitlines()) == 4
    assert len(tournament.to_pandas()) == 3


def test_evolution_is_the_same_in_memory_recorded_and_resumed(tmp_path):
    in_memory = [generation.digest for generation in ec.evolve("anaconda", SMALL, generations=3)]
    path = tmp_path / "run.sqlite"
    recorded = [generation.digest for generation in ec.evolve("anaconda", **SMALL, generations=2, run=path)]
    resumed = [generation.digest for generation in ec.evolve("anaconda", **SMALL, generations=3, run=path, threads=1)]
    assert in_memory == [*recorded, *resumed]
    assert anything.load(path).network.weights.size == 5046
    assert ec.match(str(path), f"{path}#1@2", ["11-15"]).score.games == 2


def test_a_scheme_of_ones_own_is_recorded_and_resumed(tmp_path):
    anaconda = ec.PRESETS["anaconda"].scheme
    mine = ec.Scheme("mine", anaconda.settings, anaconda.state, anaconda.begin, anaconda.step, anaconda.first_network)
    path = tmp_path / "mine.sqlite"
    for last in (1, 2):
        done = list(ec.evolve(mine, **SMALL, generations=last, run=path))
        assert [generation.number for generation in done] == [last]
    with pytest.raises(ec.EvocheckersError, match="choose another"):
        ec.evolve(ec.Scheme("anaconda", *list(vars(mine).values())[1:]), run=tmp_path / "other.sqlite")


@pytest.mark.parametrize("other", [{"seed": 2}, {"plies": 2}])
def test_a_generation_of_another_run_is_not_continued(other):
    (first,) = ec.evolve("anaconda", SMALL, generations=1)
    (second,) = ec.evolve("anaconda", SMALL, generations=2, after=first)
    assert second.number == 2
    with pytest.raises(ec.EvocheckersError, match="after"):
        anything.evolve("anaconda", **{**SMALL, **other}, generations=2, after=first)


def test_a_searcher_of_another_thread_is_refused():
    searcher = ec.Searcher(ec.piece_differential())
    thread = threading.Thread(target=searcher.search, args=(ec.Board(), ec.Limit(seconds=60)))
    thread.start()
    try:
        wait_until(searcher._busy.locked)
        with pytest.raises(ec.EvocheckersError, match="another thread"):
            searcher.search(ec.Board(), ec.Limit(plies=1))
    finally:
        while thread.is_alive():  # a search that has yet to begin forgets it
            searcher.stop()
            thread.join(0.05)
    assert searcher.search(ec.Board(), ec.Limit(plies=1)).move


def test_analyses_of_positions_and_games():
    board = ec.Board()
    moves = ec.analyse(board, "material@2")
    assert len(moves) == len(str(moves).splitlines()) == len(moves.to_pandas()) == 7
    (game,) = ec.read_pdn("1. 11-15 22-18 2. 15x22 25x18 *")
    assert [one.review.ply for one in anything.analyse(game, "material@2")] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "call",
    [
        lambda: anything.load(3),
        lambda: anything.load(None),
        lambda: anything.match("champion@8", "two-move"),
        lambda: anything.match("material", "random", 3),
        lambda: anything.match("material", "random", ["11-16", 7]),
        lambda: anything.tournament("champion"),
        lambda: anything.tournament(["champion"]),
        lambda: anything.evolve(3),
        lambda: anything.evolve("anacnda"),
        lambda: anything.evolve("anaconda", parnts=3),
        lambda: anything.evolve("anaconda", generations=1.5),
        lambda: anything.evolve("anaconda", generations=0),
        lambda: anything.evolve("anaconda", generations=0, run="never.sqlite"),
        lambda: anything.evolve("anaconda", generations=2, seed="one"),
        lambda: anything.evolve("anaconda", run="a.sqlite", after=object()),
        lambda: anything.analyse(3),
        lambda: anything.analyse(anything.Board(), "random"),
        lambda: anything.Board(3),
        lambda: anything.Searcher("champion"),
        lambda: anything.Network.load("champion"),
        lambda: anything.ThreadExecutor(-1),
        lambda: anything.ThreadExecutor(1.5),
        lambda: anything.perft(anything.Board(), 1.5),
    ],
)
def test_a_wrong_call_is_refused_in_one_line(call):
    with pytest.raises(ec.EvocheckersError) as refused:
        call()
    assert str(refused.value)
    assert "\n" not in str(refused.value)
