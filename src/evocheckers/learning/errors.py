"""What can be wrong with games to learn from and with settings of learning.

EvocheckersError
└── LearningError
    └── ReplayError
"""

from evocheckers.errors import EvocheckersError


class LearningError(EvocheckersError):
    """Settings or positions that nobody can learn with."""


class ReplayError(LearningError):
    """A game that holds an illegal move; ``game`` is its number."""

    def __init__(self, game: int) -> None:
        self.game = game
        super().__init__(f"game {game + 1} of the batch holds an illegal move")
