"""Small matrix products as vector code: the work of a learning step.

A feature of 64 positions is a *row* of 64 floats, four vectors of sixteen lanes. A lane is a position, so every sum
over features keeps its order whatever the processor. Sums over positions keep sixteen partial sums, one per lane, added
pairwise by neighbours. Tiles of outputs stay in registers while the inputs stream through; processors with sixteen
vector registers process the same tiles in smaller passes, which changes no bit. Library routines choose their own order
of sums, and with it the last bits.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import F32_POINTER, I64_POINTER, Pointer, intrinsic, offset
from evocheckers.native.vectors import LANES, VectorBuilder

ROW = 64
"""Positions in a row."""
VECTORS = ROW // LANES
TILE = 4
"""``dots`` fills tiles of 4 by 4 sums."""

_WIDE_OUTPUTS = 5
"""Outputs in a tile of ``multiply``: 5 by 4 vectors leave room for inputs among 32 registers."""
_U32_POINTER = types.CPointer(types.uint32)


def _has_wide_registers(context: Any) -> bool:
    return "+avx512f" in context.codegen()._tm_features


def _multiply_tile(outputs: int) -> Any:
    def operation(
        typing_context: Any, weights: Any, in_stride: Any, out_stride: Any, x: Any, inputs: Any, out: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            weights, in_stride, out_stride, x, inputs, out = arguments
            v = VectorBuilder(builder)
            at_once = VECTORS if _has_wide_registers(context) else 1
            for first in range(0, VECTORS, at_once):

                def body(i: Any, sums: list[Any], first: int = first) -> list[Any]:
                    row = v.address(x, builder.mul(i, v.index(ROW)))
                    vectors = [v.load(row, LANES * (first + k)) for k in range(at_once)]
                    weight = v.address(weights, builder.mul(i, in_stride))
                    following = []
                    for output in range(outputs):
                        w = v.splat(builder.load(weight))
                        for k in range(at_once):
                            following.append(v.fma(w, vectors[k], sums[output * at_once + k]))
                        weight = v.address(weight, out_stride)
                    return following

                sums = v.loop(inputs, [v.constant(0)] * (outputs * at_once), body)
                for i, total in enumerate(sums):
                    v.store(out, i // at_once * ROW + (first + i % at_once) * LANES, total)
            return context.get_dummy_value()

        index = types.int64
        return types.void(F32_POINTER, index, index, F32_POINTER, index, F32_POINTER), generate

    return intrinsic(operation)


_multiply_five = _multiply_tile(_WIDE_OUTPUTS)
_multiply_one = _multiply_tile(1)


@inner
def multiply(
    weights: Pointer, in_stride: int, out_stride: int, x: Pointer, inputs: int, out: Pointer, outputs: int
) -> None:
    """Row ``out[o]`` is the sum over ``i`` of ``weights[i * in_stride + o * out_stride]`` times row ``x[i]``."""
    o = 0
    while o + _WIDE_OUTPUTS <= outputs:
        _multiply_five(offset(weights, o * out_stride), in_stride, out_stride, x, inputs, offset(out, o * ROW))
        o += _WIDE_OUTPUTS
    while o < outputs:
        _multiply_one(offset(weights, o * out_stride), in_stride, out_stride, x, inputs, offset(out, o * ROW))
        o += 1


@intrinsic
def gather(typing_context: Any, weights: Any, places: Any, x: Any, rows: Any, count: Any, out: Any) -> Any:
    """Row ``out`` is the sum over ``i`` of ``weights[places[i]]`` times row ``x[rows[i]]``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, places, x, rows, count, out = arguments
        v = VectorBuilder(builder)

        def body(i: Any, sums: list[Any]) -> list[Any]:
            w = v.splat(builder.load(v.address(weights, builder.load(v.address(places, i)))))
            row = v.address(x, builder.mul(builder.load(v.address(rows, i)), v.index(ROW)))
            return [v.fma(w, v.load(row, LANES * k), total) for k, total in enumerate(sums)]

        for k, total in enumerate(v.loop(count, [v.constant(0)] * VECTORS, body)):
            v.store(out, LANES * k, total)
        return context.get_dummy_value()

    return types.void(F32_POINTER, I64_POINTER, F32_POINTER, I64_POINTER, types.int64, F32_POINTER), generate


def _sum_lanes(v: VectorBuilder, vectors: list[Any]) -> Any:
    """The sums over the lanes of sixteen vectors, as one vector."""
    even = list(range(0, 2 * LANES, 2))
    odd = [lane + 1 for lane in even]
    while len(vectors) > 1:
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [v.builder.fadd(v.shuffle(x, y, even), v.shuffle(x, y, odd)) for x, y in pairs]
    return vectors[0]


