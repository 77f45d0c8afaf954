"""FEN for draughts: ``B:W21,K32:B1-12`` is the side to move, then the pieces of each side, with K before a king.

Reads ranges (``1-12``), the sides in either order, a trailing dot, spaces and lower-case letters. Writes the canonical
form: White's pieces first, squares in rising order, no ranges.
"""

import re
from typing import NamedTuple

from evocheckers.rules.move import Color, RulesError


class FenError(RulesError):
    """A FEN that does not describe a position; ``place`` counts characters from 1."""

    def __init__(self, fault: str, fen: str, place: int) -> None:
        self.fault, self.fen, self.place = fault, fen, place
        shown = fen if len(fen) <= 80 else fen[:77] + "..."
        super().__init__(f"FEN {shown!r}, character {place}: {fault}")


MAX_PIECES_PER_SIDE = 12

_PIECES = re.compile(r"(?P<king>[Kk]?)(?P<first>[0-9]{1,3})(?:-(?P<last>[0-9]{1,3}))?")
_LAST_ROW = {Color.BLACK: 0xF0000000, Color.WHITE: 0x0000000F}


class Position(NamedTuple):
    """Side to move and three boards; bit ``i`` is square ``i + 1`` for both sides. Can be compared, hashed and stored.

    >>> from evocheckers import Board
    >>> seen = {Board().push_all(line.split()).position for line in ("9-13 24-20 10-15", "10-15 24-20 9-13")}
    >>> len(seen)
    1
    """

    turn: Color
    black: int
    white: int
    kings: int


START = Position(Color.BLACK, 0x00000FFF, 0xFFF00000, 0)
START_FEN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def parse_fen(fen: str) -> Position:
    """Read a FEN; a fault raises a ``FenError`` that gives its position."""
    body = fen.rstrip().removesuffix(".")
    fields = body.split(":")
    if len(fields) != 3:
        raise FenError(
            f"expected three fields separated by ':', as in W:W18,22:B3,K32, but found {len(fields)}", fen, 1
        )
    side = fields[0].strip()
    if side.upper() not in ("B", "W"):
        raise FenError(f"the side to move is {side!r}, not B or W", fen, 1)
    boards = {Color.BLACK: 0, Color.WHITE: 0}
    kings = 0
    seen: set[Color] = set()
    place = len(fields[0]) + 2
    for field in fields[1:]:
        letter = field.lstrip()[:1].upper()
        start = place + len(field) - len(field.lstrip())
        if letter not in ("B", "W"):
            raise FenError("a list of pieces begins with B or W", fen, start)
        color = Color.BLACK if letter == "B" else Color.WHITE
        if color in seen:
            raise FenError(f"{color}'s pieces are listed twice", fen, start)
        seen.add(color)
        board, crowned = _parse_pieces(field, color, fen, place)
        if board & boards[color.opponent]:
            square = (board & boards[color.opponent]).bit_length()
            raise FenError(f"square {square} holds pieces of both sides", fen, place)
        boards[color] = board
        kings |= crowned
        place += len(field) + 1
    return Position(
        Color.BLACK if side.upper() == "B" else Color.WHITE, boards[Color.BLACK], boards[Color.WHITE], kings
    )


def _parse_pieces(field: str, color: Color, fen: str, place: int) -> tuple[int, int]:
    board = kings = 0
    at = field.upper().index(color.letter) + 1
    if not field[at:].strip():
        return 0, 0
    for item in field[at:].split(","):
        here = place + at + len(item) - len(item.lstrip())
        match = _PIECES.fullmatch(item.strip())
        if match is None:
            raise FenError(f"{item.strip()[:20]!r} is not a square", fen, here)
        first = int(match["first"])
        last = int(match["last"] or first)
        if not 1 <= first <= last <= 32:
            raise FenError(f"{item.strip()!r} lies outside squares 1 to 32", fen, here)
        bits = (1 << last) - (1 << (first - 1))
        if bits & board:
            raise FenError(f"square {(bits & board).bit_length()} is listed twice", fen, here)
        board |= bits
        if match["king"]:
            kings |= bits
        elif bits & _LAST_ROW[color]:
            square = (bits & _LAST_ROW[color]).bit_length()
            raise FenError(f"a {color.name.lower()} man cannot stand on square {square}, its crowning row", fen, here)
        at += len(item) + 1
    if board.bit_count() > MAX_PIECES_PER_SIDE:
        raise FenError(f"{color} has {board.bit_count()} pieces, more than {MAX_PIECES_PER_SIDE}", fen, place)
    return board, kings


def format_fen(position: Position) -> str:
    """The canonical FEN of a position."""

    def pieces(board: int) -> str:
        squares = [square for square in range(1, 33) if board >> (square - 1) & 1]
        return ",".join(f"K{square}" if position.kings >> (square - 1) & 1 else str(square) for square in squares)

    return f"{position.turn.letter}:W{pieces(position.white)}:B{pieces(position.black)}"
