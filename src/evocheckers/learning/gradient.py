"""The gradient of a network's loss on positions: forward pass, backward pass, and sums over positions.

A block is 256 positions, four groups of 64. Each block's gradient is summed separately and the blocks are added in
order, so that the result does not depend on which thread took which block.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from evocheckers.learning.dataset import GAME_SHIFT, LABEL_MASK, WHITE_BIT
from evocheckers.learning.loss import slopes_of_loss
from evocheckers.native.compile import entry, inner, switch
from evocheckers.native.intrinsics import Pointer, aligned, f32, fma, offset, pointer_to, u32
from evocheckers.native.matrices import ROW, TILE, activate, clip, dots, multiply
from evocheckers.native.randomness import exp
from evocheckers.networks.gradient_layout import (
    INPUTS,
    OUT,
    OUTPUTS,
    SLOPES,
    WEIGHTS,
    CompiledLayout,
    GradientLayout,
    LearningError,
    X,
)
from evocheckers.networks.registry import Kind

_FUNCTIONS = {kind: kind.description.gradient() for kind in Kind if kind.description.gradient is not None}

LEARNING = tuple(_FUNCTIONS)
"""The kinds of networks that can learn."""


@functools.cache
def layout_of(kind: Kind, width: int) -> GradientLayout:
    """The layout for networks of a kind and width."""
    if kind not in _FUNCTIONS:
        raise LearningError(f"{kind.name} networks cannot learn")
    return _FUNCTIONS[kind].layout(int(kind), width)


def layout_with(kind: Kind, numbers: int) -> GradientLayout:
    """The layout for a learner with this many numbers: the flat vector, K if the kind has one, and the scale."""
    architecture = kind.description.architecture
    width = architecture.width_of(numbers - architecture.has_king_value - 1) if architecture else 0
    if width is None:
        raise LearningError(f"no {kind.name.lower()} network learns with {numbers} numbers")
    return layout_of(kind, width)


@inner
def _nothing() -> None:
    """What a kind does that does not have the function."""


def _switch(name: str, parameters: str) -> Any:
    functions = {kind.value: getattr(found, name) for kind, found in _FUNCTIONS.items()}
    return switch(name, parameters, functions, _nothing)


_fill_inputs = _switch("fill_inputs", "layout, numbers, boards, words, rows")
_first_layer = _switch("first_layer", "layout, numbers, boards, words, rows")
_add_inputs = _switch("add_inputs", "layout, rows")
_king_slopes = _switch("king_slopes", "layout, numbers, rows")
_begin_gradient = _switch("begin_gradient", "layout, out")
_add_first_gradient = _switch("add_first_gradient", "layout, boards, words, rows, out")
"""Each calls the function of that name of a network's kind (see ``GradientFunctions``)."""

GROUPS = 4
BLOCK = GROUPS * ROW
"""Positions in a block."""

_BOARDS = 3 * ROW


class BlockArrays(NamedTuple):
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
    def create(cls, layout: GradientLayout) -> "BlockArrays":
        """Empty arrays."""
        return cls(
            layout.create_rows(GROUPS, aligned(GROUPS * layout.compiled.rows * ROW, np.float32)),
            aligned(GROUPS * _BOARDS, np.uint32),
            aligned(2 * ROW, np.uint32),
            aligned(BLOCK, np.int64),
            aligned(BLOCK, np.float32),
            aligned(TILE * TILE, np.float32),
        )


