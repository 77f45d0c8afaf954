"""Two sentences of the paper that can be read in two ways; an evaluator's flags select the reading.

Chellapilla and Fogel extend a line "any time a forced jump move was encountered", and give every win "a value of
exactly 1.0": see ``Forced`` and ``Wins``.

The expected play as both searches store it: for each ply its length, then the codes of its moves.

How both searches value a leaf: from whose point of view, and whether its pieces alone put it outside the window.
"""

from typing import TYPE_CHECKING, NamedTuple

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, f32, i64, offset, u32
from evocheckers.networks.registry import evaluate, sum_of_inputs
from evocheckers.networks.search_rules import (
    BLACK_BIT,
    EQUAL_WINS_BIT,
    FIXED_BIT,
    MAX_EXTENSIONS,
    MOVER_BIT,
    ONLY_MOVE_BIT,
)
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, turn

if TYPE_CHECKING:
    from evocheckers.search.exact.state import SearchState
    from evocheckers.search.selective.state import AnyState

WIN = f32(1_000_000)
"""The value of an immediate win; each ply of delay costs one point."""
DECIDED = f32(999_000)
"""Beyond ± this a value is a forced win or loss."""
INFINITY = f32(2_000_000)
KNOWN = f32(500_000)
"""The value of a database win at an unknown distance, to which the evaluation is added."""
KNOWN_LEAST = f32(400_000)
"""Such positions are worth at least this; all that are not won are worth less."""

MAX_DEPTH_PLIES = 64
"""The deepest nominal search; extensions and captures go further."""
MAX_LINE = 120
"""The most plies on a line: 64 plies, extensions, and at most 24 captures."""
MOVE_ROOM = MAX_LINE * 48 + 2 * MAX_MOVES
"""Moves on the stack: at most 48 steps per position; the captures of a line share the rest."""

LINE = MAX_LINE + 2

(
    EVALUATIONS_COUNTER,
    NODES_COUNTER,
    NODE_LIMIT_COUNTER,
    HEEDED_LIMIT_COUNTER,
    IGNORED_STOP_COUNTER,
    STOPPED_COUNTER,
    DEADLINE_COUNTER,
    CLOCK_COUNTER,
    _CLOCK_END,
    COUNTERS,
) = range(10)
"""Indices of the counters. The first depth of a search ignores the node limit, and obeys only ``GIVE_UP``. A deadline
ends a search as ``MOVE_NOW`` does; 0 means none."""

GO_ON, MOVE_NOW, GIVE_UP = range(3)
"""Values of ``stop``: continue; end with the best move so far, at least the first depth's; end at once, without one."""


class PackedEvaluator(NamedTuple):
    """An evaluator as compiled code takes it."""

    kind: int
    flags: int
    weights: Pointer
    """When passed from Python to compiled code, the array itself."""


class Found(NamedTuple):
    """The raw result of a search."""

    depth_plies: int
    """The last finished depth."""
    equal_moves: int
    lines: list[tuple[float, int, list[int]]]
    """Score, depth and move codes, the best line first; empty if there is no move or the search was given up."""
    nodes: int
    evaluations: int


@inner
def extend_line(s: "AnyState", ply: int, code: u32) -> None:
    """Set the expected play at ``ply`` to this move, followed by the expected play at the next ply."""
    line, rest = offset(s.lines, ply * LINE), offset(s.lines, (ply + 1) * LINE)
    line[1] = code
    for i in range(i64(rest[0])):
        line[2 + i] = rest[1 + i]
    line[0] = u32(rest[0] + u32(1))


@inner
def _is_opponents_view(s: "AnyState", ply: int) -> bool:
    """Whether a position is valued from the point of view of the side that is not to move."""
    is_odd = (ply & 1) == 1
    if (s.evaluator.flags & BLACK_BIT) != 0:
        return bool(s.root_is_white != is_odd)
    return is_odd and (s.evaluator.flags & MOVER_BIT) == 0


@pasted
def bound_by_pieces(s: "AnyState", own: u32, opp: u32, kings: u32, ply: int, alpha: f32, beta: f32) -> tuple[bool, f32]:
    """Whether the inputs alone show that the value lies outside the window, and if so a bound on it."""
    is_outside, bound = False, f32(0)
    least, most = s.margins
    if most < INFINITY:
        total = sum_of_inputs(s.evaluator.kind, s.evaluator.weights, own, opp, kings)
        if _is_opponents_view(s, ply):
            least, most = -most, -least
        if total + most <= alpha:
            is_outside, bound = True, total + most
        elif total + least >= beta:
            is_outside, bound = True, total + least
    return is_outside, bound


@pasted
def evaluate_leaf(s: "AnyState", own: u32, opp: u32, kings: u32, ply: int) -> f32:
    """The evaluation for the side to move."""
    s.counters[EVALUATIONS_COUNTER] += 1
    opponents_view = _is_opponents_view(s, ply)
    mover_is_white = s.root_is_white != ((ply & 1) == 1)
    viewer_is_white = mover_is_white != opponents_view
    turned = (s.evaluator.flags & FIXED_BIT) != 0 and viewer_is_white
    if opponents_view:
        own, opp, kings = turn(own, opp, kings)
    value = evaluate(s.evaluator.kind, s.evaluator.weights, s.scratch, own, opp, kings, turned, s.salt)
    return -value if opponents_view else value


@inner
def is_extended(s: "SearchState", jumpers: u32, words: int, extensions: int) -> bool:
    """Whether a position is searched two plies deeper; ``words`` is the length of its list of moves."""
    is_forced = words == MOVE_WORDS or (s.evaluator.flags & ONLY_MOVE_BIT) == 0
    return extensions > 0 and jumpers != u32(0) and is_forced


@inner
def after_extension(extensions: int) -> int:
    """The extensions left on a line after one more; ``MAX_EXTENSIONS`` means no limit."""
    return extensions if extensions == MAX_EXTENSIONS else extensions - 1


@inner
def counted_plies(s: "SearchState", ply: int) -> int:
    """The plies deducted from the value of a win at ``ply``: none if all wins are equal."""
    return 0 if (s.evaluator.flags & EQUAL_WINS_BIT) != 0 else ply
