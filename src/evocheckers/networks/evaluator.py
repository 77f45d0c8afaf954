"""Evaluators as the compiled code takes them: a kind, packed numbers, and how they are to be searched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import aligned, f32, fetch_and_increment, pointer_to, u32, u64
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.networks import piece_counting as material
from evocheckers.networks.python_function import EvaluatorError, FunctionEvaluator
from evocheckers.networks.registry import SCRATCH, Kind, evaluate, is_packed
from evocheckers.networks.search_rules import Leaf, SearchRules, SearchRulesError, View, settle
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.positions import Positions, rows_of, turned_rows

_SHARE = 4096
"""Positions that a thread takes at a time."""


@dataclass(frozen=True, eq=False)
class Evaluator:
    """How one player values positions."""

    kind: Kind
    weights: np.ndarray
    """Packed as the kind's compiled code reads them."""
    rules: SearchRules = field(default_factory=SearchRules)
    """How it is searched."""

    def __post_init__(self) -> None:
        """Compiled code relies on what is checked here."""
        if not isinstance(self.kind, Kind) or not isinstance(self.rules, SearchRules):
            raise EvaluatorError("an evaluator has a Kind, packed numbers and SearchRules; write network.evaluator()")
        packed = self.weights
        if not isinstance(packed, np.ndarray) or packed.dtype != np.float32 or packed.ndim != 1:
            raise EvaluatorError("an evaluator's numbers are one row of float32; write network.evaluator()")
        if not is_packed(self.kind, packed):
            fault = f"{packed.size} numbers are no packed {self.kind.name.lower()}"
            raise EvaluatorError(f"{fault}; write network.evaluator(), which packs them")

    def __repr__(self) -> str:
        return f"<Evaluator {self.kind.name.lower()}>"

    def with_rules(self, **changes: Any) -> "Evaluator":
        """The same evaluator, searched under other rules.

        >>> piece_differential().with_rules(extensions=0, wins="equal").rules.wins
        <Wins.EQUAL: 'equal'>
        """
        return replace(self, rules=replace(self.rules, **changes))

    def __call__(self, board: Board, viewer: Color | None = None) -> float:
        """The value of a position to ``viewer``, by default the side to move: the output's pre-activation."""
        viewer = board.turn if viewer is None else viewer
        eyes = Color.BLACK if self.rules.leaf is Leaf.BLACK else viewer
        seen = board if eyes is board.turn else Board(board.position._replace(turn=eyes))
        words = np.array([seen.mover_words], np.uint32)
        turned = self.rules.view is View.FIXED and eyes is Color.WHITE
        value = float(evaluate_positions(self, words, turned)[0])
        return value if eyes is viewer else -value

    def values(self, positions: Positions) -> NDArray[np.float32]:
        """The values of positions to their sides to move, on all cores: shape ``(n,)``.

        Boards, positions and FENs may be mixed; or give an array of rows ``own, opp, kings`` of shape ``(n, 3)``, as
        ``Board.mover_words`` has them: bits by square, seen from the side to move. That side is then taken for Black,
        which matters to networks with a fixed view alone.
        """
        rows, is_white = rows_of(positions)
        if self.rules.leaf is not Leaf.BLACK and self.rules.view is not View.FIXED:
            return evaluate_positions(self, rows, threads=None)
        values = np.empty(len(rows), np.float32)
        for white in (False, True):
            turned = white and self.rules.view is View.FIXED
            seen = rows[is_white == white]
            if white and self.rules.leaf is Leaf.BLACK:
                seen = turned_rows(seen)
                values[is_white] = -evaluate_positions(self, seen, threads=None)
            else:
                values[is_white == white] = evaluate_positions(self, seen, turned, threads=None)
        return values

    @staticmethod
    def from_function(function: Callable[[np.ndarray], Any]) -> FunctionEvaluator:
        """Use any function from positions, as planes of shape (n, 4, 32), to n values; see ``python_function``.

        >>> import numpy as np
        >>> worth = np.array([1, 1.5, -1, -1.5], np.float32)
        >>> evaluator = Evaluator.from_function(lambda planes: planes.sum(axis=2) @ worth)
        >>> evaluator(Board("B:W32:BK1,2"))
        1.5
        """
        return FunctionEvaluator(function)


def piece_differential(king_value: float = material.KING_VALUE, noise: float = 0.0) -> Evaluator:
    """Men count one, kings ``king_value``; every leaf may get noise of up to ±``noise``.

    It has no search rules of its own, and searches as its opponent does.
    """
    for name, number in (("king value", king_value), ("noise", noise)):
        if not (np.isfinite(number) and 0 <= number <= 1000):
            raise EvaluatorError(f"{name} is {number}, not between 0 and 1000")
    return Evaluator(Kind.MATERIAL, np.array([king_value, noise], np.float32), SearchRules(extensions=None))


