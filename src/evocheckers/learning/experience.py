"""What learners can use from a generation's games."""

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evocheckers.games.batch import BatchResult
from evocheckers.learning.positions import WORDS, games_of, positions_of

_memory = threading.local()


class Experience(NamedTuple):
    """A generation's positions and who played them."""

    positions: np.ndarray
    black_ids: np.ndarray
    """The learner that played Black, for each game."""
    white_ids: np.ndarray


def experience_of(games: BatchResult, black_ids: np.ndarray, white_ids: np.ndarray) -> Experience:
    """The experience from games."""
    return Experience(positions_of(games), black_ids, white_ids)


def all_positions(experience: Sequence[Experience]) -> np.ndarray:
    """The positions of several generations, in memory that the next call in this thread reuses.

    There may be hundreds of megabytes: allocating fresh memory takes longer than copying them.
    """
    count = sum(len(part.positions) for part in experience)
    if len(getattr(_memory, "rows", ())) < count:
        _memory.rows = np.empty((count + count // 4, WORDS), np.uint32)
    rows: np.ndarray = _memory.rows[:count]
    return np.concatenate([part.positions for part in experience], out=rows)


def own_positions(experience: Sequence[Experience], learner: int) -> np.ndarray:
    """The indices, among all positions, of those from a learner's own games."""
    found, first = [], 0
    for part in experience:
        mine = (part.black_ids == learner) | (part.white_ids == learner)
        found.append(first + np.flatnonzero(mine[games_of(part.positions)]))
        first += len(part.positions)
    return np.concatenate(found).astype(np.uint32)
