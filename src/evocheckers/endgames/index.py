"""The index of a position in a table of all positions with few pieces.

The slices
    A slice holds all positions with the same numbers of own men, own kings, opponent's men and opponent's kings, each
    side with at least one piece, from the view of the side to move. The index within a slice has four digits: the rank
    of the own men among the 28 squares that men can stand on, that of the opponent's men among theirs, that of the own
    kings among the squares that the men leave free, and that of the opponent's kings among the rest. If men of both
    sides share a square, the entry is invalid; nothing else is wasted. Ranks are those of the combinatorial number
    system.

    Slices are stored in the order in which they can be solved: by pieces, then by men. Each slice is followed by its
    partner, the slice with the sides exchanged, to which moves lead. So a table begins with the tables of fewer pieces.

The table
    One array of 32-bit words: the number of pieces, the binomial coefficients, the first word of every slice, and from
    word ``HEADER`` on the values, two bits each, sixteen to a word. Every slice begins with a new word.

Errors in endgame databases.

EndgameError
├── EndgameFileError
└── DataFolderError
"""

from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, i64, lowest_bit_index, popcount, u32


class EndgameError(EvocheckersError):
    """An impossible database: too many pieces, or numbers that do not form a table."""


class EndgameFileError(EndgameError):
    """A file that cannot be read or written as a database; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str) -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"endgame file {path}: {fault}")


class DataFolderError(EndgameError):
    """A folder for databases that cannot be used; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str, advice: str = "") -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"data folder {path}: {fault}" + (f"; {advice}" if advice else ""))


DRAW, WIN, LOSS, UNKNOWN = range(4)
"""Values to the side to move; UNKNOWN marks invalid entries and positions that a table does not hold."""

MIN_PIECES, MAX_PIECES = 2, 6
MEN_SQUARES = 28
VALUES_PER_WORD = 16

PIECES_AT, BINOMIALS_AT, SLICES_AT, HEADER = 0, 16, 288, 288 + 8**4
"""Offsets in the table."""

_MOST_TAKEN = 8
"""Binomial coefficients are tabulated for fewer chosen elements than this."""
FIRST_ROW, LAST_ROW = u32(0x0000000F), u32(0xF0000000)
_ZERO, _ONE = u32(0), u32(1)


