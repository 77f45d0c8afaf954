"""Which kind of network a scheme works on, for those of our own schemes that leave the choice.

A network's numbers begin uniform, with K at ``king_value``, or as a copy of a shipped network's. Their count follows
from its kind and the width of its first layer.
"""

from typing import Annotated, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from evocheckers.evolution.scheme import CREATION, ConfigError, Settings
from evocheckers.native.randomness import key, uniforms
from evocheckers.networks.kind import Architecture
from evocheckers.networks.network import Network, join_layers, split_layers
from evocheckers.networks.registry import ARCHITECTURES, Kind
from evocheckers.networks.shipped import RENAMED, SHIPPED, shipped_network

KINDS = tuple(one.name for one in ARCHITECTURES.values() if one.has_king_value)
"""The kinds to choose from: those with a K, since K is one of the numbers that these schemes change."""
_WIDTHS = [width for one in ARCHITECTURES.values() if len(one.widths) > 1 for width in one.widths]


def _kind(name: str) -> str:
    if name not in KINDS:
        raise ValueError(name)
    return name


def _shipped(name: str | None) -> str | None:
    if name is not None and name in RENAMED:
        raise ConfigError(f"setting start = {name!r}: {name} is now called {RENAMED[name]}", "start", name)
    if name is not None and name not in SHIPPED:
        raise ValueError(name)
    return name


class NetworkSettings(Settings):
    """Our own schemes take any of these kinds; the default is the papers' network."""

    network: Annotated[str, AfterValidator(_kind), Field(json_schema_extra={"enum": list(KINDS)})] = "spatial"
    """Kind of network: the papers' with 5046 numbers (spatial), our own that sees men and kings apart (planes), or the
    papers' without the sum of its inputs at the output (spatial-bare)."""
    width: int | None = Field(None, ge=min(_WIDTHS), le=max(_WIDTHS), multiple_of=_WIDTHS[1] - _WIDTHS[0])
    """Number of nodes in the first layer, for a kind that leaves it open; none means 64."""
    start: Annotated[str | None, AfterValidator(_shipped), Field(json_schema_extra={"enum": [*SHIPPED, None]})] = None
    """The shipped network to start from, with its K, instead of random numbers. Made wider, it plays the same at first:
    its new nodes have random inputs, and the next layer ignores them until it learns otherwise."""

    @model_validator(mode="after")
    def _network_fits(self) -> Self:
        if self.width is not None and self.width not in self.architecture.widths:
            fault = f"a {self.network} network has {self.architecture.widths[0]} nodes in its first layer"
            raise ConfigError(f"setting width = {self.width}: {fault}", "width", self.width)
        gpu = self.kind.description.gpu
        if self.precision != "fp32" and (gpu is None or not gpu.has_half_precision):
            fault = f"a {self.network} network has one precision, fp32"
            raise ConfigError(f"setting precision = {self.precision!r}: {fault}", "precision", self.precision)
        if self.start is not None and (wanted := self._unlike(shipped_network(self.start))):
            fault = f"it was made with other settings; set {', '.join(wanted)}"
            raise ConfigError(f"setting start = {self.start!r}: {fault}", "start", self.start)
        return self

    def _unlike(self, start: Network) -> list[str]:
        """What to set so that a network is one of these and plays as it does."""
        rules = start.rules
        searched = {"view": rules.view.value, "leaf": rules.leaf.value, "extensions": rules.extensions}
        about = {"network": start.architecture.name, **searched}
        unlike = [f"{name}={value}" for name, value in about.items() if getattr(self, name) != value]
        is_narrow = self.network == start.architecture.name and self.first_nodes < start.width
        return [*unlike, f"width={start.width} or more"] if is_narrow else unlike

    def check_start(self, second_changes: bool, king_min: float, king_max: float) -> None:
        """Refuse a start whose new nodes would never act, or whose K is out of bounds."""
        if self.start is None:
            return
        start = shipped_network(self.start)
        faults = []
        if self.first_nodes > start.width and not second_changes:
            faults.append("its new nodes never act while the second layer is fixed; set layers=[1,1,1,1]")
        if start.king_value is not None and not king_min <= start.king_value <= king_max:
            faults.append(f"its K is {start.king_value:.4g}, not between king_min and king_max")
        if faults:
            raise ConfigError(f"setting start = {self.start!r}: {'; '.join(faults)}", "start", self.start)

    @property
    def kind(self) -> Kind:
        """The kind of network."""
        return next(kind for kind, architecture in ARCHITECTURES.items() if architecture.name == self.network)

    @property
    def architecture(self) -> Architecture:
        """The layers that all networks of this kind have."""
        return ARCHITECTURES[self.kind]

    @property
    def first_nodes(self) -> int:
        """Number of nodes in the first layer."""
        return self.width or self.architecture.usual_width

    @property
    def numbers(self) -> int:
        """Number of a network's numbers, without K."""
        return self.architecture.numbers(self.first_nodes)

    def first_numbers(self, seed: int, row: int, limit: float, king_value: float) -> np.ndarray:
        """The first numbers of a network, and K: random within ``limit``, or those of the network to start from."""
        numbers = uniforms(key(seed, CREATION, row), -limit, limit, self.numbers)
        if self.start is not None:
            start = shipped_network(self.start)
            king_value = king_value if start.king_value is None else start.king_value
            numbers = _widened(start, self.first_nodes, numbers)
        return np.append(numbers, np.float32(king_value))


def _widened(network: Network, width: int, numbers: np.ndarray) -> np.ndarray:
    """A network with more nodes in its first layer, whose inputs are those of ``numbers``."""
    layers = split_layers(network.architecture, width, numbers)
    for name, layer in network.layers().items():
        if not name.startswith("first_"):
            layers[name][:] = 0
        layers[name][tuple(map(slice, layer.shape))] = layer
    return join_layers(network.architecture, layers)
