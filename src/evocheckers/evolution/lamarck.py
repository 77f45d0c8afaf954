"""Networks that learn while they live (our own): every position of a game is told how the game ended.

A generation: jittered copies of all learners play each other, from two-move ballots and random starts. Every learner
then takes steps of Adam on the quiet positions of its own games and, by a share, of everybody's, so that its value of a
position foretells the result to the side to move. Every so many generations the weakest by their results are replaced
by mutated copies of the strongest, whose learning rates are mutated with them.

What is learnt is inherited (Lamarck). With ``inherit`` off (Baldwin), a child begins with its parent's inborn numbers,
and everybody begins anew with its own after each selection: learning then only decides who survives.

No advice enters: the rules, own games, and who won. Al-Khateeb and Kendall speak of individual and social learning.
The games of the last generations that learning still needs are a function of the run file, and are not kept twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evaluation import spatial
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import Evaluator
from evocheckers.evaluation.network import MAX_EXTENSIONS, Network
from evocheckers.evolution.scheme import (
    CREATION,
    GAME,
    LEARNING,
    MUTATION,
    OPENING,
    OPPONENT,
    TIE,
    GenerationReport,
    Individuals,
    Memory,
    RecordedGames,
    Scheme,
    Settings,
    Step,
)
from evocheckers.games.batch import BatchResult, GameBatch, GameRules, Pairing
from evocheckers.games.openings import openings
from evocheckers.games.starts import random_starts
from evocheckers.learning.adam import Rates
from evocheckers.learning.learner import Learner, Lesson, learn_all
from evocheckers.learning.positions import games_of, positions_of
from evocheckers.native.randomness import exponentials, hashes, key, normals, uniforms
from evocheckers.rules.fen import Position

_WHO, _COPY, _START, _WHERE = range(4)
_SHARES = 2.0**-64


class LamarckSettings(Settings):
    """Numbers found by experiment; none comes from the papers."""

    plies: int = Field(4, ge=1, le=12)
    """Depth at which a generation's best network is measured. Games are played at ``depths``."""
    extensions: int = Field(0, ge=0, le=MAX_EXTENSIONS)
    """Extensions by two plies on one line. None: captures are searched until a leaf is quiet, three times as fast."""
    moves_per_side: int = Field(70, ge=1, le=500)
    """An unfinished game is a draw after so many moves by each side."""
    leaf: Literal["root", "mover"] = "mover"
    """Through whose eyes a leaf is valued: the side to move's, since that is what is learnt."""
    learners: int = Field(1, ge=1, le=1000)
    """Networks that learn."""
    copies: int = Field(32, ge=1, le=1000)
    """Players made of each learner: itself, and copies with jitter. A network against itself repeats its games."""
    jitter: float = Field(0.03, ge=0, le=1)
    """Deviation of the normal noise on every weight of a copy, at the beginning of the schedule."""
    jitter_end: float = Field(0.02, ge=0, le=1)
    """The same at its end; in between it changes evenly."""
    random_move_rate: float = Field(0.03, ge=0, le=1)
    """Share of random moves, for variety."""
    random_starts: float = Field(0.5, ge=0, le=1)
    """Share of games that begin after a few random moves with equal pieces; the others begin from two-move ballots."""
    start_plies: tuple[int, int] = (3, 10)
    """Fewest and most random moves of such a start."""
    depths: tuple[int, ...] = (2, 4)
    """Plies that both players look ahead, one stage after the other: shallow games are cheap, deep ones teach more."""
    games: tuple[int, ...] = (6000, 1000)
    """Games a generation, for each depth."""
    changes: tuple[float, ...] = (0.5,)
    """The parts of the schedule after which the next depth begins."""
    schedule: int = Field(100, ge=1, le=1_000_000)
    """Generations over which depth and learning rate change."""
    steps: int = Field(200, ge=1, le=1_000_000)
    """Steps of Adam a generation."""
    batch: int = Field(8192, ge=1, le=1_000_000)
    """Positions a step."""
    rate: float = Field(0.004, gt=0, le=1)
    """Adam's step at the beginning of the schedule."""
    rate_end: float = Field(0.0004, gt=0, le=1)
    """Adam's step at its end; in between it changes evenly."""
    memory: int = Field(6, ge=1, le=1000)
    """Generations whose games are learnt from, this one included."""
    social: float = Field(0.0, ge=0, le=1)
    """Share of positions that are taken from everybody's games; the others come from a learner's own."""
    select_every: int = Field(10, ge=0, le=1_000_000)
    """Generations between two selections; 0 for none. One learner is never replaced."""
    replaced: float = Field(0.25, ge=0, le=0.5)
    """Share of the learners that a selection replaces."""
    mutation: float = Field(0.01, ge=0, le=1)
    """Deviation of the normal noise on every weight of a child."""
    rate_mutation: float = Field(0.2, ge=0, le=2)
    """Deviation of the logarithm by which a child's learning rate differs from its parent's."""
    inherit: bool = True
    """Whether children begin with what their parents have learnt (Lamarck) or with what they were born with."""
    king_value: float = Field(2.0, ge=1, le=3)
    """First K; it is learnt, and stays between 1 and 3 as in the papers."""
    weight_limit: float = Field(0.2, gt=0, le=10)
    """First weights are uniform in plus or minus this."""

    @model_validator(mode="after")
    def _stages_fit(self) -> "LamarckSettings":
        if not len(self.depths) == len(self.games) == len(self.changes) + 1:
            raise ValueError("depths and games need one entry a stage, changes one less")
        if not all(1 <= depth <= 12 for depth in self.depths) or not all(
            1 <= games <= 1_000_000 for games in self.games
        ):
            raise ValueError("depths lie between 1 and 12, games between 1 and 1000000")
        if list(self.changes) != sorted(self.changes) or not all(0 <= change <= 1 for change in self.changes):
            raise ValueError("changes rise, between 0 and 1")
        if not 0 <= self.start_plies[0] <= self.start_plies[1] <= 20:
            raise ValueError("start_plies rise, between 0 and 20")
        return self

    def rules(self) -> GameRules:
        """The rules of the games."""
        return replace(super().rules(), random_move_rate=self.random_move_rate)

    def stage(self, generation: int) -> int:
        """Which of ``depths`` a generation plays at."""
        done = (generation - 1) / self.schedule
        return sum(done >= change for change in self.changes)


