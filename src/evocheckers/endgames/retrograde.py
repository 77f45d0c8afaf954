"""Retracting steps: the positions of the same group from which a position is reached.

Dividing the work of building and checking databases among threads.
"""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, u32
from evocheckers.rules.bitboard import down_left, down_right, jumpers, up_left, up_right

CHUNK = 1 << 13
"""Entries that a thread takes at a time: about a millisecond, so that an interrupt takes effect at once."""

SLICE_FIELDS = 6
"""Columns of a slice's row: its four piece counts, its first entry, its size."""


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


BEFORE_WORDS = 128
"""Room for the predecessors of a position, three words each."""
ROW_BEFORE_LAST = u32(0x0F000000)
"""From here a man's step crowns it."""
_ZERO, _ONE = u32(0), u32(1)


@inner
def list_before(own: u32, opp: u32, kings: u32, positions: Pointer) -> int:
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
