"""A player from another package: ``greedy`` captures as many pieces as it can, and otherwise plays any move."""

import random

from evocheckers import Board, Contestant, EvocheckersError, Limit, Move


class Greedy:
    """Looks only at the moves, not at what they lead to."""

    def begin(self, start: object, seed: int) -> None:
        """A new game."""
        self._random = random.Random(seed)

    def choose(self, board: Board) -> Move:
        """One of the moves that capture most."""
        moves = board.legal_moves()
        most = max(len(move.captured) for move in moves)
        return self._random.choice([move for move in moves if len(move.captured) == most])

    def stop(self) -> None:
        """It never thinks for long."""

    def close(self) -> None:
        """It holds nothing open."""


def make(argument: str, limit: Limit | None) -> Contestant:
    """The entry point; greedy never looks ahead, whatever the limit."""
    if argument:
        raise EvocheckersError("greedy takes no argument")
    return Contestant("greedy", make=Greedy)
