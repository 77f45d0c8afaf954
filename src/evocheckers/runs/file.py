"""The run file: SQLite, one transaction per generation, so that a generation is recorded whole or not at all.

Only this module writes runs. Networks are kept as safetensors, states and games as compressed columns; nothing is
pickled. While a run is being written, its journal lies beside it, so that it can be read at any time. The journal is
merged into the file every second or so; a closed run is one file.

Check that a run file is intact before anything is written to it.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.evolve import Generation, recorded_columns
from evocheckers.evolution.registry import package_of
from evocheckers.evolution.scheme import Scheme, Settings, check_seed
from evocheckers.networks.network import Network
from evocheckers.runs.columns import pack
from evocheckers.runs.copy import back_up
from evocheckers.runs.games import columns_of
from evocheckers.runs.lock import Place, WriteLock, locked
from evocheckers.runs.reader import RunReader
from evocheckers.runs.schema import FORMAT, MEASURE_EVERY, TABLES, VERSION, Keep
from evocheckers.runs.validation import RunError, check_place, connect, discard, faults, has_begun
from evocheckers.tournaments.score import Score
from evocheckers.version import PROGRAM_VERSION

CHECK_SECONDS = 3.0
"""How long a file's pages are checked; enough for some gigabytes from memory."""


def check_whole(run: RunReader, connection: sqlite3.Connection) -> None:
    """Refuse a damaged file, as far as its pages, its summaries and its last generation show."""
    with faults(run.path):
        _check_pages(connection)
        numbers = [summary.number for summary in run.summaries()]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ValueError("generations are missing")
        run.strengths()
        last = run.last()
        if (last.number if last else 0) != len(numbers):
            raise ValueError("no state of the last generation")
        if numbers:
            run.individuals(len(numbers))
            run.network(len(numbers))
            if run.keep is not Keep.POINTS:
                run.games(len(numbers))


def _check_pages(connection: sqlite3.Connection) -> None:
    end = time.monotonic() + CHECK_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        found = "ok"
    finally:
        connection.set_progress_handler(None, 0)
    if found != "ok":
        raise ValueError(found)


GATHER_SECONDS = 1.0
"""Interval at which the journal is merged into the file; after a kill, the journal holds no more than this."""


