"""Populations of spatial networks with self-adaptive step sizes, and tournaments among them."""

import math
from dataclasses import replace
from typing import Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evolution.scheme import (
    CREATION,
    GAME,
    IDS,
    MUTATION,
    OPPONENT,
    PARENT_OR_NONE,
    TIE,
    Column,
    ConfigError,
    GenerationReport,
    Individuals,
    Settings,
    check_king,
)
from evocheckers.games.batch import BatchResult, GameBatch, Pairing
from evocheckers.native.randomness import exponentials, integers, key, normals, uniforms
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Forced, SearchRules, Wins
from evocheckers.networks.spatial import reference as spatial

_WEIGHTS, _STEPS, _KING = range(3)

MAX_GAMES = 10_000_000
"""Most games in one generation."""


class PopulationSettings(Settings):
    """From Chellapilla and Fogel (Anaconda); Al-Khateeb and Kendall adopt the same numbers."""

    forced: Literal["any-jump", "only-move"] = "any-jump"
    """Which jumps extend a line of the search: any (any-jump), or those that are the only legal move (only-move). Our
    choice: any-jump."""
    wins: Literal["sooner", "equal"] = "sooner"
    """Whether sooner wins are preferred (sooner) or all wins are equal, as Chellapilla and Fogel print (equal). Our
    choice: sooner."""
    parents: int = Field(15, ge=1, le=100_000)
    """Number of parents, each with one offspring. All papers: 15."""
    weight_limit: float = Field(0.2, gt=0, le=1000)
    """Initial weights and biases are sampled uniformly between minus and plus this. Anaconda: 0.2."""
    step_size: float = Field(0.05, gt=0, le=100)
    """Initial value of every step size. Anaconda: 0.05."""
    step_size_limit: float | None = Field(None, gt=0, le=100)
    """Upper bound of every step size. The papers set no limit."""
    piece_sum: bool = True
    """Whether the sum of the inputs reaches the output node. Anaconda: yes."""
    learning_rate: float = Field(1 / math.sqrt(2 * math.sqrt(spatial.NUMBERS)), ge=0, le=1)
    """τ: standard deviation of the logarithm of a step size's mutation. Anaconda: 1/sqrt(2 sqrt(5046)) = 0.0839."""
    king_value: float = Field(2.0, ge=0, le=100)
    """Initial K. Anaconda: 2.0."""
    king_step: float = Field(0.1, ge=0, le=100)
    """Each mutation changes K by minus this, by nothing or by plus this. Anaconda: 0.1."""
    king_min: float = Field(1.0, ge=0, le=100)
    """Lower bound of K. Anaconda: 1."""
    king_max: float = Field(3.0, ge=0, le=100)
    """Upper bound of K. Anaconda: 3."""
    tournament: Literal["random-opponents", "round-robin"] = "random-opponents"
    """Who plays whom. Anaconda: five random opponents. Round robin: one game for each ordered pair (our choice)."""
    opponents: int = Field(5, ge=1, le=10_000)
    """Games that each individual plays as Black against random opponents. Anaconda: 5; sampling with replacement, and
    never itself, is our choice."""
    win: int = Field(1, ge=-1000, le=1000)
    """Points for a win. All papers: +1."""
    draw: int = Field(0, ge=-1000, le=1000)
    """Points for a draw. All papers: 0."""
    loss: int = Field(-2, ge=-1000, le=1000)
    """Points for a loss. All papers: -2."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_king(self.king_min, self.king_value, self.king_max)
        games = self._games()
        if games > MAX_GAMES:
            fault = f"would make {games} games a generation; at most {MAX_GAMES} are played"
            raise ConfigError(f"setting parents = {self.parents}: {fault}", "parents", self.parents)
        return self

    @property
    def kind(self) -> Kind:
        """The kind of network."""
        return Kind.SPATIAL if self.piece_sum else Kind.SPATIAL_BARE

    @property
    def search_rules(self) -> SearchRules:
        """How the networks are searched."""
        return replace(super().search_rules, forced=Forced(self.forced), wins=Wins(self.wins))

    def _games(self) -> int:
        players = 2 * self.parents
        return players * (players - 1 if self.tournament == "round-robin" else self.opponents)

    def memory_bytes(self) -> int:
        """Several copies of everybody's weights and step sizes, and the games."""
        return 2 * self.parents * 30 * spatial.NUMBERS + self.games_bytes(self._games())


class Population(NamedTuple):
    """Networks with what mutation needs, one per row."""

    weights: np.ndarray
    step_sizes: np.ndarray
    king_values: np.ndarray
    ids: np.ndarray
    parents: np.ndarray

    @property
    def size(self) -> int:
        """The number of networks; a tuple's own length is its number of columns."""
        return len(self.ids)

    def take(self, rows: np.ndarray | list[int]) -> "Population":
        """Some of the networks, in that order."""
        return Population(*(column[rows] for column in self))

    def network(self, row: int, settings: PopulationSettings, **source: int) -> Network:
        """One of the networks by its row."""
        king_value = float(self.king_values[row])
        return Network(settings.kind, self.weights[row], king_value, settings.search_rules, source)

    def evaluators(self, settings: PopulationSettings) -> list[Evaluator]:
        """All networks, as games take them."""
        return [self.network(row, settings).evaluator() for row in range(self.size)]


