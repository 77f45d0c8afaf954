"""What the columns of a scheme's state must look like, so that a bad state from a file is refused before it is used."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError

MAX_NUMBER = 1 << 53
"""No id, count or score exceeds plus or minus this."""


class StateError(EvocheckersError):
    """A state from which its scheme cannot continue; ``column`` says where the fault is."""

    def __init__(self, column: str, fault: str) -> None:
        self.column, self.fault = column, fault
        super().__init__(f"column {column} of the state {fault}")


@dataclass(frozen=True)
class Column:
    """The form of a column: its type as NumPy writes it, its shape, and its smallest value."""

    kind: str
    shape: tuple[int | str, ...]
    """A named length is free, but the same for all columns that name it."""
    least: float = -MAX_NUMBER


Layout = Mapping[str, Column]

IDS = 0
"""The least id."""
PARENT_OR_NONE = -1
"""The least id of a parent, or number of a row: -1 for none."""


def layout_of(columns: Mapping[str, Any]) -> Layout:
    """A layout by example: the same types, and the same shapes except for their first length."""
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    return {
        name: Column(array.dtype.str, (name, *array.shape[1:]) if array.ndim else (), -np.inf)
        for name, array in arrays.items()
    }


def bytes_of(layout: Layout) -> int:
    """The size of a state, except for free lengths."""
    return sum(
        np.dtype(column.kind).itemsize * math.prod(length for length in column.shape if isinstance(length, int))
        for column in layout.values()
    )


def check_columns(layout: Layout, columns: Mapping[str, np.ndarray]) -> None:
    """Refuse columns that are missing, superfluous, of another type or shape, or out of range."""
    for name in sorted(layout.keys() ^ columns.keys()):
        raise StateError(name, "is missing" if name in layout else "belongs to no state of this scheme")
    lengths: dict[str, int] = {}
    for name, wanted in layout.items():
        found = columns[name]
        if found.dtype.str != wanted.kind:
            raise StateError(name, f"is of type {found.dtype.str}, not {wanted.kind}")
        if found.ndim != len(wanted.shape):
            raise StateError(name, f"has {found.ndim} dimensions, not {len(wanted.shape)}")
        for length, known in zip(found.shape, wanted.shape, strict=True):
            needed = lengths.setdefault(known, length) if isinstance(known, str) else known
            if length != needed:
                raise StateError(name, f"is of shape {found.shape}, with {length} in the place of {needed}")
        if wanted.least > -np.inf and found.size and not _lies_within(found, wanted.least):
            raise StateError(name, f"holds values below {wanted.least:g}, above {MAX_NUMBER}, or not numbers")


def _lies_within(array: np.ndarray, least: float) -> bool:
    """Check the range without copies, since a population may be large; NaN is out of range."""
    return bool(array.min() >= least and array.max() <= MAX_NUMBER)
