"""Perft: the number of move sequences of a given length, the standard check and benchmark of a move generator."""

import numpy as np

from evocheckers.errors import NumberError, whole_number
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import pointer_to, u32
from evocheckers.native.threads import run_interruptibly
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move, RulesError


class DepthError(RulesError):
    """A perft depth out of range; ``depth_plies`` is the depth requested."""

    def __init__(self, depth_plies: int, fault: str) -> None:
        self.depth_plies, self.fault = depth_plies, fault
        super().__init__(f"perft: {fault}")


MAX_DEPTH = 30
_SHORT_DEPTH = 6
"""Up to this depth counting is too fast to need interrupting."""


@entry
def _perft(
    own: u32, opp: u32, kings: u32, depth_plies: int, words: np.ndarray, levels: np.ndarray, stopped: np.ndarray
) -> int:
    """Depth first on an explicit stack: ``levels`` holds for every ply the next move to try and the end of the list.

    Ends without a valid count once ``stopped`` is not zero.
    """
    moves = pointer_to(words)
    level = pointer_to(levels)
    stop = pointer_to(stopped)
    total = 0
    ply = 0
    at = 0
    end = list_moves(own, opp, kings, moves, 0)
    while True:
        if ply == depth_plies - 1:
            total += (end - at) // MOVE_WORDS
            at = end
        if at == end:
            if ply == 0 or stop[0] != 0:
                return total
            ply -= 1
            at = level[2 * ply]
            end = level[2 * ply + 1]
            continue
        level[2 * ply] = at + MOVE_WORDS
        level[2 * ply + 1] = end
        own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
        at = end
        end = list_moves(own, opp, kings, moves, at)
        ply += 1


def _checked(depth_plies: int, least: int) -> int:
    try:
        return whole_number("depth_plies", depth_plies, least, MAX_DEPTH)
    except NumberError as error:
        raise DepthError(depth_plies, str(error)) from None


def perft(board: Board, depth_plies: int) -> int:
    """The number of legal move sequences of ``depth_plies`` plies from ``board``. Can be interrupted (Ctrl-C)."""
    depth_plies = _checked(depth_plies, 0)
    if depth_plies == 0:
        return 1
    words = np.empty(MAX_DEPTH * MAX_MOVES * MOVE_WORDS, np.uint32)
    levels = np.empty(2 * MAX_DEPTH, np.int64)
    stop = np.zeros(1, np.int64)
    own, opp, kings = board.mover_words

    def count() -> int:
        return int(_perft(u32(own), u32(opp), u32(kings), depth_plies, words, levels, stop))

    def interrupt() -> None:
        stop[0] = 1

    return count() if depth_plies <= _SHORT_DEPTH else run_interruptibly(count, interrupt)


def divide(board: Board, depth_plies: int) -> dict[Move, int]:
    """``perft`` split by the first move."""
    depth_plies = _checked(depth_plies, 1)
    return {move: perft(board.child(move), depth_plies - 1) for move in board.legal_moves()}
