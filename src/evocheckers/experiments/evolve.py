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
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evocheckers.evolution.scheme import Report, Settings, State
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.presets import SCHEMES
from evocheckers.games.batch import Executor


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


def evolve(
    scheme: str,
    settings: Settings,
    seed: int,
    generations: int,
    executor: Executor | None = None,
    after: tuple[int, State, str] | None = None,
) -> Iterator[Generation]:
    """Yield generation after generation; ``after`` goes on from a number, state and digest."""
    system = SCHEMES[scheme]
    executor = executor or ThreadExecutor()
    number, state, digest = after or (0, system.begin(settings, seed), "")
    while number < generations:
        number += 1
        began = time.perf_counter()
        playing = 0.0
        step = system.step(settings, seed, number, state)
        try:
            batch = next(step)
            while True:
                started = time.perf_counter()
                result = executor.play(batch)
                playing += time.perf_counter() - started
                batch = step.send(result)
        except StopIteration as end:
            state, report = end.value
        digest = digest_of(digest, state, report)
        yield Generation(number, state, report, digest, time.perf_counter() - began, playing)
