"""The selective search's transposition table, which its threads share without locks.

A bucket is a cache line of four entries. An entry is two 64-bit words: the position's hash xor the data, and the data.
If two threads have written one half each, the words do not match, and the entry counts as empty. A second table holds
the values of leaves, built in the same way with one entry per slot.

The hash covers the position, the game and everything the evaluator's view depends on, so that entries of other games
are simply not found. The shallowest and oldest entries are replaced first.
"""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, float_bits, float_from_bits, i64, offset, u32, u64
from evocheckers.search.selective.state import SelectiveState
from evocheckers.search.table import mixed, settles
from evocheckers.search.values import from_here, from_root

ENTRY_WORDS, BUCKET_ENTRIES = 2, 4
BUCKET_WORDS = ENTRY_WORDS * BUCKET_ENTRIES
AGES = 8
"""Searches are numbered modulo this."""
_AGE_WEIGHT = 8
"""Each search of age counts as this many plies less."""

_CODE_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT, _EXTENSIONS_SHIFT, _AGE_SHIFT = (
    u64(32),
    u64(48),
    u64(55),
    u64(57),
    u64(61),
)
"""Bit offsets in the data; the value's bits come first."""
CODE_BITS = u32(0xFFFF)
"""The part of a move's code that the table keeps: enough to distinguish a position's moves, except long captures."""
NONE = u64(0)
"""No entry: the data of one are never 0, since some plies remained."""


@inner
def hash_of(s: SelectiveState, own: u32, opp: u32, kings: u32, ply: int) -> u64:
    """A position's hash."""
    h = u64(mixed(own, opp, kings) + u64(ply & s.sided))
    h = u64((h ^ s.game) * u64(0x94D049BB133111EB))
    return u64(h ^ (h >> u64(31)))


@inner
def _bucket_of(s: SelectiveState, key: u64) -> Pointer:
    """The bucket of a position."""
    return offset(s.table, i64((key >> u64(24)) & u64(s.table_mask)) * BUCKET_WORDS)


@inner
def find(s: SelectiveState, key: u64) -> u64:
    """The data of a position, or 0."""
    bucket = _bucket_of(s, key)
    for at in range(0, BUCKET_WORDS, ENTRY_WORDS):
        data = bucket[at + 1]
        if u64(bucket[at] ^ data) == key:
            return data
    return NONE


@inner
def code_in(data: u64) -> u32:
    """The best move's code, cut to ``CODE_BITS``."""
    return u32((data >> _CODE_SHIFT) & u64(CODE_BITS))


@inner
def depth_in(data: u64) -> int:
    """The plies that remained when the position was searched."""
    return i64((data >> _DEPTH_SHIFT) & u64(127))


@inner
def bound_in(data: u64) -> int:
    """The kind of bound: ``EXACT``, ``AT_LEAST`` or ``AT_MOST``."""
    return i64((data >> _BOUND_SHIFT) & u64(3))


@inner
def extensions_in(data: u64) -> int:
    """The extensions that remained."""
    return i64((data >> _EXTENSIONS_SHIFT) & u64(15))


@inner
def value_in(data: u64, ply: int) -> f32:
    """The value, with plies to a win counted from the root."""
    return from_root(float_from_bits(u32(data & u64(0xFFFFFFFF))), ply)


@inner
def answers(data: u64, depth: int, extensions: int, is_exact: bool, value: f32, alpha: f32, beta: f32) -> bool:
    """Whether an entry's value settles the search of a position within this window."""
    if is_exact:
        if depth_in(data) != depth or extensions_in(data) != extensions:
            return False
    elif depth_in(data) < depth:
        return False
    return settles(bound_in(data), value, alpha, beta)


@inner
def keep(s: SelectiveState, key: u64, depth: int, extensions: int, bound: int, code: u32, value: f32, ply: int) -> None:
    """Overwrite the position's own entry, or the least valuable one of its bucket."""
    bucket = _bucket_of(s, key)
    place, least = 0, i64(1) << 40
    for at in range(0, BUCKET_WORDS, ENTRY_WORDS):
        data = bucket[at + 1]
        if u64(bucket[at] ^ data) == key:
            place = at
            if code == u32(0):
                code = code_in(data)
            break
        worth = i64(-1)
        if data != NONE:
            searches_ago = (s.age - i64(data >> _AGE_SHIFT)) & (AGES - 1)
            worth = depth_in(data) + _AGE_WEIGHT * (AGES - searches_ago)
        if worth < least:
            place, least = at, worth
    data = u64(
        u64(float_bits(from_here(value, ply)))
        | (u64(code & CODE_BITS) << _CODE_SHIFT)
        | (u64(depth) << _DEPTH_SHIFT)
        | (u64(bound) << _BOUND_SHIFT)
        | (u64(extensions) << _EXTENSIONS_SHIFT)
        | (u64(s.age) << _AGE_SHIFT)
    )
    bucket[place] = u64(key ^ data)
    bucket[place + 1] = data


@inner
def leaf_place(s: SelectiveState, key: u64) -> Pointer:
    """The slot of a leaf's value, which holds its hash xor the value's bits, and the value's bits."""
    return offset(s.leaves, i64((key >> u64(24)) & u64(s.leaves_mask)) * ENTRY_WORDS)
