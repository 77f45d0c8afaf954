"""Every kind of evaluator works through the registry, and a new kind needs its folder and one line."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from evocheckers import Network
from evocheckers.executors.cuda.constants import kinds_for
from evocheckers.learning.gradient import LEARNING, layout_of
from evocheckers.native.cache import PACKAGE, compiled_sources
from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.networks.registry import ARCHITECTURES, SCRATCH, Kind

NUMBERS = {
    "SPATIAL": 0,
    "SPATIAL_PLAIN": 1,
    "DENSE_512": 2,
    "DENSE_128": 3,
    "MATERIAL": 4,
    "ADJUDICATOR": 5,
    "PLANES": 6,
    "PLANES_PLAIN": 7,
    "SPATIAL_BARE": 8,
}

TOY = '''
"""Pieces alone, men and kings alike: a hidden layer of tanh nodes and an output."""

import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, u32
from evocheckers.native.vectors import tanh
from evocheckers.networks.kind import Architecture, EvaluatorKind

NODES = 4


@inner
def evaluate(weights, scratch, own, opp):
    for node in range(NODES):
        scratch[node] = weights[32 * NODES + node]
    for square in range(32):
        x = f32((own >> u32(square)) & u32(1)) - f32((opp >> u32(square)) & u32(1))
        for node in range(NODES):
            scratch[node] += x * weights[square * NODES + node]
    value = weights[34 * NODES]
    for node in range(NODES):
        value += tanh(scratch[node]) * weights[33 * NODES + node]
    return value


def _shapes(width):
    return {
        "first_weights": (32, width),
        "first_biases": (width,),
        "output_weights": (width,),
        "output_bias": (1,),
    }


def _gradient():
    from evocheckers.networks.toy import gradient

    return gradient.TOY


TOY = EvaluatorKind(evaluate, NODES, architecture=Architecture("toy", (NODES,), NODES, _shapes), gradient=_gradient)
'''

GRADIENT = """
import numpy as np

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import offset
from evocheckers.native.matrices import ROW, multiply, signed_bits
from evocheckers.networks.gradient_layout import OUT, GradientFunctions, GradientLayout


def layout(kind, width):
    first = np.arange(33 * width).reshape(33, width)
    count = 34 * width + 1
    return GradientLayout(kind, (width, 1), first, np.arange(count), count, has_king_value=False, is_sigmoid=False)


@inner
def fill_inputs(boards, rows):
    signed_bits(boards, offset(boards, ROW), rows)


@inner
def first_layer(layout, numbers, rows):
    multiply(numbers, 4, 1, rows, 33, offset(rows, layout.layers[0, OUT] * ROW), 4)


TOY = GradientFunctions(layout, fill_inputs, first_layer)
"""

LINE = '    TOY = 9, __import__("evocheckers.networks.toy", fromlist=["TOY"]).TOY\n'

CODE = """
import numpy as np
from evocheckers import Network, Pairing, Kind
from evocheckers.executors.cuda.launch import LaunchError, prepare
from evocheckers.games.batch import GameBatch
from evocheckers.learning.gradient import gradient
from evocheckers.networks.evaluator import evaluate_positions

network = Network.random(np.random.default_rng(1), 0.5, kind=Kind.TOY)
layers = Network.from_bytes(network.to_bytes()).layers()
boards = np.random.default_rng(2).integers(0, 2**32, (5, 4), dtype=np.uint32)
boards[:, 1] &= ~boards[:, 0]
boards[:, 3] &= 1
bits = boards[:, :2, None] >> np.arange(32, dtype=np.uint32) & 1

def values(numbers):
    first, rest = numbers[:128].reshape(32, 4), numbers[128:]
    hidden = np.tanh((bits[:, 0].astype(float) - bits[:, 1]) @ first + rest[:4])
    return hidden @ rest[4:8] + rest[8]

def loss(numbers):
    t = values(numbers)
    return np.mean(np.logaddexp(0, t) - (boards[:, 3] & 3) / 2 * t)

found = evaluate_positions(network.evaluator(), np.ascontiguousarray(boards[:, :3]))
assert np.allclose(found, values(network.weights.astype(float)), atol=1e-5), found
slopes, mean = gradient(Kind.TOY, np.append(network.weights, np.float32(0)), boards)
numbers = network.weights.astype(float)
assert abs(mean - loss(numbers)) < 1e-5
for place in (0, 77, 129, 133, 136):
    up, down = numbers.copy(), numbers.copy()
    up[place] += 1e-5
    down[place] -= 1e-5
    assert abs(slopes[place] - (loss(up) - loss(down)) / 2e-5) < 1e-4, place
try:
    prepare(GameBatch([network.evaluator()], [Pairing(0, 0, 1)]), 10)
except LaunchError as error:
    assert "not toy" in str(error)
print("plays and learns")
"""


def test_numbers_of_kinds_stay_as_they_are_in_files():
    assert {kind.name: kind.value for kind in Kind} == NUMBERS


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name)
def test_every_kind_has_its_own_scratch_and_plain_code(kind):
    assert kind.description.scratch <= SCRATCH
    assert kind.plain.description in (kind.description, kind.description.plain)
    assert (kind.description.margins is None) == (kind.description.sum_of_inputs is None)


@pytest.mark.parametrize("kind", list(ARCHITECTURES), ids=lambda kind: kind.name)
def test_every_network_plays_learns_and_is_known_to_the_gpu(kind):
    network = Network.random(np.random.default_rng(4), kind=kind)
    boards = np.array([[0xFFF, 0xFFF00000, 0], [0x10, 0x400, 0x410]], np.uint32)
    values = evaluate_positions(network.evaluator(), boards)
    np.testing.assert_array_equal(values, evaluate_positions(network.evaluator(plain=True), boards))
    assert kind in LEARNING
    assert layout_of(kind, network.width).flat == len(network.weights)
    gpu = kind.description.gpu
    assert gpu is None or gpu in kinds_for([gpu.namespace])


def test_a_new_kind_needs_its_folder_and_one_line(tmp_path):
    package = tmp_path / "evocheckers"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    folder = package / "networks" / "toy"
    folder.mkdir()
    (folder / "__init__.py").write_text(TOY)
    (folder / "gradient.py").write_text(GRADIENT)
    registry = package / "networks" / "registry.py"
    text = registry.read_text()
    last = "    SPATIAL_BARE = 8, spatial.BARE\n"
    assert last in text
    registry.write_text(text.replace(last, last + LINE))
    assert folder / "gradient.py" in compiled_sources(package)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "EVOCHECKERS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "plays and learns\n", done.stderr
