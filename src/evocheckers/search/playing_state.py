"""What the playing search works with: one tuple of pointers, and the meaning of every place behind them."""

from typing import NamedTuple

from evocheckers.native.intrinsics import Pointer, f32, u64
from evocheckers.search.selectivity import Selectivity
from evocheckers.search.state import PackedEvaluator, SearchState

FRAME = 8
"""Words and numbers kept for each ply."""
OWN_WORD, OPP_WORD, KINGS_WORD, BEST_CODE_WORD, KILLER_WORD, OLDER_KILLER_WORD, PLAYED_WORD = range(7)
"""Indices of a ply's words; the last one is the code of the move that led there."""
ALPHA_NUMBER, BETA_NUMBER, BEST_NUMBER, FIRST_ALPHA_NUMBER = range(4)
"""Indices of a ply's numbers; alpha rises as moves are tried."""

PLACES = 16
"""Places kept for each ply."""
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
"""Indices of a ply's places. Moves are words of the move stack; ``QUIET``: whether the side to move need not jump;
``REVERSIBLE``: plies since the last capture or move of a man; ``REPEATS``: whether the value hangs on a repetition."""

PROBE, NEXT, REDUCED, EMPTY, RETRIED, OPEN, WIDENED = range(7)
"""How a move is tried, or is to be: shallow beyond the window, to see whether it is much better; as its turn comes;
shallow with an empty window; with an empty window; as that, since it was better; with the whole window; as that, since
it was better."""

HISTORY = 256
"""Scores of steps: side, start and direction."""


class Endgames(NamedTuple):
    """Databases as compiled code takes them."""

    header: Pointer
    distances: Pointer
    """Entries of ``endgames.distances``, and what their index is computed with."""
    distances_pieces: int
    """Up to so many pieces on the board distances are known; 0 for none."""
    values: Pointer
    """A packed table of ``endgames.database``."""
    values_pieces: int
    """Up to so many pieces won, drawn and lost positions are known; 0 for none."""


class PlayingState(NamedTuple):
    """All that one thread searches with. The pointers' arrays belong to the caller."""

    evaluator: PackedEvaluator
    margins: tuple[f32, f32]
    """How much less and more than the sum of its inputs a position may be worth."""
    man: f32
    """What a man is worth to the evaluator; 0 where margins make no sense."""
    selectivity: Selectivity
    reductions: Pointer
    scratch: Pointer
    moves: Pointer
    words: Pointer
    numbers: Pointer
    places: Pointer
    path: Pointer
    """The hashes of the positions since the last irreversible move of the game, then of the line: ply 0 stands at
    ``path_start``."""
    path_start: int
    repetition: bool
    history: Pointer
    replies: Pointer
    """For each step of each side, the step that refuted it last."""
    lines: Pointer
    """For each ply the length of the expected play from there, then its codes."""
    keys: Pointer
    """For sorting one position's moves."""
    table: Pointer
    table_mask: int
    """Buckets less one."""
    leaves: Pointer
    leaves_mask: int
    age: int
    game: u64
    """Part of every hash: the game, and the player's colour where it matters."""
    sided: int
    """1 where a position's value depends on who looks at it, else 0."""
    counters: Pointer
    stop: Pointer
    salt: u64
    root_is_white: bool
    endgames: Endgames


AnyState = SearchState | PlayingState
"""What one of the two searches works with."""
