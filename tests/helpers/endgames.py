"""Endgame positions."""

import random

from evocheckers import Board, Color
from evocheckers.rules.fen import Position


def random_endgames(count: int, pieces: int, seed: int) -> list[Board]:
    """Positions with pieces of both sides on random squares, men and kings, either side to move."""
    generator = random.Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        squares = generator.sample(range(32), pieces)
        black = generator.randint(1, pieces - 1)
        words = {Color.BLACK: 0, Color.WHITE: 0}
        kings = 0
        for i, square in enumerate(squares):
            color = Color.BLACK if i < black else Color.WHITE
            words[color] |= 1 << square
            crowned = square >= 28 if color is Color.BLACK else square < 4
            if crowned or generator.random() < 0.5:
                kings |= 1 << square
        turn = generator.choice([Color.BLACK, Color.WHITE])
        boards.append(Board(Position(turn, words[Color.BLACK], words[Color.WHITE], kings)))
    return boards
