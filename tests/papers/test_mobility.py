"""Mobility in play: moves of both sides at equal pieces, and wins by blocking."""

import pytest

from evocheckers.games.game import PlayedGame
from evocheckers.papers.anaconda.mobility import Restraint, move_counts, restraint
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Outcome, Reason


def played(number: int, fen: str, moves: tuple[str, ...], winner: Color | None, reason: Reason) -> PlayedGame:
    board = Board(fen).push_all(moves)
    outcome = Outcome(winner, reason)
    return PlayedGame(number, "first", "second", (), tuple(board.moves), outcome, start=board.start)


def test_moves_are_counted_for_both_sides():
    assert move_counts(Board()) == (7, 7)
    assert move_counts(Board("B:W32:BK15")) == (4, 2)
    assert move_counts(Board("B:W18:B15")) is None, "a jump"


def test_margins_are_the_first_players_at_equal_pieces():
    fen = "B:W32:B1"  # two moves each
    king = "B:WK32:BK15"  # four moves against two
    black = restraint([played(1, king, ("15-10",), None, Reason.MOVE_LIMIT)])
    white = restraint([played(2, king, ("15-10",), None, Reason.MOVE_LIMIT)])
    assert black.margins == (2.0,)
    assert white.margins == (-2.0,)
    assert restraint([played(1, fen, ("1-5",), None, Reason.MOVE_LIMIT)]).margins == (0.0,)
    assert restraint([played(1, "B:W32:BK15", ("15-10",), None, Reason.MOVE_LIMIT)]).margins == ()


def test_wins_by_blocking_are_counted_apart():
    games = [
        played(1, "B:W32:B1", ("1-5",), Color.BLACK, Reason.NO_MOVES),
        played(2, "B:W32:B1", ("1-5",), Color.BLACK, Reason.NO_MOVES),
        played(3, "B:W32:B1", ("1-5",), Color.BLACK, Reason.NO_PIECES),
    ]
    found = restraint(games)
    assert (found.blocking_text, found.blocked_text) == ("1 of 2", "1 of 1")


def test_together():
    both = Restraint((1.0,), 2, 1, 0, 0) + Restraint((3.0,), 1, 0, 4, 2)
    assert both == Restraint((1.0, 3.0), 3, 1, 4, 2)
    assert both.margin_text.startswith("+2.00 [")


@pytest.mark.parametrize("margins", [(), (1.0,)])
def test_too_few_games_have_no_interval(margins):
    assert Restraint(margins, 0, 0, 0, 0).margin_text == "too few games"
