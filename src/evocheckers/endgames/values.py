"""An endgame database: the value of every position with few pieces, won, drawn or lost.

It is built by retrograde analysis (``retrograde``), packed four values to a byte, kept in a file, and probed. Its
values can be checked against each other: each must follow from those of the positions one move later.
"""

import enum
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evocheckers.endgames import files
from evocheckers.endgames.index import (
    DRAW,
    HEADER,
    LOSS,
    MIN_PIECES,
    UNKNOWN,
    VALUES_PER_WORD,
    WIN,
    EndgameError,
    EndgameFileError,
    check_pieces,
    groups,
    header,
    one_sided,
    position_at,
    probe_packed,
    value_words,
)
from evocheckers.endgames.retrograde import find_chunk, slice_rows, solve
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, popcount, u32
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move

Progress = Callable[[int, int, str], None]
"""Called with the number of entries done, the number of all entries, and a description of the last step."""

_LOW_BITS = u32(0x55555555)


@entry
def _pack(entries: np.ndarray, words: np.ndarray) -> None:
    """Pack sixteen entries of retrograde analysis into each word; ``LOST`` and ``WON`` become ``LOSS`` and ``WIN``."""
    for i in range(words.size):
        word = u32(0)
        for j in range(VALUES_PER_WORD):
            word = u32(word | (u32(entries[i * VALUES_PER_WORD + j]) << u32(2 * j)))
        words[i] = _swap_pairs(word)


@entry
def _unpack(words: np.ndarray, entries: np.ndarray) -> None:
    """The inverse of ``_pack``."""
    for i in range(words.size):
        word = _swap_pairs(words[i])
        for j in range(VALUES_PER_WORD):
            entries[i * VALUES_PER_WORD + j] = np.uint8((word >> u32(2 * j)) & u32(3))


@inner
def _swap_pairs(word: u32) -> u32:
    """Every two neighbouring bits exchanged: 1 and 2 change places, 0 and 3 stay."""
    return u32(((word & _LOW_BITS) << u32(1)) | ((word >> u32(1)) & _LOW_BITS))


def build_table(
    pieces: int,
    threads: int | None = None,
    progress: Progress | None = None,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """The table of all positions with up to ``pieces`` pieces; ``start`` is a finished table of fewer, to extend."""
    check_pieces(pieces)
    table = aligned(HEADER + value_words(pieces), np.uint32)
    table[:HEADER] = header(pieces)
    total = (table.size - HEADER) * VALUES_PER_WORD
    entries = aligned(total, np.uint8)
    entries.fill(UNKNOWN)
    known = 0
    if start is not None:
        known = min(start.size, table.size) - HEADER
        _unpack(start[HEADER : HEADER + known], entries)
    for group in groups(pieces):
        if group.first_word < known:
            continue
        rounds = solve(group, table[:HEADER], entries, thread_count(threads), counts_plies=False)
        if progress:
            done = (group.first_word + group.words) * VALUES_PER_WORD
            progress(done, total, f"{group.slices[0]}: {rounds} rounds")
    _pack(entries, table[HEADER:])
    return table


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


@inner
def _expected(table: Pointer, moves: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The value of a position from those of all its successors."""
    end = list_moves(own, opp, kings, moves, 0)
    result = LOSS
    for at in range(0, end, MOVE_WORDS):
        next_own, next_opp, next_kings = turn(moves[at], moves[at + 1], moves[at + 2])
        value = probe_packed(table, next_own, next_opp, next_kings)
        if value == LOSS:
            return WIN
        if value == UNKNOWN:
            result = UNKNOWN
        elif value == DRAW and result != UNKNOWN:
            result = DRAW
    return result


@entry
def _count_inconsistent(
    packed: np.ndarray, rows: np.ndarray, next_chunk: np.ndarray, stop: np.ndarray, move_words: np.ndarray
) -> int:
    table, moves = pointer_to(packed), pointer_to(move_words)
    wrong = 0
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3], rows[row, 4]
        for index in range(begin, end):
            own, opp, kings, valid = position_at(table, m1, k1, m2, k2, index)
            place = first + index
            stored = i64(table[HEADER + place // VALUES_PER_WORD] >> u32(2 * (place % VALUES_PER_WORD))) & 3
            expected = UNKNOWN
            if valid:
                expected = _expected(table, moves, own, opp, kings)
                if expected == UNKNOWN:
                    wrong += 1
                    continue
            if stored != expected:
                wrong += 1
    return wrong


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

    def count_inconsistent(self, threads: int | None = None) -> int:
        """The number of entries in the whole table whose values do not follow from their successors'.

        If there are none, the database agrees with the rules in every move. This does not show that its wins can be
        forced: a cycle of unfounded wins and losses would pass.
        """
        rows = np.concatenate([slice_rows(group) for group in groups(self.pieces)])
        count = thread_count(threads)
        wrong = np.zeros(count, np.int64)
        moves = aligned((count, MAX_MOVES * MOVE_WORDS), np.uint32)

        def work(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
            wrong[thread] = _count_inconsistent(self.packed, rows, next_chunk, stop, moves[thread])

        run_threads(work, count)
        return int(wrong.sum())

    def digest(self) -> str:
        """A digest of all values, which must not depend on the machine or the number of threads."""
        return hashlib.sha256(self.packed[HEADER:].astype("<u4", copy=False).tobytes()).hexdigest()

    def _counts_as_lists(self) -> list[list[int]]:
        return [[number, *counts] for number, counts in self.counts.items()]
