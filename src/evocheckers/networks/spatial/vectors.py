"""The spatial network as vector code: the same bits as ``reference.evaluate``, several times as fast.

The weights are repacked once per network. First layer: 96 floats for each square (91 nodes and padding), so that a
piece adds one column, always from scratch: incremental updates gain nothing in search and would make the rounding
depend on the path. Later layers: a vector is four nodes by four inputs, so that the lanes are the partial sums by input
index modulo 4; ten such accumulators hold the second layer's forty nodes while the inputs are broadcast four at a time.
Processors with sixteen vector registers process the ten in two passes.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import F32_POINTER, Pointer, f32, intrinsic, u32
from evocheckers.native.vectors import LANES, VectorBuilder
from evocheckers.networks.kind import LIMIT
from evocheckers.networks.piece_counting import input_sum
from evocheckers.networks.spatial import reference as spatial
from evocheckers.rules.bitboard import upside_down

COLUMN = 96
SECOND = 33 * COLUMN
SECOND_BIASES = SECOND + 23 * 10 * LANES
THIRD = SECOND_BIASES + 10 * LANES
THIRD_BIASES = THIRD + 10 * 3 * LANES
OUTPUT = THIRD_BIASES + 3 * LANES
"""Twelve output weights, then the output's bias in the first of four floats."""
KING_VALUE = OUTPUT + LANES
PACKED = KING_VALUE + LANES


_ROUNDING = f32(1.001)
"""A factor that exceeds all rounding errors together."""
_ENDLESS = f32(np.inf)


@inner
def margins(weights: Pointer) -> tuple[f32, f32]:
    """Bounds on a position's value less the sum of its inputs: the last nodes stay within ±1.

    There are none if values may be so large that they are cut off at the limit.
    """
    reach = f32(0)
    for i in range(12):
        reach += abs(weights[OUTPUT + i])
    bias = weights[OUTPUT + 12]
    reach = (reach + abs(bias)) * _ROUNDING - abs(bias)
    least, most = bias - reach, bias + reach
    size = max(-least, most) + abs(weights[KING_VALUE]) * f32(24)
    return (least, most) if size < LIMIT else (-_ENDLESS, _ENDLESS)


@inner
def sum_of_inputs(weights: Pointer, own: u32, opp: u32, kings: u32) -> f32:
    """Men count one, kings K, the opponent's negative."""
    return input_sum(weights[KING_VALUE], own, opp, kings)


