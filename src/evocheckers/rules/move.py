"""Colours, squares and moves."""

import enum
from dataclasses import dataclass
from functools import lru_cache

from evocheckers.errors import EvocheckersError


class RulesError(EvocheckersError):
    """Bad input to the rules."""


class SquareError(RulesError):
    """Not a playable square: ``place`` is a square's number, or a row and a column."""

    def __init__(self, place: int | tuple[int, int], fault: str) -> None:
        self.place, self.fault = place, fault
        shown = f"row {place[0]}, column {place[1]}" if isinstance(place, tuple) else f"square {place}"
        super().__init__(f"{shown}: {fault}")


Square = int
"""1 to 32, as printed on boards."""


class Color(enum.IntEnum):
    """The two sides; Black (red in the papers) stands on 1-12 and moves first."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> "Color":
        return Color(1 - self)

    @property
    def letter(self) -> str:
        """The letter of this side in a FEN."""
        return "BW"[self]

    def __str__(self) -> str:
        return self.name.capitalize()


def square_of(bit: int, mover: Color) -> Square:
    """The square that a bit of the mover's board denotes; the board is turned for White."""
    return 32 - bit if mover is Color.WHITE else bit + 1


def row_and_column(square: Square) -> tuple[int, int]:
    """Row and column on the 8x8 board, from 0; squares 1-4 lie on row 0."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (1 - row % 2)


def square_at(row: int, column: int) -> Square:
    """The dark square at a row and column."""
    if not (0 <= row < 8 and 0 <= column < 8 and (row + column) % 2):
        raise SquareError((row, column), "not a dark square")
    return 4 * row + column // 2 + 1


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A move with its whole path: two captures with the same ends are two moves."""

    path: tuple[Square, ...]
    """Every square that the piece visits, first to last."""

    captured: tuple[Square, ...] = ()
    """The squares it jumps over, in order."""

    @property
    def start(self) -> Square:
        return self.path[0]

    @property
    def end(self) -> Square:
        return self.path[-1]

    @classmethod
    @lru_cache(maxsize=1 << 14)
    def from_code(cls, code: int, mover: Color) -> "Move":
        """Decode a move generator's code (see ``bitboard``). Decoded moves are cached."""
        bit, capture, directions = code & 31, code >> 5 & 1, code >> 6
        row, column = row_and_column(bit + 1)
        path, captured = [bit], []
        for shift in range(directions.bit_length() - 3, -1, -2):
            direction = directions >> shift & 3
            up, right = (1 if direction < 2 else -1), (1 if direction % 2 else -1)
            if capture:
                captured.append(square_at(row + up, column + right) - 1)
            row, column = row + up * (1 + capture), column + right * (1 + capture)
            path.append(square_at(row, column) - 1)
        return cls(tuple(square_of(bit, mover) for bit in path), tuple(square_of(bit, mover) for bit in captured))

    def __str__(self) -> str:
        return ("x" if self.captured else "-").join(map(str, self.path))
