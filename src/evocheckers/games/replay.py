"""Positions of games that were played, found by compiled code."""

from collections.abc import Sequence

import numpy as np

from evocheckers.games.batch import BatchResult
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import pointer_to, u32
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board, reversed_word
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Color


@entry
def _replay(words: np.ndarray, codes: np.ndarray, plies: np.ndarray, room: np.ndarray) -> None:
    moves = pointer_to(room)
    for game in range(words.shape[0]):
        own, opp, kings = u32(words[game, 0]), u32(words[game, 1]), u32(words[game, 2])
        for ply in range(plies[game]):
            end = list_moves(own, opp, kings, moves, 0)
            for at in range(0, end, MOVE_WORDS):
                if moves[at + 3] == codes[game, ply]:
                    own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
                    break
        words[game, 0], words[game, 1], words[game, 2] = own, opp, kings


def positions_after(result: BatchResult, games: Sequence[int], plies: Sequence[int]) -> list[Position]:
    """The position of each of these games after so many plies."""
    starts = [result.starts[game] for game in games]
    words = np.array([Board(start).mover_words for start in starts], np.uint32).reshape(-1, 3)
    _replay(words, result.codes[list(games)], np.array(plies, np.int64), np.empty(MAX_MOVES * MOVE_WORDS, np.uint32))
    found = []
    for (own, opp, kings), start, count in zip(words.tolist(), starts, plies, strict=True):
        mover = start.turn if count % 2 == 0 else start.turn.opponent
        if mover is Color.BLACK:
            found.append(Position(mover, own, opp, kings))
        else:
            found.append(Position(mover, reversed_word(opp), reversed_word(own), reversed_word(kings)))
    return found
