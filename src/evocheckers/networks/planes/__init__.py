"""Our own network: separate inputs for men and kings on the whole board, and integers up to the last layer."""

from typing import TYPE_CHECKING

from evocheckers.networks.kind import EvaluatorKind
from evocheckers.networks.planes import reference, vectors

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions


def _gradient() -> "GradientFunctions":
    from evocheckers.networks.planes import gradient

    return gradient.PLANES


PLAIN = EvaluatorKind(reference.evaluate, reference.SCRATCH, pack=reference.pack)
"""In plain loops."""

PLANES = EvaluatorKind(
    vectors.evaluate,
    vectors.SCRATCH,
    reference.margins,
    reference.sum_of_inputs,
    reference.ARCHITECTURE,
    reference.pack,
    plain=PLAIN,
    gradient=_gradient,
)
