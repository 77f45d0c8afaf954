"""How many cores a population keeps busy on a Ray cluster: measured on this machine, simulated beyond it.

The simulation hands out the same tasks as the executor, in the same order, to the first free worker. A game costs what
it cost here. A task costs the worker and the driver what nearly empty tasks cost. Breeding and recording a generation
cost the driver what they cost here. Networks travel to nodes at a gigabyte a second.
"""

import heapq
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evocheckers.evolution.evolve import Generation
from evocheckers.executors.ray import RayExecutor, import_ray, task_sizes
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import Executor, GameBatch, GameRules, Pairing
from evocheckers.networks.network import Network
from evocheckers.runs.recorder import carry_on, open_run

GAMES = 600
WORKERS = (1, 2)
CORES = (10, 100, 1000)
POPULATIONS = (30, 100, 1000, 10_000)
OPPONENTS = 5
"""Games per network, as in Anaconda."""
NETWORK_BYTES = 30_000
BYTES_PER_SECOND = 1e9
_NETWORKS = 120
_TRIVIAL = 400
_BRED = 600


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs in seconds."""

    games: np.ndarray
    """Of each game in a sample, on one core."""
    task: float
    """Overhead of a task, besides its games, until its worker can begin the next."""
    driver: float
    """The driver's own time per task."""
    network: float
    """Breeding and recording, per network of a population."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The same games on threads and on Ray."""

    workers: int
    threads_per_second: float
    ray_per_second: float
    expected_per_second: float
    """What the simulation predicts for Ray."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """A generation of a population on a cluster."""

    population: int
    games: int
    cores: int
    tasks: int
    seconds: float
    busy: float
    """The share of all cores' time that is spent on games."""


def makespan(games: np.ndarray, workers: int, costs: Costs) -> tuple[float, int]:
    """How long all games take, and the number of tasks."""
    sizes = task_sizes(np.ones(len(games)), workers)
    ends = np.cumsum(sizes)
    sums = np.diff(np.concatenate([[0.0], np.cumsum(games)])[np.concatenate([[0], ends])])
    free = [0.0] * workers
    last = 0.0
    for number, seconds in enumerate(sums):
        start = max(heapq.heappop(free), (number + 1) * costs.driver / 2)  # half to hand out, half to collect
        end = start + costs.task + float(seconds)
        heapq.heappush(free, end)
        last = max(last, end)
    return max(last, len(sizes) * costs.driver), len(sizes)


def simulate(population: int, cores: int, costs: Costs) -> Simulated:
    """Simulate a generation of Anaconda with ``population`` networks."""
    count = population * OPPONENTS
    games = np.random.default_rng(population).choice(costs.games, count)
    playing, tasks = makespan(games, cores, costs)
    seconds = playing + population * (costs.network + NETWORK_BYTES / BYTES_PER_SECOND)
    return Simulated(population, count, cores, tasks, seconds, float(games.sum()) / cores / seconds)


def run_sizing() -> Iterator[str | Costs | Measured | Simulated]:
    """Measure and simulate; yields progress messages and results."""
    import_ray()
    yield f"{GAMES} games on threads"
    threads = {workers: _seconds(ThreadExecutor(workers), _batch(GAMES)) for workers in WORKERS}
    evaluations = ThreadExecutor(1).play(_batch(GAMES)).evaluations.astype(np.float64)
    yield "breeding and recording"
    network = _breeding_seconds()
    ray_seconds, tasks_seconds = {}, {}
    for workers in WORKERS:
        yield f"{GAMES} games on Ray, {workers} workers"
        executor = RayExecutor(workers=workers)
        try:
            ray_seconds[workers] = _seconds(executor, _batch(GAMES))
            tasks_seconds[workers] = _task_seconds(executor)
        finally:
            executor.close()
    costs = Costs(evaluations / evaluations.sum() * threads[1], *tasks_seconds[1], network)
    yield costs
    for workers in WORKERS:
        expected, _ = makespan(costs.games * (workers * threads[workers] / threads[1]), workers, costs)
        rates = (GAMES / seconds for seconds in (threads[workers], ray_seconds[workers], expected))
        yield Measured(workers, *rates)
    for population in POPULATIONS:
        for cores in CORES:
            yield simulate(population, cores, costs)


def _batch(games: int, rules: GameRules | None = None, plies: int = 4) -> GameBatch:
    generator = np.random.default_rng(1)
    evaluators = [Network.random(generator).evaluator() for _ in range(_NETWORKS)]
    pairings = [Pairing(i % _NETWORKS, (i + 1 + i // _NETWORKS) % _NETWORKS, i, plies, plies) for i in range(games)]
    return GameBatch(evaluators, pairings, rules or GameRules())


def _seconds(executor: Executor, batch: GameBatch) -> float:
    """The shorter of two timings, after everything is compiled and every worker started."""
    executor.play(_batch(8))
    times = []
    for _ in range(2):
        began = time.perf_counter()
        executor.play(batch)
        times.append(time.perf_counter() - began)
    return min(times)


def _task_seconds(executor: RayExecutor) -> tuple[float, float]:
    """Seconds that a nearly empty task takes, and how many of them are the driver's."""
    batch = _batch(_TRIVIAL, GameRules(max_plies=1), plies=0)
    tasks = len(task_sizes(np.ones(_TRIVIAL), executor.workers))
    executor.play(batch)
    began, used = time.perf_counter(), time.process_time()
    executor.play(batch)
    return (time.perf_counter() - began) / tasks, (time.process_time() - used) / tasks


def _breeding_seconds() -> float:
    """The driver's time per network, without the games."""
    settings = {"parents": _BRED // 2, "plies": 1, "moves_per_side": 1}
    with tempfile.TemporaryDirectory() as folder, open_run("anaconda", Path(folder) / "run", 3, 1, settings) as run:
        began = time.perf_counter()
        steps = list(carry_on(run, ThreadExecutor(), 0))
        playing = sum(step.playing_seconds for step in steps if isinstance(step, Generation))
        return (time.perf_counter() - began - playing) / len(steps) / _BRED
