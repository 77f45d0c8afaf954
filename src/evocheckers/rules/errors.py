"""Errors in positions, moves and game records.

RulesError
├── DepthError
├── FenError
├── MoveTextError
│   ├── IllegalMoveError
│   └── AmbiguousMoveError
├── PdnError
└── SquareError
"""

from evocheckers.errors import EvocheckersError


class RulesError(EvocheckersError):
    """Bad input to the rules."""


class DepthError(RulesError):
    """A perft depth out of range; ``depth_plies`` is the depth requested."""

    def __init__(self, depth_plies: int, fault: str) -> None:
        self.depth_plies, self.fault = depth_plies, fault
        super().__init__(f"perft depth is {depth_plies}, {fault}")


class SquareError(RulesError):
    """Not a playable square: ``place`` is a square's number, or a row and a column."""

    def __init__(self, place: int | tuple[int, int], fault: str) -> None:
        self.place, self.fault = place, fault
        shown = f"row {place[0]}, column {place[1]}" if isinstance(place, tuple) else f"square {place}"
        super().__init__(f"{shown}: {fault}")


class FenError(RulesError):
    """A FEN that does not describe a position; ``place`` counts characters from 1."""

    def __init__(self, fault: str, fen: str, place: int) -> None:
        self.fault, self.fen, self.place = fault, fen, place
        shown = fen if len(fen) <= 80 else fen[:77] + "..."
        super().__init__(f"FEN {shown!r}, character {place}: {fault}")


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


class PdnError(RulesError):
    """A game record that cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, fault: str, line: int, column: int) -> None:
        self.fault, self.line, self.column = fault, line, column
        super().__init__(f"line {line}, column {column}: {fault}")
