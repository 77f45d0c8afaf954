"""Cycles among players: what counts as one, and what chance makes."""

import itertools

import numpy as np
import pytest

from evocheckers.papers.anaconda.cycles import (
    AGAIN,
    SPLITS,
    Triples,
    _simulations,
    chances_of,
    repeated,
    score_of,
    signs_of,
    triples,
)
from evocheckers.tournaments.score import Score


def matches(*winners: tuple[int, int]) -> dict[tuple[int, int], Score]:
    """Matches of ten games each, by winner and loser."""
    return {(min(p), max(p)): Score(8, 0, 2) if p[0] < p[1] else Score(2, 0, 8) for p in winners}


def test_rock_paper_scissors_is_a_cycle_both_ways_round():
    assert triples(3, signs_of(matches((0, 1), (1, 2), (2, 0)))) == Triples(1, 1)
    assert triples(3, signs_of(matches((1, 0), (2, 1), (0, 2)))) == Triples(1, 1)


def test_an_order_is_none():
    assert triples(3, signs_of(matches((0, 1), (1, 2), (0, 2)))) == Triples(1, 0)
    assert triples(3, signs_of(matches((0, 1), (2, 1), (2, 0)))) == Triples(1, 0)


def test_a_level_match_decides_nothing():
    found = matches((0, 1), (1, 2), (2, 0)) | {(0, 2): Score(3, 4, 3)}
    assert triples(3, signs_of(found)) == Triples(0, 0)


def test_tosses_of_a_coin_make_a_quarter():
    generator = np.random.default_rng(3)
    level = {(a, b): Score(5, 0, 5) for b in range(8) for a in range(b)}
    shares = [triples(8, one).share for one in _simulations(8, level, generator)]
    assert 0.2 < np.mean(shares) < 0.3


def test_strengths_far_apart_make_hardly_any():
    generator = np.random.default_rng(3)
    clear = {(a, b): Score(9, 0, 1) for b in range(8) for a in range(b)}
    assert np.mean([triples(8, one).share for one in _simulations(8, clear, generator)]) < 0.02


@pytest.mark.parametrize(("spread", "share"), [(0, 0.25), (40, 0.05)])
def test_chance_is_neither_too_rare_nor_too_frequent(spread, share):
    """By the games of players whose strengths are known; ratings that are only fitted make 0.21 of the first."""
    generator = np.random.default_rng(5)
    strengths = np.linspace(-spread, spread, 11)
    simulated = []
    for _ in range(8):
        games = {}
        for a, b in itertools.combinations(range(11), 2):
            points = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
            games[a, b] = Score(*map(int, generator.multinomial(86, chances_of(points, 0.6))))
        simulated += [triples(11, one).share for one in _simulations(11, games, generator)[:50]]
    assert np.mean(simulated) == pytest.approx(share, abs=0.015)


def test_results_are_counted():
    assert score_of([1, 0, 0, -1, 1, 1]) == Score(3, 2, 1)


def test_a_real_cycle_comes_again_in_the_other_half():
    values = {(0, 1): [1, 0] * 10, (1, 2): [1, 0] * 10, (0, 2): [-1, 0] * 10}
    assert repeated(3, values, np.random.default_rng(1)) == (SPLITS, SPLITS)


def test_a_cycle_that_turns_round_is_not_the_same():
    """Openings that all three win in turn: no half is like the other, so a cycle is seldom confirmed."""
    values = {(0, 1): [1, 1, -1, -1], (1, 2): [1, 1, -1, -1], (0, 2): [-1, -1, 1, 1]}
    assert repeated(3, values, np.random.default_rng(1)) == (SPLITS, 0)


@pytest.mark.parametrize("spread", [0, 10, 30])
def test_cycles_of_players_in_one_order_seldom_come_again(spread):
    generator = np.random.default_rng(7)
    strengths = np.linspace(-spread, spread, 11)
    counted = np.zeros(2)
    for _ in range(12):
        values = {}
        for a, b in itertools.combinations(range(11), 2):
            points = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
            values[a, b] = generator.choice([1, 0, -1], 86, p=chances_of(points, 0.6)).tolist()
        counted += repeated(11, values, generator)
    assert counted[1] / counted[0] < AGAIN
