"""Where a GPU is: the same games as on threads. Elsewhere: what is missing, in one line."""

import importlib.util

import numpy as np
import pytest

from evocheckers import Board, Network, Pairing, piece_differential, play_batch
from evocheckers.executors.gpu import GpuError, GpuExecutor
from evocheckers.games.batch import GameBatch, GameRules


def gpu() -> GpuExecutor:
    try:
        return GpuExecutor()
    except GpuError as error:
        pytest.skip(str(error))


def test_rules_and_games_on_the_gpu():
    executor = gpu()
    assert executor.count_moves(*Board().mover_words, 8) == 845931
    generator = np.random.default_rng(1)
    evaluators = [Network.random(generator).evaluator() for _ in range(8)] + [piece_differential(1.5, 0.01)]
    pairings = [Pairing(i % 9, (i + 1 + i // 9) % 9, i, 1 + i % 4, 1 + i % 4) for i in range(300)]
    for rules in (GameRules(), GameRules(extensions=0)):
        expected = play_batch(evaluators, pairings, rules).digest()
        for warps in (1, 2, 4, 8):
            assert GpuExecutor(warps).play(GameBatch(evaluators, pairings, rules)).digest() == expected


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is here")
def test_without_cupy_it_says_what_is_missing():
    with pytest.raises(GpuError, match=r"the GPU executor needs CuPy: pip install 'evocheckers\[gpu\]'"):
        GpuExecutor()
