"""The exact search's transposition table: positions searched before, and leaves evaluated before.

An entry is used only for the same remaining plies and extensions, so its value is the one that a search would find. It
belongs to one player's searches in one game, distinguished by age; plies to a win count from its position.
"""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, float_bits, float_from_bits, i64, offset, u32, u64
from evocheckers.search.exact.state import ExactState
from evocheckers.search.table import mixed, settles
from evocheckers.search.values import from_here, from_root

ENTRY = 8
"""Words of an entry: own, opp, kings, what was searched, the best move's code, the value; two spare."""
AGES = 1 << 18
LEAF_DEPTH = 127
"""Replaces the depth if the value is an evaluation."""

EXTENSION_SHIFT, BOUND_SHIFT, SIDE_SHIFT, AGE_SHIFT = 7, 11, 13, 14
"""Bit offsets in the word that describes what was searched; the depth comes first."""
_BOUND_BITS = u32(3 << BOUND_SHIFT)
_SIDE_AND_AGE = u32(0xFFFFFFFF ^ ((1 << SIDE_SHIFT) - 1))


@inner
def entry_of(s: ExactState, own: u32, opp: u32, kings: u32) -> Pointer:
    """The table's entry for a position."""
    h = u64(mixed(own, opp, kings) * u64(0x94D049BB133111EB))
    return offset(s.table, i64((h >> u64(32)) & u64(s.table_mask)) * ENTRY)


@inner
def what_was_searched(s: ExactState, depth: int, extensions: int, bound: int, ply: int) -> u32:
    """Depth, extensions, bound, side to move and age, in one word."""
    low = depth | (extensions << EXTENSION_SHIFT) | (bound << BOUND_SHIFT) | ((ply & 1) << SIDE_SHIFT)
    return u32(u32(low) | u32(s.table_age << u32(AGE_SHIFT)))


@inner
def holds(entry: Pointer, own: u32, opp: u32, kings: u32) -> bool:
    """Whether an entry holds this position, from the view of its side to move."""
    return entry[0] == own and entry[1] == opp and entry[2] == kings


@inner
def is_same_player(entry: Pointer, wanted: u32) -> bool:
    """Whether an entry has this age and side, whatever its depth: its best move is a good guess."""
    return ((entry[3] ^ wanted) & _SIDE_AND_AGE) == u32(0)


@inner
def answers(entry: Pointer, wanted: u32, value: f32, alpha: f32, beta: f32) -> bool:
    """Whether an entry's value settles the search within this window."""
    if ((entry[3] ^ wanted) & ~_BOUND_BITS) != u32(0):
        return False
    return settles(i64((entry[3] >> u32(BOUND_SHIFT)) & u32(3)), value, alpha, beta)


@inner
def value_of(entry: Pointer, ply: int) -> f32:
    """An entry's value, with plies to a win counted from the root."""
    return from_root(float_from_bits(entry[5]), ply)


@inner
def write(entry: Pointer, own: u32, opp: u32, kings: u32, searched: u32, code: u32, value: f32, ply: int) -> None:
    """Write an entry, replacing the old one."""
    entry[0], entry[1], entry[2], entry[3], entry[4] = own, opp, kings, searched, code
    entry[5] = float_bits(from_here(value, ply))
