"""How fast this machine is: every figure beside a yardstick measured in the same run, but for the re-creation's.

Machines are shared and noisy, so kinds of work are timed in turn, several rounds, and the median is kept.
"""

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np

from evocheckers.evaluation import spatial
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import Evaluator, Leaf, evaluate_positions
from evocheckers.evaluation.network import EXTENSIONS, Network
from evocheckers.experiments.bench.generation import GAMES, LEARNING, WHOLE, generation_work
from evocheckers.experiments.bench.search import SECONDS, SearchDepth, measure_depth, search_positions
from evocheckers.experiments.contestants import make_contestant
from evocheckers.games.batch import GameRules, Pairing
from evocheckers.games.play import play_batch
from evocheckers.learning.learner import learn
from evocheckers.learning.speed import multiply_adds_of, timed_lesson
from evocheckers.native.peak import multiply_adds
from evocheckers.rules.board import Board
from evocheckers.rules.perft import perft
from evocheckers.search.searcher import TABLE_BITS, Limit, Searcher

RECREATION_MS_PER_MOVE = 5.6
"""A public re-creation of Blondie24 in Numba and PyTorch, at its best: milliseconds for a 4-ply move in the middle of a
game, on one core. Measured once; no part of a run."""

MIDDLE_GAMES = 20
MIDDLE_PLIES = 30
"""Plies after which a position counts as the middle of a game."""

EXTENDED, PLAIN = "mid-game moves", "mid-game moves without extensions"
ALONE = (EXTENDED, PLAIN)
"""Measured in CPU time, since their yardstick was not measured in the same run on a machine as busy."""

_POSITIONS = 16384
_MULTIPLY_ADDS = 400_000_000
_NETWORKS = 30
_DEEP_GAMES = 3
"""Games at 8 plies."""
_POSITIONS_A_ROUND = 6
"""Positions for the playing search that a round adds, until all are searched."""
_STEPS = 16
"""Of Adam, in the lesson that is timed."""


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


def middle_games(evaluators: list[Evaluator], count: int = MIDDLE_GAMES) -> list[Board]:
    """Positions for 4-ply moves: after 30 plies of the bench's own games, one a game, where there is a choice of moves.

    Same networks, same positions. The mean over whole games is another measure, and about a quarter of this one.
    """
    boards: list[Board] = []
    played = play_batch(evaluators, _pairings(2 * count))
    for number in range(len(played)):
        moves = played[number].moves
        board = Board().push_all(moves[:MIDDLE_PLIES])
        if len(moves) > MIDDLE_PLIES and len(board.legal_moves()) > 1:
            boards.append(board)
    return boards[:count]


def _pairings(games: int) -> list[Pairing]:
    return [Pairing(i % _NETWORKS, (7 * i + 3) % _NETWORKS, seed=i) for i in range(games)]


def _seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def run_bench(rounds: int = 5) -> Iterator[str | Bench]:
    """Measure; yields what is being done, and the result at last."""
    with generation_work() as generation:
        yield from _run_bench(rounds, generation)


