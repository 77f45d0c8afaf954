import dataclasses

import numpy as np
import pytest

from evocheckers.games.batch import BatchResult, GameRules, Pairing, empty_result, play_batch
from evocheckers.learning.dataset import (
    MAX_GAMES,
    Experience,
    ReplayError,
    all_positions,
    games_of,
    labels_of,
    positions_of,
)
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.gradient_layout import LearningError
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, parse_fen
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import Reason


def code_of(move, mover):
    steps = [start | (4 | way) << 6 for start in range(32) for way in range(4)]
    jumps = [start | 32 | path << 6 for start in range(32) for path in range(4, 64)]
    return next(code for code in steps + jumps if _decoded(code, mover) == move)


def _decoded(code, mover):
    try:
        return Move.from_code(code, mover)
    except (IndexError, ValueError):
        return None


def hand_made(*games) -> BatchResult:
    """A batch out of games given as start, moves, winner and reason."""
    starts = [parse_fen(fen) for fen, *_ in games]
    result = empty_result(starts, GameRules(max_plies=10))
    for number, (fen, moves, winner, reason) in enumerate(games):
        board = Board(fen)
        for ply, text in enumerate(moves.split()):
            move = board.parse(text)
            result.codes[number, ply] = code_of(move, board.turn)
            board.push(move)
            result.plies[number] = ply + 1
        result.winners[number], result.reasons[number] = winner, reason.value
    return result


def words(fen):
    return list(Board(fen).mover_words)


def test_hand_made_games():
    result = hand_made(
        ("B:W31:B22", "22-26 31x22", -1, Reason.NO_PIECES),
        ("W:W31,32:B22", "31-26 22x31 32-27 31x24", 1, Reason.NO_PIECES),
        ("W:WK1:BK32", "1-5 32-28 5-1", 0, Reason.MOVE_LIMIT),
        ("W:W5:B1", "", 1, Reason.NO_MOVES),
        ("W:W30:B9", "30-25 9-13", -1, Reason.ADJUDICATION),
    )
    rows = positions_of(result, first_game=100)
    assert rows[:, :3].tolist() == [
        words("B:W31:B22"),
        words("W:W31,32:B22"),
        words("W:W32:BK31"),
        words("W:WK1:BK32"),
        words("B:WK5:BK32"),
        words("W:WK5:BK28"),
        words("W:W30:B9"),
        words("B:W25:B9"),
    ]
    assert labels_of(rows).tolist() == [0, 0, 0, 0.5, 0.5, 0.5, 1, 0]
    assert games_of(rows).tolist() == [100, 101, 101, 102, 102, 102, 104, 104]


def random_games(count=40, max_plies=60):
    pairings = [Pairing(0, 0, seed, 0, 0, START) for seed in range(count)]
    return play_batch([piece_differential()], pairings, GameRules(max_plies=max_plies))


def test_random_games_against_the_board():
    result = random_games()
    expected = []
    for number in range(len(result)):
        record = result[number]
        board = Board(START)
        for move in record.moves:
            if not any(move.captured for move in board.legal_moves()):
                winner = record.outcome.winner
                points = 1 if winner is None else 2 * (winner is board.turn)
                expected.append((*board.mover_words, number << 3 | (board.turn is Color.WHITE) << 2 | points))
            board.push(move)
    assert positions_of(result).tolist() == [list(row) for row in expected]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_change_nothing(threads):
    result = random_games(100)
    assert np.array_equal(positions_of(result, threads=threads), positions_of(result))


def test_no_games():
    assert positions_of(empty_result([], GameRules())).shape == (0, 4)


def test_illegal_move():
    result = random_games(5)
    codes = result.codes.copy()
    codes[3, 7] = 1
    with pytest.raises(ReplayError, match="game 4") as caught:
        positions_of(dataclasses.replace(result, codes=codes))
    assert caught.value.game == 3


def test_too_many_games():
    with pytest.raises(LearningError, match="below"):
        positions_of(random_games(2), first_game=MAX_GAMES - 1)


def part(*numbers):
    rows = np.array([[number] * 4 for number in numbers], np.uint32).reshape(-1, 4)
    return Experience(rows, np.zeros(1, np.int64), np.zeros(1, np.int64))


def test_positions_of_generations_follow_each_other():
    for parts in ([(1, 2), (3,)], [(4,)], [()], [tuple(range(100)), (7, 8)], [(9,), (10, 11)]):
        joined = all_positions([part(*numbers) for numbers in parts])
        assert joined[:, 0].tolist() == [number for numbers in parts for number in numbers]
        assert joined.shape[1] == 4
