"""Our own: networks that learn from every position of their games, one by self-play or several with selection.

A generation: jittered copies of all learners play each other, from two-move ballots and random starts. Every learner
then takes steps of Adam on the quiet positions of its own games and, for a share, of everybody's, so that its value of
a position predicts the result for the side to move. One learner is self-play learning (preset ``self-play``): nothing
is selected, so nothing evolves.

Several learners are a population: at intervals, those with the weakest results are replaced by mutated copies of the
strongest, with mutated learning rates. What is learnt is inherited (``lamarck``). With ``inherit`` off (``baldwin``), a
child begins with its parent's inborn numbers, and after each selection all learners begin anew with their own: learning
then only decides who survives. Al-Khateeb and Kendall speak of individual and social learning.

The only inputs are the rules, the networks' own games, who won, and the piece sum at a network's output, as in the
papers. The games of the last generations that learning still needs follow from the run file, and are not stored twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evolution.network_settings import NetworkSettings
from evocheckers.evolution.scheme import (
    GAME,
    IDS,
    LEARNING,
    MUTATION,
    OPENING,
    OPPONENT,
    PARENT_OR_NONE,
    TIE,
    Column,
    ConfigError,
    GenerationReport,
    Individuals,
    Layout,
    RecordedGames,
    ReplayBuffer,
    Scheme,
    Step,
    scheduled,
)
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import mixed_starts
from evocheckers.learning.adam import Rates
from evocheckers.learning.dataset import Experience, all_positions, experience_of, own_positions
from evocheckers.learning.trainer import Learner, TrainingTask, train_all
from evocheckers.native.randomness import exponentials, hashes, key, normals
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import MAX_EXTENSIONS

StartPlies = Annotated[int, Field(ge=0, le=20)]
Depth = Annotated[int, Field(ge=1, le=12)]
GameCount = Annotated[int, Field(ge=1, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]


class LearnersSettings(NetworkSettings):
    """Found by experiment; not from the papers."""

    plies: int = Field(4, ge=1, le=12)
    """Search depth, in plies, at which a generation's best network is measured. Games are played at ``depths``."""
    extensions: int = Field(0, ge=0, le=MAX_EXTENSIONS)
    """Most extensions by two plies on one line of the search. With none, captures are searched until a leaf is quiet,
    five to eight times as fast."""
    moves_per_side: int = Field(70, ge=1, le=500)
    """A game is a draw after this many moves by each side."""
    leaf: Literal["root", "mover"] = "mover"
    """Whose point of view a leaf is valued from: the searching player's (root) or the side to move's (mover). The
    default is mover, since that value is what is learnt."""
    learners: int = Field(1, ge=1, le=1000)
    """Number of networks that learn."""
    copies: int = Field(32, ge=1, le=1000)
    """Players made from each learner: itself, and copies with jitter. A network that plays itself repeats its games."""
    jitter: float = Field(0.03, ge=0, le=1)
    """Standard deviation of the normal noise on every weight of a copy, at the start of the schedule."""
    jitter_end: float = Field(0.015, ge=0, le=1)
    """Standard deviation of a copy's noise at the end of the schedule; it changes linearly in between."""
    random_move_rate: float = Field(0.03, ge=0, le=1)
    """Share of random moves, for variety."""
    random_starts: float = Field(0.5, ge=0, le=1)
    """Share of games that begin after a few random moves with equal pieces; the others begin from two-move ballots."""
    start_plies: tuple[StartPlies, StartPlies] = (3, 10)
    """Fewest and most random moves before a random start."""
    depths: tuple[Depth, ...] = (2, 4)
    """Search depths of both players, in plies, stage by stage. Shallow games are cheap, deep ones teach more."""
    games: tuple[GameCount, ...] = (3000, 900)
    """Games per generation, for each of the depths."""
    changes: tuple[Share, ...] = (0.25,)
    """Fractions of the schedule after which the next depth begins."""
    schedule: int = Field(60, ge=1, le=1_000_000)
    """Number of generations over which depth, jitter and learning rate change."""
    steps: int = Field(120, ge=1, le=1_000_000)
    """Steps of Adam that each learner takes per generation."""
    batch: int = Field(8192, ge=1, le=1_000_000)
    """Positions per step of Adam."""
    rate: float = Field(0.004, gt=0, le=1)
    """Adam's learning rate at the start of the schedule."""
    rate_end: float = Field(0.0002, gt=0, le=1)
    """Adam's learning rate at the end of the schedule; it changes linearly in between."""
    memory: int = Field(12, ge=1, le=1000)
    """Number of generations whose games are learnt from, including the current one."""
    social: float = Field(0.0, ge=0, le=1)
    """Share of positions taken from everybody's games; the others come from the learner's own."""
    trust: float = Field(0.7, ge=0, le=1)
    """Share of a position's target that is the learner's own expectation later in the game; the rest is the result.

    A result is decided by many moves; what is expected a few moves later depends less on chance. With 0.6 and with
    0.8, a network of planes after 80,000 games beats one that learnt from results alone by 84 points at 4 plies.
    """
    ahead: int = Field(8, ge=1, le=100)
    """How many quiet positions later in the game the learner's own expectation (see trust) is taken."""
    select_every: int = Field(10, ge=0, le=1_000_000)
    """Generations between two selections; 0 means none. A single learner is never replaced."""
    replaced: float = Field(0.25, ge=0, le=0.5)
    """Share of the learners that each selection replaces."""
    mutation: float = Field(0.01, ge=0, le=1)
    """Standard deviation of the normal noise on every weight of a child."""
    rate_mutation: float = Field(0.2, ge=0, le=2)
    """Standard deviation of the logarithm of the ratio between a child's learning rate and its parent's."""
    inherit: bool = True
    """Whether children begin with what their parents learnt (Lamarck) or with what these were born with (Baldwin)."""
    king_value: float = Field(2.0, ge=1, le=3)
    """Initial K, which is then learnt and stays between 1 and 3 as in the papers."""
    weight_limit: float = Field(0.2, gt=0, le=10)
    """Initial weights are sampled uniformly between minus and plus this."""

    @model_validator(mode="after")
    def _stages_fit(self) -> "LearnersSettings":
        if not len(self.depths) == len(self.games) == len(self.changes) + 1:
            fault = f"settings depths, games and changes have {len(self.depths)}, {len(self.games)} and "
            fault += f"{len(self.changes)} values: must be as many depths as games, and one change fewer"
            raise ConfigError(fault, "depths", self.depths)
        if list(self.changes) != sorted(self.changes):
            raise ConfigError(
                f"setting changes = {list(self.changes)}: must be in ascending order", "changes", self.changes
            )
        if self.start_plies[0] > self.start_plies[1]:
            fault = f"setting start_plies = {list(self.start_plies)}: must be in ascending order"
            raise ConfigError(fault, "start_plies", self.start_plies)
        if self.trust and min(self.games) == 1:
            raise ConfigError("setting games: must be 2 or more where trust is not 0", "games", self.games)
        return self

    def rules(self) -> GameRules:
        """The rules of the games."""
        return replace(super().rules(), random_move_rate=self.random_move_rate)

    def memory_bytes(self) -> int:
        """The learners and their copies, and the games of all generations that are learnt from."""
        players = self.learners * (self.copies + 4)
        return players * 8 * self.numbers + self.games_bytes(max(self.games) * self.memory)

    def stage(self, generation: int) -> int:
        """The index into ``depths`` of a generation."""
        done = (generation - 1) / self.schedule
        return sum(done >= change for change in self.changes)


