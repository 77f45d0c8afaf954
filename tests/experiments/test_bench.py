import numpy as np

from evocheckers import Network
from evocheckers.experiments.bench.cores import MIDDLE_GAMES, MIDDLE_PLIES, middle_games


def test_the_positions_of_a_move_are_twenty_middle_games_and_the_same_every_time():
    networks = [Network.random(generator) for generator in [np.random.default_rng(0)] for _ in range(30)]
    evaluators = [network.evaluator() for network in networks]
    boards = middle_games(evaluators)
    assert len({board.fen() for board in boards}) == MIDDLE_GAMES
    assert all(len(board.moves) == MIDDLE_PLIES and len(board.legal_moves()) > 1 for board in boards)
    assert all(10 <= sum(board.piece_at(square) != "." for square in range(1, 33)) <= 24 for board in boards)
    assert [board.fen() for board in boards] == [board.fen() for board in middle_games(evaluators)]
