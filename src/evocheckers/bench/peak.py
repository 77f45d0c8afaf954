"""The peak rate of fused multiply-adds on a core, the yardstick for evaluations and learning."""

from typing import Any

from llvmlite import ir
from numba import types

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import f32, intrinsic
from evocheckers.native.vectors import LANES, VectorBuilder

CHAINS = 12
"""Independent sums, enough to hide the latency of an addition."""


@intrinsic
def _chains(typing_context: Any, rounds: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        v = VectorBuilder(builder)
        # Vectors as wide as a register, so that the chains stay in registers.
        lanes = LANES if "+avx512f" in context.codegen()._tm_features else LANES // 2
        factor, term = v.constant(0.999, lanes), v.constant(0.001, lanes)
        before, body, done = builder.block, builder.append_basic_block("round"), builder.append_basic_block("done")
        builder.branch(body)
        builder.position_at_end(body)
        count = builder.phi(ir.IntType(64))
        count.add_incoming(v.index(0), before)
        sums = [builder.phi(factor.type) for _ in range(CHAINS)]
        following = [v.fma(total, factor, term) for total in sums]
        for i, (phi, after) in enumerate(zip(sums, following, strict=True)):
            phi.add_incoming(v.constant(i, lanes), before)
            phi.add_incoming(after, body)
        next_count = builder.add(count, v.index(CHAINS * lanes))
        count.add_incoming(next_count, body)
        builder.cbranch(builder.icmp_signed("<", next_count, arguments[0]), body, done)
        builder.position_at_end(done)
        total = following[0]
        for other in following[1:]:
            total = builder.fadd(total, other)
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return types.float32(types.int64), generate


@entry
def multiply_adds(count: int) -> f32:
    """Do at least ``count`` fused multiply-adds on floats."""
    return _chains(count)
