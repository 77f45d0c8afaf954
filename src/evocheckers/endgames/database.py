"""An endgame database: the value of every position with few pieces, won, drawn or lost."""

import enum
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evocheckers.endgames import files
from evocheckers.endgames.build import Progress, build_table
from evocheckers.endgames.errors import EndgameError, EndgameFileError
from evocheckers.endgames.index import (
    DRAW,
    HEADER,
    LOSS,
    MIN_PIECES,
    UNKNOWN,
    VALUES_PER_WORD,
    WIN,
    check_pieces,
    groups,
    header,
    one_sided,
    probe_packed,
    value_words,
)
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import aligned, pointer_to, popcount, u32
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move

_LOW_BITS = u32(0x55555555)


class Value(enum.IntEnum):
    """The value of a position to the side to move under best play."""

    DRAW = DRAW
    WIN = WIN
    LOSS = LOSS

    @property
    def reversed(self) -> "Value":
        """The value to the other side."""
        return {Value.DRAW: Value.DRAW, Value.WIN: Value.LOSS, Value.LOSS: Value.WIN}[self]

    def __str__(self) -> str:
        return self.name.lower()


class Counts(NamedTuple):
    """The positions with a given number of pieces, counted by their value to the side to move."""

    positions: int
    wins: int
    draws: int
    losses: int


@entry
def _probe(packed: np.ndarray, own: u32, opp: u32, kings: u32) -> int:
    return probe_packed(pointer_to(packed), own, opp, kings)


@entry
def _count(words: np.ndarray) -> tuple[int, int, int]:
    """Wins, losses and unknown entries."""
    wins = losses = unknown = 0
    for i in range(words.size):
        low, high = u32(words[i] & _LOW_BITS), u32((words[i] >> u32(1)) & _LOW_BITS)
        wins += popcount(u32(low & ~high))
        losses += popcount(u32(high & ~low))
        unknown += popcount(u32(low & high))
    return wins, losses, unknown


@dataclass(frozen=True, eq=False)
class Database:
    """All positions with up to ``pieces`` pieces, both sides together.

    >>> database = Database.build(2)
    >>> board = Board("B:W5:BK6")
    >>> database.probe(board)
    <Value.WIN: 1>
    >>> {str(move): str(value) for move, value in database.values_of_moves(board).items()}
    {'6-9': 'draw', '6-10': 'draw', '6-1': 'win', '6-2': 'loss'}
    """

    pieces: int
    packed: np.ndarray
    """The table in one array of 32-bit words (see ``index``); ``probe_packed`` reads it in compiled code."""

    def __post_init__(self) -> None:
        check_pieces(self.pieces)
        words = HEADER + value_words(self.pieces)
        if self.packed.dtype != np.uint32 or self.packed.shape != (words,):
            raise EndgameError(f"a table of {self.pieces} pieces is one array of {words} words of 32 bits")
        if not np.array_equal(self.packed[:HEADER], header(self.pieces)):
            raise EndgameError(f"these words are not a table of {self.pieces} pieces")
        self.packed.setflags(write=False)

    @classmethod
    def build(
        cls,
        pieces: int,
        threads: int | None = None,
        progress: Progress | None = None,
        start: "Database | None" = None,
    ) -> "Database":
        """Solve all positions, by default on as many threads as there are cores.

        ``start``, a database of fewer pieces, is copied and not solved again.
        """
        return cls(pieces, build_table(pieces, threads, progress, start.packed if start else None))

    @classmethod
    def prepare(
        cls,
        pieces: int,
        threads: int | None = None,
        progress: Progress | None = None,
        folder: Path | str | None = None,
    ) -> "Database":
        """Load the database from its folder; if missing, build and save it first.

        Databases of fewer pieces are saved on the way, so that a killed build resumes from the last of them.
        """
        check_pieces(pieces)
        folder = files.ready_folder(folder)
        try:
            database = cls.find(pieces, folder)
        except EndgameFileError:  # damaged: rebuild from scratch
            database = None
        while database is None or database.pieces < pieces:
            number = database.pieces + 1 if database else MIN_PIECES
            database = cls.build(number, threads, progress, database)
            database.save(folder / files.file_name(number))
        return database

    @classmethod
    def find(cls, max_pieces: int | None = None, folder: Path | str | None = None) -> "Database | None":
        """Load the largest database, or the largest with at most ``max_pieces`` pieces; None if there is none."""
        path = files.largest_file(max_pieces, folder)
        return None if path is None else cls.load(path)

    def save(self, path: Path | str) -> None:
        """Write a database file."""
        files.write(path, self.pieces, self._counts_as_lists(), self.packed[HEADER:])

    @classmethod
    def load(cls, path: Path | str) -> "Database":
        """Read and check a database file."""
        pieces, counts, values = files.read(path)
        packed = aligned(HEADER + values.size, np.uint32)
        packed[:HEADER] = header(pieces)
        packed[HEADER:] = values
        database = cls(pieces, packed)
        if database._counts_as_lists() != counts:
            raise EndgameFileError(path, "its counts do not match its values")
        return database

    def probe(self, board: Board) -> Value | None:
        """The value to the side to move; None for too many pieces, or with an uncrowned man on its last row."""
        own, opp, kings = board.mover_words
        value = _probe(self.packed, u32(own), u32(opp), u32(kings))
        return None if value == UNKNOWN else Value(value)

    def values_of_moves(self, board: Board) -> dict[Move, Value]:
        """The value of each move to the mover, omitting moves to positions that are not in the database."""
        values = {}
        for move in board.legal_moves():
            value = self.probe(board.child(move))
            if value is not None:
                values[move] = value.reversed
        return values

    @cached_property
    def counts(self) -> dict[int, Counts]:
        """Positions, wins, draws and losses by number of pieces, including positions with only one colour."""
        words = dict.fromkeys(range(1, self.pieces + 1), 0)
        for group in groups(self.pieces):
            words[group.pieces] += group.words
        counts, at = {}, HEADER
        for number, size in words.items():
            wins, losses, unknown = _count(self.packed[at : at + size])
            positions = size * VALUES_PER_WORD - unknown
            alone = one_sided(number)
            draws = positions - wins - losses
            counts[number] = Counts(positions + alone, wins + alone // 2, draws, losses + alone // 2)
            at += size
        return counts

    def digest(self) -> str:
        """A digest of all values, which must not depend on the machine or the number of threads."""
        return hashlib.sha256(self.packed[HEADER:].astype("<u4", copy=False).tobytes()).hexdigest()

    def _counts_as_lists(self) -> list[list[int]]:
        return [[number, *counts] for number, counts in self.counts.items()]
