"""The kinds of networks that can learn: a new kind needs its own file and a line in each function here."""

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer
from evocheckers.networks.dense import gradient as dense
from evocheckers.networks.gradient_layout import LearningError, Plan, Shape
from evocheckers.networks.planes import gradient as planes
from evocheckers.networks.registry import FORMS, Kind
from evocheckers.networks.spatial import gradient as spatial

LEARNING: Mapping[Kind, Callable[[int], Shape]] = MappingProxyType(
    {
        Kind.SPATIAL: lambda _: spatial.SHAPE,
        Kind.PLANES: planes.shape,
        Kind.SPATIAL_BARE: lambda _: spatial.BARE_SHAPE,
        Kind.DENSE_512: lambda _: dense.SHAPES[512],
        Kind.DENSE_128: lambda _: dense.SHAPES[128],
    }
)
"""The shape of each kind, by the width of the first layer."""

_SPATIAL, _PLANES, _SPATIAL_BARE = Kind.SPATIAL.value, Kind.PLANES.value, Kind.SPATIAL_BARE.value


@functools.cache
def shape_of(kind: Kind, width: int) -> Shape:
    """The shape of networks of a kind and width."""
    if kind not in LEARNING:
        raise LearningError(f"{kind.name} networks cannot learn")
    return LEARNING[kind](width)


def shape_with(kind: Kind, numbers: int) -> Shape:
    """The shape of a learner with this many numbers: the flat vector, K if the kind has one, and the scale."""
    form = FORMS.get(kind)
    width = form.width_of(numbers - form.has_king_value - 1) if form else 0
    if width is None:
        raise LearningError(f"no {kind.name.lower()} network learns with {numbers} numbers")
    return shape_of(kind, width)


@inner
def fill_inputs(plan: Plan, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """Fill in the input rows of 64 positions; ``boards`` holds own, opp and kings, ``words`` is scratch."""
    if plan.kind in (_SPATIAL, _SPATIAL_BARE):
        spatial.fill_inputs(plan, numbers, boards, words, rows)
    elif plan.kind == _PLANES:
        planes.fill_inputs(plan, numbers, boards, rows)
    else:
        dense.fill_inputs(plan, boards, words, rows)


@inner
def first_layer(plan: Plan, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """The pre-activations of the first layer."""
    if plan.kind in (_SPATIAL, _SPATIAL_BARE):
        spatial.first_layer(plan, numbers, rows)
    elif plan.kind == _PLANES:
        planes.first_layer(plan, numbers, boards, words, rows)
    else:
        dense.first_layer(plan, numbers, rows)


@inner
def add_inputs(plan: Plan, rows: Pointer) -> None:
    """Add to the values what reaches the output directly, bypassing the layers."""
    if plan.kind == _SPATIAL:
        spatial.add_inputs(plan, rows)
    elif plan.kind == _PLANES:
        planes.add_inputs(plan, rows)


@inner
def king_slopes(plan: Plan, numbers: Pointer, rows: Pointer) -> None:
    """The derivatives of the loss by K, if the kind has one."""
    if plan.kind in (_SPATIAL, _SPATIAL_BARE):
        spatial.king_slopes(plan, numbers, rows, plan.kind == _SPATIAL)
    elif plan.kind == _PLANES:
        planes.king_slopes(plan, rows)


@inner
def begin_gradient(plan: Plan, out: np.ndarray) -> None:
    """Prepare the gradient for the positions of a block."""
    if plan.kind == _PLANES:
        planes.begin_gradient(plan, out)


@inner
def add_first_gradient(plan: Plan, boards: Pointer, words: Pointer, rows: Pointer, out: np.ndarray) -> None:
    """Add the gradient of 64 positions by the first layer's weights, if the kind sums that layer by pieces."""
    if plan.kind == _PLANES:
        planes.add_first_gradient(plan, boards, words, rows, out)
