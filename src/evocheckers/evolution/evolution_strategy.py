"""Our own evolution strategy: mirrored sampling, from the results of games alone.

The state is one network, the centre θ. Each pair samples ε and lets θ + sε play θ - sε with both colours from one
opening; r is half of the difference between the two results. Adam moves θ along the sum of r ε. Only who won
enters, and the piece sum at the network's output, as in the papers. K is a coordinate like the others, on a scale of
its own.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from evocheckers.evolution.network_settings import NetworkSettings
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
    Step,
    check_king,
    scheduled,
)
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import openings
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import f32, fetch_and_increment, pointer_to
from evocheckers.native.matrices import add_weighted_rows
from evocheckers.native.randomness import key, normal_rows
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.networks.evaluator import EvaluatorTable, empty_weights
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import MAX_EXTENSIONS
from evocheckers.rules.outcome import Reason

Scale = Annotated[float, Field(ge=0, le=100)]


class EsSettings(NetworkSettings):
    """Found with prototypes; not from the papers."""

    extensions: int = Field(0, ge=0, le=MAX_EXTENSIONS)
    """Most extensions by two plies on one line of the search. With none, captures are searched until a leaf is quiet,
    five to eight times as fast."""
    moves_per_side: int = Field(80, ge=1, le=500)
    """A game is a draw after this many moves by each side."""
    pairs: int = Field(150, ge=1, le=1_000_000)
    """Mirrored pairs per update, each playing two games."""
    sigma: float = Field(0.15, gt=0, le=10)
    """s: how far a pair's networks are from the centre, at the start of the schedule."""
    sigma_end: float = Field(0.15, gt=0, le=10)
    """s at the end of the schedule; it changes linearly in between."""
    rate: float = Field(0.025, gt=0, le=10)
    """Adam's learning rate at the start of the schedule."""
    rate_end: float = Field(0.005, gt=0, le=10)
    """Adam's learning rate at the end of the schedule; it changes linearly in between."""
    schedule: int = Field(300, ge=1, le=10_000_000)
    """Number of updates over which s and the learning rate change."""
    momentum: float = Field(0.9, ge=0, lt=1)
    """Adam's β1: decay rate of the mean gradient."""
    second_momentum: float = Field(0.999, ge=0, lt=1)
    """Adam's β2: decay rate of the mean squared gradient."""
    openings: Literal["start", "first-moves", "two-move", "three-move"] = "two-move"
    """Set of openings, from which each pair gets one at random."""
    pieces_share: float = Field(0.0, ge=0, le=1)
    """Value of an unfinished game to the side with more pieces, where a win is worth 1. With 0, only results count."""
    layers: tuple[Scale, Scale, Scale, Scale] = (1.0, 0.0, 1.0, 1.0)
    """Scale of the perturbation in the first, second, third and last layer, if present. With 0, the default for the
    second layer (most of a spatial network's numbers), only weight decay changes a layer."""
    king_scale: Scale = 2.0
    """Scale of K's perturbation."""
    king_min: float = Field(1.0, ge=0, le=100)
    """Lower bound of K."""
    king_max: float = Field(3.0, ge=0, le=100)
    """Upper bound of K."""
    king_value: float = Field(2.0, ge=0, le=100)
    """Initial K."""
    weight_limit: float = Field(0.2, gt=0, le=1000)
    """Initial weights are sampled uniformly between minus and plus this."""
    weight_decay: float = Field(1.2, ge=0, le=1_000_000)
    """Every update shrinks all weights by this number divided by the schedule's length."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_king(self.king_min, self.king_value, self.king_max)
        self.check_start(bool(self.layers[1]), self.king_min, self.king_max)
        if not any(self.layers):
            raise ConfigError(f"setting layers = {list(self.layers)}: must not all be 0", "layers", self.layers)
        return self

    def rules(self) -> GameRules:
        """The rules of the games."""
        return replace(super().rules(), pieces_decide=self.pieces_share > 0)

    def memory_bytes(self) -> int:
        """A perturbation and two networks for each pair, and the games."""
        return self.pairs * 16 * self.numbers + self.games_bytes(2 * self.pairs)

    def notices(self, generations: int) -> list[str]:
        """A warning if the schedule does not end with the run."""
        if generations == self.schedule:
            return []
        end = "ends first" if generations < self.schedule else "continues with the last step and rate"
        return [
            f"the schedule is {self.schedule} generations long, the run {generations}: the run {end} (setting schedule)"
        ]


class Centre(NamedTuple):
    """The centre, and Adam's running means of the gradient and of its square."""

    centre: np.ndarray
    mean: np.ndarray
    square: np.ndarray


def scales(settings: EsSettings) -> np.ndarray:
    """Scale of the perturbation for every coordinate."""
    by_layer = dict(zip(("first", "second", "third", "output"), settings.layers, strict=True))
    sizes = settings.architecture.layer_sizes(settings.first_nodes)
    found = np.repeat([by_layer[name] for name in sizes], list(sizes.values()))
    return np.append(found, settings.king_scale).astype(np.float32)


