"""Games in progress and finished ones, kept in SQLite: they survive a restart of server and browser."""

import json
import secrets
import sqlite3
import threading
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evocheckers.errors import EvocheckersError

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    updated TEXT NOT NULL,
    person TEXT NOT NULL,
    game TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS results (
    game TEXT PRIMARY KEY REFERENCES games(id),
    person TEXT NOT NULL,
    finished TEXT NOT NULL,
    outcome REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS results_of_person ON results(person, finished);
"""


class StoreError(EvocheckersError):
    """A file that is no store of games."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on one side: a person, or a player of the catalogue with its limit."""

    player: str
    limit: str


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is kept."""

    start: str
    black: Seat
    white: Seat
    person: str = ""
    moves: tuple[str, ...] = ()
    ended: tuple[str, str] | None = None
    """Who won (``black``, ``white`` or ``draw``) and why, where the board alone does not tell."""
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the engine thought, by the number of plies played."""
    names: tuple[str, str] = ("", "")
    """Of Black and White in a game that was loaded."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    seed: int = field(default_factory=lambda: secrets.randbits(48))

    def played(self, *moves: str) -> "StoredGame":
        """The game with more moves."""
        return replace(self, moves=(*self.moves, *moves))

    def seat(self, color: str) -> Seat:
        return self.black if color == "black" else self.white


class Store:
    """A file of games."""

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")  # what is committed outlives the server, if killed
            self._connection.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise StoreError(f"games in {path}: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def save(self, game: StoredGame) -> None:
        """Keep a game, as new or in the place of its earlier self."""
        data = {part.name: getattr(game, part.name) for part in fields(game)}
        text = json.dumps({**data, "black": asdict(game.black), "white": asdict(game.white)})
        with self._lock:
            self._connection.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET updated = excluded.updated, game = excluded.game",
                (game.id, _now(), game.person, text),
            )

    def load(self, game_id: str) -> StoredGame | None:
        """A game by its id."""
        with self._lock:
            row = self._connection.execute("SELECT game FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            return None
        data = json.loads(row[0])
        for side in ("black", "white"):
            data[side] = Seat(**data[side])
        for name in ("moves", "ended", "names"):
            data[name] = None if data[name] is None else tuple(data[name])
        return StoredGame(**data)

    def record_result(self, game: StoredGame, outcome: float) -> None:
        """A person's finished game against the champion: 1, 0.5 or 0. Only the first record counts."""
        with self._lock:
            self._connection.execute(
                "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", (game.id, game.person, _now(), outcome)
            )

    def results(self, person: str) -> list[float]:
        """A person's results, in their order."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT outcome FROM results WHERE person = ? ORDER BY finished, rowid", (person,)
            ).fetchall()
        return [row[0] for row in rows]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
