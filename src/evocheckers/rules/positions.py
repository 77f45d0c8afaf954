"""Many positions as one array: rows of three words, as compiled code takes them.

A row is ``own, opp, kings``: the pieces of the side to move, those of its opponent, and the kings of both. Bit ``i`` is
square ``i + 1`` for Black; for White the board is turned, so that the side to move always moves up.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import popcount, u32
from evocheckers.rules.board import Board, reversed_word
from evocheckers.rules.fen import MAX_PIECES_PER_SIDE, Position
from evocheckers.rules.move import Color, RulesError

Positions = NDArray[np.integer[Any]] | Board | Position | str | Sequence[Board | Position | str]
"""Rows of shape ``(n, 3)``, or boards, positions and FENs."""


class PositionsError(RulesError):
    """An array that does not hold positions."""


@entry
def _first_impossible(rows: np.ndarray) -> int:
    """The first row with overlapping sides, kings without pieces or too many pieces on a side; -1 if there is none."""
    for i in range(rows.shape[0]):
        own, opp, kings = u32(rows[i, 0]), u32(rows[i, 1]), u32(rows[i, 2])
        is_overlapping = (own & opp) != u32(0) or (kings & ~(own | opp)) != u32(0)
        if is_overlapping or popcount(own) > MAX_PIECES_PER_SIDE or popcount(opp) > MAX_PIECES_PER_SIDE:
            return i
    return -1


def rows_of(positions: Positions) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """Positions as checked rows, and for each whether White is to move; rows given as such are taken for Black's.

    >>> rows_of(["B:W32:B1", Board()])[0].tolist()
    [[1, 2147483648, 0], [4095, 4293918720, 0]]
    """
    if isinstance(positions, np.ndarray):
        if positions.ndim != 2 or positions.shape[1] != 3 or not np.issubdtype(positions.dtype, np.integer):
            shape = " x ".join(map(str, positions.shape)) or "one number"
            raise PositionsError(f"positions are rows of three whole numbers, not {positions.dtype} of shape {shape}")
        rows = np.ascontiguousarray(positions, np.uint32)
        if positions.dtype != np.uint32 and not np.array_equal(rows, positions):
            raise PositionsError("positions are rows of words of 32 bits; some numbers are larger or negative")
        is_white = np.zeros(len(rows), np.bool_)
        bad = _first_impossible(rows)
        if bad >= 0:
            own, opp, kings = rows[bad].tolist()
            raise PositionsError(f"row {bad} is no position: own {own:#x}, opp {opp:#x}, kings {kings:#x}")
        return rows, is_white
    listed = [positions] if isinstance(positions, Board | Position | str) else list(positions)
    boards = [one if isinstance(one, Board) else Board(one) for one in listed]
    rows = np.array([board.mover_words for board in boards], np.uint32).reshape(-1, 3)
    return rows, np.array([board.turn is Color.WHITE for board in boards], np.bool_)


def turned_rows(rows: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The same positions with the other side to move."""
    turned = [[reversed_word(word) for word in (opp, own, kings)] for own, opp, kings in rows.tolist()]
    return np.array(turned, np.uint32).reshape(-1, 3)
