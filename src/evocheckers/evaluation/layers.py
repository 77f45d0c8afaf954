"""A network's flat vector as named arrays, one for each layer's weights and biases, and back.

Weights have the shape (inputs, nodes), so that a layer is ``inputs @ weights + biases``; those of the output, which is
one node, are a plain vector. All are float32.

    spatial    first_weights (32, 91), second_weights (91, 40), third_weights (40, 10), output_weights (10,)
    dense-512  first_weights (512, 10), second_weights (10, 10), output_weights (10,); dense-128 has 128 inputs

with ``first_biases``, ``second_biases``, ... and ``output_bias`` (1,). Inputs are ordered as the kind's module says. In
the spatial network's first layer each node sees one sub-square of the board; the weights outside of it must be zero.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation import dense, spatial
from evocheckers.evaluation.dispatch import Kind


class LayersError(EvocheckersError):
    """Arrays that are not the layers of a network; ``name`` says which one."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.fault = name, fault
        super().__init__(f"{name}: {fault}")


def _dense_shapes(inputs: int) -> dict[str, tuple[int, ...]]:
    return {
        "first_weights": (inputs, dense.HIDDEN),
        "first_biases": (dense.HIDDEN,),
        "second_weights": (dense.HIDDEN, dense.HIDDEN),
        "second_biases": (dense.HIDDEN,),
        "output_weights": (dense.HIDDEN,),
        "output_bias": (1,),
    }


SHAPES: dict[Kind, dict[str, tuple[int, ...]]] = {
    Kind.SPATIAL: {
        "first_weights": (32, 91),
        "first_biases": (91,),
        "second_weights": (91, 40),
        "second_biases": (40,),
        "third_weights": (40, 10),
        "third_biases": (10,),
        "output_weights": (10,),
        "output_bias": (1,),
    },
    Kind.DENSE_512: _dense_shapes(512),
    Kind.DENSE_128: _dense_shapes(128),
}
"""Every array's shape, in the order of the flat vector."""

_SEEN = spatial.first_layer_table() >= 0


def split_layers(kind: Kind, weights: np.ndarray) -> dict[str, np.ndarray]:
    """A flat vector's layers, as copies."""
    layers, at = {}, 0
    for name, shape in SHAPES[kind].items():
        if kind is Kind.SPATIAL and name == "first_weights":
            layer = np.zeros(shape, np.float32)
            layer.T[_SEEN.T] = weights[: spatial.FIRST_WEIGHTS]  # node by node
            at = spatial.FIRST_WEIGHTS
        else:
            size = int(np.prod(shape))
            layer = weights[at : at + size].reshape(shape).copy()
            at += size
        layers[name] = layer
    return layers


def join_layers(kind: Kind, layers: Mapping[str, npt.ArrayLike]) -> np.ndarray:
    """The flat vector of layers by name; all of them, and no others."""
    shapes = SHAPES[kind]
    for name in (*shapes, *layers):
        if name not in layers or name not in shapes:
            raise LayersError(name, f"{'not given' if name in shapes else 'no such layer'}; give {', '.join(shapes)}")
    parts = []
    for name, shape in shapes.items():
        layer = np.asarray(layers[name], np.float32)
        if layer.shape != shape:
            raise LayersError(name, f"has the shape {layer.shape}, not {shape}")
        if kind is Kind.SPATIAL and name == "first_weights":
            if np.any(layer[~_SEEN]):
                raise LayersError(name, "has weights outside of the nodes' sub-squares, where they must be zero")
            layer = layer.T[_SEEN.T]
        parts.append(layer.ravel())
    return np.concatenate(parts)
