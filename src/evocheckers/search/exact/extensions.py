"""When the exact search extends a line: by two plies where the side to move must jump.

Chellapilla and Fogel extend a line "any time a forced jump move was encountered", since "in these situations no real
decision is available". That can be read in two ways, and ``Forced`` selects one: any jump is forced, or only a jump
that is the only legal move. The papers set no limit, which explodes beyond 4 plies; here a line is extended at most
``extensions`` times, and ``MAX_EXTENSIONS`` means no limit.
"""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import u32
from evocheckers.networks.search_rules import MAX_EXTENSIONS, ONLY_MOVE_BIT
from evocheckers.rules.bitboard import MOVE_WORDS
from evocheckers.search.exact.state import ExactState


@inner
def is_extended(s: ExactState, jumpers: u32, words: int, extensions: int) -> bool:
    """Whether a position is searched two plies deeper; ``words`` is the length of its list of moves."""
    is_forced = words == MOVE_WORDS or (s.evaluator.flags & ONLY_MOVE_BIT) == 0
    return extensions > 0 and jumpers != u32(0) and is_forced


@inner
def after_extension(extensions: int) -> int:
    """The extensions left on a line after one more."""
    return extensions if extensions == MAX_EXTENSIONS else extensions - 1