def begin(settings: EsSettings, seed: int) -> Centre:
    """The first network."""
    centre = settings.first_numbers(seed, 0, settings.weight_limit, settings.king_value)
    return Centre(centre, np.zeros(len(centre)), np.zeros(len(centre)))


def network(settings: EsSettings, point: np.ndarray, **source: int) -> Network:
    """The network at a point."""
    king_value = float(min(max(point[-1], settings.king_min), settings.king_max))
    return Network(settings.kind, point[:-1], king_value, settings.search_rules, source)


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
    """The networks on both sides of the centre, pair by pair."""
    count = 2 * len(noise)
    description = settings.kind.description
    king_values = (f32(settings.king_min), f32(settings.king_max))
    if description.places is None:
        points = np.repeat(centre[None], count, axis=0)
        points[::2] += s * noise
        points[1::2] -= s * noise
        points[:, -1] = np.clip(points[:, -1], *king_values)
        packed = description.pack(points)
        weights = empty_weights(count, packed.shape[1])
        weights[:, : packed.shape[1]] = packed
    else:
        places = description.places
        weights = empty_weights(count, len(places))

        def work(_: int, next_pair: np.ndarray, stop: np.ndarray) -> None:
            _pack_mirrored(next_pair, stop, centre, noise, s, king_values, places, weights)

        run_threads(work, thread_count(None))
    rules = settings.search_rules
    kinds, flags = np.full(count, settings.kind, np.int64), np.full(count, rules.flags, np.int64)
    return EvaluatorTable(kinds, flags, weights, rules.most_extensions)


def step(settings: EsSettings, seed: int, generation: int, state: Centre) -> Step[Centre]:
    """One update."""
    s = np.float32(scheduled(settings.sigma, settings.sigma_end, generation, settings.schedule))
    scale = scales(settings)
    keys = [key(seed, MUTATION, generation, pair) for pair in range(settings.pairs)]
    noise = normal_rows(keys, scale)
    evaluators = mirrored_evaluators(settings, state.centre, noise, s)
    starts = openings(settings.openings)
    pairings: list[Pairing] = []
    for pair in range(settings.pairs):
        start = starts[key(seed, OPENING, generation, pair) % len(starts)]
        number = key(seed, GAME, generation, pair)
        plus, minus = 2 * pair, 2 * pair + 1
        for colours in ((plus, minus), (minus, plus)):
            pairings.append(Pairing(*colours, number, settings.plies, settings.plies, start))
    result = yield GameBatch(evaluators, pairings, settings.rules())
    worth = np.where(result.reasons == Reason.ADJUDICATION, settings.pieces_share, 1.0)
    values = (worth * result.winners).reshape(settings.pairs, 2)
    rewards = 0.5 * (values[:, 0] - values[:, 1])
    gradient = np.zeros(len(scale))
    add_weighted_rows(rewards, noise, gradient)
    gradient /= settings.pairs * float(s)
    state = adam(settings, generation, state, gradient, scale)
    best = network(settings, state.centre, generation=generation)
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
    """Move the centre by one step of Adam."""
    b1, b2 = settings.momentum, settings.second_momentum
    mean = b1 * state.mean + (1 - b1) * gradient
    square = b2 * state.square + (1 - b2) * gradient * gradient
    bias1, bias2 = 1.0, 1.0
    for _ in range(generation):  # powers by multiplication: the same bits everywhere
        bias1, bias2 = bias1 * b1, bias2 * b2
    rate = scheduled(settings.rate, settings.rate_end, generation, settings.schedule)
    move = rate * (mean / (1 - bias1)) / (np.sqrt(square / (1 - bias2)) + 1e-8)
    centre = (state.centre + (move * scale)).astype(np.float32)
    centre[:-1] *= f32(1 - min(settings.weight_decay / settings.schedule, 1))
    centre[-1] = min(max(centre[-1], f32(settings.king_min)), f32(settings.king_max))
    return Centre(centre, mean, square)


def first_network(settings: EsSettings, state: Centre) -> Network:
    """The centre."""
    return network(settings, state.centre, generation=0)


def headline(report: GenerationReport) -> str:
    """The number of decided pairs, which are what an update learns from; the distance s, and K."""
    results = report.games.winners.reshape(-1, 2)
    decided = int((results[:, 0] != results[:, 1]).sum())
    step_size = report.individuals.step_sizes[0]
    return f"{decided}/{len(results)} pairs decided, s {step_size:.3g}, K {report.best.king_value:.2f}"


def layout(settings: EsSettings) -> Layout:
    """The columns of the centre."""
    count = settings.numbers + 1
    return {
        "centre": Column("<f4", (count,)),
        "mean": Column("<f8", (count,)),
        "square": Column("<f8", (count,), 0),
    }


def digested(columns: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The arrays under a run's digest: the centre twice, and an empty array at the end.

    The digest of ``es-190``, whose run only a GPU repeats, is taken over these.
    """
    centre = columns["centre"]
    return centre, centre, columns["mean"], columns["square"], np.empty((0, *centre.shape), np.float32)


SCHEME = Scheme(
    "es",
    EsSettings,
    Centre,
    begin,
    step,
    first_network,
    layout=layout,
    headline=headline,
    digested=digested,
)
