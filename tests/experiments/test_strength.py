import numpy as np
import pytest

from evocheckers import Board, Network, piece_differential
from evocheckers.evaluation.dispatch import Kind
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.strength import Score, elo_of, match
from evocheckers.games.openings import ballots, first_move_openings, two_move_openings


def test_openings():
    assert len(ballots()) == len(set(two_move_openings())) == 43
    assert "9-14 22-17" in ballots()
    assert "11-16 23-19" not in ballots()
    assert len(set(first_move_openings())) == 7
    assert {str(move) for move in Board().legal_moves()} == {ballot.split()[0] for ballot in ballots()}


def test_scores_and_intervals():
    score = Score(20, 60, 6, 30, 10)
    assert score.share == pytest.approx(50 / 86)
    low, high = score.interval
    assert low < score.share < high
    half = 1.988 * np.std([1.0] * 20 + [0.5] * 60 + [0.0] * 6, ddof=1) / np.sqrt(86)
    assert high - score.share == pytest.approx(half, rel=1e-3)
    assert Score(0, 10, 0).interval == (0.5, 0.5)
    assert "20-60-6 (draws ahead/level/behind 30/20/10), 58.1%" in str(score)
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(1.0) == -elo_of(0.0) == 1200


def test_a_match_is_counted_from_the_first_player():
    executor = ThreadExecutor(2)
    starts = two_move_openings()[:10]
    counting = piece_differential(1.5)
    even = match(counting, counting, 3, executor, starts=starts)
    assert 0.25 < even.share < 0.75
    score = match(counting, at_random(), 3, executor, starts=starts)
    assert score.wins >= 18
    assert score.games == 20
    mirrored = match(at_random(), counting, 3, executor, starts=starts)
    assert mirrored.losses >= 18


def at_random():
    """A network of zeros values everything alike."""
    return Network(Kind.DENSE_512, np.zeros(5251, np.float32)).evaluator()
