"""What a search works with: one tuple of pointers, and the meaning of every place behind them."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES

WIN = f32(1_000_000)
"""A win now; later ones are worth a point less a ply."""
DECIDED = f32(999_000)
"""Beyond ± this a value is a forced win or loss."""
INFINITY = f32(2_000_000)
KNOWN = f32(500_000)
"""A position that a database calls won, nobody knows how soon, is worth this and its evaluation."""
KNOWN_LEAST = f32(400_000)
"""Such positions are worth at least this, and all that are not won less."""

MAX_DEPTH_PLIES = 64
"""The deepest nominal search; extensions and captures go further."""
MAX_LINE = 120
"""No line is longer than this: 64 plies, extensions, and at most 24 captures."""
MOVE_ROOM = MAX_LINE * 48 + 2 * MAX_MOVES
"""Moves on the stack: at most 48 steps a position; the captures of a line share the rest."""

LINE = MAX_LINE + 2
FRAME = 8
"""Words, numbers and places kept for each ply."""
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
"""Indices of a ply's places; the move being tried and the end of the list are words of the move stack."""
FULL, EMPTY, WIDENED = 0, 1, -1
"""How the move is being tried: with the full window, with an empty one to see whether it is better at all, or, since
it is, again with the full one."""

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
"""Indices of the counters. The first depth of a search heeds no limit of nodes, and only one kind of stop. A deadline
of the clock ends a search as ``MOVE_NOW`` does; 0 is none."""

GO_ON, MOVE_NOW, GIVE_UP = range(3)
"""What ``stop`` may hold: to end with the best move so far, at least the first depth's; to end at once, without one."""

HISTORY = 256
"""Counts of refutations by steps: side, start and direction."""


class PackedEvaluator(NamedTuple):
    """An evaluator as compiled code takes it."""

    kind: int
    flags: int
    weights: Pointer
    """Between Python and compiled code, the array itself."""


class SearchState(NamedTuple):
    """All that a search works with. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    """How much less and more than the sum of its inputs a position may be worth."""
    scratch: Pointer
    moves: Pointer
    words: Pointer
    numbers: Pointer
    places: Pointer
    history: Pointer
    lines: Pointer
    """For each ply the length of the expected play from there, then its codes: ``LINE`` words."""
    keys: Pointer
    """For sorting one position's moves."""
    table: Pointer
    table_mask: int
    """Entries less one, or -1 for no table."""
    table_age: u32
    """Entries of another age belong to another game, player or colour."""
    counters: Pointer
    stop: Pointer
    """Another thread may set this to ``MOVE_NOW`` or ``GIVE_UP``."""
    salt: u64
    """For evaluators with noise; the same throughout a game."""
    root_is_white: bool


class Found(NamedTuple):
    """What a search found, before it is told to people."""

    depth_plies: int
    """The depth that was finished."""
    equal_moves: int
    lines: list[tuple[float, int, list[int]]]
    """Score, depth and codes of moves, the best line first; none if there is no move, or the search was given up."""
    nodes: int
    evaluations: int
