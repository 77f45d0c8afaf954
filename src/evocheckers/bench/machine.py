"""Speed of this machine: every figure next to a yardstick from the same run, except for the re-creation's.

Machines are shared and noisy, so the kinds of work are timed in turn over several rounds, and the median is kept.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

from evocheckers.bench.search import SECONDS, SearchDepth, measure_depth, search_positions
from evocheckers.bench.workload import (
    EXTENDED,
    GENERATION,
    ITS_GAMES,
    ITS_LEARNING,
    MULTIPLY_ADDS,
    PERFT_PLIES,
    PLAIN,
    POSITIONS,
    Work,
    Workload,
    generation_work,
    multiply_adds_of,
    valuing_name,
)
from evocheckers.networks.registry import Kind
from evocheckers.networks.spatial import reference as spatial
from evocheckers.players.make import make_contestant
from evocheckers.rules.board import Board
from evocheckers.rules.perft import perft

RECREATION_MS_PER_MOVE = 5.6
"""A public re-creation of Blondie24 in Numba and PyTorch, at its best: milliseconds for a 4-ply move in the middle of a
game, on one core. Measured once, not in each run."""
ALONE = (EXTENDED, PLAIN)
"""Timed in CPU time, since their yardstick was not measured in the same run under the same load."""
_POSITIONS_A_ROUND = 6
"""Positions for the selective search that each round adds, until all are searched."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table."""

    name: str
    unit: str
    value: float
    yardstick: str
    ratio: float
    """Value over yardstick; for rates, above one is better."""


@dataclass(frozen=True, slots=True)
class Bench:
    """All lines of the table, and the machine's cores."""

    cores: int
    measures: list[Measure]

    def to_json(self) -> dict[str, object]:
        """As JSON data."""
        return {"cores": self.cores, "measures": [asdict(measure) for measure in self.measures]}


def run_bench(rounds: int = 5) -> Iterator[str | Bench]:
    """Measure; yields progress messages, and finally the result."""
    yield "warming up: positions"
    load = Workload()
    with generation_work() as generation:
        timing = Timing({**load.work(), **generation})
        yield from timing.run(rounds)
    measures = [*_game_measures(load, timing.median), *_learning_measures(load, timing.median)]
    measures += _planes_measures(load, timing.median)
    for step in measure_depth(make_contestant("champion"), search_positions()[: _POSITIONS_A_ROUND * rounds]):
        if isinstance(step, SearchDepth):
            measures += _depth_measures(step, POSITIONS / timing.median["evaluations"])
        else:
            yield step
    yield Bench(load.cores, measures)


class Timing:
    """Kinds of work, timed in turn."""

    def __init__(self, work: Mapping[str, Work]) -> None:
        self._work = work
        self.median: dict[str, float] = {}
        """Median seconds of each kind, once ``run`` is done."""

    def run(self, rounds: int) -> Iterator[str]:
        """Do everything once untimed, then ``rounds`` times; yields progress messages."""
        seconds: dict[str, list[float]] = {name: [] for name in self._work}
        for name, task in self._work.items():
            yield f"warming up: {name}"
            task()
        for number in range(rounds):
            for name, task in self._work.items():
                yield f"round {number + 1} of {rounds}: {name}"
                seconds[name].append(_seconds(task, time.thread_time if name in ALONE else time.perf_counter))
        self.median = {name: statistics.median(times) for name, times in seconds.items()}


