"""The run file: SQLite, one transaction per generation, so that a generation is recorded whole or not at all.

Only this module writes runs. Networks are kept as safetensors, states and games as compressed columns; nothing is
pickled.
"""

import enum
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from filelock import FileLock

from evocheckers import __version__
from evocheckers.evaluation.network import Network
from evocheckers.evolution.evolve import Generation, Resumable
from evocheckers.evolution.presets import ConfigError, make_settings
from evocheckers.evolution.registry import SchemeError, find_scheme, package_of
from evocheckers.evolution.scheme import Individuals, Scheme, Settings
from evocheckers.games.batch import BatchResult
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Color
from evocheckers.rules.pdn import Game
from evocheckers.runs.columns import pack, unpack
from evocheckers.runs.files import RunError, faults, has_begun, lock_file, locked
from evocheckers.tournaments.score import Score

FORMAT = "evocheckers-run"
VERSION = "1"

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE generations (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL, best_id INTEGER NOT NULL, best BLOB NOT NULL,
    games INTEGER NOT NULL, draws INTEGER NOT NULL, plies INTEGER NOT NULL, evaluations INTEGER NOT NULL,
    seconds REAL NOT NULL);
CREATE TABLE individuals (generation INTEGER PRIMARY KEY, columns BLOB NOT NULL);
CREATE TABLE games (generation INTEGER PRIMARY KEY, columns BLOB NOT NULL);
CREATE TABLE state (only INTEGER PRIMARY KEY CHECK (only = 0), generation INTEGER NOT NULL, columns BLOB NOT NULL);
CREATE TABLE strength (
    generation INTEGER PRIMARY KEY, wins INTEGER, draws INTEGER, losses INTEGER, ahead INTEGER, behind INTEGER);
"""


class Keep(enum.StrEnum):
    """What a run keeps of every generation's games."""

    MOVES = "moves"
    """Who met whom, the results, and all moves."""
    RESULTS = "results"
    """The same without moves."""
    POINTS = "points"
    """Nothing but everybody's points, which are always kept, as are parents and the best network."""


@dataclass(frozen=True)
class Summary:
    """A recorded generation's numbers."""

    number: int
    digest: str
    best_id: int
    games: int
    draws: int
    plies: int
    evaluations: int
    seconds: float


_SUMMARIES = "SELECT number, digest, best_id, games, draws, plies, evaluations, seconds FROM generations"