class Run(RunReader):
    """A run file, open for reading or writing."""

    def __init__(
        self, path: Path | str, connection: sqlite3.Connection, lock: WriteLock | None = None, is_new: bool = False
    ) -> None:
        super().__init__(path, connection)
        self._lock = lock
        self._is_new = is_new
        self._place = Place(self.path) if lock is not None else None
        self._gathered_at = time.monotonic()

    @classmethod
    def create(
        cls,
        path: Path | str,
        preset: str,
        scheme: Scheme[Any, Any],
        settings: Settings,
        seed: int,
        generations: int,
        keep: Keep = Keep.MOVES,
        measure_every: int = MEASURE_EVERY,
    ) -> "Run":
        """Start a new run file; an existing one is refused."""
        path = Path(path)
        meta = {
            "format": FORMAT,
            "version": VERSION,
            "program": PROGRAM_VERSION,
            "preset": preset,
            "scheme": scheme.name,
            "package": package_of(scheme.name),
            "settings": settings.model_dump_json(),
            "seed": str(check_seed(seed)),
            "generations": str(generations),
            "keep": keep.value,
            "measure_every": str(measure_every),
        }
        if scheme.memory is not None and keep is not Keep.MOVES:
            raise RunError(path, f"{scheme.name} learns from recorded moves; it cannot keep {keep} alone")
        with faults(path):
            check_place(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = WriteLock(path)
            try:
                if has_begun(path):
                    raise RunError(path, "already exists")
                return cls._begin(path, meta, lock)
            except BaseException:
                lock.release()
                raise

    @classmethod
    def _begin(cls, path: Path, meta: dict[str, str], lock: WriteLock) -> "Run":
        """Write a run's tables; if that fails, leave no file."""
        connection = connect(path, "rwc")
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
            return cls(path, connection, lock, is_new=True)
        except BaseException:
            connection.close()
            discard(path)
            raise

    @classmethod
    def open(cls, path: Path | str, writing: bool = False) -> "Run":
        """Open a run file; for writing, only if it is intact and no other process writes it."""
        path = Path(path)
        check_place(path)
        if not path.is_file():
            raise RunError(path, "no such file")
        with faults(path):
            if not writing:
                return cls._reading(path)
            cls._reading(path).close()  # refuse what is no run, or cannot be read, before anything is touched
            lock = WriteLock(path)
            try:
                return cls._writing(path, lock)
            except BaseException:
                lock.release()
                raise

    @classmethod
    def _reading(cls, path: Path) -> "Run":
        try:
            return cls._connected(path, "ro")
        except sqlite3.OperationalError:
            if Path(f"{path.resolve()}-wal").exists():
                raise
            return cls._connected(path, "ro&immutable=1")  # in a read-only folder

    @classmethod
    def _connected(cls, path: Path, mode: str) -> "Run":
        connection = connect(path, mode)
        try:
            return cls(path, connection)
        except BaseException:
            connection.close()
            _tidy(path)
            raise

    @classmethod
    def _writing(cls, path: Path, lock: WriteLock) -> "Run":
        connection = connect(path, "rw")
        try:
            run = cls(path, connection, lock)
            check_whole(run, connection)
            run.settings  # noqa: B018 nothing is written to a run that cannot go on
            connection.execute("PRAGMA journal_mode = WAL")
            return run
        except BaseException:
            connection.close()
            raise

    def copy(self, path: Path | str) -> None:
        """Write a copy to a new file, consistent even while another process records."""
        with faults(Path(path)):
            back_up(self._connection, Path(path))

    def close(self) -> None:
        """Close the file; it holds every recorded generation, and nothing is left beside it."""
        try:
            with faults(self.path):
                if self._lock is not None:
                    _end_journal(self._connection)
                self._connection.close()
                if self._lock is None:
                    _tidy(self.path)
                if self._place is not None:
                    self._place.leave()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: object, exception: object, trace: object) -> None:
        """Close the file; a new run that was refused before its first generation leaves no file."""
        is_ours = self._place is not None and self._place.is_ours
        if self._is_new and is_ours and isinstance(exception, EvocheckersError) and self.generation == 0:
            self._connection.close()
            discard(self.path)
            if self._lock is not None:
                self._lock.release()
        else:
            self.close()

    def set_generations(self, generations: int) -> None:
        """Change the run's last generation; it cannot be below what is recorded."""
        if generations < self.generation:
            raise RunError(self.path, f"has {self.generation} generations already; it cannot end at {generations}")
        self._set("generations", generations)
        self.generations = generations

    def set_measure_every(self, measure_every: int) -> None:
        """Change how often the run is measured."""
        self._set("measure_every", measure_every)
        self.measure_every = measure_every

    def _set(self, key: str, value: int) -> None:
        with faults(self.path):
            self._check_ours()
            self._connection.execute("REPLACE INTO meta VALUES (?, ?)", [key, str(value)])

    def _check_ours(self) -> None:
        """Refuse to write a file that was replaced by another, or that another process writes."""
        if self._lock is None or self._place is None:
            raise RunError(self.path, "was opened read-only")
        self._place.check(self._connection, self.generation)
        self._lock.check()

    def record(self, generation: Generation[Any]) -> None:
        """Write a generation, whole or not at all."""
        report = generation.report
        games = report.games
        summary = (
            generation.number,
            generation.digest,
            report.best_id,
            report.best.to_bytes(),
            len(games),
            int((games.winners == 0).sum()),
            int(games.plies.sum()),
            int(games.evaluations.sum()),
            generation.seconds,
        )
        people = report.individuals._asdict().items()
        individuals = {name: np.asarray(column) for name, column in people if len(column)}
        recorded = recorded_columns(self.scheme, generation.state)
        state = {name: np.asarray(column) for name, column in recorded.items()}
        with faults(self.path), self._transaction():
            if self.generation != generation.number - 1:
                raise RunError(self.path, f"another process has meanwhile recorded generation {self.generation}")
            self._connection.execute("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", summary)
            self._connection.execute("INSERT INTO individuals VALUES (?, ?)", (generation.number, pack(individuals)))
            if self.keep is not Keep.POINTS:
                columns = pack(columns_of(report, self.keep))
                self._connection.execute("INSERT INTO games VALUES (?, ?)", (generation.number, columns))
            self._connection.execute("REPLACE INTO state VALUES (0, ?, ?)", (generation.number, pack(state, 0)))
        self._gather()

    def _gather(self) -> None:
        """Merge the journal into the file now and then, so that the file alone is the run."""
        if time.monotonic() - self._gathered_at >= GATHER_SECONDS:
            with faults(self.path):
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # waits for no reader
            self._gathered_at = time.monotonic()

    def record_strength(self, generation: int, score: Score) -> None:
        """Write a measurement of a generation's best network."""
        row = (generation, score.wins, score.draws, score.losses, score.ahead, score.behind)
        with faults(self.path):
            self._check_ours()
            self._connection.execute("REPLACE INTO strength VALUES (?, ?, ?, ?, ?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._check_ours()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # a full disk has rolled it back already
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _end_journal(connection: sqlite3.Connection) -> None:
    """Merge everything into the one file; while another process reads it, the journal stays."""
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")


def _tidy(path: Path) -> None:
    """Remove the empty journal that reading a run leaves beside it, unless the run is being written."""
    journal = Path(f"{path.resolve()}-wal")
    try:
        if journal.stat().st_size > 0:
            return
        with locked(path), closing(connect(path, "rw")) as connection:
            try:
                _end_journal(connection)
            except sqlite3.DatabaseError:
                discard(path, ("-wal", "-shm"))  # too damaged for anybody to read
    except (OSError, sqlite3.Error, RunError):
        return


def network_of_run(path: str, generation: int | None) -> Network:
    """The network of a run's generation, by default the last: the player ``run:FILE#GENERATION``."""
    with Run.open(path) as run:
        return run.network(generation)