def _seconds(work: Work, clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def _game_measures(load: Workload, median: Mapping[str, float]) -> list[Measure]:
    """Evaluations, moves and games."""
    peak = MULTIPLY_ADDS / median["peak"]
    evaluations = POSITIONS / median["evaluations"]
    plain_evaluations = POSITIONS / median["plain evaluations"]
    nodes = perft(Board(), PERFT_PLIES) / median["perft"]
    rate = load.games / median["games"]
    plain_rate = load.plain_games / median["plain games"]
    parallel_rate = load.parallel_games / median["parallel games"]
    extended, plain = (1000 * median[name] / len(load.boards) for name in ALONE)
    recreation = f"a public re-creation, {RECREATION_MS_PER_MOVE} ms"
    deep, without_table = (1000 * median[name] for name in ("depth 8", "depth 8 without table"))
    return [
        Measure("multiply-add peak", "1/s", peak, "itself", 1.0),
        Measure("evaluations", "1/s", evaluations, "multiply-add peak", evaluations * spatial.NUMBERS / peak),
        Measure("evaluations", "1/s", evaluations, "plain loops", evaluations / plain_evaluations),
        Measure("perft nodes", "1/s", nodes, "evaluations", nodes / evaluations),
        Measure("4-ply games, one core", "1/s", rate, "plain loops", rate / plain_rate),
        Measure("4-ply games, all cores", "1/s", parallel_rate, "one core", parallel_rate / rate),
        Measure("4-ply mid-game move", "ms", extended, recreation, RECREATION_MS_PER_MOVE / extended),
        Measure("the same without extensions", "ms", plain, recreation, RECREATION_MS_PER_MOVE / plain),
        Measure("8 plies from the start", "ms", deep, "at once, without table", without_table / deep),
    ]


def _learning_measures(load: Workload, median: Mapping[str, float]) -> list[Measure]:
    """Learning, and a whole generation compared with its parts."""
    task = load.tasks[Kind.SPATIAL]
    peak = MULTIPLY_ADDS / median["peak"]
    learnt = task.steps * task.batch / median["learning"]
    by_all = task.steps * task.batch / median["parallel learning"]
    share = multiply_adds_of(task) / median["learning"] / peak
    whole, parts = median[GENERATION], median[ITS_GAMES] + median[ITS_LEARNING]
    return [
        Measure("positions learnt, one core", "1/s", learnt, "multiply-add peak", share),
        Measure("positions learnt, all cores", "1/s", by_all, "one core", by_all / learnt),
        Measure("a generation of self-play", "ms", 1000 * whole, "its games and learning alone", whole / parts),
    ]


def _planes_measures(load: Workload, median: Mapping[str, float]) -> list[Measure]:
    """The planes network compared with the spatial one."""

    def in_games(kind: Kind, plies: int) -> float:
        name = valuing_name(kind, plies)
        return load.valued[name] / median[name]

    positions = load.tasks[Kind.SPATIAL].steps * load.tasks[Kind.SPATIAL].batch
    rates = {
        "evaluations, planes": (POSITIONS / median["evaluations of planes"], POSITIONS / median["evaluations"]),
        "evaluations in 4-ply games, planes": (in_games(Kind.PLANES, 4), in_games(Kind.SPATIAL, 4)),
        "evaluations in 8-ply games, planes": (in_games(Kind.PLANES, 8), in_games(Kind.SPATIAL, 8)),
        "positions learnt by planes, one core": (
            positions / median["learning of planes"],
            positions / median["learning"],
        ),
    }
    return [Measure(name, "1/s", ours, "spatial network", ours / theirs) for name, (ours, theirs) in rates.items()]


def _depth_measures(depth: SearchDepth, evaluations: float) -> list[Measure]:
    """The lines of the selective search."""
    rate, factor, first = depth.nodes_per_second, depth.branching_factor, depth.plies_by_time[0]
    shortest = f"in {1000 * SECONDS[0]:.0f} ms"
    reached = [
        Measure(f"plies in {1000 * seconds:.0f} ms", "plies", plies, shortest, plies / first)
        for seconds, plies in zip(SECONDS, depth.plies_by_time, strict=True)
    ]
    late = 1000 * depth.late
    return [
        Measure("nodes of a timed search", "1/s", rate, "evaluations", rate / evaluations),
        *reached,
        Measure("effective branching factor", "", factor, "root of the legal moves", factor / depth.legal_moves**0.5),
        Measure("late, 99th percentile", "ms", late, f"{1000 * SECONDS[0]:.0f} ms", depth.late / SECONDS[0]),
        Measure("time of two threads", "", depth.two_threads, "one, to the same depth", depth.two_threads),
    ]
