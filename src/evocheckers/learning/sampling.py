"""Sampling the positions of a step: by hashes of the step and the index in its batch, so that no state is needed."""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import i64, u64
from evocheckers.native.randomness import mix, uniform

_WHOSE = u64(1)
"""Separates the random number that decides between own and all positions from the one that selects a position."""


@inner
def sample_block(
    seed: u64, step: int, first: int, own: np.ndarray, total: int, social_share: float, picked: np.ndarray
) -> None:
    """Sample a step's batch from index ``first`` on: a ``social_share`` from all ``total``, the rest from ``own``.

    An empty ``own`` means all.
    """
    key = mix(seed, u64(step))
    for i in range(picked.size):
        number = mix(key, u64(first + i))
        if own.size == 0 or (social_share > 0.0 and uniform(mix(number, _WHOSE)) < social_share):
            picked[i] = i64(number % u64(total))
        else:
            picked[i] = i64(own[number % u64(own.size)])
