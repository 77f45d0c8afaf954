"""An endgame database: the value of every position with few pieces, won, drawn or lost.

Solves all positions with few pieces by retrograde analysis, from the ends of games backwards.

Groups of slices are solved one after the other. Captures and crownings lead to finished groups; all other moves stay in
the group. The first pass values the positions decided by those moves or by the lack of any move. Then every value found
in a round is propagated to its predecessors, the positions from which a step without capture leads there: a loss makes
them wins at once, a win makes them losses once all their other moves lose too. Positions that no round reaches are
drawn.

Each round uses only what earlier rounds found. Two threads may write to the same byte, but then they write the same
value, so the result does not depend on the threads.
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
    Group,
    check_pieces,
    groups,
    header,
    one_sided,
    position_at,
    position_index,
    probe_packed,
    value_words,
)
from evocheckers.endgames.retrograde import BEFORE_WORDS, CHUNK, ROW_BEFORE_LAST, SLICE_FIELDS, find_chunk, list_before
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, popcount, u32, u64
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, jumpers, list_jumps, list_steps, steppers, turn
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move

Progress = Callable[[int, int, str], None]
"""Called with the number of entries done, the number of all entries, and a description of the last step."""

u8 = np.uint8
_VALUE = 3
_FRESH = 4
"""Marks a value that has yet to be propagated; the next bit marks values found in the current round."""
_ZERO = u32(0)


@inner
def _value_of_moves(table: Pointer, values: Pointer, moves: Pointer, end: int) -> int:
    """The mover's value from the listed moves; DRAW while undecided."""
    result = LOSS
    for at in range(0, end, MOVE_WORDS):
        own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
        if own == _ZERO:
            return WIN
        value = i64(values[position_index(table, own, opp, kings)]) & _VALUE
        if value == LOSS:
            return WIN
        if value != WIN:
            result = DRAW
    return result


