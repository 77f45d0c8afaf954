"""What values mean in both searches: wins and losses, database wins, and the floats around a value.

Values are the side to move's. Between ±``DECIDED`` they are evaluations, or ``KNOWN`` plus one; beyond, a forced end.
"""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, float_bits, float_from_bits, u32

WIN = f32(1_000_000)
"""The value of an immediate win; each ply of delay costs one point."""
DECIDED = f32(999_000)
"""Beyond ± this a value is a forced win or loss."""
INFINITY = f32(2_000_000)
KNOWN = f32(500_000)
"""The value of a database win at an unknown distance, to which the evaluation is added."""
KNOWN_LEAST = f32(400_000)
"""Such positions are worth at least this; all that are not won are worth less."""


@inner
def just_below(x: f32) -> f32:
    """The next float towards minus infinity."""
    if x == f32(0):
        return float_from_bits(u32(0x80000001))
    bits = float_bits(x)
    return float_from_bits(u32(bits - u32(1)) if x > f32(0) else u32(bits + u32(1)))


@inner
def from_here(value: f32, ply: int) -> f32:
    """A value at ``ply``, with plies to a win counted from there instead of from the root."""
    if value > DECIDED:
        return value + f32(ply)
    return value - f32(ply) if value < -DECIDED else value


@inner
def from_root(value: f32, ply: int) -> f32:
    """The inverse of ``from_here``."""
    if value > DECIDED:
        return value - f32(ply)
    return value + f32(ply) if value < -DECIDED else value
