"""Errors in games to learn from and in settings of learning.

EvocheckersError
└── LearningError
    └── ReplayError
"""

from evocheckers.errors import EvocheckersError


class LearningError(EvocheckersError):
    """Settings or positions that cannot be used for learning."""


class ReplayError(LearningError):
    """A game with an illegal move; ``game`` is its number."""

    def __init__(self, game: int) -> None:
        self.game = game
        super().__init__(f"game {game + 1} of the batch holds an illegal move")