def _second_node(vector: int, group: int) -> int:
    """The node in lanes ``4 group .. 4 group + 3`` of an accumulator, chosen so that sums come out in rising order."""
    if vector < 8:
        return 16 * (vector // 4) + 4 * group + vector % 4
    return 32 + 2 * group + vector - 8


def _third_node(vector: int, group: int) -> int:
    return 4 * vector + group


def packing() -> np.ndarray:
    """For every packed float its index in the flat vector with K; one past the end means zero."""
    zero = spatial.NUMBERS + 1
    places = np.full(PACKED, zero)
    columns = places[: 32 * COLUMN].reshape(32, COLUMN)
    table = spatial.first_layer_table()
    columns[:, :91] = np.where(table < 0, zero, table)
    places[32 * COLUMN :][:91] = spatial.FIRST_BIASES + np.arange(91)

    def pack_dense(
        weights_at: int, biases_at: int, shape: tuple[int, int], vectors: int, flat: tuple[int, int], node_of: Any
    ) -> None:
        inputs, nodes = shape
        for vector in range(vectors):
            for lane in range(LANES):
                node = node_of(vector, lane // 4)
                if node >= nodes:
                    continue
                if lane % 4 == 0:
                    places[biases_at + vector * LANES + lane] = flat[1] + node
                for first in range(0, inputs, 4):
                    if first + lane % 4 < inputs:
                        at = weights_at + (first // 4 * vectors + vector) * LANES + lane
                        places[at] = flat[0] + (first + lane % 4) * nodes + node

    pack_dense(SECOND, SECOND_BIASES, (91, 40), 10, (spatial.SECOND_WEIGHTS, spatial.SECOND_BIASES), _second_node)
    pack_dense(THIRD, THIRD_BIASES, (40, 10), 3, (spatial.THIRD_WEIGHTS, spatial.THIRD_BIASES), _third_node)
    places[OUTPUT : OUTPUT + 10] = spatial.OUTPUT_WEIGHTS + np.arange(10)
    places[OUTPUT + 12] = spatial.OUTPUT_BIAS
    places[KING_VALUE] = spatial.KING_VALUE
    return places


PACKING = packing()


def pack(weights: np.ndarray) -> np.ndarray:
    """Pack flat vectors with K, one per row, as the vector code reads them."""
    padded = np.concatenate([weights, np.zeros((*weights.shape[:-1], 1), np.float32)], axis=-1)
    return padded[..., PACKING]


def _first_layer(v: VectorBuilder, weights: Any, boards: list[Any]) -> list[Any]:
    """Sum the columns of own men, opposing men, own kings and opposing kings onto the biases."""
    builder, word = v.builder, ir.IntType(32)
    vectors = range(COLUMN // LANES)
    sums = [v.load(weights, 32 * COLUMN + LANES * i) for i in vectors]
    king_value = v.splat(builder.load(v.address(weights, KING_VALUE)))
    negative = builder.fneg(king_value)

    def add(kind: int, column: Any, i: int, total: Any) -> Any:
        value = v.load(column, LANES * i)
        if kind < 2:
            return builder.fadd(total, value) if kind == 0 else builder.fsub(total, value)
        return v.fma(king_value if kind == 2 else negative, value, total)

    count_zeros = builder.module.declare_intrinsic("llvm.cttz", [word], ir.FunctionType(word, [word, ir.IntType(1)]))
    for kind, board in enumerate(boards):
        before = builder.block
        test, body, done = (builder.append_basic_block(name) for name in ("test", "square", "done"))
        builder.branch(test)
        builder.position_at_end(test)
        left = builder.phi(word)
        left.add_incoming(board, before)
        totals = [builder.phi(total.type) for total in sums]
        for phi, total in zip(totals, sums, strict=True):
            phi.add_incoming(total, before)
        builder.cbranch(builder.icmp_unsigned("!=", left, ir.Constant(word, 0)), body, done)
        builder.position_at_end(body)
        square = builder.zext(builder.call(count_zeros, [left, ir.Constant(ir.IntType(1), 1)]), ir.IntType(64))
        column = v.address(weights, builder.mul(square, v.index(COLUMN)))
        for i in vectors:
            totals[i].add_incoming(add(kind, column, i, totals[i]), body)
        left.add_incoming(builder.and_(left, builder.sub(left, ir.Constant(word, 1))), body)
        builder.branch(test)
        builder.position_at_end(done)
        sums = totals
    return sums


def _dense(v: VectorBuilder, weights: Any, inputs: Any, steps: int, stride: int, sums: list[Any]) -> list[Any]:
    """Process the inputs four at a time; ``sums`` are some of a layer's accumulators, ``stride`` the size of a step."""
    builder, index = v.builder, ir.IntType(64)
    before, body, done = builder.block, builder.append_basic_block("inputs"), builder.append_basic_block("done")
    builder.branch(body)
    builder.position_at_end(body)
    step = builder.phi(index)
    step.add_incoming(v.index(0), before)
    totals = [builder.phi(total.type) for total in sums]
    four = v.load(v.address(inputs, builder.mul(step, v.index(4))), 0, 4)
    broadcast = v.shuffle(four, four, [0, 1, 2, 3] * (LANES // 4))
    row = v.address(weights, builder.mul(step, v.index(stride)))
    following = [v.fma(broadcast, v.load(row, LANES * i), total) for i, total in enumerate(totals)]
    for phi, total, after in zip(totals, sums, following, strict=True):
        phi.add_incoming(total, before)
        phi.add_incoming(after, body)
    next_step = builder.add(step, v.index(1))
    step.add_incoming(next_step, body)
    builder.cbranch(builder.icmp_unsigned("<", next_step, v.index(steps)), body, done)
    builder.position_at_end(done)
    return following


def _emit(v: VectorBuilder, weights: Any, scratch: Any, boards: list[Any], total_of_inputs: Any, passes: int) -> Any:
    builder = v.builder
    for i, total in enumerate(_first_layer(v, weights, boards)):
        v.store(scratch, LANES * i, v.tanh(total))

    sums: list[Any] = []
    for first in range(0, 10, 10 // passes):
        vectors = range(first, first + 10 // passes)
        biases = [v.load(weights, SECOND_BIASES + LANES * i) for i in vectors]
        sums += _dense(v, v.address(weights, SECOND + LANES * first), scratch, 23, 10 * LANES, biases)
    second = v.address(scratch, COLUMN)
    v.store(second, 0, v.tanh(v.sum_fours(*sums[0:4])))
    v.store(second, 16, v.tanh(v.sum_fours(*sums[4:8])))
    last = v.sum_fours(sums[8], sums[9], sums[8], sums[9])
    v.store(second, 32, v.tanh(v.shuffle(last, last, [0, 1, 4, 5, 8, 9, 12, 13])))

    biases = [v.load(weights, THIRD_BIASES + LANES * i) for i in range(3)]
    thirds = _dense(v, v.address(weights, THIRD), second, 10, 3 * LANES, biases)
    third = v.tanh(v.sum_fours(thirds[0], thirds[1], thirds[2], v.constant(0)))

    output = v.load(weights, OUTPUT + 12, 4)
    for i in range(3):
        four = v.shuffle(third, third, [i, 4 + i, 8 + i, 12 + i])
        output = v.fma(four, v.load(weights, OUTPUT + 4 * i, 4), output)
    p = [builder.extract_element(output, ir.Constant(ir.IntType(32), i)) for i in range(4)]
    joined = builder.fadd(builder.fadd(p[0], p[1]), builder.fadd(p[2], p[3]))
    return builder.fadd(joined, total_of_inputs)


@intrinsic
def _evaluate(
    typing_context: Any,
    weights: Any,
    scratch: Any,
    own_men: Any,
    opp_men: Any,
    own_kings: Any,
    opp_kings: Any,
    total_of_inputs: Any,
) -> Any:
    """The network's pre-activation from packed weights, with the given sum of the inputs."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, scratch, *boards, total_of_inputs = arguments
        passes = 1 if "+avx512f" in context.codegen()._tm_features else 2
        return _emit(VectorBuilder(builder), weights, scratch, boards, total_of_inputs, passes)

    board = types.uint32
    return types.float32(F32_POINTER, F32_POINTER, board, board, board, board, types.float32), generate


SCRATCH = 144
"""Floats of scratch that ``evaluate`` and ``evaluate_bare`` need."""


@inner
def _value(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, total_of_inputs: f32) -> f32:
    own_kings, opp_kings = u32(own & kings), u32(opp & kings)
    return _evaluate(
        weights, scratch, u32(own ^ own_kings), u32(opp ^ opp_kings), own_kings, opp_kings, total_of_inputs
    )


@inner
def evaluate(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    """The network's pre-activation."""
    if turned:
        own, opp, kings = upside_down(own, opp, kings)
    return _value(weights, scratch, own, opp, kings, sum_of_inputs(weights, own, opp, kings))


@inner
def evaluate_bare(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    """The same without the sum of the inputs."""
    if turned:
        own, opp, kings = upside_down(own, opp, kings)
    return _value(weights, scratch, own, opp, kings, f32(0))
