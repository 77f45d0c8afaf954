"""Adam (Kingma and Ba 2015), bit-identical everywhere: only IEEE arithmetic, powers by multiplication."""

from dataclasses import dataclass

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32
from evocheckers.networks.gradient_layout import LearningError

_TINY = f32(1e-8)


@dataclass(frozen=True, slots=True)
class Rates:
    """The settings of Adam."""

    rate: float = 0.002
    """The learning rate: roughly the most that a step moves a number."""
    momentum: float = 0.9
    """β1: the decay of the mean gradient."""
    second_momentum: float = 0.999
    """β2: the decay of the mean squared gradient."""

    def __post_init__(self) -> None:
        if not (self.rate > 0 and np.isfinite(self.rate)):
            raise LearningError(f"the rate of learning is {self.rate}, not above 0")
        if not (0 <= self.momentum < 1 and 0 <= self.second_momentum < 1):
            raise LearningError(f"momenta are {self.momentum} and {self.second_momentum}, not from 0 to below 1")

    def powers(self, steps: int) -> tuple[float, float]:
        """Both momenta to the power of ``steps``."""
        first, second = 1.0, 1.0
        for _ in range(steps):
            first, second = first * self.momentum, second * self.second_momentum
        return first, second


@inner
def adam_step(
    first: int,
    end: int,
    gradient: np.ndarray,
    rate: float,
    momenta: tuple[float, float],
    powers: tuple[float, float],
    numbers: np.ndarray,
    mean: np.ndarray,
    square: np.ndarray,
) -> None:
    """Update the numbers from ``first`` to ``end``; ``powers`` are those of this step, counted from one."""
    keep, second_keep = f32(momenta[0]), f32(momenta[1])
    take, second_take = f32(1.0 - momenta[0]), f32(1.0 - momenta[1])
    correction, second_correction = f32(1.0 / (1.0 - powers[0])), f32(1.0 / (1.0 - powers[1]))
    step = f32(rate)
    for i in range(first, end):
        slope = f32(gradient[i])
        mean[i] = keep * mean[i] + take * slope
        square[i] = second_keep * square[i] + second_take * (slope * slope)
        numbers[i] -= step * (mean[i] * correction) / (np.sqrt(square[i] * second_correction) + _TINY)
