"""Time as a match keeps it: measured from outside, counted for moves with a choice."""

import sys

import pytest

from evocheckers import Board, Contestant, Limit, Move, Position, ThreadExecutor
from evocheckers.games.game import Effort, PlayedGame
from evocheckers.players.make import make_contestant
from evocheckers.rules.outcome import Outcome, Reason
from evocheckers.tournaments.match import play_match
from evocheckers.tournaments.timekeeping import keep_time

DRAW = Outcome(None, Reason.MOVE_LIMIT)


def played(number: int, efforts: list[Effort], opening: int = 0) -> PlayedGame:
    moves = Board().push_all(["11-15", "23-19"]).moves
    return PlayedGame(number, "a", "b", tuple(moves[:opening]), (), DRAW, efforts=tuple(efforts))


def test_overruns_are_counted_by_player_whatever_the_colours():
    fast, slow = make_contestant("material@100ms"), make_contestant("random")
    games = [
        played(1, [Effort(0.1029, 8, False), Effort(9.0, None, False), Effort(0.2, None, True)]),  # the first is Black
        played(2, [Effort(9.0, None, False), Effort(0.1031, 9, False)]),  # and White here
        played(3, [Effort(9.0, None, False), Effort(0.09, 10, False)], opening=1),
    ]
    first, second = keep_time(fast, slow, games)
    assert (first.player, first.limit_seconds, first.moves, first.overruns) == ("material@100ms", 0.1, 3, 1)
    assert first.mean_plies == 9.0
    assert first.latest_seconds == first.late_99_seconds == pytest.approx(0.0031)
    assert (second.moves, second.limit_seconds, second.overruns, second.mean_plies) == (3, None, 0, None)
    assert second.mean_seconds == 9.0


def test_two_per_cent_of_a_long_limit_are_no_overrun():
    long = make_contestant("material@10s")
    times = [10.19, 10.21, *[9.0] * 200]
    found = keep_time(long, long, [played(1, [e for s in times for e in (Effort(s, 4, False),) * 2])])
    assert [(side.moves, side.overruns) for side in found] == [(202, 1)] * 2
    assert found[0].late_99_seconds == pytest.approx(-1.0, abs=1.2)
    assert found[0].latest_seconds == pytest.approx(0.21)


class Sleeper:
    """Takes its time for every move."""

    depth_plies = 7

    def begin(self, start: Position, seed: int) -> None:
        pass

    def choose(self, board: Board) -> Move:
        import time

        time.sleep(0.02)
        return board.legal_moves()[0]

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_players_are_timed_from_outside():
    sleeper = Contestant("sleeper", limit=Limit(seconds=0.01), make=Sleeper)
    pair = sleeper, make_contestant("material@200n")
    games = list(play_match(*pair, ("",), ThreadExecutor(1), max_plies=20, workers=1))
    assert all(len(game.efforts) == len(game.moves) for game in games)
    late, early = keep_time(*pair, games)
    assert late.overruns == late.moves > 10
    assert late.latest_seconds is not None
    assert late.latest_seconds >= 0.01
    assert late.mean_plies == 7
    assert early.mean_plies is not None
    assert early.mean_plies >= 2


def test_batches_tell_no_times():
    pair = make_contestant("material@1"), make_contestant("random")
    assert keep_time(*pair, list(play_match(*pair, ("",), ThreadExecutor(1)))) == []


def test_engines_tell_how_deep_they_looked():
    command = f"engine:{sys.executable} -m evocheckers engine --player material"
    pair = make_contestant(f"{command}@3"), make_contestant("random")
    games = list(play_match(*pair, ("",), ThreadExecutor(1), max_plies=12, workers=1))
    assert keep_time(*pair, games)[0].mean_plies == 3
