"""The printed games: forced moves, pieces, and the papers' remarks."""

import pytest

from evocheckers.analysis.analyse import PlyAnalysis
from evocheckers.analysis.mistakes import ReviewedMove
from evocheckers.papers.anaconda.published_games import (
    REMARKS,
    Remark,
    board_after,
    forced_plies,
    games_with_marks,
    pieces_text,
    view_of,
)
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color


def test_pieces_are_reds_against_whites():
    assert pieces_text(Board()) == "12 : 12"
    assert pieces_text(Board("W:WK1,K23,K28:B25")) == "1 : 0+3k"


@pytest.mark.parametrize("remark", REMARKS, ids=lambda remark: remark.words)
def test_remarks_stand_at_their_moves(remark):
    game = games_with_marks()[remark.game - 1][0]
    word = remark.moves.split()[-1]
    if "-" in word or "x" in word:
        assert str(game.moves[remark.first - 1]) == word
        number = remark.moves.split(".")[0]
        assert (remark.first + 1) // 2 == int(number)
    assert remark.first <= remark.last <= len(game.moves)


def test_pieces_in_the_last_position_of_the_second_game():
    game = games_with_marks()[1][0]
    assert pieces_text(board_after(game, 40)) == "4 : 5+1k"


def test_a_view_is_whites_value_and_the_networks_own_move():
    board = Board()
    first, second = board.legal_moves()[:2]
    analyses = [
        PlyAnalysis(ReviewedMove(1, Color.BLACK, first, first, first, (), 0.0, 0.0, 7), 0.25, ""),
        PlyAnalysis(ReviewedMove(2, Color.WHITE, first, second, second, (), 0.125, 0.0, 7), -0.5, ""),
    ]
    assert view_of(Remark(1, 2, 2, "", ""), analyses) == ["-0.25 → +0.50", f"{second}, better by 0.12"]
    assert view_of(Remark(1, 1, 1, "", ""), analyses) == ["+0.00 → -0.25", "the same"]


def test_marked_moves_are_those_with_one_legal_move():
    for game, marks in games_with_marks():
        assert forced_plies(game) == marks
