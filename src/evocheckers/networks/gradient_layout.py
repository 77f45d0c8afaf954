"""A kind of network as learning sees it: layers of nodes over rows of positions, laid out once as tables.

Every layer has an additional input that is always one, so that its biases are ordinary weights. The numbers that learn
are *packed*: the weights that positions can reach, K if the kind has one, and the logarithm of the scale. A gradient
has two more: the loss, and a dump for unneeded sums.

A group of 64 positions takes ``rows`` rows: the inputs and the activations of each hidden layer, each with its row of
ones; the derivatives of the loss by each node; the four result rows (derivatives by value, K and scale, and the loss);
the values; the targets; which positions count; and rows for the kind's own use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.native.matrices import ROW, TILE


class LearningError(EvocheckersError):
    """Settings or positions that cannot be used for learning."""


X, INPUTS, OUT, OUTPUTS, WEIGHTS, SLOPES, FIELDS = range(7)
"""Columns of a layer: its input rows and their number, its output rows and theirs, first weight and derivatives."""

BY_VALUE, BY_KING, BY_SCALE, LOSS = range(TILE)
"""The result rows."""


class CompiledLayout(NamedTuple):
    """A layout as compiled code takes it."""

    kind: int
    layers: np.ndarray
    result: int
    """The row of derivatives by value; those by K and scale and the loss follow."""
    value: int
    """The row of values; targets and counts follow, then the kind's own."""
    rows: int
    steep: np.float32
    shift: np.float32
    """A node's activation is ``steep`` tanh(``steep`` x) + ``shift``."""
    slope_base: np.float32
    slope_line: np.float32
    """The activation's derivative, where it is h: ``slope_base`` + h (``slope_line`` - h)."""
    tiles: np.ndarray
    """For each tile of the gradient, its input row and its row of derivatives."""
    tile_places: np.ndarray
    """Where each tile's sixteen sums go."""
    scale: int
    """The index of the logarithm of the scale among the packed numbers."""
    king: int
    """The index of K among them, or -1."""
    clipped: bool
    """Activations are clipped at 0 and 1 instead."""
    grids: np.ndarray
    """For each packed number the steps per unit to which it is rounded in use, 0 for none; empty if none is rounded."""
    limits: np.ndarray
    """The largest magnitude of each packed number; empty if there are no limits."""


