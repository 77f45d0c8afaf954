"""What a generation of ``lamarck`` costs beside its games and its learning: breeding, pairing, digest, recording."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from evocheckers.evolution import lamarck
from evocheckers.evolution.evolve import Resumable, next_generation
from evocheckers.evolution.learners import LamarckSettings, copies, create, rate_now
from evocheckers.evolution.presets import make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import GameBatch
from evocheckers.games.driving import drive
from evocheckers.learning.adam import Rates
from evocheckers.learning.learner import Lesson, learn
from evocheckers.learning.positions import positions_of
from evocheckers.runs.run import Run
from evocheckers.runs.schema import MAX_COUNT

WHOLE, GAMES, LEARNING = "generation", "its games", "its learning"
SETTINGS = make_settings(lamarck.SCHEME, {"schedule": 1_000_000})
"""As it ships at 2 plies; with so long a schedule, all generations that are timed are alike."""
_SEED = 1


@contextmanager
def generation_work(settings: LamarckSettings = SETTINGS) -> Iterator[dict[str, Callable[[], object]]]:
    """A generation with a full memory, recorded; its games alone; its learning alone.

    Learning is what ``learning/`` does: positions out of games, gradients, Adam.
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
