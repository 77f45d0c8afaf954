from itertools import combinations
from math import comb

import numba
import numpy as np
import pytest

from evocheckers.endgames.index import (
    HEADER,
    MEN_SQUARES,
    PIECES_AT,
    SLICES_AT,
    UNKNOWN,
    VALUES_PER_WORD,
    WIN,
    EndgameError,
    Slice,
    check_pieces,
    groups,
    header,
    one_sided,
    position_at,
    position_index,
    probe_packed,
    slice_number,
    value_words,
)
from evocheckers.endgames.retrograde import slice_rows
from evocheckers.native.intrinsics import pointer_to, popcount, u32
from tests.helpers.endgames import random_endgames

PUBLISHED = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232}
"""Positions by number of pieces, as the Chinook project gives them."""


@numba.njit
def _count_valid(table_words, rows, step, faults):
    """Go from index to position and back; ``faults`` gets what does not fit."""
    table = pointer_to(table_words)
    valid = 0
    for row in range(rows.shape[0]):
        m1, k1, m2, k2, first, size = rows[row]
        for index in range(0, size, step):
            own, opp, kings, good = position_at(table, m1, k1, m2, k2, index)
            if not good:
                continue
            valid += 1
            if position_index(table, own, opp, kings) != first + index:
                faults[0] += 1
            if (own & opp) != 0 or (kings & ~(own | opp)) != 0:
                faults[1] += 1
            if popcount(u32(own & ~kings)) != m1 or popcount(u32(own & kings)) != k1:
                faults[2] += 1
            if popcount(u32(opp & ~kings)) != m2 or popcount(u32(opp & kings)) != k2:
                faults[3] += 1
            if (own & ~kings & u32(0xF0000000)) != 0 or (opp & ~kings & u32(0xF)) != 0:
                faults[4] += 1
    return valid


@numba.njit
def _index(table_words, own, opp, kings):
    return position_index(pointer_to(table_words), own, opp, kings)


@numba.njit
def _probe(table_words, own, opp, kings):
    return probe_packed(pointer_to(table_words), own, opp, kings)


@numba.njit
def _slice_number(m1, k1, m2, k2):
    return slice_number(m1, k1, m2, k2)


def rows_of(pieces: int) -> np.ndarray:
    return np.concatenate([slice_rows(group) for group in groups(pieces) if group.pieces == pieces])


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_every_index_is_one_position(pieces):
    faults = np.zeros(5, np.int64)
    valid = _count_valid(header(pieces), rows_of(pieces), 1, faults)
    assert not faults.any()
    assert valid + one_sided(pieces) == PUBLISHED[pieces]


@pytest.mark.parametrize("pieces", [5, 6])
def test_sampled_indices_of_more_pieces(pieces):
    faults = np.zeros(5, np.int64)
    assert _count_valid(header(pieces), rows_of(pieces), 9973, faults) > 10_000
    assert not faults.any()


def test_the_number_of_five_piece_positions():
    """Without going through them: each slice less the entries where men of both sides share a square."""
    total = one_sided(5)
    for group in groups(5):
        for part in group.slices if group.pieces == 5 else ():
            free = 32 - part.own_men - part.opp_men
            kings = comb(free, part.own_kings) * comb(free - part.own_kings, part.opp_kings)
            total += _disjoint_men(part.own_men, part.opp_men) * kings
    assert total == PUBLISHED[5]


def _disjoint_men(own: int, opp: int) -> int:
    """Ways to place men of both sides, by how many own men stand on the 24 squares that both can stand on."""
    ways = 0
    for shared in range(own + 1):
        ways += comb(24, shared) * comb(4, own - shared) * comb(MEN_SQUARES - shared, opp)
    return ways


def test_a_single_piece():
    assert one_sided(1) == PUBLISHED[1]


def test_ranks_are_those_of_sorted_sets():
    """The combinatorial number system: sets in the order of their highest elements."""
    table = header(4)
    first = table[SLICES_AT + Slice(0, 3, 0, 1).number] * VALUES_PER_WORD
    squares = sorted(combinations(range(32), 3), key=lambda three: three[::-1])
    for rank, own in list(enumerate(squares))[::37]:
        word = sum(1 << square for square in own)
        others = [square for square in range(32) if square not in own]
        for place in (0, 11, 28):
            opp = 1 << others[place]
            assert _index(table, u32(word), u32(opp), u32(word | opp)) == first + rank * 29 + place


def test_slices_lie_one_after_the_other():
    at = 0
    seen = set()
    for group in groups(5):
        assert group.first_word == at
        assert group.slices[-1] == group.slices[0].partner
        for part in group.slices:
            assert header(5)[SLICES_AT + part.number] == at
            assert _slice_number(*part) == part.number
            assert part not in seen
            seen.add(part)
            at += part.words
    assert at == value_words(5)
    assert len(seen) == sum(
        1 for a in range(6) for b in range(6) for c in range(6) for d in range(6) if _fits(a, b, c, d)
    )


def _fits(a: int, b: int, c: int, d: int) -> bool:
    return a + b >= 1 and c + d >= 1 and a + b + c + d <= 5


def test_a_table_begins_with_the_smaller_ones():
    small, large = header(4), header(5)
    kept = small[SLICES_AT:] != 0
    assert (small[SLICES_AT:][kept] == large[SLICES_AT:][kept]).all()
    assert large[PIECES_AT] == 5


def test_what_a_table_does_not_hold(three):
    for board in random_endgames(50, 4, seed=1):
        assert _probe(three.packed, *map(u32, board.mover_words)) == UNKNOWN
    man_on_last_row = (u32(1 << 31), u32(1 << 5), u32(0))
    assert _probe(three.packed, *man_on_last_row) == UNKNOWN
    assert _probe(three.packed, u32(1 << 5), u32(1 << 2), u32(0)) == UNKNOWN
    assert _probe(three.packed, u32(0xFFF), u32(0), u32(0)) == WIN


@pytest.mark.parametrize("pieces", [-1, 0, 1, 7, 24])
def test_bad_numbers_of_pieces(pieces):
    with pytest.raises(EndgameError):
        check_pieces(pieces)


def test_the_header_fits():
    assert HEADER % VALUES_PER_WORD == 0
    assert len(header(6)) == HEADER
    assert value_words(6) < 2**32
