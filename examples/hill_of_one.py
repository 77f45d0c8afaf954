"""A scheme in a package of its own: one network, and a mutant that takes its place if it wins a match of two games."""

from typing import NamedTuple

import numpy as np
from pydantic import Field

from evocheckers import GameBatch, GenerationReport, Individuals, Kind, Network, Pairing, Scheme, Settings
from evocheckers.evolution.scheme import Step
from evocheckers.native.randomness import key, normals, uniforms  # the same bits on every machine


class OneSettings(Settings):
    step: float = Field(0.05, gt=0, le=1)
    """Deviation of the noise that makes a mutant."""


class One(NamedTuple):
    weights: np.ndarray


def network(settings: OneSettings, one: One) -> Network:
    return Network(Kind.SPATIAL, one.weights, 2.0, *settings.sight)


def step(settings: OneSettings, seed: int, generation: int, one: One) -> Step[One]:
    mutant = One(one.weights + np.float32(settings.step) * normals(key(seed, generation), 5046))
    evaluators = [network(settings, rival).evaluator() for rival in (one, mutant)]
    games = [Pairing(black, 1 - black, generation, settings.plies, settings.plies) for black in (0, 1)]
    result = yield GameBatch(evaluators, games, settings.rules())
    score = int(result.winners[1] - result.winners[0])  # the mutant's; it is Black in the second game
    best, ids, unknown = (mutant if score > 0 else one), np.array([0, generation]), np.full(2, np.nan)
    scores = np.array([-score, score])
    people = Individuals(ids, parents=np.array([-1, 0]), scores=scores, king_values=unknown, step_sizes=unknown)
    winner, shown = int(ids[int(score > 0)]), network(settings, best)
    return best, GenerationReport(people, winner, shown, black_ids=ids, white_ids=ids[::-1], games=result)


SCHEME = Scheme("hill-of-one", OneSettings, One, lambda _, seed: One(uniforms(seed, -0.2, 0.2, 5046)), step, network)