class Run:
    """A run file, open for reading or writing."""

    def __init__(self, path: Path | str, connection: sqlite3.Connection, lock: FileLock | None) -> None:
        self.path = Path(path)
        self._connection = connection
        self._lock = lock
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        if meta.get("format") != FORMAT:
            raise RunError(path, "not a run of evocheckers")
        if meta.get("version") != VERSION:
            raise RunError(path, f"version {meta.get('version')}; this program reads version {VERSION}")
        self.program = meta["program"]
        self.preset = meta["preset"]
        self.seed = int(meta["seed"])
        self.generations = int(meta["generations"])
        self.keep = Keep(meta["keep"] if "keep" in meta else {"kept": "moves", "dropped": "results"}[meta["moves"]])
        self.package = meta.get("package", "")
        """The package that its scheme comes from; empty for ours."""
        try:
            self.scheme = find_scheme(meta["scheme"])
        except SchemeError as error:
            needed = f"; it needs the package {self.package}" if self.package else ""
            raise RunError(path, f"{error}{needed}") from None
        try:
            self.settings: Settings = make_settings(self.scheme, json.loads(meta["settings"]))
        except ConfigError as error:
            raise RunError(path, f"was made by another program ({self.program}): {error}") from None

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
    ) -> "Run":
        """Begin a run file; one that exists is refused."""
        path = Path(path)
        if has_begun(path):
            raise RunError(path, "exists already")
        path.parent.mkdir(parents=True, exist_ok=True)
        meta = {
            "format": FORMAT,
            "version": VERSION,
            "program": __version__,
            "preset": preset,
            "scheme": scheme.name,
            "package": package_of(scheme.name),
            "settings": settings.model_dump_json(),
            "seed": str(seed),
            "generations": str(generations),
            "keep": keep.value,
        }
        with faults(path), locked(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            connection.execute("COMMIT")
        return cls.open(path, writing=True)

    @classmethod
    def open(cls, path: Path | str, writing: bool = False) -> "Run":
        """Open a run file; for writing, only if no other process does."""
        path = Path(path)
        if not path.is_file():
            raise RunError(path, "no such file")
        with faults(path):
            if writing:
                return cls._connected(path, "rw", lock_file(path))
            try:
                return cls._connected(path, "ro")
            except sqlite3.OperationalError:
                if Path(f"{path.resolve()}-wal").exists():
                    raise
                return cls._connected(path, "ro&immutable=1")  # in a folder that cannot be written

    @classmethod
    def _connected(cls, path: Path, mode: str, lock: FileLock | None = None) -> "Run":
        place = f"file:{quote(str(path.resolve()))}?mode={mode}"
        connection = sqlite3.connect(place, uri=True, isolation_level=None)
        try:
            if lock is not None:
                connection.execute("PRAGMA journal_mode = WAL")
            return cls(path, connection, lock)
        except BaseException:
            connection.close()
            if lock is not None:
                lock.release()
            raise

    def close(self) -> None:
        """Close the file; every recorded generation is in it."""
        with faults(self.path):
            self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def set_generations(self, generations: int) -> None:
        """Change how far the run shall go."""
        with faults(self.path):
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'generations'", [str(generations)])
        self.generations = generations

    def record(self, generation: Generation[Any]) -> None:
        """Write a generation, whole or not at all."""
        report = generation.report
        games = report.games
        columns = {
            "black": report.black_ids.astype(np.int64),
            "white": report.white_ids.astype(np.int64),
            "winners": games.winners,
            "reasons": games.reasons,
            "plies": games.plies,
            "evaluations": games.evaluations,
            "starts": np.array([list(start) for start in games.starts], np.int64).reshape(-1, 4),
        }
        if self.keep is Keep.MOVES:
            longest = int(games.plies.max(initial=0))
            columns["codes"] = np.ascontiguousarray(games.codes[:, :longest])
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
        individuals = {name: np.asarray(column) for name, column in report.individuals._asdict().items()}
        state = {name: np.asarray(column) for name, column in generation.state._asdict().items()}
        with faults(self.path), self._transaction():
            self._connection.execute("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", summary)
            self._connection.execute("INSERT INTO individuals VALUES (?, ?)", (generation.number, pack(individuals)))
            if self.keep is not Keep.POINTS:
                self._connection.execute("INSERT INTO games VALUES (?, ?)", (generation.number, pack(columns)))
            self._connection.execute("REPLACE INTO state VALUES (0, ?, ?)", (generation.number, pack(state, 0)))

    def record_strength(self, generation: int, score: Score) -> None:
        """Write a measurement of a generation's best network."""
        row = (generation, score.wins, score.draws, score.losses, score.ahead, score.behind)
        with faults(self.path):
            self._connection.execute("REPLACE INTO strength VALUES (?, ?, ?, ?, ?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # a full disk has rolled it back already
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple]:
        with faults(self.path):
            return self._connection.execute(query, values).fetchall()

    def last(self) -> Resumable[Any] | None:
        """The last recorded generation, to go on from."""
        rows = self._rows(
            "SELECT s.generation, s.columns, g.digest FROM state s JOIN generations g ON number = generation"
        )
        if not rows:
            return None
        with faults(self.path):
            kind, parts = self.scheme.state, unpack(rows[0][1])
            if set(parts) != set(kind._fields):
                made_by = self.program
                raise RunError(self.path, f"was made by another program ({made_by}); it can be read but not resumed")
            return Resumable(rows[0][0], kind(**parts), rows[0][2])

    @property
    def generation(self) -> int:
        """The last recorded generation; 0 before the first."""
        return int(self._rows("SELECT COALESCE(MAX(number), 0) FROM generations")[0][0])

    @property
    def digest(self) -> str:
        """The digest after the last recorded generation; empty before the first."""
        rows = self._rows("SELECT digest FROM generations ORDER BY number DESC LIMIT 1")
        return str(rows[0][0]) if rows else ""

    def summaries(self) -> list[Summary]:
        """All recorded generations, in order."""
        return [self._summary(row) for row in self._rows(f"{_SUMMARIES} ORDER BY number")]

    def summary(self, generation: int) -> Summary | None:
        """One recorded generation, if there is one."""
        rows = self._rows(f"{_SUMMARIES} WHERE number = ?", [generation])
        return self._summary(rows[0]) if rows else None

    def _summary(self, row: tuple) -> Summary:
        """A row as it was written, or none at all: SQLite itself would hand out anything."""
        kinds = (int, str, int, int, int, int, int, float)
        with faults(self.path):
            if not all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True)):
                raise ValueError(f"generation {row[0]!r}")
        return Summary(*row)

    def strengths(self) -> dict[int, Score]:
        """Measurements by generation."""
        rows = self._rows("SELECT * FROM strength ORDER BY generation")
        with faults(self.path):
            if not all(isinstance(value, int) for row in rows for value in row):
                raise ValueError("strength")
        return {number: Score(*counts) for number, *counts in rows}

    def individuals(self, generation: int) -> Individuals:
        """Who took part in a generation."""
        columns = self._columns("individuals", generation)
        with faults(self.path):
            return Individuals(**columns)

    def games(self, generation: int) -> tuple[np.ndarray, np.ndarray, BatchResult]:
        """Who played Black and White, and the games; without moves if they were not kept."""
        if self.keep is Keep.POINTS:
            raise RunError(self.path, "kept no games; evolve with --keep results or --keep moves")
        columns = self._columns("games", generation)
        with faults(self.path):
            starts = [Position(Color(turn), *boards) for turn, *boards in columns.pop("starts").tolist()]
            codes = columns.pop("codes", np.zeros((len(starts), 0), np.uint32))
            black, white = columns.pop("black"), columns.pop("white")
            return black, white, BatchResult(**columns, codes=codes, starts=starts)

    def played_games(self, generation: int) -> list[Game]:
        """The games of a generation for PDN files."""
        if self.keep is Keep.RESULTS:
            raise RunError(self.path, "kept no moves; evolve with --keep moves")
        black, white, result = self.games(generation)
        games = []
        for number in range(len(result)):
            record = result[number]
            tags = {
                "Event": f"{self.preset}, seed {self.seed}, generation {generation}",
                "Round": str(number + 1),
                "Black": str(black[number]),
                "White": str(white[number]),
                "Termination": str(record.outcome.reason),
            }
            games.append(Game(list(record.moves), tags, record.outcome.result, result.starts[number]))
        return games

    def _columns(self, table: str, generation: int) -> dict[str, np.ndarray]:
        rows = self._rows(f"SELECT columns FROM {table} WHERE generation = ?", [generation])  # noqa: S608
        if not rows:
            raise RunError(self.path, f"has no generation {generation}; it has {self._span()}")
        with faults(self.path):
            return unpack(rows[0][0])

    def network(self, generation: int | None = None) -> Network:
        """A generation's best network; 0 is what the run began with, None the last one."""
        if generation == 0:
            return self.scheme.first_network(self.settings, self.scheme.begin(self.settings, self.seed))
        which = "(SELECT MAX(number) FROM generations)" if generation is None else "?"
        values = [] if generation is None else [generation]
        rows = self._rows(f"SELECT best FROM generations WHERE number = {which}", values)  # noqa: S608
        if not rows:
            wanted = "generation yet" if generation is None else f"generation {generation}"
            raise RunError(self.path, f"has no {wanted}; it has {self._span()}")
        with faults(self.path):
            return Network.from_bytes(rows[0][0], self.path)

    def signed_network(self, generation: int | None = None) -> Network:
        """The same network, with what it takes to make it again in its ``source``."""
        network = self.network(generation)
        digests = {summary.number: summary.digest for summary in self.summaries()}
        number = generation if generation is not None else max(digests)
        source = {
            "program": self.program,
            "preset": self.preset,
            "settings": self.settings.model_dump(),
            "seed": self.seed,
            "generation": number,
            "digest": digests.get(number, ""),
        }
        return replace(network, source={**network.source, **source})

    def _span(self) -> str:
        numbers = [summary.number for summary in self.summaries()]
        return f"0 to {numbers[-1]}" if numbers else "none yet but 0"
