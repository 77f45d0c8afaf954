"""Solves all positions with few pieces by retrograde analysis, from the ends of games backwards.

Groups of slices are solved one after the other. Captures and crownings lead to finished groups; all other moves stay in
the group. The first pass values the positions decided by those moves or by the lack of any move. Then every value found
in a round is propagated to its predecessors, the positions from which a step without capture leads there: a loss makes
them wins at once, a win makes them losses once all their other moves lose too. Positions that no round reaches are
drawn.

Each round uses only what earlier rounds found. Two threads may write to the same byte, but then they write the same
value, so the result does not depend on the threads.
"""

from collections.abc import Callable

import numpy as np

from evocheckers.endgames.backwards import BEFORE_WORDS, ROW_BEFORE_LAST, list_before
from evocheckers.endgames.chunks import CHUNK, SLICE_FIELDS, find_chunk
from evocheckers.endgames.index import (
    DRAW,
    HEADER,
    LOSS,
    UNKNOWN,
    VALUES_PER_WORD,
    WIN,
    Group,
    check_pieces,
    groups,
    header,
    position_at,
    position_index,
    value_words,
)
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, u32, u64
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, jumpers, list_jumps, list_steps, steppers, turn

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
