"""Positions and networks that several tests need."""

import random

import numpy as np

from evocheckers import Board
from evocheckers.networks.spatial.reference import OUTPUT_BIAS, OUTPUT_WEIGHTS


def random_boards(count: int, seed: int, plies: int = 150) -> list[Board]:
    """Positions of random games, early and late, kings included."""
    generator = random.Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board()
        for _ in range(plies):
            moves = board.legal_moves()
            if not moves:
                break
            if generator.random() < 0.4:
                boards.append(Board(board.position))
            board.push(generator.choice(moves))
    return boards[:count]


def biased(weights: np.ndarray) -> np.ndarray:
    """Numbers of a spatial network whose values lean to one side by more than a man."""
    leaning = weights.copy()
    leaning[OUTPUT_WEIGHTS:OUTPUT_BIAS] *= 0.5
    leaning[OUTPUT_BIAS] = 1.3
    return leaning
