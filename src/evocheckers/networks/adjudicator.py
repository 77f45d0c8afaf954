"""The adjudicator plays out unfinished games: piece counting that knows how to finish, with an endgame database.

The papers had unfinished games played out by a strong program with an endgame database. The adjudicator has knowledge
that players here never get: to run for the crowning row, to trade when ahead, and the exact value of positions with
few pieces. No player in evolution or in a claim of strength uses it.

It must value every leaf from the point of view of the side to move, since a database's values are the mover's.
"""

import numpy as np

from evocheckers.endgames.index import LOSS, UNKNOWN, WIN, is_table, probe_packed
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, as_words, f32, i64, offset, popcount, u32
from evocheckers.networks.kind import EvaluatorKind
from evocheckers.networks.piece_counting import input_sum

KING_VALUE = f32(1.5)
ADVANCE = f32(0.02)
"""The value of a man's step towards its crowning row."""
TRADE = f32(8)
"""A lead is multiplied by 1 + TRADE / pieces, so that the side ahead trades."""
DECIDED = f32(1000)
"""The value of a win in the database, to which the evaluation is added."""
TABLE_AT = 16
"""The offset of the database; the words before it are unused, so that it starts on a cache line."""


def pack(table: np.ndarray) -> np.ndarray:
    """A database's words as an evaluator's numbers."""
    return np.concatenate([np.zeros(TABLE_AT, np.uint32), table]).view(np.float32)


@inner
def _advance(men: u32, opp_men: u32) -> int:
    """The rows that own men have advanced, less those of the opponent's men."""
    total = 0
    for row in range(8):
        mask = u32(u32(0xF) << u32(4 * row))
        total += row * i64(popcount(u32(men & mask))) - (7 - row) * i64(popcount(u32(opp_men & mask)))
    return total


@inner
def evaluate(weights: Pointer, own: u32, opp: u32, kings: u32) -> f32:
    """The value to the side to move, which is the viewer."""
    lead = input_sum(KING_VALUE, own, opp, kings)
    pieces = f32(popcount(u32(own | opp)))
    value = lead * (f32(1) + TRADE / pieces) + ADVANCE * f32(_advance(u32(own & ~kings), u32(opp & ~kings)))
    known = probe_packed(as_words(offset(weights, TABLE_AT)), own, opp, kings)
    if known == UNKNOWN:
        return value
    if known == WIN:
        return DECIDED + value
    return value - DECIDED if known == LOSS else f32(0)


def is_packed(packed: np.ndarray) -> bool:
    """Whether a vector is a packed database."""
    return packed.size > TABLE_AT and is_table(packed[TABLE_AT:].view(np.uint32))


ADJUDICATOR = EvaluatorKind(evaluate, numbers=is_packed)
