"""A scheme in a package of its own: one network, and a mutant that takes its place if it wins a match of two games."""

from typing import NamedTuple

import numpy as np
from pydantic import Field

import evocheckers as ec


class OneSettings(ec.Settings):
    step: float = Field(0.05, gt=0, le=1)
    """Deviation of the noise that makes a mutant."""


class One(NamedTuple):
    weights: np.ndarray
    id: np.ndarray = np.zeros(1, np.int64)  # the generation in which it appeared


def network(settings: OneSettings, one: One) -> ec.Network:
    return ec.Network(ec.Kind.SPATIAL, one.weights, 2.0, settings.search_rules)


def step(settings: OneSettings, seed: int, generation: int, one: One) -> ec.Step[One]:
    noise = np.float32(settings.step) * ec.normals(ec.key(seed, generation), 5046)
    rivals = (one, One(one.weights + noise, np.array([generation])))
    games = [ec.Pairing(black, 1 - black, generation, settings.plies, settings.plies) for black in (0, 1)]
    result = yield ec.GameBatch([network(settings, rival).evaluator() for rival in rivals], games, settings.rules())
    score = int(result.winners[1] - result.winners[0])  # the mutant's; it is Black in the second game
    best, ids, unknown = rivals[int(score > 0)], np.concatenate([rival.id for rival in rivals]), np.full(2, np.nan)
    people = ec.Individuals(ids, np.array([-1, ids[0]]), np.array([-score, score]), unknown, unknown)
    return best, ec.GenerationReport(people, int(best.id[0]), network(settings, best), ids, ids[::-1], result)


SCHEME = ec.Scheme(
    "hill-of-one", OneSettings, One, lambda _, seed: One(ec.uniforms(seed, -0.2, 0.2, 5046)), step, network
)
