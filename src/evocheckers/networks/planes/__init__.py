"""Our own network: separate inputs for men and kings on the whole board, and integers up to the last layer."""

from typing import TYPE_CHECKING

from evocheckers.networks.kind import EvaluatorKind, GpuCode
from evocheckers.networks.planes import reference, vectors

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions


def _gradient() -> "GradientFunctions":
    from evocheckers.networks.planes import gradient

    return gradient.PLANES


PLAIN = EvaluatorKind(reference.evaluate, reference.SCRATCH, pack=reference.pack, numbers=reference.is_packed)
"""In plain loops."""

PLANES = EvaluatorKind(
    vectors.evaluate,
    vectors.SCRATCH,
    reference.margins,
    reference.sum_of_inputs,
    reference.ARCHITECTURE,
    reference.pack,
    numbers=reference.is_packed,
    plain=PLAIN,
    gradient=_gradient,
    gpu=GpuCode(
        "planes",
        "networks/planes/gpu.h",
        {
            "WIDTH": reference.WIDTH,
            "KING_VALUE": reference.KING_VALUE,
            "LEAST": reference.LEAST,
            "MOST": reference.MOST,
            "OUTPUT_BIAS": reference.OUTPUT_BIAS,
            "HEADER": reference.HEADER,
            "SECOND": reference.SECOND,
            "BIASES": reference.BIASES,
            "ONE": reference.ONE,
            "NODE_WORDS": reference.SHORTS_ROOM,
        },
        {"PLANES_UNIT": float(reference.UNIT)},
        is_optional=True,
    ),
)
