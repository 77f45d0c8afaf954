"""Dividing the work of building and checking databases among threads."""

import numpy as np

from evocheckers.native.compile import inner

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