class Experience(NamedTuple):
    """What a generation's games tell."""

    positions: np.ndarray
    black_ids: np.ndarray
    """The learner that played Black, by game."""
    white_ids: np.ndarray


class Learners(NamedTuple):
    """The learners, a row each."""

    numbers: np.ndarray
    """Weights, K, and the logarithm of the scale from values to results."""
    mean: np.ndarray
    square: np.ndarray
    steps: np.ndarray
    rates: np.ndarray
    """What each one's learning rate is multiplied by."""
    inborn: np.ndarray
    """What each one was born with; no rows where what is learnt is inherited."""
    ids: np.ndarray
    parents: np.ndarray
    points: np.ndarray
    """Wins less losses against others since the last selection."""
    next_id: np.ndarray
    experience: tuple[Experience, ...]
    """Of the last generations; not recorded, since it follows from their games."""

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.ids)

    def learner(self, row: int) -> Learner:
        """One of them."""
        columns = (self.numbers[row], self.mean[row], self.square[row])
        return Learner(Kind.SPATIAL, *columns, int(self.steps[row]))

    def network(self, row: int, settings: LamarckSettings, **source: int) -> Network:
        """One of them as a network."""
        weights, king_value = self.numbers[row, : spatial.NUMBERS], float(self.numbers[row, spatial.NUMBERS])
        return Network(Kind.SPATIAL, weights, king_value, *settings.sight, source=source)


def begin(settings: LamarckSettings, seed: int) -> Learners:
    """Random networks that have learnt nothing."""
    count, limit = settings.learners, settings.weight_limit
    numbers = np.zeros((count, spatial.NUMBERS + 2), np.float32)
    for row in range(count):
        numbers[row, : spatial.NUMBERS] = uniforms(key(seed, CREATION, row), -limit, limit, spatial.NUMBERS)
    numbers[:, spatial.NUMBERS] = settings.king_value
    return Learners(
        numbers,
        np.zeros_like(numbers),
        np.zeros_like(numbers),
        np.zeros(count, np.int64),
        np.ones(count),
        numbers[:0] if settings.inherit else numbers,
        np.arange(count),
        np.full(count, -1),
        np.zeros(count, np.int64),
        np.array(count),
        (),
    )


