"""Where a GPU is: the same games as on threads. Elsewhere: what is missing, in one line."""

import importlib.util

import numpy as np
import pytest

from evocheckers import Board, Network, Pairing, piece_differential, play_batch
from evocheckers.endgames.values import Database
from evocheckers.executors.gpu import GpuError, GpuExecutor, Shape
from evocheckers.games.adjudication import adjudicating_evaluator
from evocheckers.games.batch import GameBatch, GameRules, Precision
from evocheckers.networks.registry import Kind

SHAPES = [
    Shape(1, False, 13),
    Shape(4, False, 13),
    Shape(8, False, 15),
    Shape(1, True, 13),
    Shape(6, True, 12),
    Shape(16, True, 15),
]


def gpu() -> GpuExecutor:
    try:
        return GpuExecutor()
    except GpuError as error:
        pytest.skip(str(error))


def random_games(games: int) -> tuple[list, list[Pairing]]:
    generator = np.random.default_rng(1)
    evaluators = [Network.random(generator).evaluator() for _ in range(7)] + [
        piece_differential(),
        piece_differential(1.5, 0.01),
    ]
    return evaluators, [Pairing(i % 9, (i + 1 + i // 9) % 9, i, 1 + i % 4, 1 + i % 4) for i in range(games)]


def test_rules_and_games_on_the_gpu():
    executor = gpu()
    assert executor.count_moves(*Board().mover_words, 8) == 845931
    evaluators, pairings = random_games(300)
    for players in (evaluators, [one.with_rules(extensions=0) for one in evaluators]):
        expected = play_batch(players, pairings).digest()
        for shape in SHAPES:
            assert GpuExecutor(shape).play(GameBatch(players, pairings)).digest() == expected


def test_networks_of_planes_on_the_gpu():
    gpu()
    generator = np.random.default_rng(2)
    widths = (32, 64, 96, 256, 512)
    evaluators = [Network.random(generator, kind=Kind.PLANES, width=width).evaluator() for width in widths]
    evaluators += random_games(1)[0][:2]
    pairings = [Pairing(i % 7, (i + 1 + i // 7) % 7, i, 1 + i % 4, 1 + i % 4) for i in range(300)]
    expected = play_batch(evaluators, pairings).digest()
    for shape in SHAPES:
        assert GpuExecutor(shape).play(GameBatch(evaluators, pairings)).digest() == expected


def test_half_precision_plays_almost_the_same_games():
    gpu()
    evaluators, pairings = random_games(300)
    expected = play_batch(evaluators, pairings)
    batch = GameBatch(evaluators, pairings, GameRules(precision=Precision.FP16))
    results = [GpuExecutor(shape).play(batch) for shape in SHAPES]
    assert len({result.digest() for result in results}) == 1
    assert (results[0].codes == expected.codes).all(axis=1).sum() > 240


def test_the_adjudicator_plays_on_the_machine(monkeypatch):
    monkeypatch.setattr(GpuExecutor, "__init__", lambda self: setattr(self, "_cupy", None))  # it needs no GPU
    adjudicator = adjudicating_evaluator(Database.prepare(2))
    batch = GameBatch([adjudicator], [Pairing(0, 0, seed, 3, 3) for seed in range(2)], GameRules(20))
    assert GpuExecutor().play(batch).digest() == play_batch(*batch).digest()


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is here")
def test_without_cupy_it_says_what_is_missing():
    with pytest.raises(GpuError, match=r"the GPU executor needs CuPy: pip install 'evocheckers\[gpu\]'"):
        GpuExecutor()
