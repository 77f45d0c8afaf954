"""Networks, their layers as named arrays, and their files.

A file is safetensors: one float32 tensor ``weights``, the flat vector, and text metadata: ``format``
(``evocheckers-network``), ``version``, ``kind``, ``king_value`` if the kind has one, ``view``, ``leaf``,
``extensions``; ``quiescence`` (``off``), ``forced`` and ``wins`` if they are not the defaults; and ``source``, where
the network came from.

The flat vector can be taken apart into one array for each layer's weights and biases, and put together again. Weights
have the shape (inputs, nodes), so that a layer is ``inputs @ weights + biases``; those of the output, a single node,
are a plain vector. All are float32.

    spatial    first_weights (32, 91), second_weights (91, 40), third_weights (40, 10), output_weights (10,)
    planes     first_weights (128, width), second_weights (width, 32), output_weights (32,)
    dense-512  first_weights (512, 10), second_weights (10, 10), output_weights (10,); dense-128 has 128 inputs

with ``first_biases``, ``second_biases``, ... and ``output_bias`` (1,). The kind's ``reference`` gives the order of
inputs. In the spatial network's first layer each node sees one sub-square of the board; the weights outside it must be
zero.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evocheckers.errors import EvocheckersError
from evocheckers.files import read_regular, write_whole
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.kind import Architecture, LayerShapes
from evocheckers.networks.registry import ARCHITECTURES, Kind, kind_named
from evocheckers.networks.search_rules import EXTENSIONS, Forced, SearchRules, Wins

_FIRST = "first_weights"


class LayersError(EvocheckersError):
    """Arrays that are not the layers of a network; ``name`` is the faulty one."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.fault = name, fault
        super().__init__(f"{name}: {fault}")


def split_layers(architecture: Architecture, width: int, weights: np.ndarray) -> dict[str, np.ndarray]:
    """A flat vector's layers, as copies."""
    layers, at = {}, 0
    for name, shape in architecture.shapes(width).items():
        if architecture.joined is not None and name == _FIRST:
            layer = np.zeros(shape, np.float32)
            at = int(architecture.joined.sum())
            layer.T[architecture.joined.T] = weights[:at]  # node by node
        else:
            size = int(np.prod(shape))
            layer = weights[at : at + size].reshape(shape).copy()
            at += size
        layers[name] = layer
    return layers


def join_layers(architecture: Architecture, layers: Mapping[str, npt.ArrayLike]) -> np.ndarray:
    """The flat vector of layers by name; all layers must be given, and no others."""
    arrays = {name: np.asarray(layer, np.float32) for name, layer in layers.items()}
    shapes = architecture.shapes(_width(architecture, arrays))
    for name in (*shapes, *layers):
        if name not in layers or name not in shapes:
            raise LayersError(name, f"{'not given' if name in shapes else 'no such layer'}; give {', '.join(shapes)}")
    return np.concatenate([_flat(architecture, shapes, name, arrays[name]) for name in shapes])


def _width(architecture: Architecture, arrays: Mapping[str, np.ndarray]) -> int:
    """The width according to the first layer's shape, if there is such a network."""
    first = arrays.get(_FIRST, np.empty(0))
    if len(architecture.widths) == 1 or first.ndim != 2:
        return architecture.widths[0]
    if first.shape[1] not in architecture.widths:
        step = architecture.widths[1] - architecture.widths[0]
        fault = (
            f"has {first.shape[1]} nodes, not {architecture.widths[0]} to {architecture.widths[-1]} in steps of {step}"
        )
        raise LayersError(_FIRST, fault)
    return int(first.shape[1])


def _flat(architecture: Architecture, shapes: LayerShapes, name: str, layer: np.ndarray) -> np.ndarray:
    if layer.shape != shapes[name]:
        raise LayersError(name, f"has the shape {layer.shape}, not {shapes[name]}")
    if architecture.joined is not None and name == _FIRST:
        if np.any(layer[~architecture.joined]):
            raise LayersError(name, "has weights outside the nodes' sub-squares, where they must be zero")
        layer = layer.T[architecture.joined.T]
    return layer.ravel()


FORMAT = "evocheckers-network"
VERSION = "1"

MAX_FILE_BYTES = 1 << 24
"""The size limit of a network file, including its ``source``."""
MIN_KING_VALUE, MAX_KING_VALUE = 0.0, 1000.0


class NetworkError(EvocheckersError):
    """Numbers that do not form a network."""


