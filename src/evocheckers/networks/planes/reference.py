"""A network of our own: separate inputs for men and kings on the whole board, a wide layer, 32 nodes, one output.

It has 128 inputs, 0 or 1: own men, own kings, opposing men and opposing kings by square, from the viewer's side. The
wide layer has 32 to 512 nodes, in steps of 32. Activations are clipped to the range from 0 to 1. The sum of the pieces,
men counting one and kings K, reaches the output as in the papers.

The flat vector: for each layer its weights input by input, then its biases. The inputs are numbered
``32 * plane + square``, planes as above, squares rising. K is not among the numbers; evaluators append it.

The arithmetic uses integers up to the last layer, so that sums are exact in any order, and the wide layer can be
updated incrementally. Weights and biases are clipped at ``limits`` and rounded to steps of one over ``grids``. A wide
node's sum fits into 16 bits, a narrow node's into 32. The output keeps sixteen partial sums by node modulo 16, in
float32: the first starts from the bias, each is a chain of fused multiply-adds; the upper half is added to the lower
until one is left.

The packed vector: a header of sixteen words; in 16 bits the wide layer's biases and columns, own and opposing men
first, then kings, and a column of zeros; in 16 bits the narrow layer's weights, by pairs of inputs, then by nodes; in
32 bits its biases; the output's weights.
"""

import functools
import hashlib

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import (
    Pointer,
    as_indices,
    as_shorts,
    as_words,
    f32,
    fma,
    i64,
    lowest_bit_index,
    offset,
    u32,
)
from evocheckers.networks.kind import Architecture, LayerShapes
from evocheckers.networks.piece_counting import input_sum
from evocheckers.rules.bitboard import upside_down

INPUTS = 128
NARROW = 32
WIDTHS = range(32, 513, 32)
SHORTS_ROOM = WIDTHS[-1] // 2
"""Words of room for the widest layer, at 16 bits a node."""

ONE = 512
"""The integer that represents 1 in a wide node."""
WEIGHT_STEPS = 1024
"""Steps per unit of a narrow node's weight."""
UNIT = f32(1 / (ONE * WEIGHT_STEPS))
"""The value of one step of a narrow node's sum."""
_WIDE_LIMIT, _WIDE_BIAS_LIMIT, _NARROW_LIMIT, _NARROW_BIAS_LIMIT = 1.75, 4095 / 512, 4095 / 1024, 2047.0
"""With 32 pieces and any weights, no sum overflows."""
_TINY = 1e-20
"""Smaller output weights are set to zero, so that no product is a denormal number."""

DIGEST, WIDTH, KING_VALUE, LEAST, MOST, OUTPUT_BIAS, HEADER = 0, 2, 3, 4, 5, 6, 16
"""Offsets in the header: two words that identify the network, then numbers. ``LEAST`` and ``MOST`` are the bounds that
``margins`` returns."""

_ROUNDING = 1.001
"""A factor that exceeds all rounding errors together."""
_LIMIT = 99_000
"""A network whose values may exceed this has no margins, since they may be cut off at the limit."""
_ORDER = np.concatenate([np.arange(32) + 32 * plane for plane in (0, 2, 1, 3)])
"""The inputs in the order of their packed columns."""


def shapes(width: int) -> LayerShapes:
    """The shape of each layer."""
    return {
        "first_weights": (INPUTS, width),
        "first_biases": (width,),
        "second_weights": (width, NARROW),
        "second_biases": (NARROW,),
        "output_weights": (NARROW,),
        "output_bias": (1,),
    }


def _by_layer(width: int, numbers: tuple[float, ...]) -> np.ndarray:
    sizes = [int(np.prod(shape)) for shape in shapes(width).values()]
    return np.repeat(np.array([*numbers], np.float32), sizes)


def grids(width: int) -> np.ndarray:
    """For every number of the flat vector its steps per unit, or 0 if it is not rounded."""
    return _by_layer(width, (ONE, ONE, WEIGHT_STEPS, ONE * WEIGHT_STEPS, 0, 0))


def limits(width: int) -> np.ndarray:
    """For every number of the flat vector its largest magnitude."""
    return _by_layer(width, (_WIDE_LIMIT, _WIDE_BIAS_LIMIT, _NARROW_LIMIT, _NARROW_BIAS_LIMIT, np.inf, np.inf))


SECOND = 1 + INPUTS + 1
"""The number of columns before the narrow layer's weights, including those of biases and zeros."""
BIASES = SECOND + NARROW
"""The number of columns before its biases."""


