"""What Python knows of a kind of network: its name, its layers, and how its numbers are packed for compiled code.

Each kind's module describes itself by a ``Form``; ``dispatch`` lists them all, beside the compiled functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Shapes = Mapping[str, tuple[int, ...]]
"""The shape of every layer's weights and biases, by name, in the order of the flat vector."""


@dataclass(frozen=True, eq=False)
class Form:
    """A kind of network. All its networks have the same layers, but for the width of the first where that is free."""

    name: str
    widths: Sequence[int]
    """How many nodes the first layer may have."""
    usual_width: int
    """What to take of these where nobody says."""
    shapes: Callable[[int], Shapes]
    """The layers of a network of a given width."""
    pack: Callable[[np.ndarray], np.ndarray]
    """Flat vectors, each with K where the kind has one, one a row, as the kind's compiled code reads them."""
    has_king_value: bool = False
    joined: np.ndarray | None = None
    """Which weights of the first layer there are, by input and node; None for all."""
    places: np.ndarray | None = None
    """For every packed number its place in the flat vector with K, one past the end for zero; None where packing
    changes numbers."""

    def layer_sizes(self, width: int) -> dict[str, int]:
        """How many weights and biases each layer has, by the layer's name."""
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
        """The width of a network with so many numbers; None where there is no such network."""
        return next((width for width in self.widths if self.numbers(width) == numbers), None)

    @property
    def sizes(self) -> str:
        """How many numbers a network has, for messages."""
        if len(self.widths) == 1:
            return f"{self.numbers(self.widths[0])} numbers"
        first, second, last = self.widths[0], self.widths[1], self.widths[-1]
        each = self.numbers(second) - self.numbers(first)
        ends = f"{self.numbers(first)} to {self.numbers(last)} numbers, {each} more for every {second - first}"
        return f"{ends} of its {first} to {last} nodes"
