"""How steady values are: jumps from ply to ply, and a saw by the side to move."""

import pytest

from evocheckers.analysis.values import SHOWN_MEN
from evocheckers.games.openings import opening_board
from evocheckers.papers.ours.steadiness import changes, values_along
from evocheckers.players.make import make_contestant
from evocheckers.rules.board import Board
from evocheckers.rules.pdn import Game
from evocheckers.search.limit import Limit


def test_changes_are_from_ply_to_ply_within_a_game():
    assert changes([[0.8, -0.4, 0.8], [0.1, 0.2]]).tolist() == pytest.approx([1.2, 1.2, 0.1])


def test_decided_positions_do_not_count():
    assert changes([[0.1, SHOWN_MEN, 0.1, 0.2]]).tolist() == pytest.approx([0.1])


def test_values_are_those_of_the_side_to_move_seen_by_black():
    player = make_contestant("es-190@3")
    board = opening_board("11-15 23-19 8-11")
    found = values_along(Game(board.moves), player)
    searcher, replayed = player.searcher(), Board()
    for sign, value, move in zip((1, -1, 1), found, board.moves, strict=True):
        assert value == pytest.approx(sign * searcher.search(replayed, Limit(plies=3)).score)
        replayed.push(move)


def test_a_game_ends_where_a_position_comes_again():
    board = Board("B:WK32:BK1").push_all(("1-5", "32-28", "5-1", "28-32", "1-5", "32-28"))
    assert len(values_along(Game(board.moves, start=board.start), make_contestant("material@2"))) == 4
