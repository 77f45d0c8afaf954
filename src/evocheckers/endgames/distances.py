"""Distances to the end: for every position with few pieces, the plies to a forced win or loss under best play.

Entries are ordered as in a database (``index``), one byte each: 0 for a draw, otherwise the plies to the end plus one,
and ``INVALID`` if there is no position. The side to move wins if the number of plies is odd: it makes the last move.

Groups are solved one after the other; within each, the ends come first, then the positions one ply away, and so on. A
position decided by a capture or crowning gets its distance from a finished group and waits for its round. So a distance
never changes once it is propagated to its predecessors, and the result does not depend on threads.
"""

import numpy as np

from evocheckers.endgames.index import (
    VALUES_PER_WORD,
    EndgameError,
    Group,
    check_pieces,
    groups,
    header,
    position_at,
    position_index,
    value_words,
)
from evocheckers.endgames.retrograde import BEFORE_WORDS, CHUNK, ROW_BEFORE_LAST, find_chunk, list_before
from evocheckers.endgames.values import slice_rows
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, u32, u64
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, jumpers, list_moves, steppers, turn

u8 = np.uint8
DRAWN, INVALID = 0, 255
MOST_PIECES = 4
"""Up to this many pieces, all distances fit into a byte."""
_ZERO = u32(0)
_ONES, _TOPS = u64(0x0101010101010101), u64(0x8080808080808080)


@inner
def _by_moves(table: Pointer, bytes_: Pointer, moves: Pointer, end: int, low: int, high: int, round_: int) -> int:
    """A position's entry from those of its successors; 0 while undecided.

    Entries from ``low`` to ``high`` belong to the group being solved: they count only from their round on.
    """
    least, most, is_lost = i64(INVALID), i64(0), True
    for at in range(0, end, MOVE_WORDS):
        own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
        index = i64(-1)
        value = i64(1)
        if own != _ZERO:
            index = position_index(table, own, opp, kings)
            value = i64(bytes_[index])
        if value == DRAWN or (low <= index < high and value > round_ + 1):
            is_lost = False
        elif value % 2 == 1:
            least = min(least, value)
        else:
            most = max(most, value)
    if least < INVALID:
        return least + 1
    return most + 1 if is_lost else DRAWN


@entry
def _begin(
    table_words: np.ndarray,
    rows: np.ndarray,
    low: int,
    high: int,
    next_chunk: np.ndarray,
    stop: np.ndarray,
    move_words: np.ndarray,
    bytes_: np.ndarray,
) -> int:
    """The first pass over a group: entries decided by captures, crownings or lack of moves. Returns the largest."""
    most = 0
    table, entries, moves = pointer_to(table_words), pointer_to(bytes_), pointer_to(move_words)
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3], rows[row, 4]
        for index in range(begin, end):
            own, opp, kings, valid = position_at(table, m1, k1, m2, k2, index)
            if not valid:
                continue
            value = DRAWN
            if jumpers(own, opp, kings) != _ZERO or (own & ~kings & ROW_BEFORE_LAST) != _ZERO:
                last = list_moves(own, opp, kings, moves, 0)
                value = _by_moves(table, entries, moves, last, low, high, -1) if last > 0 else 1
            elif steppers(own, opp, kings) == _ZERO:
                value = 1
            entries[first + index] = u8(value)
            most = max(most, value)
    return most


@entry
def _tell(
    table_words: np.ndarray,
    rows: np.ndarray,
    low: int,
    high: int,
    plies: int,
    next_chunk: np.ndarray,
    stop: np.ndarray,
    move_words: np.ndarray,
    before_words: np.ndarray,
    bytes_: np.ndarray,
    eights: np.ndarray,
) -> int:
    """Propagate the entries at a distance of ``plies`` to their predecessors. Returns the largest entry written."""
    most = 0
    table, entries, moves = pointer_to(table_words), pointer_to(bytes_), pointer_to(move_words)
    before = pointer_to(before_words)
    wanted = u64(u64(plies + 1) * _ONES)
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3], rows[row, 4]
        for start in range(begin, end, 8):
            differences = u64(eights[(first + start) // 8] ^ wanted)
            if ((differences - _ONES) & ~differences & _TOPS) == u64(0):  # no byte matches
                continue
            for index in range(start, min(start + 8, end)):
                if entries[first + index] != plies + 1:
                    continue
                own, opp, kings, _ = position_at(table, m1, k1, m2, k2, index)
                own, opp, kings = turn(own, opp, kings)
                for at in range(0, list_before(own, opp, kings, before), 3):
                    place = position_index(table, before[at], before[at + 1], before[at + 2])
                    known = i64(entries[place])
                    value = known
                    if plies % 2 == 0:
                        if known == DRAWN or known > plies + 2:
                            value = plies + 2
                    elif known == DRAWN:
                        last = list_moves(before[at], before[at + 1], before[at + 2], moves, 0)
                        value = _by_moves(table, entries, moves, last, low, high, plies)
                    if value != known:
                        entries[place] = u8(value)
                        most = max(most, value)
    return most


def _solve(table: np.ndarray, group: Group, bytes_: np.ndarray, threads: int) -> None:
    rows = slice_rows(group)
    low, high = group.first_word * VALUES_PER_WORD, (group.first_word + group.words) * VALUES_PER_WORD
    count = max(1, min(threads, sum(part.size for part in group.slices) // CHUNK))
    moves = aligned((count, MAX_MOVES * MOVE_WORDS), np.uint32)
    before = aligned((count, BEFORE_WORDS), np.uint32)
    eights = bytes_.view(np.uint64)

    most = np.zeros(count, np.int64)

    def begin(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        most[thread] = _begin(table, rows, low, high, next_chunk, stop, moves[thread], bytes_)

    def tell(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        room, found = before[thread], most[thread]
        made = _tell(table, rows, low, high, plies, next_chunk, stop, moves[thread], room, bytes_, eights)
        most[thread] = max(found, made)

    run_threads(begin, count)
    plies = 0
    while plies < most.max():
        run_threads(tell, count)
        plies += 1


def build_distances(pieces: int = MOST_PIECES, threads: int | None = None) -> np.ndarray:
    """The entries of all positions with up to ``pieces`` pieces, in the order of ``index``."""
    check_pieces(pieces)
    if pieces > MOST_PIECES:
        raise EndgameError(f"distances of {pieces} pieces; they are known for up to {MOST_PIECES}")
    bytes_ = aligned(value_words(pieces) * VALUES_PER_WORD, u8)
    bytes_.fill(INVALID)
    for group in groups(pieces):
        _solve(header(pieces), group, bytes_, thread_count(threads))
    return bytes_


@inner
def probe_distance(table: Pointer, entries: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The entry of a position in the table; no uncrowned man may stand on its last row."""
    if own == _ZERO:
        return 1
    return i64(entries[position_index(table, own, opp, kings)])
