"""Training networks: steps of Adam on positions sampled from games.

Threads share the blocks of a step's batch, wait for each other, and each updates its own part of the numbers. If there
are more learners than threads, each thread takes whole learners. Neither changes a bit.

Some kinds clip and round their numbers when they are packed for play. For these, values and derivatives are computed
with the rounded numbers, and the exact ones are updated (the straight-through estimator), so that the loss is that of
the network that will play.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from evocheckers.learning.adam import Rates, adam_step
from evocheckers.learning.dataset import WORDS, sample_block
from evocheckers.learning.gradient import (
    BLOCK,
    LEARNING,
    BlockArrays,
    block_gradient,
    expect,
    layout_with,
    load_block,
    scale_of,
)
from evocheckers.native.barrier import create_barrier, wait_for_all
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import aligned, f32, fetch_and_increment, offset, pointer_to, u64
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.networks.gradient_layout import CompiledLayout, GradientLayout, LearningError
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Leaf, SearchRules


@inner
def round_numbers(layout: CompiledLayout, first: int, end: int, numbers: np.ndarray, rounded: np.ndarray) -> None:
    """Clip the numbers from ``first`` to ``end`` and round them into another array, if the kind does so."""
    if layout.grids.size == 0:
        return
    for i in range(first, end):
        numbers[i] = min(max(numbers[i], -layout.limits[i]), layout.limits[i])
        steps = layout.grids[i]
        rounded[i] = f32(np.rint(numbers[i] * steps)) / steps if steps > f32(0) else numbers[i]


@entry
def round_all(layout: Any, numbers: np.ndarray, rounded: np.ndarray) -> None:
    """The same for all numbers."""
    round_numbers(layout, 0, numbers.size, numbers, rounded)


KING_RANGE = (1.0, 3.0)
"""K stays within this range, as in the papers."""


@dataclass(frozen=True, eq=False)
class Learner:
    """A network's numbers and Adam's state."""

    kind: Kind
    numbers: np.ndarray
    """The flat vector, K if the kind has one, and the logarithm of the scale from values to results."""
    mean: np.ndarray
    square: np.ndarray
    steps: int = 0
    """The number of steps so far."""

    @classmethod
    def of(cls, network: Network, log_scale: float = 0.0) -> "Learner":
        """A fresh learner with a network's numbers."""
        king = [] if network.king_value is None else [network.king_value]
        numbers = np.append(network.weights, np.array([*king, log_scale], np.float32))
        return cls(network.kind, numbers, np.zeros_like(numbers), np.zeros_like(numbers))

    @property
    def layout(self) -> GradientLayout:
        """The layout shared by all learners of this kind and width."""
        return layout_with(self.kind, len(self.numbers))

    def network(self, **source: Any) -> Network:
        """The network as it is now. It values leaves for the side to move, since that is what it learns."""
        king_value = float(self.numbers[-2]) if self.layout.has_king_value else None
        weights = self.numbers[: self.layout.flat]
        return Network(self.kind, weights, king_value, SearchRules(leaf=Leaf.MOVER, extensions=0), source)


_ALL = np.empty(0, np.uint32)
"""Means all positions in compiled code."""


