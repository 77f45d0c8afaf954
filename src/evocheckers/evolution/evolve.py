"""Driving a scheme generation by generation.

>>> from evocheckers.executors.threads import ThreadExecutor
>>> small = {"parents": 2, "opponents": 1, "plies": 1}
>>> for generation in evolve("anaconda", small, seed=1, generations=2, executor=ThreadExecutor()):
...     print(generation.number, len(generation.report.games), generation.digest[:8])
1 4 ...
2 4 ...
"""

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, overload

import numpy as np

from evocheckers.errors import whole_number
from evocheckers.evolution.registry import Preset, find_preset, make_settings
from evocheckers.evolution.scheme import (
    ConfigError,
    GenerationReport,
    Individuals,
    RecordedGames,
    S,
    Scheme,
    Settings,
    T,
    check_seed,
)
from evocheckers.games.batch import Executor
from evocheckers.games.driving import BatchGenerator, Task, drive

MAX_GENERATIONS = 10_000_000


@dataclass(frozen=True, eq=False)
class Resumable(Generic[T]):
    """A checkpoint of an evolution: everything needed to resume it."""

    number: int
    """The last generation; 0 before the first."""
    state: T
    digest: str
    """Digest of all populations and games so far: the same for any machine, number of workers and interruptions."""
    origin: str = field(default="", kw_only=True)
    """The scheme, settings and seed, if ``evolve`` made it; nothing else may continue from it."""


@dataclass(frozen=True, eq=False)
class Generation(Resumable[T]):
    """A completed generation."""

    report: GenerationReport
    seconds: float
    playing_seconds: float
    """The part of ``seconds`` spent on games."""

    def __repr__(self) -> str:
        return f"<Generation {self.number}: {len(self.report.games)} games, digest {self.digest[:16]}>"


def digest_of(
    scheme: Scheme[Any, Any], before: str, state: Mapping[str, Any], individuals: Individuals, games: RecordedGames
) -> str:
    """The digest after a generation, from the one before it and the recorded columns of its state."""
    digest = hashlib.sha256(before.encode())
    columns = [*scheme.digested(state), individuals.ids, individuals.parents, individuals.scores]
    for column in (*columns, games.black_ids, games.white_ids):
        array = np.asarray(column)
        digest.update(f"{array.dtype.str[1:]}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
    digest.update(games.results.digest().encode())
    return digest.hexdigest()


def next_generation(scheme: Scheme[S, T], settings: S, seed: int, after: Resumable[T]) -> BatchGenerator[Generation[T]]:
    """One generation, as a generator that yields its games."""
    began = time.perf_counter()
    playing = 0.0
    number = after.number + 1
    step = Task(scheme.step(settings, seed, number, after.state))
    while step.batch is not None:
        started = time.perf_counter()
        result = yield step.batch
        playing += time.perf_counter() - started
        step.answer(result)
    state, report = step.value
    games = RecordedGames(report.black_ids, report.white_ids, report.games)
    digest = digest_of(scheme, after.digest, scheme.recorded_columns(state), report.individuals, games)
    seconds = time.perf_counter() - began
    return Generation(number, state, digest, report, seconds, playing, origin=after.origin)


@overload
def evolve(
    scheme: Scheme[S, T],
    settings: S | Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    generations: int,
    executor: Executor,
    after: Resumable[T] | None = None,
) -> Iterator[Generation[T]]: ...
@overload
def evolve(
    scheme: str,
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    generations: int,
    executor: Executor,
    after: Resumable[Any] | None = None,
) -> Iterator[Generation[Any]]: ...
def evolve(
    scheme: Scheme[Any, Any] | str,
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    generations: int,
    executor: Executor,
    after: Resumable[Any] | None = None,
) -> Iterator[Generation[Any]]:
    """Yield one generation after another, up to ``generations``.

    The scheme is an object, or a preset's name. Settings are of the scheme's own class, or values by name that replace
    its defaults. ``after`` is the checkpoint to continue from; a ``Generation`` will do.

    An invalid setting is refused at once, by name:

    >>> from evocheckers.executors.threads import ThreadExecutor
    >>> evolve("anaconda", {"parents": 0}, generations=1, executor=ThreadExecutor())
    Traceback (most recent call last):
    evocheckers.evolution.scheme.ConfigError: setting parents = 0: must be a whole number between 1 and 100000
    """
    whole_number("generations", generations, 1, MAX_GENERATIONS, ConfigError)
    preset = find_preset(scheme) if isinstance(scheme, str) else Preset(scheme.name, scheme, "", generations)
    found = preset.scheme
    if isinstance(settings, found.settings):
        chosen = settings
    elif isinstance(settings, Settings):
        wanted = f"{found.name} takes {found.settings.__name__}, not {type(settings).__name__}"
        raise ConfigError(f"settings: {wanted}", "settings", settings)
    else:
        chosen = make_settings(found, {**preset.settings, **(settings or {})})
    origin = f"scheme {found.name}, seed {check_seed(seed)}, {chosen.model_dump_json()}"
    if after is None:
        after = Resumable(0, found.begin(chosen, seed), "", origin=origin)
    elif not isinstance(after, Resumable):
        raise ConfigError(f"after = {after!r:.60}: must be a generation that evolve returned", "after", after)
    elif after.origin not in ("", origin):
        raise ConfigError(f"after: that generation is of {after.origin}; this would be {origin}", "after", after)
    return _generations(found, chosen, seed, generations, executor, after)


def _generations(
    scheme: Scheme[S, T], settings: S, seed: int, generations: int, executor: Executor, now: Resumable[T]
) -> Iterator[Generation[T]]:
    while now.number < generations:
        now = generation = drive(next_generation(scheme, settings, seed, now), executor)
        yield generation