@inner
def _first_value(table: Pointer, values: Pointer, moves: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The value from captures, crownings or the lack of moves; DRAW while undecided."""
    pieces = jumpers(own, opp, kings)
    if pieces != _ZERO:
        return _value_of_moves(table, values, moves, list_jumps(own, opp, kings, pieces, moves, 0))
    if (own & ~kings & ROW_BEFORE_LAST) != _ZERO:
        return _value_of_moves(table, values, moves, list_steps(own, opp, kings, moves, 0))
    return LOSS if steppers(own, opp, kings) == _ZERO else DRAW


@entry
def _begin(
    table_words: np.ndarray,
    rows: np.ndarray,
    next_chunk: np.ndarray,
    stop: np.ndarray,
    move_words: np.ndarray,
    value_bytes: np.ndarray,
) -> None:
    """The first pass over a group; the values it decides are fresh for round 0."""
    table, values, moves = pointer_to(table_words), pointer_to(value_bytes), pointer_to(move_words)
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3], rows[row, 4]
        for index in range(begin, end):
            own, opp, kings, valid = position_at(table, m1, k1, m2, k2, index)
            if valid:
                value = _first_value(table, values, moves, own, opp, kings)
                values[first + index] = u8(value if value == DRAW else value | _FRESH)


@inner
def _tell(
    table: Pointer, values: Pointer, moves: Pointer, before: Pointer, own: u32, opp: u32, kings: u32, told: int
) -> int:
    """Propagate a value to the predecessors, marking the values found; returns their number."""
    found = 0
    value, mark = told & _VALUE, told & ~_VALUE
    for at in range(0, list_before(own, opp, kings, before), 3):
        place = position_index(table, before[at], before[at + 1], before[at + 2])
        if values[place] != DRAW:
            continue
        if value == LOSS:
            values[place] = u8(WIN | mark)
            found += 1
        else:
            end = list_steps(before[at], before[at + 1], before[at + 2], moves, 0)
            if _value_of_moves(table, values, moves, end) == LOSS:
                values[place] = u8(LOSS | mark)
                found += 1
    return found


@entry
def _tell_fresh(
    table_words: np.ndarray,
    rows: np.ndarray,
    round_number: int,
    next_chunk: np.ndarray,
    stop: np.ndarray,
    move_words: np.ndarray,
    before_words: np.ndarray,
    value_bytes: np.ndarray,
    value_eights: np.ndarray,
) -> int:
    """One round over a group; returns the number of values found."""
    table, moves, before = pointer_to(table_words), pointer_to(move_words), pointer_to(before_words)
    values, eights = pointer_to(value_bytes), pointer_to(value_eights)
    fresh = _FRESH << (round_number & 1)
    mark = _FRESH << (1 - (round_number & 1))
    any_fresh = u64(u64(fresh) * u64(0x0101010101010101))
    found = 0
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3], rows[row, 4]
        for start in range(begin, end, 8):
            if (eights[(first + start) // 8] & any_fresh) == u64(0):
                continue
            for index in range(start, min(start + 8, end)):
                marked = i64(values[first + index])
                if marked & fresh == 0:
                    continue
                value = marked & _VALUE
                values[first + index] = u8(value)
                own, opp, kings, _ = position_at(table, m1, k1, m2, k2, index)
                own, opp, kings = turn(own, opp, kings)
                found += _tell(table, values, moves, before, own, opp, kings, value | mark)
    return found


@entry
def _pack(values: np.ndarray, words: np.ndarray) -> None:
    """Pack sixteen values into each word."""
    for i in range(words.size):
        word = u32(0)
        for j in range(VALUES_PER_WORD):
            word = u32(word | (u32(values[i * VALUES_PER_WORD + j]) << u32(2 * j)))
        words[i] = word


@entry
def _unpack(words: np.ndarray, values: np.ndarray) -> None:
    for i in range(words.size):
        for j in range(VALUES_PER_WORD):
            values[i * VALUES_PER_WORD + j] = u8((words[i] >> u32(2 * j)) & u32(3))


def slice_rows(group: Group) -> np.ndarray:
    """The slices of a group as compiled code takes them."""
    rows = np.zeros((len(group.slices), SLICE_FIELDS), np.int64)
    word = group.first_word
    for row, part in zip(rows, group.slices, strict=True):
        row[:] = (*part, word * VALUES_PER_WORD, part.size)
        word += part.words
    return rows


def _solve(table: np.ndarray, group: Group, values: np.ndarray, threads: int) -> int:
    """Value all entries of a group; returns the number of rounds."""
    rows = slice_rows(group)
    eights = values.view(np.uint64)
    count = max(1, min(threads, sum(part.size for part in group.slices) // CHUNK))
    found = np.zeros(count, np.int64)
    moves = aligned((count, MAX_MOVES * MOVE_WORDS), np.uint32)
    before = aligned((count, BEFORE_WORDS), np.uint32)

    def begin(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        _begin(table, rows, next_chunk, stop, moves[thread], values)

    def tell(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        room = before[thread]
        found[thread] = _tell_fresh(table, rows, rounds, next_chunk, stop, moves[thread], room, values, eights)

    run_threads(begin, count)
    rounds = 0
    while rounds == 0 or found.any():
        run_threads(tell, count)
        rounds += 1
    return rounds


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
    values = aligned(total, np.uint8)
    values.fill(UNKNOWN)
    known = 0
    if start is not None:
        known = min(start.size, table.size) - HEADER
        _unpack(start[HEADER : HEADER + known], values)
    for group in groups(pieces):
        if group.first_word < known:
            continue
        rounds = _solve(table[:HEADER], group, values, thread_count(threads))
        if progress:
            done = (group.first_word + group.words) * VALUES_PER_WORD
            progress(done, total, f"{group.slices[0]}: {rounds} rounds")
    _pack(values, table[HEADER:])
    return table


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
