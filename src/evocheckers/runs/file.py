"""The run file: SQLite, one transaction per generation, so that a generation is recorded whole or not at all.

Only this module writes runs. Networks are kept as safetensors, states and games as compressed columns; nothing is
pickled. While a run is being written, its journal lies beside it, so that it can be read at any time. The journal is
merged into the file every second or so; a closed run is one file.

Before anything is written to a file, it is checked to be intact; and before every generation, that the file is still
under its name. One that was renamed, replaced or deleted meanwhile is not written, and what it held is not lost. Copies
are made by SQLite's own backup, never byte by byte, so that they are consistent even while the run goes on.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from evocheckers.data_frames import data_frame
from evocheckers.errors import EvocheckersError
from evocheckers.evolution.evolve import Generation
from evocheckers.evolution.registry import package_of
from evocheckers.evolution.scheme import Scheme, Settings, check_seed
from evocheckers.files import Unfinished
from evocheckers.networks.network import Network
from evocheckers.runs.lock import WriteLock, locked
from evocheckers.runs.reader import RunReader
from evocheckers.runs.schema import (
    FORMAT,
    MAX_BYTES,
    MEASURE_EVERY,
    TABLES,
    VERSION,
    KeptGames,
    games_to_columns,
    pack,
)
from evocheckers.runs.validation import RunError, check_path, run_errors
from evocheckers.tournaments.score import Score
from evocheckers.version import PROGRAM_VERSION

if TYPE_CHECKING:
    import pandas as pd

    from evocheckers.runs.export import Table

MAX_BLOB_BYTES = MAX_BYTES + (1 << 20)
"""Largest value in a run file: columns that cannot be compressed, and a little more."""
CHECK_SECONDS = 3.0
"""How long a file's pages are checked; enough for some gigabytes from memory."""
CHECKPOINT_SECONDS = 1.0
"""Interval at which the journal is merged into the file; after a kill, the journal holds no more than this."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that begins no transactions by itself; only the mode ``rwc`` creates a file."""
    address = f"file:{quote(os.fsencode(path.resolve()))}?mode={mode}"  # a name need not be UTF-8
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BLOB_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def run_exists(path: Path) -> bool:
    """Whether there is a run; a process killed at the very start leaves an empty file, or a journal that empties it."""
    check_path(path)
    if path.exists() and Path(f"{path}-journal").exists():
        with run_errors(path), closing(connect(path, "rw")) as connection:
            connection.execute("SELECT COUNT(*) FROM sqlite_master")
    return path.exists() and path.stat().st_size > 0


def remove_run(path: Path, endings: Sequence[str] = ("", "-journal", "-wal", "-shm")) -> None:
    """Remove a run file and the files that SQLite keeps beside it, or some of these."""
    for ending in endings:
        Path(f"{path}{ending}").unlink(missing_ok=True)


def back_up(connection: sqlite3.Connection, path: Path) -> None:
    """Copy everything that a connection sees into one file, which appears once it is complete and replaces none."""
    check_path(path)
    if path.exists():
        raise RunError(path, "already exists")
    with Unfinished(path.resolve()) as part:
        with closing(connect(part.path, "rwc")) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        if path.exists():
            raise RunError(path, "already exists")
        part.finish()


def _check_intact(run: RunReader, connection: sqlite3.Connection) -> None:
    """Refuse a damaged file, as far as its pages, its summaries and its last generation show."""
    with run_errors(run.path):
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
            if run.keep is not KeptGames.POINTS:
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


