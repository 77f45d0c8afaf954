"""Two sentences of the paper that can be read in two ways; an evaluator's flags select the reading.

Chellapilla and Fogel extend a line "any time a forced jump move was encountered", and give every win "a value of
exactly 1.0": see ``Forced`` and ``Wins``.
"""

from evocheckers.evaluation.evaluator import EQUAL_WINS_BIT, ONLY_MOVE_BIT
from evocheckers.evaluation.network import MAX_EXTENSIONS
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import u32
from evocheckers.rules.bitboard import MOVE_WORDS
from evocheckers.search.state import SearchState


@inner
def is_extended(s: SearchState, jumpers: u32, words: int, extensions: int) -> bool:
    """Whether a position is searched two plies deeper; ``words`` is the length of its list of moves."""
    is_forced = words == MOVE_WORDS or (s.evaluator.flags & ONLY_MOVE_BIT) == 0
    return extensions > 0 and jumpers != u32(0) and is_forced


@inner
def after_extension(extensions: int) -> int:
    """The extensions left on a line after one more; ``MAX_EXTENSIONS`` means no limit."""
    return extensions if extensions == MAX_EXTENSIONS else extensions - 1


@inner
def counted_plies(s: SearchState, ply: int) -> int:
    """The plies deducted from the value of a win at ``ply``: none if all wins are equal."""
    return 0 if (s.evaluator.flags & EQUAL_WINS_BIT) != 0 else ply
