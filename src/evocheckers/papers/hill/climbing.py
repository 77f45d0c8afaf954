"""Hill climbers against random moves and each other, counted as Horgan does: in wins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from evocheckers.evolution import hill_climbing
from evocheckers.evolution.hill_climbing import HillClimbingSettings
from evocheckers.evolution.registry import make_settings
from evocheckers.games.batch import BatchResult, Executor, GameBatch, GameRules, Pairing
from evocheckers.games.driving import BatchGenerator, drive_together
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network

DEPTHS = (1, 2, 3)
TRIALS = 10
"""The paper counts wins out of ten; so do all tables, whatever the number of games."""
_HILL = 13
"""Separates these games' random numbers from others."""


@dataclass(frozen=True)
class OptionalJumps:
    """Plays every batch without compulsory jumps, as Horgan's published program does."""

    executor: Executor

    def play(self, batch: GameBatch) -> BatchResult:
        """Play a batch in which jumps are optional."""
        return self.executor.play(batch._replace(rules=replace(batch.rules, compulsory=False)))


@dataclass(frozen=True)
class Reading:
    """One interpretation of what the paper leaves open."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the scheme that differ from the preset's."""
    compulsory: bool = True

    @property
    def settings(self) -> HillClimbingSettings:
        return make_settings(hill_climbing.SCHEME, self.changes)

    def executor(self, executor: Executor) -> Executor:
        """The executor that plays its games."""
        return executor if self.compulsory else OptionalJumps(executor)

    def network(self, weights: np.ndarray) -> Network:
        """A network of these weights that sees the board under this reading."""
        settings = self.settings
        return hill_climbing.first_network(settings, hill_climbing.Champion(weights, np.array(0)))


class Climbed(NamedTuple):
    """A champion, and how many rookies it has learnt from so far."""

    network: Network
    updates: int


def climbing(reading: Reading, iterations: Sequence[int], seed: int) -> BatchGenerator[list[Climbed]]:
    """The champions after the given numbers of iterations, as in a run of that seed; nothing is recorded."""
    settings = reading.settings.model_copy(update={"iterations": 1})
    champion = hill_climbing.begin(settings, seed)
    found = []
    done = 0
    for goal in iterations:
        for iteration in range(done + 1, goal + 1):
            champion, _ = yield from hill_climbing.step(settings, seed, iteration, champion)
        done = goal
        found.append(Climbed(reading.network(champion.weights), int(champion.updates)))
    return found


def climb(
    reading: Reading, iterations: Sequence[int], executor: Executor, seeds: Sequence[int] = (1,)
) -> list[list[Climbed]]:
    """The same for several seeds at once; one list per seed."""
    works = {seed: climbing(reading, iterations, seed) for seed in seeds}
    return list(drive_together(works, reading.executor(executor)).values())


RULES = GameRules(200, pieces_decide=True)
"""As in training: more pieces win after 200 plies."""


def wins_against_random(executor: Executor, networks: Sequence[Network], depth: int, games: int) -> float:
    """The share of games that networks win against random moves, half as each colour."""
    nobody = len(networks)
    pairings = [
        Pairing(number, nobody, key(_HILL, depth, game), depth, 0)
        if game % 2 == 0
        else Pairing(nobody, number, key(_HILL, depth, game), 0, depth)
        for number in range(len(networks))
        for game in range(number * games, (number + 1) * games)
    ]
    evaluators = [*(network.evaluator() for network in networks), piece_differential()]
    result = executor.play(GameBatch(evaluators, pairings, RULES))
    won = [w == (1 if p.black != nobody else -1) for w, p in zip(result.winners.tolist(), pairings, strict=True)]
    return sum(won) / len(won)


def wins_against(executor: Executor, first: Network, second: Network, games: int) -> tuple[float, float]:
    """The shares of games that the first network wins and loses at depth 1, half as each colour.

    One move in twenty is random, as in training; otherwise a pair would only play the same two games.
    """
    pairings = [Pairing(game % 2, 1 - game % 2, key(_HILL, 1, game), 1, 1) for game in range(games)]
    result = executor.play(
        GameBatch([first.evaluator(), second.evaluator()], pairings, replace(RULES, random_move_rate=0.05))
    )
    values = [w if p.black == 0 else -w for w, p in zip(result.winners.tolist(), pairings, strict=True)]
    return values.count(1) / games, values.count(-1) / games


def of_ten(share: float) -> str:
    """A share as wins out of ten."""
    return f"{TRIALS * share:.1f}"
