"""What a generation's games tell those who played them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evocheckers.games.batch import BatchResult
from evocheckers.learning.positions import games_of, positions_of


class Experience(NamedTuple):
    """What a generation's games tell."""

    positions: np.ndarray
    black_ids: np.ndarray
    """The learner that played Black, by game."""
    white_ids: np.ndarray


def experience_of(games: BatchResult, black_ids: np.ndarray, white_ids: np.ndarray) -> Experience:
    """What can be learnt from games."""
    return Experience(positions_of(games), black_ids, white_ids)


def own_positions(experience: Sequence[Experience], learner: int) -> np.ndarray:
    """The numbers of the positions of somebody's own games among all positions."""
    found, first = [], 0
    for part in experience:
        mine = (part.black_ids == learner) | (part.white_ids == learner)
        found.append(first + np.flatnonzero(mine[games_of(part.positions)]))
        first += len(part.positions)
    return np.concatenate(found).astype(np.uint32)
