"""Named arrays as bytes, for the columns of a run file: compressed, and nothing is pickled.

A file may come from anywhere, so nothing in it is trusted: types must be numeric, and no more memory is taken than the
header says, which is no more than ``MAX_BYTES``.
"""

import json
import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError

MAX_BYTES = 1 << 28
"""Largest size of all columns together, unpacked: a generation of a quarter of a million games with all their moves."""
KINDS = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
"""The allowed types of columns."""

_MAX_HEADER = 1 << 14
_MAX_DIMENSIONS = 4
_CHUNK = 1 << 20


class ColumnsError(ValueError):
    """Bytes that are not valid columns."""


class TooLargeError(EvocheckersError):
    """Columns that are too large for a run file."""


def pack(columns: dict[str, np.ndarray], level: int = 2) -> bytes:
    """Named arrays as compressed bytes: a JSON header and the raw columns. Level 0 is for data that does not shrink."""
    size = sum(array.nbytes for array in columns.values())
    if size > MAX_BYTES:
        raise TooLargeError(
            f"a generation of {size >> 20} MiB, more than the {MAX_BYTES >> 20} MiB that a run file takes; "
            "--keep results or --keep points needs less"
        )
    header = json.dumps([[name, array.dtype.str, list(array.shape)] for name, array in columns.items()]).encode()
    parts = [np.ascontiguousarray(array).tobytes() for array in columns.values()]
    return zlib.compress(len(header).to_bytes(4, "little") + header + b"".join(parts), level)


def unpack(data: object) -> dict[str, np.ndarray]:
    """The inverse of ``pack``; a ``ColumnsError`` says what is wrong."""
    if not isinstance(data, bytes):
        raise ColumnsError("columns are not bytes")
    stream = _Stream(data)
    length = int.from_bytes(stream.read(4).tobytes(), "little")
    if length > _MAX_HEADER:
        raise ColumnsError("columns with a header that is too long")
    try:
        header = json.loads(stream.read(length).tobytes())
    except (ValueError, RecursionError):
        raise ColumnsError("columns whose header is not JSON") from None
    columns, left = {}, MAX_BYTES
    for name, kind, shape in _forms(header):
        size = math.prod(shape) * np.dtype(kind).itemsize
        left -= size
        if left < 0:
            raise ColumnsError(f"columns of more than {MAX_BYTES >> 20} MiB")
        if name in columns:
            raise ColumnsError(f"two columns {name!r}")
        columns[name] = stream.read(size).view(kind).reshape(shape)
        columns[name].setflags(write=False)
    stream.end()
    return columns


def _forms(header: Any) -> Iterator[tuple[str, str, list[int]]]:
    """Name, type and shape of each column, checked."""
    if not isinstance(header, list):
        raise ColumnsError("columns whose header is not a list")
    for form in header:
        if not isinstance(form, list) or len(form) != 3:
            raise ColumnsError("a column without name, type and shape")
        name, kind, shape = form
        if not isinstance(name, str) or not name.isidentifier():
            raise ColumnsError("a column without a name")
        if kind not in KINDS:
            raise ColumnsError(f"column {name} is of type {str(kind)[:20]!r}")
        if (
            not isinstance(shape, list)
            or len(shape) > _MAX_DIMENSIONS
            or not all(type(length) is int and 0 <= length <= MAX_BYTES for length in shape)
        ):
            raise ColumnsError(f"column {name} is of shape {str(shape)[:60]}")
        yield name, kind, shape


class _Stream:
    """Compressed bytes, unpacked only as far as they are read."""

    def __init__(self, data: bytes) -> None:
        self._unpacker = zlib.decompressobj()
        self._pieces = (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
        self._piece = b""

    def read(self, size: int) -> np.ndarray:
        """Read exactly ``size`` bytes."""
        out = np.empty(size, np.uint8)
        at = 0
        while at < size:
            part = self._some(min(size - at, _CHUNK))
            if not part:
                raise ColumnsError("columns that end too early")
            out[at : at + len(part)] = np.frombuffer(part, np.uint8)
            at += len(part)
        return out

    def end(self) -> None:
        """Refuse any further data."""
        if self._some(1) or not self._unpacker.eof or self._unpacker.unused_data:
            raise ColumnsError("columns with trailing data, or cut short")

    def _some(self, most: int) -> bytes:
        """Some bytes, at most ``most``; none at the end."""
        while not self._unpacker.eof:
            part = self._unpacker.decompress(self._piece, most)
            self._piece = self._unpacker.unconsumed_tail
            if part:
                return part
            if not self._piece:
                self._piece = next(self._pieces, b"")
                if not self._piece:
                    break
        return b""
