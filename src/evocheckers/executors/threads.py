"""Games on the cores of this machine."""

from evocheckers.games.batch import BatchResult, GameBatch, play_batch
from evocheckers.native.threads import thread_count


class ThreadExecutor:
    """Plays batches on threads, by default as many as there are cores."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = thread_count(workers)

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch."""
        return play_batch(batch.evaluators, batch.pairings, batch.rules, self.workers)