@dataclass(frozen=True, eq=False)
class GradientLayout:
    """The sizes and the order of one kind's numbers."""

    kind: int
    sizes: tuple[int, ...]
    """Nodes of each layer; the last is 1."""
    first: np.ndarray
    """For each input (the ones last) and each node of the first layer, the packed index of their weight, or -1."""
    places: np.ndarray
    """For each packed weight, its index in the flat vector."""
    flat: int
    """The length of the flat vector."""
    has_king_value: bool
    is_sigmoid: bool
    own_rows: int = 0
    """Rows for the kind's own use."""
    clipped: bool = False
    """Activations are clipped at 0 and 1, instead of tanh or sigmoid."""
    pieces: int = 0
    """If the kind sums its first layer by the pieces on the board, their largest number; it then has no input rows."""
    grids: np.ndarray | None = None
    limits: np.ndarray | None = None
    """As in ``CompiledLayout``, for the weights."""

    @property
    def packed(self) -> int:
        """The number of numbers that learn."""
        return len(self.places) + self.has_king_value + 1

    @property
    def numbers(self) -> int:
        """The number of all numbers: the flat vector, K if any, and the logarithm of the scale."""
        return self.flat + self.has_king_value + 1

    @property
    def multiply_adds(self) -> int:
        """The fewest per position: each weight once forwards, twice backwards; a layer summed by pieces, once each."""
        if not self.pieces:
            return 3 * len(self.places)
        return 3 * (len(self.places) - self.first.size) + 2 * (self.pieces + 1) * self.sizes[0]

    @cached_property
    def all_places(self) -> np.ndarray:
        """For each packed number, its index among all ``numbers``."""
        return np.append(self.places, np.arange(self.flat, self.numbers))

    @cached_property
    def compiled(self) -> CompiledLayout:
        """The layout for compiled code."""
        inputs = [0 if self.pieces else len(self.first), *(size + 1 for size in self.sizes[:-1])]
        starts = np.cumsum([0, *map(_padded, inputs)])
        slopes = starts[-1] + np.cumsum([0, *map(_padded, self.sizes)])
        value = int(slopes[-1])
        layers = np.zeros((len(self.sizes), FIELDS), np.int64)
        weights = int(self.first.max()) + 1
        for i, (layer, outputs) in enumerate(zip(layers, self.sizes, strict=True)):
            last = i == len(self.sizes) - 1
            layer[:] = starts[i], inputs[i], value if last else starts[i + 1], outputs, 0, slopes[i]
            if i > 0:
                layer[WEIGHTS] = weights
                weights += inputs[i] * outputs
        tiles, places = self._tiles(layers)
        return CompiledLayout(
            kind=self.kind,
            layers=layers,
            result=int(slopes[-2]),
            value=value,
            rows=value + 3 + self.own_rows,
            steep=np.float32(0.5 if self.is_sigmoid else 1),
            shift=np.float32(0.5 if self.is_sigmoid else 0),
            slope_base=np.float32(0 if self.is_sigmoid else 1),
            slope_line=np.float32(1 if self.is_sigmoid else 0),
            tiles=tiles,
            tile_places=places,
            scale=self.packed - 1,
            king=self.packed - 2 if self.has_king_value else -1,
            clipped=self.clipped,
            grids=self._padded_by(self.grids, 0),
            limits=self._padded_by(self.limits, np.inf),
        )

    def _padded_by(self, numbers: np.ndarray | None, rest: float) -> np.ndarray:
        """Numbers for each weight, followed by ``rest`` for K and the scale."""
        if numbers is None:
            return np.empty(0, np.float32)
        return np.append(numbers, np.full(self.packed - len(self.places), rest, np.float32))

    def _tiles(self, layers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        loss, nowhere = self.packed, self.packed + 1
        tiles, places = [], []
        for number, layer in enumerate(layers.tolist()):
            inputs, outputs = layer[INPUTS], layer[OUTPUTS]
            table = np.full((_padded(inputs), _padded(outputs)), nowhere)
            if number == 0 and inputs:
                table[:inputs, :outputs] = np.where(self.first < 0, nowhere, self.first)
            elif number:
                weights = layer[WEIGHTS] + np.arange(inputs * outputs)
                table[:inputs, :outputs] = weights.reshape(inputs, outputs)
            if number == len(layers) - 1:
                king = self.packed - 2 if self.has_king_value else nowhere
                table[inputs - 1, BY_KING:] = king, self.packed - 1, loss
            for i in range(0, inputs, TILE):
                for j in range(0, outputs, TILE):
                    part = table[i : i + TILE, j : j + TILE].ravel()
                    if (part != nowhere).any():
                        tiles.append((layer[X] + i, layer[SLOPES] + j))
                        places.append(part)
        return np.array(tiles, np.int64), np.array(places, np.int64)

    @property
    def gradient_length(self) -> int:
        """The number of floats in a gradient: the packed numbers, the loss, the dump for unneeded sums, padding."""
        return -(-(self.packed + 2) // 16) * 16

    def create_rows(self, groups: int, rows: np.ndarray) -> np.ndarray:
        """Fill in the constant part of fresh ``rows`` for ``groups`` groups: the ones."""
        view = rows.reshape(groups, self.compiled.rows, ROW)
        for layer in self.compiled.layers[bool(self.pieces) :]:
            view[:, layer[X] + layer[INPUTS] - 1] = 1
        return rows


def _padded(count: int) -> int:
    return -(-count // TILE) * TILE


@dataclass(frozen=True, eq=False)
class GradientFunctions:
    """How a kind of network learns: its layout, and compiled functions for what is its own.

    Each function takes any of the arguments ``layout`` (a ``CompiledLayout``), ``numbers`` (the packed numbers),
    ``boards`` (own, opp and kings of 64 positions), ``words`` (scratch), ``rows`` and ``out`` (the gradient), by name.
    """

    layout: Callable[[int, int], GradientLayout]
    """The layout, from the kind's number and the width of the first layer."""
    fill_inputs: Callable[..., None]
    """Fills in the input rows."""
    first_layer: Callable[..., None]
    """Fills in the pre-activations of the first layer."""
    add_inputs: Callable[..., None] | None = None
    """Adds to the values what reaches the output directly, bypassing the layers."""
    king_slopes: Callable[..., None] | None = None
    """Fills in the derivatives of the loss by K."""
    begin_gradient: Callable[..., None] | None = None
    """Prepares the gradient for the positions of a block."""
    add_first_gradient: Callable[..., None] | None = None
    """Adds the gradient by the first layer's weights, if the kind sums that layer by pieces."""
