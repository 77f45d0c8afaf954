"""The exact search's state: one tuple of pointers, and how each move is being tried."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u32, u64
from evocheckers.search.state import COMMON_PLACES, PackedEvaluator

WINDOW_PLACE = COMMON_PLACES
"""Index of the only place of a ply that the selective search does not have in this form: one of the windows below."""
PLACES = 8
"""Places stored for each ply."""
FULL_WINDOW, NULL_WINDOW, WIDENED = 0, 1, -1
"""How the move is being tried: with the full window, with a null window to see whether it is better at all, or, if it
is, again with the full window."""


class ExactState(NamedTuple):
    """The state of a search, as in ``SearchState`` and more. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    scratch: Pointer
    moves: Pointer
    words: Pointer
    numbers: Pointer
    places: Pointer
    history: Pointer
    """How often each step refuted something."""
    lines: Pointer
    keys: Pointer
    """For sorting one position's moves."""
    table: Pointer
    table_mask: int
    """The number of entries less one, or -1 for no table."""
    table_age: u32
    """Entries of another age belong to another game, player or colour."""
    counters: Pointer
    stop: Pointer
    salt: u64
    root_is_white: bool
