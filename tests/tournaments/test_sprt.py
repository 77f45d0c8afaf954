"""Sequential tests: published ratios, error rates that hold, and pairs in their order."""

import math
from collections.abc import Generator, Sequence

import numpy as np
import pytest

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.game import PlayedGame
from evocheckers.games.openings import ballots
from evocheckers.players.make import make_contestant
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Outcome, Reason
from evocheckers.tournaments.match import play_match
from evocheckers.tournaments.sprt import PAIR_SHARES, Sprt, SprtError, expected_share, play_until_decided

PUBLISHED = [
    ((253, 4282, 17604, 4431, 286), (-0.25, 1.25), 2.94),
    ((58, 3302, 33130, 3518, 84), (0.25, 1.25), 2.97),
    ((424, 2948, 5832, 3045, 460), (-1, 3), 2.94),
    ((1284, 17437, 55536, 18085, 1292), (0, 2), 2.94),
    ((17, 253, 1042, 337, 39), (-0.5, 1.5), 2.96),
    ((293, 5085, 20082, 5070, 326), (-1.25, 0.25), 2.95),
]
"""Tests that Stockfish's developers published (pull requests 3209, 2493, 2971 and 3103): pairs, claims, ratio."""


@pytest.mark.parametrize(("counts", "claims", "ratio"), PUBLISHED)
def test_published_ratios(counts, claims, ratio):
    low, high = claims
    assert Sprt(low, high, counts=counts).log_likelihood_ratio == pytest.approx(ratio, abs=0.02)


def test_bounds_and_verdicts():
    test = Sprt(0, 20)
    assert test.bounds == pytest.approx((-math.log(19), math.log(19)))
    assert (test.log_likelihood_ratio, test.accepted, test.pairs) == (0.0, None, 0)
    won, lost = test, test
    while won.accepted is None:
        won, lost = won.add(0.75), lost.add(0.25)
    assert (won.accepted, lost.accepted) == ("high", "low")
    assert 5 < won.pairs < 100
    assert Sprt(0, 20, 0.01, 0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))
    turned = Sprt(-20, 0, counts=(4, 3, 9, 2, 1))
    assert turned.log_likelihood_ratio == pytest.approx(-Sprt(0, 20, counts=(1, 2, 9, 3, 4)).log_likelihood_ratio)
    assert "+20 points accepted" in str(won)
    assert won.to_json()["accepted"] == "high"


@pytest.mark.parametrize(
    "text", ["", "5", "0,", "a,b", "20,0", "5,5", "0,20,0.05", "0,20,0,0.05", "0,20,0.5,0.05", "0,9999", "nan,1", "0;1"]
)
def test_what_is_no_test_is_refused(text):
    with pytest.raises(SprtError):
        Sprt.parse(text)


def test_tests_are_read():
    assert Sprt.parse("0,20") == Sprt(0, 20)
    assert Sprt.parse("-10.5,+3,0.01,0.1") == Sprt(-10.5, 3, 0.01, 0.1)


def with_mean(weights: Sequence[float], mean: float) -> np.ndarray:
    """A distribution over a pair's results like this one, but with that mean."""
    shares, base = np.array(PAIR_SHARES), np.array(weights)
    low, high = -100.0, 100.0
    for _ in range(100):
        tilt = (low + high) / 2
        tilted = base * np.exp(tilt * shares)
        tilted /= tilted.sum()
        low, high = (tilt, high) if tilted @ shares < mean else (low, tilt)
    return tilted


def errors(claims: tuple[float, float], weights: Sequence[float], truth: float, tests: int = 300) -> float:
    """How often simulated tests accept the wrong claim."""
    generator = np.random.default_rng(1)
    results = with_mean(weights, expected_share(truth))
    wrong = 0
    for _ in range(tests):
        test = Sprt(*claims)
        for share in generator.choice(PAIR_SHARES, 2000, p=results).tolist():
            test = test.add(share)
            if test.accepted:
                break
        wrong += test.accepted != ("low" if truth == claims[0] else "high")
    return wrong / tests


@pytest.mark.parametrize("weights", [(1, 8, 20, 8, 1), (0.2, 2, 100, 2, 0.2)], ids=["lively", "drawn"])
@pytest.mark.parametrize("claims", [(0, 40), (-40, 0)])
def test_error_rates_hold(claims, weights):
    """Three standard errors of 300 tests lie within 0.04."""
    for truth in claims:
        assert errors(claims, weights, truth) < 0.05 + 0.04


def game(number: int, winner: Color | None) -> PlayedGame:
    return PlayedGame(number, "a", "b", (), (), Outcome(winner, Reason.NO_MOVES))


def shuffled(games: Sequence[PlayedGame], seed: int, closed: list[bool]) -> Generator[PlayedGame, None, None]:
    """Games in another order, each at most eight places off; notes when it is closed."""
    order = np.argsort(np.arange(len(games)) + 8 * np.random.default_rng(seed).random(len(games)))
    try:
        for place in order.tolist():
            yield games[place]
    finally:
        closed.append(True)


def test_pairs_are_judged_in_their_order():
    generator = np.random.default_rng(3)
    winners = generator.choice(np.array([Color.BLACK, None, Color.WHITE, None]), 400).tolist()
    winners[1::2] = [Color.WHITE] * 200  # the first player, who is White in even games, wins those
    games = [game(number, winner) for number, winner in enumerate(winners, 1)]
    ends = set()
    for seed in range(5):
        closed: list[bool] = []
        told = list(play_until_decided(shuffled(games, seed, closed), Sprt(0, 20)))
        assert closed == [True]
        assert [g.number for first, second, _ in told for g in (first, second)] == list(range(1, 2 * len(told) + 1))
        assert [test.accepted for _, _, test in told[:-1]] == [None] * (len(told) - 1)
        ends.add((len(told), told[-1][2]))
    assert len(ends) == 1
    assert next(iter(ends))[1].accepted == "high"


@pytest.mark.parametrize("second", ["random", "material@20n"])  # in batches, and game by game
def test_a_match_ends_with_its_test_for_any_number_of_workers(second):
    pair = make_contestant("material@3"), make_contestant(second)
    tests = set()
    for workers in (1, 3):
        games = play_match(*pair, ballots() * 10, ThreadExecutor(workers), workers=workers)
        *_, (_, last, test) = play_until_decided(games, Sprt(0, 100))
        assert last.number == 2 * test.pairs < 100
        tests.add(test)
    assert len(tests) == 1
    assert tests.pop().accepted == "high"
