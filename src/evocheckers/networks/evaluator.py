"""Evaluators as the compiled code takes them: a kind, packed numbers and the view."""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import aligned, f32, pointer_to, u32, u64
from evocheckers.networks import piece_counting as material
from evocheckers.networks.python_function import EvaluatorError, FunctionEvaluator
from evocheckers.networks.registry import SCRATCH, Kind, evaluate
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color


class View(enum.Enum):
    """How a network sees the board."""

    OWN_SIDE = "own-side"
    """Turned by 180 degrees for White, so that a player's own men always move up."""
    FIXED = "fixed"
    """The same way round for both players."""


class Leaf(enum.Enum):
    """From whose point of view a leaf is valued. The networks are not antisymmetric, so this matters."""

    ROOT = "root"
    """The searching player."""
    MOVER = "mover"
    """The side to move at the leaf."""
    BLACK = "black"
    """Black, whoever searches or moves: inputs are by colour, and White minimises the value."""


class Forced(enum.Enum):
    """Which jumps are "forced", so that a search by plies looks two plies further."""

    ANY_JUMP = "any-jump"
    """All jumps, since a side that can jump must."""
    ONLY_MOVE = "only-move"
    """Jumps that are the only legal move."""


class Wins(enum.Enum):
    """How a search by plies values wins of different lengths."""

    SOONER = "sooner"
    """A sooner win is better, and so is a later loss."""
    EQUAL = "equal"
    """All wins are worth the same, and so are all losses."""


FIXED_BIT, MOVER_BIT = 1, 2
ONLY_MOVE_BIT, EQUAL_WINS_BIT = 4, 8
"""Flags of an evaluator in compiled code."""
BLACK_BIT, STANDING_BIT = 16, 32
"""More flags: leaves are valued from Black's point of view; leaves are valued as they stand, without quiescence."""
FREE_BIT = 64
"""Set by the rules of a game, not by the evaluator: jumping is optional."""


def flags_of(
    view: View,
    leaf: Leaf,
    quiescence: bool = True,
    forced: Forced = Forced.ANY_JUMP,
    wins: Wins = Wins.SOONER,
) -> int:
    """How an evaluator is searched, as flags for compiled code."""
    eyes = FIXED_BIT * (view is View.FIXED) + MOVER_BIT * (leaf is Leaf.MOVER) + BLACK_BIT * (leaf is Leaf.BLACK)
    readings = ONLY_MOVE_BIT * (forced is Forced.ONLY_MOVE) + EQUAL_WINS_BIT * (wins is Wins.EQUAL)
    return eyes + STANDING_BIT * (not quiescence) + readings


@dataclass(frozen=True, eq=False)
class Evaluator:
    """How one player values positions."""

    kind: Kind
    weights: np.ndarray
    """Packed as the kind's compiled code reads them."""
    view: View = View.OWN_SIDE
    leaf: Leaf = Leaf.ROOT
    quiescence: bool = True
    """Whether a search follows captures at a leaf until it is quiet."""
    forced: Forced = Forced.ANY_JUMP
    wins: Wins = Wins.SOONER

    @property
    def flags(self) -> int:
        return flags_of(self.view, self.leaf, self.quiescence, self.forced, self.wins)

    def __call__(self, board: Board, viewer: Color | None = None) -> float:
        """The value of a position to ``viewer``, by default the side to move: the output's pre-activation."""
        viewer = board.turn if viewer is None else viewer
        eyes = Color.BLACK if self.leaf is Leaf.BLACK else viewer
        seen = board if eyes is board.turn else Board(board.position._replace(turn=eyes))
        words = np.array([seen.mover_words], np.uint32)
        turned = self.view is View.FIXED and eyes is Color.WHITE
        value = float(evaluate_positions(self, words, turned)[0])
        return value if eyes is viewer else -value

    @staticmethod
    def from_function(function: Callable[[np.ndarray], Any]) -> FunctionEvaluator:
        """Use any function from positions, as planes of shape (n, 4, 32), to n values; see the module ``function``.

        >>> import numpy as np
        >>> worth = np.array([1, 1.5, -1, -1.5], np.float32)
        >>> evaluator = Evaluator.from_function(lambda planes: planes.sum(axis=2) @ worth)
        >>> evaluator(Board("B:W32:BK1,2"))
        1.5
        """
        return FunctionEvaluator(function)


def piece_differential(king_value: float = material.KING_VALUE, noise: float = 0.0) -> Evaluator:
    """Men count one, kings ``king_value``; every leaf may get noise of up to ±``noise``."""
    for name, number in (("king value", king_value), ("noise", noise)):
        if not (np.isfinite(number) and 0 <= number <= 1000):
            raise EvaluatorError(f"{name} is {number}, not between 0 and 1000")
    return Evaluator(Kind.MATERIAL, np.array([king_value, noise], np.float32))


@entry
def _evaluate_positions(
    kind: int, weights: np.ndarray, scratch: np.ndarray, positions: np.ndarray, turned: bool, values: np.ndarray
) -> None:
    for i in range(positions.shape[0]):
        own, opp, kings = u32(positions[i, 0]), u32(positions[i, 1]), u32(positions[i, 2])
        values[i] = evaluate(kind, pointer_to(weights), pointer_to(scratch), own, opp, kings, turned, u64(0))


def evaluate_positions(evaluator: Evaluator, positions: np.ndarray, turned: bool = False) -> np.ndarray:
    """Values of positions given as rows ``own, opp, kings``, from the view of the side of ``own``."""
    values = np.empty(len(positions), np.float32)
    weights = stack([evaluator]).weights[0]
    _evaluate_positions(int(evaluator.kind), weights, aligned(SCRATCH, np.float32), positions, turned, values)
    return values


@dataclass(frozen=True, eq=False)
class EvaluatorTable:
    """Many evaluators for one compiled call."""

    kinds: np.ndarray
    flags: np.ndarray
    weights: np.ndarray
    """One row each, padded to whole cache lines."""

    def __len__(self) -> int:
        return len(self.kinds)


Evaluators = Sequence[Evaluator] | EvaluatorTable
"""Several evaluators, as a sequence or already stacked in a table."""


def empty_weights(count: int, width: int) -> np.ndarray:
    """Zeroed room for the numbers of an ``EvaluatorTable``."""
    return aligned((count, -(-width // 16) * 16), f32)


def stack(evaluators: Evaluators) -> EvaluatorTable:
    """Stack evaluators in one table."""
    if isinstance(evaluators, EvaluatorTable):
        return evaluators
    weights = empty_weights(len(evaluators), max(len(evaluator.weights) for evaluator in evaluators))
    for row, evaluator in zip(weights, evaluators, strict=True):
        row[: len(evaluator.weights)] = evaluator.weights
    kinds = np.array([evaluator.kind for evaluator in evaluators], np.int64)
    return EvaluatorTable(kinds, np.array([evaluator.flags for evaluator in evaluators], np.int64), weights)


def join(tables: Sequence[EvaluatorTable]) -> EvaluatorTable:
    """Concatenate tables."""
    if len(tables) == 1:
        return tables[0]
    weights = empty_weights(sum(map(len, tables)), max(table.weights.shape[1] for table in tables))
    first = 0
    for table in tables:
        weights[first : first + len(table), : table.weights.shape[1]] = table.weights
        first += len(table)
    kinds = np.concatenate([table.kinds for table in tables])
    return EvaluatorTable(kinds, np.concatenate([table.flags for table in tables]), weights)