@intrinsic
def dots(typing_context: Any, x: Any, y: Any, groups: Any, stride: Any, out: Any) -> Any:
    """``out[4 i + j]`` is the sum over all positions of row ``x[i]`` times row ``y[j]``, for ``i`` and ``j`` below 4.

    Positions come in ``groups`` of a row's length; both pointers advance by ``stride`` from one to the next.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, y, groups, stride, out = arguments
        v = VectorBuilder(builder)
        lanes, width = (LANES, TILE) if _has_wide_registers(context) else (LANES // 2, TILE // 2)
        parts: dict[tuple[int, int, int], Any] = {}
        for half in range(LANES // lanes):
            for first in range(0, TILE, width):

                def body(group: Any, sums: list[Any], half: int = half, first: int = first) -> list[Any]:
                    at = builder.mul(group, stride)
                    xs, ys = v.address(x, at), v.address(y, at)
                    for k in range(VECTORS):
                        place = k * LANES + half * lanes
                        right = [v.load(ys, (first + j) * ROW + place, lanes) for j in range(width)]
                        for i in range(TILE):
                            left = v.load(xs, i * ROW + place, lanes)
                            for j in range(width):
                                sums[i * width + j] = v.fma(left, right[j], sums[i * width + j])
                    return sums

                for k, total in enumerate(v.loop(groups, [v.constant(0, lanes)] * (TILE * width), body)):
                    parts[k // width, first + k % width, half] = total
        joined = list(range(LANES))
        sums = []
        for i in range(TILE):
            for j in range(TILE):
                whole = lanes == LANES
                sums.append(parts[i, j, 0] if whole else v.shuffle(parts[i, j, 0], parts[i, j, 1], joined))
        v.store(out, 0, _sum_lanes(v, sums))
        return context.get_dummy_value()

    return types.void(F32_POINTER, F32_POINTER, types.int64, types.int64, F32_POINTER), generate


@intrinsic
def signed_bits(typing_context: Any, plus: Any, minus: Any, out: Any) -> Any:
    """32 rows of 1, 0 and -1: row ``s`` is bit ``s`` of ``plus`` less that of ``minus``, words of 64 positions each."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        plus, minus, out = arguments
        v = VectorBuilder(builder)
        words = ir.VectorType(ir.IntType(32), LANES)

        def loaded(pointer: Any, k: int) -> Any:
            return builder.load(builder.bitcast(v.address(pointer, k * LANES), words.as_pointer()), align=4)

        def as_floats(word: Any, bit: int) -> Any:
            mask = ir.Constant(words, [1 << bit] * LANES)
            is_set = builder.icmp_unsigned("!=", builder.and_(word, mask), ir.Constant(words, [0] * LANES))
            return builder.select(is_set, v.constant(1), v.constant(0))

        for k in range(VECTORS):
            added, taken = loaded(plus, k), loaded(minus, k)
            for bit in range(32):
                difference = builder.fsub(as_floats(added, bit), as_floats(taken, bit))
                v.store(out, bit * ROW + k * LANES, difference)
        return context.get_dummy_value()

    return types.void(_U32_POINTER, _U32_POINTER, F32_POINTER), generate


@intrinsic
def activate(typing_context: Any, rows: Any, count: Any, steep: Any, shift: Any) -> Any:
    """Transform ``count`` rows in place: x becomes ``steep`` times tanh(``steep`` x) plus ``shift``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, count, steep, shift = arguments
        v = VectorBuilder(builder)
        steep, shift = v.splat(steep), v.splat(shift)

        def body(i: Any, _: list[Any]) -> list[Any]:
            row = v.address(rows, builder.mul(i, v.index(ROW)))
            for k in range(VECTORS):
                x = v.load(row, k * LANES)
                v.store(row, k * LANES, v.fma(steep, v.tanh(builder.fmul(steep, x)), shift))
            return []

        v.loop(count, [], body)
        return context.get_dummy_value()

    return types.void(F32_POINTER, types.int64, types.float32, types.float32), generate


@intrinsic
def clip(typing_context: Any, rows: Any, count: Any) -> Any:
    """Clip ``count`` rows in place to the range from 0 to 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, count = arguments
        v = VectorBuilder(builder)
        zero, one = v.constant(0), v.constant(1)

        def body(i: Any, _: list[Any]) -> list[Any]:
            row = v.address(rows, builder.mul(i, v.index(ROW)))
            for k in range(VECTORS):
                x = v.load(row, k * LANES)
                x = builder.select(builder.fcmp_ordered(">", x, zero), x, zero)
                v.store(row, k * LANES, builder.select(builder.fcmp_ordered("<", x, one), x, one))
            return []

        v.loop(count, [], body)
        return context.get_dummy_value()

    return types.void(F32_POINTER, types.int64), generate


@entry
def add_weighted_rows(weights: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
    """Add the rows, each times its weight, to ``out``, in order."""
    for i in range(rows.shape[0]):
        if weights[i] != 0.0:
            for j in range(rows.shape[1]):
                out[j] += weights[i] * rows[i, j]
