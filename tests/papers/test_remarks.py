"""The papers' remarks on their printed games."""

import pytest

from evocheckers.analysis.analyse import PlyAnalysis
from evocheckers.papers.anaconda.published_games import (
    REMARKS,
    Remark,
    board_after,
    games_with_marks,
    opinion,
    pieces_text,
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


def test_the_last_position_of_the_second_game_is_two_pieces_and_a_king_ahead():
    game = games_with_marks()[1][0]
    assert pieces_text(board_after(game, 40)) == "4 : 5+1k"


def test_an_opinion_is_whites_value_and_the_networks_own_move():
    board = Board()
    first, second = board.legal_moves()[:2]
    analyses = [
        PlyAnalysis(1, Color.BLACK, first, 0.25, "", first, 0.0),
        PlyAnalysis(2, Color.WHITE, first, -0.5, "", second, 0.125),
    ]
    assert opinion(Remark(1, 2, 2, "", ""), analyses) == ["-0.25 → +0.50", f"{second}, better by 0.12"]
    assert opinion(Remark(1, 1, 1, "", ""), analyses) == ["+0.00 → -0.25", "the same"]
