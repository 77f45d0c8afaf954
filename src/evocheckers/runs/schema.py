"""What a run file holds: its tables, and the figures that it keeps of a generation."""

import enum
import re
from dataclasses import dataclass

FORMAT = "evocheckers-run"
VERSION = "1"
MEASURE_EVERY = 20
"""Default number of generations between two measurements; 0 means none."""

MAX_COUNT = 1 << 53
"""Upper bound of every count in a generation."""

TABLES = """
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
    """Only everybody's points, which are always kept, as are parents and the best network."""


@dataclass(frozen=True)
class Summary:
    """The figures of a recorded generation."""

    number: int
    digest: str
    best_id: int
    games: int
    draws: int
    plies: int
    evaluations: int
    seconds: float

    @classmethod
    def from_row(cls, row: tuple) -> "Summary":
        """A summary from a valid row, or an error: SQLite itself would return anything."""
        kinds = (int, str, int, int, int, int, int, float)
        if not all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True)):
            raise ValueError(f"generation {str(row[0])[:20]!r}")
        found = cls(*row)
        counts = (found.best_id, found.draws, found.plies, found.evaluations)
        if (
            found.number < 1
            or not re.fullmatch("[0-9a-f]{64}", found.digest)
            or not all(0 <= count <= MAX_COUNT for count in counts)
            or not max(1, found.draws) <= found.games <= MAX_COUNT
            or not 0 <= found.seconds <= MAX_COUNT
        ):
            raise ValueError(f"generation {found.number}")
        return found


SUMMARIES = "SELECT number, digest, best_id, games, draws, plies, evaluations, seconds FROM generations"
"""The query that returns summaries."""
