"""Anaconda (Chellapilla and Fogel, 1999, 2001) and, with another tournament, Blondie24-RR (Al-Khateeb and Kendall).

Fifteen parents and one offspring of each play; the fifteen with the most points become parents.
"""

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
from evocheckers.evolution.scheme import Layout, Scheme, Step
from evocheckers.networks.network import Network


class AnacondaSettings(PopulationSettings):
    """The settings of a population, and no others."""


def begin(settings: AnacondaSettings, seed: int) -> Population:
    """The first parents."""
    return create(settings, seed, settings.parents, 0)


def step(settings: AnacondaSettings, seed: int, generation: int, parents: Population) -> Step[Population]:
    """One generation."""
    players = join(parents, offspring(settings, seed, parents, generation * settings.parents))
    batch = tournament(settings, seed, generation, players)
    result = yield batch
    scores = points(settings, batch, result, players.size)
    order = ranking(seed, generation, scores)
    return players.take(order[: settings.parents]), report(settings, generation, players, batch, result, scores, order)


def first_network(settings: AnacondaSettings, parents: Population) -> Network:
    """The first of the first parents."""
    return parents.network(0, settings, generation=0, id=0)


def layout(settings: AnacondaSettings) -> Layout:
    """The columns of the parents."""
    return population_layout(settings.parents)


SCHEME = Scheme("anaconda", AnacondaSettings, Population, begin, step, first_network, layout=layout)
