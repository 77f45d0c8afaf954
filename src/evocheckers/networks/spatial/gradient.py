"""The spatial network for learning: sparse first layer, K, and the sum of the inputs. See ``reference``."""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, fma, offset, pointer_to, u32
from evocheckers.native.matrices import ROW, gather, signed_bits
from evocheckers.networks.gradient_layout import (
    BY_KING,
    BY_VALUE,
    OUT,
    SLOPES,
    CompiledLayout,
    GradientFunctions,
    GradientLayout,
)
from evocheckers.networks.spatial import reference as spatial

_NODES = 91
_ONES = 32
"""The input row of ones."""

_FIRST = np.vstack([spatial.first_layer_table(), spatial.FIRST_BIASES + np.arange(_NODES)])


def layout(kind: int, width: int) -> GradientLayout:
    """The layout of both spatial kinds."""
    return GradientLayout(
        kind=kind,
        sizes=(width, 40, 10, 1),
        first=_FIRST,
        places=np.arange(spatial.NUMBERS),
        flat=spatial.NUMBERS,
        has_king_value=True,
        is_sigmoid=False,
        own_rows=32 + 3,
    )


_KINGS, _TOTAL, _KING_TOTAL, _SLOPE = 3, 3 + 32, 3 + 33, 3 + 34
"""Rows after the values: kings by square; the sum of the inputs and of the kings; the derivative by one input."""

_BY_NODE_NODE, _BY_NODE_ROW = map(np.ascontiguousarray, np.nonzero(_FIRST.T >= 0))
_BY_NODE_PLACE = _FIRST[_BY_NODE_ROW, _BY_NODE_NODE]
_NODE_FROM = np.searchsorted(_BY_NODE_NODE, np.arange(_NODES + 1))
"""The inputs of each node and their weights, the bias last."""

_BY_SQUARE_SQUARE, _BY_SQUARE_NODE = map(np.ascontiguousarray, np.nonzero(_FIRST[:_ONES] >= 0))
_BY_SQUARE_PLACE = _FIRST[_BY_SQUARE_SQUARE, _BY_SQUARE_NODE]
_SQUARE_FROM = np.searchsorted(_BY_SQUARE_SQUARE, np.arange(_ONES + 1))
"""The nodes of each square and their weights."""


@inner
def fill_inputs(layout: CompiledLayout, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """Fill in the inputs of 64 positions: 0, ±1 for men, ±K for kings."""
    own, opp, crowned = boards, offset(boards, ROW), offset(boards, 2 * ROW)
    plus, minus = words, offset(words, ROW)
    men, kings = rows, offset(rows, (layout.value + _KINGS) * ROW)
    for p in range(ROW):
        plus[p], minus[p] = u32(own[p] & ~crowned[p]), u32(opp[p] & ~crowned[p])
    signed_bits(plus, minus, men)
    for p in range(ROW):
        plus[p], minus[p] = u32(own[p] & crowned[p]), u32(opp[p] & crowned[p])
    signed_bits(plus, minus, kings)
    king_value = numbers[layout.king]
    total, king_total = offset(rows, (layout.value + _TOTAL) * ROW), offset(rows, (layout.value + _KING_TOTAL) * ROW)
    for p in range(ROW):
        total[p], king_total[p] = f32(0), f32(0)
    for square in range(_ONES):
        x, k = offset(men, square * ROW), offset(kings, square * ROW)
        for p in range(ROW):
            x[p] = fma(king_value, k[p], x[p])
            total[p] += x[p]
            king_total[p] += k[p]


@inner
def first_layer(layout: CompiledLayout, numbers: Pointer, rows: Pointer) -> None:
    """Each node sums the squares to which it is connected."""
    out = layout.layers[0, OUT]
    for node in range(_NODES):
        at, end = _NODE_FROM[node], _NODE_FROM[node + 1]
        places, inputs = offset(pointer_to(_BY_NODE_PLACE), at), offset(pointer_to(_BY_NODE_ROW), at)
        gather(numbers, places, rows, inputs, end - at, offset(rows, (out + node) * ROW))


@inner
def add_inputs(layout: CompiledLayout, rows: Pointer) -> None:
    """Add the sum of the inputs to the value, with a weight of one."""
    value, total = offset(rows, layout.value * ROW), offset(rows, (layout.value + _TOTAL) * ROW)
    for p in range(ROW):
        value[p] += total[p]


@inner
def king_slopes(layout: CompiledLayout, numbers: Pointer, rows: Pointer) -> None:
    """The derivative of the loss by K for each position: through the sum of the inputs and through the first layer."""
    by_value, by_king = offset(rows, (layout.result + BY_VALUE) * ROW), offset(rows, (layout.result + BY_KING) * ROW)
    king_total = offset(rows, (layout.value + _KING_TOTAL) * ROW)
    for p in range(ROW):
        by_king[p] = by_value[p] * king_total[p]
    _add_first_king_slopes(layout, numbers, rows, by_king)


@inner
def bare_king_slopes(layout: CompiledLayout, numbers: Pointer, rows: Pointer) -> None:
    """The same without the sum of the inputs."""
    by_king = offset(rows, (layout.result + BY_KING) * ROW)
    for p in range(ROW):
        by_king[p] = f32(0)
    _add_first_king_slopes(layout, numbers, rows, by_king)


@inner
def _add_first_king_slopes(layout: CompiledLayout, numbers: Pointer, rows: Pointer, by_king: Pointer) -> None:
    nodes, slope = offset(rows, layout.layers[0, SLOPES] * ROW), offset(rows, (layout.value + _SLOPE) * ROW)
    for square in range(_ONES):
        at, end = _SQUARE_FROM[square], _SQUARE_FROM[square + 1]
        places, inputs = offset(pointer_to(_BY_SQUARE_PLACE), at), offset(pointer_to(_BY_SQUARE_NODE), at)
        gather(numbers, places, nodes, inputs, end - at, slope)
        kings = offset(rows, (layout.value + _KINGS + square) * ROW)
        for p in range(ROW):
            by_king[p] = fma(kings[p], slope[p], by_king[p])


SPATIAL = GradientFunctions(layout, fill_inputs, first_layer, add_inputs, king_slopes)
BARE = GradientFunctions(layout, fill_inputs, first_layer, king_slopes=bare_king_slopes)
"""Without the sum of the inputs at the output."""
