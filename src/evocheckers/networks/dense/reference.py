"""The dense network of Horgan's hill climbing: 512 (or, in its earlier form, 128) binary inputs, 10, 10, one output.

For each side, own first, and each of the 64 squares there are four inputs: a piece stands here; an adjacent enemy could
capture it if it were undefended; it is defended by a piece of its own side behind it, or safe on an edge; it is a king.
The last three are off if the first is. The earlier form has only the first. Light squares never hold a piece; their
weights are part of the network but never used. Every node has a bias and applies the sigmoid.

Read literally, "behind" means one of the two diagonal neighbours towards the piece's own home row, and "an adjacent
enemy could capture it" means that an enemy stands diagonally next to it and may move in its direction.

The flat vector: for each layer its weights input by input, then its biases. The inputs are numbered
``4 * (64 * side + square) + feature`` for 512 inputs and ``64 * side + square`` for 128, squares row by row.

The arithmetic: the first layer starts from its biases and adds the columns of the inputs that are on, ordered by side,
then feature, then square; later layers are as in the spatial network. The result is the pre-activation.
"""

from collections.abc import Callable

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, fma, lowest_bit_index, offset, u32
from evocheckers.native.vectors import sigmoid
from evocheckers.networks.kind import Architecture, LayerShapes
from evocheckers.rules.bitboard import down_left, down_right, up_left, up_right
from evocheckers.rules.move import row_and_column

HIDDEN = 10
FEATURES = {512: 4, 128: 1}
"""Inputs for each side and square, by the total number of inputs."""

_ROW = 16
"""Ten nodes and padding: one vector."""

EDGES = sum(1 << (s - 1) for s in range(1, 33) if {0, 7} & set(row_and_column(s)))
_EDGES = u32(EDGES)
_ZERO, _ONE = u32(0), u32(1)


def numbers(inputs: int) -> int:
    """The length of the flat vector: 5251 for 512 inputs, 1411 for 128."""
    return inputs * HIDDEN + HIDDEN + HIDDEN * HIDDEN + HIDDEN + HIDDEN + 1


def _shapes(inputs: int) -> LayerShapes:
    return {
        "first_weights": (inputs, HIDDEN),
        "first_biases": (HIDDEN,),
        "second_weights": (HIDDEN, HIDDEN),
        "second_biases": (HIDDEN,),
        "output_weights": (HIDDEN,),
        "output_bias": (1,),
    }


def packed(inputs: int) -> int:
    """The length of the packed vector: a row for each side, feature and dark square, then the later layers."""
    return (2 * FEATURES[inputs] * 32 + 1 + HIDDEN + 1 + 1 + 1) * _ROW


