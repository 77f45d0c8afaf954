"""The spatial network of Chellapilla and Fogel: 5046 numbers, one node for every sub-square of the board."""

from dataclasses import replace
from typing import TYPE_CHECKING

from evocheckers.networks.kind import EvaluatorKind
from evocheckers.networks.spatial import reference, vectors

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions


def _gradient() -> "GradientFunctions":
    from evocheckers.networks.spatial import gradient

    return gradient.SPATIAL


def _bare_gradient() -> "GradientFunctions":
    from evocheckers.networks.spatial import gradient

    return gradient.BARE


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
)

BARE = EvaluatorKind(
    vectors.evaluate_bare,
    vectors.SCRATCH,
    architecture=replace(reference.ARCHITECTURE, name="spatial-bare"),
    pack=vectors.pack,
    places=vectors.PACKING,
    gradient=_bare_gradient,
)
"""Without the sum of the inputs at the output, so that it is not told what pieces are worth."""
