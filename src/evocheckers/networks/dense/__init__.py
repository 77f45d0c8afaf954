"""Horgan's network: 512 or 128 binary inputs, 10, 10, one output."""

from typing import TYPE_CHECKING

from evocheckers.networks.dense import reference
from evocheckers.networks.kind import EvaluatorKind

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions


def _dense(inputs: int) -> EvaluatorKind:
    def gradient() -> "GradientFunctions":
        from evocheckers.networks.dense.gradient import DENSE

        return DENSE[inputs]

    return EvaluatorKind(
        reference.evaluate_with(inputs),
        reference.SCRATCH,
        architecture=reference.architecture(inputs),
        pack=lambda weights: reference.pack(weights, inputs),
        gradient=gradient,
    )


DENSE_512, DENSE_128 = _dense(512), _dense(128)