def _run_bench(rounds: int, generation: dict[str, Callable[[], object]]) -> Iterator[str | Bench]:
    cores = os.cpu_count() or 1
    generator = np.random.default_rng(0)
    networks = [Network.random(generator) for _ in range(_NETWORKS)]
    vectors = [network.evaluator() for network in networks]
    plain = [network.evaluator(plain=True) for network in networks]
    planes = [Network.random(generator, kind=Kind.PLANES) for _ in range(_NETWORKS)]
    movers = {
        kind: [replace(network, leaf=Leaf.MOVER).evaluator() for network in found]
        for kind, found in (("spatial", networks), ("planes", planes))
    }
    positions = random_positions(_POSITIONS)
    yield "warming up: positions"
    boards = middle_games(vectors)
    start = Board()

    def games(evaluators: list[Evaluator], count: int, threads: int) -> Callable[[], object]:
        return lambda: play_batch(evaluators, _pairings(count), threads=threads)

    def deep(plies: int, deepening: bool) -> Callable[[], object]:
        searcher = Searcher(vectors[0], table_bits=TABLE_BITS if deepening else None)

        def search() -> None:
            searcher.forget()
            searcher.search(start, Limit(plies=plies), deepening=deepening)

        return search

    def middle(extensions: int) -> Callable[[], object]:
        searcher = Searcher(vectors[0], extensions)

        def search() -> None:
            for board in boards:
                searcher.forget()
                searcher.search(board, Limit(plies=4))

        return search

    valued: dict[str, int] = {}

    def valuing(kind: str, plies: int, count: int) -> dict[str, Callable[[], object]]:
        """Games in which the side to move values the leaves; how many positions are valued is noted."""
        name = f"{kind} at {plies}"
        pairings = [replace(pairing, black_plies=plies, white_plies=plies) for pairing in _pairings(count)]

        def play() -> None:
            played = play_batch(movers[kind], pairings, GameRules(extensions=0), threads=1)
            valued[name] = int(played.evaluations.sum())

        return {name: play}

    lesson, planes_lesson = (timed_lesson(found[0], positions, _STEPS) for found in (networks, planes))
    few, many = 2 * _NETWORKS, 2 * _NETWORKS * cores
    work: dict[str, Callable[[], object]] = {
        "peak": lambda: multiply_adds(_MULTIPLY_ADDS),
        "evaluations": lambda: evaluate_positions(vectors[0], positions),
        "plain evaluations": lambda: evaluate_positions(plain[0], positions),
        "perft": lambda: perft(start, 9),
        "games": games(vectors, few, 1),
        "plain games": games(plain, few // 10, 1),
        "parallel games": games(vectors, many, cores),
        EXTENDED: middle(EXTENSIONS),
        PLAIN: middle(0),
        "learning": lambda: learn(lesson, 1),
        "parallel learning": lambda: learn(lesson, cores),
        "depth 8": deep(8, True),
        "depth 8 without table": deep(8, False),
        **generation,
        "evaluations of planes": lambda: evaluate_positions(movers["planes"][0], positions),
        "learning of planes": lambda: learn(planes_lesson, 1),
        **valuing("spatial", 4, few),
        **valuing("planes", 4, few),
        **valuing("spatial", 8, _DEEP_GAMES),
        **valuing("planes", 8, _DEEP_GAMES),
    }
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for name, task in work.items():
        yield f"warming up: {name}"
        task()
    for number in range(rounds):
        for name, task in work.items():
            yield f"round {number + 1} of {rounds}: {name}"
            seconds[name].append(_seconds(task, time.thread_time if name in ALONE else time.perf_counter))
    median = {name: statistics.median(times) for name, times in seconds.items()}
    depth = None
    for step in measure_depth(make_contestant("champion"), search_positions()[: _POSITIONS_A_ROUND * rounds]):
        if isinstance(step, SearchDepth):
            depth = step
        else:
            yield step

    peak = _MULTIPLY_ADDS / median["peak"]
    evaluations = _POSITIONS / median["evaluations"]
    plain_evaluations = _POSITIONS / median["plain evaluations"]
    rate = few / median["games"]
    plain_rate = few // 10 / median["plain games"]
    parallel_rate = many / median["parallel games"]
    learnt, work_of_lesson = lesson.steps * lesson.batch / median["learning"], multiply_adds_of(lesson)
    learnt_by_all = lesson.steps * lesson.batch / median["parallel learning"]
    extended_ms = 1000 * median[EXTENDED] / len(boards)
    plain_ms = 1000 * median[PLAIN] / len(boards)

    def rate_in_games(kind: str, plies: int) -> float:
        return valued[f"{kind} at {plies}"] / median[f"{kind} at {plies}"]

    by_planes = {
        "evaluations, planes": (_POSITIONS / median["evaluations of planes"], evaluations),
        "evaluations in 4-ply games, planes": (rate_in_games("planes", 4), rate_in_games("spatial", 4)),
        "evaluations in 8-ply games, planes": (rate_in_games("planes", 8), rate_in_games("spatial", 8)),
        "positions learnt by planes, one core": (lesson.steps * lesson.batch / median["learning of planes"], learnt),
    }
    recreation = f"a public re-creation, {RECREATION_MS_PER_MOVE} ms"
    nodes = perft(start, 9)
    measures = [
        Measure("multiply-add peak", "1/s", peak, "itself", 1.0),
        Measure("evaluations", "1/s", evaluations, "multiply-add peak", evaluations * spatial.NUMBERS / peak),
        Measure("evaluations", "1/s", evaluations, "plain loops", evaluations / plain_evaluations),
        Measure("perft nodes", "1/s", nodes / median["perft"], "evaluations", nodes / median["perft"] / evaluations),
        Measure("4-ply games, one core", "1/s", rate, "plain loops", rate / plain_rate),
        Measure("4-ply games, all cores", "1/s", parallel_rate, "one core", parallel_rate / rate),
        Measure(
            "positions learnt, one core", "1/s", learnt, "multiply-add peak", work_of_lesson / median["learning"] / peak
        ),
        Measure("positions learnt, all cores", "1/s", learnt_by_all, "one core", learnt_by_all / learnt),
        Measure("4-ply mid-game move", "ms", extended_ms, recreation, RECREATION_MS_PER_MOVE / extended_ms),
        Measure("the same without extensions", "ms", plain_ms, recreation, RECREATION_MS_PER_MOVE / plain_ms),
        Measure(
            "8 plies from the start",
            "ms",
            1000 * median["depth 8"],
            "at once, without table",
            median["depth 8 without table"] / median["depth 8"],
        ),
        Measure(
            "a generation of lamarck",
            "ms",
            1000 * median[WHOLE],
            "its games and learning alone",
            median[WHOLE] / (median[GAMES] + median[LEARNING]),
        ),
        *(Measure(name, "1/s", ours, "spatial network", ours / theirs) for name, (ours, theirs) in by_planes.items()),
    ]
    if depth is not None:
        measures += _depth_measures(depth, evaluations)
    yield Bench(cores, measures)


def _depth_measures(depth: SearchDepth, evaluations: float) -> list[Measure]:
    """The playing search's lines."""
    rate, factor, first = depth.nodes_per_second, depth.branching_factor, depth.plies_by_time[0]
    reached = [
        Measure(f"plies in {1000 * seconds:.0f} ms", "plies", plies, f"in {1000 * SECONDS[0]:.0f} ms", plies / first)
        for seconds, plies in zip(SECONDS, depth.plies_by_time, strict=True)
    ]
    return [
        Measure("nodes of a timed search", "1/s", rate, "evaluations", rate / evaluations),
        *reached,
        Measure("effective branching factor", "", factor, "root of the legal moves", factor / depth.legal_moves**0.5),
    ]
