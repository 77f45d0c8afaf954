"""A recorded evolution: begin or resume a run file, measure strength on the way, and tell of every step."""

import itertools
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evocheckers.evolution.scheme import Settings
from evocheckers.experiments.evolve import Generation, Work, drive, every_generation
from evocheckers.experiments.presets import PRESETS, ConfigError, make_settings
from evocheckers.experiments.run_files import RunError, has_begun
from evocheckers.experiments.runs import Keep, Run
from evocheckers.experiments.strength import measurement
from evocheckers.games.batch import BatchResult, Executor, GameBatch, play_together
from evocheckers.tournaments.score import Score

MEASURE_EVERY = 20


@dataclass(frozen=True)
class Measurement:
    """A generation's best network against piece differential."""

    generation: int
    score: Score


def parse_assignments(assignments: list[str]) -> dict[str, Any]:
    """``key=value`` texts; values are read as in TOML, and as text where that fails."""
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign or not name.strip():
            raise ConfigError(f"{assignment!r} is not of the form key=value")
        try:
            values[name.strip()] = tomllib.loads(f"x = {text}")["x"]
        except tomllib.TOMLDecodeError:
            values[name.strip()] = text
    return values


def parse_grid(texts: list[str]) -> list[dict[str, Any]]:
    """``key=a,b,c`` texts as all combinations of settings; none give one empty one."""
    choices: list[list[tuple[str, Any]]] = []
    for text in texts:
        name, sign, values = text.partition("=")
        parts = [part for part in values.split(",") if part]
        if not sign or not name.strip() or not parts:
            raise ConfigError(f"{text!r} is not of the form key=a,b,c")
        choices.append([(name.strip(), parse_assignments([f"x={part}"])["x"]) for part in parts])
    return [dict(combination) for combination in itertools.product(*choices)]


def read_config(path: Path) -> dict[str, Any]:
    """Settings from a TOML file."""
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"config {path}: {error}") from None


def open_run(
    name: str,
    path: Path | None,
    generations: int | None,
    seed: int | None,
    changes: Mapping[str, Any],
    keep: Keep | None = None,
) -> Run:
    """Begin a preset's run, or resume a file that exists; a file of other settings is refused.

    A new run keeps moves unless ``keep`` says otherwise.
    """
    if name not in PRESETS:
        if path is None and Path(name).is_file():
            path = Path(name)
        else:
            raise ConfigError(f"{name!r} is neither a run file nor a preset ({', '.join(PRESETS)})")
        run = Run.open(path, writing=True)
        try:
            settings = make_settings(run.scheme, {**run.settings.model_dump(), **changes})
        except ConfigError:
            run.close()
            raise
        _refuse_other(run, run.preset, settings, seed, keep)
    else:
        preset = PRESETS[name]
        settings = make_settings(preset.scheme, {**preset.settings, **changes})
        path = path or Path("runs") / f"{name}-{1 if seed is None else seed}.sqlite"
        if not has_begun(path):
            seed = 1 if seed is None else seed
            return Run.create(
                path, name, preset.scheme, settings, seed, generations or preset.generations, keep or Keep.MOVES
            )
        run = Run.open(path, writing=True)
        _refuse_other(run, name, settings, seed, keep)
    if generations is not None:
        run.set_generations(generations)
    return run


def _refuse_other(run: Run, preset: str, settings: Settings, seed: int | None, keep: Keep | None) -> None:
    there, here = run.settings.model_dump(), settings.model_dump()
    differ = [f"preset {run.preset}, not {preset}"] if run.preset != preset else []
    differ += [f"{name} = {there[name]}, not {here.get(name)}" for name in there if there[name] != here.get(name)]
    if seed is not None and seed != run.seed:
        differ.append(f"seed {run.seed}, not {seed}")
    if keep is not None and keep is not run.keep:
        differ.append(f"kept {run.keep}, not {keep}")
    if differ:
        run.close()
        raise RunError(run.path, f"has {'; '.join(differ)}")


