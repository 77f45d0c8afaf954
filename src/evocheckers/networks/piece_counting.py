"""Piece differential: men count one, kings K. With K = 1.5 it is the papers' control player, which has two readings.

Without noise it chooses at random among equal root moves. With noise ("random variation in evaluating moves"), every
leaf gets its own offset between -noise and +noise, a hash of the position and a salt. That also breaks ties inside the
tree, which makes the player stronger.
"""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, fma, i64, popcount, u32, u64
from evocheckers.native.randomness import mix
from evocheckers.networks.kind import EvaluatorKind, GpuCode

KING_VALUE = 1.5
NUMBERS = 2
"""K and the amplitude of the noise."""


@inner
def input_sum(king_value: f32, own: u32, opp: u32, kings: u32) -> f32:
    """Men count one, kings K, the opponent's negative."""
    men = i64(popcount(u32(own & ~kings))) - i64(popcount(u32(opp & ~kings)))
    crowned = i64(popcount(u32(own & kings))) - i64(popcount(u32(opp & kings)))
    return fma(king_value, f32(crowned), f32(men))


@inner
def evaluate(weights: Pointer, own: u32, opp: u32, kings: u32, salt: u64) -> f32:
    """The differential from the viewer's point of view, with noise if any."""
    total = input_sum(weights[0], own, opp, kings)
    if weights[1] == f32(0):
        return total
    h = mix(mix(u64(own) | (u64(opp) << u64(32)), u64(kings)), salt)
    unit = f32(h >> u64(40)) * f32(2.0**-23) - f32(1)
    return fma(weights[1], unit, total)


def is_packed(packed: np.ndarray) -> bool:
    """Whether a vector is a K and the amplitude of the noise."""
    return packed.size == NUMBERS and bool(np.isfinite(packed).all())


PIECE_COUNTING = EvaluatorKind(evaluate, numbers=is_packed, gpu=GpuCode("piece_counting", "networks/piece_counting.h"))
