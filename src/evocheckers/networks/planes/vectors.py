"""The network of planes as vector code: the same bits as ``reference.evaluate``, several times as fast.

The wide layer is updated incrementally. Two positions are remembered with their sums. The sums of the nearer one are
updated by the columns of the pieces that were added and removed, unless there are fewer pieces than that on the board.
Two positions are needed because leaves are valued by the side to move, which alternates, and each side sees the board
its own way round.

They are kept in the scratch, identified by the digest of their network.
"""

from typing import Any

from llvmlite import ir
from numba import types

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import (
    F32_POINTER,
    I64_POINTER,
    Pointer,
    as_indices,
    as_long_words,
    as_shorts,
    as_words,
    f32,
    i64,
    intrinsic,
    lowest_bit_index_64,
    offset,
    popcount_64,
    u32,
    u64,
)
from evocheckers.native.vectors import LANES, VectorBuilder
from evocheckers.networks.planes.reference import (
    BIASES,
    DIGEST,
    HEADER,
    INPUTS,
    NARROW,
    ONE,
    OUTPUT_BIAS,
    SECOND,
    SHORTS_ROOM,
    UNIT,
    WIDTH,
    sum_of_inputs,
)
from evocheckers.rules.bitboard import upside_down

_SLOTS = 2
_BOARDS, _COME, _GONE = 2, 16, 96
"""Offsets: men and kings of each remembered position; the offsets of the columns to add, and of those to subtract."""
_SUMS = 176
_NODES = _SUMS + _SLOTS * SHORTS_ROOM
SCRATCH = _NODES + SHORTS_ROOM
"""Words of scratch needed."""

_CHUNK = 32
"""Nodes whose sums are held in registers at once."""
_NONE = u64(0)


def _shorts(v: VectorBuilder, pointer: Any, at: Any, lanes: int) -> Any:
    """The address of a vector of 16-bit numbers."""
    kind = ir.VectorType(ir.IntType(16), lanes)
    return v.builder.bitcast(v.address(pointer, at), kind.as_pointer())


@intrinsic
def _follow(
    typing_context: Any,
    before: Any,
    columns: Any,
    come: Any,
    come_pairs: Any,
    gone: Any,
    gone_pairs: Any,
    width: Any,
    sums: Any,
    nodes: Any,
) -> Any:
    """New sums from old ones, by pairs of columns added and subtracted; and the nodes' activations."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        before, columns, come, come_pairs, gone, gone_pairs, width, sums, nodes = arguments
        v = VectorBuilder(builder)
        kind = ir.VectorType(ir.IntType(16), _CHUNK)
        least, most = ir.Constant(kind, [0] * _CHUNK), ir.Constant(kind, [ONE] * _CHUNK)

        def chunk(i: Any, _: list[Any]) -> list[Any]:
            at = builder.mul(i, v.index(_CHUNK))

            def column(listed: Any, k: int) -> Any:
                place = builder.add(builder.load(v.address(listed, k)), at)
                return builder.load(_shorts(v, columns, place, _CHUNK), align=2)

            total = [builder.load(_shorts(v, before, at, _CHUNK), align=2)]
            for change, listed, pairs in ((builder.add, come, come_pairs), (builder.sub, gone, gone_pairs)):

                def two(k: Any, x: list[Any], change: Any = change, listed: Any = listed) -> list[Any]:
                    first, second = (column(v.address(listed, builder.mul(k, v.index(2))), i) for i in range(2))
                    return [change(change(x[0], first), second)]

                total = v.loop(pairs, total, two)
            builder.store(total[0], _shorts(v, sums, at, _CHUNK), align=2)
            x = builder.select(builder.icmp_signed(">", total[0], least), total[0], least)
            x = builder.select(builder.icmp_signed("<", x, most), x, most)
            builder.store(x, _shorts(v, nodes, at, _CHUNK), align=2)
            return []

        v.loop(builder.sdiv(width, v.index(_CHUNK)), [], chunk)
        return context.get_dummy_value()

    short, index = types.CPointer(types.int16), types.int64
    return types.void(short, short, I64_POINTER, index, I64_POINTER, index, index, short, short), generate


_CHAINS = 4
"""Pairs of inputs processed at once, each with its own sums, so that none waits for another."""


@intrinsic
def _narrow(typing_context: Any, nodes: Any, second: Any, pairs: Any, biases: Any, bias: Any) -> Any:
    """The network's part of the value, from the wide layer's nodes. The output's weights follow the biases."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nodes, second, pairs, biases, bias = arguments
        v = VectorBuilder(builder)
        word = ir.IntType(32)
        both, products = ir.VectorType(ir.IntType(16), 2 * LANES), ir.VectorType(word, 2 * LANES)
        half = ir.VectorType(word, LANES)
        parts = NARROW // LANES
        even = list(range(0, 2 * LANES, 2))

        def body(i: Any, sums: list[Any]) -> list[Any]:
            following = []
            for chain in range(_CHAINS):
                pair = builder.add(builder.mul(i, v.index(_CHAINS)), v.index(chain))
                x = builder.load(v.address(nodes, pair))
                first = builder.insert_element(ir.Constant(half, ir.Undefined), x, ir.Constant(word, 0))
                x = builder.sext(builder.bitcast(v.shuffle(first, first, [0] * LANES), both), products)
                row = builder.mul(pair, v.index(2 * NARROW))
                for part in range(parts):
                    at = builder.add(row, v.index(2 * LANES * part))
                    w = builder.load(_shorts(v, second, at, 2 * LANES), align=2)
                    product = builder.mul(x, builder.sext(w, products))
                    low, high = (v.shuffle(product, product, lanes) for lanes in (even, [lane + 1 for lane in even]))
                    following.append(builder.add(sums[chain * parts + part], builder.add(low, high)))
            return following

        def whole(at: int) -> Any:
            return builder.load(builder.bitcast(v.address(biases, at), half.as_pointer()), align=4)

        nothing = ir.Constant(half, [0] * LANES)
        begun = [whole(LANES * part) for part in range(parts)] + [nothing] * (parts * (_CHAINS - 1))
        chains = v.loop(builder.sdiv(pairs, v.index(_CHAINS)), begun, body)
        sums = chains[:parts]
        for i, total in enumerate(chains[parts:]):
            sums[i % parts] = builder.add(sums[i % parts], total)
        zero, one = v.constant(0), v.constant(1)
        total = builder.insert_element(zero, bias, ir.Constant(word, 0))
        for part, found in enumerate(sums):
            x = builder.fmul(builder.sitofp(found, zero.type), v.constant(UNIT))
            x = builder.select(builder.fcmp_ordered(">", x, zero), x, zero)
            x = builder.select(builder.fcmp_ordered("<", x, one), x, one)
            total = v.fma(x, v.load(biases, NARROW + LANES * part), total)
        lanes = LANES // 2
        while lanes:
            low, high = (v.shuffle(total, total, list(range(from_, from_ + lanes))) for from_ in (0, lanes))
            total = builder.fadd(low, high)
            lanes //= 2
        return builder.extract_element(total, ir.Constant(word, 0))

    words, short = types.CPointer(types.uint32), types.CPointer(types.int16)
    return types.float32(words, short, types.int64, F32_POINTER, types.float32), generate