def open_runs(
    preset: str,
    folder: Path,
    generations: int | None,
    seeds: Sequence[int],
    grid: Sequence[Mapping[str, Any]],
    changes: Mapping[str, Any],
    keep: Keep | None = None,
) -> list[Run]:
    """A run for every seed and every set of settings, each in a file of its own named after them."""
    runs: list[Run] = []
    try:
        for point in grid:
            marks = "".join(f"-{name}={value}" for name, value in point.items())
            for seed in seeds:
                path = folder / f"{preset}{marks}-{seed}.sqlite"
                runs.append(open_run(preset, path, generations, seed, {**changes, **point}, keep))
    except BaseException:
        for run in runs:
            run.close()
        raise
    return runs


def recorded(run: Run, measure_every: int = MEASURE_EVERY) -> Work[Generation | Measurement]:
    """Run to the end, recording every generation before it is yielded, and measurements that are due."""

    def measured(generation: int) -> Work[Measurement]:
        due = measure_every and (generation % measure_every == 0 or generation == run.generations)
        if due and generation not in run.strengths():
            score = yield from measurement(run.network(generation), run.settings.plies)
            run.record_strength(generation, score)
            yield Measurement(generation, score)

    last = run.last()
    for number in range(last[0] + 1 if last else 1):
        yield from measured(number)
    work = every_generation(run.scheme, run.settings, run.seed, run.generations, last)
    sent: BatchResult | None = None
    while True:
        try:
            item = work.send(sent)
        except StopIteration:
            return
        if isinstance(item, Generation):
            run.record(item)
            sent = None
            yield item
            yield from measured(item.number)
        else:
            sent = yield item


def carry_on(run: Run, executor: Executor, measure_every: int = MEASURE_EVERY) -> Iterator[Generation | Measurement]:
    """The same, played by an executor."""
    return drive(recorded(run, measure_every), executor)


def carry_on_together(
    runs: Sequence[Run], executor: Executor, measure_every: int = MEASURE_EVERY
) -> Iterator[tuple[int, Generation | Measurement]]:
    """Several runs side by side: whatever games they wait for are played in one batch for each set of rules.

    Yields the number of the run with what came out of it. Each run comes out as it would alone. Where an executor plays
    several batches at once, the runs form as many groups: while one's games are played, another's generation is
    recorded.
    """
    fleet = {number: recorded(run, measure_every) for number, run in enumerate(runs)}
    count = min(getattr(executor, "batches_at_once", 1), len(fleet))
    if count < 2:
        yield from _in_turn([_Group(fleet)], lambda batches: partial(play_together, batches, executor))
        return
    groups = [_Group({number: work for number, work in fleet.items() if number % count == i}) for i in range(count)]
    players, stop = ThreadPoolExecutor(count), threading.Event()
    try:
        yield from _in_turn(groups, lambda batches: players.submit(play_together, batches, executor, stop).result)
    finally:
        stop.set()
        players.shutdown(wait=False)


@dataclass
class _Group:
    """Runs whose games are played together."""

    works: dict[int, Work[Generation | Measurement]]
    results: Callable[[], Mapping[int, BatchResult]] = dict
    """Waits for the games that were asked for last."""


def _in_turn(
    groups: Sequence[_Group], play: Callable[[dict[int, GameBatch]], Callable[[], Mapping[int, BatchResult]]]
) -> Iterator[tuple[int, Generation | Measurement]]:
    """Advance one group after the other to its next games, until all runs are at their end."""
    while any(group.works for group in groups):
        for group in groups:
            results = group.results()
            waiting: dict[int, GameBatch] = {}
            for number, work in list(group.works.items()):
                sent = results.get(number)
                while number in group.works and number not in waiting:
                    try:
                        item = work.send(sent)
                    except StopIteration:
                        del group.works[number]
                        continue
                    sent = None
                    if isinstance(item, GameBatch):
                        waiting[number] = item
                    else:
                        yield number, item
            group.results = play(waiting) if waiting else dict
