"""The network of planes for learning: its wide layer is summed by the pieces on the board. See ``reference``.

There are at most 24 pieces but 128 inputs: so each position adds the columns of its pieces, with nodes in lanes, and
the sums are transposed into rows. The gradient goes back the same way, position by position.
"""

from typing import Any

import numpy as np
from numba import types

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import (
    F32_POINTER,
    Pointer,
    f32,
    fma,
    i64,
    intrinsic,
    lowest_bit_index,
    offset,
    pointer_to,
    popcount,
    u32,
)
from evocheckers.native.matrices import ROW
from evocheckers.native.vectors import LANES, VectorBuilder
from evocheckers.networks.gradient_layout import (
    BY_KING,
    BY_VALUE,
    OUT,
    OUTPUTS,
    SLOPES,
    CompiledLayout,
    GradientFunctions,
    GradientLayout,
)
from evocheckers.networks.planes import reference as planes

PIECES = 24
_TOTAL, _KING_TOTAL, _TURNED = 3, 4, 5
"""Rows after the values: the sum of the pieces, that of the kings, and sums or derivatives position by position."""
_CHUNK = 2 * LANES
_U32_POINTER = types.CPointer(types.uint32)


def layout(kind: int, width: int) -> GradientLayout:
    """The layout of networks of a width."""
    numbers = planes.ARCHITECTURE.numbers(width)
    return GradientLayout(
        kind=kind,
        sizes=(width, planes.NARROW, 1),
        first=np.arange((planes.INPUTS + 1) * width).reshape(-1, width),
        places=np.arange(numbers),
        flat=numbers,
        has_king_value=True,
        is_sigmoid=False,
        own_rows=2 + width,
        clipped=True,
        pieces=PIECES,
        grids=planes.grids(width),
        limits=planes.limits(width),
    )


@intrinsic
def _add_columns(typing_context: Any, numbers: Any, listed: Any, count: Any, width: Any, out: Any) -> Any:
    """``out`` is the sum of the listed columns of ``width`` numbers, added in order."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers, listed, count, width, out = arguments
        v = VectorBuilder(builder)

        def chunk(i: Any, _: list[Any]) -> list[Any]:
            at = builder.mul(i, v.index(_CHUNK))

            def body(k: Any, sums: list[Any]) -> list[Any]:
                place = builder.zext(builder.load(v.address(listed, k)), at.type)
                column = v.address(numbers, builder.add(place, at))
                return [builder.fadd(total, v.load(column, LANES * part)) for part, total in enumerate(sums)]

            for part, total in enumerate(v.loop(count, [v.constant(0)] * 2, body)):
                v.store(v.address(out, at), LANES * part, total)
            return []

        v.loop(builder.sdiv(width, v.index(_CHUNK)), [], chunk)
        return context.get_dummy_value()

    return types.void(F32_POINTER, _U32_POINTER, types.int64, types.int64, F32_POINTER), generate


@intrinsic
def _add_to_columns(typing_context: Any, x: Any, listed: Any, count: Any, width: Any, out: Any) -> Any:
    """Add ``width`` numbers to each of the listed columns of ``out``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, listed, count, width, out = arguments
        v = VectorBuilder(builder)

        def chunk(i: Any, _: list[Any]) -> list[Any]:
            at = builder.mul(i, v.index(_CHUNK))
            added = [v.load(v.address(x, at), LANES * part) for part in range(2)]

            def body(k: Any, _: list[Any]) -> list[Any]:
                place = builder.zext(builder.load(v.address(listed, k)), at.type)
                column = v.address(out, builder.add(place, at))
                for part, more in enumerate(added):
                    v.store(column, LANES * part, builder.fadd(v.load(column, LANES * part), more))
                return []

            v.loop(count, [], body)
            return []

        v.loop(builder.sdiv(width, v.index(_CHUNK)), [], chunk)
        return context.get_dummy_value()

    return types.void(F32_POINTER, _U32_POINTER, types.int64, types.int64, F32_POINTER), generate


