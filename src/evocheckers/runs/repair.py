"""Recovery of damaged run files.

A run follows from its settings, its seed and the results of its games. So its recorded games are sent through the
scheme once more, generation by generation, into a new file, up to the first generation that cannot be read or does not
reproduce its recorded digest. The new file is as good as the old one was at that generation, and can be resumed.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evocheckers.errors import EvocheckersError, printable
from evocheckers.evolution.evolve import Generation, evolve
from evocheckers.games.batch import COLUMNS, BatchResult, GameBatch, empty_result
from evocheckers.runs.file import Run, remove_run, run_exists
from evocheckers.runs.lock import locked
from evocheckers.runs.schema import KeptGames
from evocheckers.runs.validation import MAX_MEMORY_MB, RunError, check_memory, run_errors

MAX_BYTES = 1 << 40


@dataclass(frozen=True, slots=True)
class Repaired:
    """How far a run was saved."""

    generation: int
    fault: str
    """Why no further; empty if everything was saved."""


class _EndError(Exception):
    """No further generation is recorded."""


class _Recorded:
    """An executor that plays nothing: it hands out the recorded games, generation by generation."""

    def __init__(self, run: Run, memory_mb: int) -> None:
        self.run, self._memory_mb = run, memory_mb
        self.turn_to(1)

    def turn_to(self, generation: int) -> None:
        self.summary = self.run.summary(generation)
        self._games = self.run.games(generation).results if self.summary else None
        self._at = 0
        recorded = sum(getattr(self._games, name).nbytes for name in COLUMNS) if self._games else 0
        check_memory(self.run.path, self.run.settings.memory_bytes() + recorded, self._memory_mb)

    def play(self, batch: GameBatch) -> BatchResult:
        if self._games is None:
            raise _EndError
        rows = slice(self._at, self._at + len(batch.pairings))
        self._at = rows.stop
        starts = batch.starts
        if list(self._games.starts[rows]) != starts:
            raise RunError(self.run.path, "games do not match the run's settings and seed")
        result = empty_result(starts, batch.rules)
        for name in COLUMNS:
            recorded = getattr(self._games, name)[rows]
            getattr(result, name)[tuple(map(slice, recorded.shape))] = recorded  # moves reach to the longest game's
        return result


def repair(damaged: Path | str, out: Path | str, memory_mb: int = MAX_MEMORY_MB) -> Iterator[int | Repaired]:
    """Save a run into a new file; yield each generation's number as it is saved, and finally how far it went.

    A run that would take more than ``memory_mb`` megabytes is refused: a few bytes can ask for any amount.
    """
    with _readable(Path(damaged)) as path, Run.open(path) as run, _temporary(Path(out)) as part:
        if run.keep is KeptGames.POINTS:
            raise RunError(damaged, "kept no games to repair it from; the same settings and seed reproduce it")
        check_memory(damaged, run.settings.memory_bytes(), memory_mb)
        new = Run.create(
            part, run.preset, run.scheme, run.settings, run.seed, run.generations, run.keep, run.measure_every
        )
        with new:
            saved, fault = 0, ""
            try:
                for generation in _replayed(_Recorded(run, memory_mb)):
                    new.record(generation)
                    saved = generation.number
                    yield saved
            except (EvocheckersError, LookupError, ValueError, TypeError, ArithmeticError) as error:
                fault = error.fault if isinstance(error, RunError) else printable(error)
            _copy_strengths(run, new, saved)
    yield Repaired(saved, fault)


@contextmanager
def _temporary(out: Path) -> Iterator[Path]:
    """A temporary name beside the new file's, renamed at the end; leftovers of a killed repair are removed."""
    with run_errors(out):
        if run_exists(out):
            raise RunError(out, "already exists")
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_name(f".{out.name}.repairing")
        with locked(part):
            remove_run(part)
    try:
        yield part
        with run_errors(out):
            if run_exists(out):
                raise RunError(out, "already exists")
            part.replace(out)
    finally:
        remove_run(part)


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """The file itself or, if its end is cut off, a copy of its former length: SQLite does not read a shorter one."""
    head = b""
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(100)
    page = int.from_bytes(head[16:18], "big")
    length = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    if not head.startswith(b"SQLite format 3") or length > MAX_BYTES or path.stat().st_size >= length:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for ending in ("", "-wal"):
            if Path(f"{path}{ending}").is_file():
                shutil.copy(f"{path}{ending}", f"{copy}{ending}")
        os.truncate(copy, length)
        yield copy


def _replayed(recorded: _Recorded) -> Iterator[Generation[Any]]:
    """Replay the run from its recorded games."""
    run = recorded.run
    try:
        again = evolve(run.scheme, run.settings, seed=run.seed, generations=run.generations, executor=recorded)
        for generation in again:
            summary = recorded.summary
            if summary is None or (run.keep is KeptGames.MOVES and generation.digest != summary.digest):
                raise RunError(run.path, f"generation {generation.number} does not give the digest that was recorded")
            yield replace(generation, digest=summary.digest, seconds=summary.seconds)
            recorded.turn_to(generation.number + 1)
    except _EndError:
        return


def _copy_strengths(run: Run, new: Run, last: int) -> None:
    try:
        strengths = run.strengths()
    except RunError:
        return
    for generation, score in strengths.items():
        if generation <= last:
            new.record_strength(generation, score)
