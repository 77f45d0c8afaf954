"""The same games on every processor: AVX-512, AVX2 alone, and plain loops, by a digest kept here."""

import os
import platform
import subprocess
import sys

import pytest

GAMES = {"spatial": 60, "planes": 24}
DIGESTS = {
    "spatial": "766e1c45e2bb4199563bb3128e4d934861eb67bd44df87b23bc54f397ec18c06",
    "planes": "77c1c221e7f7e80801066b1c7bafc8c7d0d8e485303a17f7da57442c580cc117",
}

CODE = """
import sys
import numpy as np
from evocheckers import Network, Pairing, play_batch
from evocheckers.networks.registry import Kind
plain, threads = sys.argv[1] == "plain", int(sys.argv[2])
for kind, widths, games in ((Kind.SPATIAL, (91,), sys.argv[3]), (Kind.PLANES, (32, 64, 96), sys.argv[4])):
    pairings = [Pairing(i % 30, (7 * i + 3) % 30, seed=i) for i in range(int(games))]
    generator = np.random.default_rng(2024)
    sized = [widths[i % len(widths)] for i in range(30)]
    evaluators = [Network.random(generator, kind=kind, width=width).evaluator(plain) for width in sized]
    print(kind.name.lower(), play_batch(evaluators, pairings, threads=threads).digest())
"""

AVX2 = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx,+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt,+sse4.2"}


@pytest.mark.parametrize(
    ("name", "code", "threads"), [("host", "fast", 1), ("host", "plain", 2), ("avx2", "fast", 4), ("avx2", "plain", 2)]
)
def test_digest(name, code, threads):
    if name == "avx2" and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("AVX2 is a feature of x86-64 processors")
    environment = os.environ | (AVX2 if name == "avx2" else {})
    command = [sys.executable, "-c", CODE, code, str(threads), *map(str, GAMES.values())]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert dict(line.split() for line in done.stdout.splitlines()) == DIGESTS
