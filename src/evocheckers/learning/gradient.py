"""The gradient of a network's loss on positions: forward pass, backward pass, and sums over positions.

A block is 256 positions, four groups of 64. Each block's gradient is summed separately and the blocks are added in
order, so that the result does not depend on which thread took which block.
"""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.learning.dataset import GAME_SHIFT, LABEL_MASK, WHITE_BIT
from evocheckers.learning.loss import slopes_of_loss
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, f32, fma, offset, pointer_to, u32
from evocheckers.native.matrices import ROW, TILE, activate, clip, dots, multiply
from evocheckers.native.randomness import exp
from evocheckers.networks.gradient_layout import INPUTS, OUT, OUTPUTS, SLOPES, WEIGHTS, Plan, Shape, X
from evocheckers.networks.gradients import (
    add_first_gradient,
    add_inputs,
    begin_gradient,
    fill_inputs,
    first_layer,
    king_slopes,
    shape_with,
)
from evocheckers.networks.registry import Kind

GROUPS = 4
BLOCK = GROUPS * ROW
"""Positions in a block."""

_BOARDS = 3 * ROW


class Workspace(NamedTuple):
    """A thread's arrays for one block."""

    rows: np.ndarray
    boards: np.ndarray
    """Own, opp and kings of each group."""
    words: np.ndarray
    picked: np.ndarray
    """The indices of the block's positions."""
    expected: np.ndarray
    """The result expected for each position from a later one of its game; below 0 if there is no later one."""
    tile: np.ndarray

    @classmethod
    def create(cls, shape: Shape) -> "Workspace":
        """An empty workspace."""
        return cls(
            shape.create_rows(GROUPS, aligned(GROUPS * shape.plan.rows * ROW, np.float32)),
            aligned(GROUPS * _BOARDS, np.uint32),
            aligned(2 * ROW, np.uint32),
            aligned(BLOCK, np.int64),
            aligned(BLOCK, np.float32),
            aligned(TILE * TILE, np.float32),
        )


