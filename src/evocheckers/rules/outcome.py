"""How a game ended: who won and, separately, why."""

import enum
from dataclasses import dataclass

from evocheckers.rules.move import Color

REPETITIONS = 3
"""If the repetition rule applies, a game is drawn when a position has occurred this many times."""


class Reason(enum.IntEnum):
    """Why a game is over. The numbers are used in files and by compiled code, and never change."""

    NO_PIECES = 1
    NO_MOVES = 2
    MOVE_LIMIT = 3
    REPETITION = 4
    RESIGNATION = 5
    ADJUDICATION = 6
    FORFEIT = 7

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game."""

    winner: Color | None
    """None for a draw."""

    reason: Reason

    @property
    def result(self) -> str:
        """The PDN result in the English convention: the first number belongs to Black, who moves first."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Color.BLACK else "0-1"

    def __str__(self) -> str:
        return f"draw by {self.reason}" if self.winner is None else f"{self.winner} wins ({self.reason})"
