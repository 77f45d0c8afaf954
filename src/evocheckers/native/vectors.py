"""Building blocks for vector code in LLVM instructions, and the package's only tanh.

Vectors have sixteen floats on every processor: LLVM splits them into the registers available, which changes no bit. No
fast-math flag is ever set, so additions stay in the order written here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, fma

LANES = 16

TANH_LIMIT = f32(8.5)
TANH_P = tuple(map(f32, (9.999989537e-01, 1.286754588e-01, 2.889941159e-03, 1.079586232e-05)))
TANH_Q = tuple(map(f32, (1.0, 4.620050779e-01, 2.356218008e-02, 2.301997068e-04, 2.262295185e-07)))
"""tanh x = x P(x²) / Q(x²) on [-8.5, 8.5], with one true division. The error is below 5e-7: the largest over all floats
is 4.81e-7, at 5.679891."""

_P0, _P1, _P2, _P3 = TANH_P
_Q0, _Q1, _Q2, _Q3, _Q4 = TANH_Q


@inner
def tanh(x: f32) -> f32:
    """The package's tanh for one number; ``VectorBuilder.tanh`` computes the same for sixteen, bit for bit."""
    x = x if x > -TANH_LIMIT else -TANH_LIMIT
    x = x if x < TANH_LIMIT else TANH_LIMIT
    u = x * x
    p = fma(fma(fma(_P3, u, _P2), u, _P1), u, _P0)
    q = fma(fma(fma(fma(_Q4, u, _Q3), u, _Q2), u, _Q1), u, _Q0)
    return x * p / q


@inner
def sigmoid(x: f32) -> f32:
    """1 / (1 + exp(-x)), through the same tanh."""
    return fma(f32(0.5), tanh(f32(0.5) * x), f32(0.5))


class VectorBuilder:
    """Emits instructions on vectors of floats at the builder's current position."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def constant(self, x: float | f32, lanes: int = LANES) -> Any:
        return ir.Constant(ir.VectorType(ir.FloatType(), lanes), [float(np.float32(x))] * lanes)

    def index(self, i: int) -> Any:
        return ir.Constant(ir.IntType(64), i)

    def address(self, pointer: Any, elements: Any) -> Any:
        """``pointer`` plus a constant or computed number of elements."""
        return self.builder.gep(pointer, [self.index(elements) if isinstance(elements, int) else elements])

    def load(self, pointer: Any, at: int = 0, lanes: int = LANES) -> Any:
        kind = ir.VectorType(ir.FloatType(), lanes)
        return self.builder.load(self.builder.bitcast(self.address(pointer, at), kind.as_pointer()), align=4)

    def store(self, pointer: Any, at: int, vector: Any) -> None:
        target = self.builder.bitcast(self.address(pointer, at), vector.type.as_pointer())
        self.builder.store(vector, target, align=4)

    def loop(self, count: Any, carried: list[Any], body: Callable[[Any, list[Any]], list[Any]]) -> list[Any]:
        """Run ``body(index, values)`` ``count`` times; the values it returns are carried to the next round."""
        builder = self.builder
        before, inside, done = builder.block, builder.append_basic_block("round"), builder.append_basic_block("done")
        builder.cbranch(builder.icmp_signed(">", count, self.index(0)), inside, done)
        builder.position_at_end(inside)
        index = builder.phi(ir.IntType(64))
        index.add_incoming(self.index(0), before)
        values = [builder.phi(value.type) for value in carried]
        for phi, value in zip(values, carried, strict=True):
            phi.add_incoming(value, before)
        following = body(index, list(values))
        last = builder.block
        for phi, value in zip(values, following, strict=True):
            phi.add_incoming(value, last)
        next_index = builder.add(index, self.index(1))
        index.add_incoming(next_index, last)
        builder.cbranch(builder.icmp_signed("<", next_index, count), inside, done)
        builder.position_at_end(done)
        results = []
        for value, after in zip(carried, following, strict=True):
            result = builder.phi(value.type)
            result.add_incoming(value, before)
            result.add_incoming(after, last)
            results.append(result)
        return results

    def splat(self, x: Any) -> Any:
        """One float in every lane."""
        kind = ir.VectorType(ir.FloatType(), LANES)
        first = self.builder.insert_element(ir.Constant(kind, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
        return self.shuffle(first, first, [0] * LANES)

    def fma(self, x: Any, y: Any, z: Any) -> Any:
        name = f"llvm.fma.v{x.type.count}f32"
        kind = ir.FunctionType(x.type, [x.type] * 3)
        function = self.builder.module.globals.get(name) or ir.Function(self.builder.module, kind, name)
        return self.builder.call(function, [x, y, z])

    def shuffle(self, x: Any, y: Any, lanes: list[int]) -> Any:
        """Select lanes of x (from 0) and of y (from the width of x)."""
        return self.builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes))

    def tanh(self, x: Any) -> Any:
        builder, lanes = self.builder, x.type.count
        low, high = self.constant(-TANH_LIMIT, lanes), self.constant(TANH_LIMIT, lanes)
        x = builder.select(builder.fcmp_ordered(">", x, low), x, low)
        x = builder.select(builder.fcmp_ordered("<", x, high), x, high)
        u = builder.fmul(x, x)
        p, q = self.constant(TANH_P[-1], lanes), self.constant(TANH_Q[-1], lanes)
        for coefficient in TANH_P[-2::-1]:
            p = self.fma(p, u, self.constant(coefficient, lanes))
        for coefficient in TANH_Q[-2::-1]:
            q = self.fma(q, u, self.constant(coefficient, lanes))
        return builder.fdiv(builder.fmul(x, p), q)

    def add_neighbours(self, x: Any, y: Any) -> Any:
        """In every group of four lanes: x0+x1, x2+x3, y0+y1, y2+y3."""
        groups, width = range(0, x.type.count, 4), x.type.count
        even = [4 * (g // 4) + lane + side * width for g in groups for side in (0, 1) for lane in (0, 2)]
        return self.builder.fadd(self.shuffle(x, y, even), self.shuffle(x, y, [lane + 1 for lane in even]))

    def sum_fours(self, a: Any, b: Any, c: Any, d: Any) -> Any:
        """In every group of four lanes: the sums (x0+x1)+(x2+x3) of a, b, c and d."""
        return self.add_neighbours(self.add_neighbours(a, b), self.add_neighbours(c, d))
