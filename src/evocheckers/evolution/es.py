"""Our own: an evolution strategy by mirrored sampling, from the results of games alone.

One network, the centre θ. Each pair draws ε and lets θ + sε play θ - sε with both colours from one opening; half of the
two results' difference is r. θ moves by Adam along the sum of r ε. No piece count, no position, no human game enters:
only who won. K is a coordinate like the others, on a scale of its own.
"""

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from evocheckers.evaluation import spatial, spatial_vectors
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import EvaluatorTable, empty_weights, flags_of, join, stack
from evocheckers.evaluation.network import MAX_EXTENSIONS, Network
from evocheckers.evolution.scheme import (
    CREATION,
    GAME,
    MUTATION,
    OPENING,
    OPPONENT,
    GenerationReport,
    Individuals,
    Scheme,
    Settings,
    Step,
)
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import openings
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import f32, fetch_and_increment, pointer_to
from evocheckers.native.randomness import key, normal_rows, uniforms
from evocheckers.native.sums import add_weighted_rows
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.outcome import Reason

_COUNT = spatial.NUMBERS + 1
"""5046 numbers and K."""


class EsSettings(Settings):
    """Numbers found by prototypes; none comes from the papers."""

    extensions: int = Field(0, ge=0, le=MAX_EXTENSIONS)
    """Extensions by two plies on one line. None: captures are searched until a leaf is quiet, three times as fast."""
    moves_per_side: int = Field(80, ge=1, le=500)
    """An unfinished game is a draw after so many moves by each side."""
    pairs: int = Field(150, ge=1, le=1_000_000)
    """Mirrored pairs an update; two games each."""
    sigma: float = Field(0.15, gt=0)
    """s: how far a pair's networks stand from the centre."""
    sigma_end: float = Field(0.15, gt=0)
    """s at the end of the schedule; in between it changes evenly."""
    rate: float = Field(0.025, gt=0)
    """Adam's step."""
    rate_end: float = Field(0.005, gt=0)
    """Adam's step at the end of the schedule."""
    schedule: int = Field(300, ge=1)
    """Updates over which s and the rate change."""
    momentum: float = Field(0.9, ge=0, lt=1)
    """Adam's β1."""
    second_momentum: float = Field(0.999, ge=0, lt=1)
    """Adam's β2."""
    openings: Literal["start", "first-moves", "two-move"] = "two-move"
    """Where pairs begin; one is drawn for each."""
    pieces_share: float = Field(0.0, ge=0, le=1)
    """What an unfinished game is worth to the side with more pieces, where a win is worth one. Zero: results only."""
    layers: tuple[float, float, float, float] = (1.0, 0.0, 1.0, 1.0)
    """Scale of the perturbation in each layer; the second, most of the numbers, stays as it was drawn."""
    king_scale: float = Field(2.0, ge=0)
    """Scale of K's perturbation."""
    king_min: float = 1.0
    """K stays above."""
    king_max: float = 3.0
    """K stays below."""
    king_value: float = Field(2.0, ge=0)
    """First K."""
    weight_limit: float = Field(0.2, gt=0)
    """First weights are uniform in plus or minus this."""
    weight_decay: float = Field(1.2, ge=0)
    """Every update shrinks all weights by the share that this is of the schedule's length."""
    averaging: float = Field(0.0, ge=0, lt=1)
    """With a memory above 0 the network that a generation offers is a running average of centres, not the centre."""
    pool_share: float = Field(0.0, ge=0, le=1)
    """Share of pairs that play an earlier centre instead of each other."""
    pool_every: int = Field(10, ge=1)
    """Updates between two centres of the pool."""

    def rules(self) -> GameRules:
        """The rules of the games."""
        return replace(super().rules(), pieces_decide=self.pieces_share > 0)


class Centre(NamedTuple):
    """The centre, its running average, Adam's memory, and the pool of earlier centres."""

    centre: np.ndarray
    average: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    pool: np.ndarray


def scales(settings: EsSettings) -> np.ndarray:
    """The perturbation's scale for every coordinate."""
    ends = (spatial.SECOND_WEIGHTS, spatial.THIRD_WEIGHTS, spatial.OUTPUT_WEIGHTS, spatial.NUMBERS)
    sizes = np.diff((0, *ends))
    return np.append(np.repeat(settings.layers, sizes), settings.king_scale).astype(np.float32)


def begin(settings: EsSettings, seed: int) -> Centre:
    """A random network."""
    limit = settings.weight_limit
    weights = uniforms(key(seed, CREATION, 0), -limit, limit, spatial.NUMBERS)
    centre = np.append(weights, np.float32(settings.king_value))
    return Centre(centre, centre, np.zeros(_COUNT), np.zeros(_COUNT), np.empty((0, _COUNT), np.float32))


def network(settings: EsSettings, point: np.ndarray, **source: int) -> Network:
    """The network at a point."""
    king_value = float(min(max(point[-1], settings.king_min), settings.king_max))
    return Network(Kind.SPATIAL, point[:-1], king_value, *settings.sight, source=source)


@entry
def _pack_mirrored(
    next_pair: np.ndarray,
    stop: np.ndarray,
    centre: np.ndarray,
    noise: np.ndarray,
    s: f32,
    king_values: tuple[f32, f32],
    places: np.ndarray,
    out: np.ndarray,
) -> None:
    while stop[0] == 0:
        pair = fetch_and_increment(pointer_to(next_pair))
        if pair >= noise.shape[0]:
            break
        plus, minus = out[2 * pair], out[2 * pair + 1]
        for i in range(places.size):
            place = places[i]
            if place < centre.size:
                step = s * noise[pair, place]
                plus[i], minus[i] = centre[place] + step, centre[place] - step
            if place == centre.size - 1:
                plus[i] = min(max(plus[i], king_values[0]), king_values[1])
                minus[i] = min(max(minus[i], king_values[0]), king_values[1])