@intrinsic
def _turn_tile(typing_context: Any, x: Any, stride: Any, out: Any, out_stride: Any) -> Any:
    """Transpose a tile of sixteen by sixteen numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, stride, out, out_stride = arguments
        v = VectorBuilder(builder)
        rows = [v.load(v.address(x, builder.mul(stride, v.index(i)))) for i in range(LANES)]
        step = LANES // 2
        while step:
            low = [lane if not lane & step else LANES + lane - step for lane in range(LANES)]
            high = [lane + step if not lane & step else LANES + lane for lane in range(LANES)]
            for i in range(LANES):
                if not i & step:
                    one, other = rows[i], rows[i + step]
                    rows[i], rows[i + step] = v.shuffle(one, other, low), v.shuffle(one, other, high)
            step //= 2
        for i, row in enumerate(rows):
            v.store(v.address(out, builder.mul(out_stride, v.index(i))), 0, row)
        return context.get_dummy_value()

    return types.void(F32_POINTER, types.int64, F32_POINTER, types.int64), generate


@inner
def _turn(x: Pointer, rows: int, columns: int, out: Pointer) -> None:
    """Transpose a matrix; the numbers of rows and columns are multiples of sixteen."""
    for i in range(0, rows, LANES):
        for j in range(0, columns, LANES):
            _turn_tile(offset(x, i * columns + j), columns, offset(out, j * rows + i), rows)


@inner
def _list_pieces(own: u32, opp: u32, kings: u32, width: int, listed: Pointer) -> int:
    """List where the columns of a position's pieces begin, the biases' column first; returns their number."""
    listed[0] = u32(planes.INPUTS * width)
    count = 1
    for plane in range(4):
        squares = own if plane < 2 else opp
        squares = u32(squares & kings) if plane % 2 else u32(squares & ~kings)
        while squares != u32(0):
            listed[count] = u32((32 * plane + i64(lowest_bit_index(squares))) * width)
            squares = u32(squares & (squares - u32(1)))
            count += 1
    return count


@inner
def fill_inputs(layout: CompiledLayout, numbers: Pointer, boards: Pointer, rows: Pointer) -> None:
    """Fill in the sums of the pieces of 64 positions."""
    own, opp, crowned = boards, offset(boards, ROW), offset(boards, 2 * ROW)
    total, king_total = offset(rows, (layout.value + _TOTAL) * ROW), offset(rows, (layout.value + _KING_TOTAL) * ROW)
    king_value = numbers[layout.king]
    for p in range(ROW):
        kings = i64(popcount(u32(own[p] & crowned[p]))) - i64(popcount(u32(opp[p] & crowned[p])))
        men = i64(popcount(own[p])) - i64(popcount(opp[p])) - kings
        king_total[p] = f32(kings)
        total[p] = fma(king_value, f32(kings), f32(men))


@inner
def first_layer(layout: CompiledLayout, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """Each position sums the columns of its pieces; the sums become rows."""
    width, sums = layout.layers[0, OUTPUTS], offset(rows, (layout.value + _TURNED) * ROW)
    for p in range(ROW):
        count = _list_pieces(boards[p], boards[ROW + p], boards[2 * ROW + p], width, words)
        _add_columns(numbers, words, count, width, offset(sums, p * width))
    _turn(sums, ROW, width, offset(rows, layout.layers[0, OUT] * ROW))


@inner
def add_inputs(layout: CompiledLayout, rows: Pointer) -> None:
    """Add the sum of the pieces to the value, with a weight of one."""
    value, total = offset(rows, layout.value * ROW), offset(rows, (layout.value + _TOTAL) * ROW)
    for p in range(ROW):
        value[p] += total[p]


@inner
def king_slopes(layout: CompiledLayout, rows: Pointer) -> None:
    """The derivative of the loss by K for each position: K occurs only in the sum of the pieces."""
    by_value, by_king = offset(rows, (layout.result + BY_VALUE) * ROW), offset(rows, (layout.result + BY_KING) * ROW)
    king_total = offset(rows, (layout.value + _KING_TOTAL) * ROW)
    for p in range(ROW):
        by_king[p] = by_value[p] * king_total[p]


@inner
def begin_gradient(layout: CompiledLayout, out: np.ndarray) -> None:
    """Clear the sums to which positions add their parts."""
    for i in range((planes.INPUTS + 1) * layout.layers[0, OUTPUTS]):
        out[i] = f32(0)


@inner
def add_first_gradient(layout: CompiledLayout, boards: Pointer, words: Pointer, rows: Pointer, out: np.ndarray) -> None:
    """Each of 64 positions adds its derivatives to the columns of its pieces."""
    width, slopes = layout.layers[0, OUTPUTS], offset(rows, (layout.value + _TURNED) * ROW)
    _turn(offset(rows, layout.layers[0, SLOPES] * ROW), width, ROW, slopes)
    for p in range(ROW):
        count = _list_pieces(boards[p], boards[ROW + p], boards[2 * ROW + p], width, words)
        _add_to_columns(offset(slopes, p * width), words, count, width, pointer_to(out))


PLANES = GradientFunctions(
    layout, fill_inputs, first_layer, add_inputs, king_slopes, begin_gradient, add_first_gradient
)
