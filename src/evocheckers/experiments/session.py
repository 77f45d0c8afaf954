"""A recorded evolution: begin or resume a run file, measure strength on the way, and tell of every step."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evocheckers.evolution.scheme import Settings
from evocheckers.experiments.evolve import Generation, evolve
from evocheckers.experiments.presets import PRESETS, ConfigError, make_settings
from evocheckers.experiments.runs import Run, RunError
from evocheckers.experiments.strength import against_material
from evocheckers.games.batch import Executor
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
    keep_moves: bool = True,
) -> Run:
    """Begin a preset's run, or resume a file that exists; a file of other settings is refused."""
    if name not in PRESETS:
        if path is None and Path(name).is_file():
            path = Path(name)
        else:
            raise ConfigError(f"{name!r} is neither a run file nor a preset ({', '.join(PRESETS)})")
        run = Run.open(path, writing=True)
        settings = make_settings(run.scheme, {**run.settings.model_dump(), **changes})
        _refuse_other(run, run.preset, settings, seed)
    else:
        preset = PRESETS[name]
        settings = make_settings(preset.scheme, {**preset.settings, **changes})
        path = path or Path("runs") / f"{name}-{1 if seed is None else seed}.sqlite"
        if not path.exists():
            seed = 1 if seed is None else seed
            return Run.create(path, name, preset.scheme, settings, seed, generations or preset.generations, keep_moves)
        run = Run.open(path, writing=True)
        _refuse_other(run, name, settings, seed)
    if generations is not None:
        run.set_generations(generations)
    return run


def _refuse_other(run: Run, preset: str, settings: Settings, seed: int | None) -> None:
    there, here = run.settings.model_dump(), settings.model_dump()
    differ = [f"preset {run.preset}, not {preset}"] if run.preset != preset else []
    differ += [f"{name} = {there[name]}, not {here.get(name)}" for name in there if there[name] != here.get(name)]
    if seed is not None and seed != run.seed:
        differ.append(f"seed {run.seed}, not {seed}")
    if differ:
        run.close()
        raise RunError(run.path, f"has {'; '.join(differ)}")


def carry_on(run: Run, executor: Executor, measure_every: int = MEASURE_EVERY) -> Iterator[Generation | Measurement]:
    """Run to the end, recording every generation before it is yielded, and measurements that are due."""

    def measured(generation: int) -> Iterator[Measurement]:
        due = measure_every and (generation % measure_every == 0 or generation == run.generations)
        if due and generation not in run.strengths():
            score = against_material(run.network(generation), run.settings.plies, executor)
            run.record_strength(generation, score)
            yield Measurement(generation, score)

    last = run.last()
    for number in range(last[0] + 1 if last else 1):
        yield from measured(number)
    for generation in evolve(run.scheme, run.settings, run.seed, run.generations, executor, last):
        run.record(generation)
        yield generation
        yield from measured(generation.number)
