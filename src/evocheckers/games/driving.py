"""Work that needs games: a generator yields batches, is sent their results, and returns a value.

The caller that drives such a generator decides where its games are played, and can drive many at once.
"""

import threading
from collections.abc import Generator, Hashable, Mapping
from typing import Generic, TypeVar

from evocheckers.games.batch import BatchResult, Executor, GameBatch, join_batches, split_result
from evocheckers.networks.evaluator import common_extensions

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

BatchGenerator = Generator[GameBatch, BatchResult, T]
"""Yields batches of games, is sent their results, and returns a value."""


class Task(Generic[T]):
    """A generator of batches, advanced to its next batch or to its end."""

    batch: GameBatch | None
    """The games that it is waiting for; None once it has ended."""
    value: T
    """Its return value; set once ``batch`` is None."""

    def __init__(self, work: BatchGenerator[T]) -> None:
        self._work = work
        self._advance(None)

    def answer(self, result: BatchResult) -> None:
        """Send the result of ``batch`` and advance to the next one."""
        self._advance(result)

    def _advance(self, result: BatchResult | None) -> None:
        try:
            self.batch = self._work.send(result)  # type: ignore[arg-type]
        except StopIteration as end:
            self.batch, self.value = None, end.value


def drive(work: BatchGenerator[T], executor: Executor) -> T:
    """Play all games that a generator asks for; return what it returns."""
    task = Task(work)
    while task.batch is not None:
        task.answer(executor.play(task.batch))
    return task.value


def drive_together(works: Mapping[K, BatchGenerator[T]], executor: Executor) -> dict[K, T]:
    """Drive several generators, playing their games together."""
    tasks = {name: Task(work) for name, work in works.items()}
    while waiting := {name: task.batch for name, task in tasks.items() if task.batch is not None}:
        for name, result in play_together(waiting, executor).items():
            tasks[name].answer(result)
    return {name: task.value for name, task in tasks.items()}


def play_together(
    batches: Mapping[K, GameBatch], executor: Executor, stop: threading.Event | None = None
) -> dict[K, BatchResult]:
    """Play several batches, joined into one if rules and extensions agree; start no further one after ``stop``."""
    results: dict[K, BatchResult] = {}
    terms = {name: (batch.rules, common_extensions(batch.evaluators)) for name, batch in batches.items()}
    for wanted in dict.fromkeys(terms.values()):
        if stop and stop.is_set():
            break
        alike = {name: batch for name, batch in batches.items() if terms[name] == wanted}
        played = executor.play(join_batches(list(alike.values())))
        parts = split_result(played, [len(batch.pairings) for batch in alike.values()])
        results.update(zip(alike, parts, strict=True))
    return results
