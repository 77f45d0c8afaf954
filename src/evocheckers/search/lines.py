"""The expected play as both searches store it: for each ply its length, then the codes of its moves."""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import i64, offset, u32
from evocheckers.search.playing_state import AnyState
from evocheckers.search.state import LINE


@inner
def extend_line(s: AnyState, ply: int, code: u32) -> None:
    """Set the expected play at ``ply`` to this move, followed by the expected play at the next ply."""
    line, rest = offset(s.lines, ply * LINE), offset(s.lines, (ply + 1) * LINE)
    line[1] = code
    for i in range(i64(rest[0])):
        line[2 + i] = rest[1 + i]
    line[0] = u32(rest[0] + u32(1))
