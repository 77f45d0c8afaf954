"""The curves of a run for TensorBoard: ``ScalarLog`` writes the scalars of every event.

Needs tensorboardX, an extra: ``pip install 'evocheckers[tensorboard]'``; view the curves with ``tensorboard --logdir``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.evolve import Generation
from evocheckers.runs.recording import Event, Measurement


class TensorBoardError(EvocheckersError):
    """The package that writes curves is missing."""


class ScalarLog:
    """Writes scalars into a folder, generation by generation; a run resumed into the same folder continues there."""

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            raise TensorBoardError("--tensorboard needs tensorboardX: pip install 'evocheckers[tensorboard]'") from None
        folder.mkdir(parents=True, exist_ok=True)
        self._writer = SummaryWriter(str(folder))

    def tell(self, event: Event) -> None:
        """Write the scalars of an event, at its generation."""
        number = event.generation if isinstance(event, Measurement) else event.number
        for name, value in scalars_of(event):
            self._writer.add_scalar(name, value, number)
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()

    def __enter__(self) -> "ScalarLog":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def scalars_of(event: Event) -> Iterator[tuple[str, float]]:
    """The scalars of an event by name; what a scheme does not have is left out."""
    if isinstance(event, Measurement):
        low, high = event.score.interval
        yield from (("strength/share", event.score.share), ("strength/low", low), ("strength/high", high))
        return
    yield from ((name, value) for name, value in _of_generation(event) if np.isfinite(value))


def _of_generation(generation: Generation[Any]) -> Iterator[tuple[str, float]]:
    people, games = generation.report.individuals, generation.report.games
    best = int(np.flatnonzero(people.ids == generation.report.best_id)[0])
    yield "games/drawn", float((games.winners == 0).mean())
    yield "games/plies", float(games.plies.mean())
    yield "best/score", float(people.scores[best])
    yield "best/king_value", float(people.king_values[best])
    yield "best/step_size", float(people.step_sizes[best])
    yield "time/seconds", generation.seconds
    yield "time/evaluations_per_second", float(games.evaluations.sum()) / max(generation.playing_seconds, 1e-9)
