"""Games in progress and finished games, stored in SQLite: they survive restarts of the server and the browser.

A file has one owner: the server that opened it first, until it ends, however it ends. A game has a version, incremented
by each change; a change is written only over the version that it was made from, so that none is lost unnoticed.
"""

import hashlib
import json
import secrets
import sqlite3
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evocheckers.page.games.clock import Clock
from evocheckers.page.responses import ConflictError, PageError

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    updated TEXT NOT NULL,
    person TEXT NOT NULL,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    view TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS results (
    game TEXT PRIMARY KEY REFERENCES games(id),
    person TEXT NOT NULL,
    finished TEXT NOT NULL,
    outcome REAL NOT NULL,
    opponent REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS reviews (
    game TEXT PRIMARY KEY REFERENCES games(id),
    moves TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS games_by_view ON games(view);
CREATE INDEX IF NOT EXISTS results_of_person ON results(person, finished);
"""
_PATIENCE_SECONDS = 1.0
"""How long to wait for an owner that is just ending."""
_TIDY_SECONDS = 2.0


class StoreError(PageError):
    """A file that is not a store of games, or cannot be written."""

    status = 507


class StaleGameError(ConflictError):
    """A change to a game that has been changed since."""

    def __init__(self, game: "StoredGame") -> None:
        self.game = game
        super().__init__("the game has been changed meanwhile")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays one side: a person, or a player of the catalogue with its limit."""

    player: str
    limit: str


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored."""

    start: str
    black: Seat
    white: Seat
    person: str = ""
    moves: tuple[str, ...] = ()
    ended: tuple[str, str] | None = None
    """Who won (``black``, ``white`` or ``draw``) and why, if the board alone does not show it."""
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Values of its positions, by the number of plies played."""
    names: tuple[str, str] = ("", "")
    """Names of Black and White in a game that was loaded."""
    counts: bool = False
    """Whether its result counts for the person's rating: a whole game against a level, without help."""
    clock: Clock | None = None
    repetition: bool = True
    """Whether the third occurrence of a position ends it as a draw."""
    date: str = ""
    """When it was begun or, if loaded, played, in PDN's format; empty if unknown."""
    opening_plies: int = 0
    """Number of its moves that were given as an opening."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    seed: int = field(default_factory=lambda: secrets.randbits(48))
    version: int = 0
    """How often it has been changed; maintained by the store."""

    def played(self, *moves: str) -> "StoredGame":
        """The game with more moves."""
        return replace(self, moves=(*self.moves, *moves))

    @property
    def rated(self) -> bool:
        """Whether a person is rated by it; such a game gets no help."""
        return self.counts and bool(self.person)

    def seat(self, color: str) -> Seat:
        return self.black if color == "black" else self.white

    def side_at(self, ply: int) -> str:
        """The side to move after ``ply`` plies."""
        return "black" if self.start.startswith("B") is (ply % 2 == 0) else "white"


class Store:
    """A file of games, owned by the process that opened it first."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path).resolve()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        try:
            self._owner = _own(self._path)
            try:
                self._connection = self._open()
            except BaseException:
                self._owner.close()
                raise
        except sqlite3.Error as error:
            raise StoreError(f"games in {path}: {error}") from None
        self._tidier = threading.Thread(target=self._tidy, name="tidier", daemon=True)
        self._tidier.start()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # commits survive even if the server is killed
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.executescript(SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    def _tidy(self) -> None:
        """Checkpoint the journal now and then, so that changes do not have to wait for the disk."""
        with closing(sqlite3.connect(self._path)) as connection:
            while not self._closed.wait(_TIDY_SECONDS):
                with suppress(sqlite3.Error):  # a full disk is reported when a game is changed
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Write everything to the one file and release it."""
        self._closed.set()
        self._tidier.join()
        with self._lock:
            self._connection.close()
            self._owner.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything or nothing; errors are raised again."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk may have rolled back already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A transaction whose database errors become ``StoreError``."""
        try:
            with self._transaction():
                yield
        except sqlite3.Error as error:
            raise StoreError(f"the server cannot keep the game: {error}") from None

    def insert(self, game: StoredGame) -> None:
        """Store a new game."""
        with self._changing():
            self._connection.execute(
                "INSERT INTO games (id, updated, person, game, version, view) VALUES (?, ?, ?, ?, ?, ?)",
                (game.id, _now(), game.person, _text(game), game.version, view_of(game.id)),
            )

    def update(self, game: StoredGame, result: tuple[float, float] | None = None) -> StoredGame:
        """Store a game over the version that it was made from, which must still be the latest.

        ``result`` is the person's result in a rated game that has ended (1, 0.5 or 0) and the opponent's rating. The
        first result stays.
        """
        with self._changing():
            written = self._connection.execute(
                "UPDATE games SET updated = ?, game = ?, version = version + 1 WHERE id = ? AND version = ?",
                (_now(), _text(game), game.id, game.version),
            )
            if written.rowcount != 1:
                raise StaleGameError(game)
            if result is not None:
                self._connection.execute(
                    "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?)", (game.id, game.person, _now(), *result)
                )
        return replace(game, version=game.version + 1)

    def load(self, game_id: str) -> StoredGame | None:
        """A game by its id."""
        with self._lock:
            row = self._connection.execute("SELECT game, version FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            return None
        data = json.loads(row[0])
        if data.get("clock"):
            data["clock"] = Clock(**data["clock"])
        for side in ("black", "white"):
            data[side] = Seat(**data[side])
        for name in ("moves", "ended", "names"):
            data[name] = None if data[name] is None else tuple(data[name])
        return StoredGame(**data, version=row[1])

    def keep_review(self, game_id: str, moves: list[dict[str, Any]]) -> None:
        """Store the review of a game's moves."""
        with self._changing():
            self._connection.execute("REPLACE INTO reviews VALUES (?, ?)", (game_id, json.dumps(moves)))

    def load_review(self, game_id: str) -> list[dict[str, Any]]:
        """The stored review of a game's moves, from the first on."""
        with self._lock:
            row = self._connection.execute("SELECT moves FROM reviews WHERE game = ?", (game_id,)).fetchone()
        return json.loads(row[0]) if row else []

    def load_view(self, view: str) -> StoredGame | None:
        """A game by the address under which it is shared."""
        with self._lock:
            row = self._connection.execute("SELECT id FROM games WHERE view = ?", (view,)).fetchone()
        return self.load(row[0]) if row else None

    def results(self, person: str) -> list[tuple[float, float]]:
        """A person's results and the opponents' ratings, in the order in which they were stored."""
        with self._lock:
            return self._connection.execute(
                "SELECT outcome, opponent FROM results WHERE person = ? ORDER BY rowid", (person,)
            ).fetchall()


def view_of(game_id: str) -> str:
    """The address that shows a game without the right to play it: the game's id cannot be derived from it."""
    return urlsafe_b64encode(hashlib.sha256(f"view {game_id}".encode()).digest()[:16]).decode().rstrip("=")


def _own(path: Path) -> sqlite3.Connection:
    """Claim a file of games: a lock on a file next to it, until the connection or the process ends."""
    owner = sqlite3.connect(f"{path}-owner", timeout=_PATIENCE_SECONDS, check_same_thread=False, isolation_level=None)
    try:
        owner.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        owner.close()
        if "locked" not in str(error):
            raise
        fault = "another server has them open; end it, or choose another folder with --data"
        raise StoreError(f"games in {path}: {fault}") from None
    return owner


def _text(game: StoredGame) -> str:
    """A game as JSON; its version has its own column."""
    data = {part.name: getattr(game, part.name) for part in fields(game) if part.name != "version"}
    clock = asdict(game.clock) if game.clock else None
    return json.dumps({**data, "black": asdict(game.black), "white": asdict(game.white), "clock": clock})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
