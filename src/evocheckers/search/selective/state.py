"""The playing search's state: one tuple of pointers, and the layout of the arrays behind them."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u64
from evocheckers.search.exact.state import SearchState
from evocheckers.search.selective.selectivity import Selectivity
from evocheckers.search.shared import PackedEvaluator

FRAME = 8
"""Words and numbers stored for each ply."""
OWN_WORD, OPP_WORD, KINGS_WORD, BEST_CODE_WORD, KILLER_WORD, OLDER_KILLER_WORD, PLAYED_WORD = range(7)
"""Indices of a ply's words; the last is the code of the move that led there."""
ALPHA_NUMBER, BETA_NUMBER, BEST_NUMBER, FIRST_ALPHA_NUMBER = range(4)
"""Indices of a ply's numbers; alpha rises as moves are tried."""

PLACES = 16
"""Places stored for each ply."""
(
    FIRST_PLACE,
    MOVE_PLACE,
    END_PLACE,
    DEPTH_PLACE,
    EXTENSIONS_PLACE,
    CHILD_DEPTH_PLACE,
    CHILD_EXTENSIONS_PLACE,
    STAGE_PLACE,
    QUIET_PLACE,
    REVERSIBLE_PLACE,
    REPEATS_PLACE,
) = range(11)
"""Indices of a ply's places. Moves are offsets in the move stack. ``QUIET``: whether the side to move has no jump;
``REVERSIBLE``: plies since the last capture or man's move; ``REPEATS``: whether the value depends on a repetition."""

PROBE, NEXT, REDUCED, EMPTY, RETRIED, OPEN, WIDENED = range(7)
"""How a move is tried or is to be tried. ``PROBE``: shallow and beyond the window, to see whether it is much better;
``NEXT``: not yet decided; ``REDUCED``: shallow, with a null window; ``EMPTY``: with a null window; ``RETRIED``: so
again, since it was better; ``OPEN``: with the whole window; ``WIDENED``: so again, since it was better."""

HISTORY = 256
"""Scores of steps: side, start and direction."""


class Endgames(NamedTuple):
    """Databases as compiled code takes them."""

    header: Pointer
    distances: Pointer
    """Entries of ``endgames.distances``; ``header`` is used to compute their index."""
    distances_pieces: int
    """Distances are known for up to this many pieces on the board; 0 for none."""
    values: Pointer
    """A packed table of ``endgames.database``."""
    values_pieces: int
    """Wins, draws and losses are known for up to this many pieces; 0 for none."""


class PlayingState(NamedTuple):
    """The state of one thread's search. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    """Bounds on a position's value less the sum of its inputs."""
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
    replies: Pointer
    """For each step of each side, the step that last refuted it."""
    lines: Pointer
    """For each ply, the length of the expected play from there, then its codes."""
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


AnyState = SearchState | PlayingState
"""The state of either search."""
