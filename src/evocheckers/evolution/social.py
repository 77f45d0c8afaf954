"""Individual and social learning (Al-Khateeb and Kendall): C10, and with a round robin C10-RR.

Thirty players; every generation a tournament. Then, by the number of the generation:
    - divisible by M and not by N: all best players are copied to the social pool; selection as usual.
    - divisible by N: scores are normalised to V = (X - min) / (max - min). V = 1: publish the strategy to the pool, or,
      if it came from there, update its score. V from 0.9: keep. Below: one third each take a strategy from the pool by
      roulette wheel, make a new random one, keep.
    - otherwise the best half is kept and mutated into the other half.
"""

from typing import NamedTuple

import numpy as np
from pydantic import Field

from evocheckers.evaluation.network import Network
from evocheckers.evolution.layout import IDS, PARENT_OR_NONE, Column, Layout, StateError
from evocheckers.evolution.population import (
    Population,
    PopulationSettings,
    create,
    join,
    offspring,
    points,
    population_layout,
    ranking,
    report,
    tournament,
)
from evocheckers.evolution.scheme import SOCIETY, Scheme, Step
from evocheckers.native.randomness import key

_WHAT, _WHEEL = range(2)
TAKE, NEW, KEEP = range(3)
"""What a player below the bar does."""


class SocialSettings(PopulationSettings):
    """Numbers of Al-Khateeb and Kendall."""

    individual_every: int = Field(5, ge=1, le=1_000_000)
    """M: the generations at whose multiples the best are copied to the pool. The paper: 5."""
    social_every: int = Field(10, ge=1, le=1_000_000)
    """N: the generations at whose multiples players learn from the pool. The paper: 10."""
    keep_from: float = Field(0.9, ge=0, le=1)
    """Normalised score from which a player keeps its strategy. The paper: 0.9."""


class Society(NamedTuple):
    """The players, where their strategies came from, and the pool."""

    weights: np.ndarray
    step_sizes: np.ndarray
    king_values: np.ndarray
    ids: np.ndarray
    parents: np.ndarray
    origins: np.ndarray
    """For each player the pool's row that its strategy came from, or -1."""
    pool_weights: np.ndarray
    pool_step_sizes: np.ndarray
    pool_king_values: np.ndarray
    pool_ids: np.ndarray
    pool_parents: np.ndarray
    pool_scores: np.ndarray
    next_id: np.ndarray

    @property
    def players(self) -> Population:
        return Population(*self[:5])

    @property
    def pool(self) -> Population:
        return Population(*self[6:11])


def begin(settings: SocialSettings, seed: int) -> Society:
    """Thirty random players and an empty pool."""
    count = 2 * settings.parents
    players = create(settings, seed, count, 0)
    empty = players.take([])
    return Society(*players, np.full(count, -1), *empty, np.zeros(0, np.int64), np.array(count))


def step(settings: SocialSettings, seed: int, generation: int, society: Society) -> Step[Society]:
    """One generation."""
    players = society.players
    if society.origins.max() >= society.pool.size:
        raise StateError("origins", f"names a strategy that is not among the pool's {society.pool.size}")
    batch = tournament(settings, seed, generation, players)
    result = yield batch
    scores = points(settings, batch, result, players.size)
    order = ranking(seed, generation, scores)
    told = report(settings, generation, players, batch, result, scores, order)
    if generation % settings.social_every == 0:
        return learn(settings, seed, generation, society, scores), told
    if generation % settings.individual_every == 0:
        society = publish(society, np.flatnonzero(scores == scores.max()), scores)
    return select(settings, seed, society, order), told


def select(settings: SocialSettings, seed: int, society: Society, order: list[int]) -> Society:
    """The best half stays, and is mutated into the other half."""
    best = order[: settings.parents]
    kept = society.players.take(best)
    first_id = int(society.next_id)
    players = join(kept, offspring(settings, seed, kept, first_id))
    origins = np.concatenate([society.origins[best], np.full(len(best), -1)])
    return society._replace(**players._asdict(), origins=origins, next_id=np.array(first_id + len(best)))


def publish(society: Society, rows: np.ndarray, scores: np.ndarray) -> Society:
    """Copy players to the pool; one whose strategy came from there updates its score instead."""
    pool, pool_scores = society.pool, society.pool_scores.copy()
    origins = society.origins.copy()
    for row in rows.tolist():
        if origins[row] >= 0:
            pool_scores[origins[row]] = scores[row]
        else:
            pool = join(pool, society.players.take([row]))
            pool_scores = np.append(pool_scores, scores[row])
            origins[row] = pool.size - 1
    columns = {f"pool_{name}": column for name, column in pool._asdict().items()}
    return society._replace(**columns, pool_scores=pool_scores, origins=origins)


def wheel(scores: np.ndarray, number: int) -> int:
    """A row of the pool by roulette wheel; scores can be negative, so they are shifted by the smallest (our choice)."""
    shares = scores - scores.min()
    if shares.sum() == 0:
        return number % len(scores)
    return int(np.searchsorted(np.cumsum(shares), number % int(shares.sum()), side="right"))


def learn(settings: SocialSettings, seed: int, generation: int, society: Society, scores: np.ndarray) -> Society:
    """Everybody looks at the normalised score and acts on it; with all scores equal, everybody keeps (our choice)."""
    lowest, highest = int(scores.min()), int(scores.max())
    if lowest == highest:
        return society
    society = publish(society, np.flatnonzero(scores == highest), scores)
    players, origins = society.players, society.origins.copy()
    columns = {name: column.copy() for name, column in players._asdict().items()}
    next_id = int(society.next_id)
    for row in range(players.size):
        if (int(scores[row]) - lowest) / (highest - lowest) >= settings.keep_from:
            continue
        what = key(seed, SOCIETY, generation, row, _WHAT) % 3
        if what == TAKE:
            origins[row] = wheel(society.pool_scores, key(seed, SOCIETY, generation, row, _WHEEL))
            taken = society.pool.take([int(origins[row])])
            taken = taken._replace(parents=taken.ids, ids=np.array([next_id]))
        elif what == NEW:
            origins[row] = -1
            taken = create(settings, seed, 1, next_id)
        else:
            continue
        next_id += 1
        for name, column in taken._asdict().items():
            columns[name][row] = column[0]
    return society._replace(**columns, origins=origins, next_id=np.array(next_id))


def first_network(settings: SocialSettings, society: Society) -> Network:
    """The first player."""
    return society.players.network(0, settings, generation=0, id=0)


def layout(settings: SocialSettings) -> Layout:
    """The columns of players and pool."""
    players = 2 * settings.parents
    return {
        **population_layout(players),
        "origins": Column("<i8", (players,), PARENT_OR_NONE),
        **population_layout("pool", "pool_"),
        "pool_scores": Column("<i8", ("pool",)),
        "next_id": Column("<i8", (), IDS),
    }


SCHEME = Scheme("social", SocialSettings, Society, begin, step, first_network, layout=layout, added={"piece_sum": True})