@entry
def _evaluate_positions(
    kind: int,
    weights: np.ndarray,
    scratch: np.ndarray,
    positions: np.ndarray,
    turned: bool,
    values: np.ndarray,
    next_share: np.ndarray,
    stop: np.ndarray,
) -> None:
    while stop[0] == 0:
        first = fetch_and_increment(pointer_to(next_share)) * _SHARE
        if first >= positions.shape[0]:
            break
        share, out = positions[first : first + _SHARE], values[first : first + _SHARE]
        for i in range(share.shape[0]):
            own, opp, kings = u32(share[i, 0]), u32(share[i, 1]), u32(share[i, 2])
            out[i] = evaluate(kind, pointer_to(weights), pointer_to(scratch), own, opp, kings, turned, u64(0))


def evaluate_positions(
    evaluator: Evaluator, positions: np.ndarray, turned: bool = False, threads: int | None = 1
) -> np.ndarray:
    """Values of positions given as rows ``own, opp, kings``, from the view of the side of ``own``.

    ``turned``: the network sees the board upside down. ``threads``: None for all cores.
    """
    values = np.empty(len(positions), np.float32)
    weights = stack([evaluator]).weights[0]

    def work(_: int, next_share: np.ndarray, stop: np.ndarray) -> None:
        scratch = aligned(SCRATCH, np.float32)
        _evaluate_positions(int(evaluator.kind), weights, scratch, positions, turned, values, next_share, stop)

    count = min(thread_count(threads), -(-len(positions) // _SHARE))
    if count > 1:
        run_threads(work, count)
    else:
        work(0, np.zeros(1, np.int64), np.zeros(1, np.int64))
    return values


@dataclass(frozen=True, eq=False)
class EvaluatorTable:
    """Many evaluators for one compiled call."""

    kinds: np.ndarray
    flags: np.ndarray
    weights: np.ndarray
    """One row each, padded to whole cache lines."""
    extensions: int
    """The most extensions on one line, of all their searches."""

    def __len__(self) -> int:
        return len(self.kinds)


Evaluators = Sequence[Evaluator] | EvaluatorTable
"""Several evaluators, as a sequence or already stacked in a table."""


def empty_weights(count: int, width: int) -> np.ndarray:
    """Zeroed room for the numbers of an ``EvaluatorTable``."""
    return aligned((count, -(-width // 16) * 16), f32)


def common_extensions(evaluators: Evaluators) -> int:
    """The most extensions on one line of all searches, which are the same for all games of one batch."""
    if isinstance(evaluators, EvaluatorTable):
        return evaluators.extensions
    return _the_same({one.most_extensions for one in settle([evaluator.rules for evaluator in evaluators])})


def _the_same(numbers: set[int]) -> int:
    if len(numbers) != 1:
        found = " and ".join(map(str, sorted(numbers))) or "none"
        raise SearchRulesError(f"evaluators of one batch need the same extensions, not {found}; set them by with_rules")
    return numbers.pop()


def stack(evaluators: Evaluators) -> EvaluatorTable:
    """Stack evaluators in one table; those without search rules of their own take the others'."""
    if isinstance(evaluators, EvaluatorTable):
        return evaluators
    weights = empty_weights(len(evaluators), max(len(evaluator.weights) for evaluator in evaluators))
    for row, evaluator in zip(weights, evaluators, strict=True):
        row[: len(evaluator.weights)] = evaluator.weights
    kinds = np.array([evaluator.kind for evaluator in evaluators], np.int64)
    rules = settle([evaluator.rules for evaluator in evaluators])
    flags = np.array([one.flags for one in rules], np.int64)
    return EvaluatorTable(kinds, flags, weights, _the_same({one.most_extensions for one in rules}))


def join(tables: Sequence[EvaluatorTable]) -> EvaluatorTable:
    """Concatenate tables of the same extensions."""
    if len(tables) == 1:
        return tables[0]
    extensions = _the_same({table.extensions for table in tables})
    weights = empty_weights(sum(map(len, tables)), max(table.weights.shape[1] for table in tables))
    first = 0
    for table in tables:
        weights[first : first + len(table), : table.weights.shape[1]] = table.weights
        first += len(table)
    kinds = np.concatenate([table.kinds for table in tables])
    return EvaluatorTable(kinds, np.concatenate([table.flags for table in tables]), weights, extensions)
