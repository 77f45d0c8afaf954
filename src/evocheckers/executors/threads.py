"""The cores of this machine."""

import os

from evocheckers.games.batch import BatchResult, GameBatch
from evocheckers.games.play import play_batch


class ThreadExecutor:
    """Plays batches on threads, as many as there are cores unless told otherwise."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch."""
        return play_batch(batch.evaluators, batch.pairings, batch.rules, self.workers)
