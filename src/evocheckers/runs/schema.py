"""What a run file holds, and in what form: its tables, and arrays as compressed columns.

A run file is SQLite. Figures of a generation have columns of their own; populations and games are arrays, packed under
their names into one compressed value: nothing is pickled. A file may come from anywhere, so ``unpack`` trusts nothing
in it: types must be numeric, and no more memory is taken than the header says, which is at most ``MAX_BYTES``.
"""

import enum
import json
import math
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.scheme import GenerationReport, RecordedGames
from evocheckers.games.batch import BatchResult
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Color

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


class KeptGames(enum.StrEnum):
    """What a run file keeps of every generation's games."""

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
        types = (int, str, int, int, int, int, int, float)
        if not all(isinstance(value, kind) for value, kind in zip(row, types, strict=True)):
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

MAX_BYTES = 1 << 28
"""Largest size of all columns together, unpacked: a generation of a quarter of a million games with all their moves."""
COLUMN_TYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
"""The allowed types of columns."""

_MAX_HEADER = 1 << 14
_MAX_DIMENSIONS = 4
_CHUNK = 1 << 20


class ColumnsError(ValueError):
    """Bytes that are not valid columns."""


class TooLargeError(EvocheckersError):
    """Columns that are too large for a run file."""


def pack(columns: dict[str, np.ndarray], level: int = 2) -> bytes:
    """Named arrays as compressed bytes: a JSON header and the raw columns. Level 0 is for data that does not shrink."""
    size = sum(array.nbytes for array in columns.values())
    if size > MAX_BYTES:
        raise TooLargeError(
            f"a generation of {size >> 20} MiB, more than the {MAX_BYTES >> 20} MiB that a run file takes; "
            "--keep results or --keep points needs less"
        )
    header = json.dumps([[name, array.dtype.str, list(array.shape)] for name, array in columns.items()]).encode()
    parts = [np.ascontiguousarray(array).tobytes() for array in columns.values()]
    return zlib.compress(len(header).to_bytes(4, "little") + header + b"".join(parts), level)


def unpack(data: object) -> dict[str, np.ndarray]:
    """The inverse of ``pack``; a ``ColumnsError`` says what is wrong."""
    if not isinstance(data, bytes):
        raise ColumnsError("columns are not bytes")
    stream = _Stream(data)
    length = int.from_bytes(stream.read(4).tobytes(), "little")
    if length > _MAX_HEADER:
        raise ColumnsError("columns with a header that is too long")
    try:
        header = json.loads(stream.read(length).tobytes())
    except (ValueError, RecursionError):
        raise ColumnsError("columns whose header is not JSON") from None
    columns, left = {}, MAX_BYTES
    for name, kind, shape in _column_headers(header):
        size = math.prod(shape) * np.dtype(kind).itemsize
        left -= size
        if left < 0:
            raise ColumnsError(f"columns of more than {MAX_BYTES >> 20} MiB")
        if name in columns:
            raise ColumnsError(f"two columns {name!r}")
        columns[name] = stream.read(size).view(kind).reshape(shape)
        columns[name].setflags(write=False)
    stream.end()
    return columns


def _column_headers(header: Any) -> Iterator[tuple[str, str, list[int]]]:
    """Name, type and shape of each column, checked."""
    if not isinstance(header, list):
        raise ColumnsError("columns whose header is not a list")
    for entry in header:
        if not isinstance(entry, list) or len(entry) != 3:
            raise ColumnsError("a column without name, type and shape")
        name, kind, shape = entry
        if not isinstance(name, str) or not name.isidentifier():
            raise ColumnsError("a column without a name")
        if kind not in COLUMN_TYPES:
            raise ColumnsError(f"column {name} is of type {str(kind)[:20]!r}")
        if (
            not isinstance(shape, list)
            or len(shape) > _MAX_DIMENSIONS
            or not all(type(length) is int and 0 <= length <= MAX_BYTES for length in shape)
        ):
            raise ColumnsError(f"column {name} is of shape {str(shape)[:60]}")
        yield name, kind, shape


class _Stream:
    """Compressed bytes, unpacked only as far as they are read."""

    def __init__(self, data: bytes) -> None:
        self._unpacker = zlib.decompressobj()
        self._pieces = (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
        self._piece = b""

    def read(self, size: int) -> np.ndarray:
        """Read exactly ``size`` bytes."""
        out = np.empty(size, np.uint8)
        at = 0
        while at < size:
            part = self._some(min(size - at, _CHUNK))
            if not part:
                raise ColumnsError("columns that end too early")
            out[at : at + len(part)] = np.frombuffer(part, np.uint8)
            at += len(part)
        return out

    def end(self) -> None:
        """Refuse any further data."""
        if self._some(1) or not self._unpacker.eof or self._unpacker.unused_data:
            raise ColumnsError("columns with trailing data, or cut short")

    def _some(self, most: int) -> bytes:
        """Some bytes, at most ``most``; none at the end."""
        while not self._unpacker.eof:
            part = self._unpacker.decompress(self._piece, most)
            self._piece = self._unpacker.unconsumed_tail
            if part:
                return part
            if not self._piece:
                self._piece = next(self._pieces, b"")
                if not self._piece:
                    break
        return b""


def games_to_columns(report: GenerationReport, keep: KeptGames) -> dict[str, np.ndarray]:
    """The games of a generation by column; moves only if they are kept, up to the length of the longest game."""
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
    if keep is KeptGames.MOVES:
        longest = int(games.plies.max(initial=0))
        columns["codes"] = np.ascontiguousarray(games.codes[:, :longest])
    return columns


class _Starts(Sequence[Position]):
    """Where games began: rows of side to move, black, white and kings, converted to positions when accessed."""

    def __init__(self, rows: np.ndarray) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Position]: ...
    def __getitem__(self, index: int | slice) -> Position | Sequence[Position]:
        if isinstance(index, slice):
            return [_position(row) for row in self._rows[index].tolist()]
        return _position(self._rows[index].tolist())


def _position(row: list[int]) -> Position:
    return Position(Color(row[0]), *row[1:])


def games_from_columns(columns: dict[str, np.ndarray]) -> RecordedGames:
    """The inverse of ``games_to_columns``, for columns that were checked; games without moves if none were kept."""
    columns = dict(columns)
    starts = _Starts(columns.pop("starts"))
    codes = columns.pop("codes", np.zeros((len(starts), 0), np.uint32))
    black_ids, white_ids = columns.pop("black"), columns.pop("white")
    return RecordedGames(black_ids, white_ids, BatchResult(**columns, codes=codes, starts=starts))
