"""A search's state: one tuple of pointers, and the layout of the arrays behind them."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES

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
FRAME = 8
"""Words, numbers and places stored for each ply."""
OWN_WORD, OPP_WORD, KINGS_WORD, BEST_CODE_WORD, KILLER_WORD, OLDER_KILLER_WORD = range(6)
"""Indices of a ply's words."""
ALPHA_NUMBER, BETA_NUMBER, BEST_NUMBER, FIRST_ALPHA_NUMBER = range(4)
"""Indices of a ply's numbers; alpha rises as moves are tried."""
(
    MOVE_PLACE,
    END_PLACE,
    CHILD_DEPTH_PLACE,
    CHILD_EXTENSIONS_PLACE,
    DEPTH_PLACE,
    EXTENSIONS_PLACE,
    WINDOW_PLACE,
) = range(7)
"""Indices of a ply's places; the move being tried and the end of the list are offsets in the move stack."""
FULL, EMPTY, WIDENED = 0, 1, -1
"""How the move is being tried: with the full window, with a null window to see whether it is better at all, or, if it
is, again with the full window."""

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

HISTORY = 256
"""Counts of refutations by step: side, start and direction."""


class PackedEvaluator(NamedTuple):
    """An evaluator as compiled code takes it."""

    kind: int
    flags: int
    weights: Pointer
    """When passed from Python to compiled code, the array itself."""


class SearchState(NamedTuple):
    """The state of a search. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    """Bounds on a position's value less the sum of its inputs."""
    scratch: Pointer
    moves: Pointer
    words: Pointer
    numbers: Pointer
    places: Pointer
    history: Pointer
    lines: Pointer
    """For each ply, the length of the expected play from there, then its codes: ``LINE`` words."""
    keys: Pointer
    """For sorting one position's moves."""
    table: Pointer
    table_mask: int
    """The number of entries less one, or -1 for no table."""
    table_age: u32
    """Entries of another age belong to another game, player or colour."""
    counters: Pointer
    stop: Pointer
    """Another thread may set this to ``MOVE_NOW`` or ``GIVE_UP``."""
    salt: u64
    """For evaluators with noise; the same throughout a game."""
    root_is_white: bool


class Found(NamedTuple):
    """The raw result of a search."""

    depth_plies: int
    """The last finished depth."""
    equal_moves: int
    lines: list[tuple[float, int, list[int]]]
    """Score, depth and move codes, the best line first; empty if there is no move or the search was given up."""
    nodes: int
    evaluations: int
