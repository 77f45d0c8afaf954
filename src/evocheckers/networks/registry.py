"""The kinds of evaluators, one line each, and the compiled functions that call the right kind's code.

An evaluator passed as a compiled function would miss Numba's disk cache in every process. So evaluators are data, a
kind's number and a vector of numbers, and these functions choose by the number. A new kind needs its folder, with a
description as in ``kind``, and its line here.
"""

import enum
import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

import numpy as np

from evocheckers.native.compile import inner, pasted, switch
from evocheckers.native.intrinsics import Pointer, f32, offset, u32, u64
from evocheckers.networks import adjudicator, dense, piece_counting, planes, spatial
from evocheckers.networks.kind import LIMIT, Architecture, EvaluatorKind


class Kind(enum.IntEnum):
    """The kinds of evaluators. Their numbers stand in files and must not change."""

    SPATIAL = 0, spatial.SPATIAL
    SPATIAL_PLAIN = 1, spatial.PLAIN
    DENSE_512 = 2, dense.DENSE_512
    DENSE_128 = 3, dense.DENSE_128
    MATERIAL = 4, piece_counting.PIECE_COUNTING
    ADJUDICATOR = 5, adjudicator.ADJUDICATOR
    """Not for players."""
    PLANES = 6, planes.PLANES
    PLANES_PLAIN = 7, planes.PLAIN
    SPATIAL_BARE = 8, spatial.BARE

    description: EvaluatorKind

    def __new__(cls, number: int, description: EvaluatorKind) -> Self:
        kind = int.__new__(cls, number)
        kind._value_ = number
        kind.description = description
        return kind

    @property
    def plain(self) -> "Kind":
        """The same network in plain loops; the kind itself if it has only one implementation."""
        return next((kind for kind in Kind if kind.description is self.description.plain), self)


ARCHITECTURES: Mapping[Kind, Architecture] = MappingProxyType(
    {kind: kind.description.architecture for kind in Kind if kind.description.architecture is not None}
)
"""The kinds that are networks."""


@functools.cache
def _packed_size(kind: Kind) -> int:
    """The length of the packed vectors of a kind whose networks all have the same layers."""
    owner = next(one for one in ARCHITECTURES if one.plain is kind or one is kind)
    layers = ARCHITECTURES[owner]
    numbers = layers.numbers(layers.usual_width) + layers.has_king_value
    return int(kind.description.pack(np.zeros(numbers, np.float32)).size)


def is_packed(kind: Kind, packed: np.ndarray) -> bool:
    """Whether a vector has the numbers that a kind's compiled code will read."""
    if kind.description.numbers is not None:
        return kind.description.numbers(packed)
    return packed.size == _packed_size(kind)


def kind_named(name: str) -> Kind | None:
    """The kind of network with that name, if any."""
    return next((kind for kind, architecture in ARCHITECTURES.items() if architecture.name == name), None)


_SIZES = {kind: -(-kind.description.scratch // 16) * 16 for kind in Kind}
_SCRATCH_AT = np.zeros(max(Kind) + 1, np.int64)
_SCRATCH_AT[list(_SIZES)] = np.cumsum([0, *_SIZES.values()])[:-1]
"""Where each kind's scratch begins."""
SCRATCH = sum(_SIZES.values())
"""Floats of scratch that ``evaluate`` needs."""

_ENDLESS = f32(np.inf)
_DESCRIPTIONS = {kind.value: kind.description for kind in Kind}


@inner
def _no_margins() -> tuple[f32, f32]:
    return -_ENDLESS, _ENDLESS


margins = switch("margins", "weights", {number: kind.margins for number, kind in _DESCRIPTIONS.items()}, _no_margins)
"""Bounds on a position's value less the sum of its inputs, from a kind and ``weights``; infinite if unknown."""

sum_of_inputs = switch(
    "sum_of_inputs", "weights, own, opp, kings", {number: kind.sum_of_inputs for number, kind in _DESCRIPTIONS.items()}
)
"""The sum of a position's inputs, for kinds with known margins."""

_value = switch(
    "value",
    "weights, scratch, own, opp, kings, turned, salt",
    {number: kind.evaluate for number, kind in _DESCRIPTIONS.items()},
    is_pasted=True,
)


@pasted
def evaluate(
    kind: int, weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool, salt: u64
) -> f32:
    """The value of a position to the side of ``own``, whose men move up; ``turned``: it sees the board upside down."""
    value = _value(kind, weights, offset(scratch, _SCRATCH_AT[kind]), own, opp, kings, turned, salt)
    value = value if value > -LIMIT else -LIMIT
    return value if value < LIMIT else LIMIT
