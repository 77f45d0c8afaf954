"""The spatial network of Chellapilla and Fogel: 5046 numbers.

Inputs are the 32 squares: 0, ±1 for a man, ±K for a king, positive for the viewer. The first layer has one node for
each n by n sub-square of the board, n = 3..8, connected only to the dark squares inside: 91 nodes, 854 weights. Two
dense layers of 40 and 10 and the output follow. The sum of the inputs reaches the output node with a fixed weight of
one; otherwise the papers' count would not be 5046. Every node has a bias and applies tanh.

The flat vector: first-layer weights node by node (sizes 3 to 8, rows, columns; squares rising), 91 biases, then for
each later layer its weights input by input and its biases. K is not among the 5046; evaluators append it.

The arithmetic, the same to the last bit on every machine and in every implementation
    float32 throughout. A first-layer node starts from its bias and adds own men, opposing men, own kings, opposing
    kings, each by rising square; kings by fused multiply-add. A later node keeps four partial sums by input index
    modulo 4, the first starting from the bias, each a chain of fused multiply-adds, joined as (p0 + p1) + (p2 + p3).
    The result is the output node's pre-activation: tanh would keep the order but saturate into false ties.
"""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, fma, lowest_bit_index, offset, u32
from evocheckers.native.vectors import tanh
from evocheckers.networks.kind import Architecture
from evocheckers.networks.piece_counting import input_sum
from evocheckers.rules.bitboard import upside_down
from evocheckers.rules.move import row_and_column


def sub_squares() -> list[list[int]]:
    """The input bits of each first-layer node."""
    places = [row_and_column(square) for square in range(1, 33)]
    return [
        [bit for bit, (r, c) in enumerate(places) if row <= r < row + size and column <= c < column + size]
        for size in range(3, 9)
        for row in range(9 - size)
        for column in range(9 - size)
    ]


FIRST_WEIGHTS = sum(map(len, sub_squares()))
FIRST_BIASES = FIRST_WEIGHTS
SECOND_WEIGHTS = FIRST_BIASES + 91
SECOND_BIASES = SECOND_WEIGHTS + 91 * 40
THIRD_WEIGHTS = SECOND_BIASES + 40
THIRD_BIASES = THIRD_WEIGHTS + 40 * 10
OUTPUT_WEIGHTS = THIRD_BIASES + 10
OUTPUT_BIAS = OUTPUT_WEIGHTS + 10
NUMBERS = OUTPUT_BIAS + 1
"""5046."""
KING_VALUE = NUMBERS
"""The index of K in an evaluator's vector."""

SHAPES = {
    "first_weights": (32, 91),
    "first_biases": (91,),
    "second_weights": (91, 40),
    "second_biases": (40,),
    "third_weights": (40, 10),
    "third_biases": (10,),
    "output_weights": (10,),
    "output_bias": (1,),
}
"""Every layer's shape."""


def first_layer_table() -> np.ndarray:
    """For each square and node, the index of their weight in the flat vector, or -1."""
    table = np.full((32, 91), -1, np.int64)
    at = 0
    for node, bits in enumerate(sub_squares()):
        for bit in bits:
            table[bit, node] = at
            at += 1
    return table


ARCHITECTURE = Architecture(
    "spatial", (91,), 91, lambda _: SHAPES, has_king_value=True, joined=first_layer_table() >= 0
)

_JOINED, _NODE = map(np.ascontiguousarray, np.nonzero(first_layer_table() >= 0))
"""Every connected pair of a square and a node, by rising square."""
_PLACE = first_layer_table()[_JOINED, _NODE]
_PAIRS_FROM = np.searchsorted(_JOINED, np.arange(33))
_ZERO, _ONE = u32(0), u32(1)


@inner
def _add_squares(weights: Pointer, nodes: Pointer, squares: u32, value: f32) -> None:
    while squares != _ZERO:
        bit = lowest_bit_index(squares)
        squares = u32(squares & (squares - _ONE))
        for pair in range(_PAIRS_FROM[bit], _PAIRS_FROM[bit + _ONE]):
            nodes[_NODE[pair]] = fma(value, weights[_PLACE[pair]], nodes[_NODE[pair]])


@inner
def _dense(weights: Pointer, biases: Pointer, inputs: Pointer, count: int, nodes: int, sums: Pointer) -> None:
    """A layer's pre-activations, summed in the order given above; ``sums`` has room for four numbers per node."""
    for node in range(nodes):
        sums[node] = biases[node]
    for i in range(nodes, 4 * nodes):
        sums[i] = f32(0)
    for i in range(count):
        partial, row, x = offset(sums, (i & 3) * nodes), offset(weights, i * nodes), inputs[i]
        for node in range(nodes):
            partial[node] = fma(x, row[node], partial[node])
    for node in range(nodes):
        sums[node] = (sums[node] + sums[nodes + node]) + (sums[2 * nodes + node] + sums[3 * nodes + node])


@inner
def _activate(nodes: Pointer, count: int) -> None:
    for node in range(count):
        nodes[node] = tanh(nodes[node])


SCRATCH = 300
"""Floats of scratch that ``evaluate`` needs."""


@inner
def evaluate(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    """The network in plain loops over the flat vector: the readable reference for the vector code."""
    if turned:
        own, opp, kings = upside_down(own, opp, kings)
    king_value = weights[KING_VALUE]
    first, second, third, output = scratch, offset(scratch, 96), offset(scratch, 256), offset(scratch, 296)
    for node in range(91):
        first[node] = weights[FIRST_BIASES + node]
    _add_squares(weights, first, u32(own & ~kings), f32(1))
    _add_squares(weights, first, u32(opp & ~kings), f32(-1))
    _add_squares(weights, first, u32(own & kings), king_value)
    _add_squares(weights, first, u32(opp & kings), -king_value)
    _activate(first, 91)
    _dense(offset(weights, SECOND_WEIGHTS), offset(weights, SECOND_BIASES), first, 91, 40, second)
    _activate(second, 40)
    _dense(offset(weights, THIRD_WEIGHTS), offset(weights, THIRD_BIASES), second, 40, 10, third)
    _activate(third, 10)
    _dense(offset(weights, OUTPUT_WEIGHTS), offset(weights, OUTPUT_BIAS), third, 10, 1, output)
    return output[0] + input_sum(king_value, own, opp, kings)
