"""The same games on every processor: AVX-512, AVX2 alone, and plain loops, by a digest kept here."""

import os
import platform
import subprocess
import sys

import pytest

GAMES = 60
DIGEST = "766e1c45e2bb4199563bb3128e4d934861eb67bd44df87b23bc54f397ec18c06"

CODE = """
import sys
import numpy as np
from evocheckers import Network, Pairing, play_batch
plain, threads, games = sys.argv[1] == "plain", int(sys.argv[2]), int(sys.argv[3])
generator = np.random.default_rng(2024)
evaluators = [Network.random(generator).evaluator(plain) for _ in range(30)]
pairings = [Pairing(i % 30, (7 * i + 3) % 30, seed=i) for i in range(games)]
print(play_batch(evaluators, pairings, threads=threads).digest())
"""

AVX2 = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx,+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt,+sse4.2"}


@pytest.mark.parametrize(
    ("name", "code", "threads"), [("host", "fast", 1), ("host", "plain", 2), ("avx2", "fast", 4), ("avx2", "plain", 2)]
)
def test_digest(name, code, threads):
    if name == "avx2" and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("AVX2 is a feature of x86-64 processors")
    environment = os.environ | (AVX2 if name == "avx2" else {})
    command = [sys.executable, "-c", CODE, code, str(threads), str(GAMES)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == DIGEST
