"""A recorded evolution: start or resume a run file, measure strength on the way, and report every step."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evocheckers.evolution.evolve import Generation, Resumable, next_generation
from evocheckers.evolution.registry import find_preset, is_preset, make_settings, preset_names
from evocheckers.evolution.scheme import ConfigError, Settings
from evocheckers.games.batch import BatchResult, Executor, GameBatch
from evocheckers.games.driving import BatchGenerator, Task, drive, play_together
from evocheckers.runs.file import Run, run_exists
from evocheckers.runs.schema import MEASURE_EVERY, KeptGames
from evocheckers.runs.validation import RunError
from evocheckers.tournaments.piece_counter import piece_counter_match
from evocheckers.tournaments.score import Score


@dataclass(frozen=True)
class Measurement:
    """The score of a generation's best network against piece differential."""

    generation: int
    score: Score


Event = Generation[Any] | Measurement
"""What a run yields."""


def open_run(
    name: str,
    path: Path | None,
    generations: int | None,
    seed: int | None,
    changes: Mapping[str, Any],
    keep: KeptGames | None = None,
    measure_every: int | None = None,
) -> Run:
    """Start a preset's run, or resume an existing file; a file with other settings is refused.

    By default, a new run keeps moves and is measured every 20 generations. Messages for the caller are in
    ``run.notices``.
    """
    if is_preset(name):
        preset = find_preset(name)
        settings = make_settings(preset.scheme, {**preset.settings, **changes})
        path = path or Path("runs") / f"{name}-{1 if seed is None else seed}.sqlite"
        if not run_exists(path):
            every = MEASURE_EVERY if measure_every is None else measure_every
            length = generations or preset.generations
            chosen = 1 if seed is None else seed
            run = Run.create(path, name, preset.scheme, settings, chosen, length, keep or KeptGames.MOVES, every)
            run.notices += settings.notices(length)
            return run
    else:
        path = _run_file(name, path)
    run = Run.open(path, writing=True)
    try:
        if not is_preset(name):
            name, settings = run.preset, make_settings(run.scheme, {**run.settings.model_dump(), **changes})
        _refuse_other(run, name, settings, seed, keep)
        if generations is not None and generations != run.generations:
            run.set_generations(generations)
            run.notices += settings.notices(generations)
        if measure_every is not None and measure_every != run.measure_every:
            run.set_measure_every(measure_every)
    except BaseException:
        run.close()
        raise
    return run


def _run_file(name: str, path: Path | None) -> Path:
    """The run file that was named instead of a preset."""
    if path is None and name.endswith(".sqlite") and not Path(name).exists():
        raise ConfigError(f"there is no run file {name!r}", "preset", name)
    if path is not None or not Path(name).exists():
        raise ConfigError(f"{name!r} is neither a run file nor a preset ({', '.join(preset_names())})", "preset", name)
    return Path(name)


def _refuse_other(run: Run, preset: str, settings: Settings, seed: int | None, keep: KeptGames | None) -> None:
    there, here = run.settings.model_dump(), settings.model_dump()
    differ = [f"preset {run.preset}, not {preset}"] if run.preset != preset else []
    differ += [f"{name} = {there[name]}, not {here.get(name)}" for name in there if there[name] != here.get(name)]
    if seed is not None and seed != run.seed:
        differ.append(f"seed {run.seed}, not {seed}")
    if keep is not None and keep is not run.keep:
        differ.append(f"kept {run.keep}, not {keep}")
    if differ:
        raise RunError(run.path, f"has {'; '.join(differ)}")


def open_runs(
    preset: str,
    folder: Path,
    generations: int | None,
    seeds: Sequence[int],
    grid: Sequence[Mapping[str, Any]],
    changes: Mapping[str, Any],
    keep: KeptGames | None = None,
    measure_every: int | None = None,
) -> list[Run]:
    """A run for every seed and every set of settings, each in its own file named after them."""
    runs: list[Run] = []
    with ExitStack() as opened:
        for point in grid:
            marks = "".join(f"-{name}={value}" for name, value in point.items())
            for seed in seeds:
                path = folder / f"{preset}{marks}-{seed}.sqlite"
                run = open_run(preset, path, generations, seed, {**changes, **point}, keep, measure_every)
                runs.append(opened.enter_context(run))
        opened.pop_all()  # no error: they stay open
    return runs


