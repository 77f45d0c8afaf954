"""The spatial network of Chellapilla and Fogel: 5046 numbers, one node for every sub-square of the board."""

from dataclasses import replace
from typing import TYPE_CHECKING

from evocheckers.networks.kind import EvaluatorKind, GpuCode
from evocheckers.networks.spatial import reference, vectors

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions


def _gradient() -> "GradientFunctions":
    from evocheckers.networks.spatial import gradient

    return gradient.SPATIAL


def _bare_gradient() -> "GradientFunctions":
    from evocheckers.networks.spatial import gradient

    return gradient.BARE


_TAIL = vectors.SECOND_BIASES
"""Offset of the small layers' numbers; the CUDA source counts from there."""
_GPU = GpuCode(
    "spatial",
    "networks/spatial/gpu.h",
    {
        "COLUMN": vectors.COLUMN,
        "SECOND": vectors.SECOND,
        "TAIL": _TAIL,
        "SECOND_BIASES": vectors.SECOND_BIASES - _TAIL,
        "THIRD": vectors.THIRD - _TAIL,
        "THIRD_BIASES": vectors.THIRD_BIASES - _TAIL,
        "OUTPUT": vectors.OUTPUT - _TAIL,
        "KING_VALUE": vectors.KING_VALUE - _TAIL,
        "TAIL_SIZE": vectors.PACKED - _TAIL,
    },
    has_half_precision=True,
)

PLAIN = EvaluatorKind(reference.evaluate, reference.SCRATCH)
"""In plain loops over the flat vector."""

SPATIAL = EvaluatorKind(
    vectors.evaluate,
    vectors.SCRATCH,
    vectors.margins,
    vectors.sum_of_inputs,
    reference.ARCHITECTURE,
    vectors.pack,
    vectors.PACKING,
    PLAIN,
    _gradient,
    _GPU,
)

BARE = EvaluatorKind(
    vectors.evaluate_bare,
    vectors.SCRATCH,
    architecture=replace(reference.ARCHITECTURE, name="spatial-bare"),
    pack=vectors.pack,
    places=vectors.PACKING,
    gradient=_bare_gradient,
    gpu=_GPU,
)
"""Without the sum of the inputs at the output, so that it is not told what pieces are worth."""
