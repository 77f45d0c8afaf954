"""The kinds of evaluators, and one compiled function for all: a kind and a vector of numbers are data, not code.

An evaluator passed as a compiled function would miss Numba's disk cache in every process.

To add a kind, write its own file, a name in ``Kind``, a line in ``FORMS`` if it is a network, and a line in
``evaluate``; if it can bound its values without evaluating, also one in ``margins`` and ``sum_of_inputs``.
"""

import enum
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, f32, offset, reverse_bits, u32, u64
from evocheckers.networks import adjudicator as judge
from evocheckers.networks import piece_counting as material
from evocheckers.networks.dense import reference as dense
from evocheckers.networks.form import Form
from evocheckers.networks.planes import reference as planes
from evocheckers.networks.planes import vectors as planes_vectors
from evocheckers.networks.spatial import reference as spatial
from evocheckers.networks.spatial import vectors as spatial_vectors

LIMIT = f32(100_000)
"""Evaluations stay within ± this; wins and losses lie outside."""

_MEMORY = 512
"""The offset of the part of the scratch that is kept from one evaluation to the next."""
SCRATCH = _MEMORY + planes_vectors.MEMORY
"""Floats of scratch that ``evaluate`` needs."""


class Kind(enum.IntEnum):
    """The evaluators of the compiled code."""

    SPATIAL = 0
    SPATIAL_PLAIN = 1
    """The spatial network in plain loops: the same values, for checks and as a yardstick."""
    DENSE_512 = 2
    DENSE_128 = 3
    MATERIAL = 4
    JUDGE = 5
    """Plays out unfinished games; not for players."""
    PLANES = 6
    PLANES_PLAIN = 7
    """The network of planes in plain loops."""
    SPATIAL_BARE = 8
    """The spatial network without the sum of its inputs at the output, so that it is not told what pieces are worth."""


FORMS: Mapping[Kind, Form] = MappingProxyType(
    {
        Kind.SPATIAL: spatial_vectors.FORM,
        Kind.PLANES: planes.FORM,
        Kind.SPATIAL_BARE: replace(spatial_vectors.FORM, name="spatial-bare"),
        Kind.DENSE_512: dense.FORMS[512],
        Kind.DENSE_128: dense.FORMS[128],
    }
)
"""The kinds that are networks."""

PLAIN = {Kind.SPATIAL: Kind.SPATIAL_PLAIN, Kind.PLANES: Kind.PLANES_PLAIN}
"""The same network in plain loops; other kinds have only one implementation."""

_SPATIAL, _SPATIAL_PLAIN, _DENSE_512, _DENSE_128, _JUDGE, _PLANES, _PLANES_PLAIN, _SPATIAL_BARE = (
    Kind.SPATIAL.value,
    Kind.SPATIAL_PLAIN.value,
    Kind.DENSE_512.value,
    Kind.DENSE_128.value,
    Kind.JUDGE.value,
    Kind.PLANES.value,
    Kind.PLANES_PLAIN.value,
    Kind.SPATIAL_BARE.value,
)


_ENDLESS = f32(np.inf)


def kind_named(name: str) -> Kind | None:
    """The kind of network with that name, if any."""
    return next((kind for kind, form in FORMS.items() if form.name == name), None)


@inner
def margins(kind: int, weights: Pointer) -> tuple[f32, f32]:
    """Bounds on a position's value less the sum of its inputs; infinite if unknown."""
    if kind == _PLANES:
        return weights[planes.LEAST], weights[planes.MOST]
    if kind != _SPATIAL:
        return -_ENDLESS, _ENDLESS
    least, most = spatial_vectors.margins(weights)
    size = max(-least, most) + abs(weights[spatial_vectors.KING_VALUE]) * f32(24)
    return (least, most) if size < LIMIT else (-_ENDLESS, _ENDLESS)


@inner
def sum_of_inputs(kind: int, weights: Pointer, own: u32, opp: u32, kings: u32) -> f32:
    """The sum of a position's inputs, for kinds with known margins."""
    at = planes.KING_VALUE if kind == _PLANES else spatial_vectors.KING_VALUE
    return spatial.input_sum(weights[at], own, opp, kings)


@pasted
def evaluate(
    kind: int, weights: Pointer, scratch: Pointer, own: u32, opp: u32, kings: u32, turned: bool, salt: u64
) -> f32:
    """The value of a position to the side of ``own``, whose men move up; ``turned``: it sees the board upside down."""
    if kind in (_SPATIAL, _SPATIAL_PLAIN, _PLANES, _PLANES_PLAIN, _SPATIAL_BARE):
        if turned:
            own, opp, kings = reverse_bits(own), reverse_bits(opp), reverse_bits(kings)
        if kind in (_SPATIAL, _SPATIAL_BARE):
            total = f32(0)
            if kind == _SPATIAL:
                total = spatial.input_sum(weights[spatial_vectors.KING_VALUE], own, opp, kings)
            own_kings, opp_kings = u32(own & kings), u32(opp & kings)
            value = spatial_vectors.evaluate_packed(
                weights, scratch, u32(own ^ own_kings), u32(opp ^ opp_kings), own_kings, opp_kings, total
            )
        elif kind == _PLANES:
            value = planes_vectors.evaluate(weights, offset(scratch, _MEMORY), own, opp, kings)
        elif kind == _SPATIAL_PLAIN:
            value = spatial.evaluate_plain(weights, scratch, own, opp, kings)
        else:
            value = planes.evaluate_plain(weights, scratch, own, opp, kings)
    elif kind == _DENSE_512:
        value = dense.evaluate(weights, scratch, 4, own, opp, kings, 31 if turned else 0)
    elif kind == _DENSE_128:
        value = dense.evaluate(weights, scratch, 1, own, opp, kings, 31 if turned else 0)
    elif kind == _JUDGE:
        value = judge.evaluate(weights, own, opp, kings)
    else:
        value = material.evaluate(weights, own, opp, kings, salt)
    value = value if value > -LIMIT else -LIMIT
    return value if value < LIMIT else LIMIT
