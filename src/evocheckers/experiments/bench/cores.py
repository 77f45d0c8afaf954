"""How fast this machine is: every figure beside a yardstick measured in the same run.

Machines are shared and noisy, so kinds of work are timed in turn, several rounds, and the median is kept.
"""

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import numpy as np

from evocheckers.evaluation import spatial
from evocheckers.evaluation.evaluator import Evaluator, evaluate_positions
from evocheckers.evaluation.network import Network
from evocheckers.games.batch import Pairing
from evocheckers.games.play import play_batch
from evocheckers.native.peak import multiply_adds
from evocheckers.rules.board import Board
from evocheckers.rules.perft import perft
from evocheckers.search.searcher import TABLE_BITS, Limit, Searcher

RECREATION_MS_PER_MOVE = 5.6
"""A public re-creation of Blondie24 in Numba and PyTorch, at its best: milliseconds for a 4-ply move of one core."""

_POSITIONS = 16384
_MULTIPLY_ADDS = 400_000_000
_NETWORKS = 30


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table."""

    name: str
    unit: str
    value: float
    yardstick: str
    ratio: float
    """Of the value to the yardstick; above one is better for rates."""


@dataclass(frozen=True, slots=True)
class Bench:
    """All lines, and the machine's cores."""

    cores: int
    measures: list[Measure]

    def to_json(self) -> dict[str, object]:
        """For files."""
        return {"cores": self.cores, "measures": [asdict(measure) for measure in self.measures]}


def random_positions(count: int, seed: int = 0) -> np.ndarray:
    """Positions of random games, kings included, as rows ``own, opp, kings``."""
    generator = random.Random(seed)  # noqa: S311
    rows: list[tuple[int, int, int]] = []
    while len(rows) < count:
        board = Board()
        for _ in range(120):
            moves = board.legal_moves()
            if not moves:
                break
            board.push(generator.choice(moves))
            rows.append(board.mover_words)
    return np.array(rows[:count], np.uint32)


def _pairings(games: int) -> list[Pairing]:
    return [Pairing(i % _NETWORKS, (7 * i + 3) % _NETWORKS, seed=i) for i in range(games)]


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def run_bench(rounds: int = 5) -> Iterator[str | Bench]:
    """Measure; yields what is being done, and the result at last."""
    cores = os.cpu_count() or 1
    generator = np.random.default_rng(0)
    networks = [Network.random(generator) for _ in range(_NETWORKS)]
    vectors = [network.evaluator() for network in networks]
    plain = [network.evaluator(plain=True) for network in networks]
    positions = random_positions(_POSITIONS)
    start = Board()

    def games(evaluators: list[Evaluator], count: int, threads: int) -> Callable[[], object]:
        return lambda: play_batch(evaluators, _pairings(count), threads=threads)

    def deep(plies: int, deepening: bool) -> Callable[[], object]:
        searcher = Searcher(vectors[0], table_bits=TABLE_BITS if deepening else None)

        def search() -> None:
            searcher.forget()
            searcher.search(start, Limit(plies=plies), deepening=deepening)

        return search

    few, many = 2 * _NETWORKS, 2 * _NETWORKS * cores
    work: dict[str, Callable[[], object]] = {
        "peak": lambda: multiply_adds(_MULTIPLY_ADDS),
        "evaluations": lambda: evaluate_positions(vectors[0], positions),
        "plain evaluations": lambda: evaluate_positions(plain[0], positions),
        "perft": lambda: perft(start, 9),
        "games": games(vectors, few, 1),
        "plain games": games(plain, few // 10, 1),
        "parallel games": games(vectors, many, cores),
        "depth 8": deep(8, True),
        "depth 8 without table": deep(8, False),
    }
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for name, task in work.items():
        yield f"warming up: {name}"
        task()
    for number in range(rounds):
        for name, task in work.items():
            yield f"round {number + 1} of {rounds}: {name}"
            seconds[name].append(_seconds(task))
    median = {name: statistics.median(times) for name, times in seconds.items()}
    plies = int(play_batch(vectors, _pairings(few), threads=1).plies.sum())

    peak = _MULTIPLY_ADDS / median["peak"]
    evaluations = _POSITIONS / median["evaluations"]
    plain_evaluations = _POSITIONS / median["plain evaluations"]
    rate = few / median["games"]
    plain_rate = few // 10 / median["plain games"]
    parallel_rate = many / median["parallel games"]
    ms_per_move = 1000 * median["games"] / plies
    nodes = perft(start, 9)
    measures = [
        Measure("multiply-add peak", "1/s", peak, "itself", 1.0),
        Measure("evaluations", "1/s", evaluations, "multiply-add peak", evaluations * spatial.NUMBERS / peak),
        Measure("evaluations", "1/s", evaluations, "plain loops", evaluations / plain_evaluations),
        Measure("perft nodes", "1/s", nodes / median["perft"], "evaluations", nodes / median["perft"] / evaluations),
        Measure("4-ply games, one core", "1/s", rate, "plain loops", rate / plain_rate),
        Measure("4-ply games, all cores", "1/s", parallel_rate, "one core", parallel_rate / rate),
        Measure("4-ply move", "ms", ms_per_move, "a public re-creation", RECREATION_MS_PER_MOVE / ms_per_move),
        Measure(
            "8 plies from the start",
            "ms",
            1000 * median["depth 8"],
            "at once, without table",
            median["depth 8 without table"] / median["depth 8"],
        ),
    ]
    yield Bench(cores, measures)