@inner
def _load_board(arrays: Any, i: int, positions: np.ndarray, at: int) -> None:
    boards = offset(pointer_to(arrays.boards), i // ROW * _BOARDS + i % ROW)
    for word in range(3):
        boards[word * ROW] = positions[at, word]


@inner
def load_block(layout: CompiledLayout, arrays: Any, positions: np.ndarray, count: int, trust: f32) -> None:
    """Copy the ``count`` sampled positions into place; padding up to a whole block does not count.

    Targets are the results, mixed with the expected results in the proportion ``trust``.
    """
    for i in range(BLOCK):
        at = arrays.picked[i if i < count else 0]
        _load_board(arrays, i, positions, at)
        values = offset(pointer_to(arrays.rows), (i // ROW * layout.rows + layout.value) * ROW + i % ROW)
        target = f32(0.5) * f32(positions[at, 3] & u32(LABEL_MASK))
        if trust > f32(0) and arrays.expected[i] >= f32(0):
            target += trust * (arrays.expected[i] - target)
        values[ROW] = target
        values[2 * ROW] = f32(1 if i < count else 0)


@inner
def _slopes_of_nodes(layout: CompiledLayout, nodes: Pointer, slopes: Pointer, count: int) -> None:
    """Convert derivatives by activation to derivatives by pre-activation."""
    if layout.clipped:
        for i in range(count):
            slopes[i] = slopes[i] if f32(0) < nodes[i] < f32(1) else f32(0)
    else:
        base, line = layout.slope_base, layout.slope_line
        for i in range(count):
            slopes[i] *= fma(nodes[i], line - nodes[i], base)


@inner
def _forwards(layout: CompiledLayout, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """The values of 64 positions."""
    _fill_inputs(layout.kind, layout, numbers, boards, words, rows)
    last = layout.layers.shape[0] - 1
    for i in range(last + 1):
        layer = layout.layers[i]
        out, outputs = offset(rows, layer[OUT] * ROW), layer[OUTPUTS]
        if i == 0:
            _first_layer(layout.kind, layout, numbers, boards, words, rows)
        else:
            weights = offset(numbers, layer[WEIGHTS])
            multiply(weights, outputs, 1, offset(rows, layer[X] * ROW), layer[INPUTS], out, outputs)
        if i < last and layout.clipped:
            clip(out, outputs)
        elif i < last:
            activate(out, outputs, layout.steep, layout.shift)
    _add_inputs(layout.kind, layout, rows)


@inner
def _backwards(layout: CompiledLayout, numbers: Pointer, scale: f32, rows: Pointer) -> None:
    """The derivatives of the loss by every node."""
    slopes_of_loss(offset(rows, layout.value * ROW), scale, offset(rows, layout.result * ROW))
    for i in range(layout.layers.shape[0] - 1, 0, -1):
        layer, below = layout.layers[i], layout.layers[i - 1]
        outputs, nodes = layer[OUTPUTS], below[OUTPUTS]
        slopes = offset(rows, below[SLOPES] * ROW)
        weights = offset(numbers, layer[WEIGHTS])
        multiply(weights, 1, outputs, offset(rows, layer[SLOPES] * ROW), outputs, slopes, nodes)
        _slopes_of_nodes(layout, offset(rows, layer[X] * ROW), slopes, nodes * ROW)
    _king_slopes(layout.kind, layout, numbers, rows)


@inner
def scale_of(layout: CompiledLayout, numbers: np.ndarray) -> f32:
    """The scale, stored among the numbers as its logarithm."""
    return f32(exp(np.float64(numbers[layout.scale])))


@inner
def expect(
    layout: CompiledLayout, arrays: Any, numbers: np.ndarray, scale: f32, positions: np.ndarray, ahead: int
) -> None:
    """The result for each sampled position's side to move that the network expects ``ahead`` positions later."""
    for i in range(BLOCK):
        at = arrays.picked[i]
        later = at + ahead
        if later < positions.shape[0] and positions[later, 3] >> GAME_SHIFT == positions[at, 3] >> GAME_SHIFT:
            same_side = (positions[later, 3] ^ positions[at, 3]) & u32(WHITE_BIT) == 0
            arrays.expected[i] = f32(1 if same_side else 0)
            _load_board(arrays, i, positions, later)
        else:
            arrays.expected[i] = f32(-1)
            _load_board(arrays, i, positions, at)
    for group in range(GROUPS):
        rows = offset(pointer_to(arrays.rows), group * layout.rows * ROW)
        boards = offset(pointer_to(arrays.boards), group * _BOARDS)
        _forwards(layout, pointer_to(numbers), boards, pointer_to(arrays.words), rows)
        values = offset(rows, layout.value * ROW)
        for p in range(ROW):
            i = group * ROW + p
            if arrays.expected[i] >= f32(0):
                value = values[p] if arrays.expected[i] > f32(0) else -values[p]
                arrays.expected[i] = f32(1.0 / (1.0 + exp(np.float64(min(max(-scale * value, f32(-80)), f32(80))))))


@inner
def block_gradient(layout: CompiledLayout, arrays: Any, numbers: np.ndarray, scale: f32, out: np.ndarray) -> None:
    """The sum of the gradients and losses of a loaded block."""
    rows, stride, tile = pointer_to(arrays.rows), layout.rows * ROW, pointer_to(arrays.tile)
    _begin_gradient(layout.kind, layout, out)
    for group in range(GROUPS):
        boards, words = offset(pointer_to(arrays.boards), group * _BOARDS), pointer_to(arrays.words)
        group_rows = offset(rows, group * stride)
        _forwards(layout, pointer_to(numbers), boards, words, group_rows)
        _backwards(layout, pointer_to(numbers), scale, group_rows)
        _add_first_gradient(layout.kind, layout, boards, words, group_rows, out)
    for i in range(layout.tiles.shape[0]):
        x, y = offset(rows, layout.tiles[i, 0] * ROW), offset(rows, layout.tiles[i, 1] * ROW)
        dots(x, y, GROUPS, stride, tile)
        for k in range(TILE * TILE):
            out[layout.tile_places[i, k]] = tile[k]


@entry
def _gradient(layout: Any, arrays: Any, positions: np.ndarray, numbers: np.ndarray, out: np.ndarray) -> None:
    scale = scale_of(layout, numbers)
    for block in range(out.shape[0]):
        count = min(positions.shape[0] - block * BLOCK, BLOCK)
        for i in range(count):
            arrays.picked[i] = block * BLOCK + i
        load_block(layout, arrays, positions, count, f32(0))
        block_gradient(layout, arrays, numbers, scale, out[block])


def gradient(kind: Kind, numbers: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, float]:
    """The gradient of the mean loss on all ``positions`` by all ``numbers``, in float64, and the mean loss itself.

    Numbers are used as they are, without the rounding that some kinds apply.
    """
    layout = layout_with(kind, len(numbers))
    packed = np.ascontiguousarray(numbers[layout.all_places], np.float32)
    blocks = aligned((-(-len(positions) // BLOCK), layout.gradient_length), np.float32)
    _gradient(layout.compiled, BlockArrays.create(layout), positions, packed, blocks)
    total = np.zeros(layout.gradient_length)
    for block in blocks:
        total += block
    out = np.zeros(layout.numbers)
    out[layout.all_places] = total[: layout.packed] / len(positions)
    return out, float(total[layout.packed] / len(positions))