class _OpenedFile:
    """A run file as it was when it was opened for writing: it may be renamed, replaced or deleted meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path, self.file = path, path.resolve()
        self._opened = self.file.stat()
        if self._opened.st_nlink > 1:
            fault = f"has {self._opened.st_nlink} names (hard links), and its journal would lie beside one of them"
            raise RunError(path, fault, "'runs copy' makes a file of its own")

    @property
    def is_same(self) -> bool:
        """Whether the file of that name is still the one that was opened."""
        try:
            return os.path.samestat(self._opened, self.file.stat())
        except OSError:
            return False

    def check(self, connection: sqlite3.Connection, generation: int) -> None:
        """Refuse to write a file that was renamed, deleted or replaced; say where its generations are."""
        if self.is_same:
            return
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # into the file itself, whatever its name is now
        happened = "replaced" if self.file.exists() else "renamed or deleted"
        raise RunError(
            self._path,
            f"was {happened} while it was being written; {self._whereabouts(connection, generation)}",
            "it was stopped",
        )

    def _whereabouts(self, connection: sqlite3.Connection, generation: int) -> str:
        """Where the recorded generations are; those of a deleted file are saved beside it."""
        recorded = f"its {generation} generations are"
        now = self._name_now()
        if now is not None:
            return f"{recorded} in {now}"
        saved = self.file.with_name(f"{self.file.stem}-rescued.sqlite")
        try:
            back_up(connection, saved)
        except (OSError, sqlite3.Error, RunError):
            return f"{recorded} lost with it"
        return f"{recorded} saved in {saved}"

    def _name_now(self) -> str | None:
        """The current name of the opened file, if the system reports it; None if it no longer has one."""
        with suppress(OSError):
            for descriptor in os.listdir("/proc/self/fd"):
                with suppress(OSError):
                    if os.path.samestat(os.stat(int(descriptor)), self._opened):
                        name = os.readlink(f"/proc/self/fd/{descriptor}")
                        if os.path.samestat(os.stat(name), self._opened):
                            return name
        return None

    def tidy(self) -> None:
        """Remove the journal of a file that is no longer there."""
        if not self.file.exists():
            remove_run(self.file, ("-wal", "-shm"))


class Run(RunReader):
    """A run file, open for reading or writing."""

    def __init__(
        self, path: Path | str, connection: sqlite3.Connection, lock: WriteLock | None = None, is_new: bool = False
    ) -> None:
        super().__init__(path, connection)
        self._lock = lock
        self._is_new = is_new
        self._opened = _OpenedFile(self.path) if lock is not None else None
        self._checkpointed_at = time.monotonic()

    @classmethod
    def create(
        cls,
        path: Path | str,
        preset: str,
        scheme: Scheme[Any, Any],
        settings: Settings,
        seed: int,
        generations: int,
        keep: KeptGames = KeptGames.MOVES,
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
        if scheme.replay_buffer is not None and keep is not KeptGames.MOVES:
            raise RunError(path, f"{scheme.name} learns from recorded moves; it cannot keep {keep} alone")
        with run_errors(path):
            check_path(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = WriteLock(path)
            try:
                if run_exists(path):
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
            remove_run(path)
            raise

    @classmethod
    def open(cls, path: Path | str, writing: bool = False) -> "Run":
        """Open a run file; for writing, only if it is intact and no other process writes it."""
        path = Path(path)
        check_path(path)
        if not path.is_file():
            raise RunError(path, "no such file")
        with run_errors(path):
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
            _check_intact(run, connection)
            run.settings  # noqa: B018 nothing is written to a run that cannot go on
            connection.execute("PRAGMA journal_mode = WAL")
            return run
        except BaseException:
            connection.close()
            raise

    def copy(self, path: Path | str) -> None:
        """Write a copy to a new file, consistent even while another process records."""
        with run_errors(Path(path)):
            back_up(self._connection, Path(path))

    def to_pandas(self, table: "Table" = "generations") -> "pd.DataFrame":
        """One of its tables: ``generations``, ``individuals`` or ``games``."""
        from evocheckers.runs.export import TABLES, table_rows

        if table not in TABLES:
            raise RunError(self.path, f"has no table {table!r:.40}; there are {', '.join(TABLES)}")
        return data_frame(dict(zip(TABLES[table], row, strict=True)) for row in table_rows(self, table))

    def close(self) -> None:
        """Close the file; it holds every recorded generation, and nothing is left beside it."""
        try:
            with run_errors(self.path):
                if self._lock is not None:
                    _end_journal(self._connection)
                self._connection.close()
                if self._lock is None:
                    _tidy(self.path)
                if self._opened is not None:
                    self._opened.tidy()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: object, exception: object, trace: object) -> None:
        """Close the file; a new run that was refused before its first generation leaves no file."""
        is_same = self._opened is not None and self._opened.is_same
        if self._is_new and is_same and isinstance(exception, EvocheckersError) and self.generation == 0:
            self._connection.close()
            remove_run(self.path)
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
        with run_errors(self.path):
            self._check_writable()
            self._connection.execute("REPLACE INTO meta VALUES (?, ?)", [key, str(value)])

    def _check_writable(self) -> None:
        """Refuse to write a file that was replaced by another, or that another process writes."""
        if self._lock is None or self._opened is None:
            raise RunError(self.path, "was opened read-only")
        self._opened.check(self._connection, self.generation)
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
        everybody = report.individuals._asdict().items()
        individuals = {name: np.asarray(column) for name, column in everybody if len(column)}
        recorded = self.scheme.recorded_columns(generation.state)
        state = {name: np.asarray(column) for name, column in recorded.items()}
        with run_errors(self.path), self._transaction():
            if self.generation != generation.number - 1:
                raise RunError(self.path, f"another process has meanwhile recorded generation {self.generation}")
            self._connection.execute("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", summary)
            self._connection.execute("INSERT INTO individuals VALUES (?, ?)", (generation.number, pack(individuals)))
            if self.keep is not KeptGames.POINTS:
                columns = pack(games_to_columns(report, self.keep))
                self._connection.execute("INSERT INTO games VALUES (?, ?)", (generation.number, columns))
            self._connection.execute("REPLACE INTO state VALUES (0, ?, ?)", (generation.number, pack(state, 0)))
        self._checkpoint()

    def _checkpoint(self) -> None:
        """Merge the journal into the file now and then, so that the file alone is the run."""
        if time.monotonic() - self._checkpointed_at >= CHECKPOINT_SECONDS:
            with run_errors(self.path):
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # waits for no reader
            self._checkpointed_at = time.monotonic()

    def record_strength(self, generation: int, score: Score) -> None:
        """Write a measurement of a generation's best network."""
        row = (generation, score.wins, score.draws, score.losses, score.ahead, score.behind)
        with run_errors(self.path):
            self._check_writable()
            self._connection.execute("REPLACE INTO strength VALUES (?, ?, ?, ?, ?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._check_writable()
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
                remove_run(path, ("-wal", "-shm"))  # too damaged for anybody to read
    except (OSError, sqlite3.Error, RunError):
        return


def network_of_run(path: str, generation: int | None) -> Network:
    """The network of a run's generation, by default the last: the player ``run:FILE#GENERATION``."""
    with Run.open(path) as run:
        return run.network(generation)


class FolderError(EvocheckersError):
    """A folder of runs that cannot be used; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path, fault: str) -> None:
        self.path, self.fault = path, fault
        super().__init__(f"{path}: {fault}")


def find_runs(paths: Sequence[Path]) -> list[Path]:
    """The run files among files and folders, each once; a folder stands for all run files in it."""
    found = [file for path in paths for file in (runs_in(path) if path.is_dir() else [path])]
    return list({file.resolve(): file for file in found}.values())


def runs_in(folder: Path) -> list[Path]:
    """The run files in a folder, sorted by name."""
    if not folder.is_dir():
        raise FolderError(folder, "is a file, not a folder" if folder.exists() else "no such folder")
    return sorted(folder.glob("*.sqlite"))
