"""What recorded games and individuals must look like: types, lengths and values."""

import numpy as np

from evocheckers.evolution.scheme import Individuals
from evocheckers.rules.fen import MAX_PIECES_PER_SIDE
from evocheckers.rules.outcome import Reason
from evocheckers.runs.schema import MAX_COUNT, Keep

GAME_KINDS = {
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


def check_games(columns: dict[str, np.ndarray], keep: Keep) -> None:
    """Refuse columns that are not valid games."""
    wanted = {name: kind for name, kind in GAME_KINDS.items() if name != "codes" or keep is Keep.MOVES}
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


def individuals_of(columns: dict[str, np.ndarray]) -> Individuals:
    """The individuals of a generation, if the columns are valid."""
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
