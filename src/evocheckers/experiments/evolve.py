"""Driving a scheme, generation by generation.

>>> from evocheckers.experiments.presets import make_settings
>>> settings = make_settings("anaconda", {"parents": 2, "opponents": 1, "plies": 1})
>>> for generation in evolve("anaconda", settings, seed=1, generations=2):
...     print(generation.number, len(generation.report.games), generation.digest[:8])
1 4 ...
2 4 ...
"""

import hashlib
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np

from evocheckers.evolution.scheme import Report, Settings, State
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.presets import SCHEMES
from evocheckers.games.batch import BatchResult, Executor, GameBatch

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation that is done."""

    number: int
    state: State
    report: Report
    digest: str
    """Over all populations and games up to here: the same for any machine, workers and interruptions."""
    seconds: float
    playing_seconds: float
    """Of these, spent on the games."""


def digest_of(before: str, state: State, report: Report) -> str:
    """The digest after a generation, from the one before it."""
    digest = hashlib.sha256(before.encode())
    columns = [*state, report.individuals.ids, report.individuals.parents, report.individuals.scores]
    for column in (*columns, report.black_ids, report.white_ids):
        array = np.asarray(column)
        digest.update(f"{array.dtype.str[1:]}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
    digest.update(report.games.digest().encode())
    return digest.hexdigest()


Work = Generator[GameBatch | T, BatchResult | None, None]
"""Yields batches, is sent their results, and yields what came out in between."""


def every_generation(
    scheme: str, settings: Settings, seed: int, last: int, after: tuple[int, State, str] | None = None
) -> Work[Generation]:
    """Generation after generation, wherever the games are played; ``after`` goes on from a number, state and digest."""
    system = SCHEMES[scheme]
    number, state, digest = after or (0, system.begin(settings, seed), "")
    while number < last:
        number += 1
        began = time.perf_counter()
        playing = 0.0
        step = system.step(settings, seed, number, state)
        try:
            batch = next(step)
            while True:
                started = time.perf_counter()
                result = yield batch
                playing += time.perf_counter() - started
                batch = step.send(cast(BatchResult, result))
        except StopIteration as end:
            state, report = end.value
        digest = digest_of(digest, state, report)
        yield Generation(number, state, report, digest, time.perf_counter() - began, playing)


def drive(work: Work[T], executor: Executor) -> Iterator[T]:
    """Play what is asked for, and hand on what comes out."""
    sent: BatchResult | None = None
    while True:
        try:
            item = work.send(sent)
        except StopIteration:
            return
        if isinstance(item, GameBatch):
            sent = executor.play(item)
        else:
            sent = None
            yield item


def evolve(
    scheme: str,
    settings: Settings,
    seed: int,
    generations: int,
    executor: Executor | None = None,
    after: tuple[int, State, str] | None = None,
) -> Iterator[Generation]:
    """Yield generation after generation, played by an executor; threads if none is given."""
    work = every_generation(scheme, settings, seed, generations, after)
    return drive(work, executor or ThreadExecutor())
