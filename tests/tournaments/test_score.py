import numpy as np
import pytest
from scipy import stats

from evocheckers import Board
from evocheckers.games.openings import FIRST_MOVES, ballots, opening_lines, openings
from evocheckers.tournaments.score import Score, elo_of


def test_openings():
    assert len(ballots()) == len(set(openings("two-move"))) == 43
    assert "9-14 22-17" in ballots()
    assert "11-16 23-19" not in ballots()
    assert len(set(openings("first-moves"))) == len(FIRST_MOVES) == 7
    assert opening_lines("start") == ("",)
    assert {str(move) for move in Board().legal_moves()} == {ballot.split()[0] for ballot in ballots()}


def test_scores_and_intervals():
    score = Score(20, 60, 6, 30, 10)
    assert score.share == pytest.approx(50 / 86)
    low, high = score.interval
    assert low < score.share < high
    half = 1.988 * np.std([1.0] * 20 + [0.5] * 60 + [0.0] * 6, ddof=1) / np.sqrt(86)
    assert high - score.share == pytest.approx(half, rel=1e-3)
    assert Score(0, 0, 0).interval == (0.0, 1.0)
    low, high = Score(0, 86, 0).interval
    assert 0.35 < low < 0.45 < 0.55 < high < 0.65
    for games in (14, 86):  # a worse result never has a better bound
        bounds = [Score(games - lost, 0, lost).interval[0] for lost in range(5)]
        assert bounds == sorted(bounds, reverse=True)
        assert Score(games - 1, 1, 0).interval[0] < bounds[0]
    assert Score(6, 0, 0).interval == pytest.approx((0.025 ** (1 / 6), 1.0))
    assert Score(0, 0, 6).interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 6)))
    assert "20-60-6 (draws ahead/level/behind 30/20/10), 58.1%" in str(score)
    assert score.elo == (elo_of(score.share), *map(elo_of, score.interval))
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(1.0) == -elo_of(0.0) == 1200
    assert Score(1, 2, 3, 1, 0) + Score(4, 5, 6, 2, 3) == Score(5, 7, 9, 3, 3)


def test_the_papers_sign_test():
    assert Score(10, 3, 1).sign_test == pytest.approx(stats.binomtest(10, 11).pvalue)
    assert Score(10, 3, 1).sign_test < 0.02
    assert Score(0, 14, 0).sign_test == 1.0
