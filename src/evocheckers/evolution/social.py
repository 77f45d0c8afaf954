"""Individual and social learning (Al-Khateeb and Kendall): C10 and, with a round robin, C10-RR.

Thirty players play a tournament every generation. The next step depends on the generation's number:
    - divisible by M but not by N: all best players are copied to the social pool; selection as usual. By default, a
      strategy that is already in the pool has its score updated instead (``pool``, our choice).
    - divisible by N: scores are normalised to V = (X - min) / (max - min). V = 1: publish the strategy to the pool or,
      if it came from there, update its score. V of at least 0.9: keep the strategy. Below: with a chance of one third
      each, take a strategy from the pool by roulette wheel, make a new random one, or keep it.
    - otherwise: the best half is kept and mutated into the other half.
"""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

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
from evocheckers.evolution.scheme import IDS, PARENT_OR_NONE, SOCIETY, Column, Layout, Scheme, StateError, Step
from evocheckers.native.randomness import key
from evocheckers.networks.network import Network

_WHAT, _WHEEL = range(2)
TAKE, NEW, KEEP = range(3)
"""What a player below the threshold does."""


class SocialSettings(PopulationSettings):
    """From Al-Khateeb and Kendall."""

    individual_every: int = Field(5, ge=1, le=1_000_000)
    """M: every M generations, the best players are copied to the pool. The paper: 5."""
    social_every: int = Field(10, ge=1, le=1_000_000)
    """N: every N generations, players learn from the pool. The paper: 10."""
    keep_from: float = Field(0.9, ge=0, le=1)
    """Lowest normalised score with which a player keeps its strategy. The paper: 0.9."""
    pool: Literal["once", "printed"] = "once"
    """Whether a strategy enters the pool once and later successes update its score (once), or the pool is kept as
    printed (printed). As printed, the best are copied at every multiple of M, and only strategies taken from the pool
    are updated at multiples of N. Our choice: once."""


class Society(NamedTuple):
    """The players, where their strategies came from, and the pool."""

    weights: np.ndarray
    step_sizes: np.ndarray
    king_values: np.ndarray
    ids: np.ndarray
    parents: np.ndarray
    origins: np.ndarray
    """For each player, the row of the pool that its strategy came from, or -1."""
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
    summary = report(settings, generation, players, batch, result, scores, order)
    if generation % settings.social_every == 0:
        return learn(settings, seed, generation, society, scores), summary
    if generation % settings.individual_every == 0:
        best = np.flatnonzero(scores == scores.max())
        society = publish(society, best, scores) if settings.pool == "once" else copy_to_pool(society, best, scores)
    return select(settings, seed, society, order), summary


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
    is_known = society.origins[rows] >= 0
    pool_scores, origins = society.pool_scores.copy(), society.origins.copy()
    for row in rows[is_known].tolist():
        pool_scores[origins[row]] = scores[row]
    new = rows[~is_known]
    origins[new] = society.pool.size + np.arange(len(new))
    return copy_to_pool(society._replace(pool_scores=pool_scores), new, scores)._replace(origins=origins)


def copy_to_pool(society: Society, rows: np.ndarray, scores: np.ndarray) -> Society:
    """Copy players to the pool, whatever is already there."""
    pool = join(society.pool, society.players.take(rows.tolist()))
    columns = {f"pool_{name}": column for name, column in pool._asdict().items()}
    return society._replace(**columns, pool_scores=np.append(society.pool_scores, scores[rows]))


def wheel(scores: np.ndarray, number: int) -> int:
    """Choose a row of the pool by roulette wheel, with scores less their smallest, since they can be negative (our
    choice)."""
    shares = scores - scores.min()
    if shares.sum() == 0:
        return number % len(scores)
    return int(np.searchsorted(np.cumsum(shares), number % int(shares.sum()), side="right"))


def learn(settings: SocialSettings, seed: int, generation: int, society: Society, scores: np.ndarray) -> Society:
    """Every player acts on its normalised score; if all scores are equal, all keep their strategies (our choice)."""
    lowest, highest = int(scores.min()), int(scores.max())
    if lowest == highest:
        return society
    published = publish(society, np.flatnonzero(scores == highest), scores)
    if settings.pool == "printed":  # a player that published a strategy has not taken it from the pool
        published = published._replace(origins=society.origins)
    society = published
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


SCHEME = Scheme(
    "social",
    SocialSettings,
    Society,
    begin,
    step,
    first_network,
    layout=layout,
)
