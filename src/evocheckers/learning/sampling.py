"""Which positions a step learns from: hashes of the step and the place in its batch, so that nothing is remembered."""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import i64, u64
from evocheckers.native.randomness import mix, uniform

_WHOSE = u64(1)
"""Sets the number that decides between own and all positions apart from the one that picks."""


@inner
def sample_block(
    seed: u64, step: int, first: int, own: np.ndarray, total: int, social_share: float, picked: np.ndarray
) -> None:
    """Pick positions for places ``first`` on of a step's batch: out of ``own`` or, by a share, of all ``total``.

    An empty ``own`` means all.
    """
    key = mix(seed, u64(step))
    for i in range(picked.size):
        number = mix(key, u64(first + i))
        if own.size == 0 or (social_share > 0.0 and uniform(mix(number, _WHOSE)) < social_share):
            picked[i] = i64(number % u64(total))
        else:
            picked[i] = i64(own[number % u64(own.size)])
