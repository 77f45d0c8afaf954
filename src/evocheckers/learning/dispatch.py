"""The kinds of networks that can learn: a further kind is a file of its own and a line in each function here."""

from evocheckers.evaluation.dispatch import Kind
from evocheckers.learning import dense, spatial
from evocheckers.learning.shape import Plan, Shape
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer

SHAPES: dict[Kind, Shape] = {shape.kind: shape for shape in (spatial.SHAPE, *dense.SHAPES)}

_SPATIAL = Kind.SPATIAL.value


@inner
def fill_inputs(plan: Plan, numbers: Pointer, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """The input rows of 64 positions; ``boards`` holds own, opp and kings, ``words`` is scratch."""
    if plan.kind == _SPATIAL:
        spatial.fill_inputs(plan, numbers, boards, words, rows)
    else:
        dense.fill_inputs(plan, boards, words, rows)


@inner
def first_layer(plan: Plan, numbers: Pointer, rows: Pointer) -> None:
    """The pre-activations of the first layer."""
    if plan.kind == _SPATIAL:
        spatial.first_layer(plan, numbers, rows)
    else:
        dense.first_layer(plan, numbers, rows)


@inner
def add_inputs(plan: Plan, rows: Pointer) -> None:
    """Add to the values what reaches the output past the layers."""
    if plan.kind == _SPATIAL:
        spatial.add_inputs(plan, rows)


@inner
def king_slopes(plan: Plan, numbers: Pointer, rows: Pointer) -> None:
    """The slopes of the loss by K, where the kind has one."""
    if plan.kind == _SPATIAL:
        spatial.king_slopes(plan, numbers, rows)