def pack(weights: np.ndarray) -> np.ndarray:
    """Pack flat vectors with K, one per row: rounded, and in the order that compiled code reads."""
    lead, flat = weights.shape[:-1], weights.reshape(-1, weights.shape[-1])
    width = _width(flat.shape[1] - 1)
    steps, most = grids(width), limits(width)
    cut = np.clip(flat[:, :-1], -most, most)
    whole = np.rint(cut * steps).astype(np.int32)
    first, biases, second, second_biases, output = np.split(whole, _ends(width), axis=1)
    output = cut[:, -NARROW - 1 :]
    output = np.where(np.abs(output) < _TINY, np.float32(0), output)
    end = HEADER + BIASES * width // 2
    packed = np.zeros((len(flat), end + 2 * NARROW), np.float32)
    for row in range(len(flat)):
        shorts = packed[row, HEADER:end].view(np.int16)
        shorts[:width] = biases[row]
        shorts[width : (1 + INPUTS) * width] = first[row].reshape(INPUTS, width)[_ORDER].ravel()
        pairs = second[row].reshape(width // 2, 2, NARROW).transpose(0, 2, 1)
        shorts[SECOND * width :] = pairs.ravel()
        packed[row, end : end + NARROW].view(np.int32)[:] = second_biases[row]
        packed[row, end + NARROW :] = output[row, :NARROW]
        packed[row, WIDTH], packed[row, KING_VALUE] = width, flat[row, -1]
        packed[row, LEAST : MOST + 1] = _margins(output[row].astype(np.float64), float(flat[row, -1]))
        packed[row, OUTPUT_BIAS] = output[row, NARROW]
        digest = hashlib.blake2b(packed[row].tobytes(), digest_size=8).digest()
        packed[row, :2] = np.frombuffer(digest, np.float32)
    return packed.reshape(*lead, packed.shape[1])


@functools.cache
def _packed_size(width: int) -> int:
    return int(pack(np.zeros(ARCHITECTURE.numbers(width) + 1, np.float32)).size)


def is_packed(packed: np.ndarray) -> bool:
    """Whether a vector is a packed network, by its length and the width that it names."""
    width = packed[WIDTH] if packed.size > WIDTH else 0
    return width in WIDTHS and packed.size == _packed_size(int(width))


def _width(numbers: int) -> int:
    return (numbers - 2 * NARROW - 1) // (INPUTS + 1 + NARROW)


def _ends(width: int) -> np.ndarray:
    return np.cumsum([int(np.prod(shape)) for shape in shapes(width).values()])[:4]


def _margins(output: np.ndarray, king_value: float) -> tuple[float, float]:
    weights, bias = output[:NARROW], output[NARROW]
    slack = (_ROUNDING - 1) * (np.abs(weights).sum() + abs(bias))
    least = bias + np.minimum(weights, 0).sum() - slack
    most = bias + np.maximum(weights, 0).sum() + slack
    is_known = max(-least, most) + 24 * abs(king_value) < _LIMIT
    return (least, most) if is_known else (-np.inf, np.inf)


ARCHITECTURE = Architecture("planes", WIDTHS, 64, shapes, has_king_value=True)


@inner
def margins(weights: Pointer) -> tuple[f32, f32]:
    """Bounds on a position's value less the sum of its inputs, as found when the network was packed."""
    return weights[LEAST], weights[MOST]


@inner
def sum_of_inputs(weights: Pointer, own: u32, opp: u32, kings: u32) -> f32:
    """Men count one, kings K."""
    return input_sum(weights[KING_VALUE], own, opp, kings)


@inner
def _add_columns(columns: Pointer, width: int, squares: u32, sums: Pointer) -> None:
    while squares != u32(0):
        column = offset(columns, i64(lowest_bit_index(squares)) * width)
        squares = u32(squares & (squares - u32(1)))
        for node in range(width):
            sums[node] = sums[node] + column[node]


SCRATCH = SHORTS_ROOM + 16 + 2 * NARROW
"""Floats of scratch that ``evaluate`` needs."""


@inner
def evaluate(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    """The network in plain loops: the readable reference for the vector code."""
    if turned:
        own, opp, kings = upside_down(own, opp, kings)
    width = i64(weights[WIDTH])
    wide, partial = as_shorts(scratch), offset(scratch, SHORTS_ROOM)
    first = as_shorts(offset(weights, HEADER))
    for node in range(width):
        wide[node] = first[node]
    for plane, squares in enumerate((own & ~kings, opp & ~kings, own & kings, opp & kings)):
        _add_columns(offset(first, (1 + 32 * plane) * width), width, u32(squares), wide)
    second = offset(first, SECOND * width)
    rest = offset(weights, HEADER + BIASES * width // 2)
    biases, output = as_words(rest), offset(rest, NARROW)
    sums = as_indices(offset(partial, 16))
    for node in range(NARROW):
        sums[node] = i64(np.int32(biases[node]))
    for i in range(width):
        x, row = min(max(i64(wide[i]), 0), ONE), offset(second, i // 2 * 2 * NARROW + i % 2)
        for node in range(NARROW):
            sums[node] += x * i64(row[2 * node])
    for node in range(NARROW):
        activation = min(max(f32(sums[node]) * UNIT, f32(0)), f32(1))
        before = partial[node % 16] if node >= 16 else (weights[OUTPUT_BIAS] if node == 0 else f32(0))
        partial[node % 16] = fma(activation, output[node], before)
    half = 8
    while half > 0:
        for i in range(half):
            partial[i] = partial[i] + partial[i + half]
        half //= 2
    return partial[0] + sum_of_inputs(weights, own, opp, kings)
