"""An evaluator from another package: ``centre`` counts pieces, and prefers them in the middle of the board."""

import numpy as np

from evocheckers import Contestant, Evaluator, Limit

WORTH = np.array([1, 1.5, -1, -1.5], np.float32)
MIDDLE = np.isin(np.arange(1, 33), [10, 11, 14, 15, 18, 19, 22, 23])


def value(planes: np.ndarray) -> np.ndarray:
    """Pieces, and a twentieth of a man for each in the middle, to the side to move."""
    return (planes.sum(axis=2) + 0.05 * planes[:, :, MIDDLE].sum(axis=2)) @ WORTH


def make(argument: str, limit: Limit | None) -> Contestant:
    """The entry point."""
    return Contestant("centre", Evaluator.from_function(value), limit or Limit(plies=2))
