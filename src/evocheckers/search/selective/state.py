"""The selective search's state: one tuple of pointers, and how each move is being tried."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u64
from evocheckers.search.selective.selectivity import Selectivity
from evocheckers.search.state import COMMON_PLACES, OLDER_KILLER_WORD, PackedEvaluator

PLAYED_WORD = OLDER_KILLER_WORD + 1
"""Index of the word of a ply that only this search has: the code of the move that led there."""
FIRST_PLACE, STAGE_PLACE, QUIET_PLACE, REVERSIBLE_PLACE, REPEATS_PLACE = range(COMMON_PLACES, COMMON_PLACES + 5)
"""Indices of the places of a ply that only this search has. ``FIRST``: the list's beginning; ``STAGE``: one of those
below; ``QUIET``: whether the side to move has no jump; ``REVERSIBLE``: plies since the last capture or man's move;
``REPEATS``: whether the value depends on a repetition."""
PLACES = 16
"""Places stored for each ply."""

PROBCUT, NEXT, REDUCED, NULL_WINDOW, RETRIED, FULL_WINDOW, WIDENED = range(7)
"""How a move is tried or is to be tried. ``PROBCUT``: shallow and beyond the window, to see whether it is much better;
``NEXT``: not yet decided; ``REDUCED``: shallow, with a null window; ``NULL_WINDOW``: to full depth; ``RETRIED``: so
again, since it was better; ``FULL_WINDOW``: with the whole window; ``WIDENED``: so again, since it was better."""


class Endgames(NamedTuple):
    """Databases as compiled code takes them."""

    header: Pointer
    distances: Pointer
    """Entries of ``endgames.distances``; ``header`` is used to compute their index."""
    distances_pieces: int
    """Distances are known for up to this many pieces on the board; 0 for none."""
    values: Pointer
    """A packed table of ``endgames.databases``."""
    values_pieces: int
    """Wins, draws and losses are known for up to this many pieces; 0 for none."""


class SelectiveState(NamedTuple):
    """The state of one thread's search, as in ``SearchState`` and more. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    man: f32
    """The evaluator's value of a man; 0 if margins make no sense."""
    selectivity: Selectivity
    reductions: Pointer
    scratch: Pointer
    moves: Pointer
    words: Pointer
    numbers: Pointer
    places: Pointer
    path: Pointer
    """The hashes of the positions since the game's last irreversible move, then of the line; ply 0 is at
    ``path_start``."""
    path_start: int
    repetition: bool
    history: Pointer
    """Each step's score: higher the more often it refuted something, lower the more often it was tried in vain."""
    replies: Pointer
    """For each step of each side, the step that last refuted it."""
    lines: Pointer
    keys: Pointer
    """For sorting one position's moves."""
    table: Pointer
    table_mask: int
    """The number of buckets less one."""
    leaves: Pointer
    leaves_mask: int
    age: int
    game: u64
    """Part of every hash: the game, and the player's colour if it matters."""
    sided: int
    """1 if a position's value depends on the viewer, else 0."""
    counters: Pointer
    stop: Pointer
    salt: u64
    root_is_white: bool
    endgames: Endgames
