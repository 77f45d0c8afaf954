"""What the selective search knows about a position without searching it: its evaluation, a repetition, a database."""

from evocheckers.endgames import index
from evocheckers.endgames.distances import DRAWN, probe_distance
from evocheckers.endgames.index import probe_packed
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, float_bits, float_from_bits, i64, offset, popcount, u32, u64
from evocheckers.search.leaves import bound_by_pieces, evaluate_leaf
from evocheckers.search.selective.state import SelectiveState
from evocheckers.search.selective.table import leaf_place
from evocheckers.search.values import KNOWN, WIN

UNKNOWN, VALUE, WINNER = range(3)
"""What a database may know: nothing, the value, or who wins, but not how soon."""


@inner
def leaf_value(s: SelectiveState, own: u32, opp: u32, kings: u32, key: u64, ply: int, alpha: f32, beta: f32) -> f32:
    """The evaluation for the side to move, exact within the window; evaluations are cached."""
    is_outside, value = bound_by_pieces(s, own, opp, kings, ply, alpha, beta)
    if is_outside:
        return value
    place = leaf_place(s, key)
    bits = place[1]
    if u64(place[0] ^ bits) == key:
        return float_from_bits(u32(bits))
    value = evaluate_leaf(s, own, opp, kings, ply)
    bits = u64(float_bits(value))
    place[0], place[1] = u64(key ^ bits), bits
    return value


@inner
def in_database(s: SelectiveState, own: u32, opp: u32, kings: u32, ply: int) -> tuple[int, f32]:
    """What the databases know about a position (``UNKNOWN``, ``VALUE`` or ``WINNER``), and its value."""
    pieces = i64(popcount(u32(own | opp)))
    endgames = s.endgames
    if pieces <= endgames.distances_pieces:
        entry = probe_distance(endgames.header, endgames.distances, own, opp, kings)
        if entry == DRAWN:
            return VALUE, f32(0)
        end = WIN - f32(ply + entry - 1)
        return VALUE, end if entry % 2 == 0 else -end
    if pieces <= endgames.values_pieces:
        found = probe_packed(endgames.values, own, opp, kings)
        if found == index.DRAW:
            return VALUE, f32(0)
        if found != index.UNKNOWN:
            return WINNER, KNOWN if found == index.WIN else -KNOWN
    return UNKNOWN, f32(0)


@inner
def is_repeated(s: SelectiveState, key: u64, ply: int, reversible: int) -> bool:
    """Whether a position has occurred before, in the game or on the line, since the last irreversible move."""
    path = offset(s.path, s.path_start + ply)
    for back in range(4, reversible + 1, 2):  # noqa: SIM110 - compiled
        if path[-back] == key:
            return True
    return False
