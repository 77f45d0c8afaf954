"""A network's flat vector as named arrays, one for each layer's weights and biases, and back.

Weights have the shape (inputs, nodes), so that a layer is ``inputs @ weights + biases``; those of the output, a single
node, are a plain vector. All are float32.

    spatial    first_weights (32, 91), second_weights (91, 40), third_weights (40, 10), output_weights (10,)
    planes     first_weights (128, width), second_weights (width, 32), output_weights (32,)
    dense-512  first_weights (512, 10), second_weights (10, 10), output_weights (10,); dense-128 has 128 inputs

with ``first_biases``, ``second_biases``, ... and ``output_bias`` (1,). The kind's module gives the order of inputs. In
the spatial network's first layer each node sees one sub-square of the board; the weights outside it must be zero.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.form import Form, Shapes

_FIRST = "first_weights"


class LayersError(EvocheckersError):
    """Arrays that are not the layers of a network; ``name`` is the faulty one."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.fault = name, fault
        super().__init__(f"{name}: {fault}")


def split_layers(form: Form, width: int, weights: np.ndarray) -> dict[str, np.ndarray]:
    """A flat vector's layers, as copies."""
    layers, at = {}, 0
    for name, shape in form.shapes(width).items():
        if form.joined is not None and name == _FIRST:
            layer = np.zeros(shape, np.float32)
            at = int(form.joined.sum())
            layer.T[form.joined.T] = weights[:at]  # node by node
        else:
            size = int(np.prod(shape))
            layer = weights[at : at + size].reshape(shape).copy()
            at += size
        layers[name] = layer
    return layers


def join_layers(form: Form, layers: Mapping[str, npt.ArrayLike]) -> np.ndarray:
    """The flat vector of layers by name; all layers must be given, and no others."""
    arrays = {name: np.asarray(layer, np.float32) for name, layer in layers.items()}
    shapes = form.shapes(_width(form, arrays))
    for name in (*shapes, *layers):
        if name not in layers or name not in shapes:
            raise LayersError(name, f"{'not given' if name in shapes else 'no such layer'}; give {', '.join(shapes)}")
    return np.concatenate([_flat(form, shapes, name, arrays[name]) for name in shapes])


def _width(form: Form, arrays: Mapping[str, np.ndarray]) -> int:
    """The width according to the first layer's shape, if there is such a network."""
    first = arrays.get(_FIRST, np.empty(0))
    if len(form.widths) == 1 or first.ndim != 2:
        return form.widths[0]
    if first.shape[1] not in form.widths:
        step = form.widths[1] - form.widths[0]
        fault = f"has {first.shape[1]} nodes, not {form.widths[0]} to {form.widths[-1]} in steps of {step}"
        raise LayersError(_FIRST, fault)
    return int(first.shape[1])


def _flat(form: Form, shapes: Shapes, name: str, layer: np.ndarray) -> np.ndarray:
    if layer.shape != shapes[name]:
        raise LayersError(name, f"has the shape {layer.shape}, not {shapes[name]}")
    if form.joined is not None and name == _FIRST:
        if np.any(layer[~form.joined]):
            raise LayersError(name, "has weights outside the nodes' sub-squares, where they must be zero")
        layer = layer.T[form.joined.T]
    return layer.ravel()
