"""The same learning on every processor, AVX-512 and AVX2 alone, by digests kept here."""

import os
import platform
import subprocess
import sys

import pytest

from tests.native.test_same_bits import AVX2

DIGESTS = {
    "SPATIAL": "09a41df15b481fd0",
    "PLANES": "3e4835cfd529d79c",
    "SPATIAL_BARE": "e0de713780b4f5c2",
    "DENSE_512": "edba70a226509c76",
    "DENSE_128": "61277370f4006b6e",
}

CODE = """
import hashlib
import sys
import numpy as np
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network
from evocheckers.games.batch import GameRules, Pairing
from evocheckers.games.batch import play_batch
from evocheckers.learning.gradient import LEARNING
from evocheckers.learning.trainer import Learner, TrainingTask, train
from evocheckers.learning.dataset import positions_of
from evocheckers.native.randomness import uniforms
pairings = [Pairing(0, 0, seed, 0, 0) for seed in range(100)]
rows = positions_of(play_batch([piece_differential()], pairings, GameRules(max_plies=120)))
for kind in LEARNING:
    architecture = kind.description.architecture
    weights = uniforms(7, -0.2, 0.2, architecture.numbers(architecture.widths[0]))
    begun = Learner.of(Network(kind, weights, 2.0 if architecture.has_king_value else None))
    after, loss = train(TrainingTask(begun, rows, seed=11, steps=8, batch=2000), int(sys.argv[1]))
    digest = hashlib.sha256(np.float64(loss).astype("<f8").tobytes())
    for array in (after.numbers, after.mean, after.square):
        digest.update(array.astype("<f4").tobytes())
    print(kind.name, digest.hexdigest()[:16])
"""


@pytest.mark.parametrize(("name", "threads"), [("host", 1), ("host", 4), ("avx2", 2)])
def test_digests(name, threads):
    if name == "avx2" and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("AVX2 is a feature of x86-64 processors")
    environment = os.environ | (AVX2 if name == "avx2" else {})
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(threads)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert dict(line.split() for line in done.stdout.splitlines()) == DIGESTS