@inner
def _forget(weights: Pointer, scratch: Pointer, width: int) -> None:
    """Remember the empty board, twice: its sums are the biases."""
    ours, theirs, boards = as_words(scratch), as_words(weights), as_long_words(offset(scratch, _BOARDS))
    for slot in range(_SLOTS):
        boards[2 * slot], boards[2 * slot + 1] = _NONE, _NONE
        for i in range(width // 2):
            ours[_SUMS + slot * SHORTS_ROOM + i] = theirs[HEADER + i]
    ours[0], ours[1] = theirs[DIGEST], theirs[DIGEST + 1]


@inner
def _next_column(squares: u64, width: int) -> int:
    """The offset of the lowest square's column; with no square, that of the column of zeros."""
    return (i64(lowest_bit_index_64(squares)) if squares != _NONE else INPUTS) * width


@inner
def _without_lowest(squares: u64) -> u64:
    return u64(squares & (squares - u64(1)))


@inner
def _list_columns(listed: Pointer, men: u64, kings: u64, width: int) -> int:
    """List the offsets of some squares' columns; returns the number of pairs, the last one padded with zeros.

    Most often one or two men are added or removed: these are listed without a branch, which would be unpredictable.
    """
    count = min(i64(popcount_64(men)), 2)
    for i in range(2):
        listed[i] = _next_column(men, width)
        men = _without_lowest(men)
    while men != _NONE:
        listed[count] = _next_column(men, width)
        men = _without_lowest(men)
        count += 1
    while kings != _NONE:
        listed[count] = _next_column(kings, width) + 64 * width
        kings = _without_lowest(kings)
        count += 1
    listed[count] = INPUTS * width
    return (count + 1) // 2


@inner
def evaluate(weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool) -> f32:
    """The network's pre-activation from packed weights."""
    if turned:
        own, opp, kings = upside_down(own, opp, kings)
    width = i64(weights[WIDTH])
    ours, theirs = as_words(scratch), as_words(weights)
    if ours[0] != theirs[DIGEST] or ours[1] != theirs[DIGEST + 1]:
        _forget(weights, scratch, width)
    men = u64(u64(own & ~kings) | u64(u64(opp & ~kings) << u64(32)))
    crowned = u64(u64(own & kings) | u64(u64(opp & kings) << u64(32)))
    boards = as_long_words(offset(scratch, _BOARDS))
    distance = i64(popcount_64(u64(men ^ boards[0]))) + i64(popcount_64(u64(crowned ^ boards[1])))
    other = i64(popcount_64(u64(men ^ boards[2]))) + i64(popcount_64(u64(crowned ^ boards[3])))
    slot = 0
    if other < distance:
        slot, distance = 1, other
    first = as_shorts(offset(weights, HEADER))
    sums = as_shorts(offset(scratch, _SUMS + slot * SHORTS_ROOM))
    board = offset(boards, 2 * slot)
    before, old_men, old_kings = sums, board[0], board[1]
    if distance >= i64(popcount_64(men)) + i64(popcount_64(crowned)):
        before, old_men, old_kings = first, _NONE, _NONE
    come, gone = as_indices(offset(scratch, _COME)), as_indices(offset(scratch, _GONE))
    come_pairs = _list_columns(come, u64(men & ~old_men), u64(crowned & ~old_kings), width)
    gone_pairs = _list_columns(gone, u64(old_men & ~men), u64(old_kings & ~crowned), width)
    board[0], board[1] = men, crowned
    nodes = offset(scratch, _NODES)
    _follow(before, offset(first, width), come, come_pairs, gone, gone_pairs, width, sums, as_shorts(nodes))
    second, biases = offset(first, SECOND * width), offset(weights, HEADER + BIASES * width // 2)
    value = _narrow(as_words(nodes), second, width // 2, biases, weights[OUTPUT_BIAS])
    return value + sum_of_inputs(weights, own, opp, kings)
