"""Games on the cores of this machine."""

import os

from evocheckers.games.batch import BatchResult, GameBatch
from evocheckers.games.play import play_batch


class ThreadExecutor:
    """Plays batches on threads, by default as many as there are cores."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch."""
        return play_batch(batch.evaluators, batch.pairings, batch.rules, self.workers)