class Slice(NamedTuple):
    """The positions with given numbers of pieces of each kind."""

    own_men: int
    own_kings: int
    opp_men: int
    opp_kings: int

    @property
    def number(self) -> int:
        """Its index among the slices' first words; ``slice_number`` is the same in compiled code."""
        return ((self.own_men * 8 + self.own_kings) * 8 + self.opp_men) * 8 + self.opp_kings

    @property
    def size(self) -> int:
        """The number of its entries, including invalid ones."""
        free = 32 - self.own_men - self.opp_men
        men = comb(MEN_SQUARES, self.own_men) * comb(MEN_SQUARES, self.opp_men)
        return men * comb(free, self.own_kings) * comb(free - self.own_kings, self.opp_kings)

    @property
    def words(self) -> int:
        """The number of words that its values take."""
        return -(-self.size // VALUES_PER_WORD)

    @property
    def partner(self) -> "Slice":
        """The same pieces with the sides exchanged."""
        return Slice(self.opp_men, self.opp_kings, self.own_men, self.own_kings)

    def __str__(self) -> str:
        return f"{self.own_men}+{self.own_kings}K against {self.opp_men}+{self.opp_kings}K"


class Group(NamedTuple):
    """Slices that are solved together, since moves lead back and forth between them."""

    pieces: int
    slices: tuple[Slice, ...]
    """A slice and its partner, or a single slice that is its own partner."""
    first_word: int
    """The first word of its values, counted from ``HEADER``."""

    @property
    def words(self) -> int:
        return sum(part.words for part in self.slices)


def check_pieces(pieces: int) -> None:
    """Reject a number of pieces that no table has."""
    if not MIN_PIECES <= pieces <= MAX_PIECES:
        raise EndgameError(f"an endgame database of {pieces} pieces; it has {MIN_PIECES} to {MAX_PIECES}")


def groups(pieces: int) -> Iterator[Group]:
    """All groups with up to ``pieces`` pieces, in the order of the table."""
    at = 0
    for total in range(MIN_PIECES, pieces + 1):
        for first in sorted(_slices(total), key=lambda part: (part.own_men + part.opp_men, part)):
            if first <= first.partner:
                group = Group(total, (first,) if first == first.partner else (first, first.partner), at)
                yield group
                at += group.words


def _slices(total: int) -> Iterator[Slice]:
    for own in range(1, total):
        for own_men in range(own + 1):
            for opp_men in range(total - own + 1):
                yield Slice(own_men, own - own_men, opp_men, total - own - opp_men)


def value_words(pieces: int) -> int:
    """The number of words of values in a table."""
    return sum(group.words for group in groups(pieces))


def one_sided(pieces: int) -> int:
    """The number of positions with ``pieces`` pieces, all of one colour, either one; they belong to no slice."""
    return 2 * sum(comb(MEN_SQUARES, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


def header(pieces: int) -> np.ndarray:
    """The table up to its values."""
    words = np.zeros(HEADER, np.uint32)
    words[PIECES_AT] = pieces
    for n in range(33):
        for k in range(_MOST_TAKEN):
            words[BINOMIALS_AT + n * _MOST_TAKEN + k] = comb(n, k)
    for group in groups(pieces):
        at = group.first_word
        for part in group.slices:
            words[SLICES_AT + part.number] = at
            at += part.words
    return words


def is_table(words: np.ndarray) -> bool:
    """Whether an array is a table of values with its header, so that compiled code may read it."""
    if words.size <= HEADER or not MIN_PIECES <= words[PIECES_AT] <= MAX_PIECES:
        return False
    pieces = int(words[PIECES_AT])
    return words.size == HEADER + value_words(pieces) and np.array_equal(words[:HEADER], header(pieces))


@inner
def _binomial(table: Pointer, n: int, k: int) -> int:
    return i64(table[BINOMIALS_AT + n * _MOST_TAKEN + k])


@inner
def _rank(table: Pointer, bits: u32, free: u32) -> int:
    """The rank of a set of squares among all sets of that size within ``free``."""
    rank = i64(0)
    k = i64(1)
    while bits != _ZERO:
        below = u32((bits & (~bits + _ONE)) - _ONE)
        rank += _binomial(table, i64(popcount(u32(free & below))), k)
        bits = u32(bits & (bits - _ONE))
        k += 1
    return rank


@inner
def _rank_men(table: Pointer, bits: u32) -> int:
    """As ``_rank``, with every square free."""
    rank = i64(0)
    k = i64(1)
    while bits != _ZERO:
        rank += _binomial(table, i64(lowest_bit_index(bits)), k)
        bits = u32(bits & (bits - _ONE))
        k += 1
    return rank


@inner
def _unrank(table: Pointer, rank: int, count: int, free: u32, squares: int) -> u32:
    """The set of ``count`` squares with a given rank among ``free``, which has ``squares`` squares."""
    bits = _ZERO
    place = squares
    for k in range(count, 0, -1):
        place -= 1
        while _binomial(table, place, k) > rank:
            place -= 1
        rank -= _binomial(table, place, k)
        above = free
        for _ in range(place):
            above = u32(above & (above - _ONE))
        bits = u32(bits | (above & (~above + _ONE)))
    return bits


@inner
def slice_number(own_men: int, own_kings: int, opp_men: int, opp_kings: int) -> int:
    """The index of a slice among the slices' first words."""
    return ((own_men * 8 + own_kings) * 8 + opp_men) * 8 + opp_kings


@inner
def position_index(table: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The entry of a position among all values; both sides must have pieces, together no more than the table covers."""
    own_men, own_kings = u32(own & ~kings), u32(own & kings)
    opp_men, opp_kings = u32(opp & ~kings), u32(opp & kings)
    m1, k1 = i64(popcount(own_men)), i64(popcount(own_kings))
    m2, k2 = i64(popcount(opp_men)), i64(popcount(opp_kings))
    index = i64(0)
    if m1 > 0:
        index = _rank_men(table, own_men)
    if m2 > 0:
        index = index * _binomial(table, MEN_SQUARES, m2) + _rank_men(table, u32(opp_men >> u32(4)))
    free = u32(~(own_men | opp_men))
    squares = 32 - m1 - m2
    if k1 > 0:
        index = index * _binomial(table, squares, k1) + _rank(table, own_kings, free)
    if k2 > 0:
        index = index * _binomial(table, squares - k1, k2) + _rank(table, opp_kings, u32(free & ~own_kings))
    return i64(table[SLICES_AT + slice_number(m1, k1, m2, k2)]) * VALUES_PER_WORD + index


@inner
def position_at(table: Pointer, m1: int, k1: int, m2: int, k2: int, index: int) -> tuple[u32, u32, u32, bool]:
    """The position of an entry, and whether it is valid.

    The slice has ``m1`` own men, ``k1`` own kings, ``m2`` opposing men and ``k2`` opposing kings; ``index`` counts from
    its first entry.
    """
    squares = 32 - m1 - m2
    sets = _binomial(table, squares - k1, k2)
    rest, opp_king_rank = index // sets, index % sets
    sets = _binomial(table, squares, k1)
    rest, own_king_rank = rest // sets, rest % sets
    sets = _binomial(table, MEN_SQUARES, m2)
    own_men = _unrank(table, rest // sets, m1, u32(~LAST_ROW), MEN_SQUARES)
    opp_men = _unrank(table, rest % sets, m2, u32(~FIRST_ROW), MEN_SQUARES)
    if (own_men & opp_men) != _ZERO:
        return own_men, opp_men, _ZERO, False
    free = u32(~(own_men | opp_men))
    own_kings = _unrank(table, own_king_rank, k1, free, squares)
    opp_kings = _unrank(table, opp_king_rank, k2, u32(free & ~own_kings), squares - k1)
    return u32(own_men | own_kings), u32(opp_men | opp_kings), u32(own_kings | opp_kings), True


@inner
def probe_packed(table: Pointer, own: u32, opp: u32, kings: u32) -> int:
    """The value of a position to the side to move.

    UNKNOWN for more pieces than the table holds, or with an uncrowned man on its last row.
    """
    if own == _ZERO:
        return LOSS
    if opp == _ZERO:
        return WIN
    uncrowned = u32(((own & LAST_ROW) | (opp & FIRST_ROW)) & ~kings)
    if popcount(u32(own | opp)) > table[PIECES_AT] or uncrowned != _ZERO:
        return UNKNOWN
    entry = position_index(table, own, opp, kings)
    return i64(table[HEADER + entry // VALUES_PER_WORD] >> u32(2 * (entry % VALUES_PER_WORD))) & 3
