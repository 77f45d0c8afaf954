"""The kinds of work that ``bench`` times, by name, and their sizes.

They come with the means to set them in proportion: the peak rate of fused multiply-adds on a core is the yardstick for
evaluations; a training task's multiply-adds are known, so its time shows how much of a processor learning uses; and a
whole generation of ``self-play`` is timed beside its games and its learning alone, which leaves players, pairing,
digest and recording.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from evocheckers.bench.peak import multiply_adds
from evocheckers.evolution import learners
from evocheckers.evolution.evolve import Resumable, next_generation
from evocheckers.evolution.learners import LearnersSettings, copies, create, rate_now
from evocheckers.evolution.registry import make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import GameBatch, Pairing, play_batch
from evocheckers.games.driving import drive
from evocheckers.learning.adam import Rates
from evocheckers.learning.dataset import positions_of
from evocheckers.learning.trainer import Learner, TrainingTask, train
from evocheckers.native.randomness import integers
from evocheckers.native.threads import thread_count
from evocheckers.networks.evaluator import Evaluator, evaluate_positions
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import EXTENSIONS, Leaf
from evocheckers.networks.shipped import CHAMPION, shipped_network
from evocheckers.rules.board import Board
from evocheckers.rules.perft import perft
from evocheckers.runs.file import Run
from evocheckers.runs.schema import MAX_COUNT
from evocheckers.search.limit import Limit
from evocheckers.search.searcher import TABLE_BITS, Searcher

_RESULTS = 3


def timed_task(network: Network, boards: np.ndarray, steps: int, batch: int = 8192) -> TrainingTask:
    """A training task on boards (rows ``own, opp, kings``) with random results: what is learnt does not matter."""
    results = integers(1, len(boards), _RESULTS).astype(np.uint32)
    return TrainingTask(Learner.of(network), np.column_stack([boards, results]), seed=1, steps=steps, batch=batch)


def multiply_adds_of(task: TrainingTask) -> int:
    """The fewest multiply-adds that a training task needs."""
    return task.learner.layout.multiply_adds * task.steps * task.batch


Work = Callable[[], object]

MIDDLE_GAMES = 20
MIDDLE_PLIES = 30
"""Plies after which a position counts as middle game."""
POSITIONS = 16384
MULTIPLY_ADDS = 400_000_000
PERFT_PLIES = 9
EXTENDED, PLAIN = "mid-game moves", "mid-game moves without extensions"

_NETWORKS = 30
_DEEP_GAMES = 3
"""Games at 8 plies."""
_STEPS = 16
"""Steps of Adam in the timed training task."""


def random_positions(count: int, seed: int = 0) -> np.ndarray:
    """Positions from random games, kings included, as rows ``own, opp, kings``."""
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
    """Positions for 4-ply moves: after 30 plies of the bench's own games, one per game, with a choice of moves.

    The same networks give the same positions. The mean over whole games is another measure, about a quarter of this.
    """
    boards: list[Board] = []
    played = play_batch(evaluators, _pairings(2 * count))
    for number in range(len(played)):
        moves = played[number].moves
        board = Board().push_all(moves[:MIDDLE_PLIES])
        if len(moves) > MIDDLE_PLIES and len(board.legal_moves()) > 1:
            boards.append(board)
    return boards[:count]


def _pairings(games: int, plies: int = 4) -> list[Pairing]:
    return [Pairing(i % _NETWORKS, (7 * i + 3) % _NETWORKS, i, plies, plies) for i in range(games)]


@dataclass
class Workload:
    """Networks, positions and training tasks, the same every time."""

    cores: int = field(default_factory=partial(thread_count, None))
    valued: dict[str, int] = field(default_factory=dict)
    """How many positions were evaluated in each kind of games of ``_valuing``, by name."""

    def __post_init__(self) -> None:
        generator = np.random.default_rng(0)
        self.networks = {
            kind: [Network.random(generator, kind=kind, width=width) for _ in range(_NETWORKS)]
            for kind, width in ((Kind.SPATIAL, None), (Kind.PLANES, shipped_network(CHAMPION).width))
        }
        self.vectors = [network.evaluator() for network in self.networks[Kind.SPATIAL]]
        self.positions = random_positions(POSITIONS)
        self.games, self.plain_games, self.parallel_games = (
            2 * _NETWORKS,
            2 * _NETWORKS // 10,
            2 * _NETWORKS * self.cores,
        )

    @cached_property
    def boards(self) -> list[Board]:
        """Positions from which mid-game moves are searched."""
        return middle_games(self.vectors)

    @cached_property
    def tasks(self) -> dict[Kind, TrainingTask]:
        """One training task for each kind of network."""
        return {kind: timed_task(found[0], self.positions, _STEPS) for kind, found in self.networks.items()}

    @cached_property
    def movers(self) -> dict[Kind, list[Evaluator]]:
        """Networks that value leaves from the side to move's point of view."""
        return {
            kind: [network.with_rules(leaf=Leaf.MOVER, extensions=0).evaluator() for network in found]
            for kind, found in self.networks.items()
        }

    def work(self) -> dict[str, Work]:
        """All kinds of work except a generation's."""
        plain = [network.evaluator(plain=True) for network in self.networks[Kind.SPATIAL]]
        spatial, planes = self.tasks[Kind.SPATIAL], self.tasks[Kind.PLANES]
        return {
            "peak": lambda: multiply_adds(MULTIPLY_ADDS),
            "evaluations": lambda: evaluate_positions(self.vectors[0], self.positions),
            "plain evaluations": lambda: evaluate_positions(plain[0], self.positions),
            "perft": lambda: perft(Board(), PERFT_PLIES),
            "games": lambda: play_batch(self.vectors, _pairings(self.games), threads=1),
            "plain games": lambda: play_batch(plain, _pairings(self.plain_games), threads=1),
            "parallel games": lambda: play_batch(self.vectors, _pairings(self.parallel_games), threads=self.cores),
            EXTENDED: self._middle(EXTENSIONS),
            PLAIN: self._middle(0),
            "learning": lambda: train(spatial, 1),
            "parallel learning": lambda: train(spatial, self.cores),
            "depth 8": self._deep(True),
            "depth 8 without table": self._deep(False),
            "evaluations of planes": lambda: evaluate_positions(self.movers[Kind.PLANES][0], self.positions),
            "learning of planes": lambda: train(planes, 1),
            **self._valuing(Kind.SPATIAL, 4, self.games),
            **self._valuing(Kind.PLANES, 4, self.games),
            **self._valuing(Kind.SPATIAL, 8, _DEEP_GAMES),
            **self._valuing(Kind.PLANES, 8, _DEEP_GAMES),
        }

    def _middle(self, extensions: int) -> Work:
        searcher = Searcher(self.vectors[0].with_rules(extensions=extensions))

        def search() -> None:
            for board in self.boards:
                searcher.forget()
                searcher.search(board, Limit(plies=4))

        return search

    def _deep(self, deepening: bool) -> Work:
        searcher = Searcher(self.vectors[0], table_bits=TABLE_BITS if deepening else None)

        def search() -> None:
            searcher.forget()
            searcher.search(Board(), Limit(plies=8), deepening=deepening)

        return search

    def _valuing(self, kind: Kind, plies: int, count: int) -> dict[str, Work]:
        """Games whose leaves are valued from the side to move's point of view; counts the evaluations."""
        name = valuing_name(kind, plies)

        def play() -> None:
            played = play_batch(self.movers[kind], _pairings(count, plies), threads=1)
            self.valued[name] = int(played.evaluations.sum())

        return {name: play}


