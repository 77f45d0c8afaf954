"""Numbers as a network plays with them: some kinds clip and round them when they are packed.

Learning computes values and derivatives with the rounded numbers and updates the exact ones (the straight-through
estimator), so that the loss is that of the network that will play.
"""

from typing import Any

import numpy as np

from evocheckers.learning.shape import Plan
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import f32


@inner
def round_numbers(plan: Plan, first: int, end: int, numbers: np.ndarray, rounded: np.ndarray) -> None:
    """Clip the numbers from ``first`` to ``end`` and round them into another array, if the kind does so."""
    if plan.grids.size == 0:
        return
    for i in range(first, end):
        numbers[i] = min(max(numbers[i], -plan.limits[i]), plan.limits[i])
        steps = plan.grids[i]
        rounded[i] = f32(np.rint(numbers[i] * steps)) / steps if steps > f32(0) else numbers[i]


@entry
def round_all(plan: Any, numbers: np.ndarray, rounded: np.ndarray) -> None:
    """The same for all numbers."""
    round_numbers(plan, 0, numbers.size, numbers, rounded)
