"""What is believed of a run file, which may be damaged or come from anybody.

Whatever is wrong with a file becomes a ``RunError``, one line that names the file. Sizes and steps of queries are
limited, and recorded games and individuals are used only if their types, lengths and values make sense.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from evocheckers.errors import EvocheckersError, printable
from evocheckers.evolution.scheme import Individuals
from evocheckers.rules.fen import MAX_PIECES_PER_SIDE
from evocheckers.rules.outcome import Reason
from evocheckers.runs.schema import MAX_COUNT, KeptGames

REPAIR = "'runs repair' saves the generations before the damage"

MAX_MEMORY_MB = 300
"""A file whose settings or games need more is refused, unless the caller allows more."""
STEPS_AT_ONCE = 10_000
MAX_STEPS = 5_000_000
"""Most steps of SQLite's virtual machine for one query: enough to list some hundred thousand generations."""


class RunError(EvocheckersError):
    """A run file that cannot be used; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str, advice: str = "") -> None:
        self.path, self.fault = Path(path), printable(fault)  # SQLite quotes what it found, including line ends
        super().__init__(f"run {path}: {self.fault}" + (f"; {advice}" if advice else ""))


@contextmanager
def run_errors(path: Path) -> Iterator[None]:
    """Turn whatever is wrong with a file into a ``RunError`` of one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise RunError(path, f"{error}; what was recorded before stays readable") from None
    except EvocheckersError:
        raise
    except (sqlite3.Error, zlib.error, ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
        if "not a database" in str(error):
            raise RunError(path, "not a run of evocheckers") from None
        raise RunError(path, f"damaged ({error})", REPAIR) from None
    except OSError as error:
        raise RunError(path, (error.strerror or str(error)).lower()) from None


@contextmanager
def limited_steps(connection: sqlite3.Connection) -> Iterator[None]:
    """Stop a query that does not end: a crafted file can send SQLite round in circles."""
    left = iter(range(MAX_STEPS // STEPS_AT_ONCE))
    connection.set_progress_handler(lambda: next(left, None) is None, STEPS_AT_ONCE)
    try:
        yield
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        raise ValueError("more rows than any run has") from None
    finally:
        connection.set_progress_handler(None, 0)


def check_path(path: Path) -> None:
    """Refuse a path that cannot be a run file."""
    if path.is_dir():
        raise RunError(path, "is a folder, not a run file")
    if path.exists() and not path.is_file():
        raise RunError(path, "is not a regular file")


def check_memory(path: Path | str, needed_bytes: int, limit_mb: int = MAX_MEMORY_MB) -> None:
    """Refuse work that needs more memory than is allowed: a small file can ask for any amount of it."""
    if needed_bytes > limit_mb << 20:
        raise RunError(path, f"needs about {needed_bytes >> 20} MB of memory; at most {limit_mb} are taken for a file")


_GAME_TYPES = {
    "black": "<i8",
    "white": "<i8",
    "winners": "|i1",
    "reasons": "|i1",
    "plies": "<i4",
    "evaluations": "<i8",
    "starts": "<i8",
    "codes": "<u4",
}
MAX_VALUE = 1e30
"""No score, K, step size or loss is larger; NaN means none."""

_LAST_ROWS = np.array([0xF0000000, 0x0000000F])
"""The rows where Black's and White's men are crowned, so that no man can be there."""


def check_games(columns: dict[str, np.ndarray], keep: KeptGames) -> None:
    """Refuse columns that are not valid games."""
    wanted = {name: type_ for name, type_ in _GAME_TYPES.items() if name != "codes" or keep is KeptGames.MOVES}
    if {name: column.dtype.str for name, column in columns.items()} != wanted:
        raise ValueError("games of other columns or types")
    count = len(columns["black"]) if columns["black"].ndim else 0
    for name, column in columns.items():
        rest = {"starts": (4,), "codes": column.shape[1:2]}.get(name, ())
        if column.shape != (count, *rest):
            raise ValueError(f"games with {name} of shape {column.shape}")
    if not count:
        raise ValueError("a generation without games")
    longest = columns["codes"].shape[1] if "codes" in columns else MAX_COUNT
    bounds = {
        "black": (0, MAX_COUNT),
        "white": (0, MAX_COUNT),
        "winners": (-1, 1),
        "reasons": (min(Reason), max(Reason)),
        "plies": (0, longest),
        "evaluations": (0, MAX_COUNT),
    }
    for name, (least, most) in bounds.items():
        if columns[name].min() < least or columns[name].max() > most:
            raise ValueError(f"games with impossible {name}")
    _check_starts(columns["starts"])


def _check_starts(starts: np.ndarray) -> None:
    turn, black, white, kings = starts.T
    boards = starts[:, 1:]
    men = boards[:, :2] & ~boards[:, 2:]
    if (
        turn.min() < 0
        or turn.max() > 1
        or boards.min() < 0
        or boards.max() > 0xFFFFFFFF
        or (black & white).any()
        or (kings & ~(black | white)).any()
        or (men & _LAST_ROWS).any()
        or np.bitwise_count(boards[:, :2]).max() > MAX_PIECES_PER_SIDE
    ):
        raise ValueError("games with impossible starts")


def check_individuals(columns: dict[str, np.ndarray]) -> Individuals:
    """The individuals of a generation; columns that are none are refused."""
    fields = Individuals._fields
    if set(columns) not in (set(fields), set(fields) - {"losses"}):
        raise ValueError("individuals of other columns")
    count = len(columns["ids"]) if columns["ids"].ndim else 0
    for name, column in columns.items():
        if column.shape != (count,) or not count:
            raise ValueError(f"individuals with {name} of shape {column.shape}")
        if column.dtype.kind != "i" and (name in ("ids", "parents") or column.dtype.kind != "f"):
            raise ValueError(f"individuals with {name} of type {column.dtype}")
        least = {"ids": 0, "parents": -1}.get(name, -MAX_VALUE)
        most = MAX_COUNT if name in ("ids", "parents") else MAX_VALUE
        if np.fmin.reduce(column) < least or np.fmax.reduce(column) > most:
            raise ValueError(f"individuals with impossible {name}")
    return Individuals(**{"losses": np.full(count, np.nan), **columns})
