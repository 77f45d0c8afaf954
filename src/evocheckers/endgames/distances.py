"""Distances to the end: for every position with few pieces, the plies to a forced win or loss under best play.

Entries are ordered as in a database (``index``), one byte each: 0 for a draw, otherwise the plies to the end plus one,
and ``INVALID`` if there is no position. The side to move wins if the number of plies is odd: it makes the last move.

They are found by retrograde analysis (``retrograde``), nearest ends first.
"""

import numpy as np

from evocheckers.endgames.index import (
    VALUES_PER_WORD,
    EndgameError,
    check_pieces,
    groups,
    header,
    position_index,
    value_words,
)
from evocheckers.endgames.retrograde import solve
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, aligned, i64, u32
from evocheckers.native.threads import thread_count

DRAWN, INVALID = 0, 255
MOST_PIECES = 4
"""Up to this many pieces, all distances fit into a byte."""
_ZERO = u32(0)


def build_distances(pieces: int = MOST_PIECES, threads: int | None = None) -> np.ndarray:
    """The entries of all positions with up to ``pieces`` pieces, in the order of ``index``."""
    check_pieces(pieces)
    if pieces > MOST_PIECES:
        raise EndgameError(f"distances of {pieces} pieces; they are known for up to {MOST_PIECES}")
    table, count = header(pieces), thread_count(threads)
    entries = aligned(value_words(pieces) * VALUES_PER_WORD, np.uint8)
    entries.fill(INVALID)
    for group in groups(pieces):
        solve(group, table, entries, count, counts_plies=True)
    return entries


@inner
def probe_distance(table: Pointer, entries: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The entry of a position in the table; no uncrowned man may stand on its last row."""
    if own == _ZERO:
        return 1
    return i64(entries[position_index(table, own, opp, kings)])