@dataclass(frozen=True, eq=False)
class TrainingTask:
    """One learner's task: a number of steps on batches of positions."""

    learner: Learner
    positions: np.ndarray
    """Rows as returned by ``positions_of``."""
    seed: int
    """Seed for the sampling of batches."""
    steps: int
    batch: int = 8192
    """Positions per step."""
    rates: Rates = field(default_factory=Rates)
    own: np.ndarray | None = None
    """The indices of the learner's own positions, as uint32; None means that all are its own."""
    social_share: float = 0.0
    """The share of positions sampled from all, not from its own."""
    trust: float = 0.0
    """The share of a target that is the learner's own expectation later in the game; the rest is the result."""
    ahead: int = 1
    """How many quiet positions later that expectation is taken."""
    king_range: tuple[float, float] = KING_RANGE

    def __post_init__(self) -> None:
        if self.learner.kind not in LEARNING:
            raise LearningError(f"{self.learner.kind.name} networks cannot learn")
        if self.positions.dtype != np.uint32 or self.positions.shape != (len(self.positions), WORDS):
            raise LearningError(f"positions are rows of {WORDS} words of 32 bits")
        if self.steps < 1 or self.batch < 1:
            raise LearningError(f"training of {self.steps} steps of {self.batch} positions")
        if not 0 <= self.social_share <= 1:
            raise LearningError(f"the social share is {self.social_share}, not from 0 to 1")
        if not 0 <= self.trust <= 1 or self.ahead < 1:
            raise LearningError(f"a trust of {self.trust} in what comes {self.ahead} positions later")
        if not len(self.positions) or (self.own is not None and not len(self.own) and self.social_share < 1):
            raise LearningError("there are no positions to learn from")
        if self.own is not None and (self.own.dtype != np.uint32 or self.own.max(initial=0) >= len(self.positions)):
            raise LearningError(f"own positions are numbers of 32 bits below {len(self.positions)}")


class _Shared(NamedTuple):
    """What the threads of one task share."""

    numbers: np.ndarray
    rounded: np.ndarray
    """The numbers as the network plays with them; the same array if nothing is rounded."""
    before: np.ndarray
    """The rounded numbers at the beginning."""
    mean: np.ndarray
    square: np.ndarray
    next_block: np.ndarray
    """One counter per step."""
    gradients: np.ndarray
    sums: np.ndarray
    losses: np.ndarray
    """The mean loss of each step."""
    arrivals: np.ndarray


