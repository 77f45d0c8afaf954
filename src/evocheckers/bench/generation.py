"""What a generation of ``lamarck`` costs besides its games and learning: breeding, pairing, digest, recording."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from evocheckers.evolution import lamarck
from evocheckers.evolution.evolve import Resumable, next_generation
from evocheckers.evolution.lamarck import LamarckSettings, copies, create, rate_now
from evocheckers.evolution.registry import make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import GameBatch
from evocheckers.games.driving import drive
from evocheckers.learning.adam import Rates
from evocheckers.learning.dataset import positions_of
from evocheckers.learning.trainer import Lesson, learn
from evocheckers.runs.file import Run
from evocheckers.runs.schema import MAX_COUNT

WHOLE, GAMES, LEARNING = "generation", "its games", "its learning"
SETTINGS = make_settings(lamarck.SCHEME, {"schedule": 1_000_000})
"""As shipped, at 2 plies; the schedule is so long that all timed generations are alike."""
_SEED = 1


@contextmanager
def generation_work(settings: LamarckSettings = SETTINGS) -> Iterator[dict[str, Callable[[], object]]]:
    """The work to time: a recorded generation with a full memory, its games alone, and its learning alone.

    Learning is what ``learning/`` does: positions from games, gradients, Adam.
    """
    executor = ThreadExecutor()
    state = create(settings, _SEED)
    games = lamarck.pairings(settings, _SEED, 1, state.size)
    batch = GameBatch(copies(settings, _SEED, 1, state), games, settings.rules())
    first = drive(next_generation(lamarck.SCHEME, settings, _SEED, Resumable(0, state, "")), executor)
    (experience,) = first.state.experience
    full = state._replace(experience=(experience,) * (settings.memory - 1))
    positions = np.concatenate([experience.positions] * settings.memory)
    rates = Rates(rate_now(settings, 1))
    played = first.report.games
    lesson = Lesson(
        state.learner(0, settings),
        positions,
        _SEED,
        settings.steps,
        settings.batch,
        rates,
        trust=settings.trust,
        ahead=settings.ahead,
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        Run.create(Path(folder) / "run.sqlite", "lamarck", lamarck.SCHEME, settings, _SEED, MAX_COUNT) as run,
    ):

        def whole() -> None:
            before = Resumable(run.generation, full, "")
            run.record(drive(next_generation(lamarck.SCHEME, settings, _SEED, before), executor))

        def learning() -> None:
            positions_of(played)
            learn(lesson)

        yield {WHOLE: whole, GAMES: lambda: executor.play(batch), LEARNING: learning}
