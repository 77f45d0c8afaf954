"""Stateless random numbers: each is a hash of its purpose, so that the order of calls does not matter.

Normal deviates and exponentials are computed here from additions, multiplications, divisions and square roots alone.
Library versions differ in their last bits from machine to machine, and runs would differ with them.
"""

from collections.abc import Sequence

import numpy as np

from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import double_bits, double_from_bits, f32, fetch_and_increment, i64, pointer_to, u64
from evocheckers.native.threads import run_threads, thread_count

f64 = np.float64
_MASK = (1 << 64) - 1


@inner
def mix(a: u64, b: u64) -> u64:
    """A 64-bit number that depends on every bit of both."""
    h = u64((a ^ (b * u64(0x9E3779B97F4A7C15))) + u64(0x9E3779B97F4A7C15))
    h = u64((h ^ (h >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    h = u64((h ^ (h >> u64(27))) * u64(0x94D049BB133111EB))
    return u64(h ^ (h >> u64(31)))


def key(*parts: int) -> int:
    """A 64-bit key of its parts, such as seed, generation, purpose, index. The same ``mix``, in Python."""
    h = 0
    for part in parts:
        h = ((h ^ (part & _MASK) * 0x9E3779B97F4A7C15) + 0x9E3779B97F4A7C15) & _MASK
        h = ((h ^ (h >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & _MASK
        h ^= h >> 31
    return h


@inner
def log(x: f64) -> f64:
    """The natural logarithm of a normal positive number, to about 1e-15."""
    bits = double_bits(x)
    exponent = i64(bits >> u64(52)) - 1022
    mantissa = double_from_bits(u64((bits & u64(0x000FFFFFFFFFFFFF)) | u64(0x3FE0000000000000)))
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    t = (mantissa - 1.0) / (mantissa + 1.0)
    square = t * t
    total = 0.0
    for k in range(21, 0, -2):
        total = total * square + 2.0 / k
    return total * t + exponent * 0.6931471805599453


@inner
def exp(x: f64) -> f64:
    """The exponential of a number between -700 and 700, to a relative error of about 1e-15."""
    scale = i64(np.floor(x * 1.4426950408889634 + 0.5))
    r = (x - scale * 0.693147180369123816490) - scale * 1.90821492927058770002e-10
    total = 1.0
    for k in range(14, 0, -1):
        total = 1.0 + total * r / k
    return total * double_from_bits(u64(u64(scale + 1023) << u64(52)))


@inner
def uniform(number: u64) -> f64:
    """A number in (0, 1), excluding both ends, from 64 random bits."""
    return (f64(number >> u64(12)) + 0.5) * 2.0**-52


@inner
def normal(number: u64) -> f64:
    """A standard normal deviate from 64 random bits, by the inverse distribution (Acklam's rational functions).

    Their relative error of 1e-9 is far below what any statistic here can detect.
    """
    p = uniform(number)
    if 0.02425 <= p <= 0.97575:
        q = p - 0.5
        r = q * q
        top = (((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.3577518672690) * r
        top = (top - 30.66479806614716) * r + 2.506628277459239
        bottom = (((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r
        return q * top / ((bottom - 13.28068155288572) * r + 1.0)
    tail = p if p < 0.5 else 1.0 - p
    q = np.sqrt(-2.0 * log(tail))
    top = (((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q
    top = (top + 4.374664141464968) * q + 2.938163982698783
    bottom = (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q
    x = top / (bottom + 1.0)
    return x if p < 0.5 else -x


@entry
def _fill_hashes(seed: u64, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] = mix(seed, u64(i))


@entry
def _fill_uniforms(seed: u64, low: f64, high: f64, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] = f32(low + (high - low) * uniform(mix(seed, u64(i))))


@entry
def _fill_normals(seed: u64, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] = f32(normal(mix(seed, u64(i))))


@entry
def _fill_normal_rows(
    next_row: np.ndarray, stop: np.ndarray, seeds: np.ndarray, scales: np.ndarray, out: np.ndarray
) -> None:
    while stop[0] == 0:
        row = fetch_and_increment(pointer_to(next_row))
        if row >= out.shape[0]:
            break
        for i in range(out.shape[1]):
            if scales[i] != f32(0):
                out[row, i] = f32(normal(mix(seeds[row], u64(i)))) * scales[i]


@entry
def _fill_exponentials(x: np.ndarray, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] = f32(exp(x[i]))


def hashes(seed: int, count: int) -> np.ndarray:
    """The keys ``key(seed, 0)``, ``key(seed, 1)`` and so on, as an array."""
    out = np.empty(count, np.uint64)
    _fill_hashes(u64(key(seed)), out)
    return out


def integers(seed: int, count: int, below: int) -> np.ndarray:
    """``count`` random integers from 0 to ``below - 1``."""
    return (hashes(seed, count) % u64(below)).astype(np.int64)


def uniforms(seed: int, low: float, high: float, count: int) -> np.ndarray:
    """Float32 numbers, uniform between ``low`` and ``high``."""
    out = np.empty(count, np.float32)
    _fill_uniforms(u64(seed), f64(low), f64(high), out)
    return out


def normals(seed: int, count: int) -> np.ndarray:
    """Float32 standard normal deviates."""
    out = np.empty(count, np.float32)
    _fill_normals(u64(seed), out)
    return out


def normal_rows(seeds: Sequence[int], scales: np.ndarray) -> np.ndarray:
    """A row of ``normals`` for each seed, each number times its scale, computed on all cores."""
    out = np.zeros((len(seeds), len(scales)), np.float32)
    keys = np.array(seeds, np.uint64)
    run_threads(lambda _, next_row, stop: _fill_normal_rows(next_row, stop, keys, scales, out), thread_count(None))
    return out


def exponentials(x: np.ndarray) -> np.ndarray:
    """The exponentials of float64 numbers, as float32."""
    out = np.empty(x.size, np.float32)
    _fill_exponentials(np.ascontiguousarray(x, np.float64), out)
    return out
