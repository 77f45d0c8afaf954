"""Retrograde analysis: solves all positions with few pieces, from the ends of games backwards.

The groups of a table (see ``index``) are solved one after the other. Captures and crownings lead to finished groups;
all other moves stay in the group. The first pass decides the positions that those moves or the lack of any move decide.
Then, round by round, every entry found is propagated to its predecessors, the positions from which a step without
capture leads there: a loss makes them wins at once, a win makes them losses once all their other moves lose too.
Positions that no round reaches are drawn.

An entry is one byte: 0 while a position is undecided, and in the end for a draw; odd if the side to move loses, even if
it wins. The same driver solves two kinds of tables, which differ in what they count:

- Values know only ``LOST`` and ``WON``. An entry is marked when it is found and propagated in the next round.
- Distances are the plies to the end under best play, plus one. An entry is propagated in the round that is its number
  of plies: first the ends, then the positions one ply away, and so on. A position decided by a capture or crowning gets
  its distance from a finished group and waits for its round. So an entry never changes once it is propagated.

Work is divided into chunks of entries, which threads take one by one. Two threads may write to the same byte, but then
they write the same entry, so the result does not depend on the threads.
"""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.index import VALUES_PER_WORD, Group, position_at, position_index
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, fetch_and_increment, i64, pointer_to, u32, u64
from evocheckers.native.threads import run_threads
from evocheckers.rules.bitboard import (
    MAX_MOVES,
    MOVE_WORDS,
    down_left,
    down_right,
    jumpers,
    list_jumps,
    list_steps,
    steppers,
    turn,
    up_left,
    up_right,
)

LOST, WON = 1, 2
"""Entries of a table of values; in one of distances, an end is ``LOST``, and larger entries say how far it is."""
CHUNK = 1 << 13
"""Entries that a thread takes at a time: about a millisecond, so that an interrupt takes effect at once."""

_VALUE = 3
_FRESH = 4
"""Marks a value that has yet to be propagated; the next bit marks values found in the current round."""
_FAR = 255
"""Above every distance."""
_SLICE_FIELDS = 6
"""Columns of a slice's row: its four piece counts, its first entry, its size."""
_BEFORE_WORDS = 128
"""Room for the predecessors of a position, three words each."""
_ROW_BEFORE_LAST = u32(0x0F000000)
"""From here a man's step crowns it."""
_ONES, _TOPS = u64(0x0101010101010101), u64(0x8080808080808080)
_ZERO, _ONE = u32(0), u32(1)
u8 = np.uint8


def slice_rows(group: Group) -> np.ndarray:
    """The slices of a group as compiled code takes them."""
    rows = np.zeros((len(group.slices), _SLICE_FIELDS), np.int64)
    word = group.first_word
    for row, part in zip(rows, group.slices, strict=True):
        row[:] = (*part, word * VALUES_PER_WORD, part.size)
        word += part.words
    return rows


@inner
def find_chunk(rows: np.ndarray, chunk: int) -> tuple[int, int, int]:
    """The slice of a chunk, its first entry and its end (both within the slice); slice -1 after the last chunk."""
    for row in range(rows.shape[0]):
        size = rows[row, 5]
        chunks = (size + CHUNK - 1) // CHUNK
        if chunk < chunks:
            return row, chunk * CHUNK, min(size, (chunk + 1) * CHUNK)
        chunk -= chunks
    return -1, 0, 0


@inner
def _list_before(own: u32, opp: u32, kings: u32, positions: Pointer) -> int:
    """List the positions from which a non-crowning step of ``own`` leads to this one; returns the words written."""
    empty, crowned, count = u32(~(own | opp)), u32(own & kings), 0
    for direction in range(4):
        if direction == 0:
            origins = down_right(own)
        elif direction == 1:
            origins = down_left(own)
        else:
            origins = up_right(crowned) if direction == 2 else up_left(crowned)
        origins = u32(origins & empty)
        while origins != _ZERO:
            origin = u32(origins & (~origins + _ONE))
            origins = u32(origins ^ origin)
            if direction < 2:
                to = up_left(origin) if direction == 0 else up_right(origin)
            else:
                to = down_left(origin) if direction == 2 else down_right(origin)
            step = u32(origin | to)
            before = u32(own ^ step)
            kings_before = u32(kings ^ step) if (kings & to) != _ZERO else kings
            if jumpers(before, opp, kings_before) == _ZERO:
                positions[count], positions[count + 1], positions[count + 2] = before, opp, kings_before
                count += 3
    return count


class _Work(NamedTuple):
    """A group to be solved, as compiled code takes it."""

    table: np.ndarray
    """The table's header."""
    rows: np.ndarray
    low: int
    high: int
    """The group's entries are those from ``low`` to ``high``."""
    entries: np.ndarray
    eights: np.ndarray
    """The same bytes in words of eight."""
    counts_plies: bool
    """Whether entries are distances."""


@inner
def _from_moves(
    table: Pointer,
    entries: Pointer,
    moves: Pointer,
    end: int,
    counts_plies: bool,
    low: int,
    high: int,
    round_number: int,
) -> int:
    """A position's entry from those of its successors by the listed moves; 0 while it is undecided.

    A distance in the group being solved, whose entries are those from ``low`` to ``high``, counts only once its round
    has come.
    """
    nearest_loss, farthest_win, is_lost = i64(_FAR), i64(0), True
    for at in range(0, end, MOVE_WORDS):
        own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
        found = i64(LOST)
        if own != _ZERO:
            index = position_index(table, own, opp, kings)
            found = i64(entries[index])
            if counts_plies and low <= index < high and found > round_number + 1:
                found = i64(0)
        if not counts_plies:
            found &= _VALUE
            if found == LOST:
                return WON
            if found != WON:  # undecided, or not yet reached by the first pass
                is_lost = False
        elif found == 0:
            is_lost = False
        elif found & 1 == 1:
            nearest_loss = min(nearest_loss, found)
        else:
            farthest_win = max(farthest_win, found)
    if nearest_loss < _FAR:
        return nearest_loss + 1
    if not is_lost:
        return 0
    return farthest_win + 1 if counts_plies else LOST