class Recorder:
    """A run in progress: one piece of work after another, each recorded before it is handed out."""

    def __init__(
        self, run: Run, measure_every: int | None = None, announce: Callable[[str], None] = lambda _: None
    ) -> None:
        """``announce`` is called with a description of each piece of work before it starts."""
        self._run, self._announce = run, announce
        self._every = run.measure_every if measure_every is None else measure_every
        self._now = run.last() or Resumable(0, run.scheme.begin(run.settings, run.seed), "")
        measured = set(run.strengths())
        self._due = [
            number for number in range(self._now.number + 1) if self._is_due(number) and number not in measured
        ]

    def next(self) -> BatchGenerator[Event] | None:
        """The next measurement that is due, or else the next generation; None at the end."""
        if self._due:
            self._announce(f"measuring generation {self._due[0]}")
            return self._measure(self._due.pop(0))
        if self._now.number >= self._run.generations:
            return None
        self._announce(f"generation {self._now.number + 1}")
        return self._advance()

    def _is_due(self, generation: int) -> bool:
        return self._every > 0 and (generation % self._every == 0 or generation == self._run.generations)

    def _measure(self, generation: int) -> BatchGenerator[Event]:
        score = yield from piece_counter_match(self._run.network(generation), self._run.settings.plies)
        self._run.record_strength(generation, score)
        return Measurement(generation, score)

    def _advance(self) -> BatchGenerator[Event]:
        run = self._run
        done = yield from next_generation(run.scheme, run.settings, run.seed, self._now)
        run.record(done)
        self._now = done
        if self._is_due(done.number):
            self._due.append(done.number)
        return done


def carry_on(
    run: Run, executor: Executor, measure_every: int | None = None, announce: Callable[[str], None] = lambda _: None
) -> Iterator[Event]:
    """Take a run to its end: yield generations as they are recorded, and the measurements that are due.

    Measurements are due as the run file says, or every ``measure_every`` generations. ``announce`` is called with a
    description of each piece of work before it starts.
    """
    recorder = Recorder(run, measure_every, announce)
    while (work := recorder.next()) is not None:
        yield drive(work, executor)


def carry_on_together(
    runs: Sequence[Run],
    executor: Executor,
    measure_every: int | None = None,
    announce: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[int, Event]]:
    """Take several runs to their end: the games they wait for are played in one batch for each set of rules.

    Yields the number of a run with each of its events. Each run comes out as it would alone. If an executor plays
    several batches at once, the runs form as many groups: while one group's games are played, another's generation is
    recorded. ``announce`` is called with a description of each piece of work before it starts.
    """
    recorders = {number: Recorder(run, measure_every, announce) for number, run in enumerate(runs)}
    count = min(getattr(executor, "batches_at_once", 1), len(recorders))
    if count < 2:
        yield from _in_turn([_Group(recorders)], lambda batches: partial(play_together, batches, executor))
        return
    groups = [_Group({number: one for number, one in recorders.items() if number % count == i}) for i in range(count)]
    players, stop = ThreadPoolExecutor(count), threading.Event()
    try:
        yield from _in_turn(groups, lambda batches: players.submit(play_together, batches, executor, stop).result)
    finally:
        stop.set()
        players.shutdown(wait=False)


class _Group:
    """Runs whose games are played together."""

    def __init__(self, recorders: Mapping[int, Recorder]) -> None:
        self._recorders = recorders
        self._tasks: dict[int, Task[Event]] = {}
        for number in recorders:
            self._begin(number)
        self.results: Callable[[], Mapping[int, BatchResult]] = dict
        """Waits for the games that were requested last."""

    @property
    def is_done(self) -> bool:
        """Whether all its runs have ended."""
        return not self._tasks

    @property
    def batches(self) -> dict[int, GameBatch]:
        """The games that its runs are waiting for."""
        return {number: task.batch for number, task in self._tasks.items() if task.batch is not None}

    def advance(self) -> Iterator[tuple[int, Event]]:
        """Advance every run to its next games, or to its end."""
        for number, result in self.results().items():
            self._tasks[number].answer(result)
        for number in list(self._tasks):
            while number in self._tasks and self._tasks[number].batch is None:
                yield number, self._tasks[number].value
                self._begin(number)

    def _begin(self, number: int) -> None:
        """Begin a run's next piece of work, if there is one."""
        self._tasks.pop(number, None)
        work = self._recorders[number].next()
        if work is not None:
            self._tasks[number] = Task(work)


def _in_turn(
    groups: Sequence[_Group], play: Callable[[dict[int, GameBatch]], Callable[[], Mapping[int, BatchResult]]]
) -> Iterator[tuple[int, Event]]:
    """Advance one group after another to its next games, until all runs have ended."""
    while not all(group.is_done for group in groups):
        for group in groups:
            yield from group.advance()
            batches = group.batches
            group.results = play(batches) if batches else dict