class Learners(NamedTuple):
    """The learners, one per row."""

    numbers: np.ndarray
    """Weights, K, and the logarithm of the scale from values to results."""
    mean: np.ndarray
    square: np.ndarray
    steps: np.ndarray
    rates: np.ndarray
    """Factor on each learner's learning rate."""
    inborn: np.ndarray
    """What each learner was born with; no rows if what is learnt is inherited."""
    ids: np.ndarray
    parents: np.ndarray
    points: np.ndarray
    """Wins minus losses against others since the last selection."""
    next_id: np.ndarray
    experience: tuple[Experience, ...]
    """From the last generations; not recorded, since it follows from their games."""

    @property
    def size(self) -> int:
        """The number of learners."""
        return len(self.ids)

    def learner(self, row: int, settings: LearnersSettings) -> Learner:
        """One of the learners."""
        columns = (self.numbers[row], self.mean[row], self.square[row])
        return Learner(settings.kind, *columns, int(self.steps[row]))

    def network(self, row: int, settings: LearnersSettings, **source: int) -> Network:
        """One of the learners as a network."""
        weights, king_value = self.numbers[row, : settings.numbers], float(self.numbers[row, settings.numbers])
        return Network(settings.kind, weights, king_value, settings.search_rules, source)


def create(settings: LearnersSettings, seed: int) -> Learners:
    """The first networks, which have learnt nothing here."""
    count = settings.learners
    numbers = np.zeros((count, settings.numbers + 2), np.float32)
    for row in range(count):
        numbers[row, :-1] = settings.first_numbers(seed, row, settings.weight_limit, settings.king_value)
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


