"""How fast a GPU plays, and whether it plays the same games as threads."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evocheckers.executors.gpu import GpuExecutor
from evocheckers.games.batch import BatchResult, Executor, GameBatch, GameRules, Pairing, Precision, play_batch
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import EXTENSIONS
from evocheckers.rules.board import Board
from evocheckers.rules.perft import perft

PERFT_PLIES = 8
COMPARED = 1000
"""Games that are played on threads too."""
GENERATION = 150
"""Games in a generation of Anaconda."""
MANY = 9600
_NETWORKS = 60


@dataclass(frozen=True, slots=True)
class GpuRow:
    """One precision under one extension rule, in 4-ply games between random networks."""

    precision: str
    extensions: int
    identical: int
    """Of ``COMPARED`` games, those that threads play move for move; the first also in batches of ``GENERATION``."""
    generation_ms: float
    games_per_second: float
    """In a batch of ``MANY``."""
    threads_per_second: float
    """The same games on this machine's cores."""


def _batch(networks: list[Network], games: int, rules: GameRules) -> GameBatch:
    pairings = [Pairing(i % _NETWORKS, (i + 1 + i // _NETWORKS % (_NETWORKS - 1)) % _NETWORKS, i) for i in range(games)]
    return GameBatch([network.evaluator() for network in networks], pairings, rules)


def _timed(executor: Executor, batch: GameBatch) -> tuple[float, BatchResult]:
    began = time.perf_counter()
    result = executor.play(batch)
    return time.perf_counter() - began, result


def run_gpu_bench() -> Iterator[str | GpuRow]:
    """Measure; yields progress messages and rows."""
    executor = GpuExecutor()
    start = Board()
    found = executor.count_moves(*start.mover_words, PERFT_PLIES)
    yield f"perft {PERFT_PLIES}: {found}, as on the CPU: {'yes' if found == perft(start, PERFT_PLIES) else 'NO'}"
    generator = np.random.default_rng(0)
    networks = [Network.random(generator) for _ in range(_NETWORKS)]
    for extensions in (EXTENSIONS, 0):
        players = [network.with_rules(extensions=extensions) for network in networks]
        yield f"{COMPARED} games on threads, {extensions} extensions"
        play_batch(*_batch(players, 8, GameRules()))
        began = time.perf_counter()
        expected = play_batch(*_batch(players, COMPARED, GameRules()))
        threads_per_second = COMPARED / (time.perf_counter() - began)
        for precision in Precision:
            rules = GameRules(precision=precision)
            yield f"{precision.value}, {extensions} extensions"
            _, result = _timed(executor, _batch(players, COMPARED, rules))
            generations = [_timed(executor, _batch(players, GENERATION, rules)) for _ in range(3)]
            many, _ = _timed(executor, _batch(players, MANY, rules))
            same = (result.codes == expected.codes).all(axis=1)
            for _, few in generations:
                same[:GENERATION] &= (few.codes == expected.codes[:GENERATION]).all(axis=1)
            fastest = 1000 * min(seconds for seconds, _ in generations)
            yield GpuRow(precision.value, extensions, int(same.sum()), fastest, MANY / many, threads_per_second)