@entry
def _train(
    layout: Any,
    shared: Any,
    arrays: Any,
    thread: int,
    threads: int,
    stop: np.ndarray,
    positions: np.ndarray,
    own: np.ndarray,
    social_share: float,
    trust: float,
    ahead: int,
    seed: u64,
    batch: int,
    rate: float,
    momenta: tuple[float, float],
    powers: tuple[float, float],
    king_range: tuple[float, float],
) -> None:
    """All steps of a task, run by one of its threads."""
    blocks, packed = shared.gradients.shape[0], shared.numbers.size
    part = -(-packed // (16 * threads)) * 16
    first, end = min(thread * part, packed), min((thread + 1) * part, packed)
    scale_before = scale_of(layout, shared.before)
    for step in range(shared.losses.size):
        powers = (powers[0] * momenta[0], powers[1] * momenta[1])
        scale = scale_of(layout, shared.rounded)
        while stop[0] == 0:
            block = fetch_and_increment(offset(pointer_to(shared.next_block), step))
            if block >= blocks:
                break
            sample_block(seed, step, block * BLOCK, own, positions.shape[0], social_share, arrays.picked)
            if trust > 0.0:
                expect(layout, arrays, shared.before, scale_before, positions, ahead)
            load_block(layout, arrays, positions, min(batch - block * BLOCK, BLOCK), f32(trust))
            block_gradient(layout, arrays, shared.rounded, scale, shared.gradients[block])
        if not wait_for_all(pointer_to(shared.arrivals), threads, pointer_to(stop)):
            return
        for i in range(first, end):
            shared.sums[i] = 0.0
        for block in range(blocks):
            row = shared.gradients[block]
            for i in range(first, end):
                shared.sums[i] += row[i]
        for i in range(first, end):
            shared.sums[i] /= batch
        adam_step(first, end, shared.sums, rate, momenta, powers, shared.numbers, shared.mean, shared.square)
        if first <= layout.king < end:
            shared.numbers[layout.king] = min(max(shared.numbers[layout.king], f32(king_range[0])), f32(king_range[1]))
        round_numbers(layout, first, end, shared.numbers, shared.rounded)
        if thread == 0:
            loss = 0.0
            for block in range(blocks):
                loss += shared.gradients[block, packed]
            shared.losses[step] = loss / batch
        if not wait_for_all(pointer_to(shared.arrivals), threads, pointer_to(stop)):
            return


def _shared_by(task: TrainingTask) -> _Shared:
    learner = task.learner
    layout = learner.layout
    numbers, mean, square = (
        np.ascontiguousarray(array[layout.all_places], np.float32)
        for array in (learner.numbers, learner.mean, learner.square)
    )
    rounded = numbers
    if layout.grids is not None:
        rounded = np.empty_like(numbers)
        round_all(layout.compiled, numbers, rounded)
    gradients = aligned((-(-task.batch // BLOCK), layout.gradient_length), np.float32)
    sums, losses = np.zeros(layout.gradient_length), np.zeros(task.steps)
    counts = np.zeros(task.steps, np.int64)
    return _Shared(numbers, rounded, rounded.copy(), mean, square, counts, gradients, sums, losses, create_barrier())


def _run_thread(
    task: TrainingTask, shared: _Shared, arrays: BlockArrays, thread: int, threads: int, stop: np.ndarray
) -> None:
    rates = task.rates
    _train(
        task.learner.layout.compiled,
        shared,
        arrays,
        thread,
        threads,
        stop,
        task.positions,
        _ALL if task.own is None else task.own,
        float(task.social_share),
        float(task.trust),
        task.ahead,
        u64(task.seed & (2**64 - 1)),
        task.batch,
        float(rates.rate),
        (float(rates.momentum), float(rates.second_momentum)),
        rates.powers(task.learner.steps),
        (float(task.king_range[0]), float(task.king_range[1])),
    )


def _outcome(task: TrainingTask, shared: _Shared) -> tuple[Learner, float]:
    before = task.learner
    layout = before.layout
    after = {}
    for name, packed in (("numbers", shared.numbers), ("mean", shared.mean), ("square", shared.square)):
        after[name] = getattr(before, name).copy()
        after[name][layout.all_places] = packed
    loss = 0.0
    for one in shared.losses.tolist():
        loss += one
    return replace(before, **after, steps=before.steps + task.steps), loss / task.steps


@entry
def _take(counter: np.ndarray) -> int:
    return fetch_and_increment(pointer_to(counter))


def _train_on(task: TrainingTask, threads: int) -> tuple[Learner, float]:
    """One task on several threads."""
    shared = _shared_by(task)
    crew = min(threads, len(shared.gradients))
    arrays = [BlockArrays.create(task.learner.layout) for _ in range(crew)]
    run_threads(lambda thread, _, stop: _run_thread(task, shared, arrays[thread], thread, crew, stop), crew)
    return _outcome(task, shared)


def train_all(tasks: Sequence[TrainingTask], threads: int | None = None) -> list[tuple[Learner, float]]:
    """Each learner after its task, and its mean loss; an interrupt is raised again as ``KeyboardInterrupt``."""
    count = thread_count(threads)
    outcomes: dict[int, tuple[Learner, float]] = {}
    alone = len(tasks) // count * count

    def take_whole(_: int, next_task: np.ndarray, stop: np.ndarray) -> None:
        while stop[0] == 0 and (number := _take(next_task)) < alone:
            task = tasks[number]
            shared = _shared_by(task)
            _run_thread(task, shared, BlockArrays.create(task.learner.layout), 0, 1, stop)
            outcomes[number] = _outcome(task, shared)

    if alone:
        run_threads(take_whole, count)
    for number in range(alone, len(tasks)):
        outcomes[number] = _train_on(tasks[number], count)
    return [outcomes[number] for number in range(len(tasks))]


def train(task: TrainingTask, threads: int | None = None) -> tuple[Learner, float]:
    """The learner after its task, and its mean loss; by default on as many threads as there are cores."""
    return train_all([task], threads)[0]