@inner
def _load_board(work: Any, i: int, positions: np.ndarray, at: int) -> None:
    boards = offset(pointer_to(work.boards), i // ROW * _BOARDS + i % ROW)
    for word in range(3):
        boards[word * ROW] = positions[at, word]


@inner
def load_block(plan: Plan, work: Any, positions: np.ndarray, count: int, trust: f32) -> None:
    """Copy the ``count`` sampled positions into place; padding up to a whole block does not count.

    Targets are the results, mixed with the expected results in the proportion ``trust``.
    """
    for i in range(BLOCK):
        at = work.picked[i if i < count else 0]
        _load_board(work, i, positions, at)
        values = offset(pointer_to(work.rows), (i // ROW * plan.rows + plan.value) * ROW + i % ROW)
        target = f32(0.5) * f32(positions[at, 3] & u32(LABEL_MASK))
        if trust > f32(0) and work.expected[i] >= f32(0):
            target += trust * (work.expected[i] - target)
        values[ROW] = target
        values[2 * ROW] = f32(1 if i < count else 0)


@inner
def _slopes_of_nodes(plan: Plan, nodes: Pointer, slopes: Pointer, count: int) -> None:
    """Convert derivatives by activation to derivatives by pre-activation."""
    if plan.clipped:
        for i in range(count):
            slopes[i] = slopes[i] if f32(0) < nodes[i] < f32(1) else f32(0)
    else:
        base, line = plan.slope_base, plan.slope_line
        for i in range(count):
            slopes[i] *= fma(nodes[i], line - nodes[i], base)


@inner
def _forwards(plan: Plan, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """The values of 64 positions."""
    fill_inputs(plan, numbers, boards, words, rows)
    last = plan.layers.shape[0] - 1
    for i in range(last + 1):
        layer = plan.layers[i]
        out, outputs = offset(rows, layer[OUT] * ROW), layer[OUTPUTS]
        if i == 0:
            first_layer(plan, numbers, boards, words, rows)
        else:
            weights = offset(numbers, layer[WEIGHTS])
            multiply(weights, outputs, 1, offset(rows, layer[X] * ROW), layer[INPUTS], out, outputs)
        if i < last and plan.clipped:
            clip(out, outputs)
        elif i < last:
            activate(out, outputs, plan.steep, plan.shift)
    add_inputs(plan, rows)


@inner
def _backwards(plan: Plan, numbers: Pointer, scale: f32, rows: Pointer) -> None:
    """The derivatives of the loss by every node."""
    slopes_of_loss(offset(rows, plan.value * ROW), scale, offset(rows, plan.result * ROW))
    for i in range(plan.layers.shape[0] - 1, 0, -1):
        layer, below = plan.layers[i], plan.layers[i - 1]
        outputs, nodes = layer[OUTPUTS], below[OUTPUTS]
        slopes = offset(rows, below[SLOPES] * ROW)
        weights = offset(numbers, layer[WEIGHTS])
        multiply(weights, 1, outputs, offset(rows, layer[SLOPES] * ROW), outputs, slopes, nodes)
        _slopes_of_nodes(plan, offset(rows, layer[X] * ROW), slopes, nodes * ROW)
    king_slopes(plan, numbers, rows)


@inner
def scale_of(plan: Plan, numbers: np.ndarray) -> f32:
    """The scale, stored among the numbers as its logarithm."""
    return f32(exp(np.float64(numbers[plan.scale])))


@inner
def expect(plan: Plan, work: Any, numbers: np.ndarray, scale: f32, positions: np.ndarray, ahead: int) -> None:
    """The result for each sampled position's side to move that the network expects ``ahead`` positions later."""
    for i in range(BLOCK):
        at = work.picked[i]
        later = at + ahead
        if later < positions.shape[0] and positions[later, 3] >> GAME_SHIFT == positions[at, 3] >> GAME_SHIFT:
            same_side = (positions[later, 3] ^ positions[at, 3]) & u32(WHITE_BIT) == 0
            work.expected[i] = f32(1 if same_side else 0)
            _load_board(work, i, positions, later)
        else:
            work.expected[i] = f32(-1)
            _load_board(work, i, positions, at)
    for group in range(GROUPS):
        rows = offset(pointer_to(work.rows), group * plan.rows * ROW)
        boards = offset(pointer_to(work.boards), group * _BOARDS)
        _forwards(plan, pointer_to(numbers), boards, pointer_to(work.words), rows)
        values = offset(rows, plan.value * ROW)
        for p in range(ROW):
            i = group * ROW + p
            if work.expected[i] >= f32(0):
                value = values[p] if work.expected[i] > f32(0) else -values[p]
                work.expected[i] = f32(1.0 / (1.0 + exp(np.float64(min(max(-scale * value, f32(-80)), f32(80))))))


@inner
def block_gradient(plan: Plan, work: Any, numbers: np.ndarray, scale: f32, out: np.ndarray) -> None:
    """The sum of the gradients and losses of a loaded block."""
    rows, stride, tile = pointer_to(work.rows), plan.rows * ROW, pointer_to(work.tile)
    begin_gradient(plan, out)
    for group in range(GROUPS):
        boards, words = offset(pointer_to(work.boards), group * _BOARDS), pointer_to(work.words)
        group_rows = offset(rows, group * stride)
        _forwards(plan, pointer_to(numbers), boards, words, group_rows)
        _backwards(plan, pointer_to(numbers), scale, group_rows)
        add_first_gradient(plan, boards, words, group_rows, out)
    for i in range(plan.tiles.shape[0]):
        x, y = offset(rows, plan.tiles[i, 0] * ROW), offset(rows, plan.tiles[i, 1] * ROW)
        dots(x, y, GROUPS, stride, tile)
        for k in range(TILE * TILE):
            out[plan.tile_places[i, k]] = tile[k]


@entry
def _gradient(plan: Any, work: Any, positions: np.ndarray, numbers: np.ndarray, out: np.ndarray) -> None:
    scale = scale_of(plan, numbers)
    for block in range(out.shape[0]):
        count = min(positions.shape[0] - block * BLOCK, BLOCK)
        for i in range(count):
            work.picked[i] = block * BLOCK + i
        load_block(plan, work, positions, count, f32(0))
        block_gradient(plan, work, numbers, scale, out[block])


def gradient(kind: Kind, numbers: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, float]:
    """The gradient of the mean loss on all ``positions`` by all ``numbers``, in float64, and the mean loss itself.

    Numbers are used as they are, without the rounding that some kinds apply.
    """
    shape = shape_with(kind, len(numbers))
    packed = np.ascontiguousarray(numbers[shape.all_places], np.float32)
    blocks = aligned((-(-len(positions) // BLOCK), shape.gradient_length), np.float32)
    _gradient(shape.plan, Workspace.create(shape), positions, packed, blocks)
    total = np.zeros(shape.gradient_length)
    for block in blocks:
        total += block
    out = np.zeros(shape.numbers)
    out[shape.all_places] = total[: shape.packed] / len(positions)
    return out, float(total[shape.packed] / len(positions))