def copies(settings: LearnersSettings, seed: int, generation: int, state: Learners) -> list[Evaluator]:
    """The players: each learner and its copies, one learner after the other."""
    jitter = np.float32(scheduled(settings.jitter, settings.jitter_end, generation, settings.schedule))
    players = []
    for row in range(state.size):
        network = state.network(row, settings)
        players.append(network.evaluator())
        for copy in range(1, settings.copies):
            noise = normals(key(seed, MUTATION, generation, int(state.ids[row]), copy), settings.numbers)
            players.append(replace(network, weights=network.weights + jitter * noise).evaluator())
    return players


def rate_now(settings: LearnersSettings, generation: int) -> float:
    """Adam's learning rate in a generation."""
    return scheduled(settings.rate, settings.rate_end, generation, settings.schedule)


_WHO, _COPY = range(2)


def pairings(settings: LearnersSettings, seed: int, generation: int, learners: int) -> list[Pairing]:
    """The pairings of a generation; with several learners, never two copies of the same one."""
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
    number = key(seed, OPENING, generation)
    starts = mixed_starts(number, count, settings.random_starts, *settings.start_plies)
    games = zip(*sides, seeds, starts, strict=True)
    return [Pairing(first, second, number, plies, plies, start) for first, second, number, start in games]


def step(settings: LearnersSettings, seed: int, generation: int, state: Learners) -> Step[Learners]:
    """One generation: play, learn and, when it is due, select."""
    games = pairings(settings, seed, generation, state.size)
    result = yield GameBatch(copies(settings, seed, generation, state), games, settings.rules())
    black = np.array([game.black for game in games]) // settings.copies
    white = np.array([game.white for game in games]) // settings.copies
    points = np.zeros(state.size, np.int64)
    np.add.at(points, black, result.winners.astype(np.int64))
    np.add.at(points, white, -result.winners.astype(np.int64))
    black_ids, white_ids = state.ids[black], state.ids[white]
    experience = (*state.experience, experience_of(result, black_ids, white_ids))[-settings.memory :]
    learnt, losses = learn(settings, seed, generation, state._replace(experience=experience))
    learnt = learnt._replace(points=state.points + points)
    order = sorted(range(state.size), key=lambda row: (-learnt.points[row], key(seed, TIE, generation, row)))
    best = order[0]
    network = learnt.network(best, settings, generation=generation, id=int(state.ids[best]))
    individuals = Individuals(
        state.ids,
        state.parents,
        points,
        learnt.numbers[:, settings.numbers].astype(np.float64),
        rate_now(settings, generation) * state.rates,
        losses,
    )
    report = GenerationReport(individuals, int(state.ids[best]), network, black_ids, white_ids, result)
    if settings.select_every and generation % settings.select_every == 0 and state.size > 1:
        learnt = select(settings, seed, learnt, order)
    return learnt, report


