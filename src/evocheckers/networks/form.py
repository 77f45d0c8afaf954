"""A kind of network as Python sees it: its name, its layers, and how its numbers are packed for compiled code.

Each kind's module describes itself by a ``Form``; ``dispatch`` lists them all, beside the compiled functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Shapes = Mapping[str, tuple[int, ...]]
"""The shape of every layer's weights and biases, by name, in the order of the flat vector."""


@dataclass(frozen=True, eq=False)
class Form:
    """A kind of network. All its networks have the same layers, except that the width of the first may vary."""

    name: str
    widths: Sequence[int]
    """The numbers of nodes that the first layer may have."""
    usual_width: int
    """The default width."""
    shapes: Callable[[int], Shapes]
    """The layers of a network of a given width."""
    pack: Callable[[np.ndarray], np.ndarray]
    """Packs flat vectors, one per row, each with K if the kind has one, as the kind's compiled code reads them."""
    has_king_value: bool = False
    joined: np.ndarray | None = None
    """Which weights the first layer has, by input and node; None for all."""
    places: np.ndarray | None = None
    """For every packed number its index in the flat vector with K, one past the end for zero; None if packing changes
    numbers."""

    def layer_sizes(self, width: int) -> dict[str, int]:
        """The number of weights and biases in each layer, by the layer's name."""
        sizes: dict[str, int] = {}
        for name, shape in self.shapes(width).items():
            layer = name.split("_")[0]
            sizes[layer] = sizes.get(layer, 0) + int(np.prod(shape))
        if self.joined is not None:
            sizes["first"] -= int((~self.joined).sum())
        return sizes

    def numbers(self, width: int) -> int:
        """The length of the flat vector."""
        return sum(self.layer_sizes(width).values())

    def width_of(self, numbers: int) -> int | None:
        """The width of a network with this many numbers; None if there is no such network."""
        return next((width for width in self.widths if self.numbers(width) == numbers), None)

    @property
    def sizes(self) -> str:
        """The number of numbers in a network, as text for messages."""
        if len(self.widths) == 1:
            return f"{self.numbers(self.widths[0])} numbers"
        first, second, last = self.widths[0], self.widths[1], self.widths[-1]
        each = self.numbers(second) - self.numbers(first)
        ends = f"{self.numbers(first)} to {self.numbers(last)} numbers, {each} more for every {second - first}"
        return f"{ends} of its {first} to {last} nodes"
