"""Time for a whole game, on a clock that is only simulated: no move is slow, and no game is lost on time."""

import random
from collections.abc import Sequence

import pytest

from evocheckers import Board, Limit, Move, SearchResult
from evocheckers.players.hub.engine import RunningSearch
from evocheckers.players.hub.level import HubLevel
from evocheckers.players.hub.time_management import LONGEST, RemainingTime, allot, may_end
from evocheckers.search.result import ScoredLine

MOVES = Board().legal_moves()
SLOW_SECONDS = 0.008
"""What a search takes beyond its limit, at most."""


def found(move: Move = MOVES[0], score: float = 0.0, next_best: float = -1.0) -> SearchResult:
    lines = ScoredLine(score, 4, (move,)), ScoredLine(next_best, 4, (MOVES[2],))
    return SearchResult(move, score, 4, (move,), 1, 10, 10, 0.0, lines)


class SimulatedSearch:
    """Takes the time that it is given and a little more, on a clock of its own; answers as it is told to."""

    def __init__(self, answers: Sequence[SearchResult] = (), seed: int = 0) -> None:
        self.time = 0.0
        self.limits: list[float] = []
        self._answers = list(answers)
        self._random = random.Random(seed)

    def search(self, board: Board, limit: Limit, number: int = 0, *, lines: int = 1) -> SearchResult:
        assert limit.seconds is not None
        self.limits.append(limit.seconds)
        self.time += limit.seconds + self._random.random() * SLOW_SECONDS
        return self._answers.pop(0) if self._answers else found(self._random.choice(MOVES[:2]), self._random.random())

    def stop(self) -> None:
        pass

    def forget(self) -> None:
        pass

    def think(self, clock: RemainingTime) -> SearchResult:
        return RunningSearch(self, Board(), HubLevel(clock=clock), now=lambda: self.time).run()


@pytest.mark.parametrize(
    ("minutes", "increment", "period"),
    [(5, 0, None), (1, 0, 40), (0.1, 0, None), (0.05, 0.1, None), (0.002, 0.1, None), (0.1, 0, 10), (0.01, 0, 1)],
)
def test_no_game_of_100_moves_by_each_side_is_lost_on_time(minutes, increment, period):
    search = SimulatedSearch(seed=1)
    left, to_go = 60 * minutes, period
    used = []
    for _ in range(100):
        began = search.time
        search.think(RemainingTime(left, increment, to_go))
        used.append(search.time - began)
        left -= used[-1] + 0.002  # the way through the pipe
        assert left > 0
        left += increment
        if to_go is not None:
            to_go -= 1
            if to_go == 0:
                left, to_go = left + 60 * minutes, period
    if period is None and not increment:
        assert sum(used[:60]) > 0.7 * 60 * minutes  # and the time is used


def test_moves_share_the_time_evenly():
    assert allot(RemainingTime(60.05 + 0.4, 0, 40)).usual_seconds == pytest.approx(1.5)
    one = allot(RemainingTime(10, 0, 1))
    assert one.usual_seconds == one.longest_seconds == pytest.approx(9.94)
    assert allot(RemainingTime(10, 2, None)).usual_seconds == pytest.approx(8.95 / 25 + 2 * 24 / 25)
    usual = allot(RemainingTime(300))
    assert usual.longest_seconds == pytest.approx(LONGEST * usual.usual_seconds)
    for hopeless in (RemainingTime(0), RemainingTime(-5), RemainingTime(0.004, 0, 3)):
        assert allot(hopeless).usual_seconds == allot(hopeless).longest_seconds == 0.001
    assert allot(RemainingTime(1e12)).longest_seconds == 86_400


@pytest.mark.parametrize(
    ("answers", "shares"),
    [
        ([found(score=999_990.0)], 0.2),  # decided
        ([found(next_best=-2.0)], 0.2),  # clear
        ([found(), found()], 0.6),  # settled
        ([found(), found(score=-0.1)], 0.6),
        ([found(), found(MOVES[1]), found(MOVES[1])], 1.0),  # once changed its mind
        ([found(), found(score=-0.5), found(score=-0.5)], 1.0),
        ([found(), found(MOVES[1]), found(), found()], LONGEST),  # and twice
    ],
)
def test_a_search_ends_when_it_has_settled(answers, shares):
    search = SimulatedSearch(answers)
    clock = RemainingTime(1000)
    result = search.think(clock)
    assert search.time == pytest.approx(shares * allot(clock).usual_seconds, rel=0.01)
    assert len(search.limits) == len(answers)
    assert (result.move, result.nodes) == (answers[-1].move, 10 * len(answers))
    assert result.seconds == search.time


def test_one_look_settles_nothing():
    assert not may_end([found()])
    assert may_end([found(score=-999_990.0)])


def test_a_depth_with_a_clock_is_a_depth():
    class Deep(SimulatedSearch):
        def search(self, board: Board, limit: Limit, number: int = 0, *, lines: int = 1) -> SearchResult:
            assert limit == Limit(plies=6)
            return found()

    assert RunningSearch(Deep(), Board(), HubLevel(plies=6, clock=RemainingTime(100))).run() == found()
