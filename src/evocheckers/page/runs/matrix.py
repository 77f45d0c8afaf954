"""Generations of a run against each other, within the time that a server can spare."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from evocheckers.analysis.generations import MATRIX_SIZE, cross_matrix
from evocheckers.errors import EvocheckersError
from evocheckers.games.batch import COLUMNS, BatchResult, GameBatch, play_batch
from evocheckers.page.runs.models import MatrixModel
from evocheckers.runs.file import Run

MATRIX_PLIES = 4
"""Generations of deeper runs search no deeper than this."""
MATRIX_SECONDS = 120.0


class SlowRunError(EvocheckersError):
    """A run that takes too long for the server."""

    def __init__(self, path: Path, fault: str) -> None:
        self.path, self.fault = path, fault
        super().__init__(f"run {path.stem}: {fault}")


class GameByGame:
    """Plays the games of a batch one by one, calling ``check`` before each."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch; an error raised by ``check`` ends it."""
        results = []
        for pairing in batch.pairings:
            self._check()
            results.append(play_batch(batch.evaluators, [pairing], batch.rules, 1))
        columns = {name: np.concatenate([getattr(result, name) for result in results]) for name in COLUMNS}
        return BatchResult(**columns, starts=batch.starts)


def play_matrix(run: Run, check: Callable[[], None]) -> MatrixModel:
    """Play a sample of generations against each other; ``check`` is called before each game and may end it."""
    end = time.monotonic() + MATRIX_SECONDS

    def go_on() -> None:
        check()
        if time.monotonic() > end:
            raise SlowRunError(run.path, f"its generations take longer than {MATRIX_SECONDS:g} s for their games")

    if run.generation == 0:
        raise EvocheckersError("this run has no generation yet")
    plies = min(run.settings.plies, MATRIX_PLIES)
    numbers, shares = cross_matrix(run, GameByGame(go_on), MATRIX_SIZE, plies)
    rows = [[None if np.isnan(share) else round(float(share), 4) for share in row] for row in shares]
    return MatrixModel(generations=list(numbers), shares=rows, plies=plies)
