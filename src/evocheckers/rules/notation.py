"""Move text: ``11-15``, ``15x22``, or the whole path of a capture, ``10x19x28``.

``-``, ``x`` and ``:`` are read alike, since real records write ``29x25`` for quiet moves. A capture given only by its
ends is accepted if exactly one legal move matches; otherwise the error lists the choices.
"""

import re
from collections.abc import Sequence

from evocheckers.rules.move import Move, RulesError


class MoveTextError(RulesError):
    """Text that is not a move."""

    def __init__(self, text: str, fault: str) -> None:
        self.text, self.fault = text, fault
        shown = text if len(text) <= 40 else text[:37] + "..."
        super().__init__(f"move {shown!r}: {fault}")


class IllegalMoveError(MoveTextError):
    """A move that the position does not allow."""


class AmbiguousMoveError(MoveTextError):
    """An abbreviated capture that matches several moves; ``choices`` are their full texts."""

    def __init__(self, text: str, choices: list[str]) -> None:
        self.choices = choices
        super().__init__(text, f"could be {' or '.join(choices)}")


_TEXT = re.compile(r"[0-9]{1,2}(?:\s*[-xX:]\s*[0-9]{1,2})+")


def parse_squares(text: str) -> tuple[int, ...]:
    """The squares that a move text names."""
    if not _TEXT.fullmatch(text.strip()):
        raise MoveTextError(text, "expected squares joined by '-' or 'x', such as 11-15 or 15x22")
    squares = tuple(int(part) for part in re.split(r"\s*[-xX:]\s*", text.strip()))
    for square in squares:
        if not 1 <= square <= 32:
            raise MoveTextError(text, f"{square} is not a square (1 to 32)")
    return squares


def find_move(text: str, legal: Sequence[Move]) -> Move:
    """The one legal move that ``text`` denotes."""
    squares = parse_squares(text)
    exact = [move for move in legal if move.path == squares]
    if exact:
        return exact[0]
    short = [move for move in legal if len(squares) == 2 and (move.start, move.end) == squares]
    if len(short) == 1:
        return short[0]
    if short:
        raise AmbiguousMoveError(text, [str(move) for move in short])
    raise IllegalMoveError(text, _why_not(squares, legal))


def _why_not(squares: tuple[int, ...], legal: Sequence[Move]) -> str:
    if not legal:
        return "the game is over, no move is legal"
    here = [str(move) for move in legal if move.start == squares[0]]
    must = " (a jump is compulsory)" if legal[0].captured else ""
    if here:
        return f"not legal; from {squares[0]} there is {', '.join(here[:12])}{must}"
    return f"not legal; legal moves: {', '.join(str(move) for move in legal[:12])}{must}"
