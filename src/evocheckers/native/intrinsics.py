"""Operations that Numba lacks, one or two LLVM instructions each: bits, pointers, fused multiply-add, atomic counter.

In hot loops, arrays cost reference counts and index checks; pointers do not. A pointer keeps nothing alive, so the
arrays behind it are arguments of the entry function, owned by its caller.

Numba widens ``uint32`` arithmetic to 64 bits. Every shift, complement or sum of boards is cast back with ``u32``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types

u32 = np.uint32
u64 = np.uint64
i64: Any = np.int64
f32 = np.float32

Pointer = Any
"""A typed machine address: indexable, and nothing else."""

F32_POINTER = types.CPointer(types.float32)
I64_POINTER = types.CPointer(types.int64)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Numba's decorator: the function returns a signature and a generator of its instructions."""
    return extending.intrinsic(function)


def _bit_operation(name: str, kind: Any = types.uint32, flags: tuple[int, ...] = ()) -> Any:
    def operation(typing_context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, bit = ir.IntType(kind.bitwidth), ir.IntType(1)
            function = builder.module.declare_intrinsic(
                name, [word], ir.FunctionType(word, [word] + [bit] * len(flags))
            )
            return builder.call(function, [arguments[0], *(ir.Constant(bit, flag) for flag in flags)])

        return kind(kind), generate

    return intrinsic(operation)


popcount = _bit_operation("llvm.ctpop")
popcount_64 = _bit_operation("llvm.ctpop", types.uint64)
lowest_bit_index = _bit_operation("llvm.cttz", flags=(1,))
lowest_bit_index_64 = _bit_operation("llvm.cttz", types.uint64, flags=(1,))
reverse_bits = _bit_operation("llvm.bitreverse")
reverse_bits_64 = _bit_operation("llvm.bitreverse", types.uint64)


@intrinsic
def pointer_to(typing_context: Any, array: Any) -> Any:
    """The address of an array's first element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic
def offset(typing_context: Any, pointer: Any, count: Any) -> Any:
    """The address ``count`` elements further on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return pointer(pointer, types.int64), generate


def _address_of(kind: Any) -> Any:
    def operation(typing_context: Any, pointer: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], ir.IntType(kind.bitwidth).as_pointer())

        return types.CPointer(kind)(pointer), generate

    return intrinsic(operation)


as_words = _address_of(types.uint32)
as_long_words = _address_of(types.uint64)
as_indices = _address_of(types.int64)
as_shorts = _address_of(types.int16)
"""The same address as a pointer to 32-bit or 64-bit words, or to 64-bit or 16-bit integers."""


@intrinsic
def fma(typing_context: Any, x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float32(types.float32, types.float32, types.float32), generate


def _reinterpretation(source: Any, target: Any, emitted: Any) -> Any:
    def operation(typing_context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], emitted)

        return target(source), generate

    return intrinsic(operation)


float_bits = _reinterpretation(types.float32, types.uint32, ir.IntType(32))
float_from_bits = _reinterpretation(types.uint32, types.float32, ir.FloatType())
double_bits = _reinterpretation(types.float64, types.uint64, ir.IntType(64))
double_from_bits = _reinterpretation(types.uint64, types.float64, ir.DoubleType())
"""The same bits, as a number or as a word."""


@intrinsic
def fetch_and_increment(typing_context: Any, pointer: Any) -> Any:
    """Add one to a counter that threads share, and return its old value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", arguments[0], ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(I64_POINTER), generate


def aligned(shape: int | tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """A zeroed array that starts on a cache line."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(kind).reshape(shape)
