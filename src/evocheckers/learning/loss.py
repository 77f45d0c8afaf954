"""The logistic loss of scale times value against a game's result, and its derivatives.

With t = scale times value and z the result, the loss is max(t, 0) - z t - log(m), where m = 1 / (1 + exp(-|t|)). Both
the logistic function and m come from the package's tanh; the logarithm from its series, since m is at least one half.
"""

from typing import Any

from numba import types

from evocheckers.native.intrinsics import F32_POINTER, intrinsic
from evocheckers.native.matrices import ROW, VECTORS
from evocheckers.native.vectors import LANES, VectorBuilder
from evocheckers.networks.gradient_layout import BY_SCALE, BY_VALUE, LOSS

_TERMS = 7
"""Terms of the series of log(m); the remainder is below 1e-8."""


def _minus_log(v: VectorBuilder, tanh: Any) -> Any:
    """-log((1 + tanh) / 2) for a tanh from 0 to 1: twice the inverse tanh of (1 - tanh) / (3 + tanh)."""
    builder = v.builder
    u = builder.fdiv(builder.fsub(v.constant(1), tanh), builder.fadd(v.constant(3), tanh))
    square = builder.fmul(u, u)
    total = v.constant(2 / (2 * _TERMS - 1))
    for term in range(_TERMS - 2, -1, -1):
        total = v.fma(total, square, v.constant(2 / (2 * term + 1)))
    return builder.fmul(u, total)


@intrinsic
def slopes_of_loss(typing_context: Any, values: Any, scale: Any, result: Any) -> Any:
    """Fill the rows of ``result`` except that of K; the rows of targets and of counted positions follow ``values``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, scale, result = arguments
        v = VectorBuilder(builder)
        scale, zero, half = v.splat(scale), v.constant(0), v.constant(0.5)
        for k in range(VECTORS):
            value, target, counts = (v.load(values, row * ROW + k * LANES) for row in range(3))
            t = builder.fmul(scale, value)
            tanh = v.tanh(builder.fmul(half, t))
            slope = builder.fmul(builder.fsub(v.fma(half, tanh, half), target), counts)
            by_value = builder.fmul(slope, scale)
            size = builder.select(builder.fcmp_ordered("<", tanh, zero), builder.fneg(tanh), tanh)
            positive = builder.select(builder.fcmp_ordered(">", t, zero), t, zero)
            loss = builder.fadd(v.fma(builder.fneg(target), t, positive), _minus_log(v, size))
            v.store(result, BY_VALUE * ROW + k * LANES, by_value)
            v.store(result, BY_SCALE * ROW + k * LANES, builder.fmul(by_value, value))
            v.store(result, LOSS * ROW + k * LANES, builder.fmul(loss, counts))
        return context.get_dummy_value()

    return types.void(F32_POINTER, types.float32, F32_POINTER), generate
