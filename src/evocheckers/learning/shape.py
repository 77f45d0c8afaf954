"""A kind of network as learning sees it: layers of nodes over rows of positions, laid out once, as tables.

Every layer has one more input that is always one, so that its biases are weights like others. The numbers that learn
are *packed*: the weights that positions can reach, K where the kind has one, and the logarithm of the scale. A
gradient has two more: the loss, and a place for sums that nobody asked for.

A group of 64 positions takes ``rows`` rows: the inputs and the activations of each hidden layer, each with its row of
ones; the slopes of the loss by each node; four rows of what the output gives (slopes by value, K and scale, and the
loss); the values; the targets; which positions count; and what the kind itself needs.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evocheckers.evaluation.dispatch import Kind
from evocheckers.learning.matrices import ROW, TILE

X, INPUTS, OUT, OUTPUTS, WEIGHTS, SLOPES, FIELDS = range(7)
"""Columns of a layer: its input rows and their number, its output rows and theirs, its first weight, its slopes."""

BY_VALUE, BY_KING, BY_SCALE, LOSS = range(TILE)
"""The rows of what the output gives."""


class Plan(NamedTuple):
    """A shape as compiled code takes it."""

    kind: int
    layers: np.ndarray
    result: int
    """The row of slopes by value; those by K and scale and the loss follow."""
    value: int
    """The row of values; targets and counts follow, then the kind's own."""
    rows: int
    steep: np.float32
    shift: np.float32
    """A node's activation is ``steep`` tanh(``steep`` x) + ``shift``."""
    slope_base: np.float32
    slope_line: np.float32
    """Its slope where it is h: ``slope_base`` + h (``slope_line`` - h)."""
    tiles: np.ndarray
    """For each tile of the gradient its input row and its row of slopes."""
    tile_places: np.ndarray
    """Where its sixteen sums go."""
    scale: int
    """Where the packed numbers hold the logarithm of the scale."""
    king: int
    """Where they hold K, or -1."""
    clipped: bool
    """Activations are cut off at 0 and 1 instead."""
    grids: np.ndarray
    """For each packed number the steps to one that it is rounded to in use, 0 for none; empty where none is rounded."""
    limits: np.ndarray
    """The largest size of each packed number; empty where there is none."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Sizes and order of the numbers of one kind."""

    kind: Kind
    sizes: tuple[int, ...]
    """Nodes of each layer; the last is 1."""
    first: np.ndarray
    """For each input, and last the ones, and each node of the first layer, the packed place of their weight, or -1."""
    places: np.ndarray
    """For each packed weight its place in the flat vector."""
    flat: int
    """The length of the flat vector."""
    has_king_value: bool
    is_sigmoid: bool
    own_rows: int = 0
    """Rows that the kind itself needs."""
    clipped: bool = False
    """Activations are cut off at 0 and 1, neither tanh nor sigmoid."""
    pieces: int = 0
    """Where the kind sums its first layer by the pieces on the board, the most of them; it has no rows of inputs."""
    grids: np.ndarray | None = None
    limits: np.ndarray | None = None
    """As in ``Plan``, for the weights."""

    @property
    def packed(self) -> int:
        """How many numbers learn."""
        return len(self.places) + self.has_king_value + 1

    @property
    def numbers(self) -> int:
        """The flat vector, K where there is one, and the logarithm of the scale."""
        return self.flat + self.has_king_value + 1

    @property
    def multiply_adds(self) -> int:
        """The fewest for a position: each weight in use once forwards and twice backwards, the first layer's once."""
        if not self.pieces:
            return 3 * len(self.places)
        return 3 * (len(self.places) - self.first.size) + 2 * (self.pieces + 1) * self.sizes[0]

    @cached_property
    def all_places(self) -> np.ndarray:
        """For each packed number its place among all ``numbers``."""
        return np.append(self.places, np.arange(self.flat, self.numbers))

    @cached_property
    def plan(self) -> Plan:
        """The layout."""
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
        return Plan(
            kind=int(self.kind),
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
        """Numbers for each weight, and the same one for K and the scale."""
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
        """A gradient's floats: the packed numbers, the loss, the place for what nobody asked for, padding."""
        return -(-(self.packed + 2) // 16) * 16

    def create_rows(self, groups: int, rows: np.ndarray) -> np.ndarray:
        """Fill fresh ``rows`` for so many groups with what never changes: the ones."""
        view = rows.reshape(groups, self.plan.rows, ROW)
        for layer in self.plan.layers[bool(self.pieces) :]:
            view[:, layer[X] + layer[INPUTS] - 1] = 1
        return rows


def _padded(count: int) -> int:
    return -(-count // TILE) * TILE