class NetworkFileError(NetworkError):
    """A file that cannot be read as a network; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str) -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"network file {path}: {fault}")


@dataclass(frozen=True, eq=False)
class Network:
    """A network: its numbers, and how it sees the board.

    >>> network = Network.random(np.random.default_rng(1))
    >>> len(network.weights), network.king_value
    (5046, 2.0)
    """

    kind: Kind
    weights: np.ndarray
    """The flat vector, in the order given by the kind's ``reference``."""
    king_value: float | None = None
    """K; None for kinds without one."""
    rules: SearchRules = field(default_factory=SearchRules)
    """The rules of the search that it was bred with; players search it the same way."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """Where it came from; stored in its file."""

    def __post_init__(self) -> None:
        if self.kind not in ARCHITECTURES:
            raise NetworkError(f"{self.kind.name} is not a kind of network")
        weights = np.asarray(self.weights, np.float32)
        if weights.ndim != 1 or self.architecture.width_of(weights.size) is None:
            found = " x ".join(map(str, weights.shape)) or "a single one"
            raise NetworkError(f"a {self.architecture.name} network has {self.architecture.sizes}, not {found}")
        bad = np.flatnonzero(~np.isfinite(weights))
        if bad.size:
            raise NetworkError(f"number {bad[0] + 1} of {weights.size} is {weights[bad[0]]}")
        if self.architecture.has_king_value != (self.king_value is not None):
            owned = "has a" if self.architecture.has_king_value else "has no"
            raise NetworkError(f"a {self.architecture.name} network {owned} king value")
        if self.king_value is not None and not MIN_KING_VALUE <= self.king_value <= MAX_KING_VALUE:
            raise NetworkError(f"king value is {self.king_value}, not between {MIN_KING_VALUE} and {MAX_KING_VALUE}")
        if self.rules.extensions is None:
            raise NetworkError("a network has extensions of its own, not its opponent's; write 0 to 15")
        weights = weights.copy()
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    def __repr__(self) -> str:
        return f"<Network {self.architecture.name}, {self.weights.size} numbers>"

    @property
    def architecture(self) -> Architecture:
        """The layers that all networks of this kind have."""
        return ARCHITECTURES[self.kind]

    @property
    def width(self) -> int:
        """The number of nodes in the first layer."""
        return self.architecture.width_of(self.weights.size) or 0

    @classmethod
    def random(
        cls,
        generator: np.random.Generator,
        limit: float = 0.2,
        king_value: float | None = 2.0,
        kind: Kind = Kind.SPATIAL,
        width: int | None = None,
    ) -> "Network":
        """A random network to start evolution from, by default spatial, with numbers uniform in ±``limit``."""
        architecture = ARCHITECTURES[kind]
        weights = generator.uniform(-limit, limit, architecture.numbers(width or architecture.usual_width))
        return cls(kind, weights.astype(np.float32), king_value if architecture.has_king_value else None)

    @classmethod
    def from_layers(cls, kind: Kind | str, layers: Mapping[str, npt.ArrayLike], **rest: Any) -> "Network":
        """A network from its layers by name, as returned by ``layers``; ``rest`` are the other fields.

        >>> network = Network.random(np.random.default_rng(1))
        >>> again = Network.from_layers("spatial", network.layers(), king_value=2.0)
        >>> np.array_equal(network.weights, again.weights)
        True
        """
        if isinstance(kind, str):
            found = kind_named(kind)
            if found is None:
                raise NetworkError(f"no kind {kind!r} of network; write {', '.join(_names())}")
            kind = found
        if kind not in ARCHITECTURES:
            raise NetworkError(f"{kind.name} is not a kind of network")
        return cls(kind, join_layers(ARCHITECTURES[kind], layers), **rest)

    def layers(self) -> dict[str, np.ndarray]:
        """The network's weights and biases by layer; this module's text lists names and shapes."""
        return split_layers(self.architecture, self.width, self.weights)

    def evaluator(self, plain: bool = False) -> Evaluator:
        """The network as the search takes it; ``plain`` selects the plain-loop code, which gives the same values."""
        numbers = self.weights
        if self.king_value is not None:
            numbers = np.append(numbers, np.float32(self.king_value))
        kind = self.kind.plain if plain else self.kind
        return Evaluator(kind, kind.description.pack(numbers), self.rules)

    def with_rules(self, **changes: Any) -> "Network":
        """The same network, searched under other rules."""
        return replace(self, rules=replace(self.rules, **changes))

    def save(self, path: Path | str) -> None:
        """Write a network file atomically."""
        write_whole(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """The contents of a network file."""
        rules = self.rules
        metadata = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.architecture.name,
            "view": rules.view.value,
            "leaf": rules.leaf.value,
            "extensions": str(rules.extensions),
            "source": json.dumps(dict(self.source), sort_keys=True),
        }
        if not rules.quiescence:
            metadata["quiescence"] = "off"
        if self.king_value is not None:
            metadata["king_value"] = repr(float(self.king_value))
        if rules.forced is not Forced.ANY_JUMP:
            metadata["forced"] = rules.forced.value
        if rules.wins is not Wins.SOONER:
            metadata["wins"] = rules.wins.value
        return _write(metadata, self.weights)

    @classmethod
    def load(cls, path: Path | str) -> "Network":
        """Read and check a network file."""
        try:
            data = read_regular(path, MAX_FILE_BYTES)
        except OSError as error:
            raise NetworkFileError(path, (error.strerror or str(error)).lower()) from None
        return cls.from_bytes(data, path)

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | str = "(bytes)") -> "Network":
        """Read and check the contents of a network file; ``path`` appears in errors."""
        metadata, weights = _read(data, path)
        if metadata.get("format") != FORMAT:
            raise NetworkFileError(path, f"safetensors, but its metadata does not say format={FORMAT}")
        if metadata.get("version") != VERSION:
            raise NetworkFileError(path, f"version {metadata.get('version')}; this program reads version {VERSION}")
        kind = kind_named(metadata.get("kind", ""))
        if kind is None:
            raise NetworkFileError(path, f"kind {metadata.get('kind')!r} is not one of {', '.join(_names())}")
        try:
            king_value = float(metadata["king_value"]) if "king_value" in metadata else None
            source = json.loads(metadata.get("source", "{}"))
            if not isinstance(source, dict):
                raise ValueError("source is not a JSON object")
            quiescence = {"on": True, "off": False}.get(metadata.get("quiescence", "on"))
            if quiescence is None:
                raise ValueError(f"quiescence {metadata['quiescence']!r} is neither 'on' nor 'off'")
            words = {name: metadata.get(name, default) for name, default in _WORDS.items()}
            extensions = int(metadata.get("extensions", EXTENSIONS))
            rules = SearchRules(quiescence=quiescence, extensions=extensions, **words)
            return cls(kind, weights, king_value, rules, source)
        except (ValueError, OverflowError, RecursionError) as error:
            raise NetworkFileError(path, str(error)) from None


_WORDS: Mapping[str, Any] = {"view": None, "leaf": None, "forced": Forced.ANY_JUMP, "wins": Wins.SOONER}
"""The search rules that a file gives in words, with what they are if it does not; all files give the first two."""


def _names() -> list[str]:
    return [architecture.name for architecture in ARCHITECTURES.values()]


def _write(metadata: dict[str, str], weights: np.ndarray) -> bytes:
    """A safetensors file, with the same bytes for the same network; the library's own writer shuffles the metadata."""
    tensor = {"dtype": "F32", "shape": list(weights.shape), "data_offsets": [0, weights.nbytes]}
    header = json.dumps({"__metadata__": metadata, "weights": tensor}, sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + weights.astype("<f4").tobytes()


def _read(data: bytes, path: Path | str) -> tuple[dict[str, str], np.ndarray]:
    """The metadata and the only tensor of a safetensors file."""
    from safetensors import SafetensorError, deserialize

    if len(data) > MAX_FILE_BYTES:
        raise NetworkFileError(path, f"is larger than {MAX_FILE_BYTES >> 20} MiB")
    try:
        tensors = dict(deserialize(data))
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (SafetensorError, ValueError, RecursionError) as error:
        raise NetworkFileError(path, f"not a whole safetensors file ({error})") from None
    metadata = header.get("__metadata__") or {}
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise NetworkFileError(path, "its metadata is not a mapping of strings")
    if set(tensors) != {"weights"}:
        raise NetworkFileError(path, f"holds tensors {sorted(tensors)[:5]}, not just 'weights'")
    tensor = tensors["weights"]
    if tensor["dtype"] != "F32":
        raise NetworkFileError(path, f"weights are {tensor['dtype']}, not F32")
    return metadata, np.frombuffer(tensor["data"], "<f4").reshape(tensor["shape"])