@entry
def _begin(work: Any, next_chunk: np.ndarray, stop: np.ndarray, move_words: np.ndarray) -> int:
    """The first pass over a group; returns the last round in which an entry that it found is to be propagated."""
    last_round = -1
    counts_plies, low, high, rows = work.counts_plies, work.low, work.high, work.rows
    table, entries, moves = pointer_to(work.table), pointer_to(work.entries), pointer_to(move_words)
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first, _ = rows[row]
        for index in range(begin, end):
            own, opp, kings, valid = position_at(table, m1, k1, m2, k2, index)
            if not valid:
                continue
            found = 0
            pieces = jumpers(own, opp, kings)
            if pieces != _ZERO:
                last = list_jumps(own, opp, kings, pieces, moves, 0)
                found = _from_moves(table, entries, moves, last, counts_plies, low, high, -1)
            elif (own & ~kings & _ROW_BEFORE_LAST) != _ZERO:
                last = list_steps(own, opp, kings, moves, 0)
                found = _from_moves(table, entries, moves, last, counts_plies, low, high, -1)
            elif steppers(own, opp, kings) == _ZERO:
                found = LOST
            if counts_plies or found == 0:
                entries[first + index] = u8(found)
                last_round = max(last_round, found - 1)
            else:
                entries[first + index] = u8(found | _FRESH)
                last_round = 0
    return last_round


@entry
def _propagate(
    work: Any,
    round_number: int,
    next_chunk: np.ndarray,
    stop: np.ndarray,
    move_words: np.ndarray,
    before_words: np.ndarray,
) -> int:
    """One round over a group; returns the last round in which an entry that it found is to be propagated."""
    last_round = -1
    counts_plies, low, high, rows = work.counts_plies, work.low, work.high, work.rows
    table, entries, moves = pointer_to(work.table), pointer_to(work.entries), pointer_to(move_words)
    eights, before = pointer_to(work.eights), pointer_to(before_words)
    due = i64(round_number + 1) if counts_plies else i64(_FRESH << (round_number & 1))
    mark = i64(0) if counts_plies else i64(_FRESH << (1 - (round_number & 1)))
    eight_due = u64(u64(due) * _ONES)
    while stop[0] == 0:
        row, begin, end = find_chunk(rows, fetch_and_increment(pointer_to(next_chunk)))
        if row < 0:
            break
        m1, k1, m2, k2, first, _ = rows[row]
        for start in range(begin, end, 8):
            eight = eights[(first + start) // 8]
            if counts_plies:
                differences = u64(eight ^ eight_due)
                if ((differences - _ONES) & ~differences & _TOPS) == u64(0):  # no byte is due
                    continue
            elif (eight & eight_due) == u64(0):
                continue
            for index in range(start, min(start + 8, end)):
                value = i64(entries[first + index])
                if counts_plies:
                    if value != due:
                        continue
                else:
                    if value & due == 0:
                        continue
                    value &= _VALUE
                    entries[first + index] = u8(value)
                own, opp, kings, _ = position_at(table, m1, k1, m2, k2, index)
                own, opp, kings = turn(own, opp, kings)
                for at in range(0, _list_before(own, opp, kings, before), 3):
                    place = position_index(table, before[at], before[at + 1], before[at + 2])
                    known = i64(entries[place])
                    found = i64(0)
                    if value & 1 == 1:
                        if known == 0 or (counts_plies and known > value + 1):
                            found = value + 1
                    elif known == 0:
                        last = list_steps(before[at], before[at + 1], before[at + 2], moves, 0)
                        found = _from_moves(table, entries, moves, last, counts_plies, low, high, round_number)
                    if found != 0:
                        entries[place] = u8(found | mark)
                        last_round = max(last_round, found - 1 if counts_plies else round_number + 1)
    return last_round


def solve(group: Group, table: np.ndarray, entries: np.ndarray, threads: int, counts_plies: bool) -> int:
    """Solve a group whose smaller groups are solved; returns the number of rounds.

    ``table`` is the table's header. ``entries`` has a byte for each entry of the table; only valid ones are written.
    With ``counts_plies``, they are distances, otherwise values.
    """
    low, high = group.first_word * VALUES_PER_WORD, (group.first_word + group.words) * VALUES_PER_WORD
    work = _Work(table, slice_rows(group), low, high, entries, entries.view(np.uint64), counts_plies)
    count = max(1, min(threads, sum(part.size for part in group.slices) // CHUNK))
    moves = aligned((count, MAX_MOVES * MOVE_WORDS), np.uint32)
    before = aligned((count, _BEFORE_WORDS), np.uint32)
    last_round = np.zeros(count, np.int64)

    def begin(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        last_round[thread] = _begin(work, next_chunk, stop, moves[thread])

    def propagate(thread: int, next_chunk: np.ndarray, stop: np.ndarray) -> None:
        found = _propagate(work, rounds, next_chunk, stop, moves[thread], before[thread])
        last_round[thread] = max(last_round[thread], found)

    run_threads(begin, count)
    rounds = 0
    while rounds <= last_round.max():
        run_threads(propagate, count)
        rounds += 1
    return rounds