def pack(weights: np.ndarray, inputs: int) -> np.ndarray:
    """Flat vectors, one per row of an array, as ``evaluate`` reads them."""
    features = FEATURES[inputs]
    lead = weights.shape[:-1]
    rows = np.zeros((*lead, packed(inputs) // _ROW, _ROW), np.float32)
    columns = weights[..., : inputs * HIDDEN].reshape(*lead, 2, 64, features, HIDDEN)
    dark = [8 * row + column for row, column in map(row_and_column, range(1, 33))]
    first = np.moveaxis(columns[..., dark, :, :], -2, -3).reshape(*lead, 2 * features * 32, HIDDEN)
    rest = weights[..., inputs * HIDDEN :]
    at = 2 * features * 32
    rows[..., :at, :HIDDEN] = first
    rows[..., at, :HIDDEN] = rest[..., :HIDDEN]
    rows[..., at + 1 : at + 11, :HIDDEN] = rest[..., HIDDEN : HIDDEN + 100].reshape(*lead, HIDDEN, HIDDEN)
    rows[..., at + 11, :HIDDEN] = rest[..., 110:120]
    rows[..., at + 12, :HIDDEN] = rest[..., 120:130]
    rows[..., at + 13, 0] = rest[..., 130]
    return rows.reshape(*lead, packed(inputs))


def architecture(inputs: int) -> Architecture:
    """The layers of the form with this many inputs."""
    return Architecture(f"dense-{inputs}", (HIDDEN,), HIDDEN, lambda _: _shapes(inputs))


@inner
def threatened(own: u32, opp: u32, kings: u32) -> u32:
    """Own pieces with a diagonally adjacent enemy that may move in their direction."""
    crowned = u32(opp & kings)
    return u32(own & (down_left(opp) | down_right(opp) | up_left(crowned) | up_right(crowned)))


@inner
def defended(own: u32) -> u32:
    """Own pieces with another own piece behind them, or on an edge."""
    return u32(own & (up_left(own) | up_right(own) | _EDGES))


@inner
def _threatened_opp(own: u32, opp: u32, kings: u32) -> u32:
    crowned = u32(own & kings)
    return u32(opp & (up_left(own) | up_right(own) | down_left(crowned) | down_right(crowned)))


@inner
def _defended_opp(opp: u32) -> u32:
    return u32(opp & (down_left(opp) | down_right(opp) | _EDGES))


@inner
def feature(index: int, features: int, own: u32, opp: u32, kings: u32) -> u32:
    """The squares where input ``index`` (ordered by side, then feature) is on."""
    side, kind = index // features, index % features
    pieces = own if side == 0 else opp
    if kind == 0:
        return pieces
    if kind == 1:
        return threatened(own, opp, kings) if side == 0 else _threatened_opp(own, opp, kings)
    if kind == 2:
        return defended(own) if side == 0 else _defended_opp(opp)
    return u32(pieces & kings)


SCRATCH = 5 * _ROW
"""Floats of scratch that an evaluation needs."""


@inner
def _value(weights: Pointer, scratch: Pointer, features: int, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    flip = 31 if turned else 0
    biases = offset(weights, 2 * features * 32 * _ROW)
    first, second = scratch, offset(scratch, _ROW)
    for node in range(_ROW):
        first[node] = biases[node]
    for index in range(2 * features):
        squares = feature(index, features, own, opp, kings)
        columns = offset(weights, index * 32 * _ROW)
        while squares != _ZERO:
            column = offset(columns, (np.int64(lowest_bit_index(squares)) ^ flip) * _ROW)
            squares = u32(squares & (squares - _ONE))
            for node in range(_ROW):
                first[node] = first[node] + column[node]
    later = offset(biases, _ROW)
    for node in range(_ROW):
        second[node] = later[HIDDEN * _ROW + node]
    for node in range(_ROW, 4 * _ROW):
        second[node] = f32(0)
    for i in range(HIDDEN):
        x, row, partial = sigmoid(first[i]), offset(later, i * _ROW), offset(second, (i & 3) * _ROW)
        for node in range(_ROW):
            partial[node] = fma(x, row[node], partial[node])
    output = offset(later, (HIDDEN + 1) * _ROW)
    p0, p1, p2, p3 = output[_ROW], f32(0), f32(0), f32(0)
    for i in range(0, 12, 4):
        p0 = fma(_node(second, i), output[i], p0)
        p1 = fma(_node(second, i + 1), output[i + 1], p1)
        p2 = fma(_node(second, i + 2), output[i + 2], p2)
        p3 = fma(_node(second, i + 3), output[i + 3], p3)
    return (p0 + p1) + (p2 + p3)


@inner
def _node(sums: Pointer, node: int) -> f32:
    """A node's activation from its four partial sums; padding carries no weight."""
    return sigmoid((sums[node] + sums[_ROW + node]) + (sums[2 * _ROW + node] + sums[3 * _ROW + node]))


def evaluate_with(inputs: int) -> Callable[..., f32]:
    """The compiled function for networks with this many inputs: their pre-activation."""
    features = FEATURES[inputs]

    @inner
    def evaluate(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
        return _value(weights, scratch, features, own, opp, kings, turned)

    return evaluate
