"""Over the hill (Horgan): a champion, and rookies that are the champion plus noise.

When the rookie wins, the champion moves a tenth of the way towards it. The paper's formula is a product; we follow its
words, "weighted average". A generation here is a block of iterations.
"""

from dataclasses import replace
from typing import Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evolution.scheme import (
    GAME,
    MUTATION,
    OPENING,
    Column,
    ConfigError,
    GenerationReport,
    Individuals,
    Layout,
    Scheme,
    Settings,
    Step,
)
from evocheckers.games.batch import COLUMNS, BatchResult, GameBatch, GameRules, Pairing
from evocheckers.native.randomness import key, normals
from evocheckers.networks.dense import reference as dense
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import MAX_EXTENSIONS, SearchRules


class HillClimbingSettings(Settings):
    """From Horgan's paper."""

    plies: int = Field(1, ge=1, le=12)
    """Search depth of both players, in plies. The paper: 1."""
    extensions: int = Field(0, ge=0, le=MAX_EXTENSIONS)
    """Most extensions by two plies on one line of the search. The paper: none; it looks at "immediate moves" alone."""
    quiescence: bool = False
    """Whether captures at a leaf are followed until it is quiet. The paper: no; it looks at "immediate moves" alone."""
    moves_per_side: int = Field(100, ge=1, le=1000)
    """A game ends after this many moves by each side, and the side with more pieces wins. The paper: 200 plies, at
    first 2,000."""
    inputs: Literal[512, 128] = 512
    """Number of the network's inputs. The paper: 512, and 128 in an earlier version."""
    iterations: int = Field(100, ge=1, le=100_000)
    """Iterations per generation, which matters only for recording. The paper ran 50,000 iterations."""
    noise: float = Field(0.1, gt=0, le=100)
    """Standard deviation of the Gaussian noise that makes a rookie. Our choice; the paper does not say."""
    share: float = Field(0.1, gt=0, le=1)
    """Fraction of the way that the champion moves towards a rookie that won. The paper: 0.1."""
    games: int = Field(1, ge=1, le=100)
    """Games per trial. The paper: 1; it asks for trials of 4."""
    wins_needed: int = Field(1, ge=1, le=100)
    """Wins by which a rookie passes its trial. The paper: 1; it asks for 3 of 4."""
    random_move_rate: float = Field(0.05, ge=0, le=1)
    """Share of random moves. The paper: one in twenty."""
    rate_rise: float = Field(0.05, ge=0, le=1)
    """Increase of the share of random moves when a position recurs. Our choice; the paper only says that it grows."""
    weight_limit: float | None = Field(1.0, gt=0, le=1000)
    """After an update, the champion is scaled so that no weight is larger than this. Our reading of the paper's
    "normalised"."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.wins_needed > self.games:
            fault = f"must not be above games = {self.games}"
            raise ConfigError(f"setting wins_needed = {self.wins_needed}: {fault}", "wins_needed", self.wins_needed)
        return self

    def memory_bytes(self) -> int:
        """The games."""
        return self.games_bytes(self.iterations * self.games)

    @property
    def search_rules(self) -> SearchRules:
        """How the networks are searched."""
        return replace(super().search_rules, quiescence=self.quiescence)

    def rules(self) -> GameRules:
        """The rules of the games: by default 200 plies, after which the side with more pieces wins."""
        return replace(
            super().rules(),
            random_move_rate=self.random_move_rate,
            rate_rise=self.rate_rise,
            pieces_decide=True,
        )


class Champion(NamedTuple):
    """The champion, and how many rookies it has learnt from."""

    weights: np.ndarray
    updates: np.ndarray


def _network(settings: HillClimbingSettings, weights: np.ndarray, **source: int) -> Network:
    kind = Kind.DENSE_512 if settings.inputs == 512 else Kind.DENSE_128
    return Network(kind, weights, None, settings.search_rules, source)


def begin(settings: HillClimbingSettings, seed: int) -> Champion:  # noqa: ARG001
    """Zero weights: the champion plays random moves."""
    return Champion(np.zeros(dense.numbers(settings.inputs), np.float32), np.array(0))


def trial(
    settings: HillClimbingSettings, seed: int, iteration: int, champion: np.ndarray, rookie: np.ndarray
) -> GameBatch:
    """The games of a rookie (player 1) against the champion (player 0); colours alternate, and the first are random."""
    first = key(seed, OPENING, iteration) % 2
    pairings = []
    for game in range(settings.games):
        black = (first + game) % 2
        number = key(seed, GAME, iteration, game)
        pairings.append(Pairing(black, 1 - black, number, settings.plies, settings.plies))
    evaluators = [_network(settings, weights).evaluator() for weights in (champion, rookie)]
    return GameBatch(evaluators, pairings, settings.rules())


def update(settings: HillClimbingSettings, champion: np.ndarray, rookie: np.ndarray) -> np.ndarray:
    """The weighted average, scaled to keep within the weight limit."""
    share = np.float32(settings.share)
    weights = (np.float32(1) - share) * champion + share * rookie
    largest = np.abs(weights).max()
    if settings.weight_limit is not None and largest > settings.weight_limit:
        weights = weights * (np.float32(settings.weight_limit) / largest)
    return weights


def step(settings: HillClimbingSettings, seed: int, generation: int, champion: Champion) -> Step[Champion]:
    """A block of iterations."""
    weights, updates = champion.weights, int(champion.updates)
    results: list[BatchResult] = []
    rookie_was_black: list[bool] = []
    wins = 0
    first = (generation - 1) * settings.iterations
    for iteration in range(first + 1, first + settings.iterations + 1):
        noise = normals(key(seed, MUTATION, iteration), len(weights))
        rookie = weights + np.float32(settings.noise) * noise
        batch = trial(settings, seed, iteration, weights, rookie)
        result = yield batch
        results.append(result)
        rookie_was_black += [pairing.black == 1 for pairing in batch.pairings]
        won = sum(
            int(winner) == (1 if pairing.black == 1 else -1)
            for pairing, winner in zip(batch.pairings, result.winners, strict=True)
        )
        if won >= settings.wins_needed:
            weights, updates, wins = update(settings, weights, rookie), updates + 1, wins + 1
    iterations = first + settings.iterations
    played = np.repeat(np.arange(first + 1, iterations + 1), settings.games)
    black = np.array(rookie_was_black)
    nothing = np.array([np.nan])
    individuals = Individuals(
        np.array([iterations]), np.array([first]), np.array([wins]), nothing, np.array([settings.noise])
    )
    network = _network(settings, weights, generation=generation, iteration=iterations)
    # In the record, a rookie's id is its iteration's number, and the champion's is zero.
    report = GenerationReport(
        individuals, iterations, network, np.where(black, played, 0), np.where(black, 0, played), join_results(results)
    )
    return Champion(weights, np.array(updates)), report


def join_results(results: list[BatchResult]) -> BatchResult:
    """Join the results of several batches into one."""
    joined = {name: np.concatenate([getattr(result, name) for result in results]) for name in COLUMNS}
    return BatchResult(**joined, starts=[start for result in results for start in result.starts])


def first_network(settings: HillClimbingSettings, champion: Champion) -> Network:
    """The champion with zero weights."""
    return _network(settings, champion.weights, generation=0, iteration=0)


def headline(report: GenerationReport) -> str:
    """How many rookies passed their trial."""
    trials = report.individuals
    return f"{trials.scores[0]} of {trials.ids[0] - trials.parents[0]} rookies won"


def layout(settings: HillClimbingSettings) -> Layout:
    """The columns of the champion."""
    return {"weights": Column("<f4", (dense.numbers(settings.inputs),)), "updates": Column("<i8", (), 0)}


SCHEME = Scheme(
    "hill-climbing",
    HillClimbingSettings,
    Champion,
    begin,
    step,
    first_network,
    layout=layout,
    headline=headline,
)