def copies(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> list[Evaluator]:
    """The players: each learner and its copies, one learner after the other."""
    jitter = np.float32(now(settings, generation, settings.jitter, settings.jitter_end))
    players = []
    for row in range(state.size):
        network = state.network(row, settings)
        players.append(network.evaluator())
        for copy in range(1, settings.copies):
            noise = normals(key(seed, MUTATION, generation, int(state.ids[row]), copy), spatial.NUMBERS)
            players.append(replace(network, weights=network.weights + jitter * noise).evaluator())
    return players


def starts(settings: LamarckSettings, seed: int, generation: int, count: int) -> list[Position]:
    """Where the games begin."""
    ballots = openings("two-move")
    chosen = hashes(key(seed, OPENING, generation, _WHERE), count) * _SHARES < settings.random_starts
    which = hashes(key(seed, OPENING, generation, _START), count) % np.uint64(len(ballots))
    found = [ballots[number] for number in which.tolist()]
    random = random_starts(key(seed, OPENING, generation), int(chosen.sum()), *settings.start_plies)
    for game, start in zip(np.flatnonzero(chosen).tolist(), random, strict=True):
        found[game] = start
    return found


def pairings(settings: LamarckSettings, seed: int, generation: int, learners: int) -> list[Pairing]:
    """Who meets whom: with several learners never a copy of its own kind."""
    stage = settings.stage(generation)
    count, plies = settings.games[stage], settings.depths[stage]
    black = hashes(key(seed, OPPONENT, generation, _WHO), count) % np.uint64(learners)
    white = black
    if learners > 1:
        others = hashes(key(seed, OPPONENT, generation, _WHO, 1), count) % np.uint64(learners - 1)
        white = others + (others >= black)
    sides = []
    for side, rows in enumerate((black, white)):
        copy = hashes(key(seed, OPPONENT, generation, _COPY, side), count) % np.uint64(settings.copies)
        sides.append((rows * np.uint64(settings.copies) + copy).astype(np.int64).tolist())
    seeds = hashes(key(seed, GAME, generation), count).tolist()
    places = starts(settings, seed, generation, count)
    games = zip(*sides, seeds, places, strict=True)
    return [Pairing(first, second, number, plies, plies, start) for first, second, number, start in games]


def step(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> Step[Learners]:
    """One generation: play, learn, and where it is due, select."""
    games = pairings(settings, seed, generation, state.size)
    result = yield GameBatch(copies(settings, seed, generation, state), games, settings.rules())
    black = np.array([game.black for game in games]) // settings.copies
    white = np.array([game.white for game in games]) // settings.copies
    points = np.zeros(state.size, np.int64)
    np.add.at(points, black, result.winners.astype(np.int64))
    np.add.at(points, white, -result.winners.astype(np.int64))
    black_ids, white_ids = state.ids[black], state.ids[white]
    experience = (*state.experience, experienced(result, black_ids, white_ids))[-settings.memory :]
    learnt, losses = learn(settings, seed, generation, state._replace(experience=experience))
    learnt = learnt._replace(points=state.points + points)
    order = sorted(range(state.size), key=lambda row: (-learnt.points[row], key(seed, TIE, generation, row)))
    best = order[0]
    network = learnt.network(best, settings, generation=generation, id=int(state.ids[best]))
    individuals = Individuals(
        state.ids,
        state.parents,
        points,
        learnt.numbers[:, spatial.NUMBERS].astype(np.float64),
        rate_now(settings, generation) * state.rates,
        losses,
    )
    report = GenerationReport(individuals, int(state.ids[best]), network, black_ids, white_ids, result)
    if settings.select_every and generation % settings.select_every == 0 and state.size > 1:
        learnt = select(settings, seed, learnt, order)
    return learnt, report


def experienced(result: BatchResult, black_ids: np.ndarray, white_ids: np.ndarray) -> Experience:
    """What can be learnt from games."""
    return Experience(positions_of(result), black_ids, white_ids)


def recall(settings: LamarckSettings, games: Sequence[RecordedGames]) -> tuple[Experience, ...]:  # noqa: ARG001
    """The experience that recorded games gave."""
    return tuple(experienced(found.games, found.black_ids, found.white_ids) for found in games)


def now(settings: LamarckSettings, generation: int, first: float, last: float) -> float:
    """A number that changes evenly over the schedule, in a generation."""
    done = min((generation - 1) / max(settings.schedule - 1, 1), 1.0)
    return first + (last - first) * done


def rate_now(settings: LamarckSettings, generation: int) -> float:
    """Adam's step in a generation."""
    return now(settings, generation, settings.rate, settings.rate_end)


def learn(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> tuple[Learners, np.ndarray]:
    """Everybody learns from its own games and from everybody's; the mean loss of each comes with it."""
    positions = np.concatenate([part.positions for part in state.experience])
    if not len(positions):
        return state, np.full(state.size, np.nan)
    lessons = []
    for row in range(state.size):
        rates = Rates(rate_now(settings, generation) * float(state.rates[row]))
        own = own_positions(state.experience, int(state.ids[row])) if state.size > 1 else np.empty(0, np.uint32)
        social = settings.social if len(own) else 1.0
        number = key(seed, LEARNING, generation, int(state.ids[row]))
        lessons.append(
            Lesson(state.learner(row), positions, number, settings.steps, settings.batch, rates, own, social)
        )
    outcomes = learn_all(lessons)
    learnt = [learner for learner, _ in outcomes]
    state = state._replace(
        numbers=np.array([learner.numbers for learner in learnt]),
        mean=np.array([learner.mean for learner in learnt]),
        square=np.array([learner.square for learner in learnt]),
        steps=np.array([learner.steps for learner in learnt]),
    )
    return state, np.array([loss for _, loss in outcomes])


def own_positions(experience: Sequence[Experience], learner: int) -> np.ndarray:
    """The numbers of the positions of somebody's own games among all positions."""
    found, first = [], 0
    for part in experience:
        mine = (part.black_ids == learner) | (part.white_ids == learner)
        found.append(first + np.flatnonzero(mine[games_of(part.positions)]))
        first += len(part.positions)
    return np.concatenate(found).astype(np.uint32)


def select(settings: LamarckSettings, seed: int, state: Learners, order: Sequence[int]) -> Learners:
    """The weakest are replaced by children of the strongest; without inheritance everybody else begins anew, too."""
    count = round(settings.replaced * state.size)
    columns: dict[str, Any] = {name: column.copy() for name, column in state._asdict().items() if name != "experience"}
    genes = state.numbers if settings.inherit else state.inborn
    first_id = int(state.next_id)
    for child, (parent, row) in enumerate(zip(order[:count], reversed(order), strict=False), first_id):
        noise = normals(key(seed, MUTATION, child), spatial.NUMBERS)
        numbers = genes[parent].copy()
        numbers[: spatial.NUMBERS] += np.float32(settings.mutation) * noise
        rate = float(normals(key(seed, MUTATION, child, 1), 1)[0]) * settings.rate_mutation
        columns["rates"][row] = state.rates[parent] * float(exponentials(np.array([rate]))[0])
        columns["ids"][row], columns["parents"][row] = child, state.ids[parent]
        if settings.inherit:
            columns["numbers"][row] = numbers
            for name in ("mean", "square", "steps"):
                columns[name][row] = getattr(state, name)[parent]
        else:
            columns["inborn"][row] = numbers
    if not settings.inherit:
        columns["numbers"] = columns["inborn"].copy()
        for name in ("mean", "square", "steps"):
            columns[name][:] = 0
    columns["points"][:] = 0
    columns["next_id"] = np.array(first_id + count)
    return Learners(**columns, experience=state.experience)


def first_network(settings: LamarckSettings, state: Learners) -> Network:
    """The first learner, before it has learnt anything."""
    return state.network(0, settings, generation=0, id=0)


SCHEME = Scheme(
    "lamarck",
    LamarckSettings,
    Learners,
    begin,
    step,
    first_network,
    Memory("experience", lambda settings: settings.memory, recall),
)
