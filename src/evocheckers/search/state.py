"""What both searches keep while they run: a stack with a frame for each ply, the expected play, and the counters.

``exact/state.py`` and ``selective/state.py`` add what each of them has alone.
"""

from typing import NamedTuple, Protocol

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, i64, offset, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.search.values import INFINITY

MAX_DEPTH_PLIES = 64
"""The deepest nominal search; extensions and captures go further."""
MAX_LINE = 120
"""The most plies on a line: 64 plies, extensions, and at most 24 captures."""
MOVE_ROOM = MAX_LINE * 48 + 2 * MAX_MOVES
"""Moves on the stack: at most 48 steps per position; the captures of a line share the rest."""
LAST_ROOM = (MOVE_ROOM - MAX_MOVES) * MOVE_WORDS
"""The last word of the move stack from which the moves of any position have room."""

FRAME = 8
"""Words and numbers stored for each ply."""
OWN_WORD, OPP_WORD, KINGS_WORD, BEST_CODE_WORD, KILLER_WORD, OLDER_KILLER_WORD = range(6)
"""Indices of a ply's words; the selective search has another one."""
ALPHA_NUMBER, BETA_NUMBER, BEST_NUMBER, FIRST_ALPHA_NUMBER = range(4)
"""Indices of a ply's numbers; alpha rises as moves are tried."""
MOVE_PLACE, END_PLACE, CHILD_DEPTH_PLACE, CHILD_EXTENSIONS_PLACE, DEPTH_PLACE, EXTENSIONS_PLACE, COMMON_PLACES = range(
    7
)
"""Indices of a ply's places, and how many of them both searches have. The move being tried and the end of the list are
offsets in the move stack. The children's depth and extensions differ from the position's own if it is extended."""

HISTORY = 256
"""Steps that the history tells apart: side, start and direction."""

LINE = MAX_LINE + 2
"""Words of a stored line: its length, then the codes of its moves."""

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
ends a search as ``MOVE_NOW`` does; 0 means none. Only the selective search has deadlines."""

GO_ON, MOVE_NOW, GIVE_UP = range(3)
"""Values of ``stop``: continue; end with the best move so far, at least the first depth's; end at once, without one."""


class PackedEvaluator(NamedTuple):
    """An evaluator as compiled code takes it."""

    kind: int
    flags: int
    weights: Pointer
    """When passed from Python to compiled code, the array itself."""


class SearchState(Protocol):
    """What the states of both searches have in common."""

    @property
    def evaluator(self) -> PackedEvaluator: ...
    @property
    def margins(self) -> tuple[f32, f32]:
        """Bounds on a position's value less the sum of its inputs."""

    @property
    def scratch(self) -> Pointer:
        """Working memory of the evaluator."""

    @property
    def moves(self) -> Pointer:
        """The move stack: the moves of all positions on the line."""

    @property
    def words(self) -> Pointer: ...
    @property
    def numbers(self) -> Pointer: ...
    @property
    def lines(self) -> Pointer:
        """For each ply, the expected play from there: ``LINE`` words."""

    @property
    def counters(self) -> Pointer: ...
    @property
    def stop(self) -> Pointer:
        """Another thread may set this to ``MOVE_NOW`` or ``GIVE_UP``."""

    @property
    def salt(self) -> u64:
        """For evaluators with noise; the same throughout a game."""

    @property
    def root_is_white(self) -> bool:
        """Whether White moves at even plies."""


@inner
def begin_counting(s: SearchState) -> None:
    """Begin a search: until ``heed_limits`` it obeys only ``GIVE_UP``."""
    s.counters[STOPPED_COUNTER] = 0
    s.counters[HEEDED_LIMIT_COUNTER] = i64(1) << 62
    s.counters[IGNORED_STOP_COUNTER] = MOVE_NOW


@inner
def heed_limits(s: SearchState) -> None:
    """From now on obey the node limit and ``MOVE_NOW``: there is a move to play."""
    s.counters[HEEDED_LIMIT_COUNTER] = s.counters[NODE_LIMIT_COUNTER]
    s.counters[IGNORED_STOP_COUNTER] = GO_ON


@inner
def is_stopped(s: SearchState) -> bool:
    """Count a position and check whether the search must stop."""
    s.counters[NODES_COUNTER] += 1
    too_many = s.counters[NODES_COUNTER] > s.counters[HEEDED_LIMIT_COUNTER]
    if too_many or s.stop[0] > s.counters[IGNORED_STOP_COUNTER]:
        s.counters[STOPPED_COUNTER] = 1
        return True
    return False


@inner
def open_frame(s: SearchState, ply: int, own: u32, opp: u32, kings: u32, code: u32, alpha: f32, beta: f32) -> None:
    """Begin to search a position: store it, the code of its first move, and its window."""
    words, numbers = offset(s.words, ply * FRAME), offset(s.numbers, ply * FRAME)
    words[OWN_WORD], words[OPP_WORD], words[KINGS_WORD], words[BEST_CODE_WORD] = own, opp, kings, code
    numbers[ALPHA_NUMBER], numbers[BETA_NUMBER] = alpha, beta
    numbers[BEST_NUMBER], numbers[FIRST_ALPHA_NUMBER] = -INFINITY, alpha


@inner
def join_line(line: Pointer, code: u32, rest: Pointer) -> None:
    """Store a line: a move, then the expected play after it."""
    line[1] = code
    for i in range(i64(rest[0])):
        line[2 + i] = rest[1 + i]
    line[0] = u32(rest[0] + u32(1))
