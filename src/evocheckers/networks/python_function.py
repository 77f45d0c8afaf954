"""Any Python function over arrays of positions as an evaluator: NumPy, PyTorch, or anything else that returns numbers.

The function gets positions as *planes*, a float32 array of shape (n, 4, 32), one where a piece stands, else zero:

    planes[:, 0]  own men        planes[:, 2]  opposing men
    planes[:, 1]  own kings      planes[:, 3]  opposing kings

The board is seen from the side to move, whose men move towards higher squares: index 0 is its own corner square, square
1 for Black and 32 for White. The function returns n values to the side to move, in men; larger is better. Batches hold
at most ``BATCH`` positions. The search is full-width (``search.batched``), so that few calls value many positions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evocheckers.errors import EvocheckersError
from evocheckers.networks.kind import LIMIT
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.positions import Positions, rows_of


class EvaluatorError(EvocheckersError):
    """Invalid settings of an evaluator, or a function that does not value positions."""


BATCH = 1 << 16
"""The most positions passed to a function at once."""

_BITS = np.arange(32, dtype=np.uint32)


def planes_of(positions: np.ndarray) -> np.ndarray:
    """Convert positions given as rows ``own, opp, kings`` to the planes that a function gets."""
    own, opp, kings = (np.ascontiguousarray(positions[:, word], np.uint32) for word in range(3))
    words = np.stack([own & ~kings, own & kings, opp & ~kings, opp & kings], axis=1)
    return (words[:, :, None] >> _BITS & np.uint32(1)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class FunctionEvaluator:
    """A function that values positions; made by ``Evaluator.from_function``."""

    function: Callable[[np.ndarray], Any]

    def __call__(self, board: Board, viewer: Color | None = None) -> float:
        """The value of a position to ``viewer``, by default the side to move."""
        viewer = board.turn if viewer is None else viewer
        seen = board if viewer is board.turn else Board(board.position._replace(turn=viewer))
        return float(self.values_of_rows(np.array([seen.mover_words], np.uint32))[0])

    def values(self, positions: Positions) -> NDArray[np.float32]:
        """The values of positions to their sides to move: shape ``(n,)``; see ``Evaluator.values``."""
        return self.values_of_rows(rows_of(positions)[0])

    def values_of_rows(self, positions: np.ndarray) -> np.ndarray:
        """Values of positions given as rows ``own, opp, kings``, to the side of ``own``."""
        parts = [self._batch(positions[at : at + BATCH]) for at in range(0, len(positions), BATCH)]
        return np.concatenate(parts) if parts else np.empty(0, np.float32)

    def _batch(self, positions: np.ndarray) -> np.ndarray:
        try:
            values = np.asarray(self.function(planes_of(positions)), np.float32)
        except Exception as error:  # the user's code can raise anything
            raise EvaluatorError(f"the evaluating function failed: {type(error).__name__}: {error}") from error
        if values.size != len(positions):
            shape = " x ".join(map(str, values.shape)) or "one number"
            raise EvaluatorError(f"the evaluating function returned {shape} for {len(positions)} positions")
        values = values.reshape(len(positions))
        if np.isnan(values).any():
            raise EvaluatorError("the evaluating function returned NaN")
        return np.clip(values, -LIMIT, LIMIT)
