"""Driving a step with results of our own making."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evocheckers.games.batch import BatchResult, GameBatch


def made_up(batch: GameBatch, winner: Callable[[int], int]) -> BatchResult:
    """Results of a batch; ``winner`` decides every game."""
    count = len(batch.pairings)
    return BatchResult(
        winners=np.array([winner(game) for game in range(count)], np.int8),
        reasons=np.full(count, 3, np.int8),
        plies=np.full(count, 10, np.int32),
        evaluations=np.zeros(count, np.int64),
        codes=np.zeros((count, 10), np.uint32),
        starts=[pairing.start for pairing in batch.pairings],
    )


def drive(step: Any, winner: Callable[[GameBatch, int], int]) -> tuple[Any, Any, list[GameBatch]]:
    """Run a step to its end; ``winner`` decides every game."""
    batches = [next(step)]
    while True:
        batch = batches[-1]
        try:
            batches.append(step.send(made_up(batch, partial(winner, batch))))
        except StopIteration as end:
            return (*end.value, batches)