def mirrored_evaluators(settings: EsSettings, centre: np.ndarray, noise: np.ndarray, s: np.float32) -> EvaluatorTable:
    """The networks on both sides of the centre, pair by pair, packed on all cores."""
    count = 2 * len(noise)
    table = EvaluatorTable(
        np.full(count, Kind.SPATIAL, np.int64),
        np.full(count, flags_of(*settings.sight[:2]), np.int64),
        empty_weights(count, spatial_vectors.PACKED),
    )
    king_values = (f32(settings.king_min), f32(settings.king_max))
    places = spatial_vectors.PACKING

    def work(_: int, next_pair: np.ndarray, stop: np.ndarray) -> None:
        _pack_mirrored(next_pair, stop, centre, noise, s, king_values, places, table.weights)

    run_threads(work, thread_count(None))
    return table


def _now(first: float, last: float, settings: EsSettings, generation: int) -> float:
    done = min((generation - 1) / max(settings.schedule - 1, 1), 1.0)
    return first + (last - first) * done


def step(settings: EsSettings, seed: int, generation: int, state: Centre) -> Step[Centre]:
    """One update."""
    s = np.float32(_now(settings.sigma, settings.sigma_end, settings, generation))
    scale = scales(settings)
    keys = [key(seed, MUTATION, generation, pair) for pair in range(settings.pairs)]
    noise = normal_rows(keys, scale)
    evaluators = mirrored_evaluators(settings, state.centre, noise, s)
    places = openings(settings.openings)
    pairings: list[Pairing] = []
    pool = [network(settings, point).evaluator() for point in state.pool]
    pooled = round(settings.pool_share * settings.pairs) if pool else 0
    for pair in range(settings.pairs):
        start = places[key(seed, OPENING, generation, pair) % len(places)]
        number = key(seed, GAME, generation, pair)
        plus, minus = 2 * pair, 2 * pair + 1
        games = [(plus, minus), (minus, plus)]
        if pair < pooled:
            other = 2 * settings.pairs + key(seed, OPPONENT, generation, pair) % len(pool)
            games = [(plus, other), (minus, other)]
            if key(seed, OPPONENT, generation, pair, 1) % 2:
                games = [(white, black) for black, white in games]
        pairings += [Pairing(*colours, number, settings.plies, settings.plies, start) for colours in games]
    result = yield GameBatch(join([evaluators, stack(pool)]) if pool else evaluators, pairings, settings.rules())
    worth = np.where(result.reasons == Reason.ADJUDICATION, settings.pieces_share, 1.0)
    values = (worth * result.winners).reshape(settings.pairs, 2)
    rewards = np.empty(settings.pairs)
    for pair in range(settings.pairs):
        plus_is_black = pairings[2 * pair].black == 2 * pair
        difference = values[pair, 0] - values[pair, 1]
        rewards[pair] = 0.5 * (difference if plus_is_black else -difference)
    gradient = np.zeros(_COUNT)
    add_weighted_rows(rewards, noise, gradient)
    gradient /= settings.pairs * float(s)
    state = adam(settings, generation, state, gradient, scale)
    best = network(settings, state.average, generation=generation)
    individuals = Individuals(
        np.array([generation]),
        np.array([generation - 1]),
        np.array([rewards.sum()]),
        np.array([best.king_value]),
        np.array([float(s)]),
    )
    black = np.array([pairing.black for pairing in pairings])
    white = np.array([pairing.white for pairing in pairings])
    return state, GenerationReport(individuals, generation, best, black, white, result)


def adam(settings: EsSettings, generation: int, state: Centre, gradient: np.ndarray, scale: np.ndarray) -> Centre:
    """Move the centre."""
    b1, b2 = settings.momentum, settings.second_momentum
    mean = b1 * state.mean + (1 - b1) * gradient
    square = b2 * state.square + (1 - b2) * gradient * gradient
    bias1, bias2 = 1.0, 1.0
    for _ in range(generation):  # powers by multiplication: the same bits everywhere
        bias1, bias2 = bias1 * b1, bias2 * b2
    rate = _now(settings.rate, settings.rate_end, settings, generation)
    move = rate * (mean / (1 - bias1)) / (np.sqrt(square / (1 - bias2)) + 1e-8)
    centre = (state.centre + (move * scale)).astype(np.float32)
    centre[:-1] *= f32(1 - min(settings.weight_decay / settings.schedule, 1))
    centre[-1] = min(max(centre[-1], f32(settings.king_min)), f32(settings.king_max))
    average = centre
    if settings.averaging > 0:
        memory = f32(min(settings.averaging, (1 + generation) / (10 + generation)))
        average = state.average + (f32(1) - memory) * (centre - state.average)
    pool = state.pool
    if settings.pool_share > 0 and generation % settings.pool_every == 0:
        pool = np.concatenate([pool, centre[None]])
    return Centre(centre, average, mean, square, pool)


def first_network(settings: EsSettings, state: Centre) -> Network:
    """The centre."""
    return network(settings, state.centre, generation=0)


SCHEME = Scheme("es", EsSettings, Centre, begin, step, first_network)