def valuing_name(kind: Kind, plies: int) -> str:
    """The name of the work: games of a kind of network at a depth."""
    return f"{kind.name.lower()} at {plies}"


GENERATION, ITS_GAMES, ITS_LEARNING = "generation", "its games", "its learning"
GENERATION_SETTINGS = make_settings(learners.SCHEME, {"schedule": 1_000_000})
"""As shipped, at 2 plies; the schedule is so long that all timed generations are alike."""
_GENERATION_SEED = 1


@contextmanager
def generation_work(settings: LearnersSettings = GENERATION_SETTINGS) -> Iterator[dict[str, Callable[[], object]]]:
    """The work to time: a recorded generation with a full memory, its games alone, and its learning alone.

    Learning is what ``learning/`` does: positions from games, gradients, Adam.
    """
    executor = ThreadExecutor()
    state = create(settings, _GENERATION_SEED)
    games = learners.pairings(settings, _GENERATION_SEED, 1, state.size)
    batch = GameBatch(copies(settings, _GENERATION_SEED, 1, state), games, settings.rules())
    first = drive(next_generation(learners.SCHEME, settings, _GENERATION_SEED, Resumable(0, state, "")), executor)
    (experience,) = first.state.experience
    full = state._replace(experience=(experience,) * (settings.memory - 1))
    positions = np.concatenate([experience.positions] * settings.memory)
    rates = Rates(rate_now(settings, 1))
    played = first.report.games
    task = TrainingTask(
        state.learner(0, settings),
        positions,
        _GENERATION_SEED,
        settings.steps,
        settings.batch,
        rates,
        trust=settings.trust,
        ahead=settings.ahead,
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        Run.create(
            Path(folder) / "run.sqlite", "self-play", learners.SCHEME, settings, _GENERATION_SEED, MAX_COUNT
        ) as run,
    ):

        def whole() -> None:
            before = Resumable(run.generation, full, "")
            run.record(drive(next_generation(learners.SCHEME, settings, _GENERATION_SEED, before), executor))

        def learning() -> None:
            positions_of(played)
            train(task)

        yield {GENERATION: whole, ITS_GAMES: lambda: executor.play(batch), ITS_LEARNING: learning}
