"""Time for a whole game: how much of a clock a move may use, and when to stop earlier.

A move usually takes an even share of the time left. It takes less when the move is clear or the search has settled on
it, and up to four times as much when the search has just changed its mind or its score falls. Part of the clock is kept
in reserve: what moves cost besides their search must not lose the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evocheckers.search.result import SearchResult

MOVES_TO_GO = 25
"""Number of moves that share the time left if the clock does not say."""
LONG_GAME_MOVES = 100
"""Number of moves that time is reserved for if the clock does not say."""
RESERVE_SECONDS = 0.05
OVERHEAD_SECONDS = 0.01
"""Reserved once, and for every move."""
BRIEF_SECONDS = 0.1
"""A search whose usual time is shorter is not interrupted to check whether it may end."""
LEAST_SECONDS = 0.001
MOST_SECONDS = 86_400.0
LONGEST = 4.0
"""The longest search, as a multiple of the usual time."""
LOOKS = (0.2, 0.6, 1.0)
"""When to check whether the search may end, in multiples of the usual time; the longest time is the last check."""
CLEAR_MARGIN = 1.5
"""At the first check, a move is clear if the next best is worse by more than this, in men."""
FALL = 0.2
"""A search has settled if its move is unchanged and its score has not fallen by more than this, in men."""


@dataclass(frozen=True, slots=True)
class RemainingTime:
    """What a player's clock shows before its move."""

    seconds: float
    """The time left."""
    increment: float = 0.0
    """Time added by every move."""
    moves: int | None = None
    """The number of moves that the time left is for; None for the rest of the game."""


@dataclass(frozen=True, slots=True)
class Allotment:
    """How long a move may be searched."""

    usual_seconds: float
    longest_seconds: float

    @property
    def looks(self) -> tuple[float, ...]:
        """The seconds after which to check whether the search may end; at the last check it does."""
        if self.usual_seconds < BRIEF_SECONDS:
            return (self.usual_seconds,)
        return (*(min(look * self.usual_seconds, self.longest_seconds) for look in LOOKS), self.longest_seconds)


def allot(clock: RemainingTime) -> Allotment:
    """The time for a move."""
    moves, most_moves = clock.moves or MOVES_TO_GO, clock.moves or LONG_GAME_MOVES
    spare = clock.seconds - RESERVE_SECONDS - most_moves * OVERHEAD_SECONDS
    sparing = clock.seconds / (2 * most_moves)  # the other half is for what moves cost besides their search
    usual = max((spare + (moves - 1) * clock.increment) / moves, sparing)
    longest = min(LONGEST * usual, max(spare if moves == 1 else spare / 2, sparing), MOST_SECONDS)
    longest = max(longest, LEAST_SECONDS)
    return Allotment(min(max(usual, LEAST_SECONDS), longest), longest)


def may_end(results: Sequence[SearchResult]) -> bool:
    """Whether the results at the checks so far allow the search to end before its longest time."""
    *earlier, last = results
    if last.plies_to_end is not None:
        return True
    if not earlier:
        return len(last.lines) > 1 and last.lines[0].score - last.lines[1].score > CLEAR_MARGIN
    return last.move == earlier[-1].move and last.score >= earlier[-1].score - FALL
