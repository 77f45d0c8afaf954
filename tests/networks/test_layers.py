"""Networks as named arrays: there and back, and computed by hand from them."""

import numpy as np
import pytest

from evocheckers import EvocheckersError, Network
from evocheckers.networks.python_function import planes_of
from evocheckers.networks.registry import ARCHITECTURES, Kind


def some_network(kind: Kind) -> Network:
    architecture = ARCHITECTURES[kind]
    weights = np.random.default_rng(3).normal(size=architecture.numbers(architecture.widths[-1])).astype(np.float32)
    return Network(kind, weights, 1.7 if architecture.has_king_value else None)


@pytest.mark.parametrize("kind", list(ARCHITECTURES))
def test_there_and_back(kind):
    network = some_network(kind)
    layers = network.layers()
    assert {name: layer.shape for name, layer in layers.items()} == ARCHITECTURES[kind].shapes(network.width)
    again = Network.from_layers(ARCHITECTURES[kind].name, layers, king_value=network.king_value)
    assert np.array_equal(again.weights, network.weights)
    layers["output_bias"][0] += 1  # a copy: the network stays as it is
    assert np.array_equal(again.weights, network.weights)


def test_the_spatial_network_by_hand(boards):
    network = Network.random(np.random.default_rng(5), king_value=1.3)
    layers = network.layers()
    planes = planes_of(np.array([board.mover_words for board in boards], np.uint32)).astype(float)
    inputs = planes[:, 0] + 1.3 * planes[:, 1] - planes[:, 2] - 1.3 * planes[:, 3]
    first = np.tanh(inputs @ layers["first_weights"] + layers["first_biases"])
    second = np.tanh(first @ layers["second_weights"] + layers["second_biases"])
    third = np.tanh(second @ layers["third_weights"] + layers["third_biases"])
    values = third @ layers["output_weights"] + layers["output_bias"] + inputs.sum(axis=1)
    evaluator = network.evaluator()
    assert np.allclose(values, [evaluator(board) for board in boards], atol=1e-4)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"third_weights": None}, "third_weights: not given"),
        ({"fourth": np.zeros(3)}, "fourth: no such layer"),
        ({"output_bias": np.zeros(2)}, r"output_bias: has the shape \(2,\), not \(1,\)"),
        ({"first_weights": np.ones((32, 91))}, "first_weights: has weights outside"),
        ({"third_biases": np.full(10, np.nan)}, "is nan"),
    ],
)
def test_wrong_layers_are_named(change, fault):
    layers = {**some_network(Kind.SPATIAL).layers(), **change}
    with pytest.raises(EvocheckersError, match=fault):
        Network.from_layers("spatial", {name: layer for name, layer in layers.items() if layer is not None})
    with pytest.raises(EvocheckersError, match="no kind 'cubic'"):
        Network.from_layers("cubic", layers)
