"""Checks a database's consistency: every value must follow from those of the positions one move later."""

import numpy as np

from evocheckers.endgames.index import (
    DRAW,
    HEADER,
    LOSS,
    UNKNOWN,
    VALUES_PER_WORD,
    WIN,
    groups,
    position_at,
    probe_packed,
)
from evocheckers.endgames.retrograde import find_chunk
from evocheckers.endgames.values import Database, slice_rows
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, u32
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn


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


def check(database: Database, threads: int | None = None) -> int:
    """The number of entries in the whole table whose values do not follow from their successors'.

    If there are none, the database agrees with the rules in every move. This does not show that its wins can be forced:
    a cycle of unfounded wins and losses would pass.
    """
    rows = np.concatenate([slice_rows(group) for group in groups(database.pieces)])
    count = thread_count(threads)
    wrong = np.zeros(count, np.int64)
    moves = aligned((count, MAX_MOVES * MOVE_WORDS), np.uint32)

    def work(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        wrong[thread] = _count_inconsistent(database.packed, rows, next_chunk, stop, moves[thread])

    run_threads(work, count)
    return int(wrong.sum())
