"""What a kind of evaluator is: the description that each kind gives of itself, and that ``registry`` lists.

A kind is a folder of ``networks`` (a file, if it is not a network). Its description holds compiled functions and, for
a network, its architecture. A function of a description takes any of the arguments named here, in any order; those it
does not name, it does not get.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from evocheckers.native.intrinsics import f32

if TYPE_CHECKING:
    from evocheckers.networks.gradient_layout import GradientFunctions

LIMIT = f32(100_000)
"""Evaluations stay within ± this; wins and losses lie outside."""

LayerShapes = Mapping[str, tuple[int, ...]]
"""The shape of every layer's weights and biases, by name, in the order of the flat vector."""


@dataclass(frozen=True, eq=False)
class Architecture:
    """The layers that all networks of a kind have; the width of the first may vary."""

    name: str
    widths: Sequence[int]
    """The numbers of nodes that the first layer may have."""
    usual_width: int
    """The default width."""
    shapes: Callable[[int], LayerShapes]
    """The layers of a network of a given width."""
    has_king_value: bool = False
    joined: np.ndarray | None = None
    """Which weights the first layer has, by input and node; None for all."""

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


def _as_it_is(weights: np.ndarray) -> np.ndarray:
    return weights


@dataclass(frozen=True, eq=False)
class GpuCode:
    """A kind's CUDA source, which several kinds may share (see executors/cuda/evaluation.h)."""

    namespace: str
    """Where its struct ``Kind`` is found."""
    header: str
    """The path of its file in the package."""
    integers: Mapping[str, int] = field(default_factory=dict)
    """Numbers to be handed over, declared in the namespace."""
    floats: Mapping[str, float] = field(default_factory=dict)
    """The same for real numbers, as macros."""
    has_half_precision: bool = False
    """Whether the network can also be evaluated in half precision."""
    is_optional: bool = False
    """Whether it is compiled only if it plays. More code makes the rest slower, but every variant is compiled anew."""


@dataclass(frozen=True, eq=False)
class EvaluatorKind:
    """A kind of evaluator."""

    evaluate: Callable[..., f32]
    """The value of a position to the side of ``own``, whose men move up, from packed ``weights``, ``scratch`` (if the
    kind needs any), ``own``, ``opp``, ``kings``, ``turned`` (the viewer sees the board upside down) and ``salt`` (for
    random values)."""
    scratch: int = 0
    """The number of floats of scratch. No other kind writes there, so they keep from one call to the next."""
    margins: Callable[..., tuple[f32, f32]] | None = None
    """Bounds on a position's value less the sum of its inputs, from ``weights``; infinite if there are none."""
    sum_of_inputs: Callable[..., f32] | None = None
    """The sum of the inputs of the position ``own``, ``opp``, ``kings``, for kinds with margins."""
    architecture: Architecture | None = None
    """For networks."""
    pack: Callable[[np.ndarray], np.ndarray] = _as_it_is
    """Packs flat vectors, one per row, each with K if the kind has one, as ``evaluate`` reads them."""
    places: np.ndarray | None = None
    """For every packed number its index in the flat vector with K, one past the end for zero; None if packing changes
    numbers."""
    plain: "EvaluatorKind | None" = None
    """The same network in plain loops: the same values, for checks and as a yardstick."""
    gradient: Callable[[], "GradientFunctions"] | None = None
    """How it learns, if it does; imported when called, since only learning needs it."""
    gpu: GpuCode | None = None
    """How it plays on a GPU, if it does."""
    numbers: Callable[[np.ndarray], bool] | None = None
    """Whether a packed vector is one, for kinds whose vectors do not all have the length of a packed network."""
