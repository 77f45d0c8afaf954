"""Legal moves against two other implementations, path by path."""

import random
from typing import Any

import pytest

from evocheckers import Board, Color, Move
from evocheckers.rules.move import row_and_column
from tests.helpers.boards import random_boards

POSITIONS = 6_000


@pytest.mark.parametrize("part", range(4))
def test_pydraughts_agrees(part):
    draughts = pytest.importorskip("draughts")
    boards = random_boards(POSITIONS // 4, seed=100 + part)
    with_kings = 0
    for board in boards:
        with_kings += bool(board.position.kings)
        theirs = draughts.Board(variant="english", fen=board.fen())
        expected = sorted(tuple(move.steps_move) for move in theirs.legal_moves())
        assert sorted(move.path for move in board.legal_moves()) == expected, board.fen()
    assert with_kings > len(boards) / 2


def spiel_name(square: int) -> str:
    row, column = row_and_column(square)
    return f"{'abcdefgh'[7 - column]}{row + 1}"


def spiel_paths(state: Any) -> dict[tuple[str, ...], Any]:
    """OpenSpiel plays a multiple jump as several actions; join them."""
    finished = {}

    def follow(state: Any, path: tuple[str, ...]) -> None:
        mover = state.current_player()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            child = state.child(action)
            whole = (*(path or (text[:2],)), text[2:])
            if not child.is_terminal() and child.current_player() == mover:
                follow(child, whole)
            else:
                finished[whole] = child

    follow(state, ())
    return finished


def test_openspiel_agrees():
    pyspiel = pytest.importorskip("pyspiel")
    generator = random.Random(11)
    game = pyspiel.load_game("checkers")
    compared = with_kings = 0
    while compared < POSITIONS:
        board, state = Board(), game.new_initial_state()
        while not state.is_terminal():
            theirs = spiel_paths(state)
            ours: dict[tuple[str, ...], Move] = {
                tuple(map(spiel_name, move.path)): move for move in board.legal_moves()
            }
            assert set(ours) == set(theirs), board.fen()
            compared += 1
            with_kings += bool(board.position.kings)
            path = generator.choice(sorted(ours))
            board.push(ours[path])
            state = theirs[path]
        if not board.legal_moves():
            assert state.returns()[0] == (1.0 if board.turn is Color.WHITE else -1.0)
    assert with_kings > compared / 4
