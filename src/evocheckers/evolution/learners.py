"""A population of networks that learn: its settings, its state, and the players made from it."""

from dataclasses import replace
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evaluation.evaluator import Evaluator
from evocheckers.evaluation.network import MAX_EXTENSIONS, Network
from evocheckers.evolution.breed import BreedSettings
from evocheckers.evolution.scheme import MUTATION, ConfigError
from evocheckers.games.batch import GameRules
from evocheckers.learning.experience import Experience
from evocheckers.learning.learner import Learner
from evocheckers.native.randomness import key, normals

StartPlies = Annotated[int, Field(ge=0, le=20)]
Depth = Annotated[int, Field(ge=1, le=12)]
Games = Annotated[int, Field(ge=1, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]


class LamarckSettings(BreedSettings):
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
    games: tuple[Games, ...] = (3000, 900)
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
    def _stages_fit(self) -> "LamarckSettings":
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

    def learner(self, row: int, settings: LamarckSettings) -> Learner:
        """One of the learners."""
        columns = (self.numbers[row], self.mean[row], self.square[row])
        return Learner(settings.kind, *columns, int(self.steps[row]))

    def network(self, row: int, settings: LamarckSettings, **source: int) -> Network:
        """One of the learners as a network."""
        weights, king_value = self.numbers[row, : settings.numbers], float(self.numbers[row, settings.numbers])
        return Network(settings.kind, weights, king_value, *settings.sight, source=source)


def create(settings: LamarckSettings, seed: int) -> Learners:
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


def copies(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> list[Evaluator]:
    """The players: each learner and its copies, one learner after the other."""
    jitter = np.float32(now(settings, generation, settings.jitter, settings.jitter_end))
    players = []
    for row in range(state.size):
        network = state.network(row, settings)
        players.append(network.evaluator())
        for copy in range(1, settings.copies):
            noise = normals(key(seed, MUTATION, generation, int(state.ids[row]), copy), settings.numbers)
            players.append(replace(network, weights=network.weights + jitter * noise).evaluator())
    return players


def now(settings: LamarckSettings, generation: int, first: float, last: float) -> float:
    """A number that changes linearly over the schedule, as it is in a generation."""
    done = min((generation - 1) / max(settings.schedule - 1, 1), 1.0)
    return first + (last - first) * done


def rate_now(settings: LamarckSettings, generation: int) -> float:
    """Adam's learning rate in a generation."""
    return now(settings, generation, settings.rate, settings.rate_end)
