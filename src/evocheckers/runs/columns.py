"""Arrays by name as bytes, for the columns of a run file: compressed, and nothing is pickled."""

import json
import zlib

import numpy as np


def pack(columns: dict[str, np.ndarray], level: int = 3) -> bytes:
    """Arrays by name as compressed bytes: a JSON header and the raw columns. Level 0 is for what does not shrink."""
    header = json.dumps([[name, array.dtype.str, list(array.shape)] for name, array in columns.items()]).encode()
    parts = [np.ascontiguousarray(array).tobytes() for array in columns.values()]
    return zlib.compress(len(header).to_bytes(4, "little") + header + b"".join(parts), level)


def unpack(data: bytes) -> dict[str, np.ndarray]:
    """The inverse of ``pack``."""
    raw = zlib.decompress(data)
    start = 4 + int.from_bytes(raw[:4], "little")
    columns = {}
    for name, kind, shape in json.loads(raw[4:start]):
        dtype = np.dtype(kind)
        size = int(np.prod(shape)) * dtype.itemsize
        columns[name] = np.frombuffer(raw[start : start + size], dtype).reshape(shape)
        start += size
    return columns