def population_layout(rows: int | str, prefix: str = "") -> dict[str, Column]:
    """The columns of a population with this many rows."""
    return {
        f"{prefix}weights": Column("<f4", (rows, spatial.NUMBERS)),
        f"{prefix}step_sizes": Column("<f4", (rows, spatial.NUMBERS), 0),
        f"{prefix}king_values": Column("<f4", (rows,), 0),
        f"{prefix}ids": Column("<i8", (rows,), IDS),
        f"{prefix}parents": Column("<i8", (rows,), PARENT_OR_NONE),
    }


def join(*parts: Population) -> Population:
    """Join several populations into one."""
    return Population(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def create(settings: PopulationSettings, seed: int, count: int, first_id: int) -> Population:
    """Random networks to start evolution from."""
    limit = settings.weight_limit
    weights = [uniforms(key(seed, CREATION, first_id + i), -limit, limit, spatial.NUMBERS) for i in range(count)]
    return Population(
        np.array(weights, np.float32).reshape(count, spatial.NUMBERS),
        np.full((count, spatial.NUMBERS), settings.step_size, np.float32),
        np.full(count, settings.king_value, np.float32),
        np.arange(first_id, first_id + count),
        np.full(count, -1),
    )


def offspring(settings: PopulationSettings, seed: int, parents: Population, first_id: int) -> Population:
    """One child of each: step sizes mutate log-normally, then weights by their own step sizes, K by a step or none."""
    weights, steps = np.empty_like(parents.weights), np.empty_like(parents.step_sizes)
    kings = parents.king_values.copy()
    for row in range(parents.size):
        child = first_id + row
        growth = exponentials(settings.learning_rate * normals(key(seed, MUTATION, child, _STEPS), spatial.NUMBERS))
        steps[row] = parents.step_sizes[row] * growth
        if settings.step_size_limit is not None:
            np.minimum(steps[row], np.float32(settings.step_size_limit), out=steps[row])
        weights[row] = parents.weights[row] + steps[row] * normals(
            key(seed, MUTATION, child, _WEIGHTS), spatial.NUMBERS
        )
        change = settings.king_step * (key(seed, MUTATION, child, _KING) % 3 - 1)
        # K moves on a grid of steps; rounding keeps it there on any path.
        value = round(float(kings[row]) + change, 6)
        kings[row] = min(max(value, settings.king_min), settings.king_max)
    ids = np.arange(first_id, first_id + parents.size)
    return Population(weights, steps, kings, ids, parents.ids)


def tournament(settings: PopulationSettings, seed: int, generation: int, players: Population) -> GameBatch:
    """The games of a generation."""
    count = players.size
    pairs: list[tuple[int, int]] = []
    for black in range(count):
        if settings.tournament == "round-robin":
            pairs += [(black, white) for white in range(count) if white != black]
        else:
            drawn = integers(key(seed, OPPONENT, generation, black), settings.opponents, count - 1)
            pairs += [(black, int(white) + (int(white) >= black)) for white in drawn]
    pairings = [
        Pairing(black, white, key(seed, GAME, generation, i), settings.plies, settings.plies)
        for i, (black, white) in enumerate(pairs)
    ]
    return GameBatch(players.evaluators(settings), pairings, settings.rules())


def points(settings: PopulationSettings, batch: GameBatch, result: BatchResult, count: int) -> np.ndarray:
    """Everybody's points; both players of a game score."""
    worth = {1: settings.win, 0: settings.draw, -1: settings.loss}
    scores = np.zeros(count, np.int64)
    for pairing, winner in zip(batch.pairings, result.winners.tolist(), strict=True):
        scores[pairing.black] += worth[winner]
        scores[pairing.white] += worth[-winner]
    return scores


def ranking(seed: int, generation: int, scores: np.ndarray) -> list[int]:
    """Rows from best to worst; ties are broken by the seed (our choice)."""
    return sorted(range(len(scores)), key=lambda row: (-scores[row], key(seed, TIE, generation, row)))


def report(
    settings: PopulationSettings,
    generation: int,
    players: Population,
    batch: GameBatch,
    result: BatchResult,
    scores: np.ndarray,
    order: list[int],
) -> GenerationReport:
    """The report on a population's generation."""
    best = order[0]
    individuals = Individuals(
        players.ids,
        players.parents,
        scores,
        players.king_values.astype(np.float64),
        players.step_sizes.mean(axis=1, dtype=np.float64),
    )
    return GenerationReport(
        individuals,
        int(players.ids[best]),
        players.network(best, settings, generation=generation, id=int(players.ids[best])),
        players.ids[[pairing.black for pairing in batch.pairings]],
        players.ids[[pairing.white for pairing in batch.pairings]],
        result,
    )
