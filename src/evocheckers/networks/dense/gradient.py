"""The dense networks for learning; the inputs of light squares, always off, are left out. See ``reference``."""

import functools

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, offset, u32
from evocheckers.native.matrices import ROW, multiply, signed_bits
from evocheckers.networks.dense import reference as dense
from evocheckers.networks.gradient_layout import INPUTS, OUT, OUTPUTS, CompiledLayout, GradientFunctions, GradientLayout
from evocheckers.rules.move import row_and_column


def _layout(inputs: int, kind: int, width: int) -> GradientLayout:
    features = dense.FEATURES[inputs]
    dark = np.array([8 * row + column for row, column in map(row_and_column, range(1, 33))])
    sides, kinds, squares = np.meshgrid(np.arange(2), np.arange(features), dark, indexing="ij")
    used = (features * (64 * sides + squares) + kinds).ravel()
    nodes = np.arange(width)
    first = (used[:, None] * dense.HIDDEN + nodes).ravel()
    rest = np.arange(inputs * dense.HIDDEN, dense.numbers(inputs))
    return GradientLayout(
        kind=kind,
        sizes=(width, dense.HIDDEN, 1),
        first=np.arange((len(used) + 1) * dense.HIDDEN).reshape(-1, dense.HIDDEN),
        places=np.append(first, rest),
        flat=dense.numbers(inputs),
        has_king_value=False,
        is_sigmoid=True,
    )


@inner
def fill_inputs(layout: CompiledLayout, boards: Pointer, words: Pointer, rows: Pointer) -> None:
    """Fill in the inputs of 64 positions, 0 or 1, ordered by side, then feature, then square."""
    features = layout.layers[0, INPUTS] // 64
    own, opp, kings = boards, offset(boards, ROW), offset(boards, 2 * ROW)
    on, off = words, offset(words, ROW)
    for p in range(ROW):
        off[p] = u32(0)
    for index in range(2 * features):
        for p in range(ROW):
            on[p] = dense.feature(index, features, own[p], opp[p], kings[p])
        signed_bits(on, off, offset(rows, index * 32 * ROW))


@inner
def first_layer(layout: CompiledLayout, numbers: Pointer, rows: Pointer) -> None:
    """The first layer's pre-activations; every node is connected to every input."""
    inputs, outputs = layout.layers[0, INPUTS], layout.layers[0, OUTPUTS]
    multiply(numbers, outputs, 1, rows, inputs, offset(rows, layout.layers[0, OUT] * ROW), outputs)


DENSE = {
    inputs: GradientFunctions(functools.partial(_layout, inputs), fill_inputs, first_layer) for inputs in dense.FEATURES
}
"""By the number of inputs."""
