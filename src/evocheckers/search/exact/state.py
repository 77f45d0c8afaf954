"""A search's state: one tuple of pointers, and the layout of the arrays behind them."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u32, u64
from evocheckers.search.shared import PackedEvaluator

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

HISTORY = 256
"""Counts of refutations by step: side, start and direction."""


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
