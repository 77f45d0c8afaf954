"""What both searches' transposition tables have in common: kinds of bound, and the mixing of a position's bits."""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, u32, u64

EXACT, AT_LEAST, AT_MOST = range(3)
"""What a stored value is: the value itself, or a bound on it from below or above."""


@inner
def kind_of_bound(value: f32, alpha: f32, beta: f32) -> int:
    """What a value found with this window is."""
    if value >= beta:
        return AT_LEAST
    return AT_MOST if value <= alpha else EXACT


@inner
def settles(bound: int, value: f32, alpha: f32, beta: f32) -> bool:
    """Whether a value that is known as this kind of bound settles the search within the window."""
    if bound == EXACT:
        return True
    return bool(value >= beta) if bound == AT_LEAST else bool(value <= alpha)


@inner
def mixed(own: u32, opp: u32, kings: u32) -> u64:
    """The bits of a position, mixed; each table turns them into a hash of its own."""
    h = u64((u64(own) | (u64(opp) << u64(32))) * u64(0x9E3779B97F4A7C15))
    return u64((h ^ (h >> u64(32))) + u64(kings) * u64(0xBF58476D1CE4E5B9))