def rebuild(settings: LearnersSettings, games: Sequence[RecordedGames]) -> tuple[Experience, ...]:  # noqa: ARG001
    """The experience from recorded games."""
    return tuple(experience_of(found.results, found.black_ids, found.white_ids) for found in games)


def learn(settings: LearnersSettings, seed: int, generation: int, state: Learners) -> tuple[Learners, np.ndarray]:
    """Every learner learns from its own games and from everybody's; also returns the mean loss of each."""
    positions = all_positions(state.experience)
    if not len(positions):
        return state, np.full(state.size, np.nan)
    tasks = []
    for row in range(state.size):
        rates = Rates(rate_now(settings, generation) * float(state.rates[row]))
        own = own_positions(state.experience, int(state.ids[row])) if state.size > 1 else np.empty(0, np.uint32)
        social = settings.social if len(own) else 1.0
        number = key(seed, LEARNING, generation, int(state.ids[row]))
        amount = (settings.steps, settings.batch, rates, own, social, settings.trust, settings.ahead)
        tasks.append(TrainingTask(state.learner(row, settings), positions, number, *amount))
    outcomes = train_all(tasks)
    learnt = [learner for learner, _ in outcomes]
    state = state._replace(
        numbers=np.array([learner.numbers for learner in learnt]),
        mean=np.array([learner.mean for learner in learnt]),
        square=np.array([learner.square for learner in learnt]),
        steps=np.array([learner.steps for learner in learnt]),
    )
    return state, np.array([loss for _, loss in outcomes])


def select(settings: LearnersSettings, seed: int, state: Learners, order: Sequence[int]) -> Learners:
    """Replace the weakest by children of the strongest; without inheritance, everybody else begins anew, too."""
    count = round(settings.replaced * state.size)
    columns: dict[str, Any] = {name: column.copy() for name, column in state._asdict().items() if name != "experience"}
    genes = state.numbers if settings.inherit else state.inborn
    first_id = int(state.next_id)
    for child, (parent, row) in enumerate(zip(order[:count], reversed(order), strict=False), first_id):
        noise = normals(key(seed, MUTATION, child), settings.numbers)
        numbers = genes[parent].copy()
        numbers[: settings.numbers] += np.float32(settings.mutation) * noise
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


def first_network(settings: LearnersSettings, state: Learners) -> Network:
    """The first learner, before it has learnt anything."""
    return state.network(0, settings, generation=0, id=0)


def headline(report: GenerationReport) -> str:
    """The loss, K and, with several learners, the best one's points."""
    points = f"best {report.individuals.scores.max():+g}, " if len(report.individuals.ids) > 1 else ""
    return f"{points}loss {np.nanmean(report.individuals.losses):.4f}, K {report.best.king_value:.2f}"


def layout(settings: LearnersSettings) -> Layout:
    """The columns of the learners, except their experience."""
    rows, numbers = settings.learners, settings.numbers + 2
    return {
        "numbers": Column("<f4", (rows, numbers)),
        "mean": Column("<f4", (rows, numbers)),
        "square": Column("<f4", (rows, numbers), 0),
        "steps": Column("<i8", (rows,), 0),
        "rates": Column("<f8", (rows,), 0),
        "inborn": Column("<f4", (0 if settings.inherit else rows, numbers)),
        "ids": Column("<i8", (rows,), IDS),
        "parents": Column("<i8", (rows,), PARENT_OR_NONE),
        "points": Column("<i8", (rows,)),
        "next_id": Column("<i8", (), IDS),
    }


SCHEME = Scheme(
    "learners",
    LearnersSettings,
    Learners,
    create,
    step,
    first_network,
    ReplayBuffer("experience", lambda settings: settings.memory, rebuild),
    layout=layout,
    headline=headline,
)
